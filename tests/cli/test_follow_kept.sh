#!/bin/bash
# What 'twindex follow' keeps from run to run does not show: after each of many random changes, the flags are those of a whole judgement of a copy.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

cat >histories.py <<'PYTHON'
# histories.py PROGRAM STORE SEED ROUNDS: changes a store that is followed, and verifies a copy of it after each round
import random, sqlite3, subprocess, sys, time
program, store, seed, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
words = ["".join(rng.choices("abcdefghijklmnop", k=6)) for _ in range(400)]
db = sqlite3.connect(store, isolation_level=None, timeout=30)
add = "INSERT OR REPLACE INTO documents(id, url, title, text, http_status) VALUES (?, ?, ?, ?, 200)"


def text():
    return " ".join(rng.choices(words, k=40))


def waits(at):  # until a document has flags, and with it what was written in its transaction
    until = time.monotonic() + 60
    while time.monotonic() < until:
        time.sleep(.05)
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'document_flags'").fetchone() and \
           db.execute("SELECT 1 FROM document_flags WHERE id = ? AND NOT EXISTS (SELECT 1 FROM twindex_change)", (at,)).fetchone(): return
    sys.exit("the changes were not published in time")


families = [text() for _ in range(12)]
def page(n):
    base = rng.choice(families).split()
    for _ in range(rng.choice((0, 0, 1, 2, 5))): base[rng.randrange(len(base))] = rng.choice(words)
    host = rng.choice(("a", "b", "www.a", "c%d" % rng.randrange(9)))
    return n, "http%s://%s.example/%s/%d.html" % (rng.choice(("", "s")), host, rng.choice(words[:6]), rng.randrange(400)), " ".join(rng.choices(words[:30], k=3)), " ".join(base)


db.execute("BEGIN")
for n in range(600): db.execute(add, page(n))
db.execute("COMMIT")
follower = subprocess.Popen([program, "follow", "--every", "0", store])
waits(599)
for n in range(rounds):
    db.execute("BEGIN IMMEDIATE")
    for _ in range(rng.randint(1, 12)):
        at, what = rng.randrange(700), rng.random()
        if what < .3: db.execute(add, page(at))
        elif what < .4: db.execute("DELETE FROM documents WHERE id = ?", (at,))
        elif what < .5: db.execute("UPDATE documents SET title = ? WHERE id = ?", (page(0)[2], at))
        elif what < .6: db.execute("UPDATE documents SET http_status = 604 - http_status WHERE id = ?", (at,))
        elif what < .7: db.execute("UPDATE documents SET url = url || '?print=1' WHERE id = ?", (at,))
        else: db.execute("UPDATE documents SET text = text || ' ' || ? WHERE id = ?", (rng.choice(words), at))
    db.execute(add, page(1000 + n))
    db.execute("COMMIT")
    waits(1000 + n)
    db.execute("VACUUM INTO ?", ("%s-%d" % (store, n),))
    verified = subprocess.run([program, "run", "--quiet", "--verify", "%s-%d" % (store, n)], capture_output=True, text=True)
    if verified.returncode or follower.poll() is not None: sys.exit("seed %d, round %d: %s" % (seed, n, verified.stderr))
follower.terminate()
sys.exit(follower.wait())
PYTHON
for seed in 1 2; do
    "$program" init --quiet "s$seed.db"
    python3 histories.py "$program" "s$seed.db" $seed "${ROUNDS:-12}" >out 2>&1
    equal "history $seed: the flags are those of a whole judgement" '0 ' "$? $(tail -n 3 out)"
done
exit $failed
