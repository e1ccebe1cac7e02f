#!/bin/bash
# Tables and views of twindex that somebody else has changed or dropped: a run mends what it can and refuses the rest with a clear
# message; nothing reads or writes out of bounds.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ends EXIT-CODE COMMAND...
ends() {
    local wanted=$1 got=0
    shift
    "$program" "$@" >out 2>err || got=$?
    [ "$got" = "$wanted" ]
}

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
ends 65 run s.db
is $? 'a schema_version of 0'
fresh 'UPDATE twindex_flag_a SET link_state = -3; UPDATE twindex_flag_b SET link_state = -3'
ends 65 report s.db && grep -q 'link_state -3' err && ends 65 explain s.db 1
is $? 'a negative link_state'
fresh 'UPDATE twindex_flag_a SET eligibility = 9223372036854775807'
ends 65 report s.db && grep -q 'eligibility 9223372036854775807' err
is $? 'an eligibility that is none'
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
is $? 'and then nothing is written'

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
