-- name: ask
-- Paths under their goal.
CREATE TABLE {db}.w{run}_ask_local (
    ask String, uid String, best String
) ENGINE = MergeTree ORDER BY tuple()

-- name: asked
-- What ranks depend on, by key: 0 and 1: the forms of the URLs of documents that take part, by the keys of these relations; 2: by the site; 3: domains, by
-- the digests of their texts; 4: numbers of texts, by the domain that has them alone; 5: documents, by their domains.
CREATE TABLE {db}.w{run}_asked_local (
    kind UInt8, key UInt64, check UInt64, uid String, value UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: both
-- Ties in both directions.
CREATE TABLE {db}.w{run}_both_local (
    u String, v String
) ENGINE = MergeTree ORDER BY tuple()

-- name: claim
-- Each document under its URL, as a possible target of links: '0' if it takes part by itself, else '1', and its rank.
CREATE TABLE {db}.w{run}_claim_local (
    url_key UInt64, claim String, domain_key UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: collapsed
-- Suspects on which no other document takes part: their links are ignored.
CREATE TABLE {db}.w{run}_collapsed_local (
    host_key UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: copied
-- What the judging program has found of documents that take part, if texts prove copies: numbers of their groups, 0: none; similarity and siblings as in near_flag.
CREATE TABLE {db}.w{run}_copied_local (
    uid String, near_group UInt64, copy_group UInt64, similarity Int32, siblings UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: distributed
-- The table over all nodes whose parts on the nodes a statement of this folder has made.
CREATE TABLE {db}.w{run}_{table} AS {db}.w{run}_{table}_local
ENGINE = Distributed({cluster}, {db}, w{run}_{table}_local, {key})

-- name: document
-- The documents that are judged, with their ranks.
CREATE TABLE {db}.w{run}_document_local (
    shard UInt16, doc Int64, hash UInt64, uid String, own UInt8, link UInt8, url_key UInt64, link_key UInt64, domain_key UInt64, host_key UInt64, layout_key UInt64, rank String, relations Array(UInt8), keys Array(UInt64), checks Array(UInt64),
    near UInt8, text UInt64, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), number UInt64,
    id_at UInt8, name String, repeated String, name_keys Array(UInt64), name_key UInt64, host String, form UInt8
) ENGINE = MergeTree ORDER BY tuple()

-- name: drop
-- Drops a table of this node.
DROP TABLE IF EXISTS {db}.{table}

-- name: edge
-- The links with their targets. state: as twx_link_state; claim: of the target, empty if it is missing.
CREATE TABLE {db}.w{run}_edge_local (
    uid String, host_key UInt64, state UInt8, claim String
) ENGINE = MergeTree ORDER BY tuple()

-- name: elsewhere
-- For each site the other ones that show its texts: how many, and how many documents have them.
CREATE TABLE {db}.w{run}_elsewhere_local (
    site String, main String, texts UInt64, documents UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: follow
-- Links under their target.
CREATE TABLE {db}.w{run}_follow_local (
    target String, uid String, rank String
) ENGINE = MergeTree ORDER BY tuple()

-- name: followed
-- The survivor that each link leads to.
CREATE TABLE {db}.w{run}_followed_local (
    uid String, survivor String
) ENGINE = MergeTree ORDER BY tuple()

-- name: host
-- The links that count so far, under the host of their page.
CREATE TABLE {db}.w{run}_host_local (
    host_key UInt64, claim String
) ENGINE = MergeTree ORDER BY tuple()

-- name: key
-- The keys of documents that take part.
CREATE TABLE {db}.w{run}_key_local (
    relation UInt8, key UInt64, check UInt64, rank String, layout UInt64, number UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: link
-- The links, under the URL of their target.
CREATE TABLE {db}.w{run}_link_local (
    uid String, link_key UInt64, domain_key UInt64, host_key UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: listed
-- The documents in two orders, by which the judging program reads them if texts prove copies. kind 0: of ids, with facts and signatures as their store has them; 1: of ranks, with
-- whether they take part. The place ends with the uid.
CREATE TABLE {db}.w{run}_listed_local (
    kind UInt8, place String, taking UInt8, stored String
) ENGINE = MergeTree ORDER BY (kind, place)

-- name: loop
-- Documents whose links form loops.
CREATE TABLE {db}.w{run}_loop_local (
    uid String
) ENGINE = MergeTree ORDER BY tuple()

-- name: member
-- The members of groups. layout: another member has the same markup.
CREATE TABLE {db}.w{run}_member_local (
    uid String, relation UInt8, rep String, n UInt64, layout UInt8, number UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: mixed
-- Suspects on which other documents take part, too.
CREATE TABLE {db}.w{run}_mixed_local (
    host_key UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_ask
-- Pairs that are compared in a round, the better one first. rep: as in near_first; rank: of one that is listed (3). named: they have one name.
CREATE TABLE {db}.w{run}_near_ask_local (
    pass UInt8, round UInt32, a UInt64, b UInt64, rank String, rep UInt8, named UInt8
) ENGINE = MergeTree ORDER BY (pass, round)

-- name: near_band
-- Keys of candidates. named: made of names.
CREATE TABLE {db}.w{run}_near_band_local (
    named UInt8, key UInt64, text UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_best
-- The representatives that each text matches. place: smaller for the better match.
CREATE TABLE {db}.w{run}_near_best_local (
    pass UInt8, text UInt64, leader UInt64, place String, similarity Int32
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_blocked
-- Texts that cannot be decided in a round, because a better one may be.
CREATE TABLE {db}.w{run}_near_blocked_local (
    round UInt32, text UInt64
) ENGINE = MergeTree ORDER BY round

-- name: near_counted
-- The number of siblings of each document.
CREATE TABLE {db}.w{run}_near_counted_local (
    uid String, siblings UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_decided
-- Decisions about texts, under the text.
CREATE TABLE {db}.w{run}_near_decided_local (
    pass UInt8, round UInt32, text UInt64, state UInt8
) ENGINE = MergeTree ORDER BY (pass, round)

-- name: near_doc
-- The documents that take part and have a text that can have near-duplicates, under that text. ids: has the order of ids; page: the key of parameters, 0: none.
CREATE TABLE {db}.w{run}_near_doc_local (
    text UInt64, rank String, layout UInt64, number UInt64, ids String, host_key UInt64, name String, name_key UInt64, page UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_fetch
-- Pairs that have not been compared before.
CREATE TABLE {db}.w{run}_near_fetch_local (
    round UInt32, a UInt64, b UInt64
) ENGINE = MergeTree ORDER BY round

-- name: near_first
-- The texts of each set that others are compared with in a round: its best ones that are undecided or wait for a place, and fresh representatives.
-- rep: 2: it is a representative; plus 1: it is in the list, or is sure of a place in it if it becomes a representative. bound: rank of the best other
-- text, empty if there is none.
CREATE TABLE {db}.w{run}_near_first_local (
    round UInt32, bucket UInt64, text UInt64, rank String, bound String, rep UInt8, name_key UInt64
) ENGINE = MergeTree ORDER BY round

-- name: near_flag
-- What documents have in the flags besides groups: the similarity of the text to its representative, in millionths, and the number of siblings.
CREATE TABLE {db}.w{run}_near_flag_local (
    uid String, similarity Int32, siblings UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_half
-- Pairs that have not been compared before, with what is known of the first text.
CREATE TABLE {db}.w{run}_near_half_local (
    round UInt32, a UInt64, b UInt64, payload String, name String, repeated String, name_key UInt64
) ENGINE = MergeTree ORDER BY round

-- name: near_leader
-- The representative of each text.
CREATE TABLE {db}.w{run}_near_leader_local (
    pass UInt8, text UInt64, leader UInt64, similarity Int32
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_name
-- The names of the documents of each host, from which common words are learned. ids: has the order of ids.
CREATE TABLE {db}.w{run}_near_name_local (
    host_key UInt64, ids String, name String, repeated String
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_open
-- The texts of each set in a round. state: 0 undecided, 1 listed representative, 3 representative that waits for a place in the list; fresh: listed in the last round; listable: it can be in the list of representatives.
CREATE TABLE {db}.w{run}_near_open_local (
    round UInt32, named UInt8, bucket UInt64, text UInt64, rank String, listable UInt8, state UInt8, fresh UInt8, name_key UInt64
) ENGINE = MergeTree ORDER BY round

-- name: near_pair
-- Pairs that have been compared. similarity: -1 for pairs that do not match; contains: of copies.
CREATE TABLE {db}.w{run}_near_pair_local (
    pass UInt8, a UInt64, b UInt64, similarity Int32, contains UInt8
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_part
-- The texts of each node's documents.
CREATE TABLE {db}.w{run}_near_part_local (
    text UInt64, near UInt8, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), repeated String, name_keys Array(UInt64)
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_place
-- The sets that each text is in.
CREATE TABLE {db}.w{run}_near_place_local (
    named UInt8, bucket UInt64, text UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_run
-- Sets of texts that share a key, each once.
CREATE TABLE {db}.w{run}_near_run_local (
    named UInt8, members Array(UInt64)
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_said
-- What the judging program has found of texts that match a better one: 0 still open, 1 representative, 2 not.
CREATE TABLE {db}.w{run}_near_said_local (
    round UInt32, text UInt64, state UInt8
) ENGINE = MergeTree ORDER BY round

-- name: near_sibling
-- The groups of copies under the representative of near-duplicates.
CREATE TABLE {db}.w{run}_near_sibling_local (
    rep String, uid String, copy String
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_similar
-- The similarities of documents' texts.
CREATE TABLE {db}.w{run}_near_similar_local (
    uid String, similarity Int32
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_text
-- The texts of documents that take part. rank, name, host_key, name_key: of its best document; names: the different names of its documents in order of
-- their ids, nine at most, with the host of each.
CREATE TABLE {db}.w{run}_near_text_local (
    text UInt64, rank String, near UInt8, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), repeated String,
    name_keys Array(UInt64), name String, host_key UInt64, name_key UInt64, names Array(String), hosts Array(UInt64)
) ENGINE = MergeTree ORDER BY tuple()

-- name: near_told
-- The same under the sets of each text.
CREATE TABLE {db}.w{run}_near_told_local (
    pass UInt8, round UInt32, bucket UInt64, text UInt64, state UInt8
) ENGINE = MergeTree ORDER BY (pass, round)

-- name: path
-- For each link that counts, the document that 1, 2, 4, ... links lead to, and the rank of the last document on the way that takes part by itself, without the first; done: the goal has no link. Two tables take turns.
CREATE TABLE {db}.w{run}_{table}_local (
    uid String, goal String, best String, done UInt8
) ENGINE = MergeTree ORDER BY tuple()

-- name: pushed
-- What the stores had pushed when the run began. Their ranks have the order of documents with one URL.
CREATE TABLE {db}.w{run}_pushed_local (
    shard UInt16, doc Int64, hash UInt64, uid String, own UInt8, link UInt8, url_key UInt64, link_key UInt64, domain_key UInt64, host_key UInt64, layout_key UInt64, rank String, relations Array(UInt8), keys Array(UInt64), checks Array(UInt64),
    near UInt8, text UInt64, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), number UInt64,
    id_at UInt8, name String, repeated String, name_keys Array(UInt64), name_key UInt64, host String,
    digest UInt64, site UInt64, form UInt8, origin_at UInt8, stored String
) ENGINE = MergeTree ORDER BY tuple()

-- name: reference
-- Documents that rows of flags refer to, and the shards of these rows.
CREATE TABLE {db}.w{run}_reference_local (
    uid String, shard UInt16
) ENGINE = MergeTree ORDER BY tuple()

-- name: remote
-- For each shard the documents that its rows of flags refer to, in this and in other shards, with their ranks and the forms of their URLs.
CREATE TABLE {db}.w{run}_remote_local (
    shard UInt16, uid String, rank String, form UInt8
) ENGINE = MergeTree ORDER BY (shard, uid)

-- name: result
-- The result: for each document whether it takes part, the outcome of its link, the document it duplicates, and its groups. Documents are uids, empty for
-- none; eligibility and link_state are those of the flags. flags: the row as the stores pull it, in the columns that cluster/flag_text.c lists;
-- relations 2, 7, 6 and 3 (exact, copy, near, fuzzy) say what kind of duplicate it is. near: not 0 if the document has a text that can have near-duplicates, or
-- (5) copies only; number: of its
-- group if it represents itself, as near_sig and copy_sig have it; numbers: of the groups' representatives; similarity: of the text to its
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
        if(near IN (0, 5) OR eligibility != 0, '', toString(toInt64(if(has(relations, 6), numbers[indexOf(relations, 6)], number)))), ',',
        if(has(relations, 6), toString(similarity), ''), ',',
        hex(representatives[indexOf(relations, 7)]), ',', toString(counts[indexOf(relations, 7)]), ',',
        if(near = 0 OR eligibility != 0, '', toString(toInt64(if(has(relations, 7), numbers[indexOf(relations, 7)], number)))), ',',
        if(eligibility != 0, '0', toString(siblings)), ',',
        hex(representatives[indexOf(relations, 9)]), ',', toString(counts[indexOf(relations, 9)]))
) ENGINE = MergeTree ORDER BY (shard, doc)

-- name: said
-- What is known then of documents: 1: the form of the URL, if a better one takes part; 2: the site prefers URLs without www.; 4: the origin of the domain.
CREATE TABLE {db}.w{run}_said_local (
    uid String, kind UInt8, value UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: shown
-- Hidden documents with the text of their survivor, under it.
CREATE TABLE {db}.w{run}_shown_local (
    survivor String, site String
) ENGINE = MergeTree ORDER BY tuple()

-- name: site
-- The documents of each site (a host without www.) by eligibility, and how many of them are hidden by others.
CREATE TABLE {db}.w{run}_site_local (
    site String, eligibility UInt8, documents UInt64, hidden UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: star
-- Documents under the survivor of their group in the verdict.
CREATE TABLE {db}.w{run}_star_local (
    b String, a String
) ENGINE = MergeTree ORDER BY tuple()

-- name: state
-- The outcome of each link, and its target as a rank.
CREATE TABLE {db}.w{run}_state_local (
    uid String, state UInt8, target String
) ENGINE = MergeTree ORDER BY tuple()

-- name: suspect
-- Hosts of which at least collapse_min pages link, all to one page, the goal.
CREATE TABLE {db}.w{run}_suspect_local (
    host_key UInt64, goal String
) ENGINE = MergeTree ORDER BY tuple()

-- name: tie
-- Documents that share a group of the verdict, as pairs of ranks, the larger one first. Two tables take turns.
CREATE TABLE {db}.w{run}_{table}_local (
    a String, b String
) ENGINE = MergeTree ORDER BY tuple()

-- name: verdict
-- The survivor of each document that is in a group of the verdict, and the number of its documents.
CREATE TABLE {db}.w{run}_verdict_local (
    uid String, survivor String, n UInt64
) ENGINE = MergeTree ORDER BY tuple()

-- name: wanted
-- The texts that judging needed and the servers had not, each with a document of a store that has it. It stays until the next run has ended.
CREATE TABLE {db}.w{run}_wanted_local (
    digest UInt64, shard UInt16, doc Int64
) ENGINE = MergeTree ORDER BY (shard, doc)
