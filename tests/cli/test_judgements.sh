#!/bin/bash
# `search --queries --judgements`: nDCG@10, MRR and duplicates per query and rules file, with the paired differences. The figures of
# random stores are compared with trec_eval and SciPy by scripts/judge-oracle; here are cases that can be computed by hand.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init s.db >out 2>err
put() { sqlite3 s.db "INSERT INTO documents(id, url, title, text) VALUES ($1, '$2', '$3', '$4')"; }
put 1 https://a.example/one 'solar' 'solar panel one, which has many words about roofs and houses'
put 2 https://b.example/one 'solar' 'solar panel one, which has many words about roofs and houses'
put 3 https://a.example/two 'other' 'solar panel two'
put 4 https://a.example/three 'third' 'wind turbine'
"$program" run --quiet s.db >out 2>err && "$program" index --quiet s.db >out 2>err
printf '[filter]\nrepresentative_b:true\n' >hide.rules
printf 'solar\n# a comment\nturbine\nroofs\n' >queries.txt
ask() { "$program" search s.db --queries queries.txt --judgements j.tsv --json "$@" >out 2>err; }
# figures SIDE QUERY-NUMBER
figures() { jq -c --arg s "$1" ".queries[$2][\$s] | [.ndcg_10, .reciprocal_rank] | map(. * 10000 | round)" out; }

order=$("$program" search s.db solar --json 2>err | jq -c '[.results[].id]')
equal 'the order of the hits' '[1,2,3]' "$order"
printf 'solar\thttps://a.example/two\t2\nsolar\thttps://b.example/one\t1\nturbine\thttps://a.example/three\t1\n' >j.tsv
# by hand: the cluster of 1 and 2 has grade 1, the second hit of it 0, document 3 has 2: (1 + 0 + 2/log2(4)) / (2 + 1/log2(3))
ask; equal 'grades of a cluster count once, at its first hit' '[7602,10000]' "$(figures a 0)"
equal 'one judged document, which is found' '[10000,10000]' "$(figures a 1)"
jq -e '.queries[2].a | has("ndcg_10") | not' out >/dev/null && [ "$(jq .judged.queries out)" = 2 ]
is $? 'a query without judgements has no figures and is not in the means'
equal 'the mean' 8801 "$(jq '.judged.a.ndcg_10.mean * 10000 | round' out)"
ask --compare hide.rules; equal 'without the copy the other document is second: (1 + 2/log2(3)) / (2 + 1/log2(3))' '[8597,10000]' "$(figures b 0)"
equal 'the paired difference of two queries' '[498,-5826,6821]' "$(jq -c '.judged.difference.ndcg_10 | [.mean, .low, .high] | map(. * 10000 | round)' out)"
equal 'duplicates in the first 10' '[0,-0.3333]' "$(jq -c '[.judged.b.duplicates_in_10.mean, (.queries[0] | .b.duplicates_in_10 - .a.duplicates_in_10 | . * 10000 | round / 10000)]' out)"
printf '[filter] representative_b:false\n' >copies.rules
ask --rules copies.rules; equal 'a copy whose representative is no hit has the grade of their cluster: 1 / (2 + 1/log2(3))' '[3801,10000]' "$(figures a 0)"
"$program" search s.db --queries queries.txt --judgements j.tsv --compare hide.rules >out 2>err
has 'the table has nDCG and the reciprocal rank' '0.7602 1.0000'
has 'queries without judgements have none' '- -'
has 'the difference with its interval' 'B - A nDCG@10 +0.0498 -0.5826 to +0.6821'
printf 'solar\thttps://a.example/three\t1\n' >j.tsv
ask; equal 'a judged document that is not a hit' '[0,0]' "$(figures a 0)"
jq -e '.judged.a.ndcg_10 == {"mean": 0}' out >/dev/null
is $? 'one judged query has no interval'

# ---- what does not fit together
printf 'solar\thttps://a.example/one\t1\nsolar\thttps://a.example/nowhere\t3\nno such query\thttps://a.example/one\t1\n' >j.tsv
ask; equal 'a URL that is not in the store is left out' '[10000,10000]' "$(figures a 0)"
matches 'and named' "j.tsv:2: 'https://a.example/nowhere' is not in the store" err
matches 'a judged query that is not in the file of queries is named' "j.tsv: the query 'no such query' was not searched" err
for i in 1 2 3 4 5 6 7; do printf 'solar\thttps://a.example/no%s\t1\n' $i; done >j.tsv
ask && [ "$(grep -c 'is not in the store' err)" = 5 ] && grep -q '7 judged URLs are not in the store' err && [ "$(jq .judged.queries out)" = 0 ]
is $? 'many of them are counted'
subcommand=search
printf 'solar\tu\t1\nsolar u 1\n' >bad.tsv
refuses 'a wrong line: exit 65' 65 'bad.tsv:2: a line is query TAB URL TAB grade' s.db --queries queries.txt --judgements bad.tsv
printf 'solar\tu\tgood\n' >bad.tsv
refuses 'a wrong grade: exit 65' 65 'bad.tsv:1: the grade is not a whole number from 0 to 100' s.db --queries queries.txt --judgements bad.tsv
: >empty.tsv
for file in empty.tsv none.tsv; do
    "$program" search s.db --queries queries.txt --judgements $file --json >out 2>err && grep -q "$file: there are no judgements yet" err && [ "$(jq .judged.queries out)" = 0 ]
    is $? "$file: no judgements yet"
done
refuses 'a folder: exit 65' 65 'Is a directory' s.db --queries queries.txt --judgements .
refuses 'judgements need queries: exit 64' 64 '--queries FILE' s.db solar --judgements j.tsv
exit $failed
