-- What the model was learned from. out: run, fingerprint, urls, share.
SELECT run, fingerprint, urls, share FROM twindex_url_model WHERE one = 1
