#!/bin/bash
# How large the house is: prints each size beside its limit in scripts/sizes.tsv, and fails when one has grown beyond it. What comes in makes
# room first; a limit is lowered when something has gone, and raised only with a reason in the commit.
cd "$(dirname "$0")/.." || exit 1

lines() { find "$@" -type f -exec cat {} + | wc -l; }
code=$(lines src -name '*.[ch]') headers=$(lines src -name '*.h')
rooms=$(find src src/wings -mindepth 1 -maxdepth 1 -type d ! -name wings ! -name include | wc -l)
largest=$(for room in src/*/ src/wings/*/; do
    case $room in src/wings/) ;; *) lines "$room" -name '*.[ch]' ;; esac
done | sort -n | tail -n 1)
measured="lines of src: $code
files of src: $(find src -name '*.[ch]' | wc -l)
headers, percent of the lines: $((100 * headers / code))
rooms and wings: $rooms
largest room, percent of the lines: $((100 * largest / code))
files of sql: $(find sql -name '*.sql' | wc -l)
lines of tests: $(lines tests '(' -name '*.[ch]' -o -name '*.py' -o -name '*.sh' ')')"

printf '%s\n' "$measured" | awk -F '\t' -v limits=scripts/sizes.tsv '
    BEGIN { while ((getline < limits) > 0) limit[$1] = $2 }
    {
        at = index($0, ": "); name = substr($0, 1, at - 1); size = substr($0, at + 2)
        printf "# %-40s %7d, at most %d\n", name, size, limit[name]
        if (!(name in limit) || size + 0 > limit[name] + 0) grown = 1
    }
    END { print (grown ? "not ok" : "ok") " - sizes are within scripts/sizes.tsv"; exit grown }'
