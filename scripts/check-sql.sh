#!/bin/bash
# SQL lives in sql/. Only source*.c, guess*.c and table_sample.c of store/ write some themselves, over the user's tables, whose names they quote.
# cli/ has no database: what looks like SQL there are examples of the manual pages.
. "$(dirname "$0")/common.sh"
cd "$root"

found=$(
    mapfile -t files < <(find src -name '*.[ch]' ! -path 'src/store/source*.c' ! -path 'src/store/guess*.c' ! -path src/store/guess_columns.c ! -path 'src/cli/*' | sort)
    awk -v only=strings -f scripts/strip-c.awk "${files[@]}" |
        grep -E '(^|[^A-Za-z])(SELECT|INSERT|UPDATE|DELETE FROM|CREATE|DROP|ALTER) ' || true
)
if [ -n "$found" ]; then
    printf '%s\n' "$found"
    echo "not ok - no SQL text outside sql/"
    exit 1
fi
echo "ok - no SQL text outside sql/"
