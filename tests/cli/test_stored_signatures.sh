#!/bin/bash
# wings: import lab
# `run --dry-run --stored` judges the signatures of the last run: with changed settings it lists what a run with them publishes, it
# reads no document unless other signatures are needed, and it never writes to the store.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# try ARGUMENT...: a dry run of stored signatures
try() {
    "$program" run --dry-run --stored --list --limit 0 --json --set guard.max_hidden=1 "$@" s.db >out 2>err
}
listed() { jq -c '.changes | map_values([.rows[] | [.id, .url, .title, .representative_before, .representative, .why]])' out; }

"$program" init s.db >out 2>err && "$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl" && "$program" run --json s.db >out 2>err
published=$(jq .hidden out)
sum=$(sha256sum s.db)
try && jq -e '.changed == 0 and .read == 0 and .signed == 0 and .hidden == .hidden_before and .seconds.check == null' out >/dev/null
is $? 'the settings of the run: nothing changes, no document is read, the file is not checked'

# ---- settings that judge the same signatures, and settings that need others
same() { # WHAT SIGNED SETTING=VALUE...
    local what=$1 signed=$2 sets=()
    shift 2
    for setting; do sets+=(--set "$setting"); done
    "$program" run --dry-run --list --limit 0 --json --set guard.max_hidden=1 "${sets[@]}" s.db >out 2>err && listed >wanted
    try "${sets[@]}" && [ "$(listed)" = "$(cat wanted)" ] && [ "$(jq '.signed > 0' out)" = "$signed" ] && [ "$(jq .hidden_before out)" = "$published" ] &&
        [ "$(jq '.hidden - .hidden_before' out)" = "$(jq '.changes | ([.hidden.rows[] | select(.representative)] | length) - ([.shown.rows[] | select(.representative_before)] | length)' out)" ]
    is $? "$what"
}
same 'a threshold: as the whole dry run, without signing' false alignment.threshold=0.3
same 'relations: as the whole dry run, without signing' false 'verdict.relations=exact title'
[ "$(jq '.changes.hidden.documents' out)" -gt 0 ] && [ "$(jq -r '.changes.hidden.rows[0].title | length > 0' out)" = true ]
is $? 'documents are listed with their titles'
same 'another order' false verdict.order=url_length
same 'scopes' false exact.scope=host near.scope=host
same 'the text profile is signed again' true fuzzy.quant_rate=0.5
same 'another method is signed' true near.detector=minhash
[ "$(sha256sum s.db)" = "$sum" ] && [ ! -s s.db-wal ]
is $? 'the store is as it was'

# ---- documents that changed since
sqlite3 s.db "UPDATE documents SET text = text || ' changed', title = 'changed' WHERE id % 2"
equal 'documents count as they were when they were signed' 0 "$(try && jq .changes.hidden.documents out)"
try --set copy.proof=names && cp out now && sqlite3 s.db "UPDATE documents SET text = text || ' again' WHERE id % 2" && try --set copy.proof=names && [ "$(jq -c .changes out)" = "$(jq -c .changes now)" ]
is $? 'where names alone decide, texts are not read'
"$program" run --dry-run --json s.db >out 2>err && [ "$(jq .signed out)" -gt 0 ]
is $? 'a dry run without --stored signs them'

# ---- stores of others, other files, older ones
sqlite3 o.db 'CREATE TABLE p(n INTEGER PRIMARY KEY, u TEXT, t TEXT); INSERT INTO p VALUES (1, "https://a.example/", "one text"), (2, "https://a.example/2", "one text")'
map=(--set store.from=p --set store.id=n --set store.url=u --set store.text=t)
equal 'before the first run all documents are signed' '"[2,1,0]"' "$("$program" run --dry-run --stored --json "${map[@]}" o.db >out 2>err && jq '[.signed, .hidden, .hidden_before] | tostring' out)"
"$program" run --quiet "${map[@]}" --flags f.db o.db 2>err && sum=$(sha256sum o.db f.db)
"$program" run --dry-run --stored --json "${map[@]}" --flags f.db --set verdict.relations=scheme o.db >out 2>err &&
    [ "$(jq '[.read, .signed, .hidden, .hidden_before] | tostring' out)" = '"[0,0,0,1]"' ] && [ "$(sha256sum o.db f.db)" = "$sum" ]
is $? '--flags: the signatures of that file'
"$program" run --dry-run --stored --json "${map[@]}" --flags none.db o.db >out 2>err && [ "$(jq .signed out)" = 2 ] && [ ! -e none.db ]
is $? '--flags names a file that does not exist: all documents are signed, and it is not made'

# ---- refusals
for wrong in '--stored' '--dry-run --stored --full' '--dry-run --stored --rules x.rules'; do
    # shellcheck disable=SC2086 # words
    check "run $wrong" 64 '*--dry-run --stored, without*' run $wrong s.db
done
check 'a wrong value' 64 "*alignment.threshold: '2' is not in 0..1*" run --dry-run --stored --set alignment.threshold=2 s.db
exit $failed
