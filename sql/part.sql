-- name: count_of
CASE f.{column} WHEN 0 THEN coalesce((SELECT z.value FROM twindex_group_count AS z WHERE z.generation = '{g}' AND z.flag = '{column}' AND z.rep = f.{beside}), 0) ELSE f.{column} END

-- name: flag_class
CASE f.{column} WHEN 1 THEN 'error' WHEN 2 THEN 'challenge' WHEN 3 THEN 'login' WHEN 4 THEN 'consent'
     WHEN 5 THEN 'listing' WHEN 6 THEN 'empty' ELSE 'page' END AS {flag}

-- name: flag_count
CASE f.eligibility WHEN 0 THEN coalesce({count}, 1) END AS {flag}

-- name: flag_doc
{representative} AS {flag}

-- name: flag_edition
(SELECT rtrim(substr(a, v % 40 + 1, 1)
    || substr(a, v / 40 % 40 + 1, 1)
    || substr(a, v / 1600 % 40 + 1, 1)
    || substr(a, v / 64000 % 40 + 1, 1)
    || substr(a, v / 2560000 % 40 + 1, 1)
    || substr(a, v / 102400000 % 40 + 1, 1)
    || substr(a, v / 4096000000 % 40 + 1, 1)
    || substr(a, v / 163840000000 % 40 + 1, 1)
    || substr(a, v / 6553600000000 % 40 + 1, 1)
    || substr(a, v / 262144000000000 % 40 + 1, 1)
    || substr(a, v / 10485760000000000 % 40 + 1, 1))
 FROM (SELECT ' abcdefghijklmnopqrstuvwxyz0123456789.-_' AS a, f.{column} AS v)) AS {flag}

-- name: flag_known_representative
CASE WHEN f.{beside} IS NOT NULL THEN f.{column} IS NULL OR f.{column} = f.doc END AS {flag}

-- name: flag_no_page
coalesce(f.{column} BETWEEN 1 AND 4, 0) AS {flag}

-- name: flag_representative
CASE f.eligibility WHEN 0 THEN f.{column} IS NULL OR f.{column} = f.doc END AS {flag}

-- name: flag_siblings
CASE f.near_count WHEN 0 THEN coalesce((SELECT z.value FROM twindex_group_count AS z WHERE z.generation = '{g}' AND z.flag = '{column}' AND z.rep = f.{beside}), f.{column}) ELSE f.{column} END AS {flag}

-- name: flag_size
{count} AS {flag}

-- name: flag_stored
f.{column} AS {flag}

-- name: flag_stored_or_beside
CASE f.{column} WHEN 0 THEN f.{beside} ELSE f.{column} END AS {flag}

-- name: flag_survivor
CASE f.eligibility WHEN 0 THEN f.{column} IS NULL END AS {flag}

-- name: flag_type
CASE f.{column} WHEN 1 THEN 'full-layout' WHEN 2 THEN 'full-content'
     WHEN 3 THEN 'partial-layout' WHEN 4 THEN 'partial-content' WHEN 5 THEN 'sibling' END AS {flag}

-- name: flag_zero
f.{column} = 0 AS {flag}

-- name: flags_of
(SELECT * FROM twindex_flag WHERE only_in <> {other})

-- name: hit_numbers
LEFT JOIN (SELECT doc AS id, eligibility = 0 AS indexable_b, duplicate_of FROM {rows}) AS r ON r.id = t.doc

-- name: hit_order
ORDER BY score DESC, doc IS NOT cluster, id

-- name: limited_order
ORDER BY score DESC, doc IS NOT cluster, id LIMIT ?2

-- name: listed_id
scan_key = (SELECT scan_key FROM temp.twindex_source_ids WHERE id = ?1) AND id

-- name: local_id
{<}f.{column}{>}

-- name: own_documents
SELECT * FROM documents

-- name: relation_groups
SELECT '{relation}' AS detector, {representative} AS representative, {id} AS document,
    CASE f.{relation}_count WHEN 0 THEN coalesce((SELECT z.value FROM twindex_group_count AS z WHERE z.generation = '{g}' AND z.flag = '{relation}_count' AND z.rep = f.{relation}_rep), 0)
        ELSE f.{relation}_count END AS documents, {similarity} AS similarity, {shard} AS representative_shard
FROM {f} WHERE f.{relation}_rep IS NOT NULL
UNION ALL

-- name: remote_alternates
UNION ALL
SELECT {<}x.doc{>}, r.id, r.shard
FROM {rows} AS x JOIN twindex_remote AS r ON r.generation = '{g}' AND r.doc = x.duplicate_of

-- name: remote_id
CASE WHEN f.{column} <= -4611686018427387904
     THEN (SELECT r.id FROM twindex_remote AS r WHERE r.generation = '{g}' AND r.doc = f.{column})
     ELSE {<}f.{column}{>} END

-- name: remote_shard
CASE WHEN f.{column} <= -4611686018427387904
     THEN (SELECT r.shard FROM twindex_remote AS r WHERE r.generation = '{g}' AND r.doc = f.{column}) END

-- name: source_id
(SELECT id FROM twindex_document WHERE doc =
