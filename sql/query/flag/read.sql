-- Flags of a generation behind a document, ascending. in: ?1 doc, ?2 limit. out: the columns in order.
SELECT doc, eligibility, link_state, link_doc, http_unique, www_unique, scheme_count, scheme_rep, 
www_count, www_rep, exact_sig, exact_count, exact_rep, fuzzy_sig, fuzzy_count, fuzzy_rep, 
title_sig, title_count, title_rep, description_sig, description_count, description_rep, near_sig, 
near_count, near_rep, near_similarity, duplicate_type, cluster_count, duplicate_of, copy_sig, copy_count, copy_rep,
sibling_count
FROM twindex_flag_{g} WHERE doc > ?1 ORDER BY doc LIMIT ?2
