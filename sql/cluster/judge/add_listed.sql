-- And those that near-duplicates list in the set: for copies they count whether there is room or not, if they are representatives of copies.
INSERT INTO {db}.w{run}_near_first_local
SELECT {round}, bucket, text, rank, '', 1, name_key FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 0 AND listable = 0
