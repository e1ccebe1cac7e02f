#!/usr/bin/env bash
# wings: import
# Every statement of docs/recipes.md runs against the sample store.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail
store=$work/sample.db
"$TWINDEX" init "$store" >/dev/null && "$TWINDEX" import --quiet "$store" "$source/tests/golden/sample/crawl.jsonl" &&
    "$TWINDEX" run --quiet "$store" || { echo "not ok - the sample store is made"; exit 1; }
awk -v work="$work" '/^```sql/ { n++; on = 1; next } /^```/ { on = 0 } on { print > (work "/" n ".sql") }' "$source/docs/recipes.md"
for sql in "$work"/*.sql; do
    if rows=$(sqlite3 -bail "$store" <"$sql" 2>"$work/err") && [ -n "$rows" ]; then
        echo "ok - recipe $(basename "$sql" .sql) gives $(wc -l <<<"$rows") rows"
    else
        echo "not ok - recipe $(basename "$sql" .sql): $(cat "$work/err") $(cat "$sql")"
        failed=1
    fi
done
exit $failed
