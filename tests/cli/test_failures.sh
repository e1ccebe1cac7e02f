#!/bin/bash
# wings: import lab
# What makes commands fail that no other test asks for: each ends with its exit code and a message that says what to do.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

succeeds 'a store' published own.db "$sample"
# pages: a store of another program
pages() { rm -f pages.db* && sqlite3 pages.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT, changed INTEGER); $1"; }
pages "INSERT INTO pages SELECT value, 'http://a.example/' || value, 'some words ' || value % 3, value FROM json_each('[1,2,3,4]')"

# ---- names
check 'help of a mistyped command' 64 "*no command or topic 'gruops'; did you mean 'groups'?*" help gruops
check 'help of no command at all' 64 "*no command or topic 'xyzzyxyzzy'*" help xyzzyxyzzy
check 'no such manual page' 64 "*'xyzzyxyzzy'*" help --man xyzzyxyzzy
TWINDEX_RUN_JOB=2 check 'a mistyped variable of the environment' 0 '*TWINDEX_RUN_JOB is not a setting; did you mean TWINDEX_RUN_JOBS*' digest own.db

# ---- settings that do not fit the store
check 'a feed of triggers on a table of others' 65 '*store.feed = trigger needs twindex*own documents table*' run --set store.feed=trigger pages.db
check 'a feed of triggers with --flags' 65 '*store.feed = trigger needs*no --flags file*' run --set store.feed=trigger --flags f.db own.db
check 'a feed of a column that is not mapped' 65 '*store.feed = column needs store.changed*' run --set store.feed=column pages.db
check 'a feed of a column that is mapped' 0 '' run --quiet --set store.feed=column --set store.changed=changed pages.db
check 'too many words to ignore' 65 '*copy.ignore: more than * words*' run --set "copy.ignore=$(seq -s ' ' -f 'w%.0f' 3000)" own.db
sqlite3 own.db 'UPDATE documents SET id = id' # nothing but a queue
for n in $(seq 14); do echo "keep http://nowhere.example/$n"; done >pins.txt
check 'pins that concern no document are counted' 0 '*nowhere.example/1:*4 more*' run --set verdict.pins=pins.txt own.db

# ---- documents
rm -f ids.db && sqlite3 ids.db "CREATE TABLE pages(id, url TEXT, text TEXT); INSERT INTO pages VALUES (1, 'http://a.example/1', 'a b'), (NULL, 'http://a.example/2', 'a b'), ('x', 'not a URL', 'a b')"
check 'rows without an id and without a URL are named on request' 0 "*'not a URL' is not an absolute URL*" run -v --set run.notify_all=yes ids.db
pages "INSERT INTO pages VALUES (1, 'http://a.example/1', 'short', 1), (2, 'http://a.example/2', printf('%.*c', 1500000, 'x'), 1), (3, 'http://a.example/3', 'short', 1)"
check 'a row beyond run.row_bytes is named and left out' 0 '*2*' run --set run.row_bytes=1M pages.db
is "$(($(sqlite3 pages.db 'SELECT count(*) FROM document_flags WHERE indexable_b') != 2))" 'and the others have flags'
check 'so it is by evaluate' 0 '*2*' evaluate --detectors exact --set run.row_bytes=1M pages.db
sqlite3 pages.db "INSERT INTO pages VALUES (9, 'http://a.example/9', 'new', 1)"
check 'a document that came after the run' 0 '' explain pages.db 9
has 'is explained without flags' 'none: it was added after the last run'

# ---- files
mkdir folder
check 'a folder is no file to import' 66 '*folder is a folder: name the files in it*' import own.db folder
printf '\n\n\n' >empty.csv
check 'a file of empty lines' 65 '*empty.csv*' import own.db empty.csv
{ printf 'WARC/1.0\r\nWARC-Target-URI: http://a.example/\r\n' && yes $' goes on and on\r' | head -c 1200000; } >long.warc
check 'headers that never end' 0 '*headers are longer than a megabyte*' import own.db long.warc
printf '[{"url": "http://b.example/1", "text": "one"}, 1, [2], "x", {"url": "http://b.example/2", "text": "two \\"quoted\\" words"}]' >mixed.json
check 'what is no record in a list is named' 0 '*a JSON object is expected*' import own.db mixed.json
is "$(($(sqlite3 own.db "SELECT count(*) FROM documents WHERE url LIKE 'http://b.example/_'") != 2))" 'and the records around it are imported'
printf '\x5d\x2a\x4d\x18\xff\xff\x00\x00' >dictionary.warc.zst
check 'a zstd dictionary that is cut' 65 '*dictionary.warc.zst*' import own.db dictionary.warc.zst
head -c 300000 /dev/zero | tr '\0' ' ' >long.rules
check 'rules that are too long' 65 '*long.rules: longer than 256 KiB*' rules long.rules
for n in $(seq 10001); do echo "drop x$n .*"; done >url.rules
check 'too many rules for URLs' 65 '*url.rules*' run --set url.rules=url.rules own.db
check 'no query' 64 '*QUERY or --queries FILE is missing*' search own.db
TMPDIR=/nonexistent check 'a dry run without a folder for its scratch file' 73 '*scratch file /nonexistent/*set TMPDIR*' run --dry-run own.db

# ---- evaluate
check 'a detector that does not exist' 64 "*no detector 'minhsh'; did you mean minhash?*" evaluate --detectors minhsh own.db
check 'a name that is like none' 64 "*no detector 'xyzzyxyzzy': 'twindex detectors' lists them*" evaluate --detectors xyzzyxyzzy own.db

exit $failed
