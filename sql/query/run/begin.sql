-- Opens a ledger row. in: ?1 started_at, ?2 generation, ?3 version, ?4 settings.
INSERT INTO twindex_run(started_at, state, generation, version, settings) VALUES (?1, 'running', ?2, ?3, ?4)
