scan_key = (SELECT scan_key FROM temp.twindex_source_ids WHERE id = ?1) AND id
