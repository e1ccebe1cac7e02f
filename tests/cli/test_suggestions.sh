#!/bin/bash
# `check --suggest` on stores of no known program: names in other languages, views, nested JSON, FTS tables, compressed columns, several
# tables that fit, texts in parts, several versions of a page, joins by foreign keys and by digests, hosts and paths for URLs. Each configuration
# is run in place, and the flags show which texts were read. Where nothing fits, the message says what the store has instead.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# 60 pages; pages 2n and 2n + 1 have the same text
cat >make.py <<'PYTHON'
import gzip, json, random, sqlite3, zlib
WORDS = "harbour tide timber lantern meadow copper willow granite saffron velvet orchard compass thunder pebble marble cinder falcon juniper amber quartz".split()
R = range(60)
URL = ["https://www.site%d.example/page/%d" % (i % 7, i) for i in R]
def text(n):
    random.seed(n)
    return " ".join(random.choice(WORDS) for _ in range(60))
TEXT = [text(i // 2) for i in R]
PAGE = ["<!doctype html><html><head><title>Page %d</title></head><body><nav><a href='/'>Start</a></nav><p>%s</p></body></html>" % (i, t) for i, t in enumerate(TEXT)]
PARTS = [(i, k, TEXT[i][k * 100:(k + 1) * 100]) for i in R for k in (3, 1, 0, 2, 4)]
def store(name, ddl, **tables):
    db = sqlite3.connect(name + ".db")
    db.executescript(ddl)
    for table, rows in tables.items():
        db.executemany('INSERT INTO "%s" VALUES (%s)' % (table, ", ".join("?" * len(rows[0]))), rows)
    db.commit()
    db.close()
store("german", "CREATE TABLE Seiten(Nr INTEGER PRIMARY KEY, Adresse TEXT, Titel TEXT, Inhalt TEXT, Abruf TEXT)", Seiten=[(i, URL[i], "Seite", TEXT[i], "2024-01-01") for i in R])
store("russian", "CREATE TABLE страницы(номер INTEGER PRIMARY KEY, адрес TEXT, заголовок TEXT, текст TEXT)", страницы=[(i, URL[i], "Страница", TEXT[i]) for i in R])
store("chinese", "CREATE TABLE 网页(编号 INTEGER PRIMARY KEY, 网址 TEXT, 标题 TEXT, 正文 TEXT)", 网页=[(i, URL[i], "标题", "天气很好我们去公园散步然后吃饭看书写字" * 3 + str(i // 2)) for i in R])
store("french", "CREATE TABLE article(id INTEGER PRIMARY KEY, lien TEXT, titre TEXT, chapeau TEXT, corps TEXT, vignette TEXT)",
    article=[(i, URL[i], "Titre", TEXT[i][:80], "<p>" + TEXT[i] + "</p><p>fin</p>", "https://img.example/%d.jpg" % i) for i in R])
store("view", "CREATE TABLE u(k INTEGER PRIMARY KEY, h TEXT, p TEXT); CREATE TABLE b(k INTEGER PRIMARY KEY, d TEXT); CREATE VIEW pages AS SELECT u.k AS id, 'https://' || h || p AS url, d AS text FROM u JOIN b USING (k)",
    u=[(i, "h%d.example" % (i % 7), "/p%d" % i) for i in R], b=[(i, TEXT[i]) for i in R])
store("json", "CREATE TABLE objects(key TEXT PRIMARY KEY, value BLOB)",
    objects=[("page:%d" % i, json.dumps({"request": {"url": URL[i]}, "response": {"status": 200, "headers": ["a", "b"], "body": {"title": "Page", "text": TEXT[i]}}}).encode()) for i in R])
store("fts", "CREATE VIRTUAL TABLE archive USING fts5(url UNINDEXED, heading, content, fetched UNINDEXED)", archive=[(URL[i], "Page", TEXT[i], "2024-01-01") for i in R])
store("fts4", "CREATE VIRTUAL TABLE archive USING fts4(url, heading, content)", archive=[(URL[i], "Page", TEXT[i]) for i in R])
store("zlib", "CREATE TABLE answers(id INTEGER PRIMARY KEY, target TEXT, status INT, payload BLOB, head TEXT)",
    answers=[(i, URL[i], 200, zlib.compress(PAGE[i].encode()), "Content-Type: text/html\r\nX-Long: " + "y" * 300) for i in R])
store("gzip", "CREATE TABLE t(uri TEXT PRIMARY KEY, z BLOB) WITHOUT ROWID", t=[(URL[i], gzip.compress(TEXT[i].encode())) for i in R])
store("several", """CREATE TABLE raw_pages(id INTEGER PRIMARY KEY, url TEXT, html TEXT); CREATE TABLE clean_pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT);
    CREATE TABLE comments(id INTEGER PRIMARY KEY, url TEXT, comment TEXT); CREATE TABLE images(id INTEGER PRIMARY KEY, src TEXT, alt TEXT)""",
    raw_pages=[(i, URL[i], PAGE[i] * 2) for i in R], clean_pages=[(i, URL[i], TEXT[i]) for i in R],
    comments=[(i, URL[i], "a comment that is long enough to be taken for the text of a page") for i in range(5)], images=[(i, "https://img.example/%d.png" % i, "picture") for i in R])
store("parts_join", """CREATE TABLE documents(id TEXT PRIMARY KEY, source_url TEXT, title TEXT); CREATE TABLE chunks(id INTEGER PRIMARY KEY, document_id TEXT REFERENCES documents(id),
    chunk_index INTEGER, content TEXT)""", documents=[("d%d" % i, URL[i], "Page") for i in R], chunks=[(None, "d%d" % i, k, t) for i, k, t in PARTS])
store("parts", "CREATE TABLE embeddings(id INTEGER PRIMARY KEY, url TEXT, chunk_no INTEGER, chunk_text TEXT)", embeddings=[(None, URL[i], k, t) for i, k, t in PARTS])
store("host_path", "CREATE TABLE pages(id INTEGER PRIMARY KEY, host TEXT, path TEXT, text TEXT)", pages=[(i, "h%d.example" % (i % 7), "/p%d" % i, TEXT[i]) for i in R])
store("digest", "CREATE TABLE urls(hash TEXT PRIMARY KEY, url TEXT); CREATE TABLE contents(url_hash TEXT PRIMARY KEY, text TEXT)",
    urls=[("%040x" % (i * 7 ** 30), URL[i]) for i in R], contents=[("%040x" % (i * 7 ** 30), TEXT[i]) for i in R])
store("shared", "CREATE TABLE page(id INTEGER PRIMARY KEY, url TEXT, content_id INTEGER REFERENCES content(id)); CREATE TABLE content(id INTEGER PRIMARY KEY, html TEXT)",
    content=[(i, PAGE[2 * i]) for i in range(30)], page=[(i, URL[i], i // 2) for i in R])
OLD = ["an old version of page %d that is not the one to be read" % i for i in R]
store("versions", "CREATE TABLE captures(url TEXT, captured_at TEXT, title TEXT, body TEXT, PRIMARY KEY(url, captured_at))",
    captures=[(URL[i], "2024-02-01", "Page", TEXT[i]) for i in R] + [(URL[i], "2024-01-01", "Page", OLD[i]) for i in R])
store("versions_no_rowid", "CREATE TABLE captures(url TEXT, captured_at TEXT, title TEXT, body TEXT, PRIMARY KEY(url, captured_at)) WITHOUT ROWID",
    captures=[(URL[i], "2024-02-01", "Page", TEXT[i]) for i in R] + [(URL[i], "2024-01-01", "Page", OLD[i]) for i in R])
store("heap", "CREATE TABLE hits(url TEXT, text TEXT)", hits=[(URL[i], OLD[i]) for i in R] + [(URL[i], TEXT[i]) for i in R])

# names that would be settings of their own if they were written as they are
SETTING = '"x\nwhere = 0\n# y"'
store("two_lines", "CREATE TABLE pages(id INTEGER PRIMARY KEY, link TEXT, page TEXT, %s TEXT); CREATE TABLE %s(a TEXT, b TEXT)" % (SETTING, SETTING),
    pages=[(i, URL[i], TEXT[i], TEXT[i] * 2) for i in R])
store("comment", 'CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, "page\t;1" TEXT, page TEXT)', pages=[(i, URL[i], TEXT[i] * 2, TEXT[i]) for i in R])
store("comments", 'CREATE TABLE pages(id INTEGER PRIMARY KEY, "link ;1" TEXT, text TEXT)', pages=[(i, URL[i], TEXT[i]) for i in R])
store("no_text", "CREATE TABLE links(id INTEGER PRIMARY KEY, from_url TEXT, to_url TEXT)", links=[(i, URL[i], URL[i - 1]) for i in R])
store("long_name", "CREATE TABLE objects(id INTEGER PRIMARY KEY, value TEXT)", objects=[(i, json.dumps({"url": URL[i], "n" * 300: TEXT[i]})) for i in R])
store("no_url", "CREATE TABLE notes(id INTEGER PRIMARY KEY, note TEXT)", notes=[(i, TEXT[i]) for i in R])
store("no_content", "CREATE VIRTUAL TABLE idx USING fts5(heading, content, content=''); CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT)",
    pages=[(i, URL[i]) for i in R], idx=[("Page", TEXT[i]) for i in R])
store("no_rows", "CREATE TABLE crawl(id INTEGER PRIMARY KEY, address TEXT, words TEXT)")
PYTHON
python3 make.py >out 2>err
is $? 'the stores are made'

# suggests STORE PATTERN...: the configuration has these lines, and the run with it finds 30 pairs of equal texts
suggests() {
    local store=$1 pattern lines=0
    shift
    "$program" check --suggest "$store.db" >conf 2>err
    is $? "$store: a configuration without warnings"
    for pattern in "$@"; do grep -qxF -- "$pattern" conf || { echo "missing: $pattern" >>err && lines=1; }; done
    is $lines "$store: it is the one expected"
    "$program" run --quiet "$store.db" --config conf >out 2>err && [ "$(sqlite3 "$store.db" 'SELECT count(*), sum(exact_signature_copycount_i = 2) FROM document_flags' 2>>err)" = '60|60' ]
    is $? "$store: the texts of the pages are compared"
}
# refuses_store STORE PATTERN
refuses_store() {
    local got=0
    "$program" check --suggest "$1.db" >conf 2>err || got=$?
    [ "$got" = 65 ] && grep -q -- "$2" err
    is $? "$1: the message says what is there"
}
suggests german 'from = "Seiten"' 'url = "Adresse"' 'text = "Inhalt"' 'title = "Titel"'
suggests russian 'url = "адрес"' 'text = "текст"' 'title = "заголовок"'
suggests chinese 'url = "网址"' 'text = "正文"' 'title = "标题"'
suggests french 'text = html_text("corps")' 'title = "titre"'
suggests view 'from = "pages"' 'allow_view = yes'
suggests json "url = CAST(\"value\" AS TEXT) ->> '\$.request.url'" "text = CAST(\"value\" AS TEXT) ->> '\$.response.body.text'" "http_status = CAST(\"value\" AS TEXT) ->> '\$.response.status'"
suggests fts 'from = "archive_content"' 'id = "id"' 'text = "c2"'
suggests fts4 'from = "archive_content"' 'id = "docid"' 'text = "c2content"'
suggests zlib 'text = html_text(inflate("payload"))' 'title = html_title(inflate("payload"))'
suggests gzip 'id = "uri"' 'text = inflate("z")'
suggests several 'from = "clean_pages"' "# table 'raw_pages' would fit too" "# table 'comments' would fit too"
suggests parts_join 'text = t.x' 'url = p."source_url"'
suggests parts '# each text is in several rows, by chunk_no: they are put together'
suggests host_path "url = 'https://' || \"host\" || \"path\"" '# no column has whole URLs: the scheme is an assumption'
suggests digest 'from = "urls" AS p JOIN "contents" AS t ON t."url_hash" = p."hash"'
suggests shared 'from = "page" AS p JOIN "content" AS t ON t."id" = p."content_id"'
suggests versions '# URLs repeat: the latest row of each'
suggests versions_no_rowid 'where = ("url", "captured_at") IN (SELECT "url", max("captured_at") FROM "captures" GROUP BY 1)'
suggests two_lines 'text = "page"' '# not mapped: x?where = 0?# y'
UNFIT="a column of 'pages' has a line break or ' ;' in its name, which a setting cannot have: rename the column, or make a view of the table"
suggests comment 'text = "page"' "# $UNFIT"
suggests heap '# URLs repeat: the latest row of each'

refuses_store no_text "'links' has URLs but no text"
refuses_store comments "$UNFIT; 'pages' has texts but no URL"
refuses_store long_name "'objects' has URLs but no text"
refuses_store no_url "'notes' has texts but no URL"
refuses_store no_content "'idx' is an FTS table without content: its text cannot be read"
refuses_store no_rows 'every table is empty'
exit "$failed"
