-- And the representatives that the last round has found.
INSERT INTO {db}.w{run}_near_first_local
SELECT {round}, bucket, text, rank, '', 3, name_key FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 1 AND fresh = 1
