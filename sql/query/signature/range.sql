-- The numbers of the first and the last document. out: doc, doc; NULL: there is none.
SELECT (SELECT min(doc) FROM twindex_signature), (SELECT max(doc) FROM twindex_signature)
