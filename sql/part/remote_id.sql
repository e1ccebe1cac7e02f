CASE WHEN f.{column} <= -4611686018427387904
     THEN (SELECT r.id FROM twindex_remote AS r WHERE r.generation = '{g}' AND r.doc = f.{column})
     ELSE {<}f.{column}{>} END
