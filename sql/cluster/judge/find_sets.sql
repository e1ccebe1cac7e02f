-- Finds the sets of two or more texts that share a key, in a range of keys.
INSERT INTO {db}.w{run}_near_run
SELECT named, members FROM (SELECT named, key, arraySort(groupUniqArray(text)) AS members
    FROM {db}.w{run}_near_band_local WHERE key % {ranges} = {range} GROUP BY named, key HAVING length(members) > 1) AS k GROUP BY named, members
