-- Merges segments of the text index until so many pages are written, if a level has eight segments or a merge is not finished.
-- in: ?1 pages
INSERT INTO twindex_text(twindex_text, rank) VALUES ('merge', ?1)
