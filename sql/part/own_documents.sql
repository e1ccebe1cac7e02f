SELECT * FROM documents
