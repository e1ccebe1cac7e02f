#!/usr/bin/env bash
# The sample crawl shows every rule of the flags; what twindex makes of it is compared with a table made by hand.
set -uo pipefail
source=${TWINDEX_SOURCE:?}
work=$(mktemp -d "${TMPDIR:-/tmp}/twindex-sample-XXXXXX")
trap 'rm -rf "$work"' EXIT
store=$work/sample.db
failed=0
ok() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; failed=1; fi; }

"$TWINDEX" init "$store" >/dev/null && "$TWINDEX" import --quiet "$store" "$source/tests/golden/sample/crawl.jsonl" >/dev/null
ok $? "the sample is imported"
"$TWINDEX" run --quiet "$store" >/dev/null
ok $? "the run ends well"
grep -v '^#' "$source/tests/golden/sample/truth.tsv" >"$work/truth"
sqlite3 -readonly -nullvalue - -separator $'\t' "$store" "
    SELECT id, indexable_b, http_unique_b, www_unique_b, exact_signature_unique_b, exact_signature_copycount_i,
           fuzzy_signature_unique_b, fuzzy_signature_copycount_i, title_unique_b, title_copycount_i,
           description_unique_b, description_copycount_i, near_unique_b, near_copycount_i, copy_unique_b, copy_copycount_i, sibling_count_i,
           duplicate_type, representative_b, duplicate_of
    FROM document_flags ORDER BY id" >"$work/found"
ok $? "the flags are there"
while IFS= read -r line; do
    id=${line%%$'\t'*}
    found=$(grep -P "^$id\t" "$work/found")
    [ "$line" = "$found" ] || printf 'document %s\n  expected %s\n  found    %s\n' "$id" "$line" "$found"
    [ "$line" = "$found" ]
    ok $? "document $id has the flags of the truth"
done <"$work/truth"
[ "$(wc -l <"$work/truth")" = "$(wc -l <"$work/found")" ]
ok $? "no other document has flags"
exit $failed
