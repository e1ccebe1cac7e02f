#!/bin/bash
# twindex doctor: the state of files, lock and versions, what killed programs leave, and advice; it writes nothing.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
export TMPDIR=$work/tmp
mkdir tmp

sqlite3 s.db "PRAGMA page_size = 512; CREATE TABLE pages(id TEXT PRIMARY KEY, url TEXT, text TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO pages SELECT 'k' || i, 'http://h.example/' || i, 'text ' || i FROM n"
check 'a store before the first run' 0 '' doctor s.db
has 'no lock' ' lock free; there is no lock file'
has 'the versions' " versions twindex $("$program" version | cut -d' ' -f2), SQLite $(python3 -c 'import sqlite3; print(sqlite3.sqlite_version)' | cut -d. -f1)"
has 'the journal' 'advice PRAGMA journal_mode=WAL'
has 'the feed' 'advice store.changed'
has 'the ids' 'advice store.id'
has 'the pages' 'advice PRAGMA page_size=4096; VACUUM: '
got 'no file was made' "$(echo s.db*)" s.db

"$program" run --quiet s.db && sqlite3 s.db "PRAGMA secure_delete = 0; CREATE TABLE much(x); INSERT INTO much SELECT randomblob(900) FROM pages; DROP TABLE much" >sql.out
check 'after a run' 0 '' doctor s.db
has 'the owner' " of user $(id -u), mode $(stat -c %a s.db)"
has 'the lock' ' lock free; the file was last checked at 20'
has 'the schema' ' schema version '
has 'the run' ' last run 1, with twindex '
has 'the free pages' 'advice VACUUM: '
lacks 'advice is no problem' PROBLEM
"$program" doctor --json --set run.check=yes --set run.memory=16M s.db >out 2>err
holds 'd["problems"] == [] and any(a.startswith("run.check = auto") for a in d["advice"]) and d["facts"]["last run"].startswith("1,")' 'JSON has facts, problems and advice'
sqlite3 s.db 'PRAGMA journal_mode = WAL' >sql.out
check 'some advice was taken' 0 '' doctor s.db
lacks 'it is not given again' 'advice *PRAGMA journal_mode=WAL'
sqlite3 s.db "$(sed -n 's/^ *advice *\(.*\): pages of 512 bytes.*/\1/p' out)" >sql.out
check 'the advice about pages was taken as it stands' 0 '' doctor s.db
lacks 'and helped: neither pages nor journal are mentioned again' 'page_size\|advice *VACUUM\|journal_mode'
cp s.db copy.db; check 'a copy without its lock file' 0 '' doctor copy.db
has 'its lock' ' lock free; there is no lock file'
has 'its last run' ' last run 1, '

# ---- ids with gaps; rows that VACUUM numbers anew
sqlite3 gaps.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT); INSERT INTO pages VALUES (1, 'http://h.example/1', 'one'), (9000000000000000000, 'http://h.example/2', 'two')"
check 'ids with gaps' 0 '' doctor --flags new.db gaps.db
lacks 'do not count as documents' 'run.memory\|free space, but'
sqlite3 rowids.db "CREATE TABLE pages(url TEXT, text TEXT); INSERT INTO pages SELECT url, text || printf('%0999d', 7) FROM (WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    SELECT 'http://h.example/' || i AS url, 'text ' AS text FROM n); DELETE FROM pages WHERE rowid < 250"
check 'free pages, and rowids as ids' 0 '' doctor --set store.from=pages --set store.id=rowid --set store.url=url --set store.text=text --set store.allow_rowid=yes rowids.db
lacks 'VACUUM is no advice' 'VACUUM'

# ---- journals: one that PRAGMA journal_mode=PERSIST keeps, one of a program at work
sqlite3 j.db "PRAGMA journal_mode = PERSIST; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO pages SELECT i, 'http://h.example/' || i, 'text ' || i FROM n" >sql.out
[ -s j.db-journal ] && "$program" doctor j.db >out 2>err && ! grep -q ' left ' out
is $? 'a journal that is kept and not in use is nothing that was left'
sqlite3 j.db 'PRAGMA journal_mode = DELETE' >sql.out
python3 -c 'import sqlite3, subprocess, sys
c = sqlite3.connect("j.db", isolation_level=None); c.execute("BEGIN IMMEDIATE"); c.execute("UPDATE pages SET text = 2 WHERE id = 1")
sys.exit(subprocess.call(sys.argv[1:]))' "$program" doctor j.db >out 2>err && ! grep -q ' left ' out
is $? 'nor is that of a program at work'

# ---- what is left
touch -d '3 days ago' tmp/twindex-dry-run-abcdef && touch tmp/twindex-dry-run-newone
sqlite3 s.db 'UPDATE twindex_run SET ended_at = NULL'
python3 -c 'import sqlite3, subprocess, sys
c = sqlite3.connect("s.db"); c.execute("UPDATE pages SET text = 1 WHERE id = 2"); c.execute("CREATE TABLE other(x)"); c.commit()
sys.exit(subprocess.call(sys.argv[1:]))' "$program" doctor s.db >out 2>err
is $? 'a store that another program has open'
has 'its WAL' 's.db-wal, '
has 'a scratch file of a dry run' 'twindex-dry-run-abcdef: of a dry run that was killed'
lacks 'but not that of one that may be at work' newone
has 'a run that was killed' ", with twindex $("$program" version | cut -d ' ' -f 2); it was killed, the next one continues it"
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
refuses 'no such folder' 66 'nowhere' doctor nowhere/nothing.db
"$program" run --quiet --flags flags.db --set store.id=url s.db >out 2>err
check 'a file of flags' 0 '' doctor --flags flags.db --set store.id=url s.db
has 'both files' ' file of flags '
check 'a folder of the flags that is missing' 1 '' doctor --flags none/flags.db --set store.id=url s.db
has 'is one of the findings' ' PROBLEM none: No such file or directory'
has 'and others follow' ' temporary files '
exit $failed
