#!/bin/bash
# More documents change between two runs than the change queue gives at once: none is forgotten, and the flags are those of a store
# that was made as it is now.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# fill STORE FIRST LAST EVERY: pages of one host each; those whose numbers leave the same rest when divided by EVERY have equal texts
fill() {
    sqlite3 "$1" "WITH RECURSIVE n(i) AS (SELECT $2 UNION ALL SELECT i + 1 FROM n WHERE i < $3)
        INSERT OR REPLACE INTO $table(id, url, $text) SELECT i, 'http://host' || i || '.example/', 'a text of its own, which has the number ' || (i % $4) FROM n"
}
# flags STORE: all of them
flags() { sqlite3 "$1" "SELECT * FROM document_flags ORDER BY 1"; }

for table in documents pages rows; do
    text=content
    case $table in
    documents) text=text what="documents of twindex's own table" ;; # the only one with a queue of changes
    pages) key='id INTEGER PRIMARY KEY' what='rows with an id' ;;
    rows) key='id TEXT PRIMARY KEY' what='rows with a name' ;; # read as a whole by each run
    esac
    for store in old new; do
        if [ $table = documents ]; then "$program" init "$store.$table" >out
        else sqlite3 "$store.$table" "CREATE TABLE $table($key, url TEXT, content TEXT)"; fi
    done
    fill "old.$table" 1 4500 4500 && "$program" run --quiet "old.$table" >out 2>err
    is $? "$what: the first run"
    before=$(flags "old.$table" | sha256sum)
    fill "old.$table" 1 3500 700
    sqlite3 "old.$table" "DELETE FROM $table WHERE CAST(id AS INTEGER) BETWEEN 1200 AND 2600"
    fill "old.$table" 5000 7300 1100
    check "$what: most of them have changed" 0 '*' run --quiet --force "old.$table"
    fill "new.$table" 3501 4500 4500
    fill "new.$table" 1 1199 700
    fill "new.$table" 2601 3500 700
    fill "new.$table" 5000 7300 1100
    "$program" run --quiet "new.$table" >out 2>err && flags "old.$table" >out && flags "new.$table" >err && cmp out err
    is $? "$what: the flags of a store that was made so"
    equal "$what: each document has flags" 5400 "$(wc -l <out)"
    succeeds "$what: others than before" [ "$before" != "$(sha256sum <out)" ]
done

exit $failed
