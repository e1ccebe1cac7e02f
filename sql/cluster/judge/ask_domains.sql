-- Sends the documents to the nodes of their domains.
INSERT INTO {db}.w{run}_asked SELECT 5, domain_key, 0, uid, 0 FROM {db}.w{run}_pushed_local WHERE origin_at != 0
