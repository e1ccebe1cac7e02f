-- Counts. out: paths whose goal has a path, and the number of these goals
SELECT count(), uniqExact(ask) FROM {db}.w{run}_ask_local WHERE ask IN (SELECT uid FROM {db}.w{run}_path_{old}_local) FORMAT TabSeparated
