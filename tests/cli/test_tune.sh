#!/bin/bash
# `tune` tries all combinations of values for the numbers of a rules file and prints the best by nDCG. Its figures are those of
# `search --judgements` with the values written into the file.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init s.db >out 2>err
put() { sqlite3 s.db "INSERT INTO documents(id, url, title, text) VALUES ($1, 'https://$2.example/', '$3', '$4')"; }
put 1 a solar 'solar panel one, which has many words about roofs and houses'
put 2 b solar 'solar panel one, which has many words about roofs and houses'
put 3 c other 'a solar panel on a roof, with two other words'
put 4 d wind 'wind turbine, not solar'
put 5 e water 'water wheel and wind'
"$program" run --quiet s.db >out 2>err && "$program" index --quiet s.db >out 2>err
cat >my.rules <<'R'
[numbers] title 10   # of the columns
          copies 0
[boost]   representative_b:true^$copies
[fields]  title^$title text^1
R
printf 'solar\nwind\nnothing of this\n' >queries.txt
printf 'solar\thttps://c.example/\t3\nsolar\thttps://a.example/\t1\nwind\thttps://e.example/\t2\n' >j.tsv
tune() { "$program" tune s.db --rules my.rules --queries queries.txt --judgements j.tsv "$@" >out 2>err; }

succeeds 'twelve combinations' tune --vary title=0,1,10,100 --vary copies=0,-5,2.5 --json --limit 0
holds 'd["combinations"] == 12 and len(d["results"]) == 12 and d["queries"] == 2 and d["file"]["values"] == {"title": 10, "copies": 0}' 'all of them are listed, and the values of the file'
holds 'sorted((r["values"]["title"], r["values"]["copies"]) for r in d["results"]) == sorted((t, c) for t in (0, 1, 10, 100) for c in (0, -5, 2.5))' 'each once'
holds '[r["ndcg_10"]["mean"] for r in d["results"]] == sorted((r["ndcg_10"]["mean"] for r in d["results"]), reverse=True) and d["best"] == d["results"][0]' 'best first'
cp out tuned
agrees=0
for i in 0 3 7 11; do
    title=$(jq ".results[$i].values.title" tuned) copies=$(jq ".results[$i].values.copies" tuned)
    sed "s/title 10/title $title/; s/copies 0/copies $copies/" my.rules >one.rules
    "$program" search s.db --queries queries.txt --judgements j.tsv --rules my.rules --compare one.rules --json >out 2>err &&
        [ "$(jq -c '.judged | [.b.ndcg_10.mean, .b.mrr.mean, .b.duplicates_in_10.mean, .difference.ndcg_10.mean, .difference.ndcg_10.low]' out)" = "$(jq -c ".results[$i] | [.ndcg_10.mean, .mrr.mean, .duplicates_in_10.mean, .change.mean, .change.low]" tuned)" ] && agrees=$((agrees + 1))
done
equal 'search has the same figures for files with these values' 4 $agrees
tune --vary title=0,1,10,100 --vary copies=0,-5,2.5 --json --limit 0 && cmp -s out tuned
is $? 'the same twice'
tune --vary title=1,10 --vary copies=0,5 --limit 1 && grep -q '(the file)' out && grep -q '^  ... and 3 more (--limit)$' out && grep -q '^best: title=.* copies=' out
is $? 'as text: the file, the best, the rest is counted'

# ---- the limit of duplicates
cat >hide.rules <<'R'
[numbers] hide 0
[function] if(sub(1,representative_b),product(-1000,$hide),0)
R
sqlite3 s.db "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 112) INSERT INTO documents(id, url, text) SELECT i, 'https://many.example/' || i, 'solar number ' || i FROM n"
"$program" run --quiet s.db >out 2>err && "$program" index --quiet s.db >out 2>err
"$program" tune s.db --rules hide.rules --vary hide=0,1 --queries queries.txt --judgements j.tsv --max-duplicates 0 --json >out 2>err
equal 'a combination with too many duplicates comes last: exit 0' '0 [1,0] [true,false]' "$? $(jq -c '[.results[].values.hide], [.results[].allowed]' out | tr '\n' ' ' | sed 's/ $//')"
"$program" tune s.db --rules hide.rules --vary hide=0 --queries queries.txt --judgements j.tsv --max-duplicates 0 >out 2>err
equal 'if all have too many: exit 1' '1 1' "$? $(grep -c '^no combination has at most 0.0 % duplicates' out)"
"$program" tune s.db --rules hide.rules --vary hide=1 --queries queries.txt --judgements j.tsv --max-duplicates 0 >out 2>err
equal 'only the file has too many: its mark is explained' '0 1 1' "$? $(grep -c '!.*(the file)$' out) $(grep -c '^! more duplicates in the first 10 than 0.0 %$' out)"

# ---- errors
subcommand=tune
all=(s.db --rules my.rules --queries queries.txt --judgements j.tsv)
refuses 'nothing is varied: exit 64' 64 '--vary NAME=LIST' "${all[@]}"
for given in '--queries queries.txt --judgements j.tsv' '--rules my.rules --judgements j.tsv' '--rules my.rules --queries queries.txt'; do
    # shellcheck disable=SC2086 # several words
    refuses "nothing but $given: exit 64" 64 '--rules, --queries and --judgements are needed' s.db $given --vary title=1
done
refuses 'an unknown number' 65 "my.rules: there is no number 'titel' in [numbers]; did you mean title?" "${all[@]}" --vary titel=1
for list in title =1 "$(printf 'x%.0s' {1..100})=1"; do
    refuses "no list: $list" 64 "--vary takes NAME=VALUE,VALUE,..., not '${list:0:100}'" "${all[@]}" --vary "$list"
done
refuses 'not a number' 64 "--vary title=1,,2: '' is not a number" "${all[@]}" --vary title=1,,2
refuses 'twice' 64 '--vary title is given twice' "${all[@]}" --vary title=1 --vary title=2
refuses 'too many combinations' 64 'more than 1000 combinations of the values of --vary: shorten the lists' "${all[@]}" --vary "title=$(seq -s, 1 40)" --vary "copies=$(seq -s, 1 30)"
refuses 'too many values' 64 '--vary title: more than 100 values' "${all[@]}" --vary "title=$(seq -s, 1 101)"
echo nonsense >bad.rules
refuses 'a wrong file of rules' 65 'bad.rules:1:1: ' s.db --rules bad.rules --queries queries.txt --judgements j.tsv --vary a=1
printf 'wheel\n' >other.txt
refuses 'no judged query' 65 'other.txt: none of its queries has judgements in j.tsv' s.db --rules my.rules --queries other.txt --judgements j.tsv --vary title=1
exit $failed
