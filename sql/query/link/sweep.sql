-- Drops links of documents that are gone without a trigger having run.
DELETE FROM twindex_link WHERE doc NOT IN (SELECT id FROM documents)
