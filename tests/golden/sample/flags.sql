-- The flags at work, one row a document of tests/golden/sample/crawl.jsonl, at most 100 columns wide; scripts/run shows it.
-- 1: unique among its duplicates, so it is kept; 0: not; "0/5": not, of five.
SELECT 'id url                                http www exact fuzzy near title descr duplicate_type  kept of'
UNION ALL
SELECT printf('%2d %-34s %4s %3s %5s %5s %4s %5s %5s %-15s %4s %2s', id,
              iif(length(url) > 34, substr(url, 1, 32) || '..', url),
              coalesce(http_unique_b, ''), coalesce(www_unique_b, ''),
              coalesce(exact_signature_unique_b || '/' || exact_signature_copycount_i, ''),
              coalesce(fuzzy_signature_unique_b || '/' || fuzzy_signature_copycount_i, ''),
              coalesce(near_unique_b || '/' || near_copycount_i, ''),
              coalesce(title_unique_b, ''), coalesce(description_unique_b, ''),
              coalesce(duplicate_type, ''), coalesce(representative_b, ''), coalesce(duplicate_of, ''))
FROM (SELECT * FROM flagged_documents ORDER BY id);
