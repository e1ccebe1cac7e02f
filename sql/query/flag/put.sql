-- Stores the flags of a document in this generation alone, or in both. in: the columns in order.
INSERT OR REPLACE INTO twindex_flag(doc, only_in{columns})
VALUES (?1, {own}{parameters})
