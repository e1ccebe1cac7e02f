-- Indexes the words of a new slot. in: ?1 slot, ?2 title, ?3 text
INSERT INTO twindex_text(rowid, title, text) VALUES (?1, ?2, ?3)
