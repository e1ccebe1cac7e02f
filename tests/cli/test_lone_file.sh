#!/bin/bash
# wings: import predict
# When no other process has the store open, a command that writes leaves no -wal and no -shm: a copy of the file alone is
# complete, as the sqlite3 shell sees it. When one has it open, they are left to that process. A symbolic link to a store is
# as good as the store.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# alone FILE: nothing lies beside it but the lock
alone() {
    [ ! -e "$1-wal" ] && [ ! -e "$1-shm" ]
}

# copied SQL: the answer of a copy of the file alone
copied() {
    rm -f copy.db* && cp s.db copy.db && sqlite3 copy.db "$1"
}

"$program" init s.db >init.out 2>&1 && alone s.db
is $? 'init'
"$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl" && alone s.db && [ "$(copied 'SELECT count(*) > 20 FROM documents')" = 1 ]
is $? 'import'
"$program" run --quiet s.db && alone s.db
is $? 'run'
[ "$(sqlite3 s.db 'PRAGMA journal_mode')" = wal ] && [ "$(copied 'SELECT count(*) = (SELECT count(*) FROM documents) FROM document_flags')" = 1 ]
is $? 'a copy of the file has the flags'
before=$(copied "SELECT count(*) FROM twindex_run WHERE state = 'published'")
"$program" run --quiet --full s.db && alone s.db
is $? 'a full run'
sqlite3 s.db "UPDATE documents SET text = text || ' more' WHERE id = 2"
"$program" run --quiet s.db && alone s.db && [ "$(copied "SELECT count(*) FROM twindex_run WHERE state = 'published'")" -gt "$before" ]
is $? 'an incremental run'
"$program" undo --quiet s.db && alone s.db
is $? 'undo'
"$program" index --quiet s.db && alone s.db && [ "$(copied "SELECT count(*) > 0 FROM twindex_text_docsize")" = 1 ]
is $? 'index'
"$program" learn --quiet s.db && alone s.db && [ "$(copied 'SELECT count(*) FROM twindex_url_model')" = 1 ]
is $? 'learn'
"$program" run --quiet s.db && alone s.db
is $? 'a run that learns again'
"$program" run --quiet --flags f.db s.db && alone f.db && [ ! -s s.db-wal ]
is $? 'run --flags; the store, which it only reads, has an empty -wal at most'
"$program" index --quiet --drop s.db && alone s.db
is $? 'index --drop'

# ---- another process has the store open
cat >reader.py <<'PYTHON'
import sqlite3, subprocess, sys
db = sqlite3.connect("s.db", isolation_level=None)
db.execute("BEGIN")
count = db.execute("SELECT count(*) FROM document_flags").fetchone()
subprocess.check_call([sys.argv[1], "run", "--quiet", "--set", "search.ranking.uniqueheuristic.preferhttps=no", "s.db"])
print(db.execute("SELECT count(*) FROM document_flags").fetchone() == count)
PYTHON
sqlite3 s.db "UPDATE documents SET text = text || ' more' WHERE id = 3"
[ "$(python3 reader.py "$program")" = True ] && [ "$(sqlite3 s.db 'PRAGMA integrity_check')" = ok ]
is $? 'a reader in a transaction keeps what it sees'

# ---- the ledger
succeeds 'the summary of a published run says "published"' [ -z "$(sqlite3 s.db "SELECT run FROM twindex_run WHERE state = 'published' AND summary ->> 'outcome' <> 'published'")" ]

# ---- links
mkdir elsewhere && ln -s ../s.db elsewhere/link.db && ln -s nowhere.db dangling.db
sqlite3 s.db "UPDATE documents SET text = text || ' more' WHERE id = 4"
"$program" run --quiet elsewhere/link.db && alone s.db && alone elsewhere/link.db && [ ! -e elsewhere/link.db-twindex-lock ]
is $? 'a store is opened at the target of a symbolic link, and its lock is there'
got 'both have one result' "$("$program" digest elsewhere/link.db)" "$("$program" digest s.db)"
check 'a link to nothing: exit 66' 66 '*symbolic link*' run dangling.db
ln s.db s.db-copy && rm -f s.db-twindex-lock && ln s.db s.db-twindex-lock
size=$(stat -c %s s.db)
"$program" run s.db 2>err
[ $? = 73 ] && grep -q 'hard link' err && [ "$(stat -c %s s.db)" = "$size" ] && [ "$(sqlite3 s.db 'PRAGMA integrity_check')" = ok ]
is $? 'a lock file that is a hard link to the store: exit 73, and the store is whole'
"$program" check s.db >out 2>&1
[ $? = 1 ] && grep -q 'PROBLEM.*hard link' out
is $? 'check says so'
exit $failed
