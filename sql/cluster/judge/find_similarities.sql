-- Sends the similarities to the nodes of the documents.
INSERT INTO {db}.w{run}_near_similar
SELECT substring(rank, length(rank) - 9, 10), similarity FROM (SELECT text, rank FROM {db}.w{run}_near_doc_local) AS d
ANY LEFT JOIN (SELECT text, similarity FROM {db}.w{run}_near_leader_local WHERE pass = 0) AS l USING text
