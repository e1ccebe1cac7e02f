-- Takes over the paths that have ended.
INSERT INTO {db}.w{run}_path_{new}_local SELECT uid, goal, best, done FROM {db}.w{run}_path_{old}_local WHERE done = 1
