-- Takes the documents with their ranks: puts the form of the URL, and the origin, into the places that they have in a rank (judge/order_key.h).
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
