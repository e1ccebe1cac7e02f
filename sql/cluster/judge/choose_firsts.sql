-- Of each set that is not full: its best undecided texts, no more than the list has room for.
INSERT INTO {db}.w{run}_near_first_local
SELECT {round}, bucket, y, r, bound1, 0, k FROM (
    SELECT bucket, arraySlice(ts, 1, take) AS ys, arraySlice(rs, 1, take) AS yr, arraySlice(ks, 1, take) AS yk, if(length(rs) > take, rs[take + 1], '') AS bound1 FROM (
        SELECT bucket, countIf(state = 1 AND listable = 1) AS listed, toUInt64(least({batch}, {cap} - toInt64(listed))) AS take,
            arraySort((t, r) -> r, groupArrayIf(text, state = 0 AND listable = 1), groupArrayIf(rank, state = 0 AND listable = 1)) AS ts,
            arraySort((k, r) -> r, groupArrayIf(name_key, state = 0 AND listable = 1), groupArrayIf(rank, state = 0 AND listable = 1)) AS ks,
            arraySort(groupArrayIf(rank, state = 0 AND listable = 1)) AS rs
        FROM {db}.w{run}_near_open_local WHERE round = {round} GROUP BY bucket HAVING listed < {cap} AND countIf(state = 0) > 0
    ) AS g
) AS f ARRAY JOIN ys AS y, yr AS r, yk AS k
