-- Begins a judgement: from here until it is published, NULL says that signatures or flags have changed meanwhile (the run itself and
-- triggers write NULL). 0 is the fingerprint of no settings.
UPDATE twindex_state SET judged = 0 WHERE one = 1 AND judged IS NULL
