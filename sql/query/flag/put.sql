-- Stores or replaces a document's flags. in: the columns in order.
INSERT OR REPLACE INTO twindex_flag_{g}(doc, eligibility, link_state, link_doc, http_unique, www_unique, scheme_count, scheme_rep, 
www_count, www_rep, exact_sig, exact_count, exact_rep, fuzzy_sig, fuzzy_count, fuzzy_rep, 
title_sig, title_count, title_rep, description_sig, description_count, description_rep, near_sig, 
near_count, near_rep, near_similarity, duplicate_type, cluster_count, duplicate_of, copy_sig, copy_count, copy_rep,
sibling_count)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, 
?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33)
