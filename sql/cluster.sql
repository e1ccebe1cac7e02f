-- name: contents
-- What this node has of each store. out: shard, documents, sum of their hashes, highest version
SELECT shard, sum(gone = 0), sum(if(gone = 0, hash, toUInt64(0))), max(version)
FROM {db}.document_local FINAL GROUP BY shard FORMAT RowBinary

-- name: count_mirrors
-- Counts. out: documents of a run on this node that take part
SELECT count() FROM {db}.w{run}_result_local WHERE eligibility = 0 FORMAT TabSeparated

-- name: database
-- Makes the database on one node.
CREATE DATABASE IF NOT EXISTS {db}

-- name: document
-- The documents of all nodes.
CREATE TABLE IF NOT EXISTS {db}.document AS {db}.document_local
ENGINE = Distributed({cluster}, {db}, document_local, cityHash64(uid))

-- name: document_local
-- The documents that stores have pushed and that live on this node: one row a document. A later version replaces an earlier one; `gone` marks a document
-- that its store has no more. uid is shard and doc, big endian; rank begins with the document's place in the total order and ends with uid (judge/order.c).
-- near to name_keys: src/wings/cluster/near_columns.c. digest to origin_at: what judging puts into the rank, src/wings/cluster/shard_store.c.
-- stored: facts and signatures as the store has them, if texts prove copies; then the columns from text to name_key but number are empty.
CREATE TABLE IF NOT EXISTS {db}.document_local (
    shard UInt16, doc Int64, version UInt64, gone UInt8, hash UInt64, uid String, own UInt8, link UInt8,
    url_key UInt64, link_key UInt64, domain_key UInt64, host_key UInt64, layout_key UInt64, rank String,
    relations Array(UInt8), keys Array(UInt64), checks Array(UInt64),
    near UInt8, text UInt64, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), number UInt64,
    id_at UInt8, name String, repeated String, name_keys Array(UInt64), name_key UInt64, host String,
    digest UInt64, site UInt64, form UInt8, origin_at UInt8, stored String
) ENGINE = ReplacingMergeTree(version) ORDER BY (shard, doc)

-- name: drop
-- Drops everything of Twindex on this node.
DROP DATABASE IF EXISTS {db}

-- name: layout
-- Which part of the cluster this node is. out: number of the part, parts of the cluster, replicas of this part
SELECT maxIf(shard_num, is_local = 1), uniqExact(shard_num), countIf(is_local = 1)
FROM system.clusters WHERE cluster = '{cluster}' FORMAT TabSeparated

-- name: manifest
-- The manifests of all nodes.
CREATE TABLE IF NOT EXISTS {db}.manifest AS {db}.manifest_local
ENGINE = Distributed({cluster}, {db}, manifest_local, shard)

-- name: manifest_local
-- What a push has left: the number of a store's documents and the sum of their hashes, and the fingerprint of the settings they were
-- signed with; relations: of the verdict, as twx_judge_options has them; near: fingerprint of the settings of near-duplicates, 0 without them;
-- store: the number that tells the store from others (twindex_store_key).
CREATE TABLE IF NOT EXISTS {db}.manifest_local (
    shard UInt16, version UInt64, documents UInt64, hash UInt64, fingerprint UInt64, pushed_at UInt64, relations UInt32, collapse_min UInt32, near UInt64, store UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY shard

-- name: manifests
-- The manifests that this node has. out: the columns of manifest_local
SELECT shard, version, documents, hash, fingerprint, pushed_at, relations, collapse_min, near, store
FROM {db}.manifest_local FINAL FORMAT RowBinary

-- name: owed
-- How many texts that run {run} has asked for this node has not. out: shard, texts
SELECT shard, count() FROM {db}.w{run}_wanted_local WHERE digest NOT IN (SELECT digest FROM {db}.text_local) GROUP BY shard FORMAT RowBinary

-- name: push
-- Adds documents of a store, from any node. in: rows of document_local
INSERT INTO {db}.document (
    shard, doc, version, gone, hash, uid, own, link, url_key, link_key, domain_key, host_key, layout_key, rank, relations, keys, checks,
    number, near, text, scope, first, sketch_at, payload, candidates, id_at, name, repeated, name_keys, name_key, host,
    digest, site, form, origin_at, stored
) FORMAT RowBinary

-- name: pushed
-- The documents of a store that this node has. out: doc, hash
SELECT doc, hash FROM {db}.document_local FINAL WHERE shard = {shard} AND gone = 0 FORMAT RowBinary

-- name: put_manifest
-- Adds a manifest, from any node. in: a row of manifest_local
INSERT INTO {db}.manifest (shard, version, documents, hash, fingerprint, pushed_at, relations, collapse_min, near, store) FORMAT RowBinary

-- name: put_run
-- Adds a run, from any node. in: rows of run_local
INSERT INTO {db}.run (run, ended_at, shard, version, documents, hash, stopped, round, open) FORMAT RowBinary

-- name: put_texts
-- Adds texts, from any node. in: rows of text_local
INSERT INTO {db}.text (digest, bytes, body) FORMAT RowBinary

-- name: read_mirrors
-- Documents of a run that take part, in a part of the hosts. out: host, representatives in the relations 2 and 6 (exact, near), whether they are survivors, documents
SELECT host, e, n, s, count() FROM (
    SELECT host, representatives[indexOf(relations, 2)] AS e, representatives[indexOf(relations, 6)] AS n, duplicate_of = '' AS s
    FROM {db}.w{run}_result_local WHERE eligibility = 0 AND host != '' AND cityHash64(host) % {parts} = {range}
) AS d GROUP BY host, e, n, s FORMAT RowBinary

-- name: run
-- The runs of all nodes.
CREATE TABLE IF NOT EXISTS {db}.run AS {db}.run_local
ENGINE = Distributed({cluster}, {db}, run_local, run)

-- name: run_local
-- The runs over the cluster that have ended, with what each store had pushed: a row for each run and shard. stopped: by a guard, or because
-- pairs are open whose texts the servers had not: then round says how often in turn, and open how many pairs.
CREATE TABLE IF NOT EXISTS {db}.run_local (
    run UInt64, ended_at UInt64, shard UInt16, version UInt64, documents UInt64, hash UInt64, stopped UInt8, round UInt32, open UInt64
) ENGINE = MergeTree ORDER BY (run, shard)

-- name: runs
-- The runs that this node knows. out: the columns of run_local
SELECT run, ended_at, shard, version, documents, hash, stopped, round, open FROM {db}.run_local ORDER BY run, shard FORMAT RowBinary

-- name: tables
-- The tables of the database on this node. out: name
SELECT name FROM system.tables WHERE database = '{db}' ORDER BY name FORMAT TabSeparated

-- name: text
-- The texts of all nodes.
CREATE TABLE IF NOT EXISTS {db}.text AS {db}.text_local
ENGINE = Distributed({cluster}, {db}, text_local, digest)

-- name: text_local
-- The texts that judging has asked for and that live on this node (src/wings/cluster/judging_copies.c): bytes of the text whose digest begins with `digest`, as a store signed it.
CREATE TABLE IF NOT EXISTS {db}.text_local (
    digest UInt64, bytes UInt64, body String
) ENGINE = ReplacingMergeTree ORDER BY digest SETTINGS index_granularity = 64

-- name: wanted
-- The texts that run {run} has asked of a store and that this node has not. out: document, digest
SELECT doc, digest FROM {db}.w{run}_wanted_local WHERE shard = {shard} AND digest NOT IN (SELECT digest FROM {db}.text_local) ORDER BY doc FORMAT RowBinary
