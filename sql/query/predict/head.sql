-- From what was learned. out: run, fingerprint, urls, share.
SELECT run, fingerprint, urls, share FROM twindex_url_model WHERE one = 1
