#!/bin/bash
# wings: lab
# Several stores in one command that reads: groups, explain, report, mirrors, diff and search answer as for one store with all documents,
# and name the store of each document. Stores whose flags are not those of one run over all of them are refused.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# make FILE WHICH [COLUMN-TYPE]: the documents whose number satisfies WHICH; some texts are equal, some nearly
make() {
    rm -f "$1"*
    sqlite3 "$1" "CREATE TABLE pages(id ${3:-INTEGER} PRIMARY KEY, url TEXT, title TEXT, status TEXT, content TEXT);
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 89), w(i, k, t) AS (
            SELECT i, 0, '' FROM n UNION ALL
            SELECT i, k + 1, t || ' word' || ((i % 16) * 40 + k) || CASE WHEN k = 20 AND i > 60 THEN ' changed' || i ELSE '' END FROM w WHERE k < 40)
        INSERT INTO pages SELECT i, 'https://' || CASE WHEN i % 3 THEN 'a' ELSE 'mirror' END || '.example/' || i, 'Title ' || (i % 7), '200', t
        FROM w WHERE k = 40 AND $2"
}
run="run --accept-mapping --quiet"
# groups of equal texts, whatever the titles and URLs are
export TWINDEX_VERDICT_RELATIONS='scheme www canonical redirect exact copy' TWINDEX_COPY_PROOF=names
same="sed -E s/.in.[abc]\.db//g" # without the names of stores

make one.db 1
make a.db 'i % 3 = 0' && make b.db 'i % 3 = 1' && make c.db 'i % 3 = 2'
# shellcheck disable=SC2086 # options
{
    "$program" $run one.db && "$program" $run a.db b.db c.db
} 2>err
is $? 'the flags'

# groups
for detector in verdict exact near title copy; do
    "$program" groups --limit 0 --detector $detector one.db | $same >expected
    "$program" groups --limit 0 --detector $detector c.db a.db b.db >out 2>err
    $same <out | cmp -s expected && [ -s expected ]
    is $? "groups of $detector"
done
has 'groups name the store of each document' '20 https://a.example/20 in c.db'
"$program" groups --limit 3 one.db | $same >expected
"$program" groups --limit 3 a.db b.db c.db | $same | cmp -s expected
is $? 'the largest groups'
"$program" groups --json a.db b.db c.db >out 2>err
holds 'd["groups"][0]["representative"] == {"id": 1, "url": "https://a.example/1", "store": "b.db"}' 'groups as JSON: the representative'
holds '{"id": 17, "store": "c.db"} in d["groups"][0]["documents"]' 'groups as JSON: the documents'
"$program" groups c.db >out 2>err
has 'one store alone names a representative elsewhere with its URL' '4 1 https://a.example/1 in b.db'

# explain
for url in https://a.example/61 https://mirror.example/63 https://a.example/89 0; do
    "$program" explain one.db $url | $same >expected
    "$program" explain a.db c.db b.db $url >out 2>err
    $same <out | diff -w expected - >differences
    is $? "explain $url"
done
"$program" explain a.db b.db c.db https://a.example/61 >out 2>err
has 'explain: members and representative in other stores' 'represented by 5 https://a.example/5 in c.db (shorter URL); others: 19, 26 in c.db, 40, 47 in c.db'
has 'explain: why it is no copy' "visible: near-duplicate of 13 https://a.example/13, but not a copy: '5' in its title is not in the other"
printf 'a.db\nb.db\nc.db\n' >stores.txt
"$program" explain @stores.txt 17 --json >out 2>err
holds 'd[0]["store"] == "c.db" and d[0]["duplicate_of"].startswith("1 https://a.example/1 in b.db; joined by exact")' 'explain @FILE, as JSON'
check 'explain: no store has it' 66 '*a.db and 2 more stores: no document has the id or the URL*' explain a.db b.db c.db https://nowhere.example/

# report
"$program" report --json one.db >expected
"$program" report --json b.db c.db a.db >out 2>err
holds '[d[k] == json.load(open("expected"))[k] for k in d if k not in ("store", "runs")] == [True] * (len(d) - 2)' 'report: the figures'
holds '(d["store"], [(r["state"], r.get("store")) for r in d["runs"]]) == ("b.db and 2 more stores", [("published", None)])' 'a run over all stores is listed once'
"$program" report one.db | sed '1d; /last runs/,$d' >expected
"$program" report a.db b.db c.db | sed '1d; /last runs/,$d' | cmp -s expected
is $? 'report as text'
"$program" report --html one.html --csv one one.db && "$program" report --html all.html --csv all a.db b.db c.db 2>err
is $? 'report as a page and as tables'
# figures FILE: a page without the names of stores, the times, and the rules that are learned for one store only
figures() { sed 's/></>\n</g' "$1" | sed -E 's/one\.db|a\.db and 2 more stores|a\.db b\.db c\.db/STORE/g; s/ in [abc]\.db//; /class="made"/d; /have not been learned yet|learns no rules|has a model of its own/d; /<section aria-labelledby="runs"/,$d'; }
figures one.html >expected && figures all.html | diff expected - >differences
is $? 'the page has the figures, groups, mirrors and suspects of one store'
succeeds 'hosts.csv' cmp -s one/hosts.csv all/hosts.csv
sed 's/,"[abc]\.db"//; s/,store//' all/groups.csv | cmp -s one/groups.csv
is $? 'groups.csv'

# mirrors
"$program" mirrors --min-documents 1 --ratio 0.1 one.db >expected && "$program" mirrors --min-documents 1 --ratio 0.1 b.db a.db c.db 2>err | cmp -s expected
is $? 'mirrors'
equal 'every store has the mirrors of all' "$(for s in one one one; do sqlite3 $s.db 'SELECT * FROM twindex_host_mirror'; done)" \
    "$(for s in a b c; do sqlite3 $s.db 'SELECT * FROM twindex_host_mirror'; done)"
succeeds 'there is one' [ -n "$(sqlite3 one.db 'SELECT * FROM twindex_host_mirror')" ]
exec 8>>c.db-twindex-lock && flock 8
check 'mirrors of a store that is locked' 0 '*c.db*the mirrors are not stored*' mirrors --min-documents 1 --ratio 0.1 a.db b.db c.db
succeeds 'they are printed' cmp -s expected out
exec 8>&-

# diff
for s in one a b c; do sqlite3 $s.db "UPDATE pages SET content = 'another text ' || content WHERE id IN (0, 1, 2, 17)"; done
# shellcheck disable=SC2086
{
    "$program" $run one.db && "$program" $run a.db b.db c.db
} 2>err
"$program" diff one.db | sed -n '/^newly hidden/,/^$/p; /documents differ/,$p' | sort >expected
"$program" diff a.db b.db c.db | $same | sed -n '/^newly hidden/,/^$/p; /documents differ/,$p' | sort | cmp -s expected && [ -s expected ]
is $? 'diff'
"$program" diff a.db b.db c.db >out
has 'diff names representatives in other stores by id' 'duplicate_of 1 in b.db -> '
"$program" diff c.db >out
has 'diff of one of the stores names the representative elsewhere' ' -> https://a.example/34 in b.db'
"$program" diff a.db >out
has 'and that of the result before' ', before https://a.example/2 in c.db'

# a list of one store
echo one.db >one.txt
"$program" run --accept-mapping --json @one.txt >out 2>err && ! jq -e 'has("stores")' out >/dev/null && jq -e .documents out >/dev/null
is $? 'a list of one store is that store'

# search
check 'search without an index in each store' 65 '*a.db: there is no text index yet*' search a.db b.db c.db word81
for s in one a b c; do "$program" index --quiet --set store.accept_mapping=yes $s.db; done
# hits FILE STORE...: of the queries, to the last digit of the scores, without the names of stores
hits() {
    for query in word81 'word81 word82 -changed61' 'changed61 OR word5' 'title:3 word1*' '"word100 word101"' 'title 3' 'nothing like it'; do
        "$program" search --json --limit 0 --rules "$source/share/rules/demote-duplicates.rules" "$@" "$query"
        "$program" search --json --rules "$source/share/rules/demote-duplicates.rules" --compare "$source/share/rules/hide-duplicates.rules" "$@" "$query"
    done | sed -E '/"(store|duplicate_of_shard)": /d; s/,$//'
}
hits one.db >expected && hits c.db a.db b.db >found && cmp -s expected found && [ "$(grep -c '"id"' expected)" -gt 50 ]
is $? 'search: hits, scores, order and figures'
"$program" search a.db b.db c.db word81 --limit 2 >out 2>err
has 'search names the store of a hit' 'https://a.example/34 in b.db'
"$program" search a.db b.db c.db word81 --json >out 2>err
holds '[(r["flags"]["duplicate_of"], r["flags"]["duplicate_of_shard"]) for r in d["results"] if "duplicate_of_shard" in r["flags"]] == [(34, "b.db"), (34, "b.db")]' 'and that of its representative'
printf 'word81\t%s\t3\nword81\t%s\t1\n' https://mirror.example/18 https://a.example/61 >judged.tsv && printf 'word81\nword5\n' >queries.txt
"$program" search one.db --queries queries.txt --judgements judged.tsv --json >expected 2>err
"$program" search a.db b.db c.db --queries queries.txt --judgements judged.tsv --json >out 2>err
cmp -s out expected && grep -q ndcg expected
is $? 'search: figures of many queries, and their quality'
check 'an expression of FTS5' 64 '*scores of such an expression are those of one store*' search --fts5 a.db b.db word81

# check and doctor
check 'check of a set' 0 '' check a.db b.db c.db --accept-mapping
has 'the stores together' 'flags those of one run over all 3 stores'
check 'doctor of a set' 0 '' doctor --json a.db b.db c.db --set store.accept_mapping=yes
holds '[s["store"] for s in d] == ["a.db", "b.db", "c.db", "all of these stores"]' 'doctor as JSON'
check 'check of a part of the set' 1 '' check a.db b.db --accept-mapping
succeeds 'it names the store that is missing' grep -qE 'PROBLEM +the flags of b.db name [0-9]+ representatives in c.db, which is not among these stores' out
check 'report of a part of the set' 0 '*warning: a.db has duplicates of documents in c.db, which is not named*' report a.db b.db
check 'report of one store' 0 '' report a.db
check 'check with a store that is missing' 1 '' check a.db none.db --accept-mapping
has 'is a problem' 'none.db: No such file or directory'

# what is refused
check 'a store twice' 64 '*both the store a.db of the collection*' groups a.db b.db a.db
cp b.db copy.db
check 'a copy' 64 '*both the store b.db of the collection*' groups a.db b.db copy.db
check 'a missing store' 66 '*none.db: No such file*' report a.db none.db
check '--flags' 64 '*one file cannot hold the flags of several stores*' report --flags f.db a.db b.db
# shellcheck disable=SC2086
"$program" $run c.db 2>err
check 'a store that was run alone since' 65 '*c.db has the flags of a run of this store alone*' report a.db b.db c.db
# shellcheck disable=SC2086
"$program" $run b.db c.db 2>err
check 'stores of different runs' 65 '*a.db and b.db have the flags of different runs*' mirrors a.db b.db c.db
make new.db 'i = 0'
check 'a store without a run' 65 '*new.db: no run has published flags yet*' groups b.db new.db

# text ids, some of which are in several stores
make x.db 'i < 50' TEXT && make y.db 'i >= 50' TEXT
sqlite3 y.db "UPDATE pages SET id = id - 50"
# shellcheck disable=SC2086
"$program" $run x.db y.db 2>err
check 'one result only' 65 "*x.db: there is no earlier complete result to compare with: the next 'twindex run' makes one*" diff x.db y.db
"$program" explain x.db y.db 0 >out 2>err
got 'an id that two stores have' "$(grep -c "^'0' " out)" 2
has 'each in its store' "'0' https://a.example/50 in y.db"
has 'and its representative' "represented by '2' https://a.example/2 in x.db"

# ---- where texts decide, they are read from all stores
unset TWINDEX_VERDICT_RELATIONS TWINDEX_COPY_PROOF
# pages FILE WHICH: two captures each of pages about 24 towns, of which every fourth pair has another word in a sentence
pages() {
    rm -f "$1"*
    sqlite3 "$1" "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, content TEXT);
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 47), w(i, k, t) AS (
            SELECT i, 0, '' FROM n UNION ALL
            SELECT i, k + 1, t || ' word' || (i / 2 * 40 + k) || CASE WHEN k = 20 AND i % 8 = 1 THEN ' not' ELSE '' END FROM w WHERE k < 40)
        INSERT INTO pages SELECT i, 'https://' || CASE WHEN i % 2 THEN 'a' ELSE 'mirror' END || '.example/' || (i / 2), 'Town ' || (i / 2),
            t || CASE WHEN i % 2 THEN '' ELSE char(10) || 'Captured on day ' || i || '.' END FROM w WHERE k = 40 AND $2"
}
pages one.db 1
pages a.db 'i % 3 = 0' && pages b.db 'i % 3 = 1' && pages c.db 'i % 3 = 2'
# shellcheck disable=SC2086
"$program" $run one.db 2>err && "$program" $run a.db b.db c.db 2>>err
is $? 'stores with captures of pages'
"$program" groups --limit 0 --detector copy one.db | $same >expected
"$program" groups --limit 0 --detector copy c.db a.db b.db | $same | cmp -s expected
is $? 'groups of copies'
equal 'a word inside a sentence keeps pages apart' 18 "$(sqlite3 one.db 'SELECT count(*) FROM document_flags WHERE duplicate_of IS NOT NULL')"
for id in 0 3 4; do
    "$program" explain one.db $id | $same >expected
    "$program" explain a.db c.db b.db $id >out 2>err
    $same <out | diff -w expected - >differences
    is $? "explain $id"
done
"$program" explain a.db b.db c.db 0 >out 2>err
has 'explain: the word that the other store has' "but not a copy: 'not' inside a sentence of the other is not in it"

exit $failed
