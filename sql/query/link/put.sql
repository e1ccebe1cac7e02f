-- Stores one link, once even if the page repeats it. in: ?1 doc, ?2 to_url.
INSERT OR IGNORE INTO twindex_link(doc, to_url) VALUES (?1, ?2)
