-- Closes a ledger row. in: ?1 run, ?2 ended_at, ?3 state, ?4 summary, ?5 message.
UPDATE twindex_run SET ended_at = ?2, state = ?3, summary = ?4, message = ?5 WHERE run = ?1
