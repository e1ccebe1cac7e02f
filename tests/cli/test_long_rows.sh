#!/bin/bash
# wings: import
# A document whose row has become longer than run.row_bytes since the run: commands that list documents name it and go on; those that
# are asked for this document say what to set.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

python3 - <<'PYTHON' >crawl.jsonl
import json
text = "the quick brown fox jumps over the lazy dog and runs away from it very fast " * 5
for i in range(4): print(json.dumps({"url": f"http://a.example/{i}", "title": "Fox", "text": text, "status": 200}))
PYTHON
"$program" init --quiet s.db && "$program" import --quiet s.db crawl.jsonl && "$program" run --quiet --force s.db && "$program" index --quiet s.db &&
    sqlite3 s.db "UPDATE documents SET title = 'Wolf' WHERE id = 3" && "$program" run --quiet s.db &&
    sqlite3 s.db "UPDATE documents SET text = text || hex(zeroblob(1000000)) WHERE id = 2"
is $? 'the store is made'
limit='--set run.row_bytes=1M'
note='(its row is longer than run.row_bytes)'

# lists WHAT ARGUMENT...: the command succeeds, and prints the note
lists() {
    local what=$1
    shift
    # shellcheck disable=SC2086 # words
    "$program" "$1" $limit "${@:2}" >out 2>err </dev/null
    [[ $? == [01] && ! -s err ]] && grep -qF "$note" out
    is $? "$what"
}
lists 'the groups' groups --detector exact s.db
lists 'hits of a search' search s.db fox
# shellcheck disable=SC2086
"$program" report $limit --html page.html --csv tables s.db >out 2>err && grep -qF "$note" page.html && grep -qF "$note" tables/groups.csv
is $? 'the report as a page and as tables'
# shellcheck disable=SC2086
"$program" similar $limit s.db 1 >out 2>err && grep -q 'warning: .*longer than run.row_bytes: it is left out' err && grep -q 'a.example/3' out && ! grep -q 'a.example/1' out
is $? 'similar documents: it is left out with a warning'
# shellcheck disable=SC2086
"$program" run $limit --quiet s.db >out 2>err; "$program" diff $limit s.db >out 2>err
[[ $? == [01] ]] && grep -qF "$note" out
is $? 'the differences of two runs'

# ---- a URL that is itself too long
sqlite3 s.db '.backup u.db' && sqlite3 u.db "UPDATE documents SET url = url || hex(zeroblob(1000000)) WHERE id = 2" && printf '[boost]\nhost:a.example^10\n' >host.rules
# shellcheck disable=SC2086
check 'rules over hosts' 0 '*' search $limit --json --rules host.rules u.db fox
holds 'sorted((h["id"], h["parts"][0]["adds"]) for h in d["results"]) == [(1, 10), (2, 0), (3, 10), (4, 10)]' 'it has no host'

# ---- a URL that takes part is printed whole, however long; a title is cut between characters after 1 MiB, with a mark
sqlite3 s.db '.backup v.db' && sqlite3 v.db "UPDATE documents SET url = url || hex(zeroblob(50000)) || 'end', title = replace(hex(zeroblob(600000)), '00', 'ä') WHERE id = 3" &&
    "$program" run --quiet --force --set verdict.relations=exact v.db && "$program" groups --csv v.db >out 2>err
equal 'their lengths as CSV' '100024 1048578' "$(grep -o '"http[^,]*end"' out | wc -c) $(grep -o '"ä[^,]*ä[.][.][.]"' out | wc -c)"

# ---- the document itself
for command in 'explain s.db 2' 'compare s.db 1 2' 'similar s.db 2'; do
    # shellcheck disable=SC2086
    check "asked for itself: $command" 65 '*s.db: *: run.row_bytes limits the rows that are read*' ${command%% *} $limit ${command#* }
    # shellcheck disable=SC2086
    check "with the advice: $command" 0 '*' ${command%% *} --set run.row_bytes=8M ${command#* }
done

# ---- many, in ranges that several workers read: each is named once, in order of the keys
sqlite3 many.db "PRAGMA journal_mode = WAL; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO pages SELECT i, 'http://h.example/' || i, CASE WHEN i % 97 = 0 THEN hex(zeroblob(530000)) ELSE 'text ' || i END FROM n" >sql.out
# shellcheck disable=SC2086
check 'a first run over rows that are too long' 0 '*' run $limit --quiet --set run.jobs=4 many.db
equal 'the order of the warnings does not depend on the workers' "$(seq 97 97 2000)" "$(grep -o 'key [0-9]*' err | cut -d' ' -f2)"
equal 'all other rows have flags' $((2000 - 20)) "$(sqlite3 many.db 'SELECT count(*) FROM document_flags')"
exit $failed
