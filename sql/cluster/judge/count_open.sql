-- Counts. out: texts that are undecided or wait for a place, once for each set
SELECT countIf(state != 1) FROM {db}.w{run}_near_open_local WHERE round = {round} FORMAT TabSeparated
