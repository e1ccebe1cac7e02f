-- Words of this language are in the index from now on. in: ?1 its bit
UPDATE twindex_text_state SET languages = languages | ?1 WHERE id = 1
