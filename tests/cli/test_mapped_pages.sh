#!/bin/bash
# wings: import
# One answer for one page, however it is stored: pages are imported, and put into tables of other programs, which are read with the mapping that
# Twindex finds by itself or with the configuration that `check --suggest` writes. Every flag is compared: what a page says about itself (robots,
# canonical link, translations, refresh, language) has to count in both. With a corpus or a crawl (TWINDEX_CORPUS, TWINDEX_CRAWLS) 300 real pages are compared, too.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

cat >make.py <<'PYTHON'
import gzip, hashlib, json, random, sqlite3
WORDS = "harbour tide timber lantern meadow copper willow granite saffron velvet orchard compass thunder pebble marble cinder falcon juniper amber quartz".split()
R = range(1, 121)
def words(seed, n):
    random.seed(seed)
    return " ".join(random.choice(WORDS) for _ in range(n))
class Page: pass
def page(i):
    p = Page()
    p.id = i
    p.url = "https://www.site%d.example/%s/page-%d" % (i % 5, "ab"[i % 2], i)
    p.time = 1700000000 + (i * 7919) % 100000
    p.status = 404 if i % 17 == 0 else 200
    p.robots = "noindex, nofollow" if i % 13 == 0 else "noarchive" if i % 6 == 0 else None
    p.title = "Page %d about %s" % (i // 3, words(i // 3 + 999, 2))
    p.description = "What page %d says of %s" % (i // 4, words(i // 4 + 500, 3)) if i % 3 else None
    p.text = words(i // 2, 70) + (" " + words(i, 2) if i % 4 == 0 else "")
    head = "<title>%s</title>" % p.title
    if p.description: head += "<meta name=Description content=' %s '>" % p.description.replace(" ", "  ")
    if i % 7 == 0: head += "<meta name=ROBOTS content='NoIndex'><meta name=robots content=follow>"
    if i % 12 == 5: head += "<base href='https://www.site%d.example/a/'><link rel='shortlink canonical' href='page-%d'>" % (i % 5, i - 5)
    if i % 12 == 9: head += "<link rel=canonical href='//other.example/page'>"
    if i % 12 == 1: head += "<link rel=canonical href='?x=1&amp;y=2#z'>"
    if i % 20 == 3: head += "<meta http-equiv=Refresh content='0; URL=\"page-%d\"'>" % (i - 2)
    if i % 10 in (6, 7): head += "<link rel=alternate hreflang=de href='/%s/page-%d'>" % ("ba"[i % 2], i ^ 1)
    lang = " lang=%s" % ("de" if i % 2 else "en") if i % 3 else ""
    p.html = "<!doctype html><html%s><head>%s</head><body>%s<nav><a href=/>Start</a></nav><h1>%s</h1><%s>%s</%s></body></html>" % (
        lang, head, "<!-- %d -->" % i, p.title, "p" if i % 5 else "div", p.text, "p" if i % 5 else "div")
    return p
PAGES = [page(i) for i in R]
def store(name, ddl, **tables):
    db = sqlite3.connect(name + ".db")
    db.executescript(ddl)
    for table, rows in tables.items():
        rows = list(rows)
        db.executemany('INSERT INTO "%s" VALUES (%s)' % (table, ", ".join("?" * len(rows[0]))), rows)
    db.commit()
    db.close()
def lines(name, fields):
    with open(name, "w") as f:
        for p in PAGES: f.write(json.dumps({k: v for k, v in fields(p).items() if v is not None}) + "\n")
key = lambda p: hashlib.sha1(p.url.encode()).hexdigest()

# the same pages, as records: whole pages, and texts that a crawler has extracted
lines("html.jsonl", lambda p: dict(url=p.url, html=p.html, http_status=p.status, robots=p.robots, fetched_at=p.time))
lines("bare.jsonl", lambda p: dict(url=p.url, html=p.html))
lines("text.jsonl", lambda p: dict(url=p.url, text=p.text, title=p.title, description=p.description, http_status=p.status, robots=p.robots, fetched_at=p.time))
lines("plain.jsonl", lambda p: dict(url=p.url, text=p.text, title=p.title, http_status=p.status, fetched_at=p.time))

# pages, found by the names of the columns
store("named", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, html TEXT)", pages=((p.id, p.url, p.html) for p in PAGES))
# pages of HTML: three tables with the visits between, compressed, JSON
store("visits", """CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, robots TEXT); CREATE TABLE visits(id INTEGER PRIMARY KEY, url_id INTEGER REFERENCES urls(id), status INTEGER, fetched_ms INTEGER);
    CREATE TABLE bodies(visit_id INTEGER PRIMARY KEY REFERENCES visits(id), html TEXT); CREATE INDEX visits_by_url ON visits(url_id)""",
    urls=((p.id, p.url, p.robots) for p in PAGES),
    visits=[(1000 + p.id, p.id, p.status, p.time * 1000 + 7) for p in PAGES] + [(p.id, p.id, 200, (p.time - 5000) * 1000) for p in PAGES],
    bodies=[(1000 + p.id, p.html) for p in PAGES] + [(p.id, p.html.replace("Start", "an older page that is not the one to be read")) for p in PAGES])
store("packed", "CREATE TABLE answers(nr INTEGER PRIMARY KEY, link TEXT, payload BLOB, status TEXT, meta_robots TEXT, fetch_time INTEGER)",
    answers=((p.id, p.url, gzip.compress(p.html.encode()), "200 OK" if p.status == 200 else "404 Not Found", p.robots, p.time) for p in PAGES))
store("json", "CREATE TABLE objects(key TEXT PRIMARY KEY, value TEXT)",
    objects=((key(p), json.dumps(dict(url=p.url, raw_html=p.html, status_code=p.status, robots=p.robots, fetched_at=p.time))) for p in PAGES))
# texts: FTS with the rowid of another table, FTS with external content, the status on the other side of a join, epoch milliseconds
store("fts_rowid", "CREATE TABLE meta(id INTEGER PRIMARY KEY, url TEXT, response_code TEXT, robots TEXT, fetched_at INTEGER); CREATE VIRTUAL TABLE pages USING fts5(title, description, body)",
    meta=((p.id, p.url, "HTTP/1.1 200 OK" if p.status == 200 else "404", p.robots, p.time) for p in PAGES))
store("fts_content", """CREATE TABLE articles(id INTEGER PRIMARY KEY, url TEXT, title TEXT, description TEXT, body TEXT, http_code INTEGER, robots TEXT, fetched_at INTEGER);
    CREATE VIRTUAL TABLE articles_fts USING fts5(title, body, content='articles', content_rowid='id')""",
    articles=((p.id, p.url, p.title, p.description, p.text, p.status, p.robots, p.time) for p in PAGES))
store("digests", "CREATE TABLE urls(hash TEXT PRIMARY KEY, url TEXT, status INTEGER, robots TEXT, fetched_ms INTEGER, depth INTEGER); CREATE TABLE contents(url_hash TEXT PRIMARY KEY, title TEXT, description TEXT, text TEXT)",
    urls=((key(p), p.url, p.status, p.robots, p.time * 1000, 3) for p in PAGES), contents=((key(p), p.title, p.description, p.text) for p in PAGES))
store("joined_ids", "CREATE TABLE page(id INTEGER PRIMARY KEY, address TEXT, status TEXT, meta_robots TEXT, crawled_at_ms INTEGER, crawled_at INTEGER); CREATE TABLE body(page_id INTEGER PRIMARY KEY REFERENCES page(id), title TEXT, description TEXT, markdown TEXT)",
    page=((p.id, p.url, "ok" if p.status == 200 else "not found", p.robots, 1, p.time * 1000) for p in PAGES), body=((p.id, p.title, p.description, p.text) for p in PAGES))
store("one_key", "CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, status INTEGER, robots TEXT, fetched_at INTEGER); CREATE TABLE contents(id INTEGER PRIMARY KEY, title TEXT, description TEXT, text TEXT); CREATE TABLE notes(id INTEGER PRIMARY KEY, note TEXT)",
    urls=((p.id, p.url, p.status, p.robots, p.time) for p in PAGES), contents=((p.id, p.title, p.description, p.text) for p in PAGES), notes=((i, "a note that is as long as a text but belongs to no page") for i in range(5)))
store("bodies", "CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT); CREATE TABLE fetches(id INTEGER PRIMARY KEY, url_id INTEGER, body_id INTEGER, code TEXT, http_status TEXT, meta_robots TEXT, fetched_at INTEGER); CREATE TABLE bodies(id INTEGER PRIMARY KEY, title TEXT, description TEXT, text TEXT)",
    urls=((p.id, p.url) for p in PAGES), fetches=((2000 - p.id, p.id, 500 + p.id, "x", "%d -" % p.status, p.robots, p.time) for p in PAGES), bodies=((500 + p.id, p.title, p.description, p.text) for p in PAGES))
store("fts", "CREATE VIRTUAL TABLE archive USING fts5(url UNINDEXED, title, content, http_status UNINDEXED, fetched_at UNINDEXED)")
db = sqlite3.connect("fts_rowid.db")
db.executemany("INSERT INTO pages(rowid, title, description, body) VALUES (?, ?, ?, ?)", [(p.id, p.title, p.description, p.text) for p in PAGES])
db.commit()
db = sqlite3.connect("fts.db")
db.executemany("INSERT INTO archive(rowid, url, title, content, http_status, fetched_at) VALUES (?, ?, ?, ?, ?, ?)", [(p.id, p.url, p.title, p.text, p.status, p.time) for p in PAGES])
db.commit()
PYTHON
python3 make.py >out 2>err
is $? 'the stores are made'

# The flags of a store by URL: references to documents and clusters become URLs, which all stores have.
cat >flags.py <<'PYTHON'
import json, sqlite3, subprocess, sys
store, settings = sys.argv[1], sys.argv[2:]
db = sqlite3.connect(store)
url = dict(db.execute(settings[0]))
rows = db.execute("SELECT * FROM document_flags").fetchall()
names = [c[0] for c in db.execute("SELECT * FROM document_flags").description]
cluster = {}
for r in rows:
    for n, v in zip(names, r):
        if n.endswith("cluster_l") and v is not None: cluster.setdefault((n, v), []).append(url[r[0]])
for line in sorted(json.dumps([url[r[0]]] + [
        url.get(v) if n == "duplicate_of" else min(cluster[n, v]) if n.endswith("cluster_l") and v is not None else v
        for n, v in list(zip(names, r))[1:]]) for r in rows): print(line)
PYTHON

# import_of NAME: imports NAME.jsonl and leaves its flags in NAME.flags
import_of() {
    "$program" init "$1-own.db" >out 2>err && "$program" import --quiet "$1-own.db" "${2:-$1.jsonl}" >out 2>err && "$program" run --quiet "$1-own.db" >out 2>err &&
        python3 flags.py "$1-own.db" 'SELECT id, url FROM documents' >"$1.flags" 2>err
    is $? "$1: the pages are imported"
}
# same_flags STORE FLAGS SELECT-OF-ID-AND-URL
same_flags() {
    python3 flags.py "$1.db" "$3" >"$1.got" 2>err && diff "$2.flags" "$1.got" >out
    is $? "$1: every flag is that of the imported pages"
}
# suggested STORE FLAGS SELECT LINE...: with the configuration of check --suggest, which has these lines
suggested() {
    local store=$1 flags=$2 select=$3 line lines=0
    shift 3
    "$program" check --suggest "$store.db" >"$store.conf" 2>err
    is $? "$store: a configuration without warnings"
    for line in "$@"; do grep -qxF -- "$line" "$store.conf" || { echo "missing: $line" >>err && cat "$store.conf" >>err && lines=1; }; done
    is $lines "$store: it has what is expected"
    check "$store: it runs" 0 '*' run --quiet --config "$store.conf" "$store.db"
    same_flags "$store" "$flags" "$select"
}

for name in html bare text plain; do import_of $name; done
got 'pages take no part for reasons of their own' "$(sqlite3 bare-own.db 'SELECT count(*) BETWEEN 20 AND 60 FROM document_flags WHERE NOT indexable_b')" 1

check 'a column named html is found' 0 '*' run --quiet named.db
same_flags named bare 'SELECT id, url FROM pages'
check 'a mapping that reads only the text of pages' 0 '' check --set store.from=pages --set store.id=id --set store.url=url --set 'store.text=html_text(html)' named.db
has 'is told what else they say' 'what pages say about themselves is not: for whole pages map robots = html_robots()'
check 'not if it reads them' 0 '' check named.db
got 'the advice is given once' "$(grep -c 'about themselves' out)" 0
suggested visits html 'SELECT id, url FROM urls' 'from = "urls" AS p JOIN "visits" AS v ON v."url_id" = p."id" JOIN "bodies" AS t ON t."visit_id" = v."id"' \
    'http_status = v."status"' 'fetched_at = v."fetched_ms"' "robots = coalesce(p.\"robots\" || ', ', '') || coalesce(html_robots(t.\"html\"), '')" \
    'canonical_url = html_canonical(t."html", p."url")' 'main = html_main(t."html")'
suggested packed html 'SELECT nr, link FROM answers' 'text = html_text(inflate("payload"))' 'main = html_main(inflate("payload"))' 'redirect_url = html_refresh(inflate("payload"), "link")' 'http_status = "status"'
suggested json html "SELECT key, value ->> '\$.url' FROM objects" "hreflang_group = html_hreflang(\"value\" ->> '\$.\"raw_html\"', \"value\" ->> '\$.url')"
suggested fts_rowid text 'SELECT id, url FROM meta' 'http_status = p."response_code"' 'from = "meta" AS p JOIN "pages_content" AS t ON t."id" = p."id"'
suggested fts_content text 'SELECT id, url FROM articles' 'from = "articles"' 'http_status = "http_code"'
suggested digests text 'SELECT hash, url FROM urls' 'http_status = p."status"' 'robots = p."robots"' 'fetched_at = p."fetched_ms"' '# not mapped: urls.depth'
# Words without a number are not 200, so the document takes no part, but they do not say that it is an error.
sed 's/"error", 1, null]$/"page", 0, null]/' text.flags >worded.flags && ! cmp -s text.flags worded.flags
is $? 'documents with the status 404 are error pages'
suggested joined_ids worded 'SELECT id, address FROM page' 'http_status = p."status"' 'fetched_at = p."crawled_at"' '# not mapped: page.crawled_at_ms'
suggested one_key text 'SELECT id, url FROM urls' 'from = "urls" AS p JOIN "contents" AS t ON t."id" = p."id"' 'http_status = p."status"'
suggested bodies text 'SELECT id, url FROM urls' 'from = "urls" AS p JOIN "fetches" AS v ON v."url_id" = p."id" JOIN "bodies" AS t ON t."id" = v."body_id"' 'http_status = v."http_status"' '# not mapped: fetches.code'
suggested fts plain 'SELECT rowid, url FROM archive'

# an FTS table under its own name
printf '[store]\nallow_view = yes\n' >view.conf
check 'an FTS table is found' 0 '' check --config view.conf fts.db
has 'under its own name' 'from "archive"'
check 'and named when it is not allowed' 1 '' check fts.db
has 'with what to do' "reads 'archive', which is a virtual table: set store.allow_view = yes"
check 'it is read' 0 '*' run --quiet --config view.conf fts.db
same_flags fts plain 'SELECT rowid, url FROM archive'
printf '[store]\nallow_view = yes\nfrom = archive\nid = rowid\nurl = url\ntext = content\ntitle = title\n' >view.conf
check 'so it is when it is named' 0 '*' run --quiet --config view.conf fts.db

# ---- a first run of which nothing takes part
sqlite3 words.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, content TEXT, status TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO pages SELECT i, 'http://a.example/' || i, 'text ' || i * 7919, 'fetched' FROM n"
check 'a first run that leaves nothing is stopped' 3 '*50 of the 50 documents would not take part; 50 documents: the HTTP status is not 200 (guard.max_hidden): check the mapping*' run --quiet words.db
got 'and publishes nothing' "$(sqlite3 words.db "SELECT count(*) FROM sqlite_schema WHERE name = 'document_flags'")" 0
check 'not with guard.max_hidden = 1' 0 '*' run --quiet --dry-run --set guard.max_hidden=1 words.db
check '--force publishes it' 0 '*' run --quiet --force words.db
for spelling in '200 OK' '200.0' 'HTTP/1.1 200 OK' OK ' 200 ' '200-ok' 'HTTP/2 200'; do
    rm -f words.db-*; sqlite3 words.db "UPDATE pages SET status = '$spelling'" && "$program" run --quiet words.db >out 2>err
    got "'$spelling' is the status 200" "$(sqlite3 words.db 'SELECT sum(indexable_b) FROM document_flags')" 50
done
for spelling in '404 Not Found' 'HTTP/1.1 503 Service Unavailable' 'okay' '2000' '200x'; do
    sqlite3 words.db "UPDATE pages SET status = '$spelling'" && "$program" run --quiet --force words.db >out 2>err
    got "'$spelling' is not" "$(sqlite3 words.db 'SELECT sum(indexable_b) FROM document_flags')" 0
done

# ---- real pages
cat >real.py <<'PYTHON'
import glob, gzip, os, sqlite3, sys, zlib
def records(path):
    data = gzip.open(path).read() if open(path, "rb").read(2) == b"\x1f\x8b" else open(path, "rb").read()
    at = 0
    while data.startswith(b"WARC/", at):
        end = data.find(b"\r\n\r\n", at)
        if end < 0: return
        head = {k.strip().lower(): v.strip() for k, _, v in (l.partition(":") for l in data[at:end].decode("latin-1").split("\r\n")[1:])}
        n = int(head.get("content-length", "0"))
        yield head, data[end + 4:end + 4 + n]
        at = end + 4 + n
        while data[at:at + 1] in (b"\r", b"\n"): at += 1
def body_of(block):
    head, _, body = block.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    fields = {k.strip(): v.strip() for k, _, v in (l.partition(":") for l in lines[1:])}
    if "text/html" not in fields.get("content-type", "") or " 200" not in lines[0]: return None
    if "chunked" in fields.get("transfer-encoding", ""):
        out = b""
        while body:
            size, _, body = body.partition(b"\r\n")
            n = int(size.split(b";")[0] or b"0", 16)
            if n == 0: break
            out += body[:n]
            body = body[n + 2:]
        body = out
    if fields.get("content-encoding", "") in ("gzip", "x-gzip"): body = zlib.decompress(body, 47)
    return body if 0 < len(body) < 1 << 20 else None
pages = {}
files = [f for folder in sys.argv[1:] for f in sorted(glob.glob(folder + "/*.warc") + glob.glob(folder + "/*.warc.gz"))]
for f in files:
    taken = 0
    try:
        for head, block in records(f):
            url = head.get("warc-target-uri", "").strip("<>")
            if head.get("warc-type") != "response" or not url.startswith("http") or url in pages: continue
            body = body_of(block)
            if body is None: continue
            pages[url] = body
            taken += 1
            if taken >= 60 or len(pages) >= 300: break
    except (ValueError, zlib.error, EOFError, OSError): pass
with open("real.warc", "wb") as out:
    for url, body in pages.items():
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        out.write(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n" % (url.encode(), len(block)) + block + b"\r\n\r\n")
db = sqlite3.connect("real.db")
db.execute("CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, html BLOB)")
db.executemany("INSERT INTO pages(url, html) VALUES (?, ?)", list(pages.items()))
db.commit()
print(len(pages))
PYTHON
corpus=${TWINDEX_CORPUS:-$source/../shared/corpus} crawls=${TWINDEX_CRAWLS:-/tmp/twindex-crawls}
if [ -d "$corpus/warc" ]; then
    python3 real.py "$corpus/warc" "$crawls/small/warc" >count 2>err
    is $? 'real pages are taken from their files'
    import_of real real.warc
    python3 - <<'PYTHON' 2>err
import sqlite3
db = sqlite3.connect("real.db")
db.execute("ATTACH 'real-own.db' AS own")
db.executescript("CREATE TABLE sorted AS SELECT d.id, p.url, p.html FROM pages AS p JOIN own.documents AS d ON d.url = p.url; DROP TABLE pages; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, html BLOB); INSERT INTO pages SELECT * FROM sorted; DROP TABLE sorted")
PYTHON
    is $? 'they get the ids of the import'
    check "$(<count) real pages are read from a table" 0 '*' run --quiet real.db
    same_flags real real 'SELECT id, url FROM pages'
    for store in real-own real; do "$program" run --quiet --set near.text=main $store.db >out 2>err; done
    is $? 'and their content areas'
    python3 flags.py real-own.db 'SELECT id, url FROM documents' >real-main.flags && ! cmp -s real.flags real-main.flags
    is $? 'which give other flags'
    same_flags real real-main 'SELECT id, url FROM pages'
else
    echo "skipped: real pages: no $corpus/warc (set TWINDEX_CORPUS)"
fi
exit "$failed"
