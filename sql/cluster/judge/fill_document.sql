-- Takes the documents of this node as they are now.
INSERT INTO {db}.w{run}_pushed_local SELECT shard, doc, hash, uid, own, link, url_key, link_key, domain_key, host_key, layout_key, rank, relations,
    keys, checks, near, text, scope, first, sketch_at, payload, candidates, number, id_at, name, repeated, name_keys, name_key, host,
    digest, site, form, origin_at
FROM {db}.document_local FINAL WHERE gone = 0
