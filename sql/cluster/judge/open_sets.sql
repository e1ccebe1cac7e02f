-- Sends the ranks of the members of sets to the nodes of the sets, for a first round.
INSERT INTO {db}.w{run}_near_open
SELECT {round}, named, bucket, text, rank, 1, 0, 0, name_key FROM (SELECT named, bucket, text FROM {db}.w{run}_near_place_local WHERE named = {pass}) AS p
ANY LEFT JOIN (SELECT text, rank, name_key FROM {db}.w{run}_near_text_local) AS t USING text
