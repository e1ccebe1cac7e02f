-- In memory, for one document at a time, so that SQLite can find where a query matches it. Same columns and tokenizer as twindex_text.
CREATE VIRTUAL TABLE twindex_text USING fts5(title, text, tokenize='twindex');
