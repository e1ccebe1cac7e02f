#!/bin/bash
# wings: import
# `run --dry-run --list` and `diff` name the documents that are hidden, shown or moved, and say why. The dry run before a run and
# the diff after it list the same; what they list is compared with plain SQL over two copies of the flags.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# The length of the URL decides, not the texts that a domain has alone.
order='verdict.order=score url_length fetched_at'

# try ARGUMENT...: a dry run that lists
try() {
    "$program" run --dry-run --list --set guard.max_lost=1 --set "$order" "$@" s.db >out 2>err
}

# run ARGUMENT...
run() {
    "$program" run --quiet --set guard.max_lost=1 --set "$order" "$@" s.db >out 2>err
}

# put ID URL TEXT [STATUS]
put() {
    sqlite3 s.db "INSERT OR REPLACE INTO documents(id, url, text, http_status) VALUES ($1, '$2', '$3', ${4:-200})"
}

"$program" init s.db >out 2>err
put 1 https://www.a.example/ 'one text'
put 2 https://www.a.example/copy 'one text'
put 3 https://www.b.example/ 'another'
put 4 https://www.b.example/gone 'error' 404
try && grep -q '^newly hidden (1):$' out && grep -q '^  https://www.a.example/copy -> https://www.a.example/ (same by copy)$' out && ! grep -q '^  https://www.b' out
is $? 'before the first run: what it would hide'
run
try && ! grep -q '^newly\|^hidden by\|^no longer' out
is $? 'nothing would change: nothing is listed'

# ---- one change of each kind
put 2 https://www.a.example/copy 'its own text'
put 3 https://www.b.example/ 'another' 503
put 4 https://www.b.example/gone 'it is back'
put 5 https://www.c.example/ 'one text'
try --json && jq -c '.changes | map_values([.rows[] | [.url, .representative_before, .representative, .why]])' out >wanted
[ "$(jq -c .hidden wanted)" = '[["https://www.b.example/",null,null,"the HTTP status is not 200"],["https://www.c.example/",null,"https://www.a.example/","same by copy"]]' ]
is $? 'newly hidden: a document that takes part no more, a new duplicate'
[ "$(jq -c .shown wanted)" = '[["https://www.a.example/copy","https://www.a.example/",null,"no relation hides it any more"],["https://www.b.example/gone",null,null,"it takes part again; before: the HTTP status is not 200"]]' ]
is $? 'newly shown: a duplicate no more, a document that takes part again'
jq -e '[.hosts[].host] == ([.hosts[] | [-.flips, .host]] | sort | map(.[1])) and ([.hosts[].flips] | unique | length > 1)' out >/dev/null
is $? 'the hosts with the most changed flags come first'
run && "$program" diff --json s.db >out 2>err
[ $? = 1 ] && [ "$(jq -c '.changes | map_values([.rows[] | [.url, .representative_before, .representative, .why]])' out)" = "$(cat wanted)" ]
is $? 'diff after the run lists the same'
ends 1 diff s.db && [ "$(head -1 out)" = '2 documents newly hidden, 2 newly shown' ] && grep -q '^  https://www.c.example/ -> https://www.a.example/ (same by copy)$' out &&
    grep -q '^  https://www.a.example/copy, before hidden by https://www.a.example/ (no relation hides it any more)$' out
is $? 'as text it begins with the answer; a change is a line: what is hidden, what is kept, why'
crawl=$(grep '^because' out)
"$program" undo --quiet s.db && "$program" diff s.db >out 2>err
[ "$crawl" = 'because of the crawl: 1 document new, 3 changed, 0 gone' ] && grep -qx 'because of the crawl: 0 documents new, 3 changed, 1 gone' out
is $? 'after undo, the crawl is that of the run that was undone'
"$program" undo --quiet s.db
"$program" diff --csv s.db >out 2>err && grep -q '^"hidden","5","https://www.c.example/","",,"https://www.a.example/","same by copy"'$'\r''$' out && [ "$(wc -l <out)" = 5 ] &&
    "$program" groups --csv s.db >out 2>err && grep -q '^1,2,"duplicate","5","https://www.c.example/",' out && grep -q '^1,2,"representative","1",' out && ! "$program" groups --csv --detector near s.db >out 2>err
is $? 'the same as CSV; and all that is hidden, with what represents it, of the verdict alone'
mv s.db-twindex-lock lock && mkdir s.db-twindex-lock && "$program" diff s.db >diff 2>err
[ $? = 1 ] && [ ! -s err ] && "$program" check s.db >out 2>err
[ $? = 1 ] && [ "$(head -1 diff)" = '2 documents newly hidden, 2 newly shown' ] && grep -q 'PROBLEM .*s.db-twindex-lock is not a regular file' out
is $? 'a lock file that cannot be read hides no change; check reports it'
rmdir s.db-twindex-lock && mv lock s.db-twindex-lock
"$program" init nul.db >out && sqlite3 nul.db "INSERT INTO documents(url, title, text) VALUES ('https://n.example/', 'a' || char(0) || 'b', 'one text'), ('https://n.example/' || char(0) || '/x', 'a' || char(0) || 'b', 'one text')"
prints 'a URL with a NUL is not shown as another one' '^"hidden","2","https://n.example/�/x","a�b",' run --dry-run --csv nul.db
put 6 https://www.a.example 'unused'
sqlite3 s.db 'DELETE FROM documents WHERE id = 6'
put 7 https://www.a.example/s 'one text'
sqlite3 s.db "UPDATE documents SET text = 'changed' WHERE id = 1; DELETE FROM documents WHERE id = 2"
equal 'the representative leaves its group; a document is gone' '[0,1,1]' "$(try --json && jq -c '[.changes.moved.documents, .changes.gone.documents, .changes.shown.documents]' out)"
run
echo 'prefer https://www.a.example/s' >pins.txt
try --json --set verdict.pins=pins.txt && jq -e '.changes.hidden.rows | length == 1' out >/dev/null && [ "$(jq -r '.changes.hidden.rows[0].why' out)" = 'same by copy; representative: prefer https://www.a.example/s (pins.txt:1)' ]
is $? 'the reason names a pin of the representative'
echo 'keep https://www.a.example/s' >pins.txt
try --set verdict.pins=pins.txt && grep -q 'no relation hides it any more; keep https://www.a.example/s (pins.txt:1)' out
is $? 'and a pin of the document'
put 8 https://www.0.exa/ 'one text'
run --set verdict.order=url_length
put 9 https://www.d.example/long 'one text'
try --set verdict.order=fetched_at --json && [ "$(jq '.changes.moved.documents' out)" -ge 1 ] && [ "$(jq -r '.changes.moved.rows[0].representative_before' out)" != "$(jq -r '.changes.moved.rows[0].representative' out)" ]
is $? 'moved to another representative'

# ---- limits
try --limit 1 --set exact.scope=host && "$program" run --dry-run --list --limit x s.db >out 2>err
got '--limit takes a number' $? 64
sqlite3 s.db "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO documents(id, url, text) SELECT i, 'https://many.example/' || i, 'one text' FROM n"
try && [ "$(grep -c '^  https://' out)" = 100 ] && grep -q "^  ... and $(($(sed -n 's/^newly hidden (\(.*\)):/\1/p' out) - 100)) more (--limit)$" out
is $? 'the first hundred are listed, the rest is counted'
equal '--limit 3' 3 "$(try --limit 3 && grep -c '^  https://' out)"
try --limit 0 && [ "$(grep -c '^  https://many' out)" = 301 ] && ! grep -q -- '--limit' out
is $? '--limit 0: all'
check '--list without --dry-run: exit 64' 64 '*--dry-run --list*' run --list s.db

# ---- the sample crawl, against SQL
rm -f s.db* && "$program" init s.db >out 2>err && "$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl"
run --set verdict.relations=exact
sqlite3 s.db "CREATE TABLE before AS SELECT * FROM document_flags"
run --set 'verdict.relations=exact title description'
"$program" diff --limit 0 --json --set 'verdict.relations=exact title description' s.db >out 2>err
sql() {
    sqlite3 s.db "SELECT group_concat(id) FROM (SELECT b.id AS id FROM before AS b JOIN document_flags AS n USING (id) WHERE $1 ORDER BY b.id)"
}
! jq -e 'has("cut")' out >err && "$program" diff --limit 1 --json s.db >cut 2>err
[ $? = 1 ] && [ "$(jq -c '(.rows | length), .cut' cut | tr '\n' ' ')" = '1 "--limit 0 lists all documents" ' ] && [ "$(jq .documents cut)" -gt 1 ]
is $? 'only a list of rows that is cut says so, and how to get all'
[ "$(jq -r '[.changes.hidden.rows[].id] | join(",")' out)" = "$(sql 'b.representative_b AND NOT n.representative_b')" ] &&
    [ "$(jq -r '[.changes.moved.rows[].id] | join(",")' out)" = "$(sql 'b.duplicate_of <> n.duplicate_of')" ] &&
    [ "$(jq '.changes.hidden.documents' out)" -gt 0 ]
is $? 'diff lists what SQL finds'
exit $failed
