#!/usr/bin/env bash
# wings: import predict
# Sections of the report's page that a small crawl leaves empty: many mirrors, parameters that never
# matter, more suspects, groups, hosts and runs than are listed. What the page says is compared with what was planted, with sqlite3
# and with the JSON of other commands.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# 30 hosts with the 12 pages of m00.example, each page equal but for those of near.example; a session parameter on shop.example;
# 22 titles that twelve different texts share; 30 groups of three texts.
python3 - >crawl.jsonl <<'PYTHON'
import json, random
words = random.Random(7)
def text(n): return " ".join("w%d" % words.randrange(5000) for _ in range(n))
def put(url, title, text): print(json.dumps({"url": url, "title": title, "text": text, "status": 200}))
pages = [text(150) for _ in range(12)]
for h in range(30):
    for i, page in enumerate(pages): put(f"https://m{h:02}.example/p{i}", f"Mirrored {i}", page)
for i, page in enumerate(pages): put(f"https://near.example/p{i}", f"Mirrored {i}", page + "\nAnother mirror of these pages")
for i in range(200):
    lamp = text(40)
    put(f"https://shop.example/lamp?id={i}", f"Lamp {i}", lamp)
    for s in range(2): put(f"https://shop.example/lamp?id={i}&sid={words.randrange(10**9)}", f"Lamp {i}", lamp)
for t in range(22):
    for i in range(12): put(f"https://titles.example/{t}/{i}", f"A title of many pages <{t}>", text(60))
for g in range(30):
    same = text(70)
    for i in range(12): put(f"https://groups.example/{g}/{i}", "", same)
PYTHON
"$program" init s.db >/dev/null && "$program" import --quiet s.db crawl.jsonl && "$program" run --quiet --force s.db
is $? 'the store is made'
# more runs than are listed, two of which have lost their figures; then one that a guard stops, which the ledger does not list, but the page
for run in $(seq 1 62); do
    sqlite3 s.db "UPDATE documents SET title = 'Mirrored again $run' WHERE url = 'https://m00.example/p0'"
    "$program" run --quiet --force --set run.pause_ms=0 s.db || break
done
equal '63 runs' 63 "$(sqlite3 s.db 'SELECT count(*) FROM twindex_run')"
sqlite3 s.db "UPDATE documents SET text = 'the same for all of them, as after a mistake of the crawler, which got one page for all'"
"$program" run --quiet --set verdict.relations='scheme www exact' s.db 2>err
equal 'a guard stops the last run' 3 $?
stopped='the last run, at .* UTC, was stopped by a guard: s.db: a guard stopped the run .*, the flags are unchanged; .* --force publishes it anyway$'
"$program" report s.db >out 2>err && tail -1 out | grep -q "^$stopped"
is $? 'the report ends with why the last run changed nothing, and what to do'
"$program" report --json s.db >out 2>err
equal 'its JSON has the same' true "$(jq '.last_run_stopped | test("^s.db: a guard stopped .* --force publishes it anyway$")' out)"
"$program" check s.db >out 2>err
matches 'so has check' '^  stopped  *the last run, at .* UTC, by a guard: s.db: a guard stopped the run .* --force publishes it anyway$'
equal 'the report of the command lists the last ten runs' '63 62 61 60 59 58 57 56 55 54' \
    "$("$program" report --json s.db | python3 -c 'import json, sys; print(*[r["run"] for r in json.load(sys.stdin)["runs"]])')"
sqlite3 s.db "UPDATE twindex_run SET documents = NULL, indexable = NULL, hidden = NULL WHERE run = 60; UPDATE twindex_run SET documents = -1, indexable = 'many', hidden = 'few' WHERE run = 61"
"$program" learn --quiet s.db 2>err && "$program" mirrors --json s.db >mirrors.json 2>>err && "$program" predict --rules s.db >rules.txt 2>err
is $? 'mirrors and rules of other commands'
"$program" report --html page.html s.db 2>err && [ ! -s err ]
is $? 'the page is written'

cat >look.py <<'PYTHON'
import json, re, sqlite3
from report_page import Page
page = Page(); page.feed(open("page.html", encoding="utf-8").read())
said = re.sub(r"\s+", " ", page.said.replace("\xa0", " "))
def ok(condition, what): print(("ok - " if condition else "not ok - ") + what)
clean = lambda cell: cell.replace("\u200b", "").replace("\xa0", " ").strip()

found = json.load(open("mirrors.json"))["mirrors"]
planted = {f"m{h:02}.example" for h in range(30)} | {"near.example"}
ok(len(found) == 30 and {m["host"] for m in found} | {m["mirror_of"] for m in found} == planted, "30 of the 31 hosts mirror one of them")
rows = [[clean(c) for c in r] for r in page.tables["mirrors-table"][1:]]
want = [[m["host"], m["mirror_of"], {"exact": "equal texts", "near": "near-duplicates"}[m["level"]], str(m["shared"]), str(m["documents"]), "%.3f" % m["ratio"]] for m in found]
ok(rows == want, "the table of mirrors has what 'mirrors --json' has, in its order")
rules = open("rules.txt").read()
ok("sid" in rules and all(line in clean(page.pre) for line in rules.splitlines()), "rules for URLs are those of 'predict --rules'")
ok(re.search(r"The last run, at [-0-9: ]+ UTC, was stopped by a guard: s\.db: .*guard\.", said), "the run that a guard has stopped, and why")
ok("20 of 22 are listed; --csv writes all." in said and len(page.tables["same-title-table"]) == 21, "as many titles as fit, and how many there are")
ok("A title of many pages <3>" in said, "a title with signs of markup is text")
runs = page.tables["runs-table"][1:] if "runs-table" in page.tables else []
ok(len(runs) == 61 and runs[0][0] == "\u2013" and runs[0][2] == "stopped" and [r[0] for r in runs[1:]] == [str(n) for n in range(63, 3, -1)], "the run that was stopped, and the last 60 of 63 runs")
ok([[clean(c) for c in r[4:7]] for r in runs[3:5]] == [["\u2013"] * 3] * 2, "figures that a ledger has lost are dashes")
db = sqlite3.connect("s.db")
largest = db.execute("SELECT max(n) FROM (SELECT count(*) AS n FROM twindex_group_member WHERE detector = 'verdict' GROUP BY representative)").fetchone()[0]
ok(str(largest) in said and largest == 31, "the largest group is a page of all mirrors")
PYTHON
PYTHONPATH=$source/tests/support python3 look.py >out 2>err
cat out
if grep -q '^not ok' out || [ -s err ] || [ "$(grep -c '^ok' out)" != 9 ]; then fail 'the page' "$(cat err)"; fi

"$program" diff s.db >out 2>err
matches 'diff says so, too' "^$stopped"
equal 'and its JSON' true "$("$program" diff --json s.db | jq '.last_run_stopped | test("^s.db: a guard stopped .*")')"
"$program" undo --quiet s.db && "$program" diff s.db >out 2>err
matches 'after undo, which run was undone' '^run 63 was undone: the flags are those of run 62$'
equal 'and its JSON' 63 "$("$program" diff --json s.db | jq .undone_run)"
check 'the tables are written' 0 '*' report --csv tables s.db
rows() { python3 -c 'import csv, sys; print(*[len(list(csv.DictReader(open(f"tables/{n}.csv", encoding="utf-8-sig")))) for n in sys.argv[1:]])' "$@"; }
equal 'the tables of hosts, titles and runs have all of them' '34 22 64' "$(rows hosts same-title runs)"
"$program" groups --limit 3 --json s.db >out 2>err
equal 'a list of groups that is cut says how to get all of it' '3 "--limit 0 lists all groups"' "$(jq -c '.groups | length' out) $(jq .cut out)"
[ "$("$program" groups --limit 3 s.db | tail -1)" = '... and more: --limit 0 lists all groups' ] && "$program" groups --limit 0 --json s.db | jq -e 'has("cut") | not' >out
is $? 'so does the text, and one that is complete does not'

# ---- what a run adds: hosts that mirror another, more than are listed; pages without content, the most of a host and class first
login=('Sign in' 'Username Password Remember me Sign in') challenge=('Just a moment...' 'b.example needs to review the security of your connection before proceeding.')
no_pages() { # HOST N TITLE TEXT
    for i in $(seq "$2"); do jq -nc --arg u "https://$1/${3%% *}/$i" --arg t "$3" --arg x "$4" '{url: $u, title: $t, text: $x, status: 200}'; done
}
(grep '"https://m00\.' crawl.jsonl && no_pages old.example 1 "${login[@]}") >first.jsonl
cp crawl.jsonl second.jsonl
for host in b c; do no_pages $host.example 2 "${challenge[@]}"; done >>second.jsonl
for pages in a=2 b=2 c=3; do no_pages "${pages%=*}.example" "${pages#*=}" "${login[@]}"; done >>second.jsonl
"$program" init n.db >/dev/null && "$program" import --quiet n.db first.jsonl && "$program" run --quiet --force n.db &&
    "$program" import --quiet n.db second.jsonl && "$program" run --quiet --force n.db && "$program" report --html page.html n.db 2>err
PYTHONPATH=$source/tests/support python3 - 2>>err <<'PYTHON'
from report_page import Page
page = Page(); page.feed(open("page.html", encoding="utf-8").read())
said = " ".join(page.said.replace("\xa0", " ").replace("\u200b", "").split())
listed = "c.example: 3 {0}login a.example: 2 {0}login b.example: 2 {0}challenge b.example: 2 {0}login c.example: 2 {0}challenge".format("documents of class ")
assert f"11 new error pages, logins and other pages without content {listed} 30 new mirrors " in said
assert said.count("is a mirror of") == 25 and "and 5 more" in said
assert "m00.example is a mirror of near.example m01.example is a mirror of m00.example m02" in said  # m00 shows no pages
PYTHON
is $? 'its page lists them, the most of a host and class first, and how many more there are'

# ---- a store whose name a shell would take apart: the commands of the page can be pasted
for name in "it's a store.db" '$(touch taken) "x".db' '-s.db'; do
    cp s.db "./$name" && "$program" report --html page.html "./$name" 2>err &&
        python3 -c 'import html, re; print(html.unescape(re.search(r"<code>twindex mirrors (.*)", open("page.html").read())[1]))' >argument 2>>err &&
        [ "$(bash -c "printf %s $(<argument)")" = "./$name" ] && [ ! -e taken ]
    is $? "commands for the store $name"
done
exit $failed
