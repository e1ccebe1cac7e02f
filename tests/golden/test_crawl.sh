#!/usr/bin/env bash
# wings: import
# A real crawl, end to end: the numbers twindex finds agree with what is known of the crawl by construction (truth/hosts.tsv) and
# with plain SQL over the documents. $TWINDEX_CRAWL_SIZE: small (default) or medium. Skips when there is no corpus.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail
size=${TWINDEX_CRAWL_SIZE:-small}
corpus=${TWINDEX_CORPUS:-$source/../shared/corpus}
crawls=${TWINDEX_CRAWLS:-/tmp/twindex-crawls}
[ -f "$corpus/make_crawl.sh" ] || { echo "skipped: no $corpus/make_crawl.sh (set TWINDEX_CORPUS)"; exit 0; }
[ -n "$long_tests" ] || { echo 'skipped: it takes a minute (set TWINDEX_LONG_TESTS)'; exit 0; }
[ "$(id -u)" = 0 ] || { echo "skipped: make_crawl.sh needs root"; exit 0; }

store=$work/crawl.db
if ! TWINDEX_CORPUS=$corpus TWINDEX_CRAWLS=$crawls "$source/scripts/crawl-store" "$size" "$store" >"$store.log" 2>&1; then
    tail -5 "$store.log"
    echo "not ok - the $size crawl is made and imported"
    exit 1
fi
echo "ok - the $size crawl is made and imported"
"$TWINDEX" run --quiet "$store" >"$store.run" 2>&1; equal "run ends well" 0 $?
q() { sqlite3 -readonly "$store" "$1"; }
truth=$crawls/$size/truth/hosts.tsv

# Characters that stand for the bytes of a character in UTF-8, read as Latin-1 or windows-1252: C3 83 C2 xx, C3 82 C2 xx, ...
equal "no text is encoded twice" 0 "$(q "SELECT count(*) FROM documents
    WHERE instr(CAST(text AS BLOB), x'C383C2') OR instr(CAST(text AS BLOB), x'C382C2')
       OR instr(CAST(text AS BLOB), x'C3A2E282AC') OR instr(CAST(title AS BLOB), x'C383C2')")"

# pairs of pages that take part, under the two prefixes of each line of a relation, by their URLs alone
pairs() { # relation
    awk -F '\t' -v r="$1" '$1 == r { gsub(/\047/, ""); print $2 "\t" $3 }' "$truth" | while IFS=$'\t' read -r a b; do
        q "WITH live AS (SELECT url FROM documents JOIN document_flags USING (id) WHERE indexable_b)
           SELECT count(*) FROM live AS x JOIN live AS y ON y.url = '$b' || substr(x.url, length('$a') + 1)
           WHERE substr(x.url, 1, length('$a')) = '$a'"
    done | awk '{ n += $1 } END { print n + 0 }'
}
equal "scheme twins agree with truth" "$(pairs scheme)" "$(q "SELECT count(*) FROM document_flags WHERE http_unique_b = 0")"
# a group of scheme has all forms of a URL, with and without www. too
equal "forms of URLs agree with the groups" \
    "$(q "SELECT sum(n - 1) FROM (SELECT count(*) AS n FROM (SELECT substr(url, instr(url, '://') + 3) AS rest FROM documents JOIN document_flags USING (id) WHERE indexable_b)
          GROUP BY CASE WHEN rest LIKE 'www.%' THEN substr(rest, 5) ELSE rest END)")" "$(q "SELECT sum(documents - 1) FROM duplicate_groups WHERE detector = 'scheme'")"
equal "www twins agree with truth" "$(pairs www)" "$(q "SELECT count(*) FROM document_flags WHERE www_unique_b = 0")"
equal "exact groups agree with a count over the texts" \
    "$(q "SELECT count(*) FROM (SELECT 1 FROM documents JOIN document_flags USING (id) WHERE indexable_b AND text <> '' GROUP BY text HAVING count(*) > 1)")" \
    "$(q "SELECT count(*) FROM duplicate_groups WHERE detector = 'exact'")"
equal "exact copies agree with a count over the texts" \
    "$(q "SELECT sum(n - 1) FROM (SELECT count(*) AS n FROM documents JOIN document_flags USING (id) WHERE indexable_b AND text <> '' GROUP BY text)")" \
    "$(q "SELECT count(*) FROM document_flags WHERE NOT exact_signature_unique_b")"
equal "copy counts agree with a count over the texts" 0 \
    "$(q "SELECT count(*) FROM documents AS d JOIN document_flags AS f USING (id)
          JOIN (SELECT text, count(*) AS n FROM documents JOIN document_flags USING (id) WHERE indexable_b GROUP BY text) AS t ON t.text = d.text
          WHERE f.indexable_b AND d.text <> '' AND t.n <> f.exact_signature_copycount_i")"
equal "every document has flags" "$(q "SELECT count(*) FROM documents")" "$(q "SELECT count(*) FROM document_flags")"
equal "one survivor in each cluster" 0 \
    "$(q "SELECT count(*) FROM document_flags AS f LEFT JOIN document_flags AS s ON s.id = f.duplicate_of
          WHERE f.duplicate_of IS NOT NULL AND s.representative_b IS NOT 1")"
equal "the survivor of each cluster passes every filter" 0 \
    "$(q "SELECT count(*) FROM document_flags WHERE representative_b AND id IN (SELECT duplicate_of FROM document_flags)
          AND NOT (http_unique_b AND www_unique_b AND copy_unique_b IS NOT 0)")"
equal "the documents that share a text have several survivors only where names differ" 0 \
    "$(q "SELECT count(*) FROM (SELECT 1 FROM documents AS d JOIN document_flags AS f USING (id) WHERE representative_b AND text <> ''
          GROUP BY text, title, headings, description, url HAVING count(*) > 1)")"
redirected=$(q "SELECT count(*) FROM documents WHERE http_status BETWEEN 300 AND 399")
equal "redirected pages do not take part" "$redirected" \
    "$(q "SELECT count(*) FROM documents JOIN document_flags USING (id) WHERE http_status BETWEEN 300 AND 399 AND NOT indexable_b")"
before=$(sqlite3 -readonly "$store" .dump | sha256sum)
"$TWINDEX" run --quiet "$store" >/dev/null 2>&1; equal "a second run ends well" 0 $?
equal "a second run writes no row" "$before" "$(sqlite3 -readonly "$store" .dump | sha256sum)"
digest=$("$TWINDEX" digest "$store")
"$TWINDEX" run --quiet --full --jobs 1 "$store" >/dev/null 2>&1
equal "a full run on one thread gives the same flags" "$digest" "$("$TWINDEX" digest "$store")"

# Pages in other scripts and languages are found by their own words.
found() { # word language
    equal "search finds $2 pages" yes "$("$TWINDEX" search --limit 1 "$store" "$1" 2>/dev/null | grep -q http && echo yes || echo no)"
}
"$TWINDEX" index --quiet "$store" >/dev/null 2>&1
found Konfigurationsdateien German
found sélective French
found サーバ Japanese
found сервера Russian
# the small crawl's Korean pages are served with a wrong charset, and a browser cannot read them either
[ "$size" != medium ] || found 설치 Korean

# the extension computes what is stored (a plain program cannot load an instrumented one)
extension=$(dirname "$TWINDEX")/twindex.so
case $extension in *asan* | *tsan* | *coverage*) exit $failed ;; esac
/usr/bin/python3 "$source/tests/support/extension_values.py" "$extension" "$store" >"$store.values" 2>&1
cat "$store.values"
equal "the extension's values were compared" "3 0" "$(grep -c '^ok' "$store.values") $(grep -vc '^ok' "$store.values")"
exit $failed
