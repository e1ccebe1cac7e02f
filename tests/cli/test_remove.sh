#!/bin/bash
# wings: import predict cluster
# twindex remove: the dump of the store, schema and rows, is the one from before the first run, for stores of several shapes; what it refuses;
# and what is left when it is killed. The sqlite3 shell makes the dumps.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

rows="WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    SELECT i * 7 AS id, 'http://h' || (i % 5) || '.example/p' || i AS url, 'title ' || (i % 9) AS title, 'the words of text ' || (i % 11) || ' and some more of them' AS text FROM n"
# everything that a command of Twindex can put into a store
use() {
    "$program" run --quiet "$@" && "$program" learn --quiet "$@" && "$program" mirrors --set mirrors.ratio=0.1 --set mirrors.min_documents=1 "$@" >mirrors &&
        "$program" run --full --quiet --set fuzzy.scope=host "$@"
}
dump() { sqlite3 "$1" .dump '.print pragmas' 'PRAGMA user_version; PRAGMA application_id; PRAGMA page_size; PRAGMA encoding; PRAGMA journal_mode; PRAGMA auto_vacuum;'; }

# shape NAME SQL: makes NAME.db, uses it, removes what is Twindex's
shape() {
    rm -f "$1.db"*
    sqlite3 "$1.db" "$2" >sql.out
    dump "$1.db" >before
    use "$1.db" >out 2>err
    is $? "$1: Twindex works on it"
    succeeds "$1: it leaves tables" [ "$(sqlite3 "$1.db" "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'twindex%'")" -gt 8 ]
    check "$1: everything is removed" 0 '*' remove "$1.db"
    dump "$1.db" | diff before - >out
    is $? "$1: the dump is the one from before"
    got "$1: the file is sound" "$(sqlite3 "$1.db" 'PRAGMA integrity_check')" ok
    equal "$1: no file of Twindex is left" "$1.db" "$(echo "$1".db*)"
    check "$1: a run starts anew" 0 '*' run --quiet "$1.db"
    "$program" remove --quiet "$1.db" >out 2>err && [ ! -s out ] && dump "$1.db" | diff before - >out
    is $? "$1: and can be removed again"
}
shape plain "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT); INSERT INTO pages $rows"
shape wal "PRAGMA journal_mode = WAL; PRAGMA user_version = 7; PRAGMA application_id = 99; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT); INSERT INTO pages $rows"
shape text_keys "CREATE TABLE pages(url TEXT PRIMARY KEY, title TEXT, text TEXT) WITHOUT ROWID; INSERT INTO pages SELECT url, title, text FROM ($rows)"
shape vacuumed "PRAGMA auto_vacuum = FULL; PRAGMA page_size = 1024; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT); INSERT INTO pages $rows"
shape utf16 "PRAGMA encoding = 'UTF-16le'; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT); INSERT INTO pages $rows"
shape rich "CREATE TABLE pages(id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT UNIQUE, title TEXT COLLATE NOCASE, text TEXT, meta TEXT CHECK (meta IS NULL OR json_valid(meta)));
    INSERT INTO pages(id, url, title, text) $rows; CREATE INDEX \"odd \"\" index\" ON pages(title, lower(url)) WHERE title <> ''; CREATE TABLE log(at, what);
    CREATE VIEW titles AS SELECT title FROM pages; CREATE TRIGGER pages_log AFTER UPDATE ON pages BEGIN INSERT INTO log VALUES (1, new.id); END;
    CREATE VIRTUAL TABLE found USING fts5(title, text); INSERT INTO found SELECT title, text FROM pages; CREATE TABLE \"odd name; --\"(x); ANALYZE"

# ---- a store of init: import, run, remove, and all of it again
printf '{"url":"http://a.example/%d","text":"the words of the first text","fetched_at":"2024-05-01T10:00:00Z"}\n' 1 2 3 >first.jsonl
printf '{"url":"http://a.example/%d","text":"other words","fetched_at":"2024-05-02T10:00:00Z"}\n' 3 4 >second.jsonl
"$program" init --quiet again.db && sqlite3 again.db .schema >schema && "$program" import --quiet again.db first.jsonl && "$program" run --quiet again.db && "$program" remove --quiet again.db
is $? 'a store of init: everything is removed'
refuses 'it takes no import' 65 "or 'twindex remove' dropped its change queue: 'twindex init' makes what is missing" import again.db second.jsonl
check 'init keeps its documents' 0 '*again.db: its table documents is kept*' init again.db
got 'with the schema of a new store' "$(sqlite3 again.db .schema | sort)" "$(sort schema)"
"$program" import --json again.db second.jsonl >out 2>err
got 'an import adds to them' "$(sqlite3 again.db 'SELECT count(*) FROM documents') $(member 'd["new"], d["replaced"]')" '4 (1, 1)'
"$program" run --quiet again.db && "$program" run --verify --quiet again.db && sqlite3 again.db "UPDATE documents SET text = 'a text of its own' WHERE id = 2" && "$program" run --json again.db >out 2>err
holds 'd["read"] == 1 and d["outcome"] == "published"' 'and a run reads what has changed'
refuses 'init has nothing to do then' 65 "already, for 'twindex import'" init again.db
sqlite3 other.db 'CREATE TABLE documents(id INTEGER PRIMARY KEY, url TEXT, text TEXT)'
refuses 'a table documents of another program is refused' 65 'in a new file (it lacks the column' init other.db
"$program" remove --quiet again.db && sqlite3 again.db 'DROP INDEX documents_payload; ALTER TABLE documents ADD COLUMN mine TEXT' && "$program" init --quiet again.db
is $? 'an index that is missing is made, and a column of the owner stays'
got 'the index' "$(sqlite3 again.db "SELECT group_concat(name) FROM sqlite_schema WHERE name = 'documents_payload'") $(sqlite3 again.db 'SELECT count(mine) FROM documents')" 'documents_payload 0'
"$program" remove --quiet again.db && cp again.db less.db && sqlite3 less.db 'ALTER TABLE documents DROP COLUMN headings'
refuses 'a table without one of the columns is refused' 65 "not as this version of 'twindex init' makes it, in a new file (it lacks the column headings)" init less.db
sqlite3 again.db 'CREATE TABLE copy AS SELECT * FROM documents; DROP TABLE documents; ALTER TABLE copy RENAME TO documents'
refuses 'a copy without keys is refused' 65 'it lacks id INTEGER PRIMARY KEY' init again.db

# ---- statistics, a text index, objects of the user that read ours
sqlite3 user.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT); INSERT INTO pages $rows; CREATE INDEX by_title ON pages(title); ANALYZE"
dump user.db >before
use user.db >out 2>err && "$program" index --quiet user.db && sqlite3 user.db 'ANALYZE; CREATE VIEW mine AS SELECT id FROM document_flags WHERE representative_b;
    CREATE INDEX on_theirs ON twindex_flag(exact_sig)'
is $? 'a store with statistics, a text index and a view of the user'
"$program" remove --dry-run user.db >out 2>err && [ "$(sqlite3 user.db 'SELECT count(*) FROM mine')" -gt 5 ]
is $? 'a dry run changes nothing'
has 'it lists the tables' ' table twindex_signature'
has 'and the view that will fail' ' view mine'
"$program" remove --json user.db >out 2>err
holds '{o["name"] for o in d["removed"]} >= {"twindex_state", "document_flags", "twindex_text"} and d["cannot_be_used"] == [{"type": "view", "name": "mine"}]' 'JSON has the same'
sqlite3 user.db 'DROP VIEW mine; VACUUM' && dump user.db | diff before - >out
is $? 'without that view, and after VACUUM, the dump is the one from before'

# ---- other objects of the user that cannot do without ours: names in another case, a view with a name of ours, triggers on our views and tables
sqlite3 user.db "CREATE TABLE log(x)" && dump user.db >before && use user.db >out 2>err && sqlite3 user.db "DROP VIEW IF EXISTS flagged_documents;
    CREATE VIEW flagged_documents AS SELECT * FROM Document_Flags; CREATE VIEW shouted AS SELECT id FROM DOCUMENT_FLAGS;
    CREATE TRIGGER by_hand INSTEAD OF UPDATE ON document_flags BEGIN INSERT INTO log VALUES (1); END; CREATE TRIGGER watching AFTER UPDATE ON twindex_state BEGIN SELECT 1; END"
check 'a trigger of the user on a view of ours' 0 '*' remove --json user.db
holds '{(o["type"], o["name"]) for o in d["cannot_be_used"]} == {("view", "flagged_documents"), ("view", "shouted")}' 'views that name ours in another case are listed'
holds '{("trigger", "by_hand"), ("trigger", "watching")} <= {(o["type"], o["name"]) for o in d["removed"]}' 'triggers that went with our tables and views, too'
sqlite3 user.db 'DROP VIEW flagged_documents; DROP VIEW shouted; VACUUM' && dump user.db | diff before - >out
is $? 'and nothing else'

# ---- a view of the user with a name of ours
sqlite3 taken.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT); INSERT INTO pages $rows; CREATE VIEW document_flags AS SELECT 1 AS one"
dump taken.db >before
"$program" remove taken.db >out 2>err && grep -q 'nothing of Twindex' out && dump taken.db | diff before - >out
is $? 'a view of the user with the name of one of ours stays'

# ---- a store of our own: the documents stay
"$program" init --quiet own.db && "$program" import --quiet --set import.links=yes own.db "$source/tests/golden/sample/crawl.jsonl" 2>err && use own.db >out 2>err && "$program" index --quiet own.db
sqlite3 own.db 'SELECT * FROM documents' >before
"$program" digest own.db >digest
"$program" remove --quiet own.db >out 2>err && sqlite3 own.db 'SELECT * FROM documents' | cmp -s before - &&
    [ "$(sqlite3 own.db "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name)")" = 'documents documents_payload' ]
is $? 'a store of our own keeps its documents, and nothing else'
"$program" run --quiet own.db >out 2>err && sqlite3 own.db "INSERT INTO documents(url, text) VALUES ('http://later.example/', 'later')" && "$program" run --quiet own.db &&
    [ "$(sqlite3 own.db "SELECT count(*) FROM document_flags JOIN documents USING (id) WHERE url = 'http://later.example/'")" = 1 ]
is $? 'and can be run again, without a change queue'

# ---- flags in a file of their own
cp plain.db f.db && cp plain.db f.copy && "$program" run --quiet --flags flags.db f.db && "$program" remove --flags flags.db f.db >out 2>err &&
    [ "$(echo flags.db*)" = 'flags.db*' ] && cmp -s f.db f.copy
is $? 'the file of --flags is removed, the store is not touched'
refuses 'no such file of flags' 66 'flags.db' remove --flags flags.db f.db
refuses 'no such store' 66 'none.db' remove none.db

echo 'no store' >notes.txt && : >empty
refuses 'a file that is not a store' 65 'not an SQLite database' remove notes.txt
refuses 'an empty file' 66 'empty' remove --flags empty f.db
equal 'no lock file is left beside them' 'empty notes.txt' "$(echo empty* notes.txt*)"

# ---- a run is active
cat >holding.py <<'PYTHON'
import fcntl, subprocess, sys
held = open("plain.db-twindex-lock", "w")
held.write("process 1 since yesterday\n"); held.flush()
fcntl.flock(held, fcntl.LOCK_EX)
sys.exit(subprocess.call(sys.argv[1:]))
PYTHON
"$program" run --quiet plain.db && digest=$("$program" digest plain.db)
python3 holding.py "$program" remove plain.db >out 2>err
[[ $? == 75 && $(<err) == *'plain.db is in use by process 1 since yesterday'*'try again later'* && $("$program" digest plain.db) == "$digest" ]]
is $? 'a run at work is not disturbed'
python3 -c 'import sqlite3, subprocess, sys
c = sqlite3.connect("plain.db", isolation_level=None); c.execute("BEGIN IMMEDIATE")
sys.exit(subprocess.call(sys.argv[1:]))' "$program" remove --set run.busy_ms=50 plain.db >out 2>err
[[ $? == 75 && $(<err) == *plain.db* && $("$program" digest plain.db) == "$digest" ]]
is $? 'nor is a program that writes'

# ---- killed: all or nothing. A pause before each call to the disk would need another program, so the kill comes at many different times.
sqlite3 big.db "PRAGMA journal_mode = WAL; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) INSERT INTO pages SELECT i, 'http://h.example/' || i, 't', 'text number ' || i FROM n" >sql.out
dump big.db >before
"$program" run --quiet big.db && "$program" index --quiet big.db && objects=$(sqlite3 big.db "SELECT count(*) FROM sqlite_schema") && digest=$("$program" digest big.db)
whole=0 none=0 mixed=0
for delay in 0 .004 .008 .012 .014 .016 .018 .02 .022 .025 .03 .04 .06 .1; do
    cp big.db try.db && rm -f try.db-*
    "$program" remove --quiet try.db >out 2>err &
    sleep $delay
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    now=$(sqlite3 try.db 'SELECT count(*) FROM sqlite_schema')
    if [ "$now" = "$objects" ] && [ "$("$program" digest try.db 2>err)" = "$digest" ]; then
        whole=$((whole + 1))
    elif dump try.db | grep -v sqlite_sequence | diff before - >out; then
        none=$((none + 1))
    else
        mixed=$((mixed + 1))
    fi
done
[ $mixed = 0 ] && [ $((whole + none)) = 14 ]
is $? "killed at 14 moments: $whole times everything was left, $none times nothing, $mixed times something else"
exit $failed
