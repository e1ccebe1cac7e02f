#!/bin/bash
# 'twindex follow': flags that follow a crawler, until it is stopped. What it publishes in the end is what 'run' publishes.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

cat >crawl.py <<'PYTHON'
# crawl.py STORE SECONDS: inserts, changes and deletes documents, 50 transactions a second
import random, sqlite3, sys, time
db, rng = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=10), random.Random(7)
until = time.monotonic() + float(sys.argv[2])
while time.monotonic() < until:
    at, n = rng.randrange(400), rng.randrange(60)
    text = " ".join("".join(random.Random(n * 30 + k).choices("abcdefghijklmnop", k=7)) for k in range(30))
    if rng.random() < .2: db.execute("DELETE FROM documents WHERE id = ?", (at,))
    else: db.execute("INSERT INTO documents(id, url, text, http_status) VALUES (?, ?, ?, 200) ON CONFLICT DO UPDATE SET text = excluded.text",
                     (at, f"http://h{at % 7}.example/{at}", text))
    time.sleep(.02)
PYTHON
cat >make.py <<'PYTHON'
# make.py STORE: 300 documents, of which two each have one text
import random, sqlite3, sys
db, rng = sqlite3.connect(sys.argv[1]), random.Random(3)
for i in range(0, 300, 2):
    text = " ".join("".join(rng.choices("abcdefghijklmnop", k=7)) for _ in range(30))
    for at in (i, i + 1): db.execute("INSERT INTO documents(id, url, text, http_status) VALUES (?, ?, ?, 200)", (at, f"http://h{i % 7}.example/{at}", text))
db.commit()
PYTHON
sql() { sqlite3 -cmd '.timeout 5000' "$@"; }
make() { "$program" init --quiet "$1" && python3 make.py "$1"; }
follows() { # OPTION...: begins to follow s.db
    "$program" follow --every 0 "$@" s.db >out 2>err &
    follower=$!
}
ends() { # SIGNAL: its exit code
    kill "-$1" $follower
    wait $follower
}
soon() { # WHAT SQL VALUE [STORE]: the query gives the value within 20 seconds
    local found
    for _ in {1..200}; do
        found=$(sql "${4:-s.db}" "$2" 2>&1)
        if [ "$found" = "$3" ]; then break; fi
        sleep .1
    done
    equal "$1" "$3" "$found"
}
says() { # WHAT TEXT: on standard error, within 20 seconds
    for _ in {1..200}; do
        if grep -qF -e "$2" err; then break; fi
        sleep .1
    done
    succeeds "$1" grep -qF -e "$2" err
}
# what a run over everything publishes
full() { rm -f full.db && sql s.db "VACUUM INTO 'full.db'" && "$program" run --quiet --full --force full.db && "$program" digest full.db; }

# ---- commands by hand wait for a run of it, not for others
cat >hold.py <<'PYTHON'
# hold.py STORE HOLDER SECONDS: has the lock of a store, as a holder of that name
import fcntl, sys, time
held = open(sys.argv[1] + "-twindex-lock", "w"); fcntl.flock(held, fcntl.LOCK_EX)
print(sys.argv[2], "since 2026-01-01T00:00:00Z", file=held, flush=True); print("held", flush=True)
time.sleep(float(sys.argv[3]))
PYTHON
make waits.db
hold() { # HOLDER SECONDS
    coproc python3 hold.py waits.db "$1" "$2"
    read -r _ <&"${COPROC[0]}"
    holds=$COPROC_PID
}
hold "process 7 ('twindex follow')" 1
succeeds 'a run waits for that of follow' "$program" run --quiet waits.db
wait "$holds"
hold "process 7 ('twindex follow')" 5
refuses 'not for ever' 75 "is in use by process 7 ('twindex follow') since" run --quiet --set run.busy_ms=200 waits.db
kill "$holds"
wait "$holds"
hold 'process 7' 5
refuses 'others are not waited for' 75 'is in use by process 7 since' run --quiet waits.db
succeeds 'they still have the lock' kill "$holds"
wait "$holds"

# ---- what is refused
sql pages.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT, seen INTEGER);
    INSERT INTO pages VALUES (1, 'http://a.example/', 'one text', 1), (2, 'http://b.example/', 'one text', 1), (3, 'http://c.example/', 'two texts', 1)"
refuses 'a store of which every row would be read' 65 'change feed scan' follow pages.db
make s.db
refuses 'flags in another file' 65 'change feed scan' follow --set store.flags=flags.db s.db
SECONDS=0; refuses 'no store' 66 'none.db' follow none.db; equal 'at once' yes "$([ $SECONDS -lt 8 ] && echo yes)"
refuses 'several stores' 64 'one argument too many' follow s.db pages.db

# ---- a crawler, and commands by hand
follows
soon 'the first flags' 'SELECT count(*), sum(representative_b) FROM document_flags' '300|150'
python3 crawl.py s.db 3 &
crawler=$!
sleep 1
for _ in {1..100}; do "$program" run --quiet s.db >by-hand 2>&1 && break; sleep .05; done
is $? 'a run by hand while the store is followed'
wait $crawler
sql s.db "INSERT INTO documents(id, url, text, http_status) VALUES (9999, 'http://last.example/', 'the last one', 200)"
soon 'the last document has flags' 'SELECT count(*) FROM document_flags WHERE id = 9999' 1
soon 'and nothing is queued' 'SELECT count(*) FROM twindex_change' 0
equal 'the flags are those of a whole run' "$(full)" "$("$program" digest s.db)"
sql s.db 'DELETE FROM documents WHERE id = 9999'
soon 'a deleted document has none' 'SELECT count(*) FROM document_flags WHERE id = 9999' 0
equal 'the ledger keeps the first run and the last ones' '1' "$(sql s.db 'SELECT count(*) BETWEEN 3 AND 5 AND min(run) = 1 FROM twindex_run')"
runs=$(sql s.db 'SELECT max(run) FROM twindex_run')
sql s.db 'CREATE TABLE other(a); INSERT INTO other VALUES (1)'
sleep 1
equal 'a commit that changes no document publishes nothing' "$runs" "$(sql s.db 'SELECT max(run) FROM twindex_run')"
ends TERM
equal 'SIGTERM ends it, and nothing was printed' '0 0 0' "$? $(wc -c <out) $(grep -c warning err)"
judged='SELECT judged FROM twindex_state'
equal 'a run after it need not judge again' "$(sql s.db "$judged")" "$("$program" run --quiet s.db 2>&1 && sql s.db "$judged")"

# ---- a kill, and what happens while `follow` is not running
follows
soon 'it goes on' 'SELECT count(*) FROM twindex_change' 0
sql s.db "INSERT INTO documents(id, url, text, http_status) VALUES (8888, 'http://a.example/8888', 'killed', 200)"
kill -KILL $follower
wait $follower 2>/dev/null
sql s.db "INSERT INTO documents(id, url, text, http_status) VALUES (8889, 'http://a.example/8889', 'killed', 200)"
follows --metrics s.prom
soon 'the next start publishes what was left' 'SELECT count(*), sum(representative_b) FROM document_flags WHERE id > 8000' '2|1'
equal 'the flags are those of a whole run' "$(full)" "$("$program" digest s.db)"

# ---- a copy with another run of the same number, or with later runs, is restored in its place, without a trigger or the lock
for runs in 1 3; do
    sql s.db '.backup later.db'
    sql s.db "INSERT INTO documents(id, url, text, http_status) VALUES (600$runs, 'http://a.example/600$runs', 'lost', 200)"
    soon 'a run that is lost' "SELECT count(*) FROM document_flags WHERE id = 600$runs" 1
    for text in $(seq $runs); do sql later.db "UPDATE documents SET text = '$text of $runs' WHERE id IN (3, 8889)" && "$program" run --quiet --force later.db; done
    sql s.db '.restore later.db'
    sql s.db "INSERT INTO documents(id, url, text, http_status) VALUES (700$runs, 'http://a.example/700$runs', 'restored', 200)"
    soon 'a document after another copy was restored' "SELECT count(*) FROM document_flags WHERE id = 700$runs" 1
    equal 'the flags are those of a whole run of it' "$(full)" "$("$program" digest s.db)"
done
sql s.db 'UPDATE twindex_flag SET title_count = 77 WHERE doc = 8888; DELETE FROM documents WHERE id = 7003'
soon 'the next run after somebody has changed flags' 'SELECT count(*) FROM document_flags WHERE id = 7003' 0
equal 'makes them those of a whole run' "$(full)" "$("$program" digest s.db)"

# ---- guards
sql s.db 'UPDATE documents SET http_status = 503 WHERE id <> 8888'
says 'a guard stops it' 'nothing is published until another run has published'
matches 'which the metrics say' 'twindex_run_exit_code{store="s.db"} 3' s.prom
sql s.db 'UPDATE documents SET http_status = 200 WHERE id = 8889'
sleep 1
equal 'the flags stay' 2 "$(sql s.db 'SELECT count(*) FROM document_flags WHERE id > 8000 AND indexable_b')"
succeeds 'run --force' "$program" run --quiet --force s.db 2>/dev/null
sql s.db 'UPDATE documents SET http_status = 200 WHERE id = 1'
soon 'it goes on after that' 'SELECT indexable_b FROM document_flags WHERE id = 1' 1
soon 'with another exit code in the metrics' "SELECT CAST(readfile('s.prom') AS TEXT) LIKE '%exit_code{store=\"s.db\"} 0%'" 1
"$program" undo s.db >/dev/null 2>by-hand && sql s.db 'UPDATE documents SET http_status = 200 WHERE id = 2'
says 'an undo stops it' 'are published again (undo)'
looks() { awk '/^voluntary/ { print $2 }' /proc/$follower/status; }
before=$(looks)
sleep 1
succeeds 'it looks some ten times a second, not hundreds' [ $(($(looks) - before)) -lt 50 ]
equal 'what was undone is not published' '0|0' "$(sql s.db 'SELECT sum(indexable_b) FILTER (WHERE id = 1), sum(indexable_b) FILTER (WHERE id = 2) FROM document_flags')"
"$program" run --quiet s.db 2>by-hand && sql s.db 'UPDATE documents SET http_status = 200 WHERE id = 3'
soon 'after a run it goes on' 'SELECT sum(indexable_b) FROM document_flags WHERE id < 4' 3

# ---- a guard whose cause is gone: tried once a minute
if [ -n "$long_tests" ]; then
    left='SELECT count(*) FROM document_flags WHERE NOT indexable_b'
    sql s.db 'UPDATE documents SET http_status = 200'
    soon 'all take part' "$left" 0
    sql s.db 'UPDATE documents SET http_status = 503'
    soon 'a guard stops it again' "SELECT CAST(readfile('s.prom') AS TEXT) LIKE '%exit_code{store=\"s.db\"} 3%'" 1
    sql s.db 'UPDATE documents SET http_status = 200; UPDATE documents SET http_status = 404 WHERE id = 4'
    for second in {1..75}; do
        [ "$(sql s.db "$left")" = 1 ] && break
        sleep 1
    done
    equal "without a run by hand it goes on ($second s)" 1 "$(sql s.db "$left")"
fi

# ---- a lock
python3 -c 'import fcntl, sqlite3, time
held = open("s.db-twindex-lock"); fcntl.flock(held, fcntl.LOCK_EX)
sqlite3.connect("s.db", isolation_level=None, timeout=5).execute("UPDATE documents SET http_status = 200 WHERE id = 4"); time.sleep(1.5)'
says 'a locked store is tried again' 'it is tried again'
soon 'and published later' 'SELECT indexable_b FROM document_flags WHERE id = 4' 1

# ---- another store in its place, to which somebody is writing
make new.db
cat >replace.py <<'PYTHON'
import os, sqlite3, time
db = sqlite3.connect("new.db", isolation_level=None)
db.execute("INSERT INTO documents(id, url, text, http_status) VALUES (7777, 'http://a.example/7777', 'of the new one', 200)")
for end in ("-wal", "-shm", ""): os.rename("new.db" + end, "s.db" + end)
time.sleep(3) # its row is in the WAL alone
print(db.execute("SELECT count(*) FROM documents WHERE id = 7777").fetchone()[0], os.path.exists("s.db-wal"))
PYTHON
equal 'the WAL of the new store stays' '1 True' "$(python3 replace.py 2>&1)"
soon 'the new store is followed' 'SELECT count(*), max(id) FROM document_flags' '301|7777'
says 'which a note says' 's.db is another file now'
mv s.db gone.db
wait $follower
equal 'no store for ten seconds' '66 1' "$? $(grep -c 's.db: No such file' err)"

# ---- changes by a column, and a rollback journal, which a crawler keeps locked for longer than is waited
env --default-signal=INT "$program" follow --every 0 --set run.busy_ms=100 --set store.changed=seen pages.db >out 2>err & # a shell ignores SIGINT for it
follower=$!
soon 'flags by a column of changes' 'SELECT sum(representative_b) FROM document_flags' 2 pages.db
sql pages.db "UPDATE pages SET text = 'two texts', seen = 2 WHERE id = 2"
soon 'a changed row' 'SELECT duplicate_of FROM document_flags WHERE id = 3' 2 pages.db
python3 -c 'import sqlite3, time
db = sqlite3.connect("pages.db", isolation_level=None, timeout=10); db.execute("BEGIN EXCLUSIVE"); time.sleep(1.5)'
sql pages.db 'DELETE FROM pages WHERE id = 2'
soon 'a deleted row' 'SELECT count(*), sum(representative_b) FROM document_flags' '2|2' pages.db
sleep 1
runs=$(sql pages.db 'SELECT max(run) FROM twindex_run')
sleep 1
equal 'its own commits are no changes' "$runs" "$(sql pages.db 'SELECT max(run) FROM twindex_run')"
ends INT
equal 'SIGINT ends it' 0 $?
exit $failed
