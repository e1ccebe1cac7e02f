#!/bin/bash
# wings: import predict lab cluster
# Tables and views of twindex that somebody else has changed or dropped: a run mends what it can and refuses the rest with a clear
# message; nothing reads or writes out of bounds.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init whole.db >out 2>err && "$program" import --quiet whole.db "$source/tests/golden/sample/crawl.jsonl" && "$program" run --quiet whole.db
digest=$("$program" digest whole.db)
# fresh SQL: a copy that was tampered with
fresh() {
    rm -f s.db* && cp whole.db s.db && sqlite3 s.db "$1"
}

fresh 'UPDATE twindex_state SET schema_version = -1'
ends 65 run s.db && grep -q 'no valid schema_version: -1' err && ends 65 report s.db
is $? 'a negative schema_version'
fresh 'UPDATE twindex_state SET schema_version = 0'
succeeds 'a schema_version of 0' ends 65 run s.db
fresh 'UPDATE twindex_flag SET link_state = -3'
ends 65 report s.db && grep -q 'link_state -3' err && ends 65 explain s.db 1
is $? 'a negative link_state'
ends 65 report ./s.db && grep -q "with sqlite3, then 'twindex run'$" err
is $? 'the advice is the same for another name of the store'
fresh "UPDATE twindex_flag SET exact_sig = 'a text, which has memory of its own'"
ends 0 report --html page.html s.db && grep -q '^</html>' page.html
is $? 'a signature that is a text'
fresh 'UPDATE twindex_flag SET eligibility = 9223372036854775807'
ends 65 report s.db && grep -q 'eligibility 9223372036854775807' err
is $? 'an eligibility that does not exist'
read -r table column < <(sed -n 's/.*delete the rows of \([a-z_]*\) whose \([a-z_]*\) is not between 0 and 63 .*/\1 \2/p' err)
sqlite3 s.db "DELETE FROM ${table:?} WHERE ${column:?} NOT BETWEEN 0 AND 63" && ends 0 run s.db && [ "$("$program" digest s.db)" = "$digest" ]
is $? 'what the message advises works'
fresh 'DROP TABLE twindex_change'
ends 0 run s.db && grep -q 'warning: .*twindex_change was dropped' err && [ "$("$program" digest s.db)" = "$digest" ]
is $? 'a dropped change queue: every document is read'
fresh "DROP TRIGGER twindex_change_update; UPDATE documents SET text = 'changed, and nothing noticed it' WHERE id = 1"
ends 0 run s.db && grep -q 'warning: .*twindex_change_update was dropped' err && [ "$("$program" digest s.db)" != "$digest" ]
is $? 'a dropped trigger: what changed is found all the same'
fresh 'DROP VIEW document_flags'
ends 0 run s.db && [ "$(sqlite3 s.db 'SELECT count(*) = (SELECT count(*) FROM documents) FROM document_flags')" = 1 ] && [ "$("$program" digest s.db)" = "$digest" ]
is $? 'a dropped view is made again, although nothing changed'
ends 0 run s.db && grep -q 'nothing was written' out
is $? 'the run after that writes nothing'
fresh ''
ends 0 run s.db && grep -q 'nothing was written' out && ! grep -q 'group and judge' out && ends 0 run --verify s.db && grep -q 'group and judge' out
is $? 'a run that finds nothing changed does not judge, one with --verify does'
sqlite3 s.db '.dbconfig enable_trigger off' 'UPDATE twindex_flag SET exact_count = 99' >out
ends 0 run s.db && grep -q 'nothing was written' out
is $? 'flags that were changed without triggers are not noticed'
ends 70 run --verify s.db && grep -q "s.db: --verify: the published flags of [0-9]* documents are not those of the signatures: 'twindex run --full' corrects them" err
is $? 'but --verify finds them'
equal 'and --full makes them anew' "$digest" "$(ends 0 run --full s.db && "$program" digest s.db)"
fresh "PRAGMA ignore_check_constraints = ON; UPDATE twindex_flag SET only_in = 7, exact_count = 99 WHERE doc = 5; UPDATE twindex_flag SET only_in = 'x' WHERE doc = 8;
    CREATE TEMP TABLE t AS SELECT * FROM twindex_flag WHERE doc = 6; UPDATE t SET only_in = 1.5; INSERT INTO twindex_flag SELECT * FROM t;
    UPDATE t SET doc = 1000, only_in = 3; INSERT INTO twindex_flag SELECT * FROM t"
ends 0 run --full s.db && [ "$("$program" digest s.db)" = "$digest" ] && ends 0 run --verify s.db && [ -z "$(sqlite3 s.db 'SELECT * FROM twindex_flag WHERE only_in NOT IN (0, 1, 2)')" ]
is $? 'also where only_in has a value that the table does not allow'
fresh 'UPDATE twindex_flag SET exact_count = 99'
equal 'with triggers the next run makes them anew' "$digest" "$(ends 0 run s.db && "$program" digest s.db)"
for i in $(seq 40); do echo "{\"url\": \"http://a.example/$i\", \"text\": \"A page of words that forty pages have in common, one after the other\"}"; done >many.jsonl
for change in 'UPDATE twindex_group_count SET value = value + 1' 'DELETE FROM twindex_group_count' "UPDATE twindex_group_count SET value = 'x'"; do
    fresh '' && "$program" import --quiet s.db many.jsonl && "$program" run --quiet s.db && many=$("$program" digest s.db)
    sqlite3 s.db "$change" && [ "$("$program" digest s.db)" != "$many" ] && ends 0 run s.db && [ "$("$program" digest s.db)" = "$many" ]
    is $? "the next run mends numbers of large groups: $change"
    sqlite3 s.db '.dbconfig enable_trigger off' "$change" >out && ends 70 run --verify s.db && ends 0 run --full s.db && [ "$("$program" digest s.db)" = "$many" ]
    is $? "--verify finds them without triggers: $change"
done
fresh "UPDATE twindex_run SET counts = x'00', summary = '{}'"
ends 0 run s.db && grep -q 'nothing was written' out && grep -q 'group and judge' out
is $? 'without the counts of the last run all documents are judged'

# ---- names of ours for queries that never end: commands that read have views of their own
"$program" index --quiet whole.db >out 2>err
read -r some_word _ < <(sqlite3 whole.db "SELECT title FROM documents WHERE title <> '' LIMIT 1")
for view in document_flags duplicate_groups document_alternates twindex_group_member; do
    columns=$(sqlite3 whole.db "SELECT group_concat('x AS ' || name) FROM pragma_table_info('$view')")
    fresh "DROP VIEW $view; CREATE VIEW $view AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT $columns FROM n"
    for command in 'digest s.db' 'report s.db' 'groups s.db' "search s.db $some_word" 'explain s.db 1'; do
        # shellcheck disable=SC2086 # words
        timeout 20 "$program" ${command/s.db/whole.db} >expected 2>&1
        # shellcheck disable=SC2086
        timeout 20 "$program" $command >out 2>err && cmp <(sed 's/whole.db/s.db/' expected) out >>err
        is $? "an endless $view: $command"
    done
    ends 65 run s.db && grep -q "has '$view', an object of its own" err
    is $? "an endless $view: a run does not replace it"
done
fresh "ALTER TABLE twindex_flag RENAME TO mine;
    CREATE VIEW twindex_flag AS WITH RECURSIVE n(doc) AS (SELECT 1 UNION ALL SELECT doc + 1 FROM n) SELECT doc, 0 AS only_in FROM n" 2>/dev/null
for command in digest report run; do
    timeout 20 "$program" $command s.db >out 2>err
    [ $? = 65 ] && grep -q "has 'twindex_flag', a view, where Twindex has a table" err
    is $? "a table of ours replaced by an endless view: $command"
done

# ---- rows of the cache, of the ledger and of the text index
fresh "UPDATE twindex_signature SET packed = x'00' WHERE doc % 2"
ends 65 report s.db && grep -q "s.db: a row of twindex_signature is damaged: .* 'twindex run --full' writes it again" err
is $? 'a damaged signature of a document'
ln -sf s.db link.db && ends 65 report link.db && grep -q "link.db: a row of twindex_signature is damaged: .* 'twindex run --full' writes it again" err
is $? 'a damaged signature of a store that is named by a link'
fresh "UPDATE twindex_signature SET packed = iif(doc = 1, packed || x'0102', x'00') WHERE doc <= 9"
ends 65 run s.db && grep -q "s.db: a row of twindex_signature is damaged: .* 'twindex run --full' writes it again" err && ends 65 run --dry-run --stored --jobs 2 s.db && grep -q 'is damaged: it cannot' err
is $? 'bytes after the record of a document: it is reported, and not the row after it'
cp s.db other.db && "$program" run --full other.db >/dev/null && ends 65 run other.db s.db && grep -q '^twindex run: s.db: a row of twindex_signature is damaged' err && cp whole.db beside.db && "$program" run --quiet other.db beside.db && sqlite3 other.db "UPDATE twindex_signature SET packed = x'00' WHERE doc % 2" && ends 65 report beside.db other.db && grep -q '^twindex report: other.db: a row of twindex_signature is damaged' err
is $? 'of several stores the damaged one is named'
equal 'run --full makes damaged rows anew' "$digest" "$(ends 0 run --full s.db && "$program" digest s.db)"
fresh "DELETE FROM twindex_signature WHERE doc = 1"
ends 65 explain s.db 1 && grep -q "s.db: the signature of a document is missing: 'twindex run' makes it again" err && ends 0 run s.db && ends 0 explain s.db 1
is $? 'a missing signature'
fresh 'UPDATE twindex_run SET started_at = 9223372036854775807, ended_at = -9223372036854775807'
ends 0 report --json s.db && jq -e '.runs[0].seconds == null' out >/dev/null
is $? 'a run that ended before it began has no duration'
fresh 'DROP TABLE twindex_text_idx'
ends 65 search s.db "$some_word" && grep -q "s.db: the text index is damaged: 'twindex index --drop'" err && ends 0 index --drop s.db && ends 0 index s.db && ends 0 search s.db "$some_word"
is $? 'a damaged text index'

# ---- a damaged file: its list of free pages names a page of the user's table
for command in run undo index learn mirrors 'index --drop'; do
    rm -f s.db* && cp whole.db s.db
    python3 - s.db <<'PYTHON'
import sqlite3, struct, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = DELETE")
page = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'documents_payload'").fetchone()[0]
db.close()
with open(sys.argv[1], "r+b") as f:
    f.seek(32)
    f.write(struct.pack(">II", page, 1))
PYTHON
    cp s.db damaged.db
    # shellcheck disable=SC2086 # words
    ends 65 ${command/%/ s.db} && grep -q 's.db: the file is corrupt: ' err && cmp s.db damaged.db
    is $? "$command does not write to a damaged file"
done

# SQLite 3.40.1 does not check that list if a view comes first in its hash table of the schema
views_first() {
    python3 - "$1" <<'PYTHON'
import shutil, sqlite3, struct, sys
shutil.copy("whole.db", "s.db")
db = sqlite3.connect("s.db", isolation_level=None)
db.execute("PRAGMA journal_mode = DELETE")
db.executescript("CREATE TABLE large(bytes); INSERT INTO large VALUES (zeroblob(100000)); DROP TABLE large")
first = lambda: db.execute("SELECT type FROM pragma_table_list WHERE schema = 'main' LIMIT 1").fetchone()[0]
for n in range(1000):
    db.execute(f"CREATE VIEW view{n} AS SELECT 1")
    db.close()
    db = sqlite3.connect("s.db", isolation_level=None)
    if first() == "view":
        break
page = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'documents_payload'").fetchone()[0]
db.close()
with open("s.db", "r+b") as f:
    f.seek(32)
    trunk, count = struct.unpack(">II", f.read(8))
    if sys.argv[1] == "used":
        trunk, count = page, 1
    if sys.argv[1] == "lost":  # the last leaf of the first trunk page
        f.seek((trunk - 1) * 4096 + 4)
        leaves = struct.unpack(">I", f.read(4))[0]
        f.seek((trunk - 1) * 4096 + 4)
        f.write(struct.pack(">I", leaves - 1))
        count -= 1
    f.seek(32)
    f.write(struct.pack(">II", trunk, count))
PYTHON
}
views_first used
ends 65 undo s.db && grep -q 's.db: the file is corrupt: ' err && ends 1 check s.db
is $? 'a view does not hide a damaged list of free pages'
views_first lost
ends 65 undo s.db && grep -qE 's.db: the file is corrupt: .*of [0-9]+ pages, [0-9]+ are used and [0-9]+ are in the list of free pages' err && ends 1 check s.db
is $? 'nor one that lacks a page'
views_first sound && ends 0 check s.db
is $? 'a sound one is no fault'

# ---- the state
fresh 'UPDATE twindex_state SET generation = NULL'
ends 65 run s.db && grep -q 'twindex_state.generation is NULL although flags are published' err && ends 1 check s.db && grep -q 'PROBLEM.*generation is NULL' out
is $? 'a generation that is NULL'
sqlite3 s.db 'DROP VIEW document_flags' && ends 0 run s.db && [ "$("$program" digest s.db)" = "$digest" ]
is $? 'without the view, flags are published anew'

# ---- limits of the process, and warnings
cp whole.db limited.db # what it wrote can stay in limited.db-wal
(
    ulimit -f 60
    exec env --default-signal=XFSZ "$program" run --quiet --full --set near.detector=simhash limited.db
) >out 2>err
[ $? = 74 ] && grep -q 'file size limit (ulimit -f)' err
is $? 'a file size limit is an error with its reason'
fresh "UPDATE documents SET text = hex(zeroblob(2000000)) WHERE id = 3"
ends 0 run --set run.row_bytes=1M s.db && grep -q 'warning: s.db: the row with key 3 is longer than run.row_bytes: the document gets no flags' err
is $? 'the warning of a row that is too long names the document'
fresh "UPDATE documents SET text = hex(zeroblob(2000000)) WHERE id = 3"
ends 0 run --set run.row_bytes=1M --set fuzzy.min_token_len=3 s.db && grep -qx ' *1  longer than run.row_bytes (left out)' out
is $? 'it is counted once, also when all documents are signed again'
fresh "UPDATE documents SET text = 'changed' WHERE id = 3"
ends 0 run --set copy.ignore=$'caf\xe9' s.db && ends 0 report --json s.db
is $? 'a word to ignore that is not UTF-8'

fresh "UPDATE documents SET text = hex(zeroblob(4000000)) WHERE id = 3"
ends 70 run --full --set run.check=no --set run.sqlite_memory=2M s.db && grep -q 's.db: .*out of memory: run.sqlite_memory limits the memory of SQLite' err && [ "$("$program" digest s.db)" = "$digest" ]
is $? 'a limit of memory for SQLite: the run ends with its reason, the flags stay'
succeeds 'with more memory it is read' ends 0 run --full --set run.sqlite_memory=64M s.db

# ---- labels
for file in /dev/zero . fifo; do
    [ -e fifo ] || mkfifo fifo
    timeout -k 1 20 "$program" evaluate --truth "$file" whole.db >out 2>err
    [ $? = 66 ] && grep -q 'is not a regular file' err
    is $? "evaluate --truth $file"
done
truncate -s 3G zeros
"$program" evaluate --truth zeros whole.db >out 2>err &
reading=$!
for _ in $(seq 2000); do
    readlink "/proc/$reading/fd/"* 2>/dev/null | grep -q '/zeros$' && break
    sleep 0.005
done
kill -TERM $reading
wait $reading
[ $? = 143 ] && grep -q 'terminated by SIGTERM' err
is $? 'SIGTERM ends evaluate while it reads labels, with the exit code of the signal'
timeout -k 1 100 "$program" evaluate --truth zeros whole.db >out 2>err
[ $? = 65 ] && grep -q 'zeros is longer than 1024 MiB' err
is $? 'labels that are too long'

# ---- what does not stay as it was written is not published
rm -f s.db* && cp whole.db s.db
sqlite3 s.db "PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'exact_sig         INTEGER', 'exact_sig REAL') WHERE name = 'twindex_flag'"
sqlite3 s.db "UPDATE documents SET text = text || ' and more'"
check 'a column of flags that rounds numbers' 65 '*were read back differently: nothing was published*' run --force s.db
got 'the published generation is that of the last run' "$(sqlite3 s.db 'SELECT generation FROM twindex_state')" "$(sqlite3 whole.db 'SELECT generation FROM twindex_state')"

# ---- rows of the cache that go while a run works: the next run makes them again
python3 - "$program" <<'PYTHON'
import sqlite3, subprocess, sys, time
for attempt in range(12):
    subprocess.run("rm -f s.db* && cp whole.db s.db", shell=True, check=True)
    db = sqlite3.connect("s.db", isolation_level=None, timeout=10)
    total = db.execute("SELECT count(*) FROM documents").fetchone()[0]
    run = subprocess.Popen([sys.argv[1], "run", "--quiet", "--full", "--set", "run.batch_rows=5", "--set", "run.pause_ms=3", "s.db"])
    time.sleep(0.004 * attempt)
    db.execute("DELETE FROM twindex_signature WHERE doc % 2")
    run.wait()
    subprocess.run([sys.argv[1], "run", "--quiet", "s.db"], check=True)
    flags = db.execute("SELECT count(*) FROM document_flags").fetchone()[0]
    if flags != total:
        sys.exit(f"attempt {attempt}: {flags} of {total} documents have flags")
PYTHON
is $? 'signatures dropped during a run are made again by the next one'
exit $failed
