#!/bin/bash
# wings: lab
# Several stores in one run: flags in each as in one store with all documents, whatever the order and the names; stores that are
# missing, locked, broken or named twice; runs that are killed between two commits; a store that is run alone again.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# make FILE FIRST-ID STEP...: a crawler's table; documents of one number have one text in all stores
make() {
    rm -f "$1"*
    sqlite3 "$1" "PRAGMA journal_mode=WAL; CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, status TEXT, content TEXT);
        WITH RECURSIVE n(i) AS (SELECT $2 UNION ALL SELECT i + $3 FROM n WHERE i + $3 < 100)
        INSERT INTO pages SELECT i, 'https://' || CASE WHEN i % 4 THEN 'a' ELSE 'b' END || '.example/' || i, '200',
        'the text of page ' || (i % 31) || ' has words ' || ((i % 31) * 7919) || ' of its own ' || ((i % 31) * 104729) FROM n" >/dev/null
}
# flags STORE...: the flags of all documents, with the ids of representatives
flags() {
    for store in "$@"; do sqlite3 "$store" "SELECT id, duplicate_of, exact_signature_copycount_i, representative_b FROM document_flags"; done | sort -n
}
# others STORE...: the documents of other stores that the published flags of each refer to
others() {
    for store in "$@"; do sqlite3 "$store" "SELECT '$store', shard, id, url FROM twindex_remote WHERE generation = (SELECT generation FROM twindex_state) ORDER BY doc"; done
}
# journal STORE: the number of published runs, and whether the last one has ended
journal() { sqlite3 "$1" "SELECT count(*) FROM twindex_run WHERE state = 'published'"; }
stores() {
    make one.db 0 1 && make a.db 0 3 && make b.db 1 3 && make c.db 2 3
}
run="run --accept-mapping --quiet"

stores
# shellcheck disable=SC2086 # options
{
    "$program" $run one.db && "$program" $run c.db a.db b.db
} 2>err
is $? 'three stores in one run'
equal 'the flags are those of one store' "$(flags one.db)" "$(flags a.db b.db c.db)"
equal 'digests add up' "$("$program" digest one.db)" "$("$program" digest b.db c.db a.db)"
for id in 1 2; do
    rm -f "p$id.db"* && sqlite3 "p$id.db" "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, content TEXT); INSERT INTO pages VALUES ($id, 'https://a.example/', 'a text')" &&
        "$program" run --accept-mapping --quiet "p$id.db" 2>err && "$program" digest "p$id.db" >"digest$id"
done
[ "$(cut -c 1-16 digest1)" != "$(cut -c 1-16 digest2)" ] && [ "$(cut -c 17-32 digest1)" != "$(cut -c 17-32 digest2)" ]
is $? 'stores of other documents differ in both halves of their digests'
equal 'a representative in another store is named with it' '64|2|c.db' "$(sqlite3 b.db "SELECT id, duplicate_of, coalesce(duplicate_of_shard, 'b.db') FROM document_flags WHERE id = 64")"
equal 'its store, id and URL are kept' 'c.db|2|https://a.example/2' "$(sqlite3 b.db "SELECT shard, id, url FROM twindex_remote WHERE id = 2 AND generation = (SELECT generation FROM twindex_state)")"
kept=$(others a.db b.db c.db)
got 'groups belong to the store of their representative' "$(for s in a b c; do sqlite3 $s.db "SELECT detector || representative FROM duplicate_groups"; done | sort)" "$(sqlite3 one.db 'SELECT detector || representative FROM duplicate_groups' | sort)"
prints 'a second run writes nothing, in any order' 'nothing changed' run a.db c.db b.db --accept-mapping
got 'the mapping of each store is reported with its name' "$(grep -c '[abc]\.db: mapping chosen by the usual names:' err)" 3
check '--verify finds the same flags' 0 '*' run a.db b.db c.db --accept-mapping --verify
"$program" run a.db b.db c.db --accept-mapping --full >out 2>err
has 'a line for each store' 'b.db 33 0 23 33'

# open files
(ulimit -S -n 16 && "$program" run a.db b.db c.db --accept-mapping >out 2>err) && grep -q 'nothing changed' out
is $? 'the soft limit of open files is raised to the hard one'
(ulimit -n 16 && "$program" run a.db b.db c.db --accept-mapping >out 2>err)
[[ $? == 66 && $(<err) == *'too many files are open (ulimit -n)'* ]]
is $? 'the hard limit is named'

# names in a file
printf '# the collection\n\n  a.db  \nb.db\r\n\tc.db\n' >stores.txt
prints '@FILE with blank lines and comments' 'a.db and 2 more stores: nothing changed' run --accept-mapping @stores.txt
: >empty.txt
refuses '@FILE without a name' 64 'names no store' run @empty.txt
refuses '@FILE that is missing' 64 '@missing.txt: the file of stores cannot be read' run @missing.txt
refuses '@FILE that is a folder' 64 '@.: the file of stores cannot be read: Is a directory' run @.
refuses 'several stores for a command that takes one' 64 '3 stores are named, but this command works on one' undo @stores.txt

# what is wrong with a store
ln -s a.db link.db && ln b.db hard.db
refuses 'a store named twice' 64 'a.db and a.db are the same file' run a.db b.db a.db
refuses 'by a symbolic link' 64 'are the same file: name each store once' run a.db link.db
refuses 'the first one that is named twice' 64 'b.db and b.db are the same file' run c.db b.db a.db b.db a.db
refuses 'by a hard link' 64 'are the same file: name each store once' run hard.db b.db
rm link.db hard.db
mkdir many && (cd many && seq -f %g.db 20000 | xargs touch) && ls -d many/* >many.txt && echo many/7.db >>many.txt
timeout 60 "$program" run --quiet @many.txt >out 2>err
[ $? = 64 ] && grep -q 'many/7.db and many/7.db are the same file' err
is $? 'and among 20 000 stores, which are not compared pairwise'
rm -r many
refuses '--flags' 64 '--flags f.db: one file cannot hold the flags of several stores' run --flags f.db a.db b.db
refuses '--rules' 64 'name only one' run --dry-run --rules /dev/null a.db b.db
before=$(sha256sum a.db b.db)
check 'a missing store' 66 '*none.db: no such store*' run --accept-mapping a.db none.db b.db
equal 'nothing was written' "$before" "$(sha256sum a.db b.db)"
head -c 30000 /dev/urandom >broken.db
check 'a broken store' 65 '*broken.db*' run --accept-mapping a.db b.db broken.db
equal 'nothing was published' '1 1' "$(journal a.db) $(journal b.db)"
check '--skip-broken leaves it out' 1 '*warning: none.db is left out: none.db: no such store*' run --accept-mapping --skip-broken a.db b.db none.db
cp out summary && grep -q 'left out: none.db' summary
is $? 'the summary says it'
check 'a detector with statistics of one store' 65 '*statistics of the whole collection*' run --accept-mapping --set near.detector=imatch a.db b.db

# locked: the other run holds one of three
stores
exec 8>>c.db-twindex-lock && flock 8
check 'a locked store' 75 '*c.db*' run --accept-mapping a.db b.db c.db
equal 'nothing was published' '' "$(sqlite3 a.db "SELECT name FROM sqlite_schema WHERE name = 'document_flags'")"
check '--skip-broken leaves it out, too' 1 '*c.db is left out*' run --accept-mapping --skip-broken a.db b.db c.db
exec 8>&-
# shellcheck disable=SC2086
{
    "$program" $run one.db && "$program" $run a.db b.db c.db
} 2>err
equal 'the next run has all' "$(flags one.db)" "$(flags a.db b.db c.db)"

# an interrupted collection: one store has an older result, as after a kill between two commits
for s in a b c; do sqlite3 $s.db "UPDATE pages SET content = 'one text for all of these pages, in words' WHERE id > 90" && cp $s.db old-$s.db; done
sqlite3 one.db "UPDATE pages SET content = 'one text for all of these pages, in words' WHERE id > 90"
# shellcheck disable=SC2086
{
    "$program" $run one.db && "$program" $run a.db b.db c.db
} 2>err
equal 'changed documents' "$(flags one.db)" "$(flags a.db b.db c.db)"
rm -f c.db c.db-wal c.db-shm && mv old-c.db c.db
# shellcheck disable=SC2086
"$program" $run a.db b.db c.db 2>err
equal 'a store of an earlier run gets the flags' "$(flags one.db)" "$(flags a.db b.db c.db)"

# the same without a document of the store that has changed
cp c.db old-c.db
for s in a one; do sqlite3 $s.db "UPDATE pages SET content = 'the first page has another text' WHERE id = 0"; done
# shellcheck disable=SC2086
{
    "$program" $run one.db && "$program" $run a.db b.db c.db
} 2>err
equal 'a representative has changed' "$(flags one.db)" "$(flags a.db b.db c.db)"
rm -f c.db c.db-wal c.db-shm && mv old-c.db c.db
# shellcheck disable=SC2086
"$program" $run a.db b.db c.db 2>err
equal 'a store of an earlier run gets the flags, although no document has changed' "$(flags one.db)" "$(flags a.db b.db c.db)"

# names: a store that is moved keeps its name; two files of one name are told apart by their directories
mkdir -p x y && mv a.db x/new.db && mv b.db y/
# shellcheck disable=SC2086
"$program" $run x/new.db y/b.db c.db 2>err
got 'a moved store keeps its name' "$(sqlite3 x/new.db 'SELECT shard FROM twindex_collection')" a.db
mkdir -p p q && make p/index.db 0 2 && make q/index.db 1 2
# shellcheck disable=SC2086
"$program" $run p/index.db q/index.db 2>err
got 'names tell files of one name apart' "$(for d in p q; do sqlite3 $d/index.db 'SELECT shard FROM twindex_collection'; done | xargs)" 'p/index.db q/index.db'
equal 'their flags' "$(sqlite3 one.db 'SELECT count(*) FROM document_flags')" "$(flags p/index.db q/index.db | wc -l)"
mkdir r && cp q/index.db r/
check 'a copy of a store' 65 '*another store of this run has its name too*' run --accept-mapping p/index.db q/index.db r/index.db
echo 'run.jobs = 1' >p/twindex.conf
check 'one configuration for all' 64 '*name the configuration of all with --config*' run --accept-mapping p/index.db q/index.db

# alone again: no representative in another store is left
"$program" run --accept-mapping c.db >out 2>err && [[ $(head -n 1 out) == 'c.db: published' ]]
is $? 'a summary begins with the name of the store'
got 'a store that is run alone again' "$(sqlite3 c.db 'SELECT count(duplicate_of_shard) FROM document_flags')" 0
got 'views of a store that is run alone' "$(sqlite3 c.db "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND instr(sql, 'twindex_remote')")" 0
sqlite3 c.db "UPDATE pages SET id = -4611686018427387904 WHERE id = 2"
check 'an id in the range of other stores' 65 '*the id -4611686018427387904 is not possible in a run over several stores*' run --accept-mapping x/new.db y/b.db c.db

# dry run
for store in first second; do
    sqlite3 $store.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, content);
        INSERT INTO pages VALUES (1, 'http://$store.example/', 'the text that both stores have'), (2, 'http://$store.example/2', 'Ein Text für $store')"
done
prints 'a dry run of stores without flags names the store of a representative' ' -> http://first.example/ in first.db (' run --dry-run --list --accept-mapping first.db second.db
"$program" run --accept-mapping --metrics metrics first.db second.db >out 2>err
equal 'the metrics have the bytes of the texts of all stores' "$(sqlite3 first.db "ATTACH 'second.db' AS b; SELECT sum(length(CAST(content AS BLOB))) FROM (SELECT content FROM pages UNION ALL SELECT content FROM b.pages)")" "$(sed -n 's/^twindex_signed_text_bytes.* //p' metrics)"
prints 'a dry run of several stores' 'dry run, nothing was written' run --dry-run --list --accept-mapping x/new.db y/b.db
grep -qE 'https://[ab].example/[0-9]+ in (a|b).db' out && ! grep -q 'not in the store' out
is $? 'it names the store of a representative, and finds each of them'
"$program" run --json --accept-mapping x/new.db y/b.db >out 2>err
holds '[s["documents"] for s in d["stores"]] == [34, 33]' 'the summary as JSON has a line for each store'
"$program" run --json --full --accept-mapping x/new.db y/b.db >out 2>err
equal 'counts of bytes are added' "$(for s in x/new.db y/b.db; do sqlite3 $s 'SELECT sum(length(CAST(content AS BLOB))) FROM pages'; done | jq -s add)" "$(jq .text_bytes out)"
got 'run -1 stores in the ledger' "$(sqlite3 y/b.db "SELECT json_array_length(json_extract(summary, '\$.stores')) FROM twindex_run ORDER BY run DESC LIMIT 1")" 2

# pins are those of the whole collection: a document that is pinned in one store represents those of the others
stores
printf 'prefer https://b.example/64\nkeep https://a.example/2\n' >pins.txt
# shellcheck disable=SC2086
{
    "$program" $run --set verdict.pins=pins.txt one.db && "$program" $run --set verdict.pins=pins.txt c.db a.db b.db
} 2>err
equal 'pins: the flags are those of one store' "$(flags one.db)" "$(flags a.db b.db c.db)"
equal 'a pinned document represents those of other stores' '33|64|b.db' "$(sqlite3 a.db 'SELECT id, duplicate_of, duplicate_of_shard FROM document_flags WHERE id = 33')"
equal 'a document that is kept is no duplicate' '2||1' "$(sqlite3 c.db 'SELECT id, duplicate_of, representative_b FROM document_flags WHERE id = 2')"
"$program" explain --set verdict.pins=pins.txt --set store.accept_mapping=yes a.db b.db c.db 33 >out 2>err
has 'explain names the pin' '64 https://b.example/64 in b.db (preferred by a pin)'

# guards look at the whole collection: hosts lose documents only if all stores together do
stores
guard="--set guard.min_documents=20"
# shellcheck disable=SC2086
"$program" $run $guard a.db b.db c.db 2>err
sqlite3 a.db "DELETE FROM pages WHERE id > 9"
# shellcheck disable=SC2086
check 'a store that loses most of its documents, of few of the collection' 0 '*' $run $guard a.db b.db c.db
sqlite3 b.db "UPDATE pages SET status = '503'" && sqlite3 c.db "UPDATE pages SET status = '503' WHERE id > 9"
check 'the collection loses most of its documents' 3 '*a.db and 2 more stores: a guard stopped the run (*' run --accept-mapping $guard a.db b.db c.db
equal 'nothing was published anywhere' '2 2 2' "$(journal a.db) $(journal b.db) $(journal c.db)"
check '--force publishes it' 0 '*status is never 200*' run --accept-mapping --quiet --force $guard a.db b.db c.db
equal 'everywhere' '3 3 3' "$(journal a.db) $(journal b.db) $(journal c.db)"
stores
for s in a b c; do sqlite3 $s.db "UPDATE pages SET content = 'one text'"; done
check 'a host would lose all but one of its documents, over all stores' 3 '*a guard stopped the run*' run --accept-mapping $guard --set guard.max_hidden=0.95 a.db b.db c.db
check 'a group would be too large over all stores' 3 '*a guard stopped the run*' run --accept-mapping --set guard.max_group=50 a.db b.db c.db

# a row in each transaction
stores
"$program" run --accept-mapping --quiet --set run.batch_rows=1 --set run.pause_ms=0 c.db a.db b.db 2>err
equal 'small transactions write the same documents of other stores' "$kept" "$(others a.db b.db c.db)"

# a store that was run alone is no longer a part of the result, although no document has changed
for alone in a b c; do
    stores
    # shellcheck disable=SC2086
    "$program" $run a.db b.db c.db 2>err
    together=$(flags a.db b.db c.db)
    # shellcheck disable=SC2086
    {
        "$program" $run --force $alone.db && "$program" $run --force a.db b.db c.db
    } 2>err
    equal "all stores after a run of $alone.db alone" "$together" "$(flags a.db b.db c.db)"
done

# what does not stay as it was written is not published
stores
# shellcheck disable=SC2086
"$program" $run a.db b.db c.db 2>err
sqlite3 b.db "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'id         NOT NULL', 'id TEXT NOT NULL') WHERE name = 'twindex_remote'"
sqlite3 b.db "UPDATE pages SET content = 'the text of page ' || (id % 5) || ' has words ' || ((id % 5) * 7919) || ' of its own ' || ((id % 5) * 104729)"
check 'a table of other documents that changes ids' 65 '*b.db: flags of document number -* were read back differently: nothing was published*' run --accept-mapping --full --no-check a.db b.db c.db

# ids that are not integers
for store in r s; do
    sqlite3 $store.db "CREATE TABLE pages(id REAL PRIMARY KEY NOT NULL, url TEXT, content TEXT);
        INSERT INTO pages VALUES (0.5, 'https://$store.example/1', 'one text for all'), (1.5, 'https://$store.example/2', 'another text')"
done
# shellcheck disable=SC2086
check 'real numbers as ids' 0 '*' $run --force r.db s.db
"$program" run --accept-mapping --full --json r.db s.db >out 2>err
holds '(d["read"], [s["read"] for s in d["stores"]]) == (4, [2, 2])' 'what was read is counted'
got 'a representative with such an id' "$(sqlite3 s.db 'SELECT id, duplicate_of, duplicate_of_shard FROM document_flags ORDER BY id')" '0.5|0.5|r.db
1.5|1.5|r.db'

exit $failed
