-- Alt texts of a page's images and names in its structured data, one a line; NULL: it has none, or was captured before they were recorded.
ALTER TABLE documents ADD COLUMN names TEXT;
