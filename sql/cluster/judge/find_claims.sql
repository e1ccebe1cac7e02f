-- Sends each usable URL to the node that looks for targets with it.
INSERT INTO {db}.w{run}_claim SELECT url_key, concat(if(own = 0, '0', '1'), rank), domain_key FROM {db}.w{run}_pushed_local WHERE own != 1
