-- Sends each path that has not ended to the node of its goal.
INSERT INTO {db}.w{run}_ask SELECT goal, uid, best FROM {db}.w{run}_path_{old}_local WHERE done = 0
