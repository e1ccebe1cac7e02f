#!/usr/bin/env bash
# wings: import lab
# twindex compare: similarity, detectors and passages of two documents, as text and as JSON; what goes wrong.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
subcommand=compare

compare() { "$program" compare "$@" >out 2>err </dev/null; }

long() { for i in $(seq "$1"); do printf 'This is sentence %d of a text that goes on for a while, and then a little more. ' "$i"; done; }
{
    python3 - "$(long 40)" <<'PYTHON'
import json, sys
text = sys.argv[1]
bell = "a bell \x07 and \x1b[31mred"
rows = [("http://a.example/1", text), ("http://a.example/2", text.replace("sentence 20 of", "sentence twenty of")),
        ("http://b.example/3", text), ("http://b.example/4", "Something else altogether."), ("http://c.example/empty", ""),
        ("http://c.example/also-empty", ""), ("http://c.example/blanks", text.replace(" ", "\n", 3)),
        ("http://c.example/bell", bell), ("http://c.example/no-bell", "a bell and red")]
for url, text in rows:
    print(json.dumps({"url": url, "title": url[-1], "text": text}))
PYTHON
} >pages.jsonl
succeeds 'a store' imported pages.db pages.jsonl

succeeds 'two documents by id, without a run' compare pages.db 1 2
has 'the first is named' 'a 1 http://a.example/1'
has 'the second is named' 'b 2 http://a.example/2'
has 'text similarity' 'text similarity 99.'
has 'exact says no' 'exact no pair 0.00 % 0 of 1 and 1'
has 'minhash says yes' 'minhash a pair 9'
has 'the passage is counted' '1 passage differs:'
has 'what the first alone has' ' a 20 '
has 'what the second alone has' ' b twenty '
has 'what stands before it' '...'
has 'global detectors are named' 'not asked: tfidf '

succeeds 'two documents by URL' compare pages.db http://a.example/1 http://b.example/3
has 'equal texts are 100 %' 'text similarity 100.00 %'
has 'and no passage differs' 'the texts are equal'

succeeds 'the same document twice' compare pages.db 1 1
has 'it is equal to itself' 'the texts are equal'

succeeds 'two empty texts' compare pages.db 5 6
has 'they are equal' 'text similarity 100.00 % (2 x longest common subsequence; 0 and 0 bytes)'
has 'they have no signature' 'exact no signature - 0 of 0 and 0'

succeeds 'a text and an empty one' compare pages.db 1 5
has 'they have nothing in common' 'text similarity 0.00 %'

compare pages.db 1 7
has 'white space alone' 'the texts differ only in white space'

# without near-duplicates the names decide nothing, but what is missing is named
python3 - >names.jsonl <<'PYTHON'
import json
for i, (title, text) in enumerate((("Red chair 4711", "chairs "), ("Blue table 99", "tables "), ("Red chair 4711", "lamps "))):
    print(json.dumps({"url": "http://n.example/%d" % i, "title": title, "text": " ".join("%s%d" % (text.strip(), k) for k in range(60))}))
PYTHON
"$program" init names.db >/dev/null && "$program" import --quiet names.db names.jsonl && "$program" run --quiet names.db
compare names.db 1 2
has 'texts that differ, and names' "a represented by b: not a copy: they are not near-duplicates, and 'red' in its title is not in the other"
compare names.db 1 3
matches 'texts that differ, and no word of the name is missing' '^b represented by a: not a copy: they are not near-duplicates$'

compare pages.db 8 9
! grep -q "$(printf '\033')\|$(printf '\007')" out
is $? 'a terminal sees no control characters of a text'

succeeds 'all detectors, as JSON' compare --all --json pages.db 1 2
methods=$("$program" detectors --json | grep '"name": ' | grep -vc '"name": "\(name\|repeated\)"')
equal 'every detector that makes groups is asked' "$methods" "$(member 'len(d["detectors"]) + len(d["left_out"])')"
equal 'JSON says what each detector says' '[False, True]' "$(member '[x["pair"] for x in d["detectors"] if x["detector"] in ("exact", "minhash")]')"
[ "$(member '[d["a"]["id"], d["b"]["url"], d["differences"], d["coarse"], 0.99 < d["similarity"] < 1]')" = \
    "[1, 'http://a.example/2', 1, False, True]" ]
is $? 'JSON has both documents'
equal 'JSON has the passages whole' "[['20 ', 'twenty ']]" "$(member '[[p["a"], p["b"]] for p in d["passages"]]')"
whole='[[x["text"] for x in map(__import__("json").loads, open("pages.jsonl"))][n] == "".join(p["before"] + p[s] for p in d["passages"]) + d["after"]
    for n, s in ((A, "a"), (B, "b"))]'
for pair in '1 2' '1 4' '3 1' '5 1'; do
    read -r a b <<<"$pair"
    compare --json --limit 0 pages.db "$a" "$b" && text=${whole/A/$((a - 1))} && [ "$(member "${text/B/$((b - 1))}")" = '[True, True]' ]
    is $? "all passages of $a and $b are their texts"
done
equal 'there is no end of a list that is not complete' '[True, None]' "$(compare --json --limit 1 pages.db 8 9 && member '[d["differences"] > 1, d["after"]]')"

compare --json pages.db 1 4 && [ "$(member '"tfidf" in d["left_out"] and len(d["passages"])')" = "$(member 'd["differences"]')" ]
is $? 'JSON names what was left out'
equal 'a limit of passages' 1 "$(compare --limit 1 --json pages.db 4 2 && member 'len(d["passages"])')"
cp out first && compare --limit 1 --json pages.db 4 2 && cmp -s out first
is $? 'the same each time'
before=$(sha256sum <pages.db) && compare --all pages.db 1 2 && [ "$(sha256sum <pages.db)" = "$before" ]
is $? 'nothing is written into the store'

sqlite3 twice.db "CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT, text TEXT);
    INSERT INTO pages VALUES (1, 'http://x/', 'one'), (2, 'http://x/', 'two'), (3, 'http://y/', X'ff00fe');"
compare twice.db http://x/ 2
matches 'two documents with one URL: the first is taken, and it is said' "2 documents are named 'http://x/'" err
succeeds 'a text of any bytes' compare twice.db 1 3

refuses 'no such document' 66 "no document has the id or the URL '99'" pages.db 99 1
refuses 'no such second document' 66 "no document has the id or the URL 'http://none/'" pages.db 1 http://none/
refuses 'one document is not enough' 64 'an argument is missing; expected STORE URL|ID URL|ID' pages.db 1
refuses 'three are too many' 64 "'3' is one argument too many" pages.db 1 2 3
refuses 'a limit that is not a number' 64 "--limit: 'x' is not a number" pages.db 1 2 --limit x
refuses 'no such store' 66 'none.db' none.db 1 2
if [ -w /dev/full ]; then
    "$program" compare pages.db 1 2 >/dev/full 2>err
    [[ $? == 74 && $(<err) == *'cannot write to standard output'* ]]
    is $? 'a full disk'
fi
exit $failed
