-- All indexed documents, in batches. in: ?1 the last slot seen, ?2 limit. out: slot, doc, hash
SELECT slot, doc, hash FROM twindex_text_slot WHERE slot > ?1 ORDER BY slot LIMIT ?2
