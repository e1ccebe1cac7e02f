(SELECT *{missing} FROM twindex_flag WHERE only_in <> {other})
