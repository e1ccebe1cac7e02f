#!/usr/bin/env bash
# wings: import
# What the commands of every day print on the sample crawl, on a terminal of 80 columns and into a pipe, is what tests/golden/output
# has; nothing is wider than the terminal, and what no two runs have in common is replaced. A link (OSC 8) is [URL[text]].
# TWINDEX_GOLDEN=write writes the files: look at what changed in them.
write=${TWINDEX_GOLDEN:-}
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
golden=$source/tests/golden/output
export TERM=xterm

plain() { # progress lines are left out, and what no two runs have in common is replaced or, at the end of a run, left out
    sed -E $'s/\r$//; s/.*\033\\[K//; s/\033\\]8;;\033\\\\/]]/g; s/\033\\]8;;([!-~]*)\033\\\\/[\\1[/g' | sed -E '/^stages:/,$d; s/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{5,8}(Z| UTC)?/DATE/g; s/[0-9]+\.[0-9]{2} s\b/N s/g; s/ +[0-9]+\.[0-9]{2}  seconds/      N  seconds/'
}

# golden NAME ARGUMENT...: the store may be changed by the command, so each output has a store of its own
golden() {
    local name=$1 kind
    shift
    for kind in terminal pipe; do
        rm -f s.db* && sqlite3 "$store" ".backup s.db"
        if [ $kind = terminal ]; then
            python3 "$source/tests/cli/in_terminal.py" 80 "$program" "$@" </dev/null 2>&1 | plain >out
            [[ $name == *-csv ]] || [ "$(grep -v '^twindex ' out | sed -E 's/\[https?:[^[]*\[([^]]*)\]\]/\1/g' | LC_ALL=C.UTF-8 wc -L)" -le 80 ]
            is $? "$name: nothing but messages and CSV is wider than 80 columns"
        else
            "$program" "$@" </dev/null 2>&1 | plain >out
        fi
        [ -z "$write" ] || cp out "$golden/$name.$kind"
        diff "$golden/$name.$kind" out >err
        is $? "$name: $kind"
    done
}

"$program" init --quiet new.db && "$program" import --quiet new.db "$source/tests/golden/sample/crawl.jsonl" 2>err
cp new.db run.db && "$program" run --quiet run.db && "$program" index --quiet run.db
cp run.db two.db && sqlite3 two.db "UPDATE documents SET text = text || ' A new line.' WHERE id IN (2, 44)" && "$program" run --quiet --set verdict.relations='scheme www exact' two.db
is $? 'the stores are made'

while IFS=$'\t' read -r name store arguments; do
    eval "golden $name $arguments" </dev/null # quoted as for a shell
done < <(grep -v '^#' "$golden/commands.tsv")
exit $failed
