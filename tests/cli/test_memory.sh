#!/bin/bash
# wings: lab
# --memory covers sorting, grouping and remembered texts: the peak of a run is that, some 200 bytes per document, and
# what batches of documents take. The flags do not depend on it.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
case $(ldd "$program"; strings "$program" | grep -m 1 __gcov_) in
    *lib[at]san* | *gcov*) echo 'ok - skipped: a sanitizer and counts of branches take memory of their own' && exit ;;
esac

python3 - "$program" <<'PYTHON' >out 2>err
import os, random, sqlite3, subprocess, sys
program, words, rng, N = sys.argv[1], [f"word{i}" for i in range(5000)], random.Random(1), 25000
subprocess.run([program, "init", "m.db"], check=True)
db = sqlite3.connect("m.db", isolation_level=None)
db.execute("BEGIN")
for i in range(N):
    text = " ".join(rng.choices(words, k=40)) if i % 3 != 1 else text
    db.execute("INSERT INTO documents(url, title, text) VALUES (?, ?, ?)", (f"http://a{i % 20}.example/{i}", f"title {i % 4000}", text))
db.execute("COMMIT")
db.close()
def run(memory, *more):
    pid = os.spawnlp(os.P_NOWAIT, program, program, "run", "--quiet", "--force", "--verify", "--jobs", "2", "--memory", memory, *more, "m.db")
    _, status, usage = os.wait4(pid, 0)
    if status: sys.exit(f"a run with {memory} ends with {status}")
    digest = subprocess.run([program, "digest", "m.db"], capture_output=True, text=True, check=True).stdout
    return usage.ru_maxrss / 1024, digest
peaks = {}
run("16M") # signs
for memory in (16, 256):
    peaks[memory], digest = run(f"{memory}M")
    print(memory, round(peaks[memory], 1), digest, end="")
    if memory == 16: first = digest
    elif digest != first: sys.exit("the flags depend on the memory")
if peaks[16] > 16 + N * 200 / 1e6 + 20: sys.exit(f"with 16 MB the peak is {peaks[16]:.1f} MB")
# Keys of shingles are sorted; the default method looks its candidates up instead.
shingles = "--set", "near.detector=shingles"
run("16M", *shingles)
little, much = run("16M", *shingles), run("256M", *shingles)
if little[1] != much[1]: sys.exit("the flags by shingles depend on the memory")
if little[0] + 5 > much[0]: sys.exit(f"by shingles, 16 MB take {little[0]:.1f} MB and 256 MB {much[0]:.1f} MB: the setting has no effect")
PYTHON
is $? "the peak of a run with --memory 16M: $(awk 'NR == 1 { print $2 " MiB" }' out)"
exit $failed
