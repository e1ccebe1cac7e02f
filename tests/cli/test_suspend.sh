#!/bin/bash
# wings: import
# Ctrl-Z (SIGTSTP): a command that is stopped never keeps others from writing to the store; it stops when its transaction has ended, and goes on after SIGCONT.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
sqlite3 s.db "PRAGMA journal_mode = WAL; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
    INSERT INTO pages SELECT i, 'http://h.example/' || i, 'title ' || i, 'text number ' || i % 5000 || ' with some more words' FROM n" >sql.out
"$program" init --quiet own.db && sqlite3 s.db "SELECT json_object('url', url, 'text', text) FROM pages" >pages.jsonl
# LeakSanitizer stops the program at its exit with PTRACE_ATTACH, whose SIGSTOP is lost when SIGCONT comes before it is delivered: both
# then wait for ever (a program without any code of its own does so too). Other tests look for leaks.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
cat >stopping.py <<'PYTHON'
# before=COMMAND stopping.py STORE STOPS COMMAND...: runs both again and again until the second one was stopped so often; prints how often it held the right to write
# stopping.py ignored COMMAND...: sends SIGTSTP to a command whose parent ignores it. No wait of this program is without an end.
import glob, os, random, signal, sqlite3, subprocess, sys, time
deadline = time.monotonic() + 250

def give_up(child, what):
    print(f"{what}: process {child.pid}", file=sys.stderr)
    for path in sorted(glob.glob(f"/proc/{child.pid}/task/*/[sw]*")):
        if os.path.basename(path) in ("status", "wchan", "stack", "syscall"):
            try:
                text = "".join(line for line in open(path) if not path.endswith("status") or line.startswith(("State", "Tracer", "Sig", "Shd")))
            except OSError as problem:
                text = str(problem)
            print(f"--- {path}\n{text}", file=sys.stderr)
    child.kill()
    sys.exit(1)

def wait_for(child, wanted, what):
    while not (found := wanted()):
        if time.monotonic() > deadline: give_up(child, what)
        time.sleep(0.0005)
    return found

def ended_or_stopped(child):
    pid, status = os.waitpid(child.pid, os.WUNTRACED | os.WNOHANG)
    return (status,) if pid else None

def must_have_ended(status):
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != 0: sys.exit(f"the command ended with {status}")

def has_signal(child, mask, number):
    line = next(line for line in open(f"/proc/{child.pid}/status") if line.startswith(mask + ":"))
    return int(line.split()[1], 16) >> (number - 1) & 1

def ignored(command):
    def ignore():
        os.setpgrp()
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    child = subprocess.Popen(command, preexec_fn=ignore, stdout=subprocess.DEVNULL)
    # it catches SIGTERM as soon as it looks after signals
    wait_for(child, lambda: has_signal(child, "SigCgt", signal.SIGTERM), "did not begin")
    for _ in range(20):
        os.kill(child.pid, signal.SIGTSTP)
        time.sleep(0.001)
        if has_signal(child, "SigCgt", signal.SIGTSTP) or not has_signal(child, "SigIgn", signal.SIGTSTP): give_up(child, "does not ignore SIGTSTP")
    if ended_or_stopped(child): sys.exit("stopped, or ended before the last signal")
    must_have_ended(wait_for(child, lambda: ended_or_stopped(child), "does not end")[0])

def stop_again_and_again(store, wanted, command):
    random.seed(1)
    stops = held = runs = 0
    while stops < wanted and runs < 100:
        if os.environ.get("before"): subprocess.run(os.environ["before"].split(), check=True, timeout=250)
        # a process group of its own in this session, so that SIGTSTP has an effect
        child = subprocess.Popen(command, preexec_fn=os.setpgrp, stdout=subprocess.DEVNULL)
        runs += 1
        while True:
            time.sleep(random.random() * 0.04)
            os.kill(child.pid, signal.SIGTSTP)
            status = wait_for(child, lambda: ended_or_stopped(child), "neither stops nor ends")[0]
            if not os.WIFSTOPPED(status): break
            stops += 1
            # a new connection each time: that of the command is often the first, which makes the index of the WAL, and the last, which copies it
            other = sqlite3.connect(store, isolation_level=None, timeout=0)
            try:
                other.execute("BEGIN IMMEDIATE"); other.execute("ROLLBACK")
            except sqlite3.OperationalError as problem:
                held += 1
                print(f"stop {stops} of run {runs}: {problem}", file=sys.stderr)
            other.close()
            if time.monotonic() > deadline: give_up(child, f"does not end, after {stops} stops")
            os.kill(child.pid, signal.SIGCONT)
        must_have_ended(status)
    print(f"{held} of {stops if stops >= wanted else 'too few'} stops")

if sys.argv[1] == "ignored": ignored(sys.argv[2:])
else: stop_again_and_again(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
PYTHON
stops() { # WHAT STORE COMMAND...
    local what=$1 store=$2
    shift 2
    before=${before:-} python3 stopping.py "$store" 60 "$@" >out 2>err
    { [ $? = 0 ] && grep -q '^0 of [0-9]' out; } || { cat err; false; }
    is $? "$what: $(cat out)"
}
stops 'a run' s.db "$program" run --quiet --force --accept-mapping --full --set "run.memory=64M" s.db
before="$program index --quiet --drop s.db" stops 'an index' s.db "$program" index --quiet s.db
stops 'an import' own.db "$program" import --quiet own.db pages.jsonl
equal 'the results are whole' 12000 "$(sqlite3 s.db 'SELECT count(*) FROM document_flags')"
# what the parent ignores stays ignored
python3 stopping.py ignored "$program" run --quiet --force --accept-mapping --full s.db >out 2>err || { cat err; false; }
is $? 'an ignored SIGTSTP does not stop a run'
exit $failed
