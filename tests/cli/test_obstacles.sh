#!/bin/bash
# `check` finds what would make `run` fail, and says why; each case is tried with `run`, which fails, too. Cases of permissions
# need root, who acts as another user; they are skipped otherwise.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
trap 'umount "$work/tiny" 2>/dev/null; rm -rf "$work"' EXIT
as=()

# both PATTERN FILE ARGUMENT...: check names the problem (exit 1), and a run fails
both() {
    local pattern=$1 file=$2 got=0
    shift 2
    "${as[@]}" "$program" run --quiet "$@" "$file" >out 2>run.err && { echo 'the run did not fail' >err; return 1; }
    "${as[@]}" "$program" check "$@" "$file" >out 2>err || got=$?
    [ "$got" = 1 ] && grep -q "PROBLEM.*$pattern" out
}

# make FILE: a store of a crawler
make() {
    rm -f "$1"*
    sqlite3 "$1" "CREATE TABLE pages(id INTEGER PRIMARY KEY, key TEXT, url TEXT, content TEXT);
        INSERT INTO pages VALUES (1, 'a', 'https://a.example/', 'one'), (2, 'b', 'https://b.example/', 'two')"
}

make s.db
check 'a store in order' 0 '*' check s.db
succeeds 'check makes no lock file' [ ! -e s.db-twindex-lock ]

succeeds 'flags in a folder that does not exist' both 'nowhere' s.db --flags nowhere/flags.db

# ---- ids
make ids.db && sqlite3 ids.db "INSERT INTO pages VALUES (3, 'a', 'https://c.example/', 'three')"
both "store.id does not tell documents apart: 1 row repeats an id of another row, the first is 'a'" ids.db --set store.from=pages --set store.id=key --set store.url=url --set store.text=content
is $? 'ids that repeat'

# ---- names
make names.db && sqlite3 names.db 'CREATE TABLE document_flags(x)'
succeeds 'a table of the name of a view' both "has 'document_flags', an object of its own" names.db --set store.from=pages --set store.id=id --set store.url=url --set store.text=content

# ---- pins
echo 'keep' >pins.txt
succeeds 'a file of pins with an error' both 'pins.txt:1: keep takes one URL' s.db --set verdict.pins=pins.txt

succeeds 'a file of pins that is missing' both 'cannot read .no-pins.txt' s.db --set verdict.pins=no-pins.txt
succeeds 'a file of URL rules that is missing' both "url.rules: cannot read 'no-rules.txt'" s.db --set url.rules=no-rules.txt

# ---- the mapping
MAP='--set store.from=pages --set store.id=id --set store.url=url --set store.text=content'
succeeds 'a column that is missing' both 'store.url is not valid: no such column: nope' s.db --set store.from=pages --set store.id=id --set store.url=nope --set store.text=content
make null.db && sqlite3 null.db 'UPDATE pages SET key = NULL'
succeeds 'ids that are all NULL' both 'store.id is NULL in all 2 rows' null.db --set store.from=pages --set store.id=key --set store.url=url --set store.text=content

# ---- a run that failed may have met a damaged file: the next one checks it
checks() { "$program" run --json "$@" failed.db >out 2>err; local code=$?; [ -s out ] && jq -e '.seconds | has("check")' out >/dev/null && echo "$code, checks" || echo "$code"; }
make failed.db
more="WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO pages SELECT i, i, 'https://c.example/' || i, 'page ' || i FROM n"
sqlite3 failed.db "$more"
equal 'the first run checks the file' '0, checks' "$(checks)"
equal 'the second does not' 0 "$(checks)"
sqlite3 failed.db 'DELETE FROM pages WHERE id > 2'
equal 'nor does one that a guard stops' 3 "$(checks)"
sqlite3 failed.db "$more"
equal 'or the one after it' 0 "$(checks)"
sqlite3 failed.db "CREATE TRIGGER by_hand INSTEAD OF INSERT ON document_flags BEGIN SELECT 1; END; UPDATE pages SET content = 'other text ' || id"
equal 'a run fails' 65 "$(checks --set guard.max_lost=1 --set near.detector=none)"
sqlite3 failed.db 'DROP TRIGGER by_hand'
equal 'the next one checks the file' '0, checks' "$(checks)"
equal 'and the one after it does not' 0 "$(checks)"

# ---- tables and views of the user's with names of ours
make view.db && sqlite3 view.db "CREATE VIEW twindex_group_member AS SELECT 'mine' AS whose"
both "has 'twindex_group_member', an object of its own" view.db $MAP
[ $? = 0 ] && [ "$(sqlite3 view.db 'SELECT whose FROM twindex_group_member')" = mine ]
is $? 'a view of the user is not replaced'
make table.db && sqlite3 table.db 'CREATE TABLE twindex_signature(mine)'
succeeds 'nor is a table' both "has 'twindex_signature', a name that Twindex needs" table.db $MAP
make state.db && sqlite3 state.db 'CREATE TABLE twindex_state(mine)'
succeeds 'nor a table named twindex_state' both 'twindex_state is not a table of Twindex' state.db $MAP

make trigger.db && "$program" run --quiet $MAP trigger.db && sqlite3 trigger.db 'CREATE TRIGGER by_hand INSTEAD OF UPDATE ON document_flags BEGIN SELECT 1; END; DELETE FROM pages WHERE id = 1'
both "has 'by_hand', a trigger on a view of Twindex" trigger.db --set guard.max_lost=1 $MAP
[ $? = 0 ] && [ "$(sqlite3 trigger.db "SELECT count(*) FROM sqlite_schema WHERE name = 'by_hand'")" = 1 ]
is $? 'nor is a trigger of the user lost with a view of ours'

# ---- the file of --flags
sqlite3 other.db 'CREATE TABLE bookmarks(x)' && before=$(sha256sum <other.db)
both 'other.db has tables of its own' s.db --flags other.db $MAP
[ $? = 0 ] && [ "$(sha256sum <other.db)" = "$before" ]
is $? '--flags: the database of another program is left alone'
sqlite3 another.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, content); INSERT INTO pages VALUES (1, 'http://other.example/', 'words')"
"$program" run --quiet another.db $MAP >out 2>err && "$program" init own.db >out 2>err && before=$(sha256sum <another.db)
for name in another.db own.db; do
    succeeds "--flags: another store ($name)" both "$name has tables of its own, so it is another store" s.db --flags "$name" $MAP
done
got '--flags: the flags of another store are left alone' "$(sha256sum <another.db)" "$before"
ln -s s.db link.db
for name in s.db ./s.db link.db; do
    succeeds "--flags: the store itself ($name)" both 'is the store itself' s.db --flags "$name" $MAP
done
ln s.db hard.db
succeeds '--flags: a hard link to the store' both 'is the store itself' s.db --flags hard.db $MAP
rm hard.db
mkfifo fifo
succeeds '--flags: a named pipe' both 'fifo is not a file' s.db --flags fifo $MAP

# ---- a pipe, a folder or a link in the place of a journal
sqlite3 journal.db 'CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, content TEXT)'
for suffix in journal wal shm; do
    for make in mkfifo mkdir 'ln -s /dev/zero'; do
        $make journal.db-$suffix
        for command in check run; do
            got=0
            timeout -k 1 20 "$program" "$command" journal.db >out 2>err || got=$?
            [ "$got" = 66 ] && grep -qF "journal.db-$suffix is not a file: remove it" err
            is $? "$command: $make in the place of -$suffix"
        done
        rm -r journal.db-$suffix
    done
done

# ---- what is no store: both end with the same code and message
ln -s gone.db dangling.db
mkdir folder
head -c 20000 /dev/urandom >garbage.db
: >empty.db
while read -r code file text; do
    for command in check run; do
        got=0
        timeout 20 "$program" "$command" "$file" >out 2>err || got=$?
        [ "$got" = "$code" ] && grep -qF -e "$text" err
        is $? "$command: $file: $text"
    done
done <<'LIST'
66 dangling.db is a symbolic link whose target cannot be opened
66 folder is not a file but a folder: name the store in it
66 fifo is not a file
66 /dev/zero is not a file
66 missing.db No such file or directory
66 empty.db is empty
65 garbage.db the file is not an SQLite database
LIST
for command in check run; do
    check "$command: a symbolic link to a store" 0 '*' "$command" --quiet link.db
done

# ---- the lock
cat >holding.py <<'PYTHON'
import fcntl, subprocess, sys
held = open("s.db-twindex-lock", "w")
fcntl.flock(held, fcntl.LOCK_EX)
sys.exit(subprocess.call(sys.argv[1:]))
PYTHON
python3 holding.py "$program" check s.db >out 2>err
[ $? = 1 ] && grep -q 'PROBLEM.*is in use by' out
is $? 'another run is at work'
rm -f s.db-twindex-lock && ln s.db s.db-twindex-lock
succeeds 'a lock file that is a hard link to the store' both 'is a hard link to another file' s.db
rm -f s.db-twindex-lock

if [ "$(id -u)" != 0 ] || ! setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
    echo 'skipped: permissions need root and setpriv'
    exit $failed
fi
as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
chmod 755 "$work"
mkdir theirs mine && chown 65534:65534 theirs

# ---- permissions
make mine/s.db && chmod 644 mine/s.db
succeeds 'a folder that is not writable' both 'mine is not writable for user 65534' mine/s.db
succeeds 'nor is the file' both 's.db is not writable for user 65534' mine/s.db
make theirs/read.db && chmod 444 theirs/read.db
both 'read.db is not writable for user 65534' theirs/read.db && grep -q 'read.db is not writable for user 65534' run.err
is $? 'a file that is not writable in a folder that is; the run says the same'
make mine/wal.db && sqlite3 mine/wal.db 'PRAGMA journal_mode=WAL' >/dev/null
"${as[@]}" "$program" check mine/wal.db >out 2>err
[ $? = 66 ] && grep -q 'folder is not writable for user 65534, and SQLite has to make -shm there (a store in WAL mode)' err
is $? 'a WAL store in a folder that is not writable'
"${as[@]}" "$program" run mine/wal.db >out 2>err
[ $? = 66 ] && grep -q 'folder is not writable for user 65534' err
is $? 'the run says the same'
make theirs/s.db && chown 65534:65534 theirs/s.db && "$program" run --quiet theirs/s.db >out 2>err
[ "$(stat -c %u theirs/s.db-twindex-lock)" = 65534 ] && sqlite3 theirs/s.db "UPDATE pages SET content = 'three' WHERE id = 1" && "${as[@]}" "$program" run --quiet theirs/s.db >out 2>err
is $? 'a lock file that root has made does not block the owner'
chown 0:0 theirs/s.db-twindex-lock && chmod 644 theirs/s.db-twindex-lock && "${as[@]}" "$program" run --quiet theirs/s.db >out 2>err
is $? 'nor does one of root that can be read'
chown 0:0 theirs/s.db-twindex-lock && chmod 600 theirs/s.db-twindex-lock
"${as[@]}" "$program" check theirs/s.db >out 2>err && "${as[@]}" "$program" run --quiet theirs/s.db >out 2>err && [ "$(stat -c %u theirs/s.db-twindex-lock)" = 65534 ]
is $? 'nor one of root that cannot be read: the owner of the store replaces it'
chown 0:0 theirs/s.db-twindex-lock && chmod 600 theirs/s.db-twindex-lock && chmod 666 theirs/s.db && chmod 777 theirs
as=(setpriv --reuid 65533 --regid 65533 --clear-groups)
succeeds 'for a user who is not the owner it is named' both 'belongs to user 0 and cannot be read: remove it' theirs/s.db
as=()

# ---- space
mkdir tiny
if mount -t tmpfs -o size=200k none tiny 2>/dev/null; then
    cp s.db tiny/ && sqlite3 tiny/s.db "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        INSERT INTO pages SELECT i, i, 'https://a.example/' || i, i FROM n"
    succeeds 'a full disk' both 'of free space, but only 0' tiny/s.db

    # not even the index of the WAL fits
    sqlite3 wal.db "PRAGMA journal_mode = WAL; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT)" >out && rm -f tiny/* && cp wal.db tiny/ && cat /dev/zero >tiny/filled 2>err
    refuses 'a disk that is full before the store is opened' 74 'tiny/wal.db: read: no space is left on the disk for' run tiny/wal.db
    matches 'the file that cannot grow is named' 'tiny/wal.db-shm' err
    # a join without an index is copied to a temporary file
    rm tiny/*
    sqlite3 join.db "CREATE TABLE page(id INTEGER PRIMARY KEY, url TEXT); CREATE TABLE version(page_id INTEGER, body TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO page SELECT i, 'https://a.example/' || i FROM n;
        INSERT INTO version SELECT id, hex(randomblob(500)) FROM page ORDER BY id DESC"
    join='store.from=page JOIN version ON version.page_id = page.id'
    export SQLITE_TMPDIR=tiny
    both 'needs a temporary copy of the documents, about 3 MiB, but tiny has 0 MiB free: set SQLITE_TMPDIR' join.db \
        --set "$join" --set store.id=page.id --set store.url=url --set store.text=body
    is $? 'no room for the copy of a join'
    grep -q 'but tiny has 0 MiB free: set SQLITE_TMPDIR' run.err && [ "$(grep -c PROBLEM out)" = 1 ] && [ ! -e join.db-wal ]
    is $? 'the run says the same, and check says it once'
    both 'a temporary file in tiny cannot grow' join.db --set 'store.from=(SELECT page_id, max(body) AS body FROM version GROUP BY page_id) AS v JOIN page ON page.id = v.page_id' \
        --set store.id=page.id --set store.url=url --set store.text=body
    is $? 'no room for a sort'
    unset SQLITE_TMPDIR
    check 'elsewhere there is room' 0 '*' run --quiet --set "$join" --set store.id=page.id --set store.url=url --set store.text=body join.db
else
    echo 'skipped: a file system of its own cannot be mounted'
fi
exit $failed
