-- Copies the links of one document to another. in: ?1 the other doc, ?2 doc.
INSERT OR IGNORE INTO twindex_link(doc, to_url) SELECT ?2, to_url FROM twindex_link WHERE doc = ?1
