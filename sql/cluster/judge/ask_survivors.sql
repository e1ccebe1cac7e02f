-- Sends each link that counts to the node of its target.
INSERT INTO {db}.w{run}_follow
SELECT substring(target, length(target) - 9, 10), uid, target FROM {db}.w{run}_state_local WHERE state = 1
