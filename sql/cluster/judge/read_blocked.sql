-- The texts that are blocked in a round. out: text
SELECT text FROM {db}.w{run}_near_blocked_local WHERE round = {round} GROUP BY text FORMAT RowBinary
