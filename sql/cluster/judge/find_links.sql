-- Sends each link to the node that has the claims of its target.
INSERT INTO {db}.w{run}_link SELECT uid, link_key, domain_key, host_key FROM {db}.w{run}_pushed_local WHERE link != 0
