#!/usr/bin/env bash
# wings: import
# The sample crawl shows every rule of the flags; what twindex makes of it is compared with a table made by hand.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail
store=$work/sample.db

succeeds "the sample is imported" imported "$store" "$sample"
"$TWINDEX" run --quiet "$store" >/dev/null
is $? "the run ends well"
grep -v '^#' "$source/tests/golden/sample/truth.tsv" >"$work/truth"
sqlite3 -readonly -nullvalue - -separator $'\t' "$store" "
    SELECT id, indexable_b, http_unique_b, www_unique_b, exact_signature_unique_b, exact_signature_copycount_i,
           fuzzy_signature_unique_b, fuzzy_signature_copycount_i, title_unique_b, title_copycount_i,
           description_unique_b, description_copycount_i, near_unique_b, near_copycount_i, copy_unique_b, copy_copycount_i, sibling_count_i,
           duplicate_type, representative_b, duplicate_of
    FROM document_flags ORDER BY id" >"$work/found"
is $? "the flags are there"
while IFS= read -r line; do
    id=${line%%$'\t'*}
    found=$(grep -P "^$id\t" "$work/found")
    [ "$line" = "$found" ] || printf 'document %s\n  expected %s\n  found    %s\n' "$id" "$line" "$found"
    got "document $id has the flags of the truth" "$line" "$found"
done <"$work/truth"
got "no other document has flags" "$(wc -l <"$work/truth")" "$(wc -l <"$work/found")"
exit $failed
