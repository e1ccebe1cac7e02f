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


def waits(at):  # until a document has flags, and with it what was written in its transaction
    until = time.monotonic() + 60
    while time.monotonic() < until:
        time.sleep(.05)
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'document_flags'").fetchone() and \
           db.execute("SELECT 1 FROM document_flags WHERE id = ? AND NOT EXISTS (SELECT 1 FROM twindex_change)", (at,)).fetchone(): return
    sys.exit("the changes were not published in time")


def sentence(n): return " ".join(rng.choices(words, k=n)) + ". "


families = [(rng.sample(words, 3), [sentence(9) for _ in range(5)]) for _ in range(40)]
sites = [(host, rng.choice(words) + " " + rng.choice(words), [sentence(8) for _ in range(3)])
         for host in ("a.example", "b.example", "www.b.example", "x.c.example")]
def page(n):  # of a family: with the site's words in titles and texts, with other words, numbers or dates, at forms of one URL or at several
    number = rng.randrange(len(families))
    (title, text), (host, name, around) = families[number], sites[min(rng.randrange(12) // 4 + rng.randrange(2), 3)]
    title, text = list(title[:rng.choice((2, 3, 3, 3))]), list(text)
    what = rng.random()
    if what < .2: title.append(rng.choice(words[:8]))
    elif what < .3: title = ["home"]
    if rng.random() < .6: title += ["|", name]
    for _ in range(rng.choice((0, 0, 1, 2))):
        at = rng.randrange(len(text))
        text[at] = rng.choice((sentence(9), text[at].replace(" ", " %d " % rng.randrange(90), 1), "", text[at].replace(" ", " " + rng.choice(words) + " ", 1)))
    body = "".join(around[:rng.randrange(4)]) + "".join(text) + rng.choice(("", "seen %d times. " % rng.randrange(50), around[2]))
    end = rng.choice(("", "", "?session=%d" % rng.randrange(20), "?print=1", "-%d" % rng.randrange(3)))
    return n, "http%s://%s/%s/page%d%s" % (rng.choice(("", "s")), host, words[number % 5], number * 50 + rng.randrange(50), end), " ".join(title), body


db.execute("BEGIN")
for n in range(1500): db.execute(add, page(n))
db.execute("COMMIT")
follower = subprocess.Popen([program, "follow", "--every", "0", store])
waits(1499)
for n in range(rounds):
    db.execute("BEGIN IMMEDIATE")
    for _ in range(rng.randint(1, 6)):
        at, what = rng.randrange(1600), rng.random()
        if what < .3: db.execute(add, page(at))
        elif what < .4: db.execute("DELETE FROM documents WHERE id = ?", (at,))
        elif what < .5: db.execute("UPDATE documents SET title = ? WHERE id = ?", (page(0)[2], at))
        elif what < .6: db.execute("UPDATE documents SET http_status = 604 - http_status WHERE id = ?", (at,))
        elif what < .7: db.execute("UPDATE documents SET url = url || '?print=1' WHERE id = ?", (at,))
        elif what < .85: db.execute("UPDATE documents SET title = ?, text = ? WHERE id = ?", page(0)[2:] + (at,))
        else: db.execute("UPDATE documents SET text = text || ' ' || ? WHERE id = ?", (rng.choice(words), at))
    db.execute(add, page(2000 + n))
    db.execute("COMMIT")
    waits(2000 + n)
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
