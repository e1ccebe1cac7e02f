-- in: ?1 context, ?2 hypothesis, ?3 form, ?4 path, ?5 name, ?6 second, ?7 value, ?8 dup, ?9 nodup.
INSERT OR REPLACE INTO twindex_url_hypothesis(context, hypothesis, form, path, name, second, value, dup, nodup)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
