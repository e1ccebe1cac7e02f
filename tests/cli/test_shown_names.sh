#!/bin/bash
# wings: import
# Names that stand in no text: alt texts of images, JSON-LD, microdata, OpenGraph. Galleries whose pages have one text; the same names
# as another program reads them; stores of before, and of other programs; hostile pages.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ---- four galleries of ten pictures; the name of a picture stands in one place, and each page is on a mirror, too. The views for the printer have no picture.
cat >make.py <<'PYTHON'
import json
NAMES = "amber basalt cedar dahlia ember fennel garnet heather indigo jasper".split()
PLACES = {"alt": '<img src="%d.jpg" alt="A bowl of %s">', "jsonld": '<script type="application/ld+json">{"@type": "ImageObject", "id": %d, "name": "A bowl of %s"}</script>',
          "og": '<meta property="og:image:alt" content="%.0sA bowl of %s">', "sku": '<meta itemprop="sku" content="%d-%s">'}
TEXT = "Click the picture to enlarge it. All pictures of this collection may be used freely, in print and elsewhere, with the name of their maker; larger ones are sent on request. " * 2
def pages():
    for place, mark in PLACES.items():
        for n, name in enumerate(NAMES):
            for url, inside in ("https://%s.example/view?picture=%d", mark % (n, name)), ("http://mirror.example/%s/view?picture=%d", mark % (n, name)), ("https://%s.example/view?picture=%d&print=1", ""):
                yield url % (place, n + 17), "<!doctype html><title>Gallery</title><body>%s<p>%s" % (inside, TEXT)
def record(url, page):
    block = ("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page).encode()
    return b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-05-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url.encode(), len(block), block)
with open("g.warc", "wb") as warc, open("g.jsonl", "w") as lines:
    for url, page in pages():
        warc.write(record(url, page))
        lines.write(json.dumps({"url": url, "html": page}) + "\n")
PYTHON
python3 make.py
"$program" init s.db >/dev/null && twindex import s.db g.warc && [ "$(sqlite3 s.db "SELECT count(*), count(names), count(DISTINCT names) FROM documents")" = '120|80|20' ] &&
    [ "$(sqlite3 s.db "SELECT names FROM documents WHERE url LIKE 'https://sku.%=18'")" = 1-basalt ]
is $? 'a WARC of galleries is imported with the names of the pictures'
twindex run s.db
hidden="SELECT count(*) FROM flagged_documents AS a JOIN flagged_documents AS b ON b.id = a.duplicate_of JOIN documents AS x ON x.id = a.id JOIN documents AS y ON y.id = b.id WHERE x.names <> y.names"
got 'no picture is hidden behind another one' "$(sqlite3 s.db "$hidden")" 0
got 'each is found in its gallery' "$(sqlite3 s.db "SELECT count(DISTINCT d.names) FROM flagged_documents AS f JOIN documents AS d USING (id) WHERE f.duplicate_of IS NULL")" 20
[ "$(sqlite3 s.db "SELECT sum(duplicate_of IS NOT NULL) FROM flagged_documents WHERE url LIKE '%mirror%' OR url LIKE '%print=1'")" -ge 40 ]
is $? 'and most mirrors and views for the printer are hidden'
"$program" init j.db >/dev/null && twindex import j.db g.jsonl && twindex run j.db && [ "$(flags j.db)" = "$(flags s.db)" ]
is $? 'pages in JSON give the same flags'

sed '/mirror/s|<p>Click|<p>A mirror of the galleries, kept by friends of the house.<p>Click|' g.jsonl >banner.jsonl
"$program" init banner.db >/dev/null && twindex import banner.db banner.jsonl && twindex run banner.db
got 'nor behind a similar text, where the title says nothing' "$(sqlite3 banner.db "$hidden")" 0
got 'each is found there, too' "$(sqlite3 banner.db "SELECT count(DISTINCT d.names) FROM flagged_documents AS f JOIN documents AS d USING (id) WHERE f.duplicate_of IS NULL")" 20

id() { sqlite3 s.db "SELECT id FROM documents WHERE url = '$1'"; }
a=$(id 'https://alt.example/view?picture=17') b=$(id 'https://alt.example/view?picture=18')
prints 'compare says why they are no copies' 'not a copy: the texts are equal, but the names of their images or structured data differ' compare s.db "$a" "$b"
twindex explain s.db "$(id 'https://og.example/view?picture=18')" && grep -q 'sibling_of .*, but not a copy: the texts are equal, but the names of their images or structured data differ' out
is $? 'explain says why such a page is visible'
twindex compare s.db "$a" "$(id 'https://alt.example/view?picture=17&print=1')"; has 'a page without names is no other picture' 'a represented by b: a copy: the texts are equal'
twindex run --set copy.proof=names s.db && [ "$(sqlite3 s.db "SELECT count(DISTINCT d.names) FROM flagged_documents AS f JOIN documents AS d USING (id) WHERE f.duplicate_of IS NULL")" -lt 20 ]
is $? 'with copy.proof = names, equal texts are copies'
twindex run s.db

# ---- other domains: a mirror writes something around the texts, another one has a banner, too; and sessions, with images that rotate
cat >domains.py <<'PYTHON'
import json
TEXT = "Click the picture to enlarge it. All pictures of this collection may be used freely, in print and elsewhere, with the name of their maker; larger ones are sent on request. " * 3
for n in range(12):
    picture = '<img src="%d.jpg" alt="A bowl number %s">' % (n, "abcdefghijkl"[n])
    for url, more in ("https://own.example/view?picture=%d", picture), ("https://own.example/view?picture=%d&PHPSESSID=0123456789abcdef0123456789abcdef", '<img alt="Advertisement %d">' % n + picture), ("http://copies.example/own/view?picture=%d", picture + "<p>Mirrored for you"), ("http://banner.example/own/view?picture=%d", '<img alt="Our banner">' + picture + "<p>Mirrored for you"):
        print(json.dumps({"url": url % (n + 17), "html": "<!doctype html><title>Gallery</title><body><p>%s%s" % (TEXT, more)}))
PYTHON
python3 domains.py >domains.jsonl
"$program" init d.db >/dev/null && twindex import d.db domains.jsonl && twindex run d.db
hidden="SELECT count(*) FROM flagged_documents AS a JOIN documents AS x ON x.id = a.id JOIN documents AS y ON y.id = a.duplicate_of WHERE x.names <> y.names"
got 'a mirror is not hidden behind another picture' "$(sqlite3 d.db "$hidden AND x.url NOT LIKE '%banner%' AND x.url NOT LIKE '%SESSID%'")" 0
got 'and each picture is found' "$(sqlite3 d.db "SELECT count(DISTINCT d.names) FROM flagged_documents AS f JOIN documents AS d USING (id) WHERE f.duplicate_of IS NULL AND d.names NOT LIKE '%banner%'")" 12
got 'mirrors are hidden, also with a banner, and sessions' "$(sqlite3 d.db "SELECT count(*) FROM flagged_documents WHERE duplicate_of IS NULL AND (url NOT LIKE '%/own.example%' OR url LIKE '%SESSID%')")" 0

# ---- changes
twindex run --json s.db; holds 'd["signed"] == 0' 'nothing has changed'
sqlite3 s.db "UPDATE documents SET names = 'A bowl of mahogany' WHERE id = $a"
twindex run --json s.db; holds 'd["signed"] == 1 and d["read"] == 1' 'a changed name is signed again, and nothing else'
cp s.db full.db && twindex run --full full.db && [ "$(flags full.db)" = "$(flags s.db)" ]
is $? 'a full run gives the same flags'

# ---- captures without names
"$program" init old.db >/dev/null && "$program" import --quiet old.db g.warc && "$program" run --quiet old.db
before=$(flags old.db)
sqlite3 -bail old.db "UPDATE documents SET names = NULL, content_digest = substr(content_digest, 1, 16)"
twindex run old.db && [ "$(flags old.db)" != "$before" ]
is $? 'a run does without names'
twindex import --json old.db g.warc; holds 'd["replaced"] == 80 and d["same"] == 40' 'an import adds the names to the pages that have some'
equal 'the flags are those of a new store' "$before" "$(twindex run old.db && flags old.db)"
twindex import --json old.db g.warc; holds 'd["same"] == 120' 'the next import changes nothing'

# ---- stores of other programs
sqlite3 html.db "ATTACH 's.db' AS s; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, html TEXT)"
python3 - <<'PYTHON'
import sqlite3
exec(open("make.py").read().split("def record")[0])
db = sqlite3.connect("html.db")
db.executemany("INSERT INTO pages(url, html) VALUES (?, ?)", pages())
db.commit()
PYTHON
twindex check --suggest html.db && grep -qx 'names = html_names("html")' out && cp out html.conf
is $? 'the names of HTML pages are proposed'
equal 'and used' "$(visible j.db)" "$(twindex run --config html.conf html.db && visible html.db)"
cat >records.jsonl <<'JSON'
{"url": "http://r.example/1", "text": "a", "names": "One\nTwo"}
{"url": "http://r.example/2", "text": "b", "names": ["Three", null, 4]}
{"url": "http://r.example/3", "text": "c", "names": {"first": "Ann"}}
{"url": "http://r.example/4", "html": "<img alt=Five><p>d", "names": "Six"}
{"url": "http://r.example/5", "text": "e", "names": ""}
JSON
"$program" init r.db >/dev/null && twindex import r.db records.jsonl
got 'records have a field of that name' "$(sqlite3 r.db "SELECT group_concat(coalesce(replace(names, char(10), '+'), '-'), ' ') FROM (SELECT names FROM documents ORDER BY url)")" 'One+Two Three+4 - Six -'

# ---- as Python reads them: pages of a generator, and those of the browser's tests
cat >judge.py <<'PYTHON'
import json, pathlib, random, sqlite3, sys
from page_names import made_page, names_of
pages, rng = {}, random.Random(7)
for n in range(3000): pages["http://made.example/%d" % n] = made_page(rng)
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.html")):
    try: pages["http://golden.example/" + path.name] = path.read_text("utf-8")
    except UnicodeDecodeError: pass
long = ["<img alt='%s'>" % ("picture %d " % n * 7) for n in range(90)]
pages["http://long.example/"] = "".join(long)
pages["http://long.example/wide"] = "<img alt='%s'>" % ("a" + "東" * 3000) + long[0]
if sys.argv[2] == "make":
    with open("oracle.jsonl", "w") as out:
        for url, page in pages.items(): out.write(json.dumps({"url": url, "html": page}) + "\n")
else:
    found = dict(sqlite3.connect("oracle.db").execute("SELECT url, names FROM documents"))
    wrong = [(url, names_of(page), found.get(url, "missing")) for url, page in pages.items() if found.get(url, "missing") != names_of(page)]
    for row in wrong[:5]: print("%s\n  Python %r\n  ours   %r" % row, file=sys.stderr)
    print(len(pages), sum(1 for n in found.values() if n), len(wrong))
PYTHON
export PYTHONPATH=$source/tests/support
python3 judge.py "$source/tests/golden/pages" make && "$program" init oracle.db >/dev/null && twindex import oracle.db oracle.jsonl
is $? 'pages for the other program are imported'
read -r pages named wrong < <(python3 judge.py "$source/tests/golden/pages" compare 2>err)
[ "${pages:-0}" -gt 3000 ] && [ "$named" -gt 2000 ] && [ "$wrong" = 0 ]
is $? "Python reads the same names ($pages pages, $named with names, ${wrong:-?} read otherwise)"

# ---- hostile pages
python3 - <<'PYTHON'
import json
def script(text): return "<script type='application/ld+json'>" + text + "</script>"
pages = ["<img alt='" + "x" * 10_000_000 + "'><img alt=second>", "<img alt='" + "&amp;" * 2_000_000 + "'>", "<img alt=a>" * 1_000_000 + "<img alt=b>",
         script("[" * 200_000 + '{"name": "deep"}'), script('{"name":' * 30_000 + '"deep"'), script(' ' * 300_000 + '{"name": "too far"}'), script('{"name": "cut'), script('{"name": "a\\'), script('{"name": "a\\u00'),
         script('{"name": "a", , "sku": "b"'), script('<!-- {"name": "commented"} -->'), script('{"name": "\\ud83d\\ud83d\\ude00 \\u0000 \\ude00"}'),
         script('{"name": "nul \0 here"}'), "<img alt='nul \0 here'>", script('{"na\\u006de": "escaped key", "name" : {"sku": [1, 2]}}'), script('{"name": "' + '\\"' * 300_000 + '"}'),
         "".join("<img alt=%d>" % n for n in range(300_000)), "<script type='application/ld+json'>{\"name\": \"open"]
with open("hostile.jsonl", "w") as out:
    for n, page in enumerate(pages): out.write(json.dumps({"url": "http://h.example/%02d" % n, "html": "<title>T</title><p>text" + page}) + "\n")
PYTHON
succeeds 'hostile pages are imported and judged' published h.db hostile.jsonl
got 'each name has at most 4 KiB' "$(sqlite3 h.db 'SELECT max(length(CAST(names AS BLOB))) FROM documents')" 4096
short() { sqlite3 h.db "SELECT substr(url, 18) || ':' || coalesce(names, '-') FROM documents WHERE length(names) < 80 OR names IS NULL ORDER BY url"; }
got 'what is broken ends at its fault' "$(short)" '02:a
03:deep
04:deep
05:-
06:cut
07:a
08:au00
09:a
b
10:commented
11:�😀 � �
12:nul � here
13:nul � here
14:1
2
17:open'
exit "$failed"
