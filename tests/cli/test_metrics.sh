#!/bin/bash
# wings: import
# run --metrics: the file is what Prometheus reads. Its own promtool judges it, and python3-prometheus-client parses it, where Debian's packages
# (prometheus, python3-prometheus-client) are installed; the figures are compared with the summary as JSON.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

value() { sed -n "s/^twindex_$1 //p" s.prom; } # value 'NAME{LABELS}'
"$program" init --quiet s.db && "$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl" 2>err
(umask 077 && exec "$program" run --json --metrics s.prom s.db) >out 2>err
is $? 'a run with metrics'
equal 'all users can read them' 644 "$(stat -c %a s.prom)"
equal 'documents' "$(member 'd["documents"]')" "$(value 'documents{store="s.db"}')"
equal 'hidden' "$(member 'd["hidden"]')" "$(value 'documents_hidden{store="s.db"}')"
equal 'changed' "$(member 'd["changed"]')" "$(value 'documents_changed{store="s.db"}')"
equal 'groups of a relation' "$(member 'd["detectors"]["exact"]["groups"]')" "$(value 'groups{store="s.db",relation="exact"}')"
equal 'clusters' "$(member 'd["detectors"]["verdict"]["groups"]')" "$(value 'groups{store="s.db",relation="verdict"}')"
equal 'the exit code' 0 "$(value 'run_exit_code{store="s.db"}')"
succeeds 'the time' [ $(($(date +%s) - $(value 'run_end_timestamp_seconds{store="s.db"}'))) -lt 100 ]
matches 'the stages' '^twindex_run_stage_seconds{store="s.db",stage="read and sign"} ' s.prom

# ---- oracles
judge() { # FILE
    local judged=0
    if command -v promtool >/dev/null; then
        promtool check metrics <"$1" >out 2>&1 && [ ! -s out ]
        is $? "promtool has nothing to say about $1"
        judged=1
    fi
    if python3 -c 'import prometheus_client' 2>/dev/null; then
        python3 -c 'import sys
from prometheus_client.parser import text_string_to_metric_families as parse
families = list(parse(open(sys.argv[1], encoding="utf-8").read()))
samples = [s for f in families for s in f.samples]
assert all(f.documentation and f.type == "gauge" for f in families) and len({(s.name, tuple(s.labels.items())) for s in samples}) == len(samples)
print(sorted({s.labels["store"] for s in samples}))' "$1" >out 2>err
        is $? "the client library of Prometheus reads $1"
        judged=1
    fi
    [ $judged = 1 ] || echo "ok - skipped: neither promtool nor python3-prometheus-client is installed"
}
judge s.prom
odd=$'od"d \\ name\n\001.db'
cp s.db "$odd" && "$program" run --quiet --metrics odd.prom "$odd" >out 2>err
is $? 'a store with an odd name'
judge odd.prom

# ---- a run that fails
mtime=$(stat -c %i s.prom)
python3 -c 'import fcntl, subprocess, sys
held = open("s.db-twindex-lock"); fcntl.flock(held, fcntl.LOCK_EX); sys.exit(subprocess.call(sys.argv[1:]))' "$program" run --metrics s.prom s.db >out 2>err
[ $? = 75 ] && [ "$(value 'run_exit_code{store="s.db"}')" = 75 ] && ! grep -q '^twindex_documents{' s.prom && [ "$(stat -c %i s.prom)" != "$mtime" ]
is $? 'a busy store: the file is replaced, with the exit code and without counts'
judge s.prom
sqlite3 s.db "DELETE FROM documents WHERE id > 2"
ends 3 run --metrics s.prom s.db && [ "$(value 'run_exit_code{store="s.db"}')" = 3 ]
is $? 'a guard'
equal 'no part of a file is left' 'odd.prom s.prom' "$(echo ./*.prom* | sed 's,\./,,g')"
refuses 'a folder that does not exist' 73 'none/s.prom' run --metrics none/s.prom s.db
refuses 'a dry run has no metrics' 64 'not both' run --metrics s.prom --dry-run s.db
if [ -w /dev/full ]; then
    check 'metrics that cannot be written are an error' 74 '*/dev/full: No space left on device*' run --force --quiet --metrics /dev/full s.db
fi
# ---- node_exporter itself
if command -v prometheus-node-exporter >/dev/null; then
    port=$((20000 + $$ % 20000))
    chmod 755 . && prometheus-node-exporter --collector.disable-defaults --collector.textfile --collector.textfile.directory=. --web.listen-address=127.0.0.1:$port >log 2>&1 &
    exporter=$!
    for _ in $(seq 100); do
        python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())' http://127.0.0.1:$port/metrics >served 2>err && break
        sleep .1
    done
    kill $exporter
    grep -q '^twindex_documents{store="od' served && grep -q '^node_textfile_scrape_error 0' served
    is $? 'node_exporter serves the files'
fi
exit $failed
