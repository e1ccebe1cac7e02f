-- Stores the flags of a document in this generation alone, where it has none. in: the columns in order.
INSERT INTO twindex_flag(doc, only_in{columns})
VALUES (?1, {own}{parameters})
