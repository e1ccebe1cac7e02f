#!/bin/bash
# Dependencies point one way: each #include "folder/..." is one that layers.txt allows, layers.txt has no cycle and
# agrees with CMakeLists.txt, sqlite3.h is seen by src/store (and src/text/terms.c, for types) and sqlite3ext.h by src/ext; a room has one
# header for others, ROOM.h, and at most one for itself, internal.h, which no other room includes; and no two other files of src/ have the same name.
. "$(dirname "$0")/common.sh"
cd "$root"

wings=$(ls src/wings | paste -sd'|')
found=$(
    mapfile -t files < <(find src -name '*.[ch]' | sort)
    awk -f scripts/strip-c.awk "${files[@]}" | awk -v wings="^($wings)\$" '
        FILENAME ~ /layers.txt$/ {
            if (/^#/ || NF == 0) next
            folder = $1; sub(/:$/, "", folder)
            for (i = 2; i <= NF; i++) {
                if (!($i in known)) print "scripts/layers.txt: " folder " names " $i ", which is not above it"
                may[folder, $i] = 1
            }
            for (i = 2; i <= NF; i++) if ($i ~ wings) print "scripts/layers.txt: " folder " names the wing " $i
            known[folder] = may[folder, folder] = 1
            next
        }
        !/#[ \t]*include/ { next }
        {
            split($0, at, ":")
            path = at[1]; sub(/^src\/(include\/|wings\/)?/, "", path)
            folder = path; sub(/\/.*/, "", folder)
            if (!(folder in known)) print at[1] ": folder " folder " is not in scripts/layers.txt"
            if (/<sqlite3\.h>/ && folder != "store" && at[1] !~ "src/text/terms.c$") print at[1] ":" at[2] ": sqlite3.h outside src/store"
            if (/<sqlite3ext\.h>/ && folder != "ext") print at[1] ":" at[2] ": sqlite3ext.h outside src/ext"
            if (!match($0, /"[^"]*"/)) next
            header = substr($0, RSTART + 1, RLENGTH - 2)
            other = header; sub(/\/.*/, "", other)
            if (header == "rows.h") next # made from *.rows
            if (header == "setting_rows.h" && (folder == "run" || path ~ /\/settings_/)) next # made from settings.tsv and settings_*.tsv
            if (header == "option_rows.h" && (folder == "cli" || path ~ /\/command_/)) next # made from options.tsv and command_*.tsv
            if (header == "function_rows.h" && (folder == "ext" || path ~ /\/ext_/)) next # made from functions.tsv and ext_*.tsv
            if (header == "work_tables.h" && folder == "cluster") next # made from work_tables.tsv
            if (header == "sql_text.h" && (folder == "store" || folder == "ext" || folder == "cluster" || folder == "predict")) next # made from sql/
            if (header == "presets_text.h" && folder == "inspect") next # made from share/presets
            if (header == "patterns_text.h" && folder == "run") next # made from share/patterns
            if (header ~ /^[a-z_]+_table\.h$/ && index(" url text page sign judge store search cli ", " " folder " ")) next # made from share/tables
            if (header == "page_text.h" && folder == "inspect") next # made from share/page and share/report
            if (header == "serve_text.h" && folder == "serve") next # made from share/page and share/serve
            if ((header == "prose_text.h" || header == "completion_text.h") && folder == "cli") next # made from docs/commands, share/completion
            if (header ~ /\/internal.h$/ && other != folder) print at[1] ":" at[2] ": " header " is private to its room"
            if (other == header) print at[1] ":" at[2] ": \"" header "\" does not say its folder"
            else if (!((folder, other) in may)) print at[1] ":" at[2] ": " folder " may not include " other
        }' scripts/layers.txt -

    find src -name '*.[ch]' ! -name internal.h | sed 's,.*/,,' | sort | uniq -d | sed 's/$/: a file name used twice in src/'
    find src -name '*.h' ! -name internal.h ! -path 'src/include/*' |
        awk -F/ '$NF != $(NF - 1) ".h" { print $0 ": a header beside the door of its room" }'

    # twindex_folder(NAME ... USES folder... LINK ...), which may span lines, against the rows of layers.txt
    diff <(tr '\n' ' ' <CMakeLists.txt | grep -oE 'twindex_(folder|wing)\([a-z][^)]*\)' |
               sed 's/twindex_folder(//; s/twindex_wing(//; s/)//; s/ LINK.*//; s/ SQL//; s/ USES/:/; s/ \+/ /g; s/ :/:/; s/ $//' |
               sed -E '/:/!s/$/:/; /^('"$wings"'):/s/ (api|cli|ext)\b//g') \
         <(sed '/^#/d; /^$/d; /^twindex:/d; /^cli:/d; s/ twindex\b//' scripts/layers.txt | sed -E '/^('"$wings"'):/s/ (api|cli|ext)\b//g') |
        sed -n 's/^< /CMakeLists.txt has  /p; s/^> /layers.txt has      /p' || true
)
found+=$(python3 scripts/check-calls.py || true)
if [ -n "$found" ]; then
    printf '%s\n' "$found"
    echo "not ok - includes follow scripts/layers.txt, and files do not call each other in circles"
    exit 1
fi
echo "ok - includes follow scripts/layers.txt, and files do not call each other in circles"
