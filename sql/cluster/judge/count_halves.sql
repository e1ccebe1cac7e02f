-- Counts. out: pairs to compare
SELECT count() FROM {db}.w{run}_near_half_local WHERE round = {round} FORMAT TabSeparated
