#!/bin/bash
# wings: import predict
# without sanitizers: its subject is programs of others; fuzz_extension calls the functions
# The examples of share/examples with the real programs, where they are installed: sqlite-utils, Scrapy, curl, wget, omindex (Xapian) and Recoll.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
examples=$source/share/examples
extension=$(dirname "$program")/twindex

# there PROGRAM [WHAT]: whether it is installed
there() {
    command -v "$1" >/dev/null && return
    echo "ok - skipped: $1 is not installed"
    return 1
}

succeeds 'a store' published s.db "$sample"
visible=$(sqlite3 s.db 'SELECT count(*) FROM flagged_documents WHERE representative_b')

# ---- sqlite-utils: views and the extension
if there sqlite-utils && [ -e "$extension.so" ]; then
    sqlite-utils views s.db --counts >out 2>err && python3 -c 'import json
views = {v["view"]: v["count"] for v in json.load(open("out"))}
assert views["document_flags"] == views["flagged_documents"] > 50 and views["duplicate_groups"] > 5, views' 2>>err
    is $? 'sqlite-utils counts the rows of the views'
    sqlite-utils rows s.db flagged_documents --where representative_b -c url --csv >out 2>err && [ $(($(wc -l <out) - 1)) = "$visible" ]
    is $? 'and filters by a flag'
    with_extension sqlite-utils query s.db "SELECT url_host(url) AS host, count(*) AS n FROM documents GROUP BY host ORDER BY n DESC LIMIT 1" --load-extension "$extension" >out 2>err &&
        grep -q '"host": ".*example"' out
    is $? 'and calls functions of the extension'
fi

# ---- crawlers that ask before they download
cat >site.py <<'PYTHON'
import http.server, sys
class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        open("requests", "a").write(self.path + "\n")
        links = "".join('<a href="/item/%d%s">x</a>' % (i, s) for i in range(60, 66) for s in ("", "?sid=%d" % (900 + i))) if self.path == "/" else ""
        body = ("<title>page</title><p>page %s</p>%s" % (self.path.split("?")[0], links)).encode()
        self.send_response(200 if self.path != "/robots.txt" else 404)
        self.send_header("Content-Type", "text/html"); self.send_header("Content-Length", str(len(body))); self.end_headers()
        self.wfile.write(body)
    def log_message(self, *arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
open("port.part", "w").write(str(server.server_port)); __import__("os").rename("port.part", "port")
server.serve_forever()
PYTHON
python3 site.py >log 2>&1 &
site=$!
trap 'kill $site; rm -rf "$work"' EXIT
for _ in $(seq 100); do [ -e port ] && break; sleep .1; done
host=http://127.0.0.1:$(<port)
# an earlier crawl, in which sid never mattered
python3 -c 'import json, sys
for i in range(60):
    for s in ("", "?sid=%d" % i):
        print(json.dumps({"url": "%s/item/%d%s" % (sys.argv[1], i, s), "text": "the text of item %d: " % i + " ".join("w%dx%d" % (i, k) for k in range(30))}))' "$host" >crawl.jsonl
"$program" init --quiet learned.db && "$program" import --quiet learned.db crawl.jsonl && "$program" run --quiet learned.db && "$program" learn --quiet learned.db
is $? 'a store that has learned'
wanted=$({ echo /; for i in 60 61 62 63 64 65; do echo "/item/$i"; done; } | sort)
# whichever of the two URLs of a page comes first
fetched() { grep -v robots.txt requests | sed 's/?sid=.*//' | sort; }

cat >spider.py <<'PYTHON'
import scrapy
class Spider(scrapy.Spider):
    name = "all"
    def parse(self, response):
        for link in response.css("a::attr(href)").getall(): yield response.follow(link)
PYTHON
if python3 -c 'import scrapy' 2>/dev/null; then
    sed -i "s|name = \"all\"|name = \"all\"; start_urls = [\"$host/\"]|" spider.py
    : >requests
    PYTHONPATH=$examples timeout 120 python3 -m scrapy runspider spider.py -s TELNETCONSOLE_ENABLED=0 -s TWINDEX_STORE="$work/learned.db" \
        -s TWINDEX_THRESHOLD=0.9 -s TWINDEX_EXPLORATION=0 -s TWINDEX_PROGRAM="$program" -s 'DOWNLOADER_MIDDLEWARES={"scrapy_twindex.TwindexMiddleware": 50}' >out 2>err
    equal 'Scrapy downloads each page once' "$wanted" "$(fetched)"
    matches 'and counts what it left out' "'twindex/duplicates_not_fetched': 6" err
    PYTHONPATH=$examples timeout 120 python3 -m scrapy runspider spider.py -s TELNETCONSOLE_ENABLED=0 -s 'DOWNLOADER_MIDDLEWARES={"scrapy_twindex.TwindexMiddleware": 50}' >out 2>err
    matches 'without a store the middleware is off' 'TWINDEX_STORE is not set' err
else
    echo 'ok - skipped: Scrapy is not installed'
fi
for command in 'curl -fsSL' 'wget -qO-'; do
    there "${command%% *}" || continue
    : >requests
    FETCH=$command THRESHOLD=0.9 EXPLORATION=0 PROGRAM=$program timeout 120 "$examples/fetch-new" learned.db "$host/" >out 2>err
    equal "a loop around ${command%% *} downloads each page once" "$wanted" "$(fetched)"
    equal "and names what it leaves out (${command%% *})" 6 "$(grep -c '^duplicate .*sid=' out)"
done

# ---- Solr and YaCy: an update in JSON, compared with the flags
cat >solr_fields.py <<'PYTHON'
# The dynamic fields of the configuration _default of Solr (apache/solr, commit 0c5ea078) and the values that their types take; the longest pattern counts.
# No field of ours is declared there, and others than these are given a type by their first value.
def integer(bits): return lambda v: type(v) is int and -2 ** (bits - 1) <= v < 2 ** (bits - 1)
boolean, string, number = lambda v: type(v) is bool, lambda v: type(v) is str, lambda v: type(v) in (int, float)
ENDS = {"_b": boolean, "_bs": boolean, "_i": integer(32), "_is": integer(32), "_l": integer(64), "_ls": integer(64), "_f": number, "_fs": number, "_d": number,
        "_ds": number} | dict.fromkeys(("_s", "_ss", "_str", "_t", "_txt", "_ws"), string)
OTHER = ("_dt", "_dts", "_p", "_srpt", "_dpf", "_dpi", "_dps", "_text", "_en", "_de") # dates, places, payloads, languages
def fits(name, value):
    if name.startswith(("random_", "ignored_", "attr_")) or name.endswith(OTHER): return False
    end = max((e for e in ENDS if name.endswith(e)), key=len, default=None)
    return end is not None and (value is None or ENDS[end](value)) # null removes the field
PYTHON
"$examples/flags-to-solr" --key sku=url s.db >updates.json 2>err
is $? 'an update for Solr'
python3 - 2>err <<'PYTHON'
import json, sqlite3
updates = {u["sku"]: u for u in json.load(open("updates.json"))}
YACY = set("http_unique_b www_unique_b exact_signature_l exact_signature_unique_b exact_signature_copycount_i fuzzy_signature_l fuzzy_signature_unique_b fuzzy_signature_copycount_i "
           "title_exact_signature_l title_unique_b description_exact_signature_l description_unique_b".split())
from solr_fields import fits
store = sqlite3.connect("s.db"); store.row_factory = sqlite3.Row
rows = store.execute("SELECT * FROM flagged_documents").fetchall()
assert len(updates) == len(rows) > 50
for row in rows:
    u = updates[row["url"]]
    for name, update in u.items():
        if name == "sku": continue
        value = update["set"]
        assert list(update) == ["set"] and value == row[name.replace("_exact_signature_l", "_signature_l")] and isinstance(value, bool) == (name.endswith("_b") and row[name] is not None), (name, u)
    assert set(u) == YACY | {"sku"}, u # the fields of YaCy's CollectionSchema, and nothing else
    for name in YACY: assert fits(name, u[name]["set"]), (name, u[name])
assert any(u["http_unique_b"] == {"set": False} for u in updates.values()) and any(u["http_unique_b"] == {"set": None} for u in updates.values())
PYTHON
is $? 'has the flags of each document, booleans as such'
sqlite3 f.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT); INSERT INTO pages VALUES (1, 'http://a.example/ä\"', 'same'), (2, 'http://b.example/', 'same')" && "$program" run --quiet f.db && mv f.db '50%20 of #1?.db' &&
    "$examples/flags-to-solr" --key id=url --fields exact_signature_unique_b --select 'SELECT url, f.* FROM pages JOIN document_flags AS f USING (id)' '50%20 of #1?.db' >out 2>err
is $? 'another store, with an odd name'
holds '[u["id"] for u in d] == ["http://a.example/ä\"", "http://b.example/"] and {u["exact_signature_unique_b"]["set"] for u in d} == {True, False}' 'has another key and other fields'

"$examples/flags-to-solr" --key sku=url --fields duplicate_type_s=duplicate_type,near_cluster_l,sibling_count_i,representative_b,copies=copy_copycount_i s.db >out 2>err
is $? 'fields of other names and types'
holds 'all(isinstance(u["duplicate_type_s"]["set"], (str, type(None))) and isinstance(u["copies"]["set"], (int, type(None))) and isinstance(u["representative_b"]["set"], (bool, type(None))) for u in d)' 'have the types of their names'
every=$(sqlite3 s.db "SELECT group_concat(CASE WHEN name IN ('id', 'duplicate_of') THEN name || '_l=' || name WHEN name IN ('duplicate_type', 'duplicate_of_shard') THEN name || '_s=' || name || ',' || name || '_ss=' || name ELSE name END) FROM pragma_table_info('document_flags')")
"$examples/flags-to-solr" --key sku=url --fields "$every,page_s=id,near_copycount_is=near_copycount_i,near_cluster_ls=near_cluster_l,representative_bs=representative_b" s.db >out 2>err
is $? 'every flag, also as several values'
python3 -c 'import json; from solr_fields import fits
for u in json.load(open("out")):
    for n, v in u.items(): assert n == "sku" or fits(n, v["set"]), (n, v)
assert len(u) > 25, len(u)' 2>err
is $? "has a field and a value of Solr's configuration _default"
for field in near_cluster_i near_cluster_is; do
    ! "$examples/flags-to-solr" --key sku=url --fields $field=near_cluster_l s.db >out 2>err && grep -q "is no value of the field $field" err
    is $? "a number that does not fit the field is refused: $field"
done
! "$examples/flags-to-solr" --key sku=url --fields type_b=duplicate_type s.db >out 2>err && grep -q "'[a-z-]*' is no value of the field type_b" err
is $? 'so is a text for a boolean'
! "$examples/flags-to-solr" s.db >out 2>err && grep -q 'an imported store has ids of its own: give the export' err
is $? 'ids of an import are no keys of YaCy'
# a store imported from YaCy's export, and a table made of it: the key is that of YaCy's index
python3 - 2>err <<'PYTHON'
import json, sqlite3
rows = [{"id": "hash%08d" % i, "sku": "http://y.example/%d" % i, "text_t": "the text of page %d, one of two" % (i // 2), "title": ["Page"], "httpstatus_i": 200} for i in range(40)]
with open("yacy.flatjson", "w") as f:
    for r in rows: f.write('{"index":{}}\n' + json.dumps(r) + "\n")
db = sqlite3.connect("y.db")
db.execute("CREATE TABLE documents(id TEXT PRIMARY KEY, sku TEXT, text_t TEXT, title TEXT, httpstatus_i INTEGER)")
db.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?)", [(r["id"], r["sku"], r["text_t"], "Page", 200) for r in rows])
db.commit()
PYTHON
is $? 'an export of YaCy'
"$program" init --quiet yi.db && "$program" import --quiet yi.db yacy.flatjson 2>err && "$program" run --quiet yi.db 2>err && "$program" run --quiet y.db 2>err
is $? 'is imported, and run as a table'
"$examples/flags-to-solr" --ids yacy.flatjson yi.db >imported.json 2>err && "$examples/flags-to-solr" y.db >out 2>err && diff <(jq -S 'sort_by(.id)' imported.json) <(jq -S 'sort_by(.id)' out) >err
is $? 'both give one update'
holds 'len(d) == 40 and all(u["id"].startswith("hash") and "sku" not in u for u in d)' 'keyed by id'
"$examples/flags-to-solr" --program "$program" --key url=url y.db >out 2>err
is $? 'or by the column that is the URL'
holds 'd[0]["url"].startswith("http://y.example/")' 'of a store without the joined view'

# ---- Xapian and Recoll index the visible documents
loads=$(python3 -c 'import sqlite3; sqlite3.connect(":memory:").enable_load_extension(True); print("yes")' 2>/dev/null)
for store in y h; do
    [ $store = y ] || sqlite3 h.db "CREATE TABLE pages(id TEXT PRIMARY KEY, url TEXT, html TEXT); INSERT INTO pages VALUES ('a/b', 'http://h.example/1', '<title>T</title><p>harbour &amp; text'), ('c', 'http://h.example/2', '<title>T</title><p>harbour &amp; text')"
    [ $store = y ] || "$program" run --quiet h.db 2>err
    [ $store = y ] || { [ -n "$loads" ] && [ -e "$extension.so" ]; } || continue
    with_extension python3 "$examples/visible-documents" --program "$program" --extension "$extension" $store.db files-$store >out 2>err &&
        [ "$(find files-$store -name '*.html' | wc -l)" = "$(sqlite3 $store.db 'SELECT sum(representative_b) FROM document_flags')" ]
    is $? "a file for each visible document of a table of another program ($store)"
done
[ -z "$loads" ] || [ ! -e "$extension.so" ] || grep -q '<p>harbour &amp; text</p>' files-h/*.html
is $? 'with the text of its page'
! "$examples/visible-documents" updates.json files >out 2>err && ! grep -q Traceback err
is $? 'no traceback for a file that is not a store'
"$examples/visible-documents" s.db visible >out 2>err && [ "$(find visible -name '*.html' | wc -l)" = "$visible" ]
is $? 'a file for each visible document'
word=harbour
expected=$(sqlite3 s.db "SELECT count(*) FROM flagged_documents WHERE representative_b AND (title LIKE '%$word%' OR text LIKE '%$word%')")
if there omindex && there quest; then
    omindex --db xapian --url / visible >out 2>err && quest --db=xapian "$word" >out 2>>err
    equal 'Xapian finds what is visible' "$expected" "$(grep -c '^[0-9]*: \[' out)"
fi
if there recollindex && there recollq; then
    mkdir conf && printf 'topdirs = %s/visible\nloglevel = 1\n' "$work" >conf/recoll.conf
    HOME=$work recollindex -c conf >out 2>err
    HOME=$work recollq -c conf "$word" >out 2>>err
    equal 'Recoll finds what is visible' "$expected" "$(grep -c '^text/html' out)"
fi
# a second export writes only what differs
touch -d '2020-01-01' visible/*.html
sqlite3 s.db "CREATE TEMP TABLE alone AS SELECT id FROM flagged_documents WHERE representative_b AND id NOT IN (SELECT duplicate_of FROM document_flags WHERE duplicate_of IS NOT NULL);
    UPDATE documents SET text = text || ' more' WHERE id = (SELECT min(id) FROM alone)
    ; DELETE FROM documents WHERE id = (SELECT max(id) FROM alone)" && "$program" run --quiet s.db && "$examples/visible-documents" s.db visible
equal 'one file is new' 1 "$(find visible -name '*.html' -newermt 2021-01-01 | wc -l)"
equal 'one is gone' "$(sqlite3 s.db 'SELECT count(*) FROM flagged_documents WHERE representative_b')" "$(find visible -name '*.html' | wc -l)"
exit $failed
