#!/bin/bash
# wings: import
# A store whose tables are of another schema version: commands name the file and say what to do, and change nothing; after remove, the next run gives the flags of a new store.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init --quiet new.db && "$program" import --quiet new.db "$source/tests/golden/sample/crawl.jsonl" 2>err && "$program" run --quiet new.db
digest=$("$program" digest new.db)
current=$(sqlite3 new.db 'SELECT schema_version FROM twindex_state')
for version in 1 7 $((current + 1)) 9999; do
    rm -f s.db* && sqlite3 new.db "VACUUM INTO 's.db'" && sqlite3 s.db "UPDATE twindex_state SET schema_version = $version" && sha256sum s.db >before
    [ "$version" -gt "$current" ] && age='a newer' first='use that one; or ' || age='an older' first=
    says="s.db was written by $age twindex (schema version $version, this one has $current): $first'twindex remove' drops its signatures and flags, and 'twindex run' makes them again; for imports, 'twindex init' makes its change queue again"
    for command in run 'run --dry-run' sign report digest groups 'groups --json' undo mirrors 'explain s.db 1' 'similar s.db 1' 'compare s.db 1 2' 'explain --json s.db 1'; do
        # shellcheck disable=SC2086 # words
        case $command in *s.db*) refuses "schema $version: $command" 65 "$says" $command ;; *) refuses "schema $version: $command" 65 "$says" $command s.db ;; esac
    done
    for command in check doctor; do
        check "schema $version: $command" 1 '*' $command s.db
        has 'the problem' "$says"
    done
    succeeds 'nothing was changed' sha256sum --status -c before
    "$program" remove --quiet s.db >out 2>err && [ "$(sqlite3 s.db "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'twindex%'")" = 0 ] &&
        "$program" run --quiet s.db >out 2>err && [ "$("$program" digest s.db)" = "$digest" ]
    is $? 'after remove, a run makes the flags of a new store'
done

# a store of the first release, 8, has no columns of editions, classes of pages and parameters; up to 11, rows state the numbers of large groups themselves
columns=$(sqlite3 new.db "SELECT group_concat(name, ' ') FROM pragma_table_info('twindex_flag') WHERE name LIKE 'edition%' OR name LIKE 'parameters%' OR name = 'page_class'")
age() { # VERSION COLUMNS: makes s.db of new.db
    rm -f s.db* && sqlite3 new.db "VACUUM INTO 's.db'" && {
        stated() { echo "(SELECT value FROM twindex_group_count AS z WHERE flag = '$1' AND z.rep = $2)"; }
        echo "UPDATE twindex_flag SET sibling_count = $(stated sibling_count near_rep) WHERE near_count = 0;"
        for column in $(sqlite3 new.db "SELECT DISTINCT flag FROM twindex_group_count WHERE flag <> 'sibling_count'"); do
            [ "$column" = cluster_count ] && rep='coalesce(duplicate_of, doc)' || rep=${column%_count}_rep
            echo "UPDATE twindex_flag SET $column = $(stated "$column" "$rep") WHERE $column = 0;"
        done
        for view in document_alternates duplicate_groups twindex_group_member flagged_documents document_flags; do echo "DROP VIEW $view;"; done
        for column in $2; do echo "ALTER TABLE twindex_flag DROP COLUMN $column;"; done
        echo "DROP TABLE twindex_group_count; UPDATE twindex_state SET schema_version = $1;"
    } | sqlite3 -bail s.db
}
for i in $(seq 40); do echo "{\"url\": \"http://a.example/$i\", \"text\": \"A page of many words that forty pages have in common, one after the other, without an end\"}"; done >many.jsonl
"$program" import --quiet new.db many.jsonl 2>err && "$program" run --quiet new.db 2>err && sqlite3 new.db "UPDATE documents SET title = 'another title' WHERE id = 1" && "$program" run --quiet new.db 2>err # so both generations share the rows of the group
digest=$("$program" digest new.db) many=$(sqlite3 new.db "SELECT count(DISTINCT flag) FROM twindex_group_count WHERE flag = 'exact_count' AND value = 40")
got 'a large group' "$many" 1
for version in 8 11; do
    [ $version = 8 ] && age 8 "$columns" || age 11 ''
    refuses "schema $version: what only reads" 65 "'twindex run' brings it up to date" report s.db
    equal "schema $version: a run adds what it lacks" "$digest" "$("$program" run --quiet s.db >out 2>err && "$program" digest s.db)"
    sqlite3 s.db "DELETE FROM documents WHERE url = 'http://a.example/40'" && "$program" run --quiet s.db >out 2>err
    got "schema $version: as the group changes, its rows no longer state its number" "$(sqlite3 s.db "SELECT min(exact_count), max(exact_count) FROM twindex_flag WHERE only_in <> (SELECT iif(generation = 'a', 2, 1) FROM twindex_state) AND exact_count IS NOT NULL AND doc IN (SELECT id FROM documents WHERE url LIKE 'http://a.example/%')")" '0|0'
    check "schema $version: and the flags are right" 0 '*' run --verify --quiet s.db
done

# what remove also drops is said where it is there: links of pages come back with an import alone; of a store of another program there is no change queue
echo '{"url": "http://a.example/", "html": "<a href=http://b.example/>b</a>"}' >linked.jsonl
"$program" init --quiet linked.db && "$program" import --quiet --links linked.db linked.jsonl 2>err && "$program" run --quiet linked.db && sqlite3 linked.db 'UPDATE twindex_state SET schema_version = 1'
refuses 'links' 65 "flags, also its links, and 'twindex run' makes them again; for imports, 'twindex init' makes its change queue again, and only an import its links" run linked.db
"$program" remove --quiet linked.db && "$program" run --quiet linked.db && "$program" init --quiet linked.db && "$program" import --quiet --links linked.db linked.jsonl 2>err
got 'so it is' "$(sqlite3 linked.db 'SELECT to_url FROM twindex_link')" http://b.example/
sqlite3 other.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT); INSERT INTO pages VALUES (1, 'http://a.example/', 'a text')"
"$program" run --quiet other.db 2>err && sqlite3 other.db 'UPDATE twindex_state SET schema_version = 1'
refuses 'a store of another program' 65 "and 'twindex run' makes them again" run other.db
lacks 'needs no init' 'init\|links' err
exit $failed
