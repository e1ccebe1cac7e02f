#!/usr/bin/env bash
# wings: import
# twindex import: formats, document types, limits, idle pipes, signals, and the same store with any number of threads.
# Oracles: Python's gzip, zipfile and csv modules and the zstd program make the files, csv reads them back.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail

# file_has WHAT FILE TEXT
file_has() {
    if grep -qF -- "$3" "$2"; then pass "$1"; else fail "$1" "'$3' is not in '$(head -c 600 "$2")'"; fi
}

store() { rm -f "$1" "$1"-*; "$TWINDEX" init "$1" >/dev/null; }
# fresh FILE...: imports into a new store.db
fresh() { store store.db && "$TWINDEX" import --json store.db "$@" >out 2>err; }
count() { jq -r "$1" out; }
rows() { sqlite3 "${2:-store.db}" "SELECT $1 FROM documents ORDER BY url" 2>&1; }

cat >make.py <<'PY'
import csv, gzip, io, json, random, struct, subprocess, sys, zipfile, zlib

def record(url, block, kind="response", extra="", when="2024-05-01T00:00:00Z"):
    if isinstance(block, str): block = block.encode()
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {when}\r\n{extra}Content-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"

def page(url, body, type="text/html", headers="", status="200 OK", **more):
    if isinstance(body, str): body = body.encode()
    kind = f"Content-Type: {type}\r\n" if type else ""
    return record(url, f"HTTP/1.1 {status}\r\n{kind}{headers}\r\n".encode() + body, **more)

def save(name, data):
    with open(name, "wb") as f: f.write(data)

two = [page(f"http://a.example/{i}", f"<title>T{i}</title><p>page {i} h\u00e9") for i in range(2)]

# a bomb between two pages: 300 MB of one letter in a small gzip body
bomb = gzip.compress(b"<p>" + b"x" * 300_000_000, 9)
save("bomb.warc", two[0] + page("http://a.example/bomb", bomb, headers="Content-Encoding: gzip\r\n") + two[1])
chunk = b"%x\r\n" % 40_000_000 + b"y" * 40_000_000 + b"\r\n0\r\n\r\n"
save("chunks.warc", page("http://a.example/chunks", chunk, headers="Transfer-Encoding: chunked\r\n") + two[1])
save("long.jsonl", (json.dumps({"url": "http://a.example/l", "text": "z" * 20_000_000}) + "\n" +
                    json.dumps({"url": "http://a.example/s", "text": "short"}) + "\n").encode())

types = [("text/html", "<p>h"), ("application/xhtml+xml", "<p>x"), ("text/plain", "p"), ("text/markdown; charset=utf-8", "# m"),
         ("text/css", "a{}"), ("text/css", "b{}"), ("text/javascript", "f()"), ("application/json", "{}"), ("image/png", "\x89PNG"),
         ("", "<!doctype html><p>sniffed"), ("", "binary"), ("text/html,text/html", "<p>twice")]
warc = b"".join(page(f"http://t.example/{i}", body, type) for i, (type, body) in enumerate(types))
warc += page("http://t.example/gone.css", "x", "text/css", status="404 Gone")
warc += page("http://t.example/moved", "", "image/gif", headers="Location: /0\r\n", status="301 Moved")
save("types.warc", warc)
# more types than are counted by name, the first with bytes that no type has
others = ["x/\x01é", "X/\x01é"] + [f"x/t{i:02}" for i in range(60)]
save("many_types.warc", b"".join(page(f"http://t.example/{i}", "x", type) for i, type in enumerate(others)))

save("plain.warc", b"".join(two))
save("gzip.dat", b"".join(gzip.compress(r) for r in two))
save("one.zst.in", b"".join(two))
for i, r in enumerate(two): save(f"part{i}", r)
with zipfile.ZipFile("crawl.wacz", "w") as z:
    z.writestr("datapackage.json", "{}")
    z.writestr("pages/pages.jsonl", '{"format":"json-pages-1.0","id":"pages","title":"All"}\n{"url":"http://no.example/","text":"no"}\n')
    z.writestr(zipfile.ZipInfo("archive/a.warc.gz"), gzip.compress(two[0]), zipfile.ZIP_STORED)
    z.writestr("archive/b.warc", two[1], zipfile.ZIP_DEFLATED)
with zipfile.ZipFile("empty.zip", "w") as z: z.writestr("readme.txt", "nothing")
save("cut.wacz", open("crawl.wacz", "rb").read()[:-40])

# archives whose entries share bytes: all of them have the local header of the first, or begin inside it
def shares(name, n, step):
    with zipfile.ZipFile(name, "w") as z:
        for i in range(n): z.writestr(f"archive/{i:05}.warc", two[0] if i else b"".join(two * 400), zipfile.ZIP_DEFLATED)
        for i, entry in enumerate(z.filelist):
            first = z.filelist[0]
            entry.header_offset = first.header_offset + step * i
            entry.compress_size, entry.file_size, entry.CRC = first.compress_size, first.file_size, first.CRC
shares("same.wacz", 3000, 0)
shares("inside.wacz", 3, 1)
with zipfile.ZipFile("entries.wacz", "w") as z:
    for i in range(65536): z.writestr(f"{i}", "")
packed = io.BytesIO()
with zipfile.ZipFile(packed, "w") as z: z.writestr("a.warc.gz", gzip.compress(b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 400000000\r\n\r\n" + bytes(400_000_000), 9), zipfile.ZIP_DEFLATED)
save("twice.wacz", packed.getvalue())
zip64 = io.BytesIO()
with zipfile.ZipFile(zip64, "w") as z:
    with z.open("archive/a.warc", "w", force_zip64=True) as f: f.write(two[0])
    z.writestr("archive/b.warc", two[1])
save("zip64.wacz", zip64.getvalue())

# a directory of ZIP64, where each number of an entry is in its field, after one of others
def directory64(name, *, sizes=None, record=0, cut=0):
    entries = b""
    packed = [("archive/a.warc", two[0]), ("archive/b.warc", two[1])]
    files, at = b"", []
    for path, data in packed:
        at.append(len(files))
        files += struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0, 0, 0, 0, zlib.crc32(data), len(data), len(data), len(path), 0) + path.encode() + data
    for i, (path, data) in enumerate(packed):
        field = struct.pack("<QQQ", len(data), sizes or len(data), at[i])
        field = struct.pack("<HHI", 0xCAFE, 4, 0) + struct.pack("<HH", 1, len(field) + 9 * cut) + field[:24 - cut]
        entries += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0, 0, 0, 0, zlib.crc32(data), *[2**32 - 1] * 2, len(path), len(field), 0, 0, 0, 0, 2**32 - 1) + path.encode() + field
    end = len(files) + len(entries)
    save(name, files + entries + struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 2, 2, len(entries), len(files)) +
        struct.pack("<IIQI", 0x07064B50, 0, end + record, 1) + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, *[65535] * 2, *[2**32 - 1] * 2, 0))
directory64("directory64.wacz")
directory64("size64.wacz", sizes=2**40)
directory64("record64.wacz", record=2**40)
directory64("field64.wacz", cut=8)

# many records: repeated URLs with older and newer dates, revisits, undated, broken ones, several parcels
rng = random.Random(7)
out = []
for i in range(3000):
    url = f"http://m.example/{rng.randrange(900)}"
    when = f"2024-0{rng.randrange(1, 9)}-01T00:00:00Z"
    digest = f"WARC-Payload-Digest: sha1:{rng.randrange(400)}\r\n"
    if i % 7 == 3: out.append(record(url, "HTTP/1.1 200 OK\r\n\r\n", kind="revisit", extra=digest, when=when))
    elif i % 50 == 9: out.append(b"junk\r\n")
    else: out.append(page(url, f"<title>{i}</title>" + "<p>" + " ".join(rng.choice("abcdefgh") * 5 for _ in range(rng.randrange(600))), extra=digest, when=when))
save("many.warc.gz", gzip.compress(b"".join(out), 1))

# what crawlers write
crawlers = {
    "scrapy": {"url": "http://c.example/scrapy", "status": 200, "body": "<html><title>S</title><p>scrapy text</html>"},
    "crawlee": {"url": "http://c.example/", "loadedUrl": "http://c.example/crawlee", "title": "C", "text": "crawlee text"},
    "apify": {"url": "http://c.example/", "crawl": {"loadedUrl": "http://c.example/apify", "loadedTime": "2024-01-02T03:04:05.000Z", "httpStatusCode": 200},
              "metadata": {"canonicalUrl": "http://c.example/canon", "title": "A", "description": "D", "languageCode": "en"}, "text": "apify text", "markdown": "# no"},
    "crawl4ai": {"url": "http://c.example/", "redirected_url": "http://c.example/crawl4ai", "html": "<title>4</title><p>whole page", "success": True,
                 "markdown": {"raw_markdown": "crawl4ai text", "fit_markdown": ""}, "metadata": {"title": "4ai"}, "status_code": 200, "error_message": "",
                 "response_headers": {"content-type": "text/html"}},
    "firecrawl": {"markdown": "firecrawl text", "metadata": {"title": "F", "sourceURL": "http://c.example/firecrawl", "statusCode": 404, "language": "de"}},
    "refinedweb": {"content": "refined text", "url": "http://c.example/refinedweb", "timestamp": "2023-01-01T00:00:00Z"},
    "oscar": {"content": "oscar text", "warc_headers": {"warc-target-uri": "http://c.example/oscar", "warc-date": "2023-01-01T00:00:00Z"}},
    "trafilatura": {"title": "T", "source": "http://c.example/trafilatura", "text": "traf text", "raw_text": "no", "excerpt": "E", "date": "2020-01-01"},
    "nutch": {"url": "http://c.example/nutch", "timestamp": 1700000000000, "response": {"body": "<p>nutch text", "status": 200}},
    "katana": {"timestamp": "2024-01-01T00:00:00Z", "request": {"method": "GET", "endpoint": "http://c.example/katana"},
               "response": {"status_code": 200, "body": "<html><body>katana text", "headers": {"content-type": "text/html"}}},
    "browsertrix": {"id": "x", "url": "http://c.example/browsertrix", "title": "B", "text": "browsertrix text", "ts": "2024-01-01T00:00:00Z", "status": 200},
    "elastic": {"url": "http://c.example/elastic", "body_content": "elastic text", "meta_description": "M", "last_crawled_at": "2024-01-01T00:00:00Z"},
    "langchain": {"page_content": "langchain text", "metadata": {"source": "http://c.example/langchain", "title": "L"}},
    "news-please": {"url": "http://c.example/newsplease", "maintext": "news text", "title": "N", "date_download": "2024-01-01 00:00:00"},
    "style": {"url": "http://c.example/style", "body": "a{}", "content_type": "text/css"},
    "code": {"url": "http://c.example/code", "text": "write <p>a</p> for a paragraph"},
}
save("crawlers.jsonl", b"\xef\xbb\xbf" + b"".join(json.dumps(v).encode() + b"\n" for v in crawlers.values()))
save("crawlers.json", json.dumps(list(crawlers.values()), indent=2).encode())
save("notext.jsonl", b'{"url":"http://n.example/1","Titel":"a","inhalt":"b"}\n{"url":"http://n.example/2","inhalt":"c"}\n')
save("some.jsonl", b'{"url":"http://n.example/1","title":"a"}\n{"url":"http://n.example/2","text":"c"}\n')

# CSV: every dialect of ours, fields drawn at random, read back by Python's csv
alphabet = ['a', 'b', '"', ',', ';', '\t', '\n', '\r\n', ' ', '\u00e4', '']
for name, delimiter, bom, eol in (("comma", ",", b"", "\r\n"), ("semicolon", ";", b"\xef\xbb\xbf", "\n"), ("tab", "\t", b"", "\n")):
    text = io.StringIO(newline="")
    w = csv.writer(text, delimiter=delimiter, lineterminator=eol)
    w.writerow(["page_url", "Content", "Title", "status code", "unused"])
    for i in range(200):
        field = lambda n: "".join(rng.choice(alphabet) for _ in range(n))
        w.writerow([f"http://{name}.example/{i:03}", "t" + field(12) + ".", "T" + field(5) + ".", 200 + i % 3, field(3)])
    save(name + ".csv", bom + text.getvalue().encode())
save("latin.csv", "url;text\r\nhttp://l.example/;gr\u00fc\u00dfe\r\n".encode("cp1252"))

# a record of 1.5 MB between two others, in each format; a WARC header line, and a head, that are long
three = [("1", "short"), ("2", "word " * 300_000), ("3", "short, too")]
items = [{"url": f"http://r.example/{n}", "text": text} for n, text in three]
save("row.jsonl", "".join(json.dumps(i) + "\n" for i in items).encode())
save("row.json", json.dumps(items, indent=1).encode())
text = io.StringIO(newline="")
csv.writer(text).writerows([["url", "text"]] + [[i["url"], i["text"]] for i in items])
save("row.csv", text.getvalue().encode())
save("row.warc", b"".join(page(i["url"], i["text"], type="text/plain") for i in items))
save("line.warc", two[0] + page("http://r.example/line", "<p>text", extra="WARC-Note: " + 100_000 * "n" + "\r\n"))
save("head.warc", two[0] + page("http://r.example/head", "<p>text", extra="WARC-Payload-Digest: sha1:" + 40 * ("0\r\n " + 50_000 * "0") + "\r\n") + two[1])
PY
python3 make.py || exit 1

# ---- limits
rm -f rss
store store.db
python3 - "$TWINDEX" >out 2>err <<'PY'
import resource, subprocess, sys
rc = subprocess.run([sys.argv[1], "import", "--json", "store.db", "bomb.warc"]).returncode
print(rc, file=open("rc", "w"))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open("rss", "w"))
PY
got 'a gzip bomb does not end an import' "$(cat rc)" 0
got 'the pages beside it are kept' "$(rows url | tr '\n' ' ')" 'http://a.example/0 http://a.example/1 '
got 'it is counted' "$(count .too_long)" 1
file_has 'it is named with its URL' err 'bomb.warc: offset'
file_has 'and the reason' err 'http://a.example/bomb: longer than the limit'
case $(ldd "$TWINDEX" 2>/dev/null) in
*lib[at]san*) ;;
*) got 'it costs at most twice the limit' "$(($(cat rss) < 64 * 1024))" 1 ;;
esac
fresh chunks.warc
got 'a chunked body beyond the limit does not end an import' "$? $(count '.too_long,.new' | tr '\n' ' ')" '0 1 1 '
fresh long.jsonl
got 'nor does a text beyond the limit' "$? $(count '.too_long,.new' | tr '\n' ' ')" '0 1 1 '
fresh --set import.page_bytes=32M long.jsonl
got 'import.page_bytes moves the limit' "$(count '.too_long,.new' | tr '\n' ' ')" '0 2 '

for format in jsonl json csv warc; do
    fresh --set run.row_bytes=1M "row.$format"
    got "$format: a record beyond run.row_bytes ends no import" "$? $(count '.too_long,.new' | tr '\n' ' ')" '0 1 2 '
    got "$format: those beside it are kept" "$(rows url | tr '\n' ' ')" 'http://r.example/1 http://r.example/3 '
    file_has "$format: it is named" err "row.$format:"
    file_has "$format: with the reason" err 'longer than the limit'
done
fresh line.warc
got 'a long line among the headers of a record has no meaning' "$? $(count '.broken,.new' | tr '\n' ' ')" '0 0 2 '
fresh head.warc
got 'a record with a header of two megabytes is broken' "$? $(count '.broken,.new' | tr '\n' ' ')" '0 1 2 '
file_has 'and the reason is given' err 'its headers are longer than a megabyte'

# ---- types
fresh types.warc
got 'styles, scripts and images are no documents' "$(rows "group_concat(url, ' ')" | tr -d '\n' | sed 's|http://t.example/||g')" '0 1 11 2 3 9 moved'
got 'what is left out is counted by type' "$(count '.left_out_types | tojson')" \
    '{"text/css":3,"application/json":1,"image/png":1,"text/javascript":1,"unknown":1}'
got 'and in all' "$(count .left_out)" 7
store store.db && "$TWINDEX" import store.db types.warc >out 2>err
file_has 'the summary names the types' out '3  text/css'
store store.db && "$TWINDEX" import store.db many_types.warc >out 2>err
file_has 'and counts those beyond 40 as others' out '22  other types'
fresh many_types.warc
got 'which come last' "$(count '.left_out_types | to_entries | (length, .[0], .[1], .[38], .[39]) | tojson' | tr '\n' ' ')" \
    '40 {"key":"x/???","value":2} {"key":"x/t00","value":1} {"key":"x/t37","value":1} {"key":"other types","value":22} '
fresh --set 'import.types=html application/*' types.warc
got 'import.types says what is a document' "$(rows "group_concat(content_type, ' ')" | tr -d '\n')" \
    'text/html application/xhtml+xml application/json text/html,text/html image/gif'
fresh --set import.types=htm types.warc
got 'a wrong type is refused' $? 64
file_has 'and named' err "import.types: 'htm'"

# ---- formats by content
wanted=$(fresh plain.warc && rows 'url, text, fetched_at')
for file in gzip.dat crawl.wacz; do
    fresh "$file"
    got "$file holds the same pages" "$? $(rows 'url, text, fetched_at')" "0 $wanted"
done
zstd -q part0 -o part0.zst && zstd -q part1 -o part1.zst && cat part0.zst part1.zst >frames.bin
fresh frames.bin
got 'zstd is recognised by content' "$? $(rows 'url, text, fetched_at')" "0 $wanted"
fresh - <frames.bin
got 'also on standard input' "$? $(rows 'url, text, fetched_at')" "0 $wanted"
head -c -5 frames.bin >cut.zst
fresh cut.zst
got 'a cut zstd file keeps what came before' "$? $(count '.new, .broken' | tr '\n' ' ')" '0 1 1 '
# a frame that needs a window of 256 MiB
head -c 150M /dev/zero | cat part0 - part1 | zstd -q -1 --long=28 -o long.zst
fresh long.zst
got 'a window that is too large' $? 65
file_has 'is no damage, and zstd can unpack it' err "the zstd stream needs a window of more than 128 MiB (zstd --long) near byte 0 of the file: unpack it with 'zstd -dc --long=31 FILE | twindex import STORE -'"
mkdir -p samples && for i in $(seq 200); do sed "s/page 0/page $i $RANDOM/" part0 >"samples/$i"; done
zstd -q --train samples/* -o dictionary --maxdict=4096 2>/dev/null
for i in 0 1; do zstd -q -D dictionary "part$i" -o "with$i.zst"; done
for packed in no yes; do
    [ $packed = yes ] && zstd -q dictionary -o dictionary.zst && dictionary=dictionary.zst || dictionary=dictionary
    python3 -c '
import struct, sys
d = open(sys.argv[1], "rb").read()
sys.stdout.buffer.write(struct.pack("<II", 0x184D2A5D, len(d)) + d + b"".join(open(p, "rb").read() for p in sys.argv[2:]))
' $dictionary with0.zst with1.zst >dict.warc.zst
    fresh dict.warc.zst
    got "WARC.zst with its dictionary (packed: $packed)" "$? $(rows 'url, text, fetched_at')" "0 $wanted"
done
fresh empty.zip
got 'a ZIP without WARC files is refused' $? 65
file_has 'and says so' err 'holds no WARC file'
fresh same.wacz
got 'a WACZ whose entries overlap is refused' "$? $(rows 'count(*)')" '65 0'
file_has 'and names two of them' err 'same.wacz: the entries archive/00000.warc and archive/00001.warc of the archive overlap'
fresh inside.wacz
got 'also if they begin inside others' $? 65
fresh entries.wacz
got 'an archive of very many entries is refused' $? 65
file_has 'with the limit' err 'entries.wacz: the archive has 65536 entries, more than the limit of 65535'
fresh twice.wacz
got 'an archive that unpacks to too much is refused' $? 65
file_has 'with the limit and the entry' err 'twice.wacz: a.warc.gz unpacks to too much: all entries of the archive together to more than 64 MiB'
for file in zip64 directory64; do
    fresh $file.wacz
    got 'an archive with fields of ZIP64 is read' "$? $(count .new)" '0 2'
done
for file in size64 record64 field64; do
    fresh $file.wacz
    got "a damaged one is refused ($file)" "$? $(rows 'count(*)')" '65 0'
    file_has 'and named' err "$file.wacz: a damaged ZIP archive"
done
fresh cut.wacz
got 'a damaged ZIP is refused' $? 65
fresh - <crawl.wacz
got 'a ZIP on standard input is refused' $? 65
file_has 'with what to do' err 'name the file'

# ---- JSON
fresh crawlers.jsonl
got 'records of crawlers are read' "$? $(count '.new, .broken, .no_text' | tr '\n' ' ')" '0 15 0 0 '
rows "substr(url, 18) || ': ' || text" >got
cat >wanted <<'T'
apify: apify text
browsertrix: browsertrix text
code: write <p>a</p> for a paragraph
crawl4ai: crawl4ai text
crawlee: crawlee text
elastic: elastic text
firecrawl: firecrawl text
katana: katana text
langchain: langchain text
newsplease: news text
nutch: nutch text
oscar: oscar text
refinedweb: refined text
scrapy: scrapy text
trafilatura: traf text
T
got 'with the text of each' "$(cat got)" "$(cat wanted)"
got 'HTML gives what the record lacks' "$(sqlite3 store.db "SELECT title FROM documents WHERE url LIKE '%scrapy'")" S
got 'fields of nested objects' "$(sqlite3 store.db "SELECT title, description, canonical_url, http_status, language, fetched_at FROM documents WHERE url LIKE '%apify'")" \
    'A|D|http://c.example/canon|200|en|1704164645'
got 'a body is left out by its type' "$(count '.left_out_types | tojson')" '{"text/css":1}'
sqlite3 store.db .dump | grep INSERT | sort >lines.dump
fresh crawlers.json
sqlite3 store.db .dump | grep INSERT | sort >list.dump
got 'a JSON list of records gives the same' "$(cmp lines.dump list.dump && echo same)" same
fresh notext.jsonl
got 'a file without any text is refused' "$? $(rows 'count(*)')" '65 0'
file_has 'with the fields that were found' err 'the fields found are: url, Titel, inhalt'
fresh some.jsonl
got 'a record without text is counted' "$? $(count '.new, .no_text' | tr '\n' ' ')" '0 2 1 '
file_has 'and named' err 'some.jsonl:1: http://n.example/1: the record has no text'

# ---- dates
traf() { printf '{"source":"http://d.example/1","text":"%s","date":"%s","filedate":"%s"}\n' "$@" >>"$file"; }
file=first.jsonl traf old 2024-03-01T10:00:00Z 2024-05-02
file=second.jsonl traf new 2024-02-01T10:00:00Z 2024-05-01
fresh first.jsonl
got 'filedate comes before date' "$(rows fetched_at)" 1714608000
"$TWINDEX" import --json store.db second.jsonl >out 2>err
got 'a day without a time decides nothing' "$(rows text) $(count .replaced)" 'new 1'
for i in $(seq 20); do
    printf '{"url":"http://d.example/%d","text":"old","fetched_at":"2024-05-01T10:00:00Z"}\n' "$i" >>olds.jsonl
    printf '{"url":"http://d.example/%d","text":"new","fetched_at":"2024-05-01T10:00:00Z"}\n' "$i" >>news.jsonl
done
fresh olds.jsonl news.jsonl
got 'of captures of the same time the later file wins' "$(sqlite3 store.db "SELECT count(*) FROM documents WHERE text = 'new'")" 20
printf '{"url":"http://d.example/1","text":"far","fetched_at":"2999-01-01T10:00:00Z"}\n' >far.jsonl
"$TWINDEX" import --json store.db far.jsonl >out 2>err
got 'a date in the future is counted' "$(count .future)" 1
file_has 'and named' err 'far.jsonl:1: http://d.example/1: its date is more than a day in the future'
"$TWINDEX" import --json store.db news.jsonl >out 2>err
got 'and shuts out nothing' "$(sqlite3 store.db "SELECT text FROM documents WHERE url LIKE '%/1'") $(count '.replaced, .same' | tr '\n' ' ')" 'new 1 19 '

# ---- triggers of the owner
cat >triggers.sql <<'SQL'
CREATE VIRTUAL TABLE mine USING fts5(text, content = 'documents', content_rowid = 'id');
CREATE TRIGGER mine_insert AFTER INSERT ON documents BEGIN INSERT INTO mine(rowid, text) VALUES (new.id, new.text); END;
CREATE TRIGGER mine_update AFTER UPDATE ON documents BEGIN
    INSERT INTO mine(mine, rowid, text) VALUES ('delete', old.id, old.text); INSERT INTO mine(rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER guard BEFORE INSERT ON documents WHEN new.text LIKE '%secret%' BEGIN SELECT raise(ABORT, 'secrets stay out'); END;
CREATE TRIGGER drop_it BEFORE INSERT ON documents WHEN new.text = 'unwanted' BEGIN SELECT raise(IGNORE); END;
SQL
for i in 'one apple' 'a secret' 'unwanted' 'two pears'; do printf '{"url":"http://g.example/%s","text":"%s"}\n' "${i% *}" "$i"; done >guarded.jsonl
owned() { store store.db && sqlite3 store.db <triggers.sql && "$TWINDEX" import --json "$@" store.db guarded.jsonl >out 2>err; }
owned
got 'an import refuses a table with triggers of the owner' "$? $(rows 'count(*)')" '65 0'
file_has 'and names them and the setting' err 'triggers of your own (drop_it, guard, mine_insert, mine_update), so nothing was imported: --set import.triggers=run'
owned --set import.triggers=skip
got 'import.triggers = skip: they do not run' "$? $(rows 'count(*)') $(sqlite3 store.db "SELECT count(*) FROM mine('apple')")" '0 4 0'
file_has 'and are named' err 'the triggers of documents do not run: drop_it, guard, mine_insert, mine_update'
owned --set import.triggers=run
got 'import.triggers = run: they run' "$? $(rows 'group_concat(text)' | head -n 1)" '0 one apple,two pears'
got 'the index of the owner is up to date' "$(sqlite3 store.db "SELECT group_concat(rowid) FROM mine('apple OR pears')")" "$(sqlite3 store.db 'SELECT group_concat(id) FROM documents')"
got 'what they refuse is counted' "$(count '.new, .refused' | tr '\n' ' ')" '2 2 '
file_has 'and named, with the reason' err 'guarded.jsonl:2: http://g.example/a: secrets stay out'
printf '{"url":"http://g.example/one","text":"one cherry"}\n' >again.jsonl
"$TWINDEX" import --json --set import.triggers=run store.db again.jsonl >out 2>err
got 'an update, too' "$(count .replaced) $(sqlite3 store.db "SELECT (SELECT count(*) FROM mine('apple')) || (SELECT count(*) FROM mine('cherry'))")" '1 01'
sqlite3 store.db "CREATE TRIGGER forge AFTER INSERT ON documents BEGIN DELETE FROM twindex_change; END"
"$TWINDEX" import --set import.triggers=run store.db guarded.jsonl >out 2>err
got 'a trigger may not write to tables of Twindex' $? 65
file_has 'and the message says so' err 'not authorized'

# ---- CSV
for name in comma semicolon tab; do
    fresh $name.csv
    python3 - $name >wanted <<'PY'
import csv, sys
delimiter = {"comma": ",", "semicolon": ";", "tab": "\t"}[sys.argv[1]]
rows = list(csv.DictReader(open(sys.argv[1] + ".csv", encoding="utf-8-sig", newline=""), delimiter=delimiter))
print(sorted((r["page_url"], r["Content"].replace("\r\n", "\n"), r["Title"].replace("\r\n", "\n"), int(r["status code"])) for r in rows))
PY
    python3 - >got <<'PY'
import sqlite3
print(sorted((u, t.replace("\r\n", "\n"), i.replace("\r\n", "\n"), s) for u, t, i, s in sqlite3.connect("store.db").execute("SELECT url, text, title, http_status FROM documents")))
PY
    got "CSV ($name) is read as Python reads it" "$(cmp got wanted && echo same)" same
done
fresh latin.csv
got 'CSV in windows-1252' "$(rows text)" 'grüße'
printf 'url,text\nhttp://q.example/1,a""b "c"\n"http://q.example/2","x"y"\n\nhttp://q.example/3,"one\n""two"", 3"\n' >quotes.csv
fresh quotes.csv
got 'quotes in unquoted fields are ordinary characters' "$(python3 -c '
import csv, sqlite3
want = [tuple(r) for r in list(csv.reader(open("quotes.csv", newline="")))[1:] if r]
print(want == sqlite3.connect("store.db").execute("SELECT url, text FROM documents ORDER BY url").fetchall())')" True
printf 'Dear all,\nthis is prose, not CSV.\n' >prose.txt
fresh prose.txt
got 'prose is no CSV' $? 65
file_has 'and the message shows why' err "names no column of URLs (url, page_url, ...): 'Dear all,'"
printf '{"text":"a"}\n{"text":"b"}\n' >nourl.jsonl
fresh nourl.jsonl
got 'a file without URLs is refused' $? 65
file_has 'with the fields of the first record' err 'none of its 2 records can be used; the first: no URL; the fields are text'

printf '{"text":"a"}\n' >nourl.jsonl
fresh nourl.jsonl
got 'also a file of one record' $? 65
file_has 'in the singular' err 'nourl.jsonl: its only record cannot be used: no URL; the fields are text'
printf '{"url":"http://a.example/"}\n' >notext.jsonl
fresh notext.jsonl
got 'one record without text' $? 65
file_has 'in the singular, too' err 'notext.jsonl: its only record has no text, so nothing was imported; the fields found are: url'

# ---- threads
for jobs in 1 2 8; do
    store "jobs$jobs.db"
    "$TWINDEX" import --json --jobs $jobs "jobs$jobs.db" many.warc.gz many.warc.gz types.warc >"out$jobs" 2>"err$jobs"
    sqlite3 "jobs$jobs.db" .dump >"dump$jobs"
done
got '2 threads write the same store as 1' "$(cmp dump1 dump2 && cmp out1 out2 && cmp err1 err2 && echo same)" same
got '8 threads, too' "$(cmp dump1 dump8 && cmp out1 out8 && cmp err1 err8 && echo same)" same
got 'with revisits' "$(jq '.unknown_revisits < .records and .replaced > 0 and .older > 0 and .same > 0 and .broken > 0' out1)" true

# ---- an idle pipe
store store.db
mkfifo pipe
"$TWINDEX" import store.db - <pipe >out 2>err &
importer=$!
exec 9>pipe
sleep 0.3 # idle from the beginning
printf '{"url":"http://p.example/1","text":"one"}\n' >&9
for _ in $(seq 100); do [ "$(rows 'count(*)')" = 1 ] && break; sleep 0.05; done
got 'what came through a pipe is committed while it is idle' "$(rows 'count(*)')" 1
got 'another program can write meanwhile' \
    "$(sqlite3 store.db '.timeout 0' 'BEGIN IMMEDIATE; CREATE TABLE mine(a); COMMIT; SELECT 1' 2>&1)" 1
start=$(date +%s%N)
kill -TERM $importer
for _ in $(seq 100); do kill -0 $importer 2>/dev/null || break; sleep 0.05; done
kill -KILL $importer 2>/dev/null
wait $importer
got 'the first SIGTERM ends it' $? 143
got 'at once' "$((($(date +%s%N) - start) / 1000000 < 2000))" 1
exec 9>&-

# ---- the file size limit
store store.db
(
    ulimit -f 100
    env --default-signal=XFSZ "$TWINDEX" import store.db many.warc.gz >out 2>err
    echo $? >rc
)
got 'the file size limit is an error, not a signal' "$(grep -cE '^(73|74)$' rc)" 1
file_has 'with a message' err 'store.db'

exit $failed
