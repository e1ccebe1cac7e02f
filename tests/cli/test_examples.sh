#!/usr/bin/env bash
# wings: import
# without sanitizers: its subject is pages of docs; the other tests run the same commands
# What a new user types: every command of README.md and of the pages of docs that are named below (blocks marked ```sh) works on the
# files that the pages speak of, and the configurations of docs/examples on stores of their shapes give the right flags and leave the stores' own tables
# as they are.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail

# own STORE TABLE KEY: a checksum of the table and its schema
own() { sqlite3 "$1" "SELECT sql FROM sqlite_schema WHERE tbl_name = '$2' ORDER BY name; SELECT quote(t.$3), * FROM $2 AS t ORDER BY 1" | sha256sum; }

# ---- the commands of the pages
mkdir bin && ln -s "$program" bin/twindex
PATH=$work/bin:$PATH
# materials: the files that the pages assume, in the working directory
materials() {
    cp "$source/tests/golden/sample/crawl.jsonl" .
    sqlite3 crawler.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, content TEXT, status_code INT, fetched_at TEXT)" &&
        python3 - <<'PYTHON'
import json, sqlite3
db = sqlite3.connect("crawler.db")
for line in open("crawl.jsonl"):
    p = json.loads(line)
    db.execute("INSERT INTO pages(url, title, content, status_code, fetched_at) VALUES (?, ?, ?, ?, ?)",
               (p.get("url"), p.get("title"), p.get("text"), p.get("http_status", 200), p.get("fetched_at")))
db.commit()
PYTHON
    awk '/^```rules$/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/ranking.md" >my.rules
    cp "$source/share/rules/hide-duplicates.rules" old.rules
    cp "$source/share/rules/demote-duplicates.rules" . && cp demote-duplicates.rules new.rules
    printf 'harbour\ntide\n' >queries.txt
    printf 'harbour\thttps://www.harbour.example/boats\t3\ntide\thttps://news.example/tides\t3\n' >judgements.tsv
    jq -r .url crawl.jsonl >urls.txt
    printf 'separate https://news.example/tides https://copy.example/tides\n' >pins.txt
    # what scripts/run leaves in the folder, and the rules where the project has them
    mkdir -p build/sample && ln -s "$source/share" "$source/docs" .
    { command twindex init build/sample/sample.db && command twindex import build/sample/sample.db crawl.jsonl && command twindex run build/sample/sample.db; } >made 2>&1 || { cat made; return 1; }
    printf 'https://shop.example/lamp\thttps://shop.example/lamp-for-walls\t1\nhttps://shop.example/chair\thttps://shop.example/stool\t0\n' >labels.tsv
}
# pages that show how a store is made make it; on all others pages.db is there and has flags
total=0
for page in README.md docs/{manual,mapping,flags,pins,near-duplicates,copies,runs,looking,mirrors,prediction,ranking,import,tuning}.md; do
    here=$work/$(basename "$page" .md)
    mkdir "$here" && cd "$here" && materials || exit 1
    awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on && sub(/\\$/, "") { printf "%s", $0; next } on' "$source/$page" >commands
    count=$(grep -c twindex commands)
    succeeds "$page has commands" [ "$count" -ge 1 ]
    total=$((total + count))
    grep -q 'twindex init pages.db' commands || cp build/sample/sample.db pages.db
    while IFS= read -r command; do
        [[ $command == '#'* ]] && continue
        got=0
        bash -c "$command" >"$work/out" 2>"$work/err" </dev/null || got=$?
        # check and diff exit with 1 when there is something to see, tune when no combination has few enough duplicates
        [ "$got" = 0 ] || { [ "$got" = 1 ] && [[ $command =~ ^twindex\ (check|diff|tune) ]]; }
        is $? "$page: ${command%%  #*}"
    done <commands
    cd "$work" || exit 1
done
succeeds "the pages have $total commands" [ "$total" -ge 75 ]

# ---- docs/examples
sqlite3 "$work/pages.db" "
    CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, content TEXT, status_code INT, fetched_at INT);
    INSERT INTO pages VALUES (1, 'http://a.example/x', 'T', 'one text', 200, 5), (2, 'https://a.example/x', 'T', 'one text', 200, 6),
        (3, 'https://b.example/x', 'T', 'one text', NULL, 7), (4, 'https://b.example/gone', 'U', 'one text', 404, 7), (5, 'https://b.example/own', 'U', 'another', 200, 7)"
sqlite3 "$work/json.db" "
    CREATE TABLE items(key TEXT PRIMARY KEY, body TEXT);
    INSERT INTO items SELECT 'k' || value, json_object('url', 'https://h' || (value % 3) || '.example/' || value, 'content', 'text ' || (value % 4), 'status', 200)
    FROM json_each('[1,2,3,4,5,6,7,8]')"
sqlite3 "$work/without-rowid.db" "
    CREATE TABLE doc(k TEXT PRIMARY KEY, url TEXT, body TEXT, version INT) WITHOUT ROWID;
    INSERT INTO doc VALUES ('a', 'https://a.example/', 'same', 1), ('b', 'https://b.example/', 'same', 1), ('c', 'https://c.example/', 'other', 1)"

while read -r shape table key copies; do
    before=$(own "$work/$shape.db" "$table" "$key")
    "$TWINDEX" run --quiet --config "$source/docs/examples/$shape.conf" "$work/$shape.db" >/dev/null 2>"$work/err"
    equal "$shape: the run ends well" 0 $?
    equal "$shape: copies of a text" "$copies" "$(sqlite3 "$work/$shape.db" 'SELECT count(*) FROM document_flags WHERE NOT exact_signature_unique_b')"
    equal "$shape: its own table is as it was" "$before" "$(own "$work/$shape.db" "$table" "$key")"
    digest=$("$TWINDEX" digest "$work/$shape.db")
    "$TWINDEX" run --quiet --full --config "$source/docs/examples/$shape.conf" "$work/$shape.db" >/dev/null 2>&1
    equal "$shape: a full run gives the same" "$digest" "$("$TWINDEX" digest "$work/$shape.db")"
done <<'SHAPES'
pages pages id 2
json items key 4
without-rowid doc k 1
SHAPES
equal "usual names are found without a configuration" 0 "$("$TWINDEX" check "$work/pages.db" >/dev/null; echo $?)"
cp "$work/pages.db" "$work/read-only.db"
before=$(sha256sum <"$work/read-only.db")
"$TWINDEX" run --quiet --flags "$work/flags.db" "$work/read-only.db" 2>/dev/null
equal "--flags: the run ends well" 0 $?
equal "--flags: the store is as it was, byte for byte" "$before" "$(sha256sum <"$work/read-only.db")"
equal "--flags: joined by ATTACH" "2" "$(sqlite3 "$work/read-only.db" "ATTACH '$work/flags.db' AS f; SELECT count(*) FROM pages AS p JOIN f.document_flags AS d ON d.id = p.id WHERE d.representative_b")"
equal "--flags: the same flags" "$("$TWINDEX" digest "$work/pages.db")" "$("$TWINDEX" digest --flags "$work/flags.db" "$work/read-only.db")"
exit $failed
