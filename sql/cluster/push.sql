-- Adds documents of a store, from any node. in: rows of document_local
INSERT INTO {db}.document (
    shard, doc, version, gone, hash, uid, own, link, url_key, link_key, domain_key, host_key, layout_key, rank, relations, keys, checks,
    near, text, scope, first, sketch_at, payload, candidates, number, id_at, name, repeated, name_keys, name_key, host,
    digest, site, form, origin_at
) FORMAT RowBinary
