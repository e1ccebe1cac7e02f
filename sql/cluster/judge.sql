-- name: add_fresh
-- Adds the representatives that the last round has found to the first texts of each set.
INSERT INTO {db}.w{run}_near_first_local
SELECT {round}, bucket, text, rank, '', 3, name_key FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 1 AND fresh = 1

-- name: add_halves
-- Sends the pairs to be compared from the nodes of their first texts, with the payloads of these, to the nodes of their second texts.
INSERT INTO {db}.w{run}_near_half
SELECT {round}, a, b, payload, '', '', 0 FROM (SELECT a, b FROM {db}.w{run}_near_fetch_local WHERE round = {round}) AS f
ANY LEFT JOIN (SELECT text AS a, payload
    FROM {db}.w{run}_near_text_local WHERE text IN (SELECT a FROM {db}.w{run}_near_fetch_local WHERE round = {round})) AS t USING a

-- name: add_leaders
-- Makes each text that matches no representative its own representative.
INSERT INTO {db}.w{run}_near_leader_local
SELECT {pass}, text, text, 1000000 FROM {db}.w{run}_near_text_local WHERE text NOT IN (SELECT text FROM {db}.w{run}_near_leader_local WHERE pass = {pass})

-- name: add_listed
-- Adds the texts that the list of near-duplicates has in the set: if they are representatives of copies, they count for copies whether there is room or not.
INSERT INTO {db}.w{run}_near_first_local
SELECT {round}, bucket, text, rank, '', 1, name_key FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 0 AND listable = 0

-- name: add_named_halves
-- Sends the pairs to be compared from the nodes of their first texts, with the payloads and names of these, to the nodes of their second texts.
INSERT INTO {db}.w{run}_near_half
SELECT {round}, a, b, payload, name, repeated, name_key FROM (SELECT a, b FROM {db}.w{run}_near_fetch_local WHERE round = {round}) AS f
ANY LEFT JOIN (SELECT text AS a, payload, name, repeated, name_key
    FROM {db}.w{run}_near_text_local WHERE text IN (SELECT a FROM {db}.w{run}_near_fetch_local WHERE round = {round})) AS t USING a

-- name: ask_domains
-- Sends the documents to the nodes of their domains.
INSERT INTO {db}.w{run}_asked SELECT 5, domain_key, 0, uid, 0 FROM {db}.w{run}_pushed_local WHERE origin_at != 0

-- name: ask_forms
-- Sends the forms of the URLs of documents that take part to the nodes of their keys. Relations 0 and 1: scheme, www
INSERT INTO {db}.w{run}_asked
SELECT relation, key, check, uid, own_form FROM (
    SELECT uid, relations, keys, checks, bitXor(form, bare) AS own_form, state FROM (
        SELECT uid, relations, keys, checks, form, state
        FROM (SELECT uid, relations, keys, checks, form FROM {db}.w{run}_pushed_local WHERE own = 0) AS d
        ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
    ) AS ds
    ANY LEFT JOIN (SELECT uid, value AS bare FROM {db}.w{run}_said_local WHERE kind = 2) AS b USING uid
) AS j ARRAY JOIN relations AS relation, keys AS key, checks AS check WHERE state != 1 AND relation IN (0, 1)

-- name: ask_last
-- Sends each pair of a listed representative and a lower-ranked text that is not a representative to the node of the pair. {base}: the first round.
INSERT INTO {db}.w{run}_near_ask
SELECT {pass}, {round}, y, text, any(r), 3, max(k != 0 AND k = name_key) FROM (SELECT bucket, text AS y, rank AS r, name_key AS k
    FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 1) AS f
ALL INNER JOIN (SELECT bucket, text, rank, name_key FROM {db}.w{run}_near_open_local WHERE round = {base}
    AND (bucket, text) IN (SELECT bucket, text FROM {db}.w{run}_near_told_local WHERE pass = {pass} AND state = 2)) AS o USING bucket
WHERE rank > r GROUP BY y, text

-- name: ask_pairs
-- Sends each pair of a first text and an undecided text of lower rank to the node of the pair.
INSERT INTO {db}.w{run}_near_ask
SELECT {pass}, {round}, y, text, anyIf(r, is_rep = 3), max(is_rep), max(k != 0 AND k = name_key) FROM (SELECT bucket, text AS y, rank AS r, name_key AS k, bound, rep AS is_rep
    FROM {db}.w{run}_near_first_local WHERE round = {round}) AS f
ALL INNER JOIN (SELECT bucket, text, rank, name_key FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 0) AS o USING bucket
WHERE rank > r AND (bound = '' OR rank < bound) GROUP BY y, text

-- name: ask_paths
-- Sends each path that has not ended to the node of its goal.
INSERT INTO {db}.w{run}_ask SELECT goal, uid, best FROM {db}.w{run}_path_{old}_local WHERE done = 0

-- name: ask_siblings
-- Sends the copies of each document, itself if it has none, to the node of its representative of near-duplicates.
INSERT INTO {db}.w{run}_near_sibling
SELECT near_rep, uid, if(copy_rep = '', uid, copy_rep) FROM (
    SELECT uid, substring(rep, length(rep) - 9, 10) AS near_rep FROM {db}.w{run}_member_local WHERE relation = 6
) AS n
ANY LEFT JOIN (SELECT uid, substring(rep, length(rep) - 9, 10) AS copy_rep FROM {db}.w{run}_member_local WHERE relation = 7) AS c USING uid

-- name: ask_sites
-- Sends the forms of documents that take part to the nodes of their sites, if these prefer the form that most of them have.
INSERT INTO {db}.w{run}_asked
SELECT 2, site, 0, uid, bitAnd(form, 1) FROM (
    SELECT uid, site, form, state FROM (SELECT uid, site, form FROM {db}.w{run}_pushed_local WHERE own = 0 AND site != 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j WHERE state != 1

-- name: ask_survivors
-- Sends each link that counts to the node of its target.
INSERT INTO {db}.w{run}_follow
SELECT substring(target, length(target) - 9, 10), uid, target FROM {db}.w{run}_state_local WHERE state = 1

-- name: ask_texts
-- Sends the domains of documents that take part to the nodes of their texts.
INSERT INTO {db}.w{run}_asked
SELECT 3, digest, 0, '', domain_key FROM (
    SELECT uid, digest, domain_key, state FROM (SELECT uid, digest, domain_key FROM {db}.w{run}_pushed_local WHERE own = 0 AND digest != 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j WHERE state != 1 GROUP BY digest, domain_key

-- name: begin_paths
-- Begins the paths: each link that counts, without loops that have been found.
INSERT INTO {db}.w{run}_path_a_local
SELECT uid, substring(claim, length(claim) - 9, 10), if(substring(claim, 1, 1) = '0', substring(claim, 2), ''), 0 FROM {db}.w{run}_edge_local
WHERE state = 1 AND uid NOT IN (SELECT uid FROM {db}.w{run}_loop_local)
AND host_key NOT IN (SELECT host_key FROM {db}.w{run}_collapsed)

-- name: begin_ties
-- Ties each document to the representatives of its groups in the relations of the verdict.
INSERT INTO {db}.w{run}_tie_a
SELECT rank, rep FROM (SELECT uid, rank FROM {db}.w{run}_document_local) AS d
ALL INNER JOIN (SELECT uid, rep
    FROM {db}.w{run}_member_local WHERE bitAnd(bitShiftRight({relations}, relation), 1) = 1 GROUP BY uid, rep) AS m USING uid
WHERE rank != rep

-- name: block_texts
-- Sends the undecided texts that rank below the first texts of their set, and so are left out of the round, to their nodes.
INSERT INTO {db}.w{run}_near_blocked
SELECT {round}, text FROM (SELECT bucket, text, rank FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 0) AS o
ALL INNER JOIN (SELECT bucket, any(bound) AS bound1 FROM {db}.w{run}_near_first_local WHERE round = {round} AND bound != '' GROUP BY bucket) AS f USING bucket
WHERE rank >= bound1 GROUP BY text

-- name: check_document
-- What this node judges of each store. out: as of contents; the copy has no versions
SELECT shard, count(), sum(hash), toUInt64(0) FROM {db}.w{run}_pushed_local GROUP BY shard FORMAT RowBinary

-- name: choose_firsts
-- Finds the best texts of each set that is not full: undecided ones, and representatives that wait for a place in the list. A text is sure of a place if there is also room for all better ones.
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

-- name: clear_hosts
-- Finds suspects on which a document takes part that neither links nor is the goal.
INSERT INTO {db}.w{run}_mixed
SELECT host_key FROM (
    SELECT host_key, uid, state FROM (SELECT host_key, uid FROM {db}.w{run}_pushed_local WHERE own = 0 AND host_key IN (SELECT host_key
    FROM {db}.w{run}_suspect)) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_edge_local) AS e USING uid
) AS j WHERE state != 1 AND (host_key, uid) NOT IN (SELECT host_key, goal FROM {db}.w{run}_suspect) GROUP BY host_key

-- name: close_round
-- The texts of the next round. Representatives are listed in the sets where they were sure of a place; in those that are not full they wait for one.
INSERT INTO {db}.w{run}_near_open_local
SELECT {round} + 1, named, bucket, text, rank, listable, multiIf(state = 1, 1, state = 0 AND said = 0, 0, place = 2, 1, 3),
    if(state != 1 AND place = 2 AND (state = 3 OR said = 1), 1, 0), name_key FROM (
    SELECT named, bucket, text, rank, listable, state, name_key, said FROM (
        SELECT named, bucket, text, rank, listable, state, name_key FROM {db}.w{run}_near_open_local WHERE round = {round}
    ) AS o
    ANY LEFT JOIN (SELECT bucket, text, state AS said FROM {db}.w{run}_near_told_local WHERE pass = {pass} AND round = {round}) AS t USING bucket, text
) AS ot
ANY LEFT JOIN (SELECT bucket, text, toUInt8(1 + rep % 2) AS place FROM {db}.w{run}_near_first_local WHERE round = {round}) AS f USING bucket, text
WHERE state = 1 OR (state = 0 AND said = 0) OR ((state = 3 OR said = 1) AND place > 0)
OR (state = 3 AND bucket IN (SELECT bucket FROM {db}.w{run}_near_first_local WHERE round = {round} AND bound != ''))

-- name: count_halves
-- Counts. out: pairs to compare
SELECT count() FROM {db}.w{run}_near_half_local WHERE round = {round} FORMAT TabSeparated

-- name: count_hosts
-- Sends the links that count to the node of their host.
INSERT INTO {db}.w{run}_host SELECT host_key, claim FROM {db}.w{run}_edge_local WHERE state = 1

-- name: count_kinds
-- The documents of a run by eligibility. out: eligibility, documents
SELECT eligibility, sum(documents) FROM {db}.w{base}_site_local GROUP BY eligibility FORMAT RowBinary

-- name: count_names
-- Counts. out: names
SELECT count() FROM {db}.w{run}_near_name_local FORMAT TabSeparated

-- name: count_open
-- Counts. out: texts that are undecided or wait for a place, once for each set
SELECT countIf(state != 1) FROM {db}.w{run}_near_open_local WHERE round = {round} FORMAT TabSeparated

-- name: count_result
-- Figures of the result. out: documents, those that take part, those that duplicate another one of those, those with a link that counts
SELECT count(), sum(eligibility = 0), sum(eligibility = 0 AND duplicate_of != ''), sum(link_state = 1) FROM {db}.w{run}_result_local FORMAT TabSeparated

-- name: count_siblings
-- Counts the groups of copies among near-duplicates, without the document's own.
INSERT INTO {db}.w{run}_near_counted
SELECT member, n - 1 FROM (SELECT groupArray(uid) AS members, uniqExact(copy) AS n FROM {db}.w{run}_near_sibling_local GROUP BY rep) AS s
ARRAY JOIN members AS member

-- name: count_sites
-- Counts the documents of each site.
INSERT INTO {db}.w{run}_site
SELECT if(substring(host, 1, 4) = 'www.', substring(host, 5), host) AS site, eligibility, count(), sum(eligibility = 0 AND duplicate_of != '')
FROM {db}.w{run}_result_local GROUP BY site, eligibility

-- name: count_texts
-- Sends the numbers of texts, in a range of them, that one domain alone has to the nodes of the domains.
INSERT INTO {db}.w{run}_asked
SELECT 4, domain, 0, '', count() FROM (
    SELECT key, any(value) AS domain FROM {db}.w{run}_asked_local WHERE kind = 3 AND key % {ranges} = {range} GROUP BY key HAVING uniqExact(value) = 1
) AS t GROUP BY domain

-- name: count_ties
-- Counts. out: ties, documents that have one, checksum of the ties
SELECT count(), uniqExact(a), sum(cityHash64(a, b)) FROM (SELECT a, b FROM {db}.w{run}_tie_a_local GROUP BY a, b) AS t FORMAT TabSeparated

-- name: cut_bands
-- Sends keys of candidates to their nodes: bands of the sketches, or the first keys under masks. key: expressions over scope, first and s, the sketch.
INSERT INTO {db}.w{run}_near_band
SELECT 0, band, text FROM (SELECT text, scope, first, substring(payload, sketch_at + 1, 128) AS s
FROM {db}.w{run}_near_text_local WHERE near >= {base} AND near <= {cap}) AS t ARRAY JOIN [{key}] AS band SETTINGS max_block_size = 8192

-- name: decide_alone
-- Other texts that are not blocked match no better one: they are representatives.
INSERT INTO {db}.w{run}_near_decided_local
SELECT {pass}, {round}, text, 1 FROM {db}.w{run}_near_place_local WHERE named <= {pass}
AND text NOT IN (SELECT text FROM {db}.w{run}_near_decided_local WHERE pass = {pass})
AND text NOT IN (SELECT text FROM {db}.w{run}_near_said_local WHERE round = {round})
AND text NOT IN (SELECT text FROM {db}.w{run}_near_blocked_local WHERE round = {round}) GROUP BY text

-- name: decide_links
-- Writes the outcome of each link.
INSERT INTO {db}.w{run}_state_local
SELECT uid, if(state != 1, state, if(looped = 1, 4, if(walked = 0, 6, if(best = '', 5, 1)))), if(state = 1 AND walked = 1 AND best != '', best,
    substring(claim, 2))
FROM (
    SELECT uid, state, claim, looped FROM {db}.w{run}_edge_local
    ANY LEFT JOIN (SELECT uid, 1 AS looped FROM {db}.w{run}_loop_local) AS l USING uid
) AS e
ANY LEFT JOIN (SELECT uid, best, 1 AS walked FROM {db}.w{run}_path_{old}_local) AS p USING uid

-- name: decide_said
-- Takes over the decisions of a round.
INSERT INTO {db}.w{run}_near_decided_local
SELECT {pass}, {round}, text, state FROM {db}.w{run}_near_said_local WHERE round = {round} AND state != 0 GROUP BY text, state

-- name: fill_copy_flags
-- Writes what the flags show of copies besides their groups.
INSERT INTO {db}.w{run}_near_flag_local SELECT uid, similarity, siblings FROM {db}.w{run}_copied_local

-- name: fill_document
-- Copies the pushed documents of this node, so that later pushes do not change the run.
INSERT INTO {db}.w{run}_pushed_local SELECT shard, doc, hash, uid, own, link, url_key, link_key, domain_key, host_key, layout_key, rank, relations,
    keys, checks, near, text, scope, first, sketch_at, payload, candidates, number, id_at, name, repeated, name_keys, name_key, host,
    digest, site, form, origin_at, stored
FROM {db}.document_local FINAL WHERE gone = 0

-- name: fill_near_flags
-- Joins the similarity of each document and the number of its siblings.
INSERT INTO {db}.w{run}_near_flag_local
SELECT uid, similarity, siblings FROM (SELECT uid, similarity FROM {db}.w{run}_near_similar_local) AS n
ANY LEFT JOIN (SELECT uid, siblings FROM {db}.w{run}_near_counted_local) AS c USING uid

-- name: fill_result
-- Joins all that was found of each document.
INSERT INTO {db}.w{run}_result_local
SELECT shard, doc, uid, taking, state, if(state IN (0, 2), '', substring(target, length(target) - 9, 10)),
    if(taking = 0, if(survivor = '' OR substring(survivor, length(survivor) - 9, 10) = uid, '', substring(survivor, length(survivor) - 9, 10)),
        if(state = 1 AND bitAnd({relations}, if(link = 1, 131072, 65536)) != 0, substring(end, length(end) - 9, 10), '')),
    n, rs, reps, ns, ls, near, number, numbers, similarity, siblings, host
FROM (
    SELECT shard, doc, uid, link, state, target, survivor, n, end, near, number, host, similarity, siblings, if(state = 1 AND own NOT IN (1, 2), if(link = 1, 3, if(own = 0, 6, own)), own) AS taking
    FROM (
        SELECT shard, doc, uid, own, link, near, number, host, similarity, siblings, state, target, survivor, n
        FROM (
            SELECT shard, doc, uid, own, link, near, number, host, similarity, siblings, state, target
            FROM (
                SELECT shard, doc, uid, own, link, near, number, host, similarity, siblings
                FROM (SELECT shard, doc, uid, own, link, near, number, host FROM {db}.w{run}_document_local) AS d
                ANY LEFT JOIN (SELECT uid, similarity, siblings FROM {db}.w{run}_near_flag_local) AS nf USING uid
            ) AS dn
            ANY LEFT JOIN (SELECT uid, state, target FROM {db}.w{run}_state_local) AS s USING uid
        ) AS ds
        ANY LEFT JOIN (SELECT uid, survivor, n FROM {db}.w{run}_verdict_local) AS c USING uid
    ) AS dsc
    ANY LEFT JOIN (SELECT uid, survivor AS end FROM {db}.w{run}_followed_local) AS f USING uid
) AS all
ANY LEFT JOIN (
    SELECT uid, groupArray(relation) AS rs, groupArray(substring(rep, length(rep) - 9, 10)) AS reps, groupArray(n) AS ns, groupArray(layout) AS ls,
        groupArray(number) AS numbers
    FROM {db}.w{run}_member_local GROUP BY uid
) AS m USING uid

-- name: find_best
-- Sends the pairs with representatives that match to the nodes of their second texts.
INSERT INTO {db}.w{run}_near_best
SELECT {pass}, b, a, concat(toString(9 - contains), toString(9000000 - similarity), of_a), similarity FROM (
    SELECT a, b, any(rank) AS of_a FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND rep = 3 GROUP BY a, b
) AS p
ALL INNER JOIN (SELECT a, b, similarity, contains FROM {db}.w{run}_near_pair_local WHERE pass = {pass} AND similarity >= 0) AS q USING a, b

-- name: find_claims
-- Sends each usable URL to the node that looks for targets with it.
INSERT INTO {db}.w{run}_claim SELECT url_key, concat(if(own = 0, '0', '1'), rank), domain_key FROM {db}.w{run}_pushed_local WHERE own != 1

-- name: find_copy_keys
-- Sends the documents of groups to the nodes of these: relation 6 (near), 7 (copy), 9 (parameters: copies whose URLs are one page).
INSERT INTO {db}.w{run}_key
SELECT relation, found, of, rank, layout_key, number FROM (
    SELECT near_group, copy_group, page, rank, layout_key, number FROM (SELECT uid, near_group, copy_group FROM {db}.w{run}_copied_local WHERE near_group != 0 OR copy_group != 0) AS c
    ANY LEFT JOIN (SELECT uid, rank, layout_key, number, keys[indexOf(relations, 9)] AS page FROM {db}.w{run}_document_local) AS d USING uid
) AS j ARRAY JOIN [toUInt8(6), toUInt8(7), toUInt8(9)] AS relation, [near_group, copy_group, if(copy_group = 0, 0, page)] AS found, [toUInt64(0), toUInt64(0), copy_group] AS of
WHERE found != 0

-- name: find_elsewhere
-- Finds those whose survivor is on another site, each survivor once for a site.
INSERT INTO {db}.w{run}_elsewhere
SELECT site, home, count(), sum(n) FROM (SELECT survivor AS uid, site, count() AS n FROM {db}.w{run}_shown_local GROUP BY survivor, site) AS s
ANY LEFT JOIN (SELECT uid, if(substring(host, 1, 4) = 'www.', substring(host, 5), host) AS home FROM {db}.w{run}_result_local) AS r USING uid
WHERE site != home GROUP BY site, home

-- name: find_groups
-- Finds the groups of two or more in a range of keys, and sends them to the nodes of their members. Relations 2, 3 and 7 (exact, fuzzy,
-- copy) show whether markup is shared.
INSERT INTO {db}.w{run}_member
SELECT substring(rank, length(rank) - 9, 10), relation, rep, n, same > 1, rep_number FROM (
    SELECT relation, key, check, layout, rank, rep, n, rep_number
    FROM (SELECT relation, key, check, layout, rank FROM {db}.w{run}_key_local WHERE key % {ranges} = {range}) AS k
    ALL INNER JOIN (SELECT relation, key, check, min(rank) AS rep, count() AS n, argMin(number, rank) AS rep_number
    FROM {db}.w{run}_key_local WHERE key % {ranges} = {range} GROUP BY relation, key, check HAVING n > 1) AS g USING relation, key, check
) AS m
ANY LEFT JOIN (SELECT relation, key, check, layout, count() AS same
    FROM {db}.w{run}_key_local
    WHERE key % {ranges} = {range} AND layout != 0 AND relation IN (2, 3, 7)
    GROUP BY relation, key, check, layout) AS l USING relation, key, check, layout

-- name: find_keys
-- Sends the keys of documents that take part to the node of their key. Relation 9 (parameters) with check 0 has to wait for the groups of copies.
INSERT INTO {db}.w{run}_key
SELECT relation, key, check, rank, layout_key, number FROM (
    SELECT rank, layout_key, number, relations, keys, checks, state FROM (SELECT uid, rank, layout_key, number, relations, keys, checks
    FROM {db}.w{run}_document_local WHERE own = 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j ARRAY JOIN relations AS relation, keys AS key, checks AS check WHERE state != 1 AND (relation != 9 OR check != 0)

-- name: find_leaders
-- Finds the best matching representative of each text.
INSERT INTO {db}.w{run}_near_leader_local
SELECT {pass}, text, argMin(leader, place), argMin(similarity, place) FROM {db}.w{run}_near_best_local WHERE pass = {pass} GROUP BY text

-- name: find_links
-- Sends each link to the node that has the claims of its target.
INSERT INTO {db}.w{run}_link SELECT uid, link_key, domain_key, host_key FROM {db}.w{run}_pushed_local WHERE link != 0

-- name: find_loops
-- When the number of these goals stays the same, all of them are in loops.
INSERT INTO {db}.w{run}_loop_local SELECT ask FROM {db}.w{run}_ask_local WHERE ask IN (SELECT uid FROM {db}.w{run}_path_{old}_local) GROUP BY ask

-- name: find_near_docs
-- Sends the documents that take part to the nodes of their texts.
INSERT INTO {db}.w{run}_near_doc
SELECT text, rank, layout_key, number, substring(rank, id_at), host_key, name, name_key, page FROM (
    SELECT text, rank, layout_key, number, id_at, host_key, name, name_key, page, state
    FROM (SELECT uid, text, rank, layout_key, number, id_at, host_key, name, name_key, keys[indexOf(relations, 9)] AS page FROM {db}.w{run}_document_local WHERE own = 0 AND near != 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j WHERE state != 1

-- name: find_near_keys
-- Sends the documents of near-duplicate texts to the node of their representative: relation 6 (near), 7 (copy), 9 (parameters: copies whose URLs are one page).
INSERT INTO {db}.w{run}_key
SELECT relation, found, of, rank, layout, number FROM (
    SELECT leader, page, rank, layout, number FROM (SELECT text, rank, layout, number, page FROM {db}.w{run}_near_doc_local) AS d
    ANY LEFT JOIN (SELECT text, leader FROM {db}.w{run}_near_leader_local WHERE pass = {pass}) AS l USING text
) AS j ARRAY JOIN [toUInt8(if({pass} = 0, 6, 7)), toUInt8(9)] AS relation, [leader, if({pass} = 0, 0, page)] AS found, [toUInt64(0), leader] AS of
WHERE relation != 9 OR found != 0

-- name: find_near_parts
-- Sends each text to its node.
INSERT INTO {db}.w{run}_near_part
SELECT text, any(near), any(scope), any(first), any(sketch_at), any(payload), any(candidates), any(repeated), groupUniqArrayArray(name_keys)
FROM {db}.w{run}_document_local WHERE near != 0 GROUP BY text

-- name: find_places
-- Sends the members of each set to their nodes.
INSERT INTO {db}.w{run}_near_place
SELECT named, bucket, text FROM (SELECT named, cityHash64(named, members) AS bucket, members FROM {db}.w{run}_near_run_local GROUP BY named, members) AS r
ARRAY JOIN members AS text

-- name: find_references
-- Sends the documents that rows of the result refer to, to their nodes.
INSERT INTO {db}.w{run}_reference
SELECT uid, shard FROM (SELECT shard, arrayConcat(representatives, [link_uid, duplicate_of]) AS uids FROM {db}.w{run}_result_local) AS r
ARRAY JOIN uids AS uid WHERE uid != '' GROUP BY uid, shard

-- name: find_remotes
-- Adds their ranks, which have the ids, and the forms of their URLs.
INSERT INTO {db}.w{run}_remote_local
SELECT shard, uid, rank, form FROM (SELECT uid, shard FROM {db}.w{run}_reference_local GROUP BY uid, shard) AS r
ANY LEFT JOIN (SELECT uid, rank, form FROM {db}.w{run}_document_local) AS d USING uid

-- name: find_sets
-- Finds the sets of two or more texts that share a key, in a range of keys.
INSERT INTO {db}.w{run}_near_run
SELECT named, members FROM (SELECT named, key, arraySort(groupUniqArray(text)) AS members
    FROM {db}.w{run}_near_band_local WHERE key % {ranges} = {range} GROUP BY named, key HAVING length(members) > 1) AS k GROUP BY named, members

-- name: find_shown
-- Sends hidden documents to the nodes of their survivors, where the verdict joins them by text: relations 2, 6 and 7 (exact, near, copy).
INSERT INTO {db}.w{run}_shown
SELECT duplicate_of, if(substring(host, 1, 4) = 'www.', substring(host, 5), host) FROM {db}.w{run}_result_local
WHERE eligibility = 0 AND duplicate_of != ''
AND arrayExists((r, d) -> r IN (2, 6, 7) AND bitAnd(bitShiftRight({relations}, r), 1) = 1 AND d = duplicate_of, relations, representatives)

-- name: find_similarities
-- Sends the similarities to the nodes of the documents.
INSERT INTO {db}.w{run}_near_similar
SELECT substring(rank, length(rank) - 9, 10), similarity FROM (SELECT text, rank FROM {db}.w{run}_near_doc_local) AS d
ANY LEFT JOIN (SELECT text, similarity FROM {db}.w{run}_near_leader_local WHERE pass = 0) AS l USING text

-- name: find_survivors
-- Finds the survivor of the target of each link; without one, the target itself.
INSERT INTO {db}.w{run}_followed
SELECT uid, if(survivor = '', rank, survivor) FROM (SELECT target, uid, rank FROM {db}.w{run}_follow_local) AS f
ANY LEFT JOIN (SELECT uid AS target, survivor FROM {db}.w{run}_verdict_local) AS c USING target

-- name: find_verdict
-- Counts the groups of the verdict and sends them to the nodes of their documents.
INSERT INTO {db}.w{run}_verdict
SELECT substring(x, length(x) - 9, 10), b, n FROM (SELECT b, arrayConcat(groupArray(a), [b]) AS xs, count() + 1 AS n
    FROM {db}.w{run}_star_local GROUP BY b) AS s ARRAY JOIN xs AS x

-- name: follow_paths
-- Doubles the length of each path; it has ended if its goal has no path of its own.
INSERT INTO {db}.w{run}_path_{new}
SELECT uid, if(found = 1, goal2, ask), if(found = 1 AND best2 != '', best2, best), if(found = 1, done2, 1)
FROM {db}.w{run}_ask_local
ANY LEFT JOIN (SELECT uid AS ask, goal AS goal2, best AS best2, done AS done2, 1 AS found FROM {db}.w{run}_path_{old}_local) AS p USING ask

-- name: forget_texts
-- Empties this node's texts: a later run asks for those that it needs.
TRUNCATE TABLE {db}.text_local

-- name: join_links
-- Finds the target of each link: of several documents with one URL, the best one that takes part, else the best one. Links to another domain do not count.
INSERT INTO {db}.w{run}_edge
SELECT uid, host_key, if(best = '', 2, if(home = domain_key, 1, 3)), best
FROM {db}.w{run}_link_local
ANY LEFT JOIN (SELECT url_key AS link_key, min(claim) AS best, argMin(domain_key, claim) AS home
    FROM {db}.w{run}_claim_local GROUP BY url_key) AS c USING link_key

-- name: keep_paths
-- Copies the paths that have ended.
INSERT INTO {db}.w{run}_path_{new}_local SELECT uid, goal, best, done FROM {db}.w{run}_path_{old}_local WHERE done = 1

-- name: keep_suspects
-- Keeps the suspects on which no other document takes part.
INSERT INTO {db}.w{run}_collapsed SELECT host_key FROM {db}.w{run}_suspect_local WHERE host_key NOT IN (SELECT host_key FROM {db}.w{run}_mixed_local)

-- name: large_stars
-- Ties the larger neighbours of each document to its smallest one (the large-star of Kiveris et al. 2014).
INSERT INTO {db}.w{run}_tie_b
SELECT v, m FROM (SELECT u, if(min(v) < u, min(v), u) AS m, groupUniqArray(v) AS vs
    FROM {db}.w{run}_both_local GROUP BY u) AS s ARRAY JOIN vs AS v WHERE v > u

-- name: largest_groups
-- The largest group of each relation. out: relation, documents
SELECT relation, max(n) FROM {db}.w{run}_result_local ARRAY JOIN relations AS relation, counts AS n GROUP BY relation FORMAT RowBinary

-- name: list_ids
-- Lists the documents of this node in the order of ids, with their facts and signatures.
INSERT INTO {db}.w{run}_listed_local SELECT 0, substring(rank, id_at), 0, stored FROM {db}.w{run}_pushed_local

-- name: list_ranks
-- Lists the documents of this node in the order of ranks, with whether they take part.
INSERT INTO {db}.w{run}_listed_local
SELECT 1, rank, if(own = 0 AND state != 1, 1, 0), '' FROM (SELECT uid, rank, own FROM {db}.w{run}_document_local) AS d
ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid

-- name: make_near_texts
-- Brings together what is known of the texts of documents that take part.
INSERT INTO {db}.w{run}_near_text_local
SELECT text, best, kind, scope1, first1, at1, payload1, candidates1, repeated1, keys1, name1, host1, key1, names1, hosts1 FROM (
    SELECT text, best, name1, host1, key1, names1, hosts1 FROM (
        SELECT text, min(rank) AS best, argMin(name, rank) AS name1, argMin(host_key, rank) AS host1, argMin(name_key, rank) AS key1
        FROM {db}.w{run}_near_doc_local GROUP BY text
    ) AS d
    ANY LEFT JOIN (
        SELECT text, arraySlice(arraySort((n, i) -> i, groupArray(name), groupArray(begin)), 1, 9) AS names1,
            arraySlice(arraySort((h, i) -> i, groupArray(host), groupArray(begin)), 1, 9) AS hosts1
        FROM (SELECT text, name, min(ids) AS begin, argMin(host_key, ids) AS host FROM {db}.w{run}_near_doc_local WHERE name != '' GROUP BY text, name) AS n
        GROUP BY text
    ) AS m USING text
) AS dm
ANY LEFT JOIN (
    SELECT text, any(near) AS kind, any(scope) AS scope1, any(first) AS first1, any(sketch_at) AS at1, any(payload) AS payload1,
        any(candidates) AS candidates1, any(repeated) AS repeated1, groupUniqArrayArray(name_keys) AS keys1
    FROM {db}.w{run}_near_part_local GROUP BY text
) AS p USING text

-- name: measure_texts
-- Measures the texts of this node. out: texts, bytes
SELECT count(), sum(bytes) FROM {db}.text_local FORMAT TabSeparated

-- name: new_copies
-- Sends the pairs that have not been compared, and may match, to the nodes of their first texts: texts that are not similar must have one name.
INSERT INTO {db}.w{run}_near_fetch
SELECT {round}, a, b FROM (SELECT a, b, max(named) AS same FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND round = {round} GROUP BY a, b) AS p
WHERE (a, b) NOT IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = {pass})
AND (same = 1 OR (a, b) NOT IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = 0 AND similarity < 0))

-- name: new_pairs
-- Sends the pairs that have not been compared to the nodes of their first texts.
INSERT INTO {db}.w{run}_near_fetch
SELECT {round}, a, b FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND round = {round}
AND (a, b) NOT IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = {pass}) GROUP BY a, b

-- name: open_again
-- For copies, the sets of near-duplicates once more: members that are listed as representatives there, at the end of round {base}, are not listed again.
INSERT INTO {db}.w{run}_near_open_local
SELECT {round}, 0, bucket, text, rank, if(listed = 1, 0, 1), 0, 0, name_key FROM (SELECT bucket, text, rank, name_key
    FROM {db}.w{run}_near_open_local WHERE round = 0) AS o
ANY LEFT JOIN (SELECT bucket, text, 1 AS listed FROM {db}.w{run}_near_open_local WHERE round = {base} AND state = 1) AS l USING bucket, text

-- name: open_paths
-- Counts. out: paths whose goal has a path, and the number of these goals
SELECT count(), uniqExact(ask) FROM {db}.w{run}_ask_local WHERE ask IN (SELECT uid FROM {db}.w{run}_path_{old}_local) FORMAT TabSeparated

-- name: open_sets
-- Sends the ranks of the members of sets to the nodes of the sets, for a first round.
INSERT INTO {db}.w{run}_near_open
SELECT {round}, named, bucket, text, rank, 1, 0, 0, name_key FROM (SELECT named, bucket, text FROM {db}.w{run}_near_place_local WHERE named = {pass}) AS p
ANY LEFT JOIN (SELECT text, rank, name_key FROM {db}.w{run}_near_text_local) AS t USING text

-- name: place_documents
-- Takes the documents with their ranks: puts the form of the URL, and the origin, into the places that they have in a rank (judge/order.c).
INSERT INTO {db}.w{run}_document_local SELECT shard, doc, hash, uid, own, link, url_key, link_key, domain_key, host_key, layout_key,
    concat(reinterpretAsString(toUInt8(1 + better)), if(origin_at = 0, substring(rank, 2), concat(
        substring(rank, 2, toUInt8(if(origin_at < 2, 0, origin_at - 2))), reinterpretAsString(toUInt8(255 - origin)), substring(rank, origin_at + 1)))) AS place,
    relations, keys, checks, near, text, scope, first, sketch_at, payload, candidates, number, id_at, name, repeated, name_keys, name_key, host, form
FROM (
    SELECT shard, doc, hash, uid, own, link, url_key, link_key, domain_key, host_key, layout_key, rank, relations, keys, checks,
        near, text, scope, first, sketch_at, payload, candidates, number, id_at, name, repeated, name_keys, name_key, host, form, origin_at, better
    FROM (SELECT shard, doc, hash, uid, own, link, url_key, link_key, domain_key, host_key, layout_key, rank, relations, keys, checks,
        near, text, scope, first, sketch_at, payload, candidates, number, id_at, name, repeated, name_keys, name_key, host, form, origin_at
        FROM {db}.w{run}_pushed_local) AS d
    ANY LEFT JOIN (SELECT uid, value AS better FROM {db}.w{run}_said_local WHERE kind = 1) AS b USING uid
) AS db
ANY LEFT JOIN (SELECT uid, value AS origin FROM {db}.w{run}_said_local WHERE kind = 4) AS o USING uid

-- name: put_copied
-- Adds what was found of documents. in: rows of copied
INSERT INTO {db}.w{run}_copied (uid, near_group, copy_group, similarity, siblings) FORMAT RowBinary

-- name: put_pairs
-- Adds pairs that were compared. in: rows of near_pair
INSERT INTO {db}.w{run}_near_pair (pass, a, b, similarity, contains) FORMAT RowBinary

-- name: put_said
-- Adds decisions. in: rows of near_said
INSERT INTO {db}.w{run}_near_said (round, text, state) FORMAT RowBinary

-- name: put_wanted
-- Adds texts that are asked for. in: rows of wanted
INSERT INTO {db}.w{run}_wanted (digest, shard, doc) FORMAT RowBinary

-- name: read_blocked
-- The texts that are blocked in a round. out: text
SELECT text FROM {db}.w{run}_near_blocked_local WHERE round = {round} GROUP BY text FORMAT RowBinary

-- name: read_copies
-- Pairs to compare, in a part of the texts. out: a, b, payload, name and repeated words of a, whether both have one name, payload, name, repeated words
-- and host of b, all names of b and their hosts
SELECT a, b, payload, name, repeated, name_key != 0 AND name_key = key2, payload2, name2, repeated2, host2, names, hosts
FROM (SELECT a, b, payload, name, repeated, name_key FROM {db}.w{run}_near_half_local WHERE round = {round} AND b % {parts} = {range}) AS h
ANY LEFT JOIN (SELECT text AS b, payload AS payload2, name AS name2, repeated AS repeated2, host_key AS host2, name_key AS key2, names, hosts
    FROM {db}.w{run}_near_text_local WHERE text % {parts} = {range}
    AND text IN (SELECT b FROM {db}.w{run}_near_half_local WHERE round = {round})) AS t USING b ORDER BY b FORMAT RowBinary

-- name: read_listed
-- The next documents of this node in an order. out: place, whether it takes part, facts and signatures
SELECT place, taking, stored FROM {db}.w{run}_listed_local WHERE kind = {pass} AND place > {key} ORDER BY place LIMIT {batch} FORMAT RowBinary

-- name: read_losses
-- The sites of run {base} that have fewer documents now. out: site, documents then and now, kinds of eligibility and documents of each
SELECT site, was, n, kinds, counts FROM (SELECT site, sumIf(documents, eligibility = 0) AS was FROM {db}.w{base}_site_local GROUP BY site) AS b
ANY LEFT JOIN (SELECT site, sumIf(docs, eligibility = 0) AS n, groupArray(eligibility) AS kinds, groupArray(docs) AS counts
    FROM (SELECT site, eligibility, sum(documents) AS docs FROM {db}.w{run}_site_local GROUP BY site, eligibility) AS k GROUP BY site) AS a USING site
WHERE n < was ORDER BY site FORMAT RowBinary

-- name: read_matches
-- The pairs of a round that match. out: a, b, rep
SELECT a, b, max(rep) FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND round = {round}
AND (a, b) IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = {pass} AND similarity >= 0) GROUP BY a, b FORMAT RowBinary

-- name: read_names
-- The names of a part of the hosts in order of ids; hosts with fewer documents have no common words. out: host, name, repeated words
SELECT host_key, name, repeated FROM {db}.w{run}_near_name_local WHERE host_key % {parts} = {range} AND host_key IN (
    SELECT host_key FROM {db}.w{run}_near_name_local WHERE host_key % {parts} = {range} GROUP BY host_key HAVING count() >= 3)
ORDER BY host_key, ids FORMAT RowBinary

-- name: read_pairs
-- Pairs to compare, in a part of the texts. out: a, b, and their payloads
SELECT a, b, payload, payload2 FROM (SELECT a, b, payload FROM {db}.w{run}_near_half_local WHERE round = {round} AND b % {parts} = {range}) AS h
ANY LEFT JOIN (SELECT text AS b, payload AS payload2 FROM {db}.w{run}_near_text_local WHERE text % {parts} = {range}
    AND text IN (SELECT b FROM {db}.w{run}_near_half_local WHERE round = {round})) AS t USING b FORMAT RowBinary

-- name: read_refused
-- The texts that run {base} has asked for and this node does not have. out: the columns of wanted
SELECT digest, shard, doc FROM {db}.w{base}_wanted_local WHERE digest NOT IN (SELECT digest FROM {db}.text_local) FORMAT RowBinary

-- name: read_sites
-- The sites of which more than a share of the documents are hidden. out: site, documents, hidden, texts that other sites show, the site that shows most
SELECT site, n, lost, shown, home FROM (SELECT site, sumIf(documents, eligibility = 0) AS n, sum(hidden) AS lost
    FROM {db}.w{run}_site_local GROUP BY site HAVING n >= {base} AND lost * 1000000 > n * {cap}) AS s
ANY LEFT JOIN (SELECT site, sum(found) AS shown, argMax(main, docs) AS home FROM (SELECT site, main, sum(texts) AS found, sum(documents) AS docs
    FROM {db}.w{run}_elsewhere_local GROUP BY site, main) AS m GROUP BY site) AS e USING site ORDER BY site FORMAT RowBinary

-- name: read_texts
-- The texts whose digests are in a range. out: digest, text
SELECT digest, body FROM {db}.text_local WHERE digest >= toUInt64({base}) AND digest <= toUInt64({cap}) FORMAT RowBinary

-- name: say_forms
-- The documents in whose group, in a range of keys, one with a better form takes part: with the preferred scheme, or the preferred www form.
INSERT INTO {db}.w{run}_said
SELECT uid, 1, any(value) FROM (
    SELECT uid, value, if(kind = 0, bitShiftRight(value, 1), bitAnd(value, 1)) AS part, best
    FROM (SELECT kind, key, check, uid, value FROM {db}.w{run}_asked_local WHERE kind IN (0, 1) AND key % {ranges} = {range}) AS a
    ALL INNER JOIN (SELECT kind, key, check, min(if(kind = 0, bitShiftRight(value, 1), bitAnd(value, 1))) AS best
    FROM {db}.w{run}_asked_local WHERE kind IN (0, 1) AND key % {ranges} = {range} GROUP BY kind, key, check) AS b USING kind, key, check
) AS j WHERE part > best GROUP BY uid

-- name: say_origins
-- The origins of the domains that have texts of their own (judge/document_set.c).
INSERT INTO {db}.w{run}_said
SELECT uid, 4, toUInt64(1 + floor(log2(texts))) FROM (SELECT key, uid FROM {db}.w{run}_asked_local WHERE kind = 5) AS d
ALL INNER JOIN (SELECT key, sum(value) AS texts FROM {db}.w{run}_asked_local WHERE kind = 4 GROUP BY key) AS t USING key

-- name: say_sites
-- The documents of sites of which more documents are without www. than with it.
INSERT INTO {db}.w{run}_said
SELECT uid, 2, 1 FROM {db}.w{run}_asked_local WHERE kind = 2 AND key IN (
    SELECT key FROM {db}.w{run}_asked_local WHERE kind = 2 GROUP BY key HAVING countIf(value = 1) > countIf(value = 0))

-- name: send_names
-- Sends the names of documents to the nodes of their hosts.
INSERT INTO {db}.w{run}_near_name
SELECT host_key, ids, name, repeated FROM (SELECT text, host_key, ids, name FROM {db}.w{run}_near_doc_local WHERE name != '') AS d
ANY LEFT JOIN (SELECT text, repeated FROM {db}.w{run}_near_text_local) AS t USING text

-- name: small_stars
-- Ties the smaller neighbours of each document, and itself, to the smallest one (small-star).
INSERT INTO {db}.w{run}_tie_a
SELECT x, m FROM (SELECT min(b) AS m, arrayConcat(groupUniqArray(b), [a]) AS xs
    FROM {db}.w{run}_tie_b_local GROUP BY a) AS s ARRAY JOIN xs AS x WHERE x != m

-- name: suspect_hosts
-- Finds the hosts whose pages all link to one page.
INSERT INTO {db}.w{run}_suspect SELECT host_key, substring(any(claim), length(any(claim)) - 9, 10)
    FROM {db}.w{run}_host_local GROUP BY host_key HAVING count() >= {collapse_min} AND uniqExact(claim) = 1

-- name: take_keys
-- Sends keys of candidates that were pushed to their nodes.
INSERT INTO {db}.w{run}_near_band SELECT 0, band, text FROM {db}.w{run}_near_text_local ARRAY JOIN candidates AS band WHERE near = 1

-- name: take_name_keys
-- Sends keys of names to their nodes.
INSERT INTO {db}.w{run}_near_band SELECT 1, band, text FROM {db}.w{run}_near_text_local ARRAY JOIN name_keys AS band

-- name: tell_sets
-- Sends the decisions of a round to the nodes of the sets.
INSERT INTO {db}.w{run}_near_told
SELECT {pass}, {round}, bucket, text, state FROM (SELECT bucket, text FROM {db}.w{run}_near_place_local WHERE named <= {pass}) AS p
ALL INNER JOIN (SELECT text, state FROM {db}.w{run}_near_decided_local WHERE pass = {pass} AND round = {round}) AS d USING text

-- name: turn_stars
-- Sends each document to the node of its survivor.
INSERT INTO {db}.w{run}_star SELECT b, a FROM {db}.w{run}_tie_a_local GROUP BY a, b

-- name: turn_ties
-- Sends each tie to the nodes of both ends.
INSERT INTO {db}.w{run}_both SELECT if(way = 0, a, b), if(way = 0, b, a) FROM (SELECT a, b
    FROM {db}.w{run}_tie_a_local GROUP BY a, b) AS t ARRAY JOIN [0, 1] AS way
