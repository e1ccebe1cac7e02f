#!/bin/bash
# wings: import
# A store whose tables are of another schema version: commands name the file and say what to do, and change nothing; after remove, the next run gives the flags of a new store.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init --quiet new.db && "$program" import --quiet new.db "$source/tests/golden/sample/crawl.jsonl" 2>err && "$program" run --quiet new.db
digest=$("$program" digest new.db)
current=$(sqlite3 new.db 'SELECT schema_version FROM twindex_state')
for version in 1 $((current - 1)) $((current + 1)) 9999; do
    rm -f s.db* && sqlite3 new.db "VACUUM INTO 's.db'" && sqlite3 s.db "UPDATE twindex_state SET schema_version = $version" && sha256sum s.db >before
    [ "$version" -gt "$current" ] && age='a newer' || age='an older'
    says="s.db was written by $age twindex (schema version $version, this one has $current): 'twindex remove' drops its signatures and flags, and 'twindex run' makes them again"
    for command in run 'run --dry-run' sign report digest groups 'groups --json' undo mirrors 'explain s.db 1' 'similar s.db 1' 'compare s.db 1 2' 'explain --json s.db 1'; do
        # shellcheck disable=SC2086 # words
        case $command in *s.db*) refuses "schema $version: $command" 65 "$says" $command ;; *) refuses "schema $version: $command" 65 "$says" $command s.db ;; esac
    done
    for command in check doctor; do
        check "schema $version: $command" 1 '*' $command s.db
        has 'the problem' "$says"
    done
    sha256sum --status -c before
    is $? 'nothing was changed'
    "$program" remove --quiet s.db >out 2>err && [ "$(sqlite3 s.db "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'twindex%'")" = 0 ] &&
        "$program" run --quiet s.db >out 2>err && [ "$("$program" digest s.db)" = "$digest" ]
    is $? 'after remove, a run makes the flags of a new store'
done
exit $failed
