#!/usr/bin/env bash
# wings: import
# without sanitizers: test_crawl runs on the same crawl, test_keep_mirrors the command mirrors
# Mirrors of a real crawl: the hosts that truth/hosts.tsv calls mirrors or www forms of each other are found, and no others. That file
# lists what the crawl was made for; two of its smallest sites may serve the same manual by chance: what is found beyond the truth
# has to be a pair of hosts whose texts are the same, counted in plain SQL. $TWINDEX_CRAWL_SIZE: small (default) or medium; the store
# is $TWINDEX_CRAWLS/SIZE.db, or made. Skips when there is neither a store nor a corpus.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
[ -z "$quick" ] || { echo 'skipped: it takes 20 seconds (set TWINDEX_LONG_TESTS=some)'; exit 0; }
set -o pipefail
size=${TWINDEX_CRAWL_SIZE:-small}
corpus=${TWINDEX_CORPUS:-$source/../shared/corpus}
crawls=${TWINDEX_CRAWLS:-/tmp/twindex-crawls}
truth=$crawls/$size/truth/hosts.tsv
trap 'rm -rf "$work"' EXIT
store=$work/crawl.db

if [ -f "$crawls/$size.db" ] && [ -f "$truth" ]; then
    sqlite3 -readonly "$crawls/$size.db" ".backup '$store'"
    equal "the store of the $size crawl is copied" 0 $?
else
    [ -f "$corpus/make_crawl.sh" ] || { echo "skipped: no $crawls/$size.db and no $corpus/make_crawl.sh (set TWINDEX_CORPUS)"; exit 0; }
    [ "$(id -u)" = 0 ] || { echo "skipped: make_crawl.sh needs root"; exit 0; }
    TWINDEX_CORPUS=$corpus TWINDEX_CRAWLS=$crawls "$source/scripts/crawl-store" "$size" "$store" >"$work/log" 2>&1 || tail -5 "$work/log"
    [ -f "$truth" ]; equal "the $size crawl is made and imported" 0 $?
fi
# mirrors lose nearly all their documents, which is what a guard is for
"$TWINDEX" run --quiet --force "$store" 2>"$work/err"; equal "the run ends well" 0 $?
"$TWINDEX" mirrors --json "$store" >"$work/found.json" 2>"$work/err"; equal "mirrors ends well" 0 $?
equal "nothing is said against it" "" "$(cat "$work/err")"
q() { sqlite3 -readonly "$store" "$@"; }

# Families of hosts: those that the pairs on standard input join; a line a pair of one family, both ways round.
families() {
    python3 -c '
import sys
leader = {}
def root(h):
    while leader.setdefault(h, h) != h: h = leader[h]
    return h
for a, b in (line.split() for line in sys.stdin): leader[root(a)] = root(b)
print(*sorted(a + " " + b for a in leader for b in leader if a < b and root(a) == root(b)), sep="\n")'
}
host='s,^[a-z]*://\([^/]*\)/.*,\1,'
awk -F '\t' '$1 == "mirror" || $1 == "www" { print $2; print $3 }' "$truth" | sed "$host" | paste -d ' ' - - | families >"$work/truth"
q -separator ' ' "SELECT host, mirror_of FROM twindex_host_mirror" | families >"$work/found"
equal "the truth is no empty one" 1 "$(($(wc -l <"$work/truth") >= 6))"
equal "all mirrors and www forms of the truth are found" "" "$(comm -23 "$work/truth" "$work/found" | tr '\n' ';')"

# Of all pairs of hosts, those that have eight tenths of their documents' texts in common, and at least ten documents.
q -separator ' ' "
    CREATE TEMP TABLE live AS
    SELECT f.exact_signature_l AS text, substr(d.url, instr(d.url, '//') + 2, instr(substr(d.url, instr(d.url, '//') + 2), '/') - 1) AS host
    FROM documents AS d JOIN document_flags AS f USING (id) WHERE f.indexable_b;
    CREATE TEMP TABLE has AS SELECT host, text, count(*) AS n FROM live WHERE text IS NOT NULL GROUP BY host, text;
    CREATE INDEX temp.has_text ON has(text);
    CREATE TEMP TABLE share AS
    SELECT x.host AS a, y.host AS b, 1.0 * sum(x.n) / (SELECT count(*) FROM live WHERE host = x.host) AS part
    FROM has AS x JOIN has AS y ON y.text = x.text AND y.host <> x.host
    WHERE (SELECT count(*) FROM live WHERE host = x.host) >= 10 GROUP BY x.host, y.host;
    SELECT x.a, x.b FROM share AS x JOIN share AS y ON y.a = x.b AND y.b = x.a WHERE x.part >= 0.8 AND y.part >= 0.8 AND x.a < x.b" |
    sort >"$work/equal"
sort -u "$work/truth" "$work/equal" >"$work/expected"
equal "no other pair of hosts is, but for hosts whose texts are equal" "" "$(comm -13 "$work/expected" "$work/found" | tr '\n' ';')"
equal "hosts whose texts are equal are found" "" "$(comm -23 "$work/equal" "$work/found" | tr '\n' ';')"

members() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$work/found.json" "$1"; }
equal "a www form is found by equal texts" "exact" "$(q "SELECT level FROM twindex_host_mirror WHERE host = 'docs.example.test' AND mirror_of = 'www.docs.example.test'")"
equal "mirrors with another banner are found by nearly equal ones" "near near" \
    "$(q "SELECT group_concat(level, ' ') FROM twindex_host_mirror WHERE host LIKE 'mirror_.example.test'")"
equal "what is printed is what is kept" "$(q "SELECT count(*), sum(shared), sum(documents) FROM twindex_host_mirror")" \
    "$(members '"%d|%d|%d" % (len(d["mirrors"]), sum(m["shared"] for m in d["mirrors"]), sum(m["documents"] for m in d["mirrors"]))')"
before=$(q .dump | sha256sum)
"$TWINDEX" mirrors --quiet "$store"; equal "a second call ends well" 0 $?
equal "a second call writes no row" "$before" "$(q .dump | sha256sum)"
exit $failed
