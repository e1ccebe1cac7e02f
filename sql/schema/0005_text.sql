-- The text index, made when somebody asks for it (twindex index). It holds words, not texts: a copy of all texts would double the
-- store, and an index that reads them from the crawler's table cannot forget a text that has changed meanwhile.
-- So nothing is ever taken out of it: a document that changes gets a new slot, and words of a slot that no document has any more
-- are found by nobody. When a third of the slots are like that the index is made anew.
CREATE VIRTUAL TABLE twindex_text USING fts5(title, text, content='', tokenize='unicode61 remove_diacritics 2');

-- Larger pieces (8 MiB), of which more wait before they are merged: less is written in all.
INSERT INTO twindex_text(twindex_text, rank) VALUES ('hashsize', 8388608);
INSERT INTO twindex_text(twindex_text, rank) VALUES ('automerge', 8);

-- slot: the rowid in twindex_text. hash: of the title and text that were indexed, to see what has changed.
CREATE TABLE twindex_text_slot(
    slot INTEGER PRIMARY KEY AUTOINCREMENT,
    doc  INTEGER NOT NULL UNIQUE,
    hash INTEGER NOT NULL
);
