-- Source columns and flags in one row. A document that was crawled after the last run has NULL flags. No column of the source but
-- the id is named, so that the owner of the store can drop columns.
CREATE VIEW flagged_documents AS
SELECT s.*,
       f.indexable_b, f.http_unique_b, f.www_unique_b,
       f.exact_signature_l, f.exact_signature_unique_b, f.exact_signature_copycount_i,
       f.fuzzy_signature_l, f.fuzzy_signature_unique_b, f.fuzzy_signature_copycount_i,
       f.title_signature_l, f.title_unique_b, f.title_copycount_i,
       f.description_signature_l, f.description_unique_b, f.description_copycount_i,
       f.near_unique_b, f.near_copycount_i, f.near_cluster_l,
       f.copy_unique_b, f.copy_copycount_i, f.copy_cluster_l, f.sibling_count_i,
       f.duplicate_type, f.representative_b, f.duplicate_of
FROM ({select}) AS s LEFT JOIN document_flags AS f ON f.id = s.id;
