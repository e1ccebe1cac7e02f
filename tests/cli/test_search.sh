#!/usr/bin/env bash
# wings: import
# twindex search: order and parts of scores, comparisons, files of queries; what is wrong with a query is told, and nothing in a query reaches
# other SQL. run --dry-run --rules says what a filter would hide.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
subcommand=search
rules=$source/share/rules

search() { "$program" search "$@" >out 2>err </dev/null; }

"$program" init s.db >/dev/null && "$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl"
refuses 'without a run' 65 "no run has published flags yet: run 'twindex run' first" s.db harbour
"$program" run --quiet s.db
refuses 'without an index' 65 "there is no text index yet: 'twindex index' makes it" s.db harbour
"$program" index --quiet s.db

search --json --limit 0 s.db harbour
holds 'd["a"]["hits"] == len(d["results"]) == 11' 'all hits'
holds 'all(x["score"] == x["text_score"] and x["parts"] == [] for x in d["results"])' 'without rules the score is that of the text'
holds '[(-x["score"], not x["flags"].get("representative_b"), x["id"]) for x in d["results"]] == sorted((-x["score"], not x["flags"].get("representative_b"), x["id"]) for x in d["results"])' 'best first; of equal ones representatives, then by id'
holds 'all("[harbour]" in (x["title"] + x["snippet"]).lower() for x in d["results"])' 'what matches is marked'
search s.db harbour && grep -q '^   1 ' out && ! grep -q '^  11 ' out && grep -q 'duplicates in the first 10: 20 %, in the first 100: 27 %' out
is $? 'ten hits and the share of duplicates in the text output'

search --json --limit 0 --rules "$rules/demote-duplicates.rules" s.db harbour
holds 'all(abs(x["score"] - x["text_score"] - sum(p["adds"] for p in x["parts"])) < 1e-9 for x in d["results"])' 'a score is the sum of its parts'
holds 'd["a"]["hits"] == 11 and [x["flags"].get("representative_b", 0) for x in d["results"]] == sorted((x["flags"].get("representative_b", 0) for x in d["results"]), reverse=True)' 'unique documents come first, nothing is hidden'
printf '[fields] title^5\n' >title.rules
search --json --limit 0 --rules title.rules s.db boats
holds 'd["results"][0]["title"].startswith("[Boats]") and d["results"][-1]["text_score"] == 0' 'the weights of columns'

search --json --limit 0 s.db 'tide tables'
holds 'd["results"][0]["title"] == "[Tide] [tables]" and d["results"][0]["text_score"] > 100 > d["results"][-1]["text_score"]' 'the title that is the query comes first'
printf '[fields] title^10 text^1\n' >words.rules
search --json --limit 0 --rules words.rules s.db 'tide tables'
holds 'd["results"][0]["text_score"] < 100' 'fields that do not name whole_title leave it out'

search --json --limit 0 --compare "$rules/hide-duplicates.rules" s.db harbour
holds 'd["b"]["hits"] == 4 and d["b"]["duplicates_in_10"] == 0 and d["moves"]["clusters_gone"] == 0 and d["moves"]["vanished"] == 7' 'a filter hides duplicates, no cluster vanishes, equal texts with other titles stay'
holds 'sorted({x["move"] for x in d["documents"]}) == ["+2", "+6", "vanished"] and len(d["documents"]) == 11' 'who moved, who vanished'
search --json --limit 0 --rules "$rules/hide-duplicates.rules" --compare title.rules s.db harbour
holds 'd["moves"]["new"] == 7 and sum(x["move"] == "new" for x in d["documents"]) == 7' 'who is new'
search --compare "$rules/hide-duplicates.rules" s.db harbour && grep -q '^     3      1  +2  ' out && grep -q ' vanished ' out
is $? 'two columns for people'

printf 'harbour\n\n# not this one\n"high water" OR boats*\nzyzzyva\n' >queries
search --queries queries --compare "$rules/hide-duplicates.rules" --json s.db
holds 'd["queries_n"] == 3 and d["queries_with_hits"] == 2 and d["mean_b"]["duplicates_in_10"] == 0 and d["mean_a"]["duplicates_in_10"] > 0.2' 'a file of queries'
search --queries queries --compare "$rules/hide-duplicates.rules" s.db && grep -q '^3 queries, 2 with hits' out && grep -q '0 have no hit left' out
is $? 'for people'
search --queries queries s.db && grep -q ' boats\*$' out
is $? 'without a comparison'

refuses 'a syntax error of FTS5' 65 "query 'harbour AND (': fts5: syntax error" --fts5 s.db 'harbour AND ('
refuses 'quotes that are not closed' 65 'unterminated string' --fts5 s.db '"harbour'
refuses 'a column that is not in the index' 65 'no such column: url' --fts5 s.db 'url:harbour'
refuses 'a special query of FTS5' 65 'unknown special query' --fts5 s.db '*optimize'
# hits QUERY N [ARGUMENT...]
hits() { local query=$1 n=$2; shift 2; search --json "$@" -- s.db "$query" && [ "$(member 'd["a"]["hits"]')" = "$n" ]; is $? "$n hits: $query"; }
while IFS= read -r query; do search -- s.db "$query"; is $? "no syntax error: $query"; done <<'QUERIES'
harbour AND (
"harbour
url:harbour
*optimize
what's new
C++
foo-bar
-harbour
NEAR(
( ^ ) { } : + - * " '
title:
AND OR NOT
QUERIES
hits 'harbour AND (' 11
hits '"harbour' 11
hits 'harbours' 0
hits 'harbour -harbour' 0
hits '-harbour' 0
hits 'harbour NOT zyzzyva' 11
hits 'zyzzyva OR harbour' 11
hits '"tide tables"' "$(search --json --fts5 s.db '"tide tables"' && member 'd["a"]["hits"]')"
hits '“tide tables”' "$(search --json --fts5 s.db '"tide tables"' && member 'd["a"]["hits"]')"
hits 'title:tide tables*' "$(search --json --fts5 s.db 'title:tide AND tables*' && member 'd["a"]["hits"]')"
hits 'title:tide OR boats' "$(search --json --fts5 s.db 'title:tide OR boats' && member 'd["a"]["hits"]')"
refuses 'an empty query' 65 'the query is empty' s.db ' '
refuses 'a long query' 65 'longer than 2000 bytes' s.db "$(head -c 3000 /dev/zero | tr '\0' x)"
printf 'harbour\nnot ( fine\nboats\n' >bad-queries
check 'a file of queries with an error' 65 "*warning: bad-queries:2: query 'not ( fine': fts5: syntax error*1 of 3 queries could not be searched" search --fts5 --json --queries bad-queries s.db
holds 'd["queries_n"] == 2 and d["queries_refused"] == 1 and [("error" in q) for q in d["queries"]] == [False, True, False]' 'the others are searched'
search --fts5 --queries bad-queries s.db
grep -q ' boats$' out && grep -q '^2 queries, ' out
is $? 'the text output lists the others'
succeeds 'in the language for people, none is wrong' search --queries bad-queries s.db
printf '[filter]\nhttp_unique_b:maybe' >bad.rules
refuses 'rules with an error' 65 'bad.rules:2:15: http_unique_b is true or false' --rules bad.rules s.db harbour
refuses 'other rules with an error' 65 'bad.rules:2:15' --compare bad.rules s.db harbour
refuses 'neither a query nor a file' 64 'QUERY or --queries FILE' s.db
refuses 'with --queries all arguments are stores' 66 'harbour: No such file' --queries queries s.db harbour
refuses 'no such file of queries' 66 'nothing: No such file' --queries nothing s.db

sum() { sqlite3 -readonly s.db .dump | sha256sum; }
before=$(sum)
while IFS= read -r query; do
    search --rules "$rules/demote-duplicates.rules" -- s.db "$query"
    case $? in 0 | 65) ;; *) is 1 "an injection: $query" ;; esac
done <<'QUERIES'
x'; DROP TABLE documents; --
"x'; DROP TABLE documents; --"
harbour' UNION SELECT sql FROM sqlite_master --
harbour") ; DELETE FROM twindex_text_slot; --
twindex_text MATCH 'a'
{title text} : harbour
NEAR(harbour boats, 5)
-1 OR 1=1
QUERIES
got 'nothing in a query reaches other SQL' "$(sum)" "$before"
cp s.db reader.db && chmod a-w reader.db && search reader.db harbour
is $? 'a store that cannot be written is searched'

printf '[filter] exact_signature_unique_b:true AND http_unique_b:true\n' >f.rules
"$program" run --dry-run --rules f.rules --json s.db >out 2>err
expected=$(sqlite3 -readonly s.db "SELECT count(*) || ' ' || sum(coalesce(indexable_b, 0)) FROM document_flags WHERE NOT coalesce(exact_signature_unique_b AND http_unique_b, 0)")
equal 'a dry run counts what a filter would hide' "$expected" "$(member '"%d %d" % (d["rules"]["hidden"], d["rules"]["hidden_of_those_that_take_part"])')"
holds 'sum(h["hidden"] for h in d["rules"]["hosts"]) == d["rules"]["hidden"]' 'per host'
holds 'd["rules"]["hosts"] == sorted(d["rules"]["hosts"], key=lambda h: (-h["hidden_of_those_that_take_part"], -h["hidden"], h["host"]))' 'those that lose most come first'
"$program" init fresh.db >/dev/null && "$program" import --quiet fresh.db "$source/tests/golden/sample/crawl.jsonl"
"$program" run --dry-run --rules f.rules --json fresh.db >out 2>err
equal 'also before the first run' "$expected" "$(member '"%d %d" % (d["rules"]["hidden"], d["rules"]["hidden_of_those_that_take_part"])')"
"$program" run --dry-run --set search.ranking.uniqueheuristic.preferhttps=no --rules f.rules --json s.db >out 2>err
cp s.db other.db && "$program" run --quiet --force --set search.ranking.uniqueheuristic.preferhttps=no other.db
[ "$(member 'd["rules"]["hidden"]')" = "$(sqlite3 -readonly other.db "SELECT count(*) FROM document_flags WHERE NOT coalesce(exact_signature_unique_b AND http_unique_b, 0)")" ]
is $? 'with the flags that other settings would give'
got 'and writes nothing' "$(sum)" "$before"
"$program" run --dry-run --rules f.rules s.db 2>err | grep -q '^the filter of f.rules would hide'
is $? 'for people'
got=0; "$program" run --dry-run --rules bad.rules s.db >out 2>err || got=$?; [ $got = 65 ] && [ ! -s out ] && grep -q 'bad.rules:2:15' err
is $? 'wrong rules are told before anything is read'
check 'rules are for dry runs' 64 '*' run --rules f.rules s.db
exit $failed
