-- Schema version of Twindex's tables. out: one integer.
SELECT schema_version FROM twindex_state WHERE one = 1
