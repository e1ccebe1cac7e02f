-- The text index, created by `twindex index`. It holds words, not texts: a copy of all texts would double the size of the store,
-- and an index that reads them from the crawler's table cannot remove a text that has changed meanwhile.
-- So nothing is ever removed from it: a changed document gets a new slot, and a search ignores slots that no document has any more.
-- When a third of the slots are unused, the index is built again.
CREATE VIRTUAL TABLE twindex_text USING fts5(title, text, content='', tokenize='twindex');

-- The tokenizer is that of src/terms. twindex_text_state has one row: fingerprint, of the terms it makes; languages, those in which
-- words were stemmed, bit n for number n of text/stem_language.c. An index without this table is from before it, and is built again.
CREATE TABLE twindex_text_state(
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    fingerprint TEXT NOT NULL,
    languages   INTEGER NOT NULL DEFAULT 0
);

-- Larger segments (8 MiB), more of which accumulate before they are merged, reduce the total amount written. A commit never merges
-- them, because others would wait for it: search/index.c merges them in turns.
INSERT INTO twindex_text(twindex_text, rank) VALUES ('hashsize', 8388608);
INSERT INTO twindex_text(twindex_text, rank) VALUES ('automerge', 0);
INSERT INTO twindex_text(twindex_text, rank) VALUES ('usermerge', 8);

-- slot: the rowid in twindex_text. hash: of the indexed title and text, to detect changes.
CREATE TABLE twindex_text_slot(
    slot INTEGER PRIMARY KEY AUTOINCREMENT,
    doc  INTEGER NOT NULL UNIQUE,
    hash INTEGER NOT NULL
);
