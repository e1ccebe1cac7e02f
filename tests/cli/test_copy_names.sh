#!/usr/bin/env bash
# wings: import lab
# What compare and explain say about the names of nearly equal documents: the word that is missing, as it stands in the document and
# with its place. The expected sentences were decided by hand from the pages below.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

python3 - >pages.jsonl <<'PYTHON'
import json, random
draw = random.Random(4)
def words(n): return " ".join("".join(draw.choices("abcdefghijklmnop", k=6)) for _ in range(n))
begin, end, foot = words(110), words(110), ""
# Each text has one line more than the one before: nothing stands in the place of something else, unless a page has words of its own.
def put(url, title, lead, own=""):
    global foot
    foot += "\n" + words(3)
    print(json.dumps({"url": url, "title": title, "text": lead + "\n" + begin + own + " " + end + foot}))
put("http://a.example/old", "Manual", "The manual of the pump")
put("http://a.example/docs/manual", "Manual", "The manual of the pump")
put("http://a.example/K%C3%B6ln%zz%4", "Manual", "The manual of the pump")
put("http://r.example/21", "Release v2.1", "What is new in it")
put("http://r.example/22", "Release v2.2", "What is new in it")
put("http://r.example/3", "Release 3", "What is new in it")
put("http://w.example/w", "", "Whitby harbour tide tables")
put("http://w.example/b", "", "Brighton harbour tide tables")
put("http://n.example/n", "", "")
put("http://t.example/a", "Ferry times", "The ferries of the strait")
put("http://t.example/b", "Ferry times", "The ferries of the strait")
put("http://u.example/c", "Ferry times", "The ferries of the strait", " not")
put("http://p.example/painted", "Painted", "A painted boat costs 1,500 pounds here.")
put("http://q.example/painted", "Painted", "A painted boat costs 1.500 pounds here.")
put("http://o.example/waxed", "Waxed", "This is some Polish wax for boats.")
put("http://z.example/waxed", "Waxed", "This is some polish wax for boats.")
put("http://long.example/short", "Rowing", "How to row a boat")
put("http://long.example/longer", "Rowing", "How to row a boat", "\n" + words(40) + "\n")
for host, name in ("skerry", "Visit Skerry"), ("isles", "Isles Today"):
    put(f"http://{host}.example/tides", f"Tides | {name}", "High water is at six on all days")
    put(f"http://{host}.example/boats", f"Boats | {name}", "There are six boats in the harbour")
    put(f"http://{host}.example/seals", f"Seals | {name}", "Six seals live on the rocks")
# The pages of a mirror have a banner, which one of another host has a sentence of its own in place of.
begin, end = words(110), words(110)
for i in range(12): put(f"http://m.example/{i}", f"Lamp {i}", "This is a mirror of the catalogue that volunteers keep")
foot = foot[:-21]
put("http://o.example/11", "Lamp 11", "Sold yesterday")
PYTHON
"$program" init s.db >/dev/null && "$program" import --quiet s.db pages.jsonl && cp s.db names.db && "$program" run --quiet --force s.db &&
    "$program" run --quiet --force --set copy.proof=names names.db
is $? 'the stores are made'

# says A B SENTENCE: what compare says of A with B as its representative
store=s.db proof=text
says() {
    "$program" compare --set copy.proof=$proof $store "$1" "$2" >out 2>err </dev/null
    tr -s ' ' <out | grep -F 'a represented by b: ' | grep -qF -e "$3"
    is $? "$proof: $1 behind $2: $3"
}
says 1 2 'not a copy: no title names it, and the URLs have different names'
says 2 1 'not a copy: no title names it, and the URLs have different names'
says 4 5 "not a copy: 'v2.1' in its title is not in the other"
says 5 4 "not a copy: 'v2.2' in its title is not in the other"
says 6 4 "not a copy: '3' in its title is not in the other"
says 4 6 "not a copy: 'v2.1' in its title is not in the other"
says 8 7 "not a copy: 'Brighton' where the other has 'Whitby'"
says 7 8 "not a copy: 'Whitby' where the other has 'Brighton'"
says 10 1 "not a copy: 'ferry' in its title is not in the other"
says 11 10 "a copy: its name is there: 'ferry', 'times'"
says 12 10 "not a copy: 'not' inside a sentence is not in the other"
says 10 12 "not a copy: 'not' inside a sentence of the other is not in it"
says 14 13 "not a copy: '1.500' where the other has '1,500'"
says 16 15 "not a copy: 'polish' where the other has 'Polish'"
says 18 17 "not a copy: the passage '"
says 17 18 "not a copy: the passage '"
says 22 19 "a copy: its name is there: 'tides'"
says 20 19 "not a copy: 'boats' in its title is not in the other"
says 36 37 "not a copy: 'Sold yesterday' in the other is in the place of a line that the site repeats"
says 37 36 "not a copy: 'Sold yesterday' is in the place of a line that the other's site repeats"
store=names.db proof=names
says 1 2 "not a copy: 'old' in its URL is not in the other"
says 2 1 "a copy: its name is there: 'manual', 'manual', 'The manual of the pump'"
says 3 1 "not a copy: 'köln' in its URL is not in the other"
says 4 5 "not a copy: 'v2.1' in its title is not in the other"
says 9 1 "a copy: it has no name of its own"
says 12 10 "a copy: its name is there: 'ferry', 'times'"
says 1 7 "not a copy: 'manual' in its title is not in the other"

# ---- JSON has the same
"$program" compare --json --set copy.proof=names names.db 3 1 >out 2>err
matches 'JSON has the same sentence' "'köln' in its URL is not in the other"

# ---- explain says it of a document that stays visible beside a near-duplicate
"$program" explain s.db 3 >out 2>err
succeeds 'explain: why a near-duplicate is visible' grep -qF "visible: near-duplicate of 6 http://r.example/3, but not a copy: 'manual' in its title is not in the other" out
"$program" explain s.db 12 >out 2>err
grep -qF "visible: near-duplicate of 6 http://r.example/3, but not a copy: 'ferry' in its title is not in the other" out
is $? 'explain: a word in the text keeps a page with the same name visible'
"$program" explain s.db 11 >out 2>err
succeeds 'explain: why a copy is hidden' grep -qF "a copy of 10 http://t.example/a: nearly the same text (99 %), and its name is there: 'ferry', 'times'" out
# ---- texts without titles: beside pages that have titles, their URLs are their names; in a table of texts they have none
text=$(seq -s ' ' 1000 1040)
for titled in 0 1; do
    rm -f texts.db
    sqlite3 texts.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT);
        INSERT INTO pages VALUES (1, 'http://x.example/finch/licence', NULL, 'You may copy this and sell it: $text'),
            (2, 'http://x.example/wren/licence', NULL, 'You may copy this and sell it: $text'),
            (3, 'http://m.example/pub/x/finch/licence', NULL, 'You may copy this and sell it: $text');
        WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
        INSERT INTO pages SELECT i, 'http://y.example/' || i, CASE WHEN $titled THEN 'Boat ' || i END, 'A boat of type ' || i FROM n"
    "$program" run --quiet --force texts.db 2>err
    hidden=$(sqlite3 texts.db 'SELECT group_concat(id) FROM document_flags WHERE representative_b = 0')
    equal "equal texts without titles, titles $titled: hidden" "$hidden" "$([ $titled = 0 ] && echo 1,3 || echo 3)"
done

# ---- equal texts
sqlite3 equal.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, description TEXT, text TEXT);
    INSERT INTO pages VALUES (1, 'http://x.example/', 'Town hall of Leipzig', 'Leipzig', 'Open from 9 to 5.'),
        (2, 'http://y.example/', 'Town hall of Dresden', 'Dresden', 'Open from 9 to 5.'),
        (3, 'http://z.example/', 'Town hall of Leipzig', 'Leipzig', 'Open from 9 to 5.'),
        (4, 'http://v.example/', 'Town hall of Leipzig', 'Connewitz', 'Open from 9 to 5.')"
for near in alignment none; do
    "$program" run --quiet --force --set near.detector=$near equal.db 2>err
    equal "$near: a title or a description of its own keeps one of equal texts visible" \
        "$(sqlite3 equal.db 'SELECT group_concat(id) FROM document_flags WHERE representative_b = 0')" 3
    "$program" explain --set near.detector=$near equal.db 3 >out 2>err
    succeeds "$near: explain: a copy with the same text" grep -qF "a copy of 1 http://x.example/: the same text, and its name is there: 'town', 'hall', 'of', 'leipzig'" out
    "$program" explain --set near.detector=$near equal.db 2 >out 2>err
    succeeds "$near: explain: a sibling with the same text" grep -qF "visible: the same text as 1 http://x.example/, but not a copy: 'dresden' in its title is not in the other" out
    "$program" explain --set near.detector=$near equal.db 4 >out 2>err
    succeeds "$near: explain: the description is a name of equal texts" grep -qF 'visible: the same text as 1 http://x.example/, but not a copy: the descriptions differ' out
    "$program" compare --set near.detector=$near equal.db 3 1 >out 2>err
    has "$near: compare: equal texts" 'a represented by b: a copy: the texts are equal'
    "$program" compare --set near.detector=$near equal.db 2 1 >out 2>err
    has "$near: compare: equal texts with other names" "a represented by b: not a copy: 'dresden' in its title is not in the other"
done
# ---- other settings than those of the run
"$program" explain --set near.detector=minhash s.db 3 >out 2>err
matches 'explain: signed with another method, the reason is not known' 'but not a copy; signed with other settings: run again to see why'
"$program" explain --set copy.ignore=ferry s.db 11 >out 2>err
matches 'explain: words that are ignored are no part of the name' "and its name is there: 'times'"

# ---- pages whose names are there, and which a pin keeps separate
printf 'separate http://t.example/a http://t.example/b\n' >pins.txt
succeeds 'a run with a pin' "$program" run --quiet --force --set verdict.pins=pins.txt s.db 2>err
"$program" explain --set verdict.pins=pins.txt s.db 11 >out 2>err
grep -qF 'separate from http://t.example/a (pins.txt:1)' out && grep -qE '^ +duplicate_of +NULL' out
is $? 'explain: a pin keeps a copy visible'
exit $failed
