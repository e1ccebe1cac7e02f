-- The result: for each document whether it takes part, the outcome of its link, the document it duplicates, and its groups. Documents are uids, empty for
-- none; eligibility and link_state are those of the flags. flags: the row as the stores pull it, in the columns that cluster/flag_text.c lists;
-- relations 2, 7, 6 and 3 (exact, copy, near, fuzzy) say what kind of duplicate it is. near: not 0 if the document has a text that can have near-duplicates; number: of its
-- cluster if it represents itself, as near_sig and copy_sig have it; numbers: of the groups' representatives; similarity: of the text to its
-- representative of near-duplicates, in millionths; siblings: as sibling_count.
CREATE TABLE {db}.w{run}_result_local (
    shard UInt16, doc Int64, uid String, eligibility UInt8, link_state UInt8, link_uid String, duplicate_of String, cluster_count UInt64,
    relations Array(UInt8), representatives Array(String), counts Array(UInt64), layouts Array(UInt8),
    near UInt8, number UInt64, numbers Array(UInt64), similarity Int32, siblings UInt64, host String,
    flags String ALIAS concat(toString(doc), ',', toString(eligibility), ',', toString(link_state), ',', hex(link_uid), ',', hex(duplicate_of), ',',
        toString(cluster_count), ',',
        if(has(relations, 2), if(layouts[indexOf(relations, 2)] = 1, '1', '2'), if(has(relations, 7), if(layouts[indexOf(relations, 7)] = 1, '3', '4'),
            if(has(relations, 6), '5', if(has(relations, 3), if(layouts[indexOf(relations, 3)] = 1, '3', '4'), '0')))), ',',
        hex(representatives[indexOf(relations, 0)]), ',', toString(counts[indexOf(relations, 0)]), ',',
        hex(representatives[indexOf(relations, 1)]), ',', toString(counts[indexOf(relations, 1)]), ',',
        hex(representatives[indexOf(relations, 2)]), ',', toString(counts[indexOf(relations, 2)]), ',',
        hex(representatives[indexOf(relations, 3)]), ',', toString(counts[indexOf(relations, 3)]), ',',
        hex(representatives[indexOf(relations, 4)]), ',', toString(counts[indexOf(relations, 4)]), ',',
        hex(representatives[indexOf(relations, 5)]), ',', toString(counts[indexOf(relations, 5)]), ',',
        hex(representatives[indexOf(relations, 6)]), ',', toString(counts[indexOf(relations, 6)]), ',',
        if(near = 0 OR eligibility != 0, '', toString(toInt64(if(has(relations, 6), numbers[indexOf(relations, 6)], number)))), ',',
        if(has(relations, 6), toString(similarity), ''), ',',
        hex(representatives[indexOf(relations, 7)]), ',', toString(counts[indexOf(relations, 7)]), ',',
        if(near = 0 OR eligibility != 0, '', toString(toInt64(if(has(relations, 7), numbers[indexOf(relations, 7)], number)))), ',',
        if(eligibility != 0, '0', toString(siblings)))
) ENGINE = MergeTree ORDER BY (shard, doc)
