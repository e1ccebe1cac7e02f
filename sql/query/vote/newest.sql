-- The newest run, and the newest one that is committed. out: run, run; NULL: none.
SELECT max(run), max(CASE WHEN committed_at IS NOT NULL THEN run END) FROM twindex_judgement
