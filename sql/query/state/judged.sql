-- The settings that the published flags were judged with, and the summary of the run that published them. out: judged or NULL, summary.
SELECT s.judged, r.summary
FROM twindex_state AS s LEFT JOIN twindex_run AS r ON r.run = CASE s.generation WHEN 'a' THEN s.run_a ELSE s.run_b END
WHERE s.one = 1
