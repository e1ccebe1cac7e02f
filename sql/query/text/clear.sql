-- Removes the document from the in-memory index for snippets.
DELETE FROM twindex_text
