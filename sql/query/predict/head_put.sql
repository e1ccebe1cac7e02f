-- in: ?1 run, ?2 fingerprint, ?3 urls, ?4 share.
INSERT OR REPLACE INTO twindex_url_model(one, run, fingerprint, urls, share) VALUES (1, ?1, ?2, ?3, ?4)
