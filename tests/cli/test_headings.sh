#!/bin/bash
# wings: import lab
# Level-1 headings: recorded by an import, found in stores of other programs, part of a document's name. A shop whose pages differ in
# their h1 only, and a mirror of it; stores of every earlier schema; columns that are missing, empty or of another type.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ---- 20 products, each on two hosts. Title and text are the same but for the name, which stands in the text once, in the line of the h1.
cat >make.py <<'PYTHON'
import json, sqlite3, sys
NAMES = "amber basalt cedar dahlia ember fennel garnet heather indigo jasper kelp lilac maple nettle opal poppy quince rowan sorrel thyme".split()
BODY = " ".join("Sentence %d belongs to the frame that every page of this shop shares." % i for i in range(12))
LINES = "".join("<p>%s" % line for line in "In stock|Two colours|Add to basket|Ask a question|Delivery|Returns|Guarantee|Care|Reviews|Share|Print|Next|Previous|Zoom|Back".split("|"))
def pages():
    for n, name in enumerate(NAMES):
        h1 = '<h1 class="logo">Corner Shop</h1><h1 style="display: none">Hidden</h1><h1> </h1><h1>Chair <i>%s</i></h1>' % name
        yield "https://shop.example/item?id=%d" % (n + 17), h1 + LINES + "<p>" + BODY
        yield "http://mirror.example/shop/item?id=%d" % (n + 17), "<p>Mirror of the shop, 2024-05-%02d. " % (n + 1) + h1 + LINES + "<p>" + BODY
def record(url, page):
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    block = (head + "<!doctype html><title>Our products</title>" + page).encode()
    return b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-05-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url.encode(), len(block), block)
with open("shop.warc", "wb") as out:
    for url, page in pages(): out.write(record(url, page))
PYTHON
python3 make.py
succeeds 'a shop is imported' imported s.db shop.warc
[ "$(sqlite3 s.db "SELECT count(*), count(DISTINCT headings), min(headings) FROM documents")" = "40|20|Corner Shop
Chair amber" ]
is $? 'its headings are recorded, neither hidden nor empty ones'
equal 'one page a name is visible' 20 "$(twindex run s.db && visible)"
got 'and none of the mirror' "$(sqlite3 s.db "SELECT DISTINCT f.representative_b FROM document_flags AS f JOIN documents AS d USING (id) WHERE d.url LIKE 'https:%'")" 1

# ---- why
twindex compare s.db 1 3 && grep -qx "a represented by b: not a copy: 'amber' in its heading is not in the other" out &&
    grep -qx "b represented by a: not a copy: 'basalt' in its heading is not in the other" out
is $? 'compare names the missing word of the heading'
twindex explain s.db 2 && grep -q "copy_of  *a copy of 1 .*, and its name is there: .*'amber'" out && ! grep -q "'corner'" out
is $? 'explain names the word that was found, and the logo is no name'
twindex explain s.db 3 && grep -q "sibling_of .*: 'basalt' in its heading is not in the other" out ||
    { twindex explain s.db 1 && grep -q "sibling_of .*: 'amber' in its heading is not in the other" out; }
is $? 'explain says why a sibling is visible'
twindex run --set verdict.relations='exact near' --set guard.max_hidden=1 s.db &&
    twindex evaluate --json --findable --hidden 0 --detectors exact s.db &&
    "$source/scripts/findable-plain.py" s.db --json --examples 0 >plain.json 2>>err &&
    [ "$(jq -c '[.findable[] | select(.name == "verdict") | .sampled, .heading_lost * .sampled, .lost] | map(round)' out)" = \
        "$(jq -c '[.hidden_own_text, .heading_lost, .lost]' plain.json)" ] && [ "$(jq .heading_lost plain.json)" -ge 19 ]
is $? 'evaluate counts heading words that the representative lacks, as the plain script does'
prints 'and has a column for them' 'heading word lost' evaluate --findable --detectors exact s.db

# ---- bytes that are not UTF-8
sqlite3 s.db "INSERT INTO documents(url, text) VALUES ('https://h.example/not-utf8', CAST(x'6162FF6364' AS TEXT)), ('https://h.example/utf8', 'abcd')"
twindex run --json --set guard.max_hidden=1 s.db; holds 'd["invalid_utf8"] == 1' 'a text that is not UTF-8 is counted'
sqlite3 s.db "DELETE FROM documents WHERE url LIKE '%utf8'"

# ---- changes
twindex run s.db && [ "$(visible)" = 20 ] && sqlite3 s.db "UPDATE documents SET headings = 'Table mahogany' WHERE id = 2"
twindex run --json s.db; holds 'd["signed"] == 1 and d["read"] == 1' 'a changed heading is signed again, and nothing else'
got 'the page has another name than its text' "$(visible)" 21
twindex import s.db shop.warc && twindex run s.db && [ "$(visible)" = 21 ]
is $? 'the same import does not undo it: the row was not changed by an import'
sed 's/2024-05-01T/2024-06-01T/' shop.warc >later.warc
twindex import s.db later.warc && twindex run s.db && [ "$(visible)" = 20 ]
is $? 'a later import replaces it'

# ---- a table of documents without a column
"$program" init new.db >/dev/null && "$program" import --quiet new.db later.warc && "$program" run --quiet new.db
cp new.db less.db && sqlite3 -bail less.db 'DROP VIEW flagged_documents; ALTER TABLE documents DROP COLUMN headings'
equal 'a run does without the headings: the words in the texts tell the pages apart' 20 "$(twindex run less.db && visible less.db)"
refuses 'an import needs the column' 65 'cannot import into: '\''twindex init'\'' makes one in a new file (it lacks the column headings)' import less.db later.warc

# ---- stores of other programs
sqlite3 foreign.db "ATTACH 'new.db' AS new; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, h1 TEXT, content TEXT, number INTEGER);
    INSERT INTO pages SELECT id, url, title, headings, text, id FROM new.documents"
twindex check foreign.db; has 'h1 is a usual name' 'headings "h1"'
equal 'and its words are names' 20 "$(twindex run foreign.db && visible foreign.db)"
sqlite3 foreign.db "UPDATE pages SET h1 = 'Table mahogany' WHERE id = 2"
twindex run --json foreign.db; holds 'd["signed"] == 1 and d["read"] == d["documents"]' 'a changed heading is signed again, although all rows are read'
got 'and is a name of its own' "$(visible foreign.db)" 21
sqlite3 foreign.db "UPDATE pages SET h1 = (SELECT h1 FROM pages WHERE id = 1) WHERE id = 2"
twindex check --suggest foreign.db && grep -qx 'headings = "h1"' out
is $? 'check --suggest proposes it'
equal 'store.headings is an expression' 20 "$(twindex run --set store.headings="replace(h1, 'Corner Shop', '')" foreign.db && visible foreign.db)"
map='--set store.from=pages --set store.id=id --set store.url=url --set store.text=content --set store.title=title'
refuses 'a column that is missing' 65 'store.headings is not valid: no such column: nope' run $map --set store.headings=nope foreign.db
# every type but text and blob is no heading
for value in 17 1.5 NULL "''" "x'00ff80'"; do
    twindex run $map --set store.headings="$value" foreign.db && flags_of=$(sqlite3 foreign.db 'SELECT id, representative_b FROM document_flags' | sha256sum)
    [ $? = 0 ] && twindex run $map foreign.db && [ "$flags_of" = "$(sqlite3 foreign.db 'SELECT id, representative_b FROM document_flags' | sha256sum)" ]
    is $? "headings that are $value are ignored"
done
equal 'a blob is read as text' 20 "$(twindex run $map --set store.headings="CAST(h1 AS BLOB)" foreign.db && visible foreign.db)"
check 'long headings of NUL are no words' 0 '*' run $map --set store.headings="CAST(zeroblob(100000) AS TEXT)" foreign.db

# ---- pages that are HTML
sqlite3 html.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, html TEXT)"
python3 - <<'PYTHON'
import sqlite3
exec(open("make.py").read().split("with open")[0])
db = sqlite3.connect("html.db")
for url, page in pages(): db.execute("INSERT INTO pages(url, html) VALUES (?, ?)", (url, "<!doctype html><html><title>Our products</title><body>" + page))
db.commit()
PYTHON
twindex check --suggest html.db && grep -qx 'headings = html_headings("html")' out && cp out html.conf
is $? 'the headings of HTML pages are proposed'
equal 'and read' 20 "$(twindex run --config html.conf html.db && visible html.db)"

# ---- records
cat >records.jsonl <<'JSON'
{"url": "http://r.example/1", "text": "a", "headings": "One\nTwo"}
{"url": "http://r.example/2", "text": "b", "h1_txt": ["Three", "Four"]}
{"url": "http://r.example/3", "body_content": "c", "headings": ["Main", "a section", "another"]}
{"url": "http://r.example/4", "text": "d", "headings": {"h1": ["x"]}}
{"url": "http://r.example/5", "text": "e", "headings": [], "h1": "Five"}
{"url": "http://r.example/6", "html": "<h1>Six</h1><p>f"}
{"url": "http://r.example/7", "text": "g", "headings": ""}
JSON
printf 'Address,H1-1,H1-2,Content\nhttp://r.example/8,Eight,Nine,h\n' >records.csv
succeeds 'records are imported' imported r.db records.jsonl records.csv
got 'with the headings of each' "$(sqlite3 r.db "SELECT group_concat(coalesce(replace(headings, char(10), '+'), '-'), ' ') FROM (SELECT headings FROM documents ORDER BY url)")" \
    'One+Two Three+Four Main - Five Six - Eight'
exit "$failed"
