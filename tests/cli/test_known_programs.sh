#!/bin/bash
# Stores of other programs, made by their schemas (names and types as the programs declare them; the statements and the rows are ours), run
# in place with the configuration that `check --suggest` writes: the preset is recognised, the flags are those expected, and
# the programs' tables are byte for byte what they were. PRESET@RELEASE is the store of another release of a program. The schemas were read in
# the programs' public sources: ArchiveBox 0.7.3, 0.8.6rc0 and 0.9.31, crawl4ai 0.3.0 to 0.9.2, Crawlee for Python 1.0.0 to 1.9.2, FreshRSS,
# Karakeep, linkding 1.18 to 1.45, shiori 1.5.0 to 1.8.0, wallabag 2.6.14 and its main branch, YaCy (CollectionSchema). Scrapy has no schema.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# Each store has three pages: the first two have the same text at different hosts, the third another one.
cat >make.py <<'PYTHON'
import gzip, json, sqlite3
URLS = ["http://a.example/one", "http://b.example/two", "http://c.example/three"]
TEXTS = ["the quick brown fox jumps over the lazy dog and runs into the woods again"] * 2 + ["an entirely different page about cooking rice and beans for the whole family"]
HTML = ["<html><head><title>Page %d</title></head><body><div>menu</div><p>%s</p></body></html>" % (i, t) for i, t in enumerate(TEXTS)]
def store(name, ddl, rows):
    db = sqlite3.connect(name + ".db")
    db.executescript(ddl)
    for table, values in rows:
        db.execute("INSERT INTO %s VALUES (%s)" % (table, ", ".join("?" * len(values))), values)
    db.commit()
    db.close()
R = range(3)
store("crawl4ai", """CREATE TABLE crawled_data (url TEXT PRIMARY KEY, html TEXT, cleaned_html TEXT, markdown TEXT, extracted_content TEXT, success BOOLEAN,
    media TEXT DEFAULT "{}", links TEXT DEFAULT "{}", metadata TEXT DEFAULT "{}", screenshot TEXT DEFAULT "", response_headers TEXT DEFAULT "{}",
    downloaded_files TEXT DEFAULT "{}");""",
    [("crawled_data", (URLS[i], HTML[i], HTML[i], [TEXTS[i], json.dumps({"raw_markdown": TEXTS[i], "fit_markdown": ""})][i % 2], "", 1, "{}", "{}",
      json.dumps({"title": "Page %d" % i, "description": None}), "", "{}", "{}")) for i in R])
store("crawl4ai@0.2.0", "CREATE TABLE crawled_data (url TEXT PRIMARY KEY, html TEXT, cleaned_html TEXT, markdown TEXT, extracted_content TEXT, success BOOLEAN, "
    'media TEXT DEFAULT "{}", links TEXT DEFAULT "{}", metadata TEXT DEFAULT "{}", screenshot TEXT DEFAULT "")',
    [("crawled_data", (URLS[i], HTML[i], "", "", "", 1, "{}", "{}", "{}", "")) for i in R])
TWINS = ["http://a.example/", "https://a.example/", "http://c.example/"]
store("crawl4ai@0.9.2", """CREATE TABLE crawled_data (url TEXT PRIMARY KEY, html TEXT, cleaned_html TEXT, markdown TEXT, extracted_content TEXT, success BOOLEAN,
    media TEXT DEFAULT "{}", links TEXT DEFAULT "{}", metadata TEXT DEFAULT "{}", screenshot TEXT DEFAULT "", response_headers TEXT DEFAULT "{}",
    downloaded_files TEXT DEFAULT "{}", etag TEXT DEFAULT "", last_modified TEXT DEFAULT "", head_fingerprint TEXT DEFAULT "", cached_at REAL DEFAULT 0);""",
    [("crawled_data", (TWINS[i], "%016x" % (7 ** 20 + i), "%016x" % (7 ** 21 + i), "%016x" % (5 ** 27 + i), "", 1, "{}", "{}",
      json.dumps({"title": "Page", "description": None}), "", "{}", "[]", "", "", "", 1700000000.25 + i)) for i in R])
store("shiori", """CREATE TABLE shiori_system(database_schema_version TEXT NOT NULL DEFAULT '0.0.0');
    CREATE TABLE "bookmark"(id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, title TEXT NOT NULL, excerpt TEXT NOT NULL DEFAULT "", author TEXT NOT NULL DEFAULT "",
        public INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, has_content BOOLEAN DEFAULT FALSE NOT NULL, modified_at TEXT NULL,
        CONSTRAINT bookmark_url_UNIQUE UNIQUE(url));
    CREATE INDEX idx_created_at ON bookmark(created_at); CREATE INDEX idx_modified_at ON bookmark(modified_at);
    CREATE VIRTUAL TABLE bookmark_content USING fts5(title, content, html, docid);""",
    [("shiori_system", ("0.6.0",))] +
    [("bookmark", (i + 5, URLS[i], "Page %d" % i, "", "", 0, "2024-01-0%d 10:00:00" % (i + 1), 1, None)) for i in R] +
    [("bookmark_content", ("Page %d" % i, TEXTS[i], HTML[i], i + 5)) for i in R])
store("shiori-1.5.0", """CREATE TABLE bookmark(id INTEGER NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, excerpt TEXT NOT NULL DEFAULT "", author TEXT NOT NULL DEFAULT "",
        public INTEGER NOT NULL DEFAULT 0, modified TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, CONSTRAINT bookmark_PK PRIMARY KEY(id), CONSTRAINT bookmark_url_UNIQUE UNIQUE(url));
    CREATE VIRTUAL TABLE bookmark_content USING fts4(title, content, html);""",
    [("bookmark", (i + 1, URLS[i], "Page %d" % i, "", "", 0, "2024-01-0%d 10:00:00" % (i + 1))) for i in R] +
    [("bookmark_content", ("Page %d" % i, TEXTS[i], HTML[i])) for i in R])
store("shiori@1.5.3", """CREATE TABLE account(id INTEGER NOT NULL, username TEXT NOT NULL, CONSTRAINT account_PK PRIMARY KEY(id));
    CREATE TABLE bookmark(id INTEGER NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, excerpt TEXT NOT NULL DEFAULT "", author TEXT NOT NULL DEFAULT "",
        public INTEGER NOT NULL DEFAULT 0, modified TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, has_content BOOLEAN DEFAULT FALSE NOT NULL,
        CONSTRAINT bookmark_PK PRIMARY KEY(id), CONSTRAINT bookmark_url_UNIQUE UNIQUE(url));
    CREATE VIRTUAL TABLE bookmark_content USING fts5(title, content, html, docid);""",
    [("bookmark", (i + 5, URLS[i], "Page %d" % i, "", "", 0, "2024-01-0%d 10:00:00" % (i + 1), 1)) for i in R] +
    [("bookmark_content", ("Page %d" % i, TEXTS[i], HTML[i], i + 5)) for i in R])
ARCHIVEBOX = """CREATE TABLE core_snapshot(id char(32) NOT NULL PRIMARY KEY, url varchar(200) NOT NULL UNIQUE, timestamp varchar(32) NOT NULL UNIQUE,
        title varchar(512) NULL, added datetime NOT NULL, updated datetime NULL);
    CREATE TABLE core_archiveresult(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, uuid char(32) NOT NULL, cmd text NOT NULL CHECK ((JSON_VALID("cmd") OR "cmd" IS NULL)),
        pwd varchar(256) NOT NULL, cmd_version varchar(128) NULL, status varchar(16) NOT NULL, output varchar(1024) NOT NULL, start_ts datetime NOT NULL,
        end_ts datetime NOT NULL, extractor varchar(32) NOT NULL, snapshot_id char(32) NOT NULL REFERENCES core_snapshot(id) DEFERRABLE INITIALLY DEFERRED);
    CREATE INDEX core_archiveresult_snapshot ON core_archiveresult(snapshot_id);"""
store("archivebox", ARCHIVEBOX,
    [("core_snapshot", ("%032x" % i, ["http://a.example/", "https://a.example/", "http://c.example/"][i], "161000000%d.0" % i, None, "2021-01-01", None)) for i in R] +
    [("core_archiveresult", (None, "%032x" % (i + 9), "[]", "/data", "1", "succeeded", "Page", "2021-01-01", "2021-01-02", "title", "%032x" % i)) for i in R])
# 0.8: an id of its own, no column added; 0.9: plugins for extractors, and the same URL in several crawls
store("archivebox@0.8", """CREATE TABLE core_snapshot(id char(32) NOT NULL PRIMARY KEY, abid varchar(30) NOT NULL, created_by_id integer NOT NULL, created_at datetime NOT NULL, modified_at datetime NOT NULL,
        status varchar(15) NOT NULL, retry_at datetime NULL, bookmarked_at datetime NOT NULL, downloaded_at datetime NULL, crawl_id char(32) NULL, url varchar(200) NOT NULL UNIQUE,
        timestamp varchar(32) NOT NULL UNIQUE, title varchar(512) NULL);
    CREATE TABLE core_archiveresult(id char(32) NOT NULL PRIMARY KEY, abid varchar(30) NOT NULL, created_by_id integer NOT NULL, created_at datetime NOT NULL, modified_at datetime NOT NULL,
        status varchar(15) NOT NULL, retry_at datetime NULL, snapshot_id char(32) NOT NULL REFERENCES core_snapshot(id), extractor varchar(32) NOT NULL, cmd text NULL CHECK ((JSON_VALID("cmd") OR "cmd" IS NULL)),
        pwd varchar(256) NULL, cmd_version varchar(128) NULL, output varchar(1024) NULL, start_ts datetime NULL, end_ts datetime NULL);""",
    [("core_snapshot", ("%032x" % i, "snp_%d" % i, 1, "2024-01-01", "2024-01-01", "sealed", None, "2024-01-01", None, None, TWINS[i], "171000000%d.123" % i, "")) for i in R] +
    [("core_archiveresult", ("%032x" % (i + 9), "res_%d" % i, 1, "2024-01-01", "2024-01-01", "succeeded", None, "%032x" % i, "title", "[]", None, None, "Page", "2024-01-01", "2024-01-02")) for i in R])
store("archivebox-0.9", """CREATE TABLE core_snapshot(id char(32) NOT NULL PRIMARY KEY, created_at datetime NOT NULL, modified_at datetime NOT NULL, url varchar(200) NOT NULL,
        timestamp varchar(32) NOT NULL UNIQUE, bookmarked_at datetime NOT NULL, crawl_id char(32) NOT NULL, parent_snapshot_id char(32) NULL, title varchar(512) NULL, downloaded_at datetime NULL,
        depth smallint unsigned NOT NULL CHECK ("depth" >= 0), fs_version varchar(10) NOT NULL, current_step smallint unsigned NOT NULL, retry_at datetime NULL, status varchar(15) NOT NULL,
        config text NOT NULL CHECK ((JSON_VALID("config") OR "config" IS NULL)), notes text NOT NULL);
    CREATE TABLE core_archiveresult(id char(32) NOT NULL PRIMARY KEY, created_at datetime NOT NULL, modified_at datetime NOT NULL, snapshot_id char(32) NOT NULL REFERENCES core_snapshot(id),
        plugin varchar(32) NOT NULL, hook_name varchar(255) NOT NULL, process_id char(32) NULL UNIQUE, output_str text NOT NULL, output_json text NULL, output_files text NOT NULL,
        output_size bigint NOT NULL, output_mimetypes varchar(512) NOT NULL, start_ts datetime NULL, end_ts datetime NULL, status varchar(16) NOT NULL, notes text NOT NULL);""",
    [("core_snapshot", ("%032x" % i, "2026-01-01", "2026-01-01", TWINS[i], "177000000%d.123" % i, "2026-01-01", "%032x" % 77, None, None, "2026-01-01 10:00:00.5", 0, "0.9.0", 0, None, "sealed", "{}", "")) for i in R] +
    [("core_archiveresult", ("%032x" % (i + 9), "2026-01-01", "2026-01-01", "%032x" % i, "title", "on_Snapshot__10_title", None, "Page", None, "{}", 0, "", None, "2026-01-02", "succeeded", "")) for i in R])
store("scrapy", "CREATE TABLE items(url TEXT, title TEXT, content TEXT, scraped_at TEXT);", [("items", (URLS[i], "t", TEXTS[i], "2024-01-01")) for i in R])
store("scrapy-html", "CREATE TABLE pages(url TEXT PRIMARY KEY, status INTEGER, headers TEXT, body BLOB);",
    [("pages", (URLS[i], 200, "{}", gzip.compress(HTML[i].encode()) if i else HTML[i].encode())) for i in R])
store("crawlee", """CREATE TABLE datasets(dataset_id VARCHAR(20) NOT NULL, item_count INTEGER NOT NULL, internal_name VARCHAR(255) NOT NULL, name VARCHAR(255), accessed_at DATETIME NOT NULL,
        created_at DATETIME NOT NULL, modified_at DATETIME NOT NULL, buffer_locked_until DATETIME, PRIMARY KEY (dataset_id), UNIQUE (name));
    CREATE TABLE dataset_records(item_id INTEGER NOT NULL, dataset_id VARCHAR(20) NOT NULL, data JSON NOT NULL, PRIMARY KEY (item_id),
        FOREIGN KEY(dataset_id) REFERENCES datasets (dataset_id) ON DELETE CASCADE);
    CREATE INDEX ix_dataset_records_dataset_id ON dataset_records (dataset_id);
    CREATE TABLE request_queue_records(request_id BIGINT NOT NULL, request_queue_id VARCHAR(20) NOT NULL, data TEXT NOT NULL, sequence_number INTEGER NOT NULL, is_handled BOOLEAN NOT NULL,
        time_blocked_until DATETIME, client_key VARCHAR(32), PRIMARY KEY (request_id, request_queue_id));
    CREATE TABLE version(version VARCHAR(10) NOT NULL, PRIMARY KEY (version));""",
    [("datasets", ("d", 3, "default", None, "x", "x", "x", None)), ("version", ("1.9.2",))] +
    [("request_queue_records", (i, "q", json.dumps({"url": URLS[i], "method": "GET", "unique_key": URLS[i]}), i, 1, None, None)) for i in R] +
    [("dataset_records", (i + 1, "d", json.dumps({"url": URLS[i], "title": "Page %d" % i, ["text", "html"][i == 1]: [TEXTS[i], "<p>" + TEXTS[i] + "</p>"][i == 1]}))) for i in R])
# what Apify's website-content-crawler writes
store("crawlee@content", """CREATE TABLE datasets(dataset_id VARCHAR(20) NOT NULL, item_count INTEGER NOT NULL, internal_name VARCHAR(255) NOT NULL, name VARCHAR(255), PRIMARY KEY (dataset_id));
    CREATE TABLE dataset_records(item_id INTEGER NOT NULL, dataset_id VARCHAR(20) NOT NULL, data JSON NOT NULL, PRIMARY KEY (item_id));""",
    [("dataset_records", (i + 1, "d", json.dumps({"url": URLS[i], "crawl": {"loadedUrl": URLS[i], "loadedTime": "2024-01-01T10:00:00.000Z", "httpStatusCode": 200},
      "metadata": {"title": "Page %d" % i, "description": None, "canonicalUrl": URLS[i], "languageCode": "en"}, "text": TEXTS[i], "markdown": TEXTS[i]}))) for i in R])
store("wallabag", """CREATE TABLE wallabag_entry (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, user_id INTEGER DEFAULT NULL, uid VARCHAR(23) DEFAULT NULL, title CLOB DEFAULT NULL,
    url CLOB DEFAULT NULL, hashed_url VARCHAR(40) DEFAULT NULL, origin_url CLOB DEFAULT NULL, given_url CLOB DEFAULT NULL, is_archived BOOLEAN NOT NULL, content CLOB DEFAULT NULL,
    created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, mimetype CLOB DEFAULT NULL, language VARCHAR(20) DEFAULT NULL, reading_time INTEGER NOT NULL,
    http_status VARCHAR(3) DEFAULT NULL, is_not_parsed BOOLEAN DEFAULT 0 NOT NULL);""",
    [("wallabag_entry", (i + 1, 1, None, "Page %d" % i, URLS[i], None, None, None, 0, "<p>" + TEXTS[i].replace("fox", "<b>fox</b>") + "</p><p>more</p>", "2024-01-01 10:00:00",
      "2024-01-01 10:00:00", "text/html", "en", 1, "200", 0)) for i in R])
store("wallabag@2.6.14", """CREATE TABLE wallabag_entry (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, user_id INTEGER DEFAULT NULL, uid VARCHAR(23) DEFAULT NULL, title CLOB DEFAULT NULL,
    url CLOB DEFAULT NULL, hashed_url VARCHAR(40) DEFAULT NULL, is_archived BOOLEAN NOT NULL, content CLOB DEFAULT NULL, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL,
    mimetype CLOB DEFAULT NULL, language VARCHAR(20) DEFAULT NULL, http_status VARCHAR(3) DEFAULT NULL);""",
    [("wallabag_entry", (i + 1, 1, None, "Page %d" % i, URLS[i], None, 0, "<p>" + TEXTS[i] + "</p>", "2024-01-01 10:00:00", "2024-01-01 10:00:00", "text/html", "en", ["200", "", None][i])) for i in R])
store("linkding-1.18", """CREATE TABLE bookmarks_bookmark (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, url varchar(2048) NOT NULL, title varchar(512) NOT NULL, description text NOT NULL,
    website_title varchar(512) NULL, website_description text NULL, web_archive_snapshot_url varchar(2048) NOT NULL, favicon_file varchar(512) NOT NULL, unread bool NOT NULL, is_archived bool NOT NULL,
    shared bool NOT NULL, date_added datetime NOT NULL, date_modified datetime NOT NULL, date_accessed datetime NULL, owner_id integer NOT NULL);""",
    [("bookmarks_bookmark", (i + 1, URLS[i], "", "", "Page %d" % i, TEXTS[i], "", "", 0, 0, 0, "2023-01-01 10:00:00", "2023-01-01 10:00:00", None, 1)) for i in R])
store("linkding@1.45", """CREATE TABLE bookmarks_bookmark (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, url varchar(2048) NOT NULL, url_normalized varchar(2048) NOT NULL, title varchar(512) NOT NULL, description text NOT NULL,
    notes text NOT NULL, website_title varchar(512) NULL, website_description text NULL, web_archive_snapshot_url varchar(2048) NOT NULL, favicon_file varchar(512) NOT NULL, preview_image_file varchar(512) NOT NULL,
    unread bool NOT NULL, is_archived bool NOT NULL, shared bool NOT NULL, date_added datetime NOT NULL, date_modified datetime NOT NULL, date_accessed datetime NULL, owner_id integer NOT NULL, latest_snapshot_id integer NULL);
    CREATE TABLE bookmarks_bookmarkasset (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, date_created datetime NOT NULL, file varchar(2048) NOT NULL, file_size integer NULL, asset_type varchar(64) NOT NULL,
    content_type varchar(128) NOT NULL, display_name varchar(2048) NOT NULL, status varchar(64) NOT NULL, gzip bool NOT NULL, bookmark_id integer NOT NULL REFERENCES bookmarks_bookmark (id));""",
    [("bookmarks_bookmark", (i + 1, URLS[i], URLS[i], "Page %d" % i, TEXTS[i], "", None, None, "", "", "", 0, 0, 0, "2026-01-01 10:00:00", "2026-01-01 10:00:00", None, 1, None)) for i in R])
store("linkding", """CREATE TABLE bookmarks_bookmark (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, url varchar(2048) NOT NULL, title varchar(512) NOT NULL, description text NOT NULL,
    notes text NOT NULL, website_title varchar(512) NULL, website_description text NULL, web_archive_snapshot_url varchar(2048) NOT NULL, favicon_file varchar(512) NOT NULL,
    unread bool NOT NULL, is_archived bool NOT NULL, shared bool NOT NULL, date_added datetime NOT NULL, date_modified datetime NOT NULL, date_accessed datetime NULL, owner_id integer NOT NULL);""",
    [("bookmarks_bookmark", (i + 1, URLS[i], "Page %d" % i, TEXTS[i], "", None, None, "", "", 0, 0, 0, "2024-01-01 10:00:00", "2024-01-01 10:00:00", None, 1)) for i in R])
store("yacy", """CREATE TABLE documents (id TEXT PRIMARY KEY, sku TEXT, title TEXT, text_t TEXT, description_txt TEXT, httpstatus_i INTEGER, failreason_s TEXT, robots_i INTEGER,
    canonical_s TEXT, load_date_dt TEXT, references_i INTEGER, language_s TEXT, content_type TEXT, h1_txt TEXT);""",
    [("documents", ("id%d" % i, URLS[i], json.dumps(["Page %d" % i, "more"]), TEXTS[i], None, 200, None, 0, None, "2024-01-01T10:00:00Z", 3, "en", '["text/html"]',
      [None, '["First"]', '["First", "Second", "Third"]'][i])) for i in R])
# without the fields that YaCy's own schema leaves out by default
store("yacy@minified", "CREATE TABLE documents (id TEXT PRIMARY KEY, sku TEXT, title TEXT, text_t TEXT, httpstatus_i INTEGER);",
    [("documents", ("id%d" % i, URLS[i], "Page %d" % i, TEXTS[i], 200)) for i in R])
store("buku", """CREATE TABLE bookmarks (id integer PRIMARY KEY, URL text NOT NULL UNIQUE, metadata text default '', tags text default ',', desc text default '', flags integer default 0);""",
    [("bookmarks", (i + 1, URLS[i], "Page %d" % i, ",web,", TEXTS[i], 0)) for i in R])
store("karakeep", """CREATE TABLE user (id text PRIMARY KEY NOT NULL, name text NOT NULL);
    CREATE TABLE bookmarks (id text PRIMARY KEY NOT NULL, createdAt integer NOT NULL, modifiedAt integer, title text, archived integer DEFAULT false NOT NULL,
        favourited integer DEFAULT false NOT NULL, userId text NOT NULL REFERENCES user(id) ON DELETE cascade, type text NOT NULL);
    CREATE TABLE bookmarkLinks (id text PRIMARY KEY NOT NULL, url text NOT NULL, title text, description text, author text, imageUrl text, favicon text, htmlContent text,
        contentAssetId text, crawledAt integer, crawlStatus text DEFAULT 'pending', crawlStatusCode integer DEFAULT 200,
        FOREIGN KEY (id) REFERENCES bookmarks(id) ON DELETE cascade);
    CREATE TABLE bookmarkTags (id text PRIMARY KEY NOT NULL, name text NOT NULL, normalizedName text GENERATED ALWAYS AS (lower(replace(name, ' ', ''))) VIRTUAL);""",
    [("user", ("u", "U"))] + [("bookmarks", ("k%d" % i, 1700000000, None, None, 0, 0, "u", "link")) for i in R] +
    [("bookmarkLinks", ("k%d" % i, URLS[i], "Page %d" % i, None, None, None, None, "<p>" + TEXTS[i] + "</p>", None, 1700000000, "success", 200)) for i in R])
store("freshrss", """CREATE TABLE feed (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, url VARCHAR(32768) NOT NULL, name VARCHAR(191) NOT NULL);
    CREATE TABLE entry (id BIGINT NOT NULL, guid VARCHAR(767) NOT NULL, title VARCHAR(65535) NOT NULL, author VARCHAR(65535), content TEXT, link VARCHAR(32768) NOT NULL, date INT(11),
        lastSeen INT(11) DEFAULT 0, hash BINARY(16), is_read BOOLEAN NOT NULL DEFAULT 0, is_favorite BOOLEAN NOT NULL DEFAULT 0, id_feed INTEGER, tags VARCHAR(65535), attributes TEXT,
        PRIMARY KEY (id), FOREIGN KEY (id_feed) REFERENCES feed(id) ON DELETE CASCADE ON UPDATE CASCADE, UNIQUE (id_feed, guid));""",
    [("feed", (1, "http://a.example/feed", "A"))] +
    [("entry", (1700000000000000 + i, "g%d" % i, "Page %d" % i, "", "<p>" + TEXTS[i] + "</p>", URLS[i], 1700000000, 0, b"\0" * 16, 0, 0, 1, "", "{}")) for i in R])
store("newsboat", """CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL, title VARCHAR(1024) NOT NULL, lastmodified INTEGER(11) NOT NULL DEFAULT 0,
        is_rtl INTEGER(1) NOT NULL DEFAULT 0, etag VARCHAR(128) NOT NULL DEFAULT "");
    CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
        feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024),
        enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0, base VARCHAR(128) NOT NULL DEFAULT "");""",
    [("rss_feed", ("http://a.example/feed", "http://a.example/", "A", 0, 0, ""))] +
    [("rss_item", (i + 1, "g%d" % i, "Page %d" % i, "", URLS[i], "http://a.example/feed", 1700000000, "<p>" + TEXTS[i] + "</p>", 1, None, None, 0, None, 0, "")) for i in R])
store("readeck", """CREATE TABLE bookmark (id integer PRIMARY KEY AUTOINCREMENT, uid text UNIQUE NOT NULL, user_id integer NOT NULL, created datetime NOT NULL, updated datetime NOT NULL,
        is_marked integer NOT NULL DEFAULT 0, state integer NOT NULL DEFAULT 0, url text NOT NULL, title text NOT NULL, domain text NOT NULL DEFAULT "", site text NOT NULL DEFAULT "",
        site_name text NOT NULL DEFAULT "", published datetime, authors json NOT NULL DEFAULT "", lang text NOT NULL DEFAULT "", description text NOT NULL DEFAULT "",
        text text NOT NULL DEFAULT "", labels json NOT NULL DEFAULT "");
    CREATE VIRTUAL TABLE bookmark_idx USING fts5(title, description, text, site, content='bookmark', content_rowid='id', tokenize='unicode61 remove_diacritics 2');
    CREATE TRIGGER bookmark_ai AFTER INSERT ON bookmark BEGIN INSERT INTO bookmark_idx(rowid, title, description, text, site) VALUES (new.id, new.title, new.description, new.text, new.site); END;""",
    [("bookmark", (i + 1, "u%d" % i, 1, "2024-01-01 10:00:00+00:00", "2024-01-01 10:00:00+00:00", 0, 0, URLS[i], "Page %d" % i, "", "", "", None, "[]", "en", "", TEXTS[i], "[]")) for i in R])

# Stores of no known program, for the guess.
store("guess_table", "CREATE TABLE crawl_log(n INTEGER PRIMARY KEY, kind TEXT, where_from TEXT, raw_page TEXT); CREATE TABLE words(word TEXT PRIMARY KEY);",
    [("crawl_log", (i, "page", URLS[i], HTML[i])) for i in R] + [("words", ("x%d" % i,)) for i in R])
store("guess_packed", "CREATE TABLE hits(address TEXT PRIMARY KEY, payload BLOB) WITHOUT ROWID;", [("hits", (URLS[i], gzip.compress(HTML[i].encode()))) for i in R])
store("guess_json", "CREATE TABLE scraped(id INTEGER PRIMARY KEY, data TEXT CHECK (json_valid(data)));",
    [("scraped", (i, json.dumps({"page_url": URLS[i], "name": "Page", "article": TEXTS[i]}))) for i in R])
store("guess_join", """CREATE TABLE page(id INTEGER PRIMARY KEY, url TEXT UNIQUE); CREATE TABLE snapshot(id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES page(id), fetched_at TEXT,
    content TEXT); CREATE INDEX snapshot_page ON snapshot(page_id);""",
    [("page", (i, URLS[i])) for i in R] + [("snapshot", (10 + i, i, "2024-02-01", TEXTS[i])) for i in R] + [("snapshot", (20 + i, i, "2023-02-01", "an old version of the page number %d that nobody wants" % i)) for i in R])
store("guess_join_no_index", """CREATE TABLE page(id INTEGER PRIMARY KEY, url TEXT UNIQUE); CREATE TABLE snapshot(id INTEGER PRIMARY KEY, page_id INTEGER, fetched_at TEXT,
    content TEXT);""",
    [("page", (i, URLS[i])) for i in R] + [("snapshot", (20 + i, i, "2023-02-01", "an old version of the page number %d that nobody wants" % i)) for i in R] +
    [("snapshot", (10 + i, i, "2024-02-01", TEXTS[i])) for i in R])
store("guess_fts", "CREATE VIRTUAL TABLE docs USING fts5(link, body, tokenize=porter);", [("docs", (URLS[i], TEXTS[i])) for i in R])
PYTHON
python3 make.py >out 2>err
is $? 'the stores are made'

dump() { python3 "$source/tests/support/foreign_digest.py" "$1"; }
presets=0
for store in *.db; do
    what=${store%.db} texts=1
    preset=${what%@*}
    case $what in archivebox* | crawl4ai@0.9.2) texts=0 ;; esac # which is a warning
    before=$(dump "$store")
    got=0
    "$program" check --suggest "$store" >"$what.conf" 2>err || got=$?
    wanted=$((1 - texts))
    [ "$got" = "$wanted" ] || cat "$what.conf" >>err
    got "a configuration is suggested: $what (exit $got)" "$got" "$wanted"
    if [ -f "$source/share/presets/$preset.conf" ]; then
        [ "$preset" = "$what" ] && presets=$((presets + 1))
        matches "by its preset: $what" "^# preset $preset:" "$what.conf"
    fi
    got "three rows are shown: $what" "$(grep -c '^# row ' "$what.conf")" 3
    check "it runs in place: $what" 0 '*' run --quiet "$store" --config "$what.conf"
    column=exact_signature_copycount_i
    [ $texts = 0 ] && column='2 - http_unique_b'
    flags=$(sqlite3 "$store" "SELECT group_concat(c, ' ') FROM (SELECT $column AS c FROM document_flags ORDER BY 1)" 2>err)
    wanted='1 2 2'
    [ $texts = 0 ] && wanted='1 1 2'
    got "the flags are right: $what ($flags)" "$flags" "$wanted"
    if grep -q html_text "$what.conf"; then
        "$program" run --quiet --set near.text=main "$store" --config "$what.conf" >out 2>err && ! grep -q 'no content areas' err
        is $? "it has content areas: $what"
    fi
    got "its tables are byte for byte what they were: $what" "$(dump "$store")" "$before"
done
[ "$(sed -n '/^# filled/q; s/^#   headings *//p' yacy.conf | tr '\n' '|')" = 'First|First Second|' ] && ! grep -q '^headings' yacy@minified.conf
is $? "YaCy's h1_txt has the headings, where it is"
[ "$presets" = "$(find "$source/share/presets" -name '*.conf' | wc -l)" ] && [ "$presets" -ge 10 ]
is $? "every preset has a store ($presets)"

"$program" check --suggest guess_packed.db --json >out 2>err
python3 -c 'import json; d = json.load(open("out")); assert d["preset"] is None and "inflate(" in d["config"] and len(d["rows"]) == 3 and d["filled"]["text"] == 1' 2>>err
is $? 'the suggestion as JSON'

# Warnings of content, in the suggestion, in check and in a run
sqlite3 odd.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT, status TEXT);
    INSERT INTO pages SELECT value, 'http://a.example/' || value, '<div><p>some words</p></div>', 'done' FROM json_each('[1,2,3]')"
ends 1 check odd.db && grep -q 'PROBLEM *text looks like HTML' out && grep -q 'PROBLEM *status is never 200' out
is $? 'check warns of HTML and of a column that holds no status'
"$program" run --dry-run --force odd.db >out 2>err
matches 'a run warns, too' 'text looks like HTML: map html_text()' err
sqlite3 odd.db "UPDATE pages SET status = 200, text = substr(hex(id || 'abcdefghijklmnopqrstuv'), 1, 40)"
"$program" check odd.db >out 2>err
matches 'check warns of digests' 'PROBLEM *text is 40 hex digits'
# Other programs do not have the functions that a mapping may call: what needs them is not in the view
sqlite3 html.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, page TEXT);
    INSERT INTO pages SELECT value, 'http://a.example/' || value, '<title>T</title><p>some words</p>' FROM json_each('[1,2,3]')"
check 'a mapping that calls functions on pages' 0 '*' run --quiet --set store.joined_view=yes --set store.from=pages --set store.id=id --set store.url=url --set 'store.title=html_title(page)' --set 'store.text=html_text(page)' html.db
equal 'sqlite3 reads the view without them' '1|http://a.example/1||3' "$(sqlite3 html.db "SELECT id, url, title, exact_signature_copycount_i FROM flagged_documents WHERE id = 1" 2>&1)"

sqlite3 nothing.db "CREATE TABLE t(a)"
check 'a store without documents' 65 '*no table has a URL and a text*' check --suggest nothing.db
exit "$failed"
