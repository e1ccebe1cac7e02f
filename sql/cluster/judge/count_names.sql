-- Counts. out: names
SELECT count() FROM {db}.w{run}_near_name_local FORMAT TabSeparated
