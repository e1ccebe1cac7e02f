-- The keys of all documents by their ids, without an affinity: for a source whose id has no index.
DROP TABLE IF EXISTS temp.twindex_source_ids;
CREATE TEMP TABLE twindex_source_ids(id, scan_key);
INSERT INTO temp.twindex_source_ids SELECT id, scan_key FROM source_document WHERE scan_key IS NOT NULL;
CREATE INDEX temp.twindex_source_ids_key ON twindex_source_ids(id, scan_key);
