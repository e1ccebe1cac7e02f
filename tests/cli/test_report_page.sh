#!/bin/bash
# wings: import
# twindex report --html and --csv: what they write, that their figures are those of the store as sqlite3 counts them, that nothing of
# a crawl becomes markup or a formula, and what happens when they cannot write. scripts/test-pages opens the page in a browser.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ---- refusals
twindex init empty.db
refuses 'no run yet' 65 'no run' report --html page.html empty.db
[ ! -e page.html ] && [ -z "$(compgen -G 'page.html*')" ]
is $? 'nothing is left of a page that was not made'
refuses 'no such store' 66 'none.db' report --html page.html none.db
ln -s empty.db store.html
refuses 'a store in the place of the file' 64 'empty.db is an SQLite database, which is not overwritten: name another file' report --html empty.db empty.db
refuses 'a link to a store' 64 'store.html is an SQLite database' report --html store.html empty.db
refuses 'a store in the place of the metrics' 64 'empty.db is an SQLite database' run --metrics empty.db empty.db
[ "$(sqlite3 empty.db 'PRAGMA integrity_check')" = ok ] && [ -L store.html ]
is $? 'the store is as it was'

python3 - <<'END' >crawl.jsonl
import json
def page(url, title, text, **more): print(json.dumps({"url": url, "title": title, "text": text, "status": 200, **more}))
common = "The words of this page are about rivers and stones and clouds and they stand on every copy of it, one after the other. " * 3
for i in range(12): page(f"http://b.example/missing/{i}", "Page not found", "Sorry, this page was not found on the server. " * 4)
for i in range(6): page(f"http://g.example/{i}", "Terror of the seas", "The story of a ship and of the crew that sailed it around the cape in a storm. " * 4)
for i in range(4): page(f"http://c.example/{i}", "Shop", f"Number {i}: " + " ".join(f"word{i}x{k}" for k in range(60)))
page("http://d.example/1", "<script>alert(1)</script>", common)
lake = "Lake: the water of this lake is deep and cold, and boats cross it from shore to shore while the wind is low. " * 4
page("http://f.example/1", "Lake", lake)
page("http://f.example/2", "Lake", lake + " <img src=x onerror=alert(2)>")
page("http://d.example/\"><script>alert(3)</script>", "=HYPERLINK(\"http://x.example\",\"y\")", common)
page("http://d.example/3", "-1+1", common)
page("http://d.example/4", "@SUM(A1)", common)
page("http://d.example/5", "\t+2", common)
page("http://d.example/6", "\u202egnp.exe\u0000\u001b[31m", common)
page("http://d.example/7", "\uff1d3", common)
for i in range(3): page(f"http://a.example/{i}", "Rivers", common)
page("http://e.example/404", "gone", "gone", http_status=404)
END
sed -i 's/"status": 200, "http_status": 404/"status": 404/' crawl.jsonl
# groups of equal texts with titles of their own
printf '[verdict]\nrelations = scheme www canonical redirect exact copy\n' >twindex.conf
twindex init s.db && twindex import s.db crawl.jsonl && twindex run --force s.db
is $? 'the store is made'
sqlite3 s.db "UPDATE documents SET title = CAST(x'c328ff41' AS TEXT) WHERE id = 2"
twindex run --force s.db

mkdir folder
refuses 'the page is a folder' 73 'folder' report --html folder s.db
refuses 'no such folder' 73 'none/page.html' report --html none/page.html s.db
refuses 'the folder of the tables exists' 73 'name one that does not exist' report --csv folder s.db
refuses 'no folder for the tables' 73 'none/tables' report --csv none/tables s.db
refuses 'a full disk' 74 'write /dev/full' report --html /dev/full s.db
refuses 'an option without its file' 64 '--html' report s.db --html
if [ "$(id -u)" != 0 ]; then
    echo old >kept.html && chmod a-w kept.html
    refuses 'a page that is read-only' 73 kept.html report --html kept.html s.db
    chmod u+w kept.html
else
    pass 'skipped: root writes to read-only files'
fi

# ---- the page
before=$(sha256sum <s.db)
twindex report --html page.html s.db && [ ! -s out ] && [ ! -s err ]
is $? 'the page is written, and nothing else'
equal 'the store is only read' "$before" "$(sha256sum <s.db)"
got 'no temporary file is left' "$(compgen -G 'page.html*')" page.html
mkfifo pipe && { cat pipe >piped & }
twindex report --html pipe s.db && wait && grep -q '</html>' piped && [ -p pipe ]
is $? 'a page can be written to a pipe'
echo old >target && ln -s target link.html && twindex report --html link.html s.db && [ -L link.html ] && grep -q '</html>' target
is $? 'a symbolic link stays one, and its file gets the page'
ln target second && echo old >second && twindex report --html link.html s.db && [ -L link.html ] && grep -q '</html>' target && cmp -s target second
is $? 'with all of its names'
ln -s nowhere.html dangling.html && twindex report --html dangling.html s.db && [ -L dangling.html ] && grep -q '</html>' nowhere.html
is $? 'and is made if it is not there'
got 'a name of the system for standard output is written to' "$("$program" report --html /dev/stdout s.db 2>err | grep -c '</html>')" 1
cp page.html old.html
refuses 'a run that failed' 65 'no run' report --html page.html empty.db
succeeds 'after an error the page is the old one' cmp -s page.html old.html
for mode in 600 640 664; do
    echo old >mode.html && chmod $mode mode.html && twindex report --html mode.html s.db && grep -q '</html>' mode.html
    equal "the page that replaces one of mode $mode has its mode" $mode "$(stat -c %a mode.html)"
done
(umask 027 && rm -f mode.html && twindex report --html mode.html s.db)
equal 'a new page has the mode of the umask' 640 "$(stat -c %a mode.html)"
if [ "$(id -u)" = 0 ]; then
    chown 65534:65534 mode.html && chmod 620 mode.html && twindex report --html mode.html s.db
    equal 'the page that replaces one of another user stays with that user' '65534:65534 620' "$(stat -c '%u:%g %a' mode.html)"
    if setpriv --reuid 65534 --regid 65534 --clear-groups true; then
        mkdir theirs && cp s.db theirs && echo old >theirs/page.html && chmod 664 theirs/page.html && chown 65534:0 theirs theirs/page.html && chmod 711 .
        setpriv --reuid 65534 --regid 65534 --clear-groups "$program" report --html theirs/page.html theirs/s.db >out 2>err
        equal 'a group that cannot be given is not another one with its rights' '65534:65534 644' "$(stat -c '%u:%g %a' theirs/page.html)"
    fi
else
    pass 'skipped: only root can give files away'
fi

# ---- tables that cannot be written
refuses 'tables of a run that failed' 65 'no run' report --csv tables empty.db
succeeds 'after an error no folder is left' [ ! -e tables ]
sqlite3 s.db ".backup alone.db" "ATTACH 'alone.db' AS alone" 'PRAGMA alone.journal_mode = DELETE' >out 2>err # reading makes no file
(trap '' XFSZ && ulimit -f 1 && "$program" report --csv tables alone.db >out 2>err)
[[ $? == 74 && $(<err) == *'write tables/groups.csv: File too large'* && ! -e tables ]]
is $? 'tables that are too long for the file system: neither they nor their folder are left'

PYTHONPATH=$source/tests/support python3 - <<'END' >out 2>err
import base64, hashlib, re, sqlite3, sys
from report_page import Page
text = open("page.html", encoding="utf-8").read()  # fails unless it is UTF-8
page = Page(); page.feed(text)
def ok(condition, what): print(("ok - " if condition else "not ok - ") + what)
ok(not page.bad, f"no attribute runs, loads or styles anything, each id is there once, elements are closed {page.bad[:3]}")
ok(page.elements["script"] == 1 and page.elements["style"] == 1 and not {"img", "iframe", "link", "object", "embed", "form", "base"} & set(page.elements), "no elements but its own")
def hash_of(tag): return "'sha256-" + base64.b64encode(hashlib.sha256(page.inline[tag].encode()).digest()).decode() + "'"
ok("default-src 'none'" in page.csp and "style-src " + hash_of("style") in page.csp and "script-src " + hash_of("script") in page.csp and "unsafe" not in page.csp, "its policy allows its own style and script by their hashes")
ok(all(h.startswith(("#", "http://", "https://")) for h in page.hrefs), "links lead to the crawl's pages and inside the page")
ok("<script>alert" not in text and "&lt;script&gt;alert(1)" in text, "script in a title is text")
ok(not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text), "no control characters")
number = lambda cell: int(cell.strip().replace(",", ""))
db = sqlite3.connect("s.db")
flow = page.tables["flow-table"][1:]
ok(sum(number(r[1]) for r in flow[:-1]) == number(flow[-1][1]) == db.execute("SELECT count(*) FROM documents").fetchone()[0], "the flow sums up to the documents of the store")
hidden = db.execute("SELECT count(*) FROM document_flags WHERE duplicate_of IS NOT NULL AND indexable_b").fetchone()[0]
ok([number(r[1]) for r in flow if r[0] == "hidden as duplicates"] == [hidden], "hidden documents are those of the view")
def classes(rows):
    found = {}
    for size, n in rows:
        i = 0
        while size > 2 << i: i += 1
        found[i] = found.get(i, 0) + n
    return [found.get(i, 0) for i in range(max(found) + 1)]
by_name = {"sizes": None, "similarities": None}
answers = [db.execute(s.strip().rstrip(";")).fetchall() for s in page.sql]
ok(len(answers) >= 5, "each figure from SQL names its statement, and sqlite3 runs it")
sizes = [number(r[1]) for r in page.tables["sizes-table"][1:]]
ok(any(a and len(a[0]) == 2 and all(isinstance(v, int) for r in a for v in r) and classes(a) == sizes for a in answers), "sizes are those of the statement")
near = {number(r[0]): number(r[1]) for r in page.tables["similarities-table"][1:] if number(r[1])}
ok(any(dict(a) == near for a in answers if a and len(a[0]) == 2), "similarities are those of the statement")
relations = {r[0]: [number(c) for c in r[2:5]] for r in page.tables["relations-table"][1:]}
ok(any({r[0]: list(r[1:]) for r in a} == relations for a in answers if a and len(a[0]) == 4), "relations are those of the statement")
hosts = {r[0]: number(r[5]) for r in page.tables["hosts-table"][1:]}
ok(hosts == {f"{h}.example": n for h, n in db.execute("SELECT substr(url, 8, 1), count(*) FROM documents GROUP BY 1")}, "hosts have the documents of the store")
suspects = page.tables["no-pages-table"][1:]
ok([r[:3] for r in suspects] == [["b.example", "error", "11"]] and "Page not found" in suspects[0][3], "the soft 404 is a suspect, but for the page whose title was changed")
ok(not any("?1" in s for s in page.sql) and any(s.strip().endswith("LIMIT 20;") for s in page.sql) and "--limit 20 s.db" in text, "limits are those of the page")
ok("onerror=alert(2)" in text and ("<ins>" in text or "<del>" in text), "differences of texts are marked")
ok("Shop" in str(page.tables["same-title-table"]), "a title of many pages is a suspect")
for section in "since suspects part relations sizes hosts mirrors groups runs".split(): ok(section in page.ids, "section " + section)
END
cat out
if grep -q '^not ok' out || [ -s err ]; then fail 'the page' "$(cat err)"; fi

# ---- a document that is gone since the run
cp s.db gone.db && sqlite3 gone.db "DELETE FROM documents WHERE url = 'http://f.example/2'"
twindex report --html gone.html gone.db && grep -q 'A document is no longer in the store, or its row is longer than run.row_bytes' gone.html && ! grep -q 'A document is no longer' page.html
is $? 'the page says why texts are not compared'

# ---- the tables
twindex report --csv tables s.db && [ "$(LC_ALL=C ls tables | tr '\n' ' ')" = 'changes.csv editions.csv flow.csv groups.csv hosts.csv links.csv mirrors.csv no-pages.csv relations.csv runs.csv same-title.csv similarities.csv sizes.csv ' ]
is $? 'a file for each table'
PYTHONPATH=$source/tests/support python3 - <<'END' >out 2>err
import csv, re, sqlite3
from report_page import Page
def ok(condition, what): print(("ok - " if condition else "not ok - ") + what)
def read(name):
    data = open(f"tables/{name}.csv", "rb").read()
    ok(data.startswith(b"\xef\xbb\xbf") and data.count(b"\n") == data.count(b"\r\n"), f"{name}: a byte order mark and CRLF")
    return list(csv.DictReader(data.decode("utf-8-sig").splitlines(), strict=True))
db = sqlite3.connect("s.db")
db.text_factory = lambda b: b.decode("utf-8", "replace")
groups, hosts, changes = read("groups"), read("hosts"), read("changes")
want = {str(d): str(r) for d, r in db.execute("SELECT document, representative FROM twindex_group_member WHERE detector = 'verdict'")}
head = {g["cluster"]: g["id"] for g in groups if g["role"] == "representative"}
ok({g["id"]: head[g["cluster"]] for g in groups} == want, "groups: members and representatives are those of the view")
ok(sum(int(h["documents"]) for h in hosts) == db.execute("SELECT count(*) FROM documents").fetchone()[0], "hosts: all documents")
ok(sum(int(h["hidden"]) for h in hosts) == db.execute("SELECT count(*) FROM document_flags WHERE duplicate_of IS NOT NULL").fetchone()[0], "hosts: hidden documents")
page = Page(); page.feed(open("page.html", encoding="utf-8").read())
clean = lambda c: re.sub(r"[,\u200b]", "", re.sub(r"\s+", " ", c.replace("\u2013", "").strip()))
same = lambda a, b: a == b or (a.endswith("%") and abs(float(a.strip("<>% \xa0")) / 100 - float(b)) <= 0.001) or a.endswith("\u2026") or b.startswith("'") or clean(a) == clean(b)
tables = {name: read(name) for name in "flow links relations sizes similarities no-pages same-title runs".split()}
for name, rows in tables.items():
    shown = [[clean(c) for c in r] for r in page.tables[name + "-table"][1:]] if name + "-table" in page.tables else []
    ok(len(shown) == len(rows) and rows and all(len(s) == len(r) and all(map(same, s, map(clean, r.values()))) for s, r in zip(shown, rows)), f"{name}: what the table of the page has")
ok(read("editions") == [] and read("mirrors") == [], "tables without rows have their headings")
cells = [c for table in (groups, hosts, changes, *tables.values()) for row in table for c in row.values()]
ok(not any(c.lstrip()[:1] in tuple("=+-@\uff1d\uff0b\uff0d\uff20") and c.strip() for c in cells), "no cell begins like a formula")
ok({"'=HYPERLINK(\"http://x.example\",\"y\")", "'-1+1", "'@SUM(A1)"} <= set(cells), "they begin with an apostrophe")
ok(not any(ord(x) < 32 or 0x202a <= ord(x) <= 0x202e for c in cells for x in c), "no control characters")
END
cat out
if grep -q '^not ok' out || [ -s err ]; then fail 'the tables' "$(cat err)"; fi

exit $failed
