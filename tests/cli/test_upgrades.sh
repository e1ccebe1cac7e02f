#!/bin/bash
# wings: import cluster
# Stores of every earlier schema of Twindex's tables: commands that read work on them and change nothing; the next run brings them up to date, with the flags that a
# new store gets; and they can be removed. An old store is made with the scripts of sql/schema.sql, which are never edited after a release, from the results of this program.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init --quiet new.db && "$program" import --quiet new.db "$source/tests/golden/sample/crawl.jsonl" 2>err && "$program" run --quiet new.db
digest=$("$program" digest new.db)
current=$(sqlite3 new.db 'SELECT schema_version FROM twindex_state')
# the scripts in the order of the versions they lead to, as store/migrate.c has them
mapfile -t steps < <(sed -n '/SCRIPTS\[TWX_SCHEMA_SCRIPTS\]/,/};/p' "$source/src/store/migrate.c" | grep -o 'TWX_SQL_SCHEMA_[0-9A-Z_]*' | sed 's/TWX_SQL_SCHEMA_//' | tr '[:upper:]' '[:lower:]')
[ ${#steps[@]} -ge 4 ] && [ "$current" -ge ${#steps[@]} ]
is $? "the schema has version $current, ${#steps[@]} of which are scripts"
columns() { sqlite3 "$1" "SELECT group_concat(name, ', ') FROM pragma_table_info('$2')"; }

# make_old VERSION: old.db has the documents of new.db and its results, as far as the schema of that version has room for them
make_old() {
    local table shared other
    rm -f old.db*
    for step in 0001_documents 0009_headings 0016_names 0017_main_parts "${steps[@]:0:$1}"; do
        awk -v name="$step" '/^-- name: / { on = $3 == name } on' "$source/sql/schema.sql" | sqlite3 -bail old.db
    done
    for table in documents twindex_run; do
        shared=$(columns old.db $table)
        sqlite3 -bail old.db "ATTACH 'new.db' AS new; INSERT INTO main.$table($shared) SELECT $shared FROM new.$table"
    done
    if [ "$1" -lt 6 ]; then # later ones are packed
        PYTHONPATH=$source/tests/support python3 -c 'import sqlite3, stored_signatures as s; s.old_rows(sqlite3.connect("new.db"), sqlite3.connect("old.db"))'
    else
        sqlite3 -bail old.db "ATTACH 'new.db' AS new; INSERT INTO twindex_fingerprint SELECT * FROM new.twindex_fingerprint; INSERT INTO twindex_signature SELECT * FROM new.twindex_signature"
        # those of version 6, which coded the URL in the facts, are not read, and were made with another fingerprint
        [ "$1" -gt 6 ] || sqlite3 -bail old.db "UPDATE twindex_signature SET keys = 0, facts = x'21'"
    fi
    # two tables up to version 4, then one
    for table in twindex_flag_a twindex_flag_b twindex_flag; do
        shared=$(columns old.db $table)
        case $table in *_a) other=2 ;; *_b) other=1 ;; *) other=3 ;; esac
        [ -z "$shared" ] || sqlite3 -bail old.db "ATTACH 'new.db' AS new; INSERT INTO main.$table($shared) SELECT $shared FROM new.twindex_flag WHERE only_in <> $other"
    done
    # the queue is that of a store after a run; its views name columns of that version only
    sqlite3 -bail old.db "ATTACH 'new.db' AS new; DELETE FROM twindex_change;
        UPDATE twindex_state SET (generation, run_a, run_b, token, fingerprint, id_kind) = (SELECT generation, run_a, run_b, token, fingerprint, id_kind FROM new.twindex_state)"
    [ "$1" -ne 6 ] || sqlite3 -bail old.db 'UPDATE twindex_state SET fingerprint = fingerprint + 1; UPDATE twindex_fingerprint SET fingerprint = fingerprint + 1'
    sqlite3 -bail old.db "CREATE VIEW document_flags AS SELECT doc AS id, exact_count FROM $([ "$1" -lt 5 ] && echo "twindex_flag_$(sqlite3 new.db 'SELECT generation FROM twindex_state')" || echo twindex_flag)"
    [ "$(sqlite3 old.db 'SELECT schema_version FROM twindex_state')" = "$1" ]
}

for version in $(seq ${#steps[@]}); do
    make_old "$version" 2>err
    is $? "a store of schema $version"
    sha256sum old.db >before
    wrong=
    for command in check doctor report groups 'explain old.db 1' 'groups --detector exact' digest 'similar old.db 1' 'compare old.db 1 2' 'run --dry-run' 'remove --dry-run'; do
        # shellcheck disable=SC2086 # words
        case $command in *old.db*) "$program" $command ;; *) "$program" $command old.db ;; esac >out 2>err
        result=$?
        case $version$command in # what reads signatures says which command makes them again
        6explain*) [ $result = 65 ] && grep -q "the signature of a document is missing: 'twindex run' makes it again" err ;;
        6report) [ $result = 65 ] && grep -q "of another version of Twindex: 'twindex run --full' writes it again" err ;;
        *) [ $result -le 1 ] ;;
        esac || wrong+=" ${command%% *}: $result $(<err)"
    done
    equal "commands that read work on schema $version" '' "$wrong"
    sha256sum --status -c before
    is $? "they do not change a store of schema $version"
    cp old.db removed.db && "$program" remove --quiet removed.db >out 2>err && [ "$(sqlite3 removed.db "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'twindex%'")" = 0 ]
    is $? "everything can be removed from schema $version"
    "$program" run --quiet old.db >out 2>err && [ "$(sqlite3 old.db 'SELECT schema_version FROM twindex_state')" = "$current" ] && [ "$("$program" digest old.db)" = "$digest" ]
    is $? "a run brings schema $version up to date, with the flags of a new store"
    "$program" run old.db >out 2>err && grep -q 'nothing changed' out && "$program" run --quiet --verify old.db >out 2>err
    is $? "the next run finds nothing to do"
    "$program" run --quiet --full old.db >out 2>err && [ "$("$program" digest old.db)" = "$digest" ] &&
        [ "$(sqlite3 old.db "SELECT count(*) FROM twindex_signature WHERE keys IS NOT 1")" = 0 ]
    is $? 'run --full packs all signatures'
    [ "$(columns old.db twindex_flag)" = "$(columns new.db twindex_flag)" ] && [ "$(columns old.db flagged_documents)" = "$(columns new.db flagged_documents)" ]
    is $? "its tables and views are those of a new store"
done

# ---- no result of an earlier version says whether the flags were judged from the stored signatures
make_old 3
"$program" run old.db >out 2>err && grep -q 'group and judge' out && "$program" run old.db >out 2>err && ! grep -q 'group and judge' out
is $? 'the first run after schema 3 judges, the second one need not'

# ---- the other direction
sqlite3 new.db "UPDATE twindex_state SET schema_version = $((current + 1))" && sha256sum new.db >before
refuses 'a store that a newer twindex has written' 65 "was written by a newer twindex (schema $((current + 1)), this one knows $current)" run new.db
sha256sum --status -c before
is $? 'it is not changed'
"$program" remove --quiet new.db >out 2>err && "$program" run --quiet new.db >out 2>err && [ "$("$program" digest new.db)" = "$digest" ]
is $? 'after remove this version makes its own'
exit $failed
