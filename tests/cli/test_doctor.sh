#!/bin/bash
# twindex doctor: the state of files, lock and versions, what killed programs leave, and advice; it writes nothing.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
export TMPDIR=$work/tmp
mkdir tmp

sqlite3 s.db "PRAGMA page_size = 512; CREATE TABLE pages(id TEXT PRIMARY KEY, url TEXT, text TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO pages SELECT 'k' || i, 'http://h.example/' || i, 'text ' || i FROM n"
check 'a store before the first run' 0 '' doctor s.db
has 'no lock' ' lock none: no run was made here yet'
has 'the versions' " versions twindex $("$program" version | cut -d' ' -f2), SQLite $(python3 -c 'import sqlite3; print(sqlite3.sqlite_version)' | cut -d. -f1)"
has 'the journal' 'faster PRAGMA journal_mode=WAL'
has 'the feed' 'faster store.changed'
has 'the ids' 'faster store.id'
has 'the pages' 'faster PRAGMA page_size=4096'
[ "$(echo s.db*)" = s.db ]
is $? 'no file was made'

"$program" run --quiet s.db && sqlite3 s.db "PRAGMA secure_delete = 0; CREATE TABLE much(x); INSERT INTO much SELECT randomblob(900) FROM pages; DROP TABLE much" >sql.out
check 'after a run' 0 '' doctor s.db
has 'the owner' " of user $(id -u), mode $(stat -c %a s.db)"
has 'the lock' ' lock free; the file was last checked at 20'
has 'the schema' ' schema version '
has 'the run' ' last run 1, with twindex '
has 'the free pages' 'faster VACUUM: '
if grep -q PROBLEM out; then false; fi
is $? 'advice is no problem'
"$program" doctor --json --set run.check=yes --set run.memory=16M s.db >out 2>err
holds 'd["problems"] == [] and any(a.startswith("run.check = auto") for a in d["advice"]) and d["facts"]["last run"].startswith("1,")' 'JSON has facts, problems and advice'
sqlite3 s.db 'PRAGMA journal_mode = WAL; VACUUM' >sql.out
check 'the advice was taken' 0 '' doctor s.db
if grep -q 'journal_mode\|faster *VACUUM' out; then false; fi
is $? 'it is not given again'

# ---- what is left
touch -d '3 days ago' tmp/twindex-dry-run-abcdef && touch tmp/twindex-dry-run-newone
sqlite3 s.db 'UPDATE twindex_run SET ended_at = NULL'
python3 -c 'import sqlite3, subprocess, sys
c = sqlite3.connect("s.db"); c.execute("UPDATE pages SET text = 1 WHERE id = 2"); c.execute("CREATE TABLE other(x)"); c.commit()
sys.exit(subprocess.call(sys.argv[1:]))' "$program" doctor s.db >out 2>err
is $? 'a store that another program has open'
has 'its WAL' 's.db-wal, '
has 'a scratch file of a dry run' 'twindex-dry-run-abcdef: of a dry run that was killed'
if grep -q newone out; then false; fi
is $? 'but not that of one that may be at work'
has 'a run that was killed' '; it was killed, the next one continues it'
python3 -c 'import fcntl, subprocess, sys
held = open("s.db-twindex-lock", "w"); held.write("process 1 since yesterday\n"); held.flush(); fcntl.flock(held, fcntl.LOCK_EX)
sys.exit(subprocess.call(sys.argv[1:]))' "$program" doctor s.db >out 2>err
equal 'a run at work is a problem for another one' 1 $?
has 'its holder' ' lock held by process 1 since yesterday'

# ---- problems of check, and a store that cannot be opened
sqlite3 s.db 'UPDATE pages SET id = NULL'
check 'a problem' 1 '' doctor s.db
has 'the finding of check' 'PROBLEM'
head -c 3000 /dev/urandom >none.db
check 'no database' 65 '*is not an SQLite database*' doctor none.db
refuses 'no such store' 66 'nothing.db' doctor nothing.db
"$program" run --quiet --flags flags.db --set store.id=url s.db >out 2>err
check 'a file of flags' 0 '' doctor --flags flags.db --set store.id=url s.db
has 'both files' ' file of flags '
exit $failed
