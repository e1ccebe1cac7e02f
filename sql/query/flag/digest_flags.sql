-- All flags of document_flags, in any order. Which store a representative is in does not count: the digests of the stores of a
-- collection sum up to that of one store with all documents.
SELECT f.id{flag_names} FROM document_flags AS f
