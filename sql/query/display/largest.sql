-- The largest clusters of the verdict. out: representative, documents.
SELECT representative, documents FROM duplicate_groups WHERE detector = 'verdict' ORDER BY documents DESC, representative LIMIT 20
