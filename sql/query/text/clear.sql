-- Takes the document out of the index in memory that snippets are made with.
DELETE FROM twindex_text
