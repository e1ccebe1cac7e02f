-- All mapped ids with their numbers. out: doc, id.
SELECT doc, id FROM twindex_document
