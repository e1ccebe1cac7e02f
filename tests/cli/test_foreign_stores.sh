#!/bin/bash
# How a store that another program fills is taken: init refuses it, --set completes the mapping that is found, a key that VACUUM changes is
# no key, and an id that cannot be one is counted.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

rows="INSERT INTO pages(url, body) VALUES ('http://a.example/', 'one text'), ('http://b.example/', 'one text'), ('http://c.example/', 'another');"
sqlite3 plain.db "CREATE TABLE pages(url TEXT, body TEXT); $rows"

before=$(sqlite3 plain.db .dump)
check 'init refuses a store with tables of its own' 65 "*plain.db has tables of its own ('pages')*'twindex check'*'twindex run'*new file*" init plain.db
equal 'nothing was changed' "$before" "$(sqlite3 plain.db .dump)"
sqlite3 empty.db 'PRAGMA user_version = 7; VACUUM'
check 'init takes a file without tables' 0 '' init empty.db

# VACUUM gives the rows of a table without INTEGER PRIMARY KEY other rowids
check 'a rowid that VACUUM changes is refused' 65 '*no INTEGER PRIMARY KEY, so VACUUM*store.allow_rowid = yes*' \
    run plain.db --set store.from=pages --set store.id=rowid --set store.url=url --set store.text=body
check 'check says so' 1 '' check plain.db --set store.from=pages --set store.id=rowid --set store.url=url --set store.text=body
equal 'check names the table' 1 "$(grep -c "PROBLEM.*table 'pages' has no INTEGER PRIMARY KEY" out)"
check 'without a key the URL is the id' 0 '*id = "url"*' run plain.db
flags="SELECT group_concat(id || ' ' || exact_signature_copycount_i) FROM (SELECT * FROM document_flags ORDER BY id)"
wanted='http://a.example/ 2,http://b.example/ 2,http://c.example/ 1'
equal 'flags of the URLs' "$wanted" "$(sqlite3 plain.db "$flags")"
sqlite3 plain.db "DELETE FROM pages WHERE url LIKE '%a.example%'; INSERT INTO pages VALUES ('http://a.example/', 'one text'); VACUUM"
equal 'VACUUM moves no flag' "$wanted" "$(sqlite3 plain.db "$flags")"
check 'a run after VACUUM' 0 '*' run plain.db
equal 'and the flags are the same' "$wanted" "$(sqlite3 plain.db "$flags")"
check 'the rowid can be asked for' 0 '' check plain.db --set store.allow_rowid=yes
equal 'and is the id then' 1 "$(grep -c '^  id  *rowid' out)"

sqlite3 plain.db 'ALTER TABLE pages ADD COLUMN code; ALTER TABLE pages ADD COLUMN heading;
    CREATE TABLE names(url PRIMARY KEY, name, seen)'
check 'columns that no setting reads' 0 '' check plain.db
has 'are listed' ' not mapped code, heading'
check 'those of a join' 0 '' check plain.db --set store.id=p.url --set store.url=n.url \
    --set 'store.from=pages AS p JOIN names AS n ON n.url = p.url, json_each(body) AS j' \
    --set store.text=j.value --set store.title=name --set 'store.http_status=coalesce(code, 200)'
has 'have the name of their table' ' not mapped names.seen, pages.heading'

# a setting that does not fit is named
sqlite3 keyed.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, content TEXT, title TEXT)"
for column in id url text title canonical_url; do
    check "a column that there is not: $column" 65 "*no table with documents was found ('pages' has no $column column)*" run --set store.$column=no_such keyed.db
done

# one setting completes what is found
sqlite3 json.db "CREATE TABLE seen(id INTEGER PRIMARY KEY, url TEXT, data TEXT); CREATE TABLE queue(url TEXT);
    INSERT INTO seen VALUES (1, 'http://a.example/', '{\"t\": \"a text\"}'), (2, 'http://b.example/', '{\"t\": \"a text\"}')"
check 'a store without a column for the text' 65 "*'seen' has no text column*check --suggest*" run json.db
check '--set store.text completes the mapping' 0 '*from = "seen"*' run json.db --set "store.text=data ->> '\$.t'"
equal 'with the right flags' '1 2,2 2' "$(sqlite3 json.db "$flags")"
sqlite3 two.db "CREATE TABLE a(id INTEGER PRIMARY KEY, url, text); CREATE TABLE b(id INTEGER PRIMARY KEY, url, text, title)"
check '--set store.from settles which table it is' 0 '*' run two.db --set store.from=a
check '--set of a column that is in no table' 65 "*'a' has no text column*" run two.db --set store.text=nosuch

# an id that cannot be a document number
sqlite3 least.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT);
    INSERT INTO pages VALUES (-9223372036854775808, 'http://a.example/', 'x y'), (-9223372036854775807, 'http://b.example/', 'x y'), (9223372036854775807, 'http://c.example/', 'x y')"
check 'the least id of all is left out' 0 '*' run least.db
equal 'and counted' 1 "$(grep -c ' 1 .*with id -2^63 (left out)' out)"
equal 'its neighbours have flags' '-9223372036854775807 2,9223372036854775807 2' "$(sqlite3 least.db "$flags")"
check 'a second run does the same' 0 '*' run least.db
exit "$failed"
