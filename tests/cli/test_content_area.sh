#!/bin/bash
# wings: import
# The content area: what an import, html_main() and a mapping take of a page, what near.text = main compares, and what `compare` shows of the rest.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ---- a site with long menus around short articles: each article is there twice, with other menus. Menus are most of a text.
cat >make.py <<'PYTHON'
import json, random
rng = random.Random(5)
WORDS = [a + b for a in "ba co di fu ge ha jo ku".split() for b in "lan mer tis pond rack sel vine wick".split()]
def words(n): return " ".join(rng.choice(WORDS) for _ in range(n))
for n in range(12):
    text, title = words(60), "Report on " + words(2)
    for section in "news", "archive":
        menu, foot = words(150), words(60)
        page = f"<!doctype html><title>{title}</title><body><header>{words(9)}</header><nav>{menu}</nav><main><h1>{title}</h1><p>{text}</p></main><footer>{foot}</footer>"
        print(json.dumps({"url": f"https://paper.example/{section}/{n}", "html": page}))
PYTHON
python3 make.py >pages.jsonl
succeeds 'pages are imported' imported s.db pages.jsonl
got 'with the places of their content areas' "$(sqlite3 s.db "SELECT count(*), count(main_parts), max(length(main_parts)) < 20 FROM documents")" '24|24|1'
main=$(with_extension sqlite3 -cmd ".load ${program%/*}/twindex" s.db "SELECT count(*) FROM documents WHERE text_parts(text, main_parts) LIKE 'Report on %' AND length(text_parts(text, main_parts)) < length(text) / 3")
got 'which are the main elements' "$main" 24
near="SELECT count(*) FROM document_flags WHERE near_copycount_i = 2"
twindex run s.db
got 'whole texts are not similar' "$(sqlite3 s.db "$near")" 0
twindex run --set near.text=main s.db
got 'but their content areas are' "$(sqlite3 s.db "$near")" 24
twindex run --json --set near.text=main s.db
holds 'd["signed"] == 0' 'and nothing is signed again'
cp s.db full.db && twindex run --full --set near.text=main full.db && [ "$(flags full.db)" = "$(flags s.db)" ]
is $? 'a full run gives the same flags'
sqlite3 s.db "UPDATE documents SET main_parts = NULL WHERE url LIKE '%/news/3'"
twindex run --json --set near.text=main s.db
holds 'd["signed"] == 1' 'another content area is signed again, and nothing else'
got 'a page without one counts as a whole' "$(sqlite3 s.db "$near")" 22
sqlite3 s.db "UPDATE documents SET main_parts = '5-99999999' WHERE url LIKE '%/news/4'; UPDATE documents SET main_parts = 'x' WHERE url LIKE '%/news/5'"
twindex run --set near.text=main s.db
got 'so does one whose places are not in its text' "$(sqlite3 s.db "$near")" 18
twindex run s.db
got 'near.text = all compares whole texts again' "$(sqlite3 s.db "$near")" 0

# ---- importing again: what is the same, and captures without content areas
"$program" init again.db >/dev/null && twindex import again.db pages.jsonl && twindex import --json again.db pages.jsonl
holds 'd["same"] == 24' 'a second import changes nothing'
cp again.db none.db && views=$(sqlite3 none.db "SELECT coalesce(group_concat('DROP VIEW ' || name, ';'), '') FROM sqlite_schema WHERE type = 'view'")
sqlite3 -bail none.db "$views; ALTER TABLE documents DROP COLUMN main_parts"
warns 'a store without content areas is judged by whole texts, with a warning' 'near.text = main, but the store has no content areas' run --set near.text=main none.db
sqlite3 -bail again.db "UPDATE documents SET main_parts = NULL, content_digest = substr(content_digest, 1, 32)"
twindex import --json again.db pages.jsonl
holds 'd["replaced"] == 24' 'an import adds them'
twindex run --set near.text=main again.db
got 'and they count' "$(sqlite3 again.db "$near")" 24

# ---- a table of HTML: the same by a mapping
python3 - <<'PYTHON'
import json, sqlite3
db = sqlite3.connect("html.db")
db.execute("CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, html TEXT)")
db.executemany("INSERT INTO pages(url, html) VALUES (?, ?)", [(p["url"], p["html"]) for p in map(json.loads, open("pages.jsonl"))])
db.commit()
PYTHON
twindex run --set near.text=main html.db
got 'a table of HTML has the same groups' "$(sqlite3 html.db "$near")" 24
printf '[store]\nfrom = pages\nid = id\nurl = url\ntext = html_text(html)\nmain = html_main(html)\ntitle = html_title(html)\n[near]\ntext = main\n' >html.conf
twindex run --config html.conf html.db
got 'so has a configured mapping' "$(sqlite3 html.db "$near")" 24
sed -i 's/^main = .*/main = nothing(html)/' html.conf
refuses 'an invalid mapping of it is refused' 65 'nothing' run --config html.conf html.db
sed -i '/^main = /d' html.conf
twindex run --config html.conf html.db && grep -q 'near.text = main, but the store has no content areas' err
got 'a mapping without it gives whole texts, with a warning' "$(sqlite3 html.db "$near")" 0
is $? 'and says so'
sed 's/^text = main/text = all/' html.conf >all.conf && twindex run --config all.conf html.db && sed 's/^title = /main = abs(-9223372036854775808)\n&/' all.conf >failing.conf
check 'with near.text = all, a mapped content area is not computed: one that fails stops nothing' 0 '*' run --json --config failing.conf html.db
holds 'd["signed"] == 0' 'and nothing is signed again because it is mapped'
refuses 'with main it is computed' 65 'integer overflow' run --set near.text=main --config failing.conf html.db
refuses 'a value that is neither of the two is refused' 64 "near.text: 'body' is not all|main" run --set near.text=body html.db

# ---- compare
cp again.db c.db
url=https://paper.example
twindex compare --set near.text=main c.db $url/news/1 $url/archive/1
has 'compare shows what lies outside' 'a: outside of the content area: 219 words in 2 blocks: '
matches 'of both pages' '^b: outside of the content area: 219 words'
twindex compare --json --set near.text=main c.db $url/news/1 $url/archive/1
holds '[(s["document"], s["why"], s["words"], s["blocks"]) for s in d["set_aside"]] == [(x, "outside of the content area", 219, 2) for x in "ab"]' 'and in JSON'
twindex compare c.db $url/news/1 $url/archive/1 && ! grep -q 'content area' out
is $? 'with near.text = all nothing lies outside'
cat >frame.py <<'PYTHON'
import json
exec(open("make.py").read().split("for n in range")[0])
frame = "<ul><li>Front page of the paper<li>Weather and tides<li>Letters to the editor</ul>"
for n in range(12):
    for form in "", "?print=1":
        print(json.dumps({"url": f"https://frame.example/story/{n}{form}", "html": f"<title>Story {n} {'abcdefghijkl'[n]}</title><body>{frame}<p>{words(80)}</p><p>Imprint of the house"}))
PYTHON
python3 frame.py >frame.jsonl
"$program" init f.db >/dev/null && twindex import f.db frame.jsonl && twindex run f.db
twindex compare f.db https://frame.example/story/1 https://frame.example/story/2
has 'compare shows the boilerplate of the host' 'a: boilerplate of the host: '
grep '^a: boilerplate' out | grep -q 'Front page of the paper'
is $? 'with the words it begins with'
exit $failed
