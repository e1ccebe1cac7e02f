-- Adds a run. in: ?1 run.
INSERT INTO twindex_judgement(run) VALUES (?1) ON CONFLICT DO NOTHING
