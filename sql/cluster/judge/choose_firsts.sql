-- Of each set that is not full: its best texts that are undecided or wait for a place in the list. A text is sure of a place if there is room for all better ones, too.
INSERT INTO {db}.w{run}_near_first_local
SELECT {round}, bucket, y, r, bound1, toUInt8(if(w = 3, 2, 0) + if(place <= room, 1, 0)), k FROM (
    SELECT bucket, arraySlice(ts, 1, {batch}) AS ys, arraySlice(rs, 1, {batch}) AS yr, arraySlice(ks, 1, {batch}) AS yk, arraySlice(ss, 1, {batch}) AS yw,
        arrayEnumerate(ys) AS places, {cap} - toInt64(listed) AS room, if(length(rs) > {batch}, rs[{batch} + 1], '') AS bound1 FROM (
        SELECT bucket, countIf(state = 1 AND listable = 1) AS listed,
            arraySort((t, r) -> r, groupArrayIf(text, state != 1 AND listable = 1), groupArrayIf(rank, state != 1 AND listable = 1)) AS ts,
            arraySort((k, r) -> r, groupArrayIf(name_key, state != 1 AND listable = 1), groupArrayIf(rank, state != 1 AND listable = 1)) AS ks,
            arraySort((s, r) -> r, groupArrayIf(state, state != 1 AND listable = 1), groupArrayIf(rank, state != 1 AND listable = 1)) AS ss,
            arraySort(groupArrayIf(rank, state != 1 AND listable = 1)) AS rs
        FROM {db}.w{run}_near_open_local WHERE round = {round} GROUP BY bucket HAVING listed < {cap} AND countIf(state != 1) > 0
    ) AS g
) AS f ARRAY JOIN ys AS y, yr AS r, yk AS k, yw AS w, places AS place
