-- Words of this language are in the index from now on. Writes nothing if there were some before. in: ?1 its bit
UPDATE twindex_text_state SET languages = languages | ?1 WHERE id = 1 AND languages & ?1 = 0
