-- The largest clusters of the verdict. in: ?1 limit. out: representative, documents.
SELECT representative, documents FROM duplicate_groups WHERE detector = 'verdict' ORDER BY documents DESC, representative LIMIT ?1
