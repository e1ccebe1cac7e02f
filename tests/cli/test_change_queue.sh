#!/usr/bin/env bash
# wings: import cluster
# Changes that the queue of an own store cannot have: runs do not rely on the queue where the mapping reads more than a row, `run --verify` fails and names
# the documents, doctor reports them, and a run finds those that change the number of rows.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

python3 - >pages.jsonl <<'PYTHON'
import json
for i in range(1, 31):
    print(json.dumps({"url": f"http://a.example/{i}", "text": f"the text of page {i % 15} says what it says", "score": i, "payload_digest": f"sha1:{i}"}))
PYTHON
"$program" init --quiet plain.db && "$program" import --quiet plain.db pages.jsonl && sqlite3 plain.db 'CREATE TABLE mine(id INTEGER PRIMARY KEY, n)' && sqlite3 plain.db 'INSERT INTO mine SELECT id, id FROM documents'
is $? 'a store'

# start [SETTING...]: s.db, with published flags
start() { rm -f s.db*; cp plain.db s.db && options=("${@/#/--set=}") && "$program" run --quiet "${options[@]}" s.db 2>err; }
# fresh: the digest of a new store with the same documents
fresh() { rm -f new.db*; sqlite3 s.db 'VACUUM INTO "new.db"' && "$program" remove --quiet new.db >/dev/null && "$program" run --quiet "${options[@]}" new.db 2>/dev/null && "$program" digest new.db; }
# stale WHAT NAMED: --verify fails and names the document, doctor reports it, and `run --full` corrects the flags
stale() {
    local wanted
    check "$1: --verify fails and names the document" 70 "*--verify: the change queue lacks *$2*run --full*" run --verify "${options[@]}" s.db
    ends 1 doctor "${options[@]}" s.db && grep -q "PROBLEM.*the change queue lacks.*$2" out && ! grep -q 'no problems' out
    is $? "$1: doctor reports it"
    wanted=$(fresh)
    "$program" run --quiet --full "${options[@]}" s.db 2>err
    got "$1: --full corrects the flags" "$("$program" digest s.db)" "$wanted"
    check "$1: nothing is left" 0 '*' run --verify --quiet "${options[@]}" s.db
}
# followed WHAT: a run without options has the flags of a fresh store
followed() {
    local wanted
    wanted=$(fresh)
    "$program" run --quiet "${options[@]}" s.db 2>err
    got "$1: the next run follows" "$("$program" digest s.db)" "$wanted"
}

# blind SQL...: a writer whose triggers are off
blind() { sqlite3 s.db '.dbconfig enable_trigger off' "$@" >sql.out; }

# ---- expressions that read more than the row
start "store.where=id NOT IN (SELECT id FROM mine WHERE n < 0)"
sqlite3 s.db 'UPDATE mine SET n = -1 WHERE id = 3'
stale 'store.where reads another table' '3 (not in the store)'
sqlite3 s.db 'UPDATE mine SET n = -1 WHERE id IN (4, 19)'
followed 'store.where reads another table'
start "store.score=(SELECT n FROM mine WHERE mine.id = documents.id)"
"$program" run "${options[@]}" s.db >out 2>err && grep -qF "store.score reads 'mine', so the change queue cannot have every change" err
is $? 'the reason is printed'
sqlite3 s.db 'UPDATE mine SET n = 100 - n'
stale 'store.score reads another table' '1 http://a.example/1'
sqlite3 s.db 'UPDATE mine SET n = 100 - n'
followed 'store.score reads another table'
start "store.score=julianday('now') * (id % 2)"
sleep 0.1
check 'store.score reads the clock: --verify fails' 70 '*the change queue lacks 15 documents*1 http://a.example/1*' run --verify "${options[@]}" s.db
"$program" doctor "${options[@]}" s.db >out 2>err
matches 'store.score reads the clock: doctor reports it' 'PROBLEM.*the change queue lacks'
# feed SETTING FEED REASON
feed() {
    "$program" check --set "$1" plain.db >out 2>err
    grep -q "change feed *$2\$" out && { [ -z "$3" ] || grep -qF -e "$3" err; }
    is $? "$1: $2"
}
feed 'store.score=coalesce(score, 1) + length(text)' trigger ''
feed "store.where=http_status IS NULL OR http_status IN (200, 404)" trigger ''
feed "store.title=html_title(text)" trigger ''
feed 'store.score=random()' scan "store.score calls 'random'"
feed 'store.score=row_number() OVER (ORDER BY id)' scan 'store.score has a subquery'
feed 'store.where=fetched_at < CURRENT_TIMESTAMP' scan "store.where calls 'current_timestamp'"
feed 'store.where=EXISTS (SELECT 1 FROM documents AS d WHERE d.url = documents.canonical_url)' scan 'store.where has a subquery'
feed 'store.where=id IN (SELECT id FROM mine)' scan "store.where reads 'mine'"

# ---- writers that the triggers do not see
triggers=$(sqlite3 plain.db "SELECT group_concat(sql, ';') FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'documents'")
drop=$(sqlite3 plain.db "SELECT group_concat('DROP TRIGGER ' || name, ';') FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'documents'")
start
sqlite3 s.db "BEGIN; $drop; UPDATE documents SET text = 'the text of page 1 says what it says' WHERE id = 7; $triggers; COMMIT"
stale 'a bulk load drops and makes triggers' '7 http://a.example/7'
start
blind "UPDATE documents SET text = 'other words' WHERE id = 8"
stale 'a writer with triggers off' '8 http://a.example/8'
start
blind "DELETE FROM documents WHERE id = 9"
stale 'a writer with triggers off deletes' '9 (not in the store)'
start
sqlite3 s.db 'CREATE UNIQUE INDEX mine_digest ON documents(payload_digest)' && "$program" run --quiet s.db &&
    sqlite3 s.db "INSERT OR REPLACE INTO documents(url, text, payload_digest) VALUES ('http://a.example/new', 'new', 'sha1:5')"
is $? 'INSERT OR REPLACE'
stale 'INSERT OR REPLACE with an index of the owner' '5 (not in the store)'

# ---- numbers of rows
start
blind 'DELETE FROM documents WHERE id IN (2, 17)' "INSERT INTO documents(url, text) VALUES ('http://a.example/x', 'x')"
followed 'other numbers of rows'
succeeds 'with a warning that names them' grep -qF 'the change queue lacks 3 documents that changed (2 (not in the store), 17 (not in the store), 31 http://a.example/x)' err
start
blind 'DELETE FROM documents WHERE id = 30' "INSERT INTO documents(id, url, text) VALUES (99, 'http://a.example/x', 'x')"
followed 'the same number and another largest id'
sqlite3 s.db "UPDATE documents SET text = text || '!' WHERE id = 4" 'DELETE FROM documents WHERE id = 6' "INSERT INTO documents(url, text) VALUES ('http://a.example/y', 'y')"
check 'what is queued is no reason to warn' 0 '' run --quiet s.db
sqlite3 s.db "UPDATE documents SET text = text || '!' WHERE id = 4" 'DELETE FROM documents WHERE id = 7'
check 'nor for --verify to fail' 0 '' run --quiet --verify s.db

# ---- the weekly check
blind "UPDATE documents SET text = 'other words' WHERE id = 8"
check 'a run does not see every change' 0 '' run --quiet s.db
check 'a run that checks the file does' 0 '*the change queue lacks 1 document that changed (8 http://a.example/8): every document is read*' run --quiet --set run.check=yes s.db
check 'and corrects the flags' 0 '' run --quiet --verify s.db

# ---- a text that changed while triggers were off: its row is signed again by a run with --full; until then it hides nothing, because its
# signature, with its old title, and its text are not of one page
words=$(seq -s ' ' -f 'word%.0f' 1 60)
"$program" init --quiet silent.db
sqlite3 silent.db "INSERT INTO documents(url, title, http_status, text) VALUES ('https://a.example/1', 'The pump', 200, '$words'),
    ('https://b.example/1', 'The pump', 200, '$words' || char(10) || 'Captured on day 1.')"
"$program" run --quiet --force silent.db
equal 'a capture is hidden' 1 "$(sqlite3 silent.db 'SELECT count(*) FROM document_flags WHERE duplicate_of IS NOT NULL')"
sqlite3 silent.db ".dbconfig enable_trigger off" "UPDATE documents SET title = 'The anchor', text = '$words' || char(10) || 'Captured on day 2.' WHERE id = 2" >out
sqlite3 silent.db "INSERT INTO documents(url, title, http_status, text) VALUES ('https://c.example/1', 'Another page', 200, 'of another site')"
"$program" run --quiet --force silent.db
equal 'a text that is not the signed one hides nothing' 0 "$(sqlite3 silent.db 'SELECT count(*) FROM document_flags WHERE duplicate_of IS NOT NULL')"
"$program" run --quiet --force --full silent.db
equal 'nor does it when it is signed' 0 "$(sqlite3 silent.db 'SELECT count(*) FROM document_flags WHERE duplicate_of IS NOT NULL')"
exit $failed
