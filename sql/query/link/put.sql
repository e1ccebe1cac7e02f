-- One link; a page often has the same one twice. in: ?1 doc, ?2 to_url.
INSERT OR IGNORE INTO twindex_link(doc, to_url) VALUES (?1, ?2)
