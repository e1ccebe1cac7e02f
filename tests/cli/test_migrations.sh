#!/bin/bash
# wings: import
# The owner of a store migrates it as ORMs do (a new table, copy, drop, rename; columns added, renamed and dropped) while Twindex's
# tables and views are in the file: no migration fails because of them, and the next run gives the flags of the new table.
# Django's migrations make and change a table of their own where Django is installed.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

flags="SELECT group_concat(exact_signature_copycount_i, ' ') FROM (SELECT * FROM document_flags ORDER BY id)"
sqlite3 first.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT NOT NULL, text TEXT, title TEXT, extra TEXT); CREATE INDEX pages_url ON pages(url);
    CREATE TABLE visits(page_id INTEGER REFERENCES pages(id), at TEXT);
    INSERT INTO pages VALUES (1, 'http://a.example/', 'one text', 't', 'x'), (2, 'http://b.example/', 'one text', 't', 'x'), (3, 'http://c.example/', 'another', 't', 'x')"
check 'a store with flags' 0 '*' run --quiet first.db

# migrates WHAT SQL: the statements succeed, and so does the next run
migrates() {
    rm -f s.db* && cp first.db s.db
    sqlite3 -bail s.db "$2" >out 2>err
    is $? "$1"
    equal "$1: the next run" '2 2 1' "$("$program" run --quiet s.db >out 2>err && sqlite3 s.db "$flags")"
}
columns='id INTEGER PRIMARY KEY, url TEXT NOT NULL, text TEXT, title TEXT, extra TEXT, added TEXT'
# https://www.sqlite.org/lang_altertable.html, section 7: what Django, Alembic's batch mode, Prisma, TypeORM, Drizzle and Knex do
migrates 'a new table is copied into, the old one dropped, the new one renamed' \
    "PRAGMA foreign_keys=OFF; BEGIN; CREATE TABLE new__pages($columns); INSERT INTO new__pages SELECT *, 'now' FROM pages; DROP TABLE pages;
     ALTER TABLE new__pages RENAME TO pages; CREATE INDEX pages_url ON pages(url); PRAGMA foreign_key_check; COMMIT"
migrates 'the same under legacy_alter_table' \
    "PRAGMA legacy_alter_table=ON; BEGIN; CREATE TABLE new__pages($columns); INSERT INTO new__pages SELECT *, 'now' FROM pages; DROP TABLE pages;
     ALTER TABLE new__pages RENAME TO pages; COMMIT"
# Active Record: the table goes to a temporary one and comes back
migrates 'a table is moved out and in' \
    "BEGIN; CREATE TEMPORARY TABLE apages AS SELECT * FROM pages; DROP TABLE pages; CREATE TABLE pages($columns);
     INSERT INTO pages SELECT *, 'now' FROM apages; DROP TABLE apages; COMMIT"
migrates 'the old table is renamed and dropped last' \
    "BEGIN; ALTER TABLE pages RENAME TO pages_old; CREATE TABLE pages($columns); INSERT INTO pages SELECT *, 'now' FROM pages_old; DROP TABLE pages_old; COMMIT"
migrates 'columns are added, renamed and dropped' \
    "ALTER TABLE pages ADD COLUMN added TEXT; ALTER TABLE pages RENAME COLUMN title TO headline; ALTER TABLE pages DROP COLUMN extra; ALTER TABLE pages DROP COLUMN headline"
migrates 'the text column is renamed' 'ALTER TABLE pages RENAME COLUMN text TO content'
migrates 'the table is renamed' 'ALTER TABLE pages RENAME TO articles'
migrates 'another table is renamed' 'DROP TABLE visits; CREATE TABLE visit(x); ALTER TABLE visit RENAME TO visits'
cp first.db s.db && sqlite3 -bail s.db 'DROP TABLE pages; CREATE TABLE a(x); ALTER TABLE a RENAME TO b' >out 2>err
is $? 'the table goes, and another one is renamed'

# ---- the joined view
sqlite3 first.db 'SELECT 1 FROM flagged_documents' >out 2>err
[ $? != 0 ] && grep -q 'no such table: flagged_documents' err
is $? 'a store of another program gets no view that names its tables'
cp first.db s.db && "$program" run --quiet --set store.joined_view=yes s.db >out 2>err &&
    [ "$(sqlite3 s.db 'SELECT count(*) FROM flagged_documents WHERE representative_b AND title = '"'t'"'')" = 2 ]
is $? 'but with store.joined_view'
equal 'a run without it drops the view again' 0 "$("$program" run --quiet s.db >out 2>err && sqlite3 s.db "SELECT count(*) FROM sqlite_master WHERE name = 'flagged_documents'")"

# ---- a store of our own
"$program" init own.db >out 2>err && "$program" import --quiet own.db "$source/tests/golden/sample/crawl.jsonl" >out 2>err && "$program" run --quiet own.db
count=$(sqlite3 own.db 'SELECT count(*) FROM flagged_documents')
sqlite3 -bail own.db 'ALTER TABLE documents DROP COLUMN layout_digest; ALTER TABLE documents DROP COLUMN crawl_id; ALTER TABLE documents ADD COLUMN rank_of_mine REAL' >out 2>err
is $? 'columns of our own documents are dropped and added'
equal 'the next run and the joined view go on' "$count" "$("$program" run --quiet own.db >out 2>err && sqlite3 own.db 'SELECT count(rank_of_mine IS NULL) FROM flagged_documents')"

# ---- Django itself
if python3 -c 'import django' 2>/dev/null; then
    cat >orm.py <<'PYTHON'
import django, subprocess, sys
from django.conf import settings
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "orm.db"}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
django.setup()
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState
def run(): subprocess.run([sys.argv[1], "run", "--quiet", "orm.db"], check=True)
state = ProjectState()
def apply(operation):
    global state
    old, state = state, state.clone()
    operation.state_forwards("crawl", state)
    with connection.schema_editor() as editor: operation.database_forwards("crawl", editor, old, state)
text = lambda **more: models.TextField(**more)
apply(migrations.CreateModel("Page", [("id", models.AutoField(primary_key=True)), ("url", models.CharField(max_length=99)), ("text", text()), ("title", text(null=True))]))
with connection.cursor() as c:
    for i in range(3): c.execute("INSERT INTO crawl_page(id, url, text) VALUES (%s, %s, %s)", [i, "http://%d.example/" % i, "one text" if i < 2 else "another"])
connection.close(); run()
for operation in (migrations.AddField("Page", "status", models.IntegerField(default=200)), migrations.AlterField("Page", "url", models.CharField(max_length=200, unique=True)),
                  migrations.AlterField("Page", "title", text(default="none")), migrations.RenameField("Page", "text", "content"), migrations.RemoveField("Page", "title"),
                  migrations.AlterUniqueTogether("Page", {("url", "content")}), migrations.RenameModel("Page", "Article")):
    apply(operation)
    connection.close()
run()
PYTHON
    python3 orm.py "$program" >out 2>err && [ "$(sqlite3 orm.db "$flags")" = '2 2 1' ]
    is $? 'seven migrations by Django'
else
    echo 'ok - skipped: Django is not installed'
fi
exit "$failed"
