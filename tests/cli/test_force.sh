#!/bin/bash
# wings: import
# A guard stops a run; --force publishes all the same; what is published then is no reason to stop a run that changes nothing.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# run WHAT EXIT-CODE ARGUMENT...: twindex run with strict guards
run() { check "$1" "$2" '*' run --set guard.min_documents=2 --set guard.max_hidden=0.1 "${@:3}" sample.db; }

"$program" init sample.db >/dev/null && "$program" import --quiet sample.db "$source/tests/golden/sample/crawl.jsonl" >/dev/null
run 'a guard stops the run' 3
run 'and stops it again' 3
run '--force publishes' 0 --force
run 'nothing changed: nothing is stopped' 0
run 'a full run neither' 0 --full
sqlite3 sample.db "UPDATE documents SET text = text || ' more' WHERE id = 2"
run 'something changed: the guard looks again' 3
exit $failed
