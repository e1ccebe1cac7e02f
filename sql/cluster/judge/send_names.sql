-- Sends the names of documents to the nodes of their hosts.
INSERT INTO {db}.w{run}_near_name
SELECT host_key, ids, name, repeated FROM (SELECT text, host_key, ids, name FROM {db}.w{run}_near_doc_local WHERE name != '') AS d
ANY LEFT JOIN (SELECT text, repeated FROM {db}.w{run}_near_text_local) AS t USING text
