#!/usr/bin/env bash
# wings: import
# twindex index: what changed is indexed and nothing else, what is gone is forgotten, for all kinds of ids; a killed call goes on; the
# crawler's tables stay as they are.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

index() { "$program" index "$@" >out 2>err </dev/null; }
# says INDEXED FORGOTTEN: the last output, which is JSON
says() { python3 -c 'import json,sys; d=json.load(open("out")); sys.exit([d["indexed"], d["forgotten"]] != [int(x) for x in sys.argv[1:]])' "$@"; }
# finds STORE QUERY N [ARGUMENT...]
finds() {
    local store=$1 query=$2 wanted=$3
    shift 3
    "$program" search "$store" "$query" --json "$@" >hits 2>err && [ "$(python3 -c 'import json; print(json.load(open("hits"))["a"]["hits"])')" = "$wanted" ]
}

python3 - >pages.jsonl <<'PYTHON'
import json
for n in range(1, 301):
    print(json.dumps({"url": "http://site%d.example/%d" % (n % 7, n), "title": "Page %d" % n, "text": "word%d common text of page %d" % (n, n)}))
print(json.dumps({"url": "http://empty.example/"}))
PYTHON
succeeds 'a store' published pages.db pages.jsonl
content() { sqlite3 -readonly pages.db "SELECT * FROM documents; SELECT sql FROM sqlite_master WHERE name NOT LIKE 'twindex_text%' AND name NOT LIKE 'sqlite%'" | sha256sum; }
before=$(content)
index --json pages.db && says 300 0
is $? 'all that has words is indexed'
index --json pages.db && says 0 0
is $? 'a second call indexes nothing'
got 'the documents and the schema are what they were' "$(content)" "$before"
got 'the file is sound' "$(sqlite3 pages.db 'PRAGMA integrity_check')" ok
finds pages.db common 300 && finds pages.db word42 1 && finds pages.db 'title:42' 1
is $? 'words are found'

sqlite3 pages.db "UPDATE documents SET text = 'changed words' WHERE id = 42; DELETE FROM documents WHERE id = 7;
    UPDATE documents SET score = 5 WHERE id = 8; INSERT INTO documents(url, title, text) VALUES ('http://new.example/', 'New', 'fresh');
    UPDATE documents SET title = NULL, text = NULL WHERE id = 9"
index --json pages.db && says 2 2
is $? 'what changed is indexed, what went or has no words any more is forgotten'
finds pages.db word42 0 && finds pages.db changed 1 && finds pages.db word7 0 && finds pages.db fresh 1 && finds pages.db word9 0
is $? 'the old words are found no more'

# 5000 documents; three kills on the way
python3 -c "
import json
for n in range(5000): print(json.dumps({'url': 'http://many.example/%d' % n, 'text': ('w%d ' % n) + 'filler %d ' % (n % 97) * 300}))" >many.jsonl
"$program" init many.db >/dev/null && "$program" import --quiet many.db many.jsonl && "$program" run --quiet many.db
for wait in 0.15 0.25 0.35; do (timeout -s KILL "$wait" "$program" index --quiet many.db) 2>/dev/null; done 2>/dev/null
succeeds 'a call after killed ones' index --json many.db
[ "$(sqlite3 -readonly many.db 'SELECT count(*), count(DISTINCT doc) FROM twindex_text_slot')" = '5000|5000' ] && finds many.db filler 5000 && finds many.db w4999 1
is $? 'every document is indexed once'
got 'the file is sound after kills' "$(sqlite3 many.db 'PRAGMA integrity_check')" ok
sqlite3 many.db "UPDATE documents SET text = text || ' again' WHERE id <= 3000"
index --quiet many.db && sqlite3 many.db "UPDATE documents SET text = text || ' again' WHERE id <= 3000" && index many.db && grep -q "it is rebuilt" err
is $? 'an index with many dead words is made anew'
finds many.db again 3000
is $? 'and is whole'

sqlite3 named.db "CREATE TABLE pages (name TEXT PRIMARY KEY, url TEXT, title TEXT, text TEXT) WITHOUT ROWID;
    ATTACH 'pages.db' AS p; INSERT INTO pages SELECT 'doc ' || id, url, title, text FROM p.documents; PRAGMA journal_mode=DELETE"  >/dev/null
printf '[store]\nfrom = pages\nid = name\nurl = url\ntitle = title\ntext = text\n' >named.conf
"$program" run --quiet --config named.conf named.db && index --json --config named.conf named.db && says 299 0
is $? 'ids that are names, a rollback journal'
finds named.db fresh 1 --config named.conf && grep -q '"id": "doc 302"' hits
is $? 'they are found by their names'
before=$(sha256sum <named.db)
rm -f flags.db
"$program" run --quiet --config named.conf --flags flags.db named.db && index --json --config named.conf --flags flags.db named.db && says 299 0
is $? 'an index in the file of --flags'
equal 'which finds the same, and the store is not touched' "$before" "$(finds named.db common 297 --config named.conf --flags flags.db && sha256sum <named.db)"

equal 'it is dropped' 0 "$(index --drop pages.db && sqlite3 -readonly pages.db "SELECT count(*) FROM sqlite_master WHERE name LIKE 'twindex_text%'")"
index --drop pages.db && grep -q 'no text index' out
is $? 'twice does no harm'
ends 65 search pages.db common && grep -q "no text index yet: 'twindex index' makes it" err && [ "$(wc -l <err)" = 1 ]
is $? 'search says what to do'
check 'no such store' 66 '*' index none.db
sqlite3 users.db "CREATE TABLE documents_fts(x); CREATE VIRTUAL TABLE mine USING fts5(x); CREATE TABLE pages(id INTEGER PRIMARY KEY, url, text)"
sqlite3 users.db "INSERT INTO pages VALUES (1, 'http://a.example/', 'one two')" && "$program" run --quiet users.db && index --quiet users.db && index --drop users.db
got "the user's own index stays" "$(sqlite3 -readonly users.db "SELECT count(*) FROM sqlite_master WHERE name = 'mine'")" 1
exit $failed
