-- The documents in whose group, in a range of keys, one with a better form takes part: with the preferred scheme, or the preferred www form.
INSERT INTO {db}.w{run}_said
SELECT uid, 1, any(value) FROM (
    SELECT uid, value, if(kind = 0, bitShiftRight(value, 1), bitAnd(value, 1)) AS part, best
    FROM (SELECT kind, key, check, uid, value FROM {db}.w{run}_asked_local WHERE kind IN (0, 1) AND key % {ranges} = {range}) AS a
    ALL INNER JOIN (SELECT kind, key, check, min(if(kind = 0, bitShiftRight(value, 1), bitAnd(value, 1))) AS best
    FROM {db}.w{run}_asked_local WHERE kind IN (0, 1) AND key % {ranges} = {range} GROUP BY kind, key, check) AS b USING kind, key, check
) AS j WHERE part > best GROUP BY uid
