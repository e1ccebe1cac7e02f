-- The text of a page's level-1 headings, one a line; NULL: it has none, or was captured before they were recorded.
ALTER TABLE documents ADD COLUMN headings TEXT;
