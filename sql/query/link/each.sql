-- A batch of links, in order. in: ?1 doc and ?2 to_url of the last one read, ?3 limit. out: doc, from_url, to_url.
-- plan: both tables by key, nothing is sorted
SELECT l.doc, d.url, l.to_url FROM twindex_link AS l CROSS JOIN documents AS d ON d.id = l.doc
WHERE (l.doc, l.to_url) > (?1, ?2) AND typeof(l.to_url) = 'text' ORDER BY l.doc, l.to_url LIMIT ?3
