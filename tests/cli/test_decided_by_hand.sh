#!/bin/bash
# Pins: decisions by hand (verdict.pins). What the flags say is asked with plain SQL.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# run EXIT-CODE ARGUMENT...
run() { ends "$1" run --set verdict.pins=pins.txt --set guard.max_hidden=1 "${@:2}" s.db; }

# hidden: ids of the documents that another one stands for, with that one
hidden() {
    sqlite3 s.db "SELECT group_concat(id || '>' || duplicate_of, ' ') FROM (SELECT * FROM document_flags
                  WHERE duplicate_of IS NOT NULL ORDER BY id)"
}

# passes ID: does the document pass every filter?
passes() {
    sqlite3 s.db "SELECT indexable_b AND http_unique_b AND www_unique_b AND exact_signature_unique_b AND
        fuzzy_signature_unique_b AND title_unique_b AND description_unique_b AND near_unique_b IS NOT 0 AND representative_b
        FROM document_flags WHERE id = $1"
}

"$program" init s.db >out 2>err
sqlite3 s.db "INSERT INTO documents(id, url, text, title, canonical_url, http_status) VALUES
    (1, 'https://www.a.example/',     'one text', 'same', NULL, 200),
    (2, 'https://www.a.example/copy', 'one text', 'same', NULL, 200),
    (3, 'https://www.b.example/de/x', 'one text', 'same', NULL, 200),
    (4, 'http://www.a.example/',      'one text', 'same', NULL, 200),
    (5, 'https://www.a.example/p',    'a page',   NULL, 'https://www.a.example/', 200),
    (6, 'https://www.a.example/gone', 'error',    NULL, NULL, 404),
    (7, 'https://www.c.example/',     'no match', NULL, NULL, 200)"
: >pins.txt
equal 'without pins' '2>1 3>1 4>1 5>1' "$(run 0 && hidden)"

# ---- keep
echo 'keep https://www.a.example/copy' >pins.txt
run 0 && [ "$(hidden)" = '3>1 4>1 5>1' ] && [ "$(passes 2)" = 1 ] && [ "$(passes 1)" = 1 ]
is $? 'keep: the document is shown, the others as before; an unchanged store is judged anew'
run 0 && grep -q 'nothing changed' out
is $? 'the same pins: nothing is written'
echo 'keep http://www.a.example/' >pins.txt
run 0 && [ "$(hidden)" = '2>1 3>1 5>1' ] && [ "$(passes 4)" = 1 ]
is $? 'keep: a twin of the scheme that is not preferred'
echo 'keep https://www.a.example/p' >pins.txt
run 0 && [ "$(hidden)" = '2>1 3>1 4>1' ] && [ "$(passes 5)" = 1 ]
is $? 'keep: a document with a canonical link takes part'
echo 'keep https://www.a.example/gone' >pins.txt
run 0 && [ "$(hidden)" = '2>1 3>1 4>1 5>1' ] && grep -q 'warning: pins.txt:1: keep .*/gone: the document does not take part' err
is $? 'keep: a document that failed stays hidden, and that is reported'

# ---- separate
echo 'separate https://www.a.example/ https://www.b.example/de/x' >pins.txt
run 0 && [ "$(hidden)" = '2>1 4>1 5>1' ] && [ "$(passes 3)" = 1 ]
is $? 'separate: equal texts'
got 'a separated document is alone in its group' "$(sqlite3 s.db 'SELECT exact_signature_unique_b, exact_signature_copycount_i FROM document_flags WHERE id = 3')" '1|1'
"$program" explain --set verdict.pins=pins.txt s.db 3 >out 2>err
matches 'explain names the pin' 'pin  *separate from https://www.a.example/ (pins.txt:1)'
"$program" explain --json --set verdict.pins=pins.txt s.db 1 >out 2>err
got 'explain --json, too' "$(jq -r '.[0].pin' out)" 'separate from https://www.b.example/de/x (pins.txt:1)'
echo 'separate https://www.a.example/p https://www.a.example/' >pins.txt
run 0 && [ "$(hidden)" = '2>1 3>1 4>1' ] && [ "$(passes 5)" = 1 ]
is $? 'separate: a document and its canonical one'

# ---- prefer
printf 'prefer https://www.b.example/de/\n' >pins.txt
run 0 && [ "$(hidden)" = '1>3 2>3 4>3 5>3' ] && [ "$(passes 3)" = 1 ]
is $? 'prefer: the representative is the preferred one'
prints 'explain says why' 'represented by 3 .*(preferred by a pin)' explain --set verdict.pins=pins.txt s.db 1
echo 'prefer http://' >pins.txt
run 65 && grep -q "pins.txt:1: 'http://' is not an absolute URL" err
is $? 'a prefix needs a host'
printf 'prefer http://www.a.example/\nprefer https://www.b.example/\n' >pins.txt
run 0 && [ "$(hidden)" = '1>4 2>4 3>4 5>4' ] && [ "$(passes 4)" = 1 ]
is $? 'prefer: the first line is the strongest, also over the preferred scheme'

# ---- what matches nothing, what is wrong
printf '# comment\n\nkeep https://nowhere.example/\nseparate https://www.c.example/ https://nowhere.example/2\nprefer https://nowhere.example/\n' >pins.txt
run 0 && [ "$(grep -c '^twindex run: warning: pins.txt:[345]: ' err)" = 3 ] && grep -q 'pins.txt:4: separate https://nowhere.example/2: no document has this URL' err
is $? 'lines that match nothing are reported'
equal 'JSON has them' '3 3 ' "$(run 0 --json && jq -r '.pins.lines, (.pins.without_effect | length)' out | tr '\n' ' ')"
before=$("$program" digest s.db)
printf 'keep https://www.c.example/\nkeep it\n' >pins.txt
run 65 && grep -q "pins.txt:2: 'it' is not an absolute URL" err && [ "$("$program" digest s.db)" = "$before" ]
is $? 'an error names file and line, and the flags stay'
rm pins.txt
run 74 && grep -q "cannot read 'pins.txt'" err
is $? 'a file that is not there'
mkfifo pins.txt
for setting in verdict.pins url.rules page_class.patterns parameters.model; do
    timeout 20 "$program" run --set $setting=pins.txt s.db >out 2>err
    [ $? = 65 ] && grep -q "$setting: 'pins.txt' is not a regular file" err
    is $? "a pipe as $setting"
done
succeeds 'a device' run 65 --set verdict.pins=/dev/zero
rm pins.txt
head -c 5000000 /dev/zero | tr '\0' '\n' >pins.txt
run 65 && grep -q 'pins.txt: longer than 4096 KiB' err
is $? 'a file that is too large'

# ---- the configuration file names it relative to itself
mkdir etc && printf '[verdict]\npins = mine.txt\n' >etc/twindex.conf && echo 'keep https://www.a.example/copy' >etc/mine.txt
equal 'a path in a configuration file' 1 "$("$program" run --config etc/twindex.conf s.db >out 2>err && passes 2)"
got 'the ledger has it' "$(sqlite3 s.db "SELECT settings ->> '\$.\"verdict.pins\".file' FROM twindex_run ORDER BY run DESC LIMIT 1")" etc/mine.txt
prints 'a dry run obeys pins' '0  changed flags' run --dry-run --set verdict.pins=etc/mine.txt s.db

# ---- a URL that two documents have: only the better of the two is kept
rm -f s.db*
sqlite3 s.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, content TEXT);
    INSERT INTO pages VALUES (1, 'https://www.a.example/', 'one text'), (2, 'https://www.a.example/', 'one text'),
                             (3, 'https://www.a.example/longer', 'one text')"
echo 'keep https://www.a.example/' >pins.txt
equal 'of two documents with a kept URL the worse one may be hidden' '2>1 3>1' "$(run 0 --accept-mapping && hidden)"
echo 'keep https://www.a.example/longer' >pins.txt
equal 'a kept document stays, whatever the better ones are' '2>1' "$(run 0 --accept-mapping && hidden)"
exit $failed
