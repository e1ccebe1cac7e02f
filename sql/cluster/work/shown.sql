-- Hidden documents with the text of their survivor, under it.
CREATE TABLE {db}.w{run}_shown_local (
    survivor String, site String
) ENGINE = MergeTree ORDER BY tuple()
