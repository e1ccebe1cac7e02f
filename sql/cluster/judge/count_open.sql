-- Counts. out: undecided texts, once for each set
SELECT countIf(state = 0) FROM {db}.w{run}_near_open_local WHERE round = {round} FORMAT TabSeparated
