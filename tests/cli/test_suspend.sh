#!/bin/bash
# wings: import
# Ctrl-Z (SIGTSTP): a command that is stopped never keeps others from writing to the store; it stops when its transaction has ended, and goes on after SIGCONT.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
sqlite3 s.db "PRAGMA journal_mode = WAL; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
    INSERT INTO pages SELECT i, 'http://h.example/' || i, 'title ' || i, 'text number ' || i % 5000 || ' with some more words' FROM n" >sql.out
"$program" init --quiet own.db && sqlite3 s.db "SELECT json_object('url', url, 'text', text) FROM pages" >pages.jsonl
cat >stopping.py <<'PYTHON'
# before=COMMAND stopping.py STORE STOPS COMMAND...: runs both again and again until the second one was stopped so often; prints how often it held the right to write
import os, random, signal, sqlite3, subprocess, sys, time
store, wanted, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
random.seed(1)
stops = held = runs = 0
other = sqlite3.connect(store, isolation_level=None, timeout=0)
while stops < wanted and runs < 100:
    if os.environ.get("before"): subprocess.run(os.environ["before"].split(), check=True)
    # a process group of its own in this session, so that SIGTSTP has an effect
    child = subprocess.Popen(command, preexec_fn=os.setpgrp, stdout=subprocess.DEVNULL)
    runs += 1
    while True:
        time.sleep(random.random() * 0.04)
        os.kill(child.pid, signal.SIGTSTP)
        pid, status = os.waitpid(child.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status): break
        stops += 1
        try:
            other.execute("BEGIN IMMEDIATE"); other.execute("ROLLBACK")
        except sqlite3.OperationalError:
            held += 1
        os.kill(child.pid, signal.SIGCONT)
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != 0:
        sys.exit(f"the command ended with {status}")
print(f"{held} of {stops if stops >= wanted else 'too few'} stops")
PYTHON
stops() { # WHAT STORE COMMAND...
    local what=$1 store=$2
    shift 2
    before=${before:-} python3 stopping.py "$store" 60 "$@" >out 2>err
    [ $? = 0 ] && grep -q '^0 of [0-9]' out
    is $? "$what: $(cat out)"
}
stops 'a run' s.db "$program" run --quiet --force --accept-mapping --full --set "run.memory=64M" s.db
before="$program index --quiet --drop s.db" stops 'an index' s.db "$program" index --quiet s.db
stops 'an import' own.db "$program" import --quiet own.db pages.jsonl
equal 'the results are whole' 12000 "$(sqlite3 s.db 'SELECT count(*) FROM document_flags')"
# what the parent ignores stays ignored
(trap '' TSTP && "$program" run --quiet --force --accept-mapping --full s.db) 2>err &
sleep 0.1
kill -TSTP $! 2>/dev/null
wait $!
is $? 'an ignored SIGTSTP does not stop a run'
exit $failed
