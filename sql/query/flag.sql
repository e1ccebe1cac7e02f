-- name: count_delete
-- Deletes a count. in: ?1 generation, ?2 flag, ?3 rep.
DELETE FROM twindex_group_count WHERE generation = ?1 AND flag = ?2 AND rep = ?3

-- name: count_each
-- The counts of a generation. Numbers that are texts do not count. in: ?1 generation. out: flag, rep, value.
SELECT flag, rep, value FROM twindex_group_count WHERE generation = ?1 AND typeof(rep) = 'integer' AND typeof(value) = 'integer'

-- name: count_get
-- One count of the generation. in: ?1 flag, ?2 rep. out: value.
SELECT value FROM twindex_group_count WHERE generation = '{g}' AND flag = ?1 AND rep = ?2

-- name: count_put
-- Stores a count. in: ?1 generation, ?2 flag, ?3 rep, ?4 value.
INSERT OR REPLACE INTO twindex_group_count(generation, flag, rep, value) VALUES (?1, ?2, ?3, ?4)

-- name: digest_flags
-- All flags of document_flags, in any order. Which store a representative is in does not count: the digests of the stores of a
-- collection sum up to that of one store with all documents.
SELECT f.id{flag_names} FROM document_flags AS f

-- name: digest_groups
-- All group members, in any order.
SELECT detector, representative, document, documents, similarity FROM twindex_group_member

-- name: drop
-- Deletes the flags that this generation alone has, and rows whose only_in another program has made invalid. in: ?1 doc.
DELETE FROM twindex_flag WHERE doc = ?1 AND only_in <> 0 AND only_in <> {other}

-- name: get
-- Flags of one document. in: ?1 doc. out: the columns in order.
SELECT doc{columns}
FROM {rows} WHERE doc = ?1

-- name: part
-- Leaves the flags that both generations have to the other one. in: ?1 doc.
UPDATE OR REPLACE twindex_flag SET only_in = {other} WHERE doc = ?1 AND only_in = 0

-- name: put
-- Stores the flags of a document in this generation alone, or in both. in: the columns in order.
INSERT OR REPLACE INTO twindex_flag(doc, only_in{columns})
VALUES (?1, {own}{parameters})

-- name: read
-- Flags of a generation, ascending, after a given document. Another program may have stored numbers that are texts; they would be read
-- as 0. in: ?1 doc, ?2 limit. out: the columns in order.
SELECT doc{columns}
FROM {rows} WHERE doc > ?1 AND typeof(doc) = 'integer' ORDER BY doc LIMIT ?2

-- name: rows
-- Flags of one document in both generations: one row or two. in: ?1 doc. out: the columns in order, then only_in, or 3 for what is no
-- integer, which another program has stored.
SELECT doc{columns}, CASE typeof(only_in) WHEN 'integer' THEN only_in ELSE 3 END FROM twindex_flag WHERE doc = ?1

-- name: share
-- Lets both generations share the flags that only the other generation has. in: ?1 doc.
UPDATE twindex_flag SET only_in = 0 WHERE doc = ?1 AND only_in = {other}

-- name: unshared
-- Documents whose flags the generations do not share, ascending, after a given one. Numbers that are texts do not count. in: ?1 doc,
-- ?2 limit. out: doc.
SELECT DISTINCT doc FROM twindex_flag WHERE only_in <> 0 AND doc > ?1 AND typeof(doc) = 'integer' ORDER BY doc LIMIT ?2
