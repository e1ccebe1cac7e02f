#!/bin/bash
# without sanitizers: its subject is locks and time; fault/test_crawler writes meanwhile, too
# Commands that write while another program writes to the store: a store with a rollback journal does not deadlock, and the WAL of a store
# that no other process has open does not grow from run to run.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

cat >write.py <<'PYTHON'
# write.py PROGRAM JOURNAL-MODE ARGUMENT...: the command works on a store of 12000 documents while a crawler holds the write lock half of the time
import os, sqlite3, subprocess, sys, threading, time
program, mode, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
for end in ("", "-wal", "-shm", "-journal"):
    if os.path.exists("s.db" + end): os.remove("s.db" + end)
db = sqlite3.connect("s.db", isolation_level=None)
db.execute("PRAGMA journal_mode=" + mode)
db.executescript("CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT, title TEXT); BEGIN")
for i in range(12000): db.execute("INSERT INTO pages VALUES (?, ?, ?, 't')", (i, "http://a.example/%d" % i, "text%d number %d and so on " % (i, i // 2)))
db.execute("COMMIT")
subprocess.run([program, "run", "--quiet", "s.db"], check=True)
faults, ended = [], threading.Event()
def crawl():
    crawler = sqlite3.connect("s.db", isolation_level=None, timeout=5)
    n = 0
    while not ended.is_set() and not faults:
        try:
            crawler.execute("BEGIN IMMEDIATE")
            crawler.execute("UPDATE pages SET title = ? WHERE id = ?", ("u%d" % n, n % 12000))
            time.sleep(.004)
            crawler.execute("COMMIT")
        except sqlite3.Error as error: faults.append(str(error))
        n += 1
        time.sleep(.004)
thread = threading.Thread(target=crawl)
thread.start()
time.sleep(.1)
result = subprocess.run([program] + arguments + ["s.db"])
ended.set()
thread.join()
sys.exit(f"exit code {result.returncode}, crawler: {faults}" if result.returncode or faults else 0)
PYTHON
for mode in DELETE WAL; do
    python3 write.py "$program" $mode index --quiet >out 2>err
    is $? "index and a crawler, journal mode $mode"
    python3 write.py "$program" $mode run --full --quiet --force >out 2>err
    is $? "run --full and a crawler, journal mode $mode"
done

# ---- the WAL of a store that no other process has open: settings that alternate make each run sign and publish everything.
# Each pair of pages has words of its own: pages that are all alike would cost the search for near-duplicates minutes.
cat >wal.py <<'PYTHON'
import os, sqlite3, subprocess, sys
db = sqlite3.connect("w.db", isolation_level=None)
db.execute("PRAGMA journal_mode=WAL")
db.executescript("CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT); BEGIN")
for i in range(20000): db.execute("INSERT INTO pages VALUES (?, ?, ?)", (i, "http://a.example/%d" % i, " ".join("w%d" % (i // 2 * 40 + k) for k in range(40))))
db.execute("COMMIT")
db.close()
sizes = []
for n in range(5):
    subprocess.run([sys.argv[1], "run", "--quiet", "--full", "--force", "--set", "fuzzy.min_token_len=%d" % (2 + n % 2), "w.db"], check=True)
    left = [name for name in os.listdir() if name.startswith("w.db-") and not name.endswith("-lock")]
    if left: sys.exit(f"run {n} leaves {left}")
    sizes.append(os.path.getsize("w.db"))
# the second run makes the other generation; from then on pages are used again
if sizes[4] > sizes[1] * 1.1: sys.exit(f"the file grows from run to run: {sizes}")
PYTHON
python3 wal.py "$program" >out 2>err
is $? 'the WAL does not grow from run to run, nor does the file'

# ---- the WAL of a store that another program has open without writing: after each run the file has all of it (the index of the WAL says
# so, see sqlite.org/walformat.html), and the next run uses it again from its beginning
cat >idle.py <<'PYTHON'
import os, sqlite3, struct, subprocess, sys
db = sqlite3.connect("w.db", isolation_level=None)
db.execute("CREATE TABLE visits(n)")
sizes = []
for length in 3, 2, 2, 3, 2, 3:
    subprocess.run([sys.argv[1], "run", "--quiet", "--full", "--force", "--set", f"fuzzy.min_token_len={length}", "w.db"], check=True)
    sizes.append(os.path.getsize("w.db-wal"))
    # in a process of its own: closing the file here would end the locks of this one's connection
    index = subprocess.run(["head", "-c", "100", "w.db-shm"], check=True, capture_output=True).stdout
    frames, copied = struct.unpack_from("=I", index, 16)[0], struct.unpack_from("=I", index, 96)[0]
    print(sizes[-1], frames, copied)
    if copied < frames: sys.exit("a run has left frames that the file does not have")
if sizes[0] < 500 * 4120: sys.exit("the WAL is too small for this test")
if max(sizes) > 1.2 * sizes[0]: sys.exit("the WAL has grown from run to run")
PYTHON
python3 idle.py "$program" >out 2>err
is $? 'the WAL beside an idle connection: the file has all of it after a run, and it does not grow from run to run'
exit "$failed"
