#!/usr/bin/env bash
# wings: import
# What hiding does to a user: of made sites, whose copies are known, no thing is lost and few copies stay visible.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 0; }

# Per cent of the things, and of the copies, that may be lost and visible.
MAX_LOST=0.5
MAX_VISIBLE=6

made() { "$source/scripts/made-sites" "$@" 2>"$work/err"; }

# The program that counts, on six pages whose flags are plain: equal texts are copies, and the truth says of which thing.
rows='{"url": "https://a.example/1", "title": "Tide", "text": "High water comes at six, low water at noon."}
{"url": "https://a.example/2", "title": "Tide", "text": "High water comes at six, low water at noon."}
{"url": "https://a.example/3", "title": "Boat", "text": "Seven boats lie in the harbour today."}
{"url": "https://a.example/4", "title": "Boat", "text": "Seven boats lie in the harbour today."}
{"url": "https://a.example/5", "title": "Tower", "text": "The tower can be climbed from May on."}
{"url": "https://b.example/6", "title": "Tower", "text": "From May on one can climb to the top and look over the bay."}'
printf '%s\n' "$rows" >plain.jsonl
"$TWINDEX" init plain.db >/dev/null && "$TWINDEX" import -q plain.db plain.jsonl >/dev/null && "$TWINDEX" run -q --force plain.db >/dev/null
is $? "a store of six pages is made"
printf 'url\tthing\tform\nhttps://a.example/%s\tk/en/v/a/%s\t%s\n' 1 1 page >truth.tsv
printf 'https://%s.example/%s\tk/en/v/a/%s\t%s\n' a 2 2 page a 3 3 page a 4 3 print a 5 4 page b 6 4 mirror >>truth.tsv
"$source/scripts/hidden-things" plain.db truth.tsv --json >out 2>err
is $? "hidden-things reads the flags"
counted() { python3 -c "import json; a = json.load(open('out'))['all']; print(*(a[k] for k in ('things', 'lost', 'strayed', 'copies', 'visible')))"; }
equal "one of four things is lost, one of two copies visible" "4 1 0 2 1" "$(counted)"
"$source/scripts/hidden-things" plain.db truth.tsv --max-lost 24 >out 2>err
equal "more lost things than --max-lost end with 1" 1 $?
"$source/scripts/hidden-things" plain.db truth.tsv --max-visible 49 >out 2>err
equal "more visible copies than --max-visible end with 1" 1 $?
"$source/scripts/hidden-things" plain.db truth.tsv --max-lost 25 --max-visible 50 >out 2>err
is $? "as many as the limits end with 0"

made again.jsonl again.tsv --seed 1 --size small
for seed in 1 2; do
    succeeds "sites are made, seed $seed" made "$seed.jsonl" "$seed.tsv" --seed "$seed" --size small
    equal "each page has its truth, seed $seed" "$(wc -l <"$seed.jsonl")" "$(tail -n +2 "$seed.tsv" | cut -f1 | sort -u | wc -l)"
    "$TWINDEX" init "$seed.db" >/dev/null && "$TWINDEX" import -q "$seed.db" "$seed.jsonl" >/dev/null && "$TWINDEX" run -q --force "$seed.db" >/dev/null
    is $? "the sites are imported and judged, seed $seed"
    "$source/scripts/hidden-things" "$seed.db" "$seed.tsv" --examples 5 --max-lost "$MAX_LOST" --max-visible "$MAX_VISIBLE" >out 2>err
    is $? "at most $MAX_LOST % of the things are lost and $MAX_VISIBLE % of the copies visible, seed $seed"
    grep -E '^(all|  *[0-9])' out
done
cmp -s again.jsonl 1.jsonl && cmp -s again.tsv 1.tsv
is $? "the same seed makes the same bytes"
! cmp -s 1.tsv 2.tsv
is $? "another seed makes other sites"
exit $failed
