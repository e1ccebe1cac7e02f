#!/bin/bash
# A healthy store is never called corrupt, whatever its schema uses: check finds no problem in it, a run publishes the flags that
# are expected, and the tables of the store are byte for byte what they were.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# The stores: three documents each, of which the second has the text of the first.
cat >make.py <<'PYTHON'
import sqlite3
PAGES = "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT%s);"
ROWS = """INSERT INTO %s(id, url, text) VALUES (1, 'http://a.example/one', 'the quick brown fox jumps over the lazy dog'),
    (2, 'http://b.example/one', 'the quick brown fox jumps over the lazy dog'), (3, 'http://c.example/', 'something else');"""
def store(name, ddl, more="", table="pages", prepare=None):
    db = sqlite3.connect(name + ".db")
    if prepare: prepare(db)
    db.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;" + ddl + ROWS % table + more)
    db.commit()
    db.close()
store("json_check", PAGES % ", meta TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(meta))")
store("default_in_double_quotes", PAGES % ', meta TEXT NOT NULL DEFAULT "{}" CHECK (meta <> "x")')
store("index_on_expressions", PAGES % "", """CREATE INDEX e1 ON pages(lower(url));
    CREATE UNIQUE INDEX e2 ON pages(json_extract(text, '$.a')) WHERE json_valid(text); CREATE INDEX e3 ON pages(length(text)) WHERE text <> '';""")
store("generated_columns", PAGES % ", host TEXT GENERATED ALWAYS AS (lower(url)) VIRTUAL, n INT AS (length(text)) STORED", "CREATE INDEX g ON pages(host);")
store("generated_from_json", PAGES % "", """CREATE TABLE items(data TEXT CHECK (json_valid(data)), title AS (json_extract(data, '$.title')) STORED,
    other AS (data ->> '$.other') VIRTUAL); INSERT INTO items VALUES ('{"title": "x"}'); CREATE INDEX i ON items(title);""")
store("fts5_own_content", PAGES % "", "CREATE VIRTUAL TABLE f USING fts5(title, content); INSERT INTO f VALUES ('t', 'c');")
store("fts5_external_content", PAGES % "" + """CREATE VIRTUAL TABLE f USING fts5(url, text, content='pages', content_rowid='id');
    CREATE TRIGGER ai AFTER INSERT ON pages BEGIN INSERT INTO f(rowid, url, text) VALUES (new.id, new.url, new.text); END;""")
store("fts5_contentless", PAGES % "", "CREATE VIRTUAL TABLE f USING fts5(a, content=''); INSERT INTO f(rowid, a) VALUES (1, 'x');")
store("fts3_and_fts4", PAGES % "", "CREATE VIRTUAL TABLE f3 USING fts3(a); CREATE VIRTUAL TABLE f4 USING fts4(a, tokenize=porter); INSERT INTO f4 VALUES ('x');")
store("rtree", PAGES % "", "CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES (1, 2, 3);")
store("view", "CREATE TABLE stored(id INTEGER PRIMARY KEY, url TEXT, text TEXT); CREATE VIEW v AS SELECT json_extract(text, '$.x') FROM stored;", table="stored")
store("broken_views", PAGES % "", "CREATE VIEW v AS SELECT nosuch(url) FROM pages; CREATE VIEW w AS SELECT * FROM gone;")
store("without_rowid", "CREATE TABLE pages(id INT, url TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;")
store("strict", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT NOT NULL, text ANY) STRICT;")
store("deep_check", PAGES % (", CHECK (" + " OR ".join("text <> 'x%d'" % i for i in range(700)) + ")"),
      "CREATE VIEW u AS " + " UNION ALL ".join("SELECT %d AS a" % i for i in range(300)) + ";")
store("large_value_elsewhere", PAGES % "", "CREATE TABLE assets(name TEXT NOT NULL, bytes BLOB NOT NULL CHECK (length(bytes) > 0)); INSERT INTO assets VALUES ('a', zeroblob(100000000));")
store("many_tables", PAGES % "", "".join("CREATE TABLE t%d(a INTEGER PRIMARY KEY, b TEXT NOT NULL, c, d); CREATE INDEX i%d ON t%d(b, c);" % (i, i, i) for i in range(1000)))
store("module_of_another_program", PAGES % "", """PRAGMA writable_schema = 1;
    INSERT INTO sqlite_master VALUES ('table', 'vectors', 'vectors', 0, 'CREATE VIRTUAL TABLE vectors USING vec0(a float[3])');""")
store("utf16", "PRAGMA encoding = 'UTF-16le';" + PAGES % "")
def functions(db):
    db.create_function("app_norm", 1, lambda s: s, deterministic=True)
    db.create_collation("APP", lambda a, b: (a > b) - (a < b))
store("functions_of_the_program", PAGES % ", CHECK (app_norm(url) <> '')", "CREATE INDEX i ON pages(app_norm(url)); CREATE INDEX j ON pages(url COLLATE APP);", prepare=functions)
store("collation_of_the_program", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT COLLATE APP, text TEXT);", "CREATE INDEX i ON pages(url);", prepare=functions)
PYTHON
python3 make.py >out 2>err
is $? 'the stores are made'

dump() { python3 "$source/tests/support/foreign_digest.py" "$1"; }

for store in *.db; do
    what=${store%.db}
    before=$(dump "$store")
    "$program" check "$store" >out 2>err
    status=$?
    grep -q 'PROBLEM' out && cat out >>err && status=1
    is "$status" "check finds no problem: $what"
    check "a run publishes: $what" 0 '*' run --quiet "$store"
    flags=$(sqlite3 "$store" 'SELECT group_concat(exact_signature_copycount_i || coalesce(representative_b, 2)) FROM (SELECT * FROM document_flags ORDER BY rowid)' 2>err)
    got "the flags are right: $what ($flags)" "$(tr ',' '\n' <<<"$flags" | sort | xargs)" '11 20 21'
    got "the tables of the store are unchanged: $what" "$(dump "$store")" "$before"
done

"$program" check collation_of_the_program.db >out 2>err
matches 'a table that cannot be checked is named with the reason' "not checked *table 'pages': no such collation sequence: APP"
check 'a document is found by its URL under a collation of the program' 0 '*' explain collation_of_the_program.db http://b.example/one

# What is really malformed is named.
sqlite3 bad.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT); PRAGMA writable_schema = 1;
    INSERT INTO sqlite_master VALUES ('index', 'lost', 'pages', 9, 'CREATE INDEX lost ON pages(nocolumn)');" 2>err
check 'a malformed schema is named with the object' 65 '*malformed database schema (lost)*' run bad.db
exit "$failed"
