-- The documents that stores have pushed and that live on this node: one row a document. A later version replaces an earlier one; `gone` marks a document
-- that its store has no more. uid is shard and doc, big endian; rank begins with the document's place in the total order and ends with uid (judge/order_key.h).
-- near to name_keys: src/cluster/near_columns.h. digest to origin_at: what judging puts into the rank, src/cluster/document_row.c.
CREATE TABLE IF NOT EXISTS {db}.document_local (
    shard UInt16, doc Int64, version UInt64, gone UInt8, hash UInt64, uid String, own UInt8, link UInt8,
    url_key UInt64, link_key UInt64, domain_key UInt64, host_key UInt64, layout_key UInt64, rank String,
    relations Array(UInt8), keys Array(UInt64), checks Array(UInt64),
    near UInt8, text UInt64, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), number UInt64,
    id_at UInt8, name String, repeated String, name_keys Array(UInt64), name_key UInt64, host String,
    digest UInt64, site UInt64, form UInt8, origin_at UInt8
) ENGINE = ReplacingMergeTree(version) ORDER BY (shard, doc)
