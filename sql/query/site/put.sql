-- Stores one count. in: ?1 generation, ?2 site, ?3 documents.
INSERT OR REPLACE INTO twindex_site(generation, site, documents) VALUES (?1, ?2, ?3)
