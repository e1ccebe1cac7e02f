#!/bin/bash
# wings: import
# The guard against losses: a run stops (exit 3) and the flags stay as they were when documents that took part are gone or take
# part no more. What is left of the flags is asked with plain SQL.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# make FILE DOCUMENTS: a crawler's table, 9 of 10 documents on one host
make() {
    rm -f "$1"*
    sqlite3 "$1" "PRAGMA journal_mode=WAL; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, status TEXT, content TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
        INSERT INTO pages SELECT i, 'https://' || CASE WHEN i % 10 THEN 'www.big.example' ELSE 'small.example' END || '/' || i,
        '200', 'the text of page ' || i || ' has words ' || (i * 7919) || ' of its own ' || (i * 104729) FROM n" >/dev/null
}

# run FILE EXIT-CODE ARGUMENT...
run() { ends "$2" run "${@:3}" --accept-mapping "$1"; }

make s.db 300
equal 'a first run loses nothing' 300 "$(run s.db 0 && visible s.db)"
sqlite3 s.db "UPDATE pages SET status = '503'"
run s.db 3 && [ "$(visible s.db)" = 300 ] && grep -q 'the store would lose 300 of the 300 documents that took part; 300 documents: the HTTP status is not 200 (guard.max_lost)' out
is $? 'all pages became 503: exit 3, the flags stay'
grep -q 'host big.example would lose 270 of its 270 documents' out && ! grep -q 'host small.example' out
is $? 'the hosts of 100 documents or more are named'
matches 'the message says it' 'a guard stopped the run' err
ends 65 diff s.db && grep -q 'no earlier complete result to compare with: s.db: a guard stopped the run .*guard.max_lost' err
is $? 'diff does not say that the next run makes a second result'
"$program" init own.db >out
sqlite3 own.db "ATTACH 's.db' AS s; INSERT INTO documents(url, text) SELECT url, content FROM s.pages WHERE id <= 20"
"$program" run --quiet own.db && sqlite3 own.db 'UPDATE documents SET http_status = 503'
! "$program" run --quiet own.db 2>err && "$program" check own.db >out
matches 'check does not say that a run would find nothing changed, which a guard would stop again' 'a run would  *find no document changed; 20 documents are signed'
equal 'the next run stops again' 300 "$(run s.db 3 && visible s.db)"
equal 'so does a full run' 300 "$(run s.db 3 --full && visible s.db)"
run s.db 0 --dry-run && grep -q 'guard.max_lost' out && [ "$(visible s.db)" = 300 ]
is $? 'a dry run says so'
run s.db 3 --json && [ "$(jq -r .outcome out)" = 'stopped by a guard, nothing was published' ] && jq -r .guards out | grep -q max_lost
is $? 'JSON says so'
run s.db 0 --set guard.max_lost=1 --dry-run && ! grep -q 'guard.max_lost' out
is $? 'guard.max_lost = 1 switches it off'
sqlite3 s.db "UPDATE pages SET status = '200'"
equal 'the site is back: the run is done' 300 "$(run s.db 0 && visible s.db)"
sqlite3 s.db "UPDATE pages SET status = 'fetched'"
equal 'a status column that holds words' 300 "$(run s.db 3 && visible s.db)"
equal '--force publishes' 0 "$(run s.db 0 --force && visible s.db)"
succeeds 'and there is nothing more to lose' run s.db 0
sqlite3 s.db "UPDATE pages SET status = '200'"
equal 'all take part again' 300 "$(run s.db 0 && visible s.db)"

sqlite3 s.db 'DELETE FROM pages'
run s.db 3 && [ "$(visible s.db)" = 300 ] && grep -q 'would lose 300 of the 300' out
is $? 'an emptied table'
"$program" undo s.db >/dev/null 2>&1
equal '--force publishes that, too' 0 "$(run s.db 0 --force && visible s.db)"

make s.db 300
run s.db 0
sqlite3 s.db 'DELETE FROM pages WHERE id % 10 AND id <= 160'
run s.db 3 && grep -q 'host big.example would lose 144 of its 270' out && [ "$(sqlite3 s.db 'SELECT count(*) FROM document_flags')" = 300 ]
is $? 'more than half of one host is gone'
sqlite3 s.db "INSERT INTO pages SELECT id + 1000, url || 'x', status, content || ' anew' FROM pages WHERE id % 10"
succeeds 'rows that were replaced by others of the site are no loss' run s.db 0
sqlite3 s.db 'DELETE FROM pages WHERE id % 10 = 0'
succeeds 'a host of fewer than 100 documents may go' run s.db 0

# ---- --flags FILE
make s.db 300
run s.db 0 --flags f.db
sqlite3 s.db "UPDATE pages SET status = '503'"
equal '--flags FILE is guarded' 300 "$(run s.db 3 --flags f.db && visible f.db)"

# ---- our own documents, whose changes are queued
rm -f own.db* && "$program" init own.db >/dev/null 2>&1
sqlite3 s.db "SELECT json_object('url', url, 'text', content) FROM pages" | "$program" import --quiet own.db -
equal 'an own store' 300 "$(run own.db 0 && visible own.db)"
sqlite3 own.db 'UPDATE documents SET http_status = 503'
equal 'an incremental run is guarded' 300 "$(run own.db 3 && visible own.db)"

# ---- two stores: what a host loses is counted in both
make a.db 120 && make b.db 120 && sqlite3 b.db "UPDATE pages SET url = url || '-b', content = content || ' b'"
"$program" run --quiet --accept-mapping a.db b.db 2>err
sqlite3 a.db "UPDATE pages SET status = '503'" && sqlite3 b.db "UPDATE pages SET status = '503' WHERE id > 90"
ends 3 run --accept-mapping a.db b.db && grep -q 'would lose 150 of the 240 documents that took part' out && grep -q 'host big.example would lose 135 of its 216 documents' out
is $? 'a host of two stores'

# ---- small stores
make small.db 30
run small.db 0
sqlite3 small.db 'DELETE FROM pages'
equal 'a store emptied of its 30 documents' 30 "$(run small.db 3 && visible small.db)"
make small.db 5
run small.db 0
sqlite3 small.db 'DELETE FROM pages WHERE id > 1'
equal 'of fewer than ten documents most may go' 1 "$(run small.db 0 && visible small.db)"
sqlite3 small.db 'DELETE FROM pages'
equal 'but not all' 1 "$(run small.db 3 && visible small.db)"

# ---- stored counts are checked
sqlite3 small.db "UPDATE twindex_site SET documents = -1"
run small.db 65 && grep -q 'twindex_site' err
is $? 'a stored count that is not a number of documents'
sqlite3 small.db "DELETE FROM twindex_site"
succeeds 'without counts there is nothing to compare' run small.db 0
exit $failed
