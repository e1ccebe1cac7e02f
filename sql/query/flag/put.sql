-- Stores or replaces a document's flags. in: the columns in order.
INSERT OR REPLACE INTO twindex_flag_{g}(doc{columns})
VALUES (?1{parameters})
