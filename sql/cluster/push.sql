-- Adds documents of a store, from any node. in: rows of document_local
INSERT INTO {db}.document FORMAT RowBinary
