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
    "${as[@]}" "$program" run --quiet "$@" "$file" >out 2>err && { echo 'the run did not fail' >>err; return 1; }
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
"$program" check s.db >out 2>err
is $? 'a store in order'
[ ! -e s.db-twindex-lock ]
is $? 'check makes no lock file'

# ---- ids
make ids.db && sqlite3 ids.db "INSERT INTO pages VALUES (3, 'a', 'https://c.example/', 'three')"
both "store.id does not tell documents apart: 1 row repeats an id of another row, the first is 'a'" ids.db --set store.from=pages --set store.id=key --set store.url=url --set store.text=content
is $? 'ids that repeat'

# ---- names
make names.db && sqlite3 names.db 'CREATE TABLE document_flags(x)'
both 'an object of its own named document_flags' names.db --set store.from=pages --set store.id=id --set store.url=url --set store.text=content
is $? 'a table of the name of a view'

# ---- pins
echo 'keep' >pins.txt
both 'pins.txt:1: keep takes one URL' s.db --set verdict.pins=pins.txt
is $? 'a file of pins with an error'

# ---- the lock
cat >holding.py <<'PYTHON'
import fcntl, subprocess, sys
held = open("s.db-twindex-lock", "w")
fcntl.flock(held, fcntl.LOCK_EX)
sys.exit(subprocess.call(sys.argv[1:]))
PYTHON
python3 holding.py "$program" check s.db >out 2>err
[ $? = 1 ] && grep -q 'PROBLEM.*is being worked on by' out
is $? 'another run is at work'
rm -f s.db-twindex-lock && ln s.db s.db-twindex-lock
both 'is a hard link to another file' s.db
is $? 'a lock file that is a hard link to the store'
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
both 'mine is not writable for user 65534' mine/s.db
is $? 'a folder that is not writable'
both 's.db is not writable for user 65534' mine/s.db
is $? 'nor is the file'
make mine/wal.db && sqlite3 mine/wal.db 'PRAGMA journal_mode=WAL' >/dev/null
"${as[@]}" "$program" check mine/wal.db >out 2>err
[ $? = 66 ] && grep -q 'folder is not writable for user 65534, and SQLite has to make -shm there (a store in WAL mode)' err
is $? 'a WAL store in a folder that is not writable'
make theirs/s.db && chown 65534:65534 theirs/s.db && "$program" run --quiet theirs/s.db >out 2>err
[ "$(stat -c %u theirs/s.db-twindex-lock)" = 65534 ] && sqlite3 theirs/s.db "UPDATE pages SET content = 'three' WHERE id = 1" && "${as[@]}" "$program" run --quiet theirs/s.db >out 2>err
is $? 'a lock file that root has made does not block the owner'
chown 0:0 theirs/s.db-twindex-lock && chmod 644 theirs/s.db-twindex-lock && "${as[@]}" "$program" run --quiet theirs/s.db >out 2>err
is $? 'nor does one of root that can be read'
chmod 600 theirs/s.db-twindex-lock
both 'belongs to user 0 and cannot be read: remove it' theirs/s.db
is $? 'one that cannot be read is named'
as=()

# ---- space
mkdir tiny
if mount -t tmpfs -o size=200k none tiny 2>/dev/null; then
    cp s.db tiny/ && sqlite3 tiny/s.db "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        INSERT INTO pages SELECT i, i, 'https://a.example/' || i, i FROM n"
    both 'of free space, there are 0' tiny/s.db
    is $? 'a full disk'
else
    echo 'skipped: a file system of its own cannot be mounted'
fi
exit $failed
