-- name: claim_a
-- Claims the right to write generation a for a run and marks it incomplete. in: ?1 token, ?2 published generation or NULL.
UPDATE twindex_state SET token = ?1, run_a = NULL WHERE one = 1 AND generation IS ?2

-- name: claim_b
-- The same for generation b. in: as in claim_a.sql.
UPDATE twindex_state SET token = ?1, run_b = NULL WHERE one = 1 AND generation IS ?2

-- name: finish
-- Records the parameters under which every document is signed, unless a trigger has reset them meanwhile because rows of the
-- cache were deleted. in: ?1 fingerprint, ?2 the previous fingerprint.
UPDATE twindex_state SET fingerprint = ?1 WHERE one = 1 AND fingerprint IS ?2

-- name: judged
-- The settings that the published flags were judged with, and the counts of the run that published them. out: judged or NULL, counts.
SELECT s.judged, r.counts
FROM twindex_state AS s LEFT JOIN twindex_run AS r ON r.run = CASE s.generation WHEN 'a' THEN s.run_a ELSE s.run_b END
WHERE s.one = 1

-- name: judging
-- Begins judging: from here until the result is published, NULL says that signatures or flags have changed meanwhile (the run itself and
-- triggers write NULL). 0 is the fingerprint of no settings.
UPDATE twindex_state SET judged = 0 WHERE one = 1 AND judged IS NULL

-- name: note
-- Signatures change, and the process that changes them knows which: NULL says, as while it judges, that others have changed, too.
UPDATE twindex_state SET judged = 0 WHERE one = 1 AND judged IS NOT NULL

-- name: publish_a
-- Publishes generation a as the complete result of a run. If ids are numbered in another way than before,
-- the other generation becomes invalid. in: ?1 token, ?2 generation published until now or NULL, ?3 run, ?4 id_kind,
-- ?5 fingerprint of the settings it was judged with; not stored if signatures or flags have changed since judging.sql.
UPDATE twindex_state
SET generation = 'a', run_a = ?3, token = NULL, run_b = CASE WHEN id_kind IS ?4 THEN run_b END, id_kind = ?4, judged = CASE WHEN judged IS NOT NULL THEN ?5 END
WHERE one = 1 AND token = ?1 AND generation IS ?2

-- name: publish_b
-- The same for generation b. in: as in publish_a.sql.
UPDATE twindex_state
SET generation = 'b', run_b = ?3, token = NULL, run_a = CASE WHEN id_kind IS ?4 THEN run_a END, id_kind = ?4, judged = CASE WHEN judged IS NOT NULL THEN ?5 END
WHERE one = 1 AND token = ?1 AND generation IS ?2

-- name: read
-- The state of the store. out: generation, run_a, run_b, token, fingerprint, id_kind, and what tells the newest run of the ledger from
-- any other: its number, its times and its summary.
SELECT generation, run_a, run_b, token, fingerprint, id_kind,
    (SELECT run || ' ' || started_at || ' ' || ifnull(ended_at, '') || ifnull(summary, '') FROM twindex_run ORDER BY run DESC LIMIT 1)
FROM twindex_state WHERE one = 1

-- name: set_judged
-- Records that the published flags are those of the stored signatures, or with NULL that it is not known. in: ?1 fingerprint of the settings.
UPDATE twindex_state SET judged = ?1 WHERE one = 1 AND judged IS NOT ?1

-- name: signed
-- Records the parameters under which every document is signed. in: ?1 fingerprint or NULL.
UPDATE twindex_state SET fingerprint = ?1 WHERE one = 1 AND fingerprint IS NOT ?1

-- name: undo
-- Publishes the other generation again if it is complete. in: ?1 generation to publish.
UPDATE twindex_state SET generation = ?1, token = NULL, judged = NULL
WHERE one = 1 AND generation IS NOT ?1 AND CASE ?1 WHEN 'a' THEN run_a ELSE run_b END IS NOT NULL
