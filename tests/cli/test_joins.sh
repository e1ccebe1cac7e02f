#!/bin/bash
# The same 1 200 documents as a table, as two tables joined with and without an index, as a view and as the latest version of each page: flags and
# signatures are those of the table, in the first run and in runs after documents were changed, added and removed.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# Every third text is that of another document; ids and the order of the versions do not agree.
cat >make.sql <<'SQL'
CREATE TABLE page(id INTEGER PRIMARY KEY, url TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO page SELECT i, 'http://host' || (i % 7) || '.example/' || i FROM n;
CREATE TABLE version(n INTEGER PRIMARY KEY, page_id INTEGER, at INTEGER, content TEXT);
INSERT INTO version(page_id, at, content) SELECT id, 1, 'an old version of page ' || id FROM page ORDER BY id * 7919 % 1201;
INSERT INTO version(page_id, at, content)
SELECT id, 2, 'page ' || (id - (id % 3 = 0)) || ' tells of ' || hex(id - (id % 3 = 0)) || ' words about the weather in the hills and the valleys'
FROM page ORDER BY id * 7919 % 1201 DESC;
SQL
LATEST='SELECT page.id AS id, url, content, max(at) AS at FROM page JOIN version ON version.page_id = page.id GROUP BY page.id'
sqlite3 base.db <make.sql 2>err
is $? 'the base is made'

# NAME FROM [SQL]: a store and its configuration
store() {
    cp base.db "$1.db"
    [ -z "${3:-}" ] || sqlite3 "$1.db" "$3" 2>>err
    printf '[store]\nfrom = %s\nid = %s\nurl = url\ntext = content\nallow_view = yes\n%s\n' "$2" "${4:-page.id}" "${5:-}" >"$1.conf"
}
JOIN='page JOIN version ON version.page_id = page.id'
store table 'all_pages AS page' "CREATE TABLE all_pages(id INTEGER PRIMARY KEY, url TEXT, content TEXT, at); INSERT INTO all_pages $LATEST"
store index "$JOIN" 'CREATE INDEX by_page ON version(page_id)' page.id 'where = at = (SELECT max(at) FROM version AS v WHERE v.page_id = page.id)'
store no_index "$JOIN" '' page.id 'where = n IN (SELECT max(n) FROM version GROUP BY page_id)'
store view 'latest AS page' "CREATE VIEW latest AS $LATEST"
store grouped '(SELECT page_id, content, max(at) FROM version GROUP BY page_id) AS v JOIN page ON page.id = v.page_id'
store by_text "(SELECT 'p' || id AS id, url, content FROM ($LATEST)) AS page"
STORES='table index no_index view grouped'

dump() { # STORE: flags without the numbers that twindex gives to documents
    sqlite3 "$1.db" "SELECT id, indexable_b, exact_signature_l, exact_signature_copycount_i, exact_signature_unique_b, near_copycount_i, near_unique_b,
        representative_b FROM document_flags ORDER BY id" 2>>err
}

compare() { # WHEN
    local name
    for name in $STORES; do
        check "it runs, $1: $name" 0 '*' run --quiet "$name.db" --config "$name.conf"
        dump "$name" >"$name.flags"
        [ -s "$name.flags" ] && cmp "$name.flags" table.flags >>err 2>&1
        is $? "flags and signatures are those of the table, $1: $name"
    done
}
compare 'the first time'
[ "$(wc -l <table.flags)" = 1200 ] && [ "$(cut -d'|' -f4 table.flags | grep -c '^2$')" -gt 700 ]
is $? 'all documents have flags'

for name in $STORES; do
    sqlite3 "$name.db" "DELETE FROM page WHERE id % 100 = 7; DELETE FROM version WHERE page_id % 100 = 7;
        UPDATE version SET content = 'another text of this page, number ' || page_id WHERE at = 2 AND page_id % 50 = 3;
        INSERT INTO page VALUES (5000, 'http://new.example/'); INSERT INTO version(page_id, at, content) SELECT 5000, 2, content FROM version WHERE at = 2 AND page_id = 2;"
done 2>err
sqlite3 table.db "DELETE FROM all_pages; INSERT INTO all_pages $LATEST" 2>>err
compare 'after changes'
got 'removed and added documents are seen' "$(wc -l <table.flags)" 1189
for name in $STORES; do
    sqlite3 "$name.db" 'UPDATE version SET at = 3 WHERE at = 2' 2>err
done
compare 'a third time, without changes'

"$program" run --quiet by_text.db --config by_text.conf >out 2>err && [ "$(sqlite3 by_text.db 'SELECT count(*), sum(exact_signature_copycount_i = 2) > 700 FROM document_flags')" = '1200|1' ]
is $? 'ids that are computed'
equal 'a view, the flags in a file of their own' 1189 "$("$program" run --quiet view.db --config view.conf --flags outside.db >out 2>err && sqlite3 outside.db 'SELECT count(*) FROM document_flags')"
"$program" check no_index.db --config no_index.conf >out 2>err
grep -q '1189' out && ! grep 'PROBLEM' out >>err
is $? 'check counts its documents and finds no problem'
exit "$failed"
