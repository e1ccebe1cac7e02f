#!/bin/bash
# wings: import
# without sanitizers: its subject is programs of others; test_known_programs reads stores of their shapes
# Stores that other programs of the distribution make themselves (not by schemas copied into a test): newsboat's cache of a feed, buku's bookmarks,
# what Scrapy's pipelines write, and tables that sqlite-utils makes of JSON: a foreign key that has no index, and YaCy's export. Each runs in place
# with the configuration that `check --suggest` writes. A program that is not installed is skipped.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

suggest_and_run() { # STORE PATTERN-OF-THE-CONFIGURATION COPYCOUNTS
    "$program" check --suggest "$1.db" >"$1.conf" 2>err
    is $? "a configuration is suggested: $1"
    grep -q "$2" "$1.conf" || cat "$1.conf" >>err
    matches "it is the one expected: $1" "$2" "$1.conf"
    check "it runs in place: $1" 0 '*' run --quiet "$1.db" --config "$1.conf"
    flags=$(sqlite3 "$1.db" "SELECT group_concat(c, ' ') FROM (SELECT exact_signature_copycount_i AS c FROM document_flags ORDER BY 1)" 2>>err)
    [ "$flags" = "$3" ] || printf '\nflags: %s\n' "$flags" >>err
    got "the flags are right: $1" "$flags" "$3"
}

SAME='the quick brown fox jumps over the lazy dog and runs into the woods again'
OTHER='an entirely different page about cooking rice and beans for the whole family'

if command -v newsboat >/dev/null; then
    item() { # NUMBER HOST TEXT
        printf '<item><title>Page %s</title><link>http://%s.example/%s</link><guid>g%s</guid><description>&lt;p&gt;%s&lt;/p&gt;</description></item>\n' "$1" "$2" "$1" "$1" "$3"
    }
    { echo '<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>http://a.example/</link><description>d</description>'
      item 1 a "$SAME"; item 2 b "$SAME"; item 3 c "$OTHER"; echo '</channel></rss>'; } >feed.xml
    echo "file://$work/feed.xml" >urls
    : >config
    HOME=$work timeout 60 newsboat -q -C config -u urls -c newsboat.db -x reload >out 2>err </dev/null
    got 'newsboat makes a store' "$(sqlite3 newsboat.db 'SELECT count(*) FROM rss_item' 2>>err)" 3
    suggest_and_run newsboat '^# preset newsboat:' '1 2 2'
else
    echo 'ok - skipped: newsboat is not installed'
fi

if command -v sqlite-utils >/dev/null; then
    python3 - "$SAME" "$OTHER" <<'PYTHON'
import json, sys
same, other = sys.argv[1:]
rows = range(1, 1201)
text = lambda i: same if i <= 2 else other + " number %d" % i
json.dump([{"id": i, "url": "http://h%d.example/%d" % (i % 9, i)} for i in rows], open("page.json", "w"))
json.dump([{"id": 5000 - i, "page_id": i, "fetched_at": "2024-02-01", "content": text(i)} for i in rows] +
          [{"id": 9000 - i, "page_id": i, "fetched_at": "2023-02-01", "content": "an old version that nobody wants"} for i in rows], open("snapshot.json", "w"))
PYTHON
    { sqlite-utils insert joined.db page page.json --pk id && sqlite-utils insert joined.db snapshot snapshot.json --pk id &&
        sqlite-utils add-foreign-key joined.db snapshot page_id page id; } >out 2>err
    is $? 'sqlite-utils makes two tables and a foreign key'
    "$program" check --suggest joined.db >joined.conf 2>err
    is $? 'a configuration is suggested: joined'
    check 'it runs in place: joined' 0 '*' run --quiet joined.db --config joined.conf
    got 'the latest version of each page is judged: joined' "$(sqlite3 joined.db 'SELECT count(*), sum(exact_signature_copycount_i = 2) FROM document_flags' 2>>err)" '1200|2'
else
    echo 'ok - skipped: sqlite-utils is not installed'
fi
# YaCy's export in Elasticsearch's bulk format: imported as it is, and as a table that sqlite-utils makes of it
python3 - "$SAME" "$OTHER" >export.flatjson <<'PYTHON'
import json, sys
for i, text in enumerate((sys.argv[1], sys.argv[1], sys.argv[2])):
    print('{"index":{}}')
    print(json.dumps({"id": "hash%d" % i, "sku": "http://h%d.example/%d" % (i, i), "title": ["Page %d" % i, "more"], "h1_txt": ["One", "Two"], "text_t": text, "httpstatus_i": 200,
                      "content_type": ["text/html"], "robots_i": 0, "load_date_dt": "2024-03-01T10:00:00Z"}))
PYTHON
"$program" init flat.db >out 2>err && "$program" import flat.db export.flatjson >out 2>err && [ ! -s err ] &&
    [ "$(sqlite3 flat.db 'SELECT count(*), sum(http_status), max(substr(title, 1, 6)), min(headings) FROM documents')" = '3|600|Page 2|One
Two' ]
is $? "YaCy's export is imported without a warning"
if command -v sqlite-utils >/dev/null; then
    grep -v '^{"index":{}}' export.flatjson | sqlite-utils insert yacy.db documents - --nl --pk id >out 2>err
    is $? "sqlite-utils makes a table of YaCy's export"
    suggest_and_run yacy '^# preset yacy:' '1 2 2'
fi

if command -v buku >/dev/null; then
    for i in 1 2 3; do
        text=$SAME
        [ $i = 3 ] && text=$OTHER
        HOME=$work XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work timeout 60 buku --nostdin --np -a "http://127.0.0.1:9/$i" --title "Page $i" -c "$text" >out 2>err </dev/null
    done
    succeeds 'buku makes a store' cp "$work/buku/bookmarks.db" buku.db
    suggest_and_run buku '^# preset buku:' '1 2 2'
else
    echo 'ok - skipped: buku is not installed'
fi

python=
for name in python3 /usr/bin/python3; do "$name" -c 'import scrapy' 2>/dev/null && python=$name; done
if [ -n "$python" ]; then
    mkdir site
    i=0
    for text in "$SAME" "$SAME" "$OTHER"; do i=$((i + 1)); echo "<html><head><title>Page $i</title></head><body><p>$text</p></body></html>" >site/$i.html; done
    cat >crawl.py <<'PYTHON'
import pathlib, sqlite3, sys, threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import CrawlerProcess
server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory="site"))
threading.Thread(target=server.serve_forever, daemon=True).start()
class Pipeline:
    """A column for each field of the first item, as tutorials have it; and the responses in a table of their own."""
    def open_spider(self, spider):
        self.items, self.pages = sqlite3.connect("items.db"), sqlite3.connect("responses.db")
        self.pages.execute("CREATE TABLE IF NOT EXISTS pages(url TEXT PRIMARY KEY, status INTEGER, headers TEXT, body BLOB)")
    def process_item(self, item, spider):
        response, values = item.pop("response"), ItemAdapter(item).asdict()
        self.items.execute("CREATE TABLE IF NOT EXISTS articles(%s)" % ", ".join(f"{k} TEXT" for k in values))
        self.items.execute("INSERT INTO articles(%s) VALUES (%s)" % (", ".join(values), ", ".join("?" * len(values))), list(values.values()))
        self.pages.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", (response.url, response.status, str(response.headers), response.body))
        return item
    def close_spider(self, spider):
        for db in (self.items, self.pages): db.commit(); db.close()
class Spider(scrapy.Spider):
    name = "pages"
    start_urls = ["http://127.0.0.1:%d/%d.html" % (server.server_port, i) for i in (1, 2, 3)]
    def parse(self, response):
        yield {"response_url": response.url, "heading": response.css("title::text").get(), "article_body": response.css("p::text").get(), "response": response}
process = CrawlerProcess({"ITEM_PIPELINES": {Pipeline: 300}, "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False})
process.crawl(Spider)
process.start()
PYTHON
    timeout 120 "$python" crawl.py >out 2>err
    got 'Scrapy crawls three pages' "$(sqlite3 items.db 'SELECT count(*) FROM articles' 2>>err)" 3
    suggest_and_run items 'text = "article_body"' '1 2 2'
    suggest_and_run responses '^# preset scrapy-html:' '1 2 2'
else
    echo 'ok - skipped: Scrapy is not installed'
fi
exit "$failed"
