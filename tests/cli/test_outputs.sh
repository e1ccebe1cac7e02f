#!/bin/bash
# wings: import predict lab
# without sanitizers: fault/test_output_faults makes the same writes fail within each command
# Output that cannot be written, for every command: on a full disk the exit code is 74 and the message names standard output; when
# nothing reads the output, a command ends without a message and with the exit code that it has otherwise.
# A run, import, index or learn that cannot print has still done its work.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
[ -w /dev/full ] || { echo 'skipped: no /dev/full'; exit 0; }
# An instrumented child of a pipe whose reader ends first is killed before its counters are written.
set -o pipefail

"$program" init --quiet s.db && "$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl" 2>err && "$program" run --quiet s.db &&
    sqlite3 s.db "UPDATE documents SET text = text || ' changed' WHERE id % 3 = 0" && "$program" run --quiet s.db && "$program" index --quiet s.db && "$program" learn --quiet s.db
is $? 'a store with two results, a text index and a model'
printf '[boost] representative_b:true^2\n' >some.rules
echo 'http://news.example/tides' >urls
read -r word _ < <(sqlite3 s.db "SELECT title FROM documents WHERE title <> '' LIMIT 1")

while read -r command; do
    wanted=0
    # shellcheck disable=SC2086 # words
    "$program" $command >whole 2>err <urls || wanted=$?
    # shellcheck disable=SC2086
    "$program" $command >/dev/full 2>err <urls
    [[ $? == 74 && $(tail -n 1 err) == "twindex ${command%% *}: "*'cannot write to standard output: No space left on device' ]]
    is $? "a full disk: $command"
    for lines in 0 1; do
        got=0
        # shellcheck disable=SC2086
        "$program" $command 2>err <urls | head -n $lines >out || got=$?
        [[ ($got == 0 || $got == "$wanted") ]] && ! grep -q 'cannot write' err
        is $? "nothing reads after $lines lines: $command"
    done
done <<EOT
check s.db
check --json s.db
check --suggest s.db
doctor s.db
doctor --json s.db
compare s.db 1 2
compare --json s.db 1 2
detectors
detectors --json
diff s.db
diff --json s.db
digest s.db
evaluate --detectors exact,simhash s.db
evaluate --json --detectors exact s.db
explain s.db 1
explain --json s.db 1
groups s.db
groups --json s.db
groups --detector exact s.db
mirrors s.db
mirrors --json s.db
predict s.db
predict --json s.db
predict --rules --threshold 0.1 s.db
predict --evaluate s.db
remove --dry-run s.db
remove --dry-run --json s.db
report s.db
report --json s.db
rules some.rules
rules --json some.rules
run --dry-run --list --full s.db
run --dry-run --json s.db
run --dry-run --rules some.rules s.db
search s.db $word
search --json s.db $word
search --compare some.rules s.db $word
settings
settings --json
similar s.db 1
similar --json s.db 1
version
help
help run
help --man run
help --man twindex.conf
help --completion bash
help --complete -- run s.db --set near
help flags
settings near
settings near.scope
EOT

# ---- commands that write finish their work
sqlite3 s.db "UPDATE documents SET text = text || ' again' WHERE id % 4 = 0"
cp s.db same.db
"$program" run --quiet same.db
"$program" run s.db >/dev/full 2>err
[[ $? == 74 && $("$program" digest s.db) == "$("$program" digest same.db)" ]]
is $? 'a run that cannot print has published'
"$program" undo s.db >/dev/full 2>err
[[ $? == 74 && $("$program" digest s.db) != "$("$program" digest same.db)" ]]
is $? 'an undo that cannot print has gone back'
echo '{"url": "http://new.example/", "text": "a new page"}' >new.jsonl
"$program" import s.db new.jsonl >/dev/full 2>err
[[ $? == 74 && $(sqlite3 s.db "SELECT count(*) FROM documents WHERE url = 'http://new.example/'") == 1 ]]
is $? 'an import that cannot print has imported'
"$program" index s.db >/dev/full 2>err
[[ $? == 74 && $("$program" index s.db | tr -s ' ') == *' 0 indexed now'* ]]
is $? 'an index that cannot print is complete'
"$program" learn s.db >/dev/full 2>err
is $(($? != 74)) 'a model that cannot be described'
# ---- the temporary file of a report that was killed
mkdir pages && touch pages/r.html.part-1 pages/r.html.part-99999999 pages/r.html.part-x pages/q.html.part-1 pages/r.html.part- && mkdir pages/r.html.part-2 && ln -s r.html.part-x pages/r.html.part-3
python3 -c 'import fcntl, subprocess, sys
held = open("pages/r.html.part-1"); fcntl.flock(held, fcntl.LOCK_EX)
sys.exit(subprocess.call(sys.argv[1:]))' "$program" report --html pages/r.html s.db >out 2>err
is $? 'a report beside temporary files of others'
equal 'removes those of its own file that no process writes, and nothing else' 'q.html.part-1 r.html r.html.part- r.html.part-1 r.html.part-2 r.html.part-3 r.html.part-x' "$(cd pages && LC_ALL=C && echo *)"
(cd pages && "$program" report --html r.html ../s.db) >out 2>err && [ ! -e pages/r.html.part-1 ]
is $? 'also in the current folder'
exit $failed
