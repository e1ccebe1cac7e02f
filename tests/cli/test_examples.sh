#!/usr/bin/env bash
# The configurations of docs/examples on stores of their shapes: flags come out right, the stores' own tables stay as they are.
set -uo pipefail
source=${TWINDEX_SOURCE:?}
work=$(mktemp -d "${TMPDIR:-/tmp}/twindex-examples-XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0
is() { # what expected found
    if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "not ok - $1: expected '$2', found '$3'"; failed=1; fi
}
own() { sqlite3 "$1" "SELECT sql FROM sqlite_schema WHERE tbl_name = '$2' ORDER BY name; SELECT quote(t.$3), * FROM $2 AS t ORDER BY 1" | sha256sum; }

sqlite3 "$work/pages.db" "
    CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, content TEXT, status_code INT, fetched_at INT);
    INSERT INTO pages VALUES (1, 'http://a.example/x', 'T', 'one text', 200, 5), (2, 'https://a.example/x', 'T', 'one text', 200, 6),
        (3, 'https://b.example/', 'U', 'one text', NULL, 7), (4, 'https://b.example/gone', 'U', 'one text', 404, 7), (5, 'https://b.example/own', 'U', 'another', 200, 7)"
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
    is "$shape: the run ends well" 0 $?
    is "$shape: copies of a text" "$copies" "$(sqlite3 "$work/$shape.db" 'SELECT count(*) FROM document_flags WHERE NOT exact_signature_unique_b')"
    is "$shape: its own table is as it was" "$before" "$(own "$work/$shape.db" "$table" "$key")"
    digest=$("$TWINDEX" digest "$work/$shape.db")
    "$TWINDEX" run --quiet --full --config "$source/docs/examples/$shape.conf" "$work/$shape.db" >/dev/null 2>&1
    is "$shape: a full run gives the same" "$digest" "$("$TWINDEX" digest "$work/$shape.db")"
done <<'SHAPES'
pages pages id 2
json items key 4
without-rowid doc k 1
SHAPES
is "usual names are found without a configuration" 0 "$("$TWINDEX" check "$work/pages.db" >/dev/null; echo $?)"
cp "$work/pages.db" "$work/read-only.db"
before=$(sha256sum <"$work/read-only.db")
"$TWINDEX" run --quiet --flags "$work/flags.db" "$work/read-only.db" 2>/dev/null
is "--flags: the run ends well" 0 $?
is "--flags: the store is as it was, byte for byte" "$before" "$(sha256sum <"$work/read-only.db")"
is "--flags: joined by ATTACH" "2" "$(sqlite3 "$work/read-only.db" "ATTACH '$work/flags.db' AS f; SELECT count(*) FROM pages AS p JOIN f.document_flags AS d ON d.id = p.id WHERE d.representative_b")"
is "--flags: the same flags" "$("$TWINDEX" digest "$work/pages.db")" "$("$TWINDEX" digest --flags "$work/flags.db" "$work/read-only.db")"
exit $failed
