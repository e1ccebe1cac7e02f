#!/usr/bin/env bash
# What compare and explain say about the names of nearly equal documents: the word that is missing, as it stands in the document and
# with its place. The expected sentences were decided by hand from the pages below.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

python3 - >pages.jsonl <<'PYTHON'
import json, random
draw = random.Random(4)
body = " ".join("".join(draw.choices("abcdefghijklmnop", k=6)) for _ in range(220))
def put(url, title, lead, own): print(json.dumps({"url": url, "title": title, "text": lead + "\n" + body + " " + own}))
put("http://a.example/old", "Manual", "The manual of the pump", "zero")
put("http://a.example/docs/manual", "Manual", "The manual of the pump", "one")
put("http://a.example/K%C3%B6ln%zz%4", "Manual", "The manual of the pump", "two")
put("http://r.example/21", "Release v2.1", "What is new in it", "three")
put("http://r.example/22", "Release v2.2", "What is new in it", "four")
put("http://r.example/3", "Release 3", "What is new in it", "five")
put("http://w.example/w", "", "Whitby harbour tide tables", "six")
put("http://w.example/b", "", "Brighton harbour tide tables", "seven")
put("http://n.example/n", "", "", "eight")
PYTHON
"$program" init s.db >/dev/null && "$program" import --quiet s.db pages.jsonl && "$program" run --quiet --force s.db
is $? 'the store is made'

# says A B SENTENCE: what compare says of A behind B
says() {
    "$program" compare s.db "$1" "$2" >out 2>err </dev/null
    tr -s ' ' <out | grep -F 'a behind b: ' | grep -qF -e "$3"
    is $? "$1 behind $2: $3"
}
says 1 2 "not a copy: 'old' in its URL is not in the other"
says 2 1 "a copy: its name is there: 'manual', 'manual', 'The manual of the pump'"
says 3 1 "not a copy: 'köln' in its URL is not in the other"
says 4 5 "not a copy: 'v2.1' in its title is not in the other"
says 5 4 "not a copy: 'v2.2' in its title is not in the other"
says 6 4 "not a copy: '3' in its title is not in the other"
says 4 6 "not a copy: 'v2.1' in its title is not in the other"
says 9 1 "a copy: it has no name of its own"
says 1 7 "not a copy: 'manual' in its title is not in the other"

# ---- JSON has the same
"$program" compare --json s.db 3 1 >out 2>err
grep -qF "'köln' in its URL is not in the other" out
is $? 'JSON has the same sentence'

# ---- explain says it of a document that stays visible beside a near-duplicate
"$program" explain s.db 3 >out 2>err
grep -qF "visible: near-duplicate of 6 http://r.example/3, but not a copy: 'manual' in its title is not in the other" out
is $? 'explain: why a near-duplicate is visible'
"$program" explain s.db 2 >out 2>err
grep -qF "hidden behind 1 http://a.example/old" out && grep -qF 'its name is there' out
is $? 'explain: why a copy is hidden'
# ---- other settings than those of the run
"$program" explain --set near.detector=minhash s.db 3 >out 2>err
grep -qF 'but not a copy; signed with other settings: run again to see why' out
is $? 'explain: signed with another method, the reason is not known'
"$program" explain --set copy.ignore=manual s.db 2 >out 2>err
grep -qF "and its name is there: 'The manual of the pump'" out
is $? 'explain: words that are ignored are no part of the name'

# ---- pages whose names are there, and which a pin keeps separate
printf 'separate http://a.example/old http://a.example/docs/manual\n' >pins.txt
"$program" run --quiet --force --set verdict.pins=pins.txt s.db 2>err
is $? 'a run with a pin'
"$program" explain --set verdict.pins=pins.txt s.db 2 >out 2>err
grep -qF 'separate from http://a.example/old (pins.txt:1)' out && grep -qE '^ +duplicate_of +NULL' out
is $? 'explain: a pin keeps a copy visible'
exit $failed
