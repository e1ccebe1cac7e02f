-- The flags at work, one row a document of tests/golden/sample/crawl.jsonl; scripts/run shows it.
-- u: unique (1: this one is kept), n: copies in its group.
SELECT id,
       substr(url, 1, 44) AS url,
       indexable_b AS indexable,
       http_unique_b AS http_u,
       www_unique_b AS www_u,
       exact_signature_unique_b AS exact_u,
       exact_signature_copycount_i AS exact_n,
       fuzzy_signature_unique_b AS fuzzy_u,
       fuzzy_signature_copycount_i AS fuzzy_n,
       near_unique_b AS near_u,
       near_copycount_i AS near_n,
       title_unique_b AS title_u,
       description_unique_b AS descr_u,
       duplicate_type,
       representative_b AS kept,
       duplicate_of
FROM flagged_documents
ORDER BY id;
