-- When the number of these goals stays the same, all of them are in loops.
INSERT INTO {db}.w{run}_loop_local SELECT ask FROM {db}.w{run}_ask_local WHERE ask IN (SELECT uid FROM {db}.w{run}_path_{old}_local) GROUP BY ask
