-- Sends the documents of near-duplicate texts to the node of their representative: relation 6 (near), 7 (copy).
INSERT INTO {db}.w{run}_key
SELECT if({pass} = 0, 6, 7), leader, 0, rank, layout, number FROM (SELECT text, rank, layout, number FROM {db}.w{run}_near_doc_local) AS d
ANY LEFT JOIN (SELECT text, leader FROM {db}.w{run}_near_leader_local WHERE pass = {pass}) AS l USING text
