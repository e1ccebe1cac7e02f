#!/bin/bash
# wings: import lab
# `sweep` judges the stored signatures with each value of a setting: the counts are those of dry runs, and what is lost is what `evaluate --findable`
# measures of the verdict. It lists the pairs nearest to a value, asks for labels, and recommends the value that they fit.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# forty pages, of which page i has i words of its own in the place of the first one's hundred and fifty; every third has its title
"$program" init s.db >out 2>err && "$program" import --quiet s.db "$source/tests/golden/sample/crawl.jsonl" 2>err
python3 -c '
import json
for i in range(40):
    words = [f"word{k}" if k >= 3 * i else f"own{i}of{k}" for k in range(150)]
    print(json.dumps({"url": f"https://page{i}.example/", "title": "one title" if i % 3 == 0 else f"title {i}", "text": " ".join(words)}))
' | "$program" import --quiet s.db - 2>err
"$program" run --quiet s.db >out 2>err
sum=$(sha256sum s.db)
sweep() { "$program" sweep s.db "$@" >out 2>err </dev/null; }

succeeds 'a range with a step' sweep alignment.threshold=.5...95/.15 --json
holds '[v["value"] for v in d["values"]] == [.5, .65, .8, .95] and [v["present"] for v in d["values"]] == [False, False, True, False]' 'the present value is one of them, and marked'
cp out swept
agrees=0
for value in 0.5 0.65 0.8 0.95; do
    "$program" run --dry-run --stored --json --set guard.max_hidden=1 --set alignment.threshold=$value s.db >tried 2>err
    [ "$(jq '[.hidden, .detectors.near.copies, .detectors.verdict.groups]' -c tried)" = "$(jq -c ".values[] | select(.value == $value) | [.hidden, .near, .clusters]" swept)" ] || agrees=1
done
is $agrees 'hidden documents, near-duplicates and clusters are those of dry runs'
succeeds 'they differ with the value' [ "$(jq '[.values[].near] | unique | length' swept)" -gt 2 ]
"$program" evaluate --findable --detectors exact --json s.db >found 2>err
[ "$(jq -c '.findable[] | select(.name == "verdict") | [.hidden_own_text, .lost, .things, .substitutions]' found)" = \
    "$(jq -c '.values[] | select(.present) | [.hidden_own_text, .lost, .things, .substitutions]' swept)" ]
is $? 'what is lost and substituted is what evaluate measures of the verdict'
sweep alignment.threshold=.5...95/.15 --json --jobs 1 && cmp -s out swept && sweep alignment.threshold=.5...95/.15 --json --jobs 4 --memory 16M && cmp -s out swept
is $? 'any number of threads gives the same'
sweep alignment.threshold=.5...95/.15 --csv && [ "$(sed 1d out | cut -d, -f1,4 | tr '\n' ' ')" = "$(jq -j '.values[] | "\(if .value == 0.5 then "0.50" elif .value == 0.8 then "0.80" else .value end),\(.hidden) "' swept)" ]
is $? 'CSV has the same rows'
sweep copy.margin=0...4 && grep -q '^ *> 0.05 ' out && [ "$(grep -c '^ *\(> \)\?0\.[0-9]* ' out)" = 41 ] && [ "$(wc -L <out)" -le 80 ]
is $? 'a range alone has steps of its own'
equal 'counts' '[1,64]' "$(sweep near.candidates=1..64/63 --json && jq -c '[.values[].value]' out)"

# ---- errors
fails() { # STATUS WORDS ARGUMENT...
    local status=$1 words=$2
    shift 2
    sweep "$@"
    [ $? = "$status" ] && grep -qF -- "$words" err
    is $? "$words"
}
fails 64 'near.min_words = 1 needs other signatures' near.min_words=1..40
fails 64 'guard.max_group does not decide what is a duplicate' guard.max_group=2..40
fails 64 'near.join is not a number' near.join=0..1
fails 64 "did you mean 'alignment.threshold'?" alignment.treshold=0..1
fails 64 'HIGH is more than 1' alignment.threshold=.5..2
for step in 0 .5 x; do fails 64 'with a STEP within the range' alignment.threshold=.6...9/$step; done
fails 64 'is not a similarity from 0 to 1' alignment.threshold --pairs 5
for option in --json '--pairs .8' '--labels l.tsv'; do fails 64 '--csv goes without' alignment.threshold --csv $option; done
fails 64 '--ask without --json' alignment.threshold --pairs .8 --labels l.tsv --ask --json
for range in .8 .8.. ..9 x...9 .5..x .9...5; do fails 64 'is not LOW..HIGH or LOW..HIGH/STEP' alignment.threshold=$range; done
fails 64 'more than 200 values' alignment.threshold=0..1/.001
fails 64 'no values are given: copy.margin=LOW..HIGH' copy.margin
for option in '--pairs .8' '--labels l.tsv'; do
    fails 64 'not about copy.margin' copy.margin=0..1 $option
    fails 64 'pairs and labels need near.join = representative' alignment.threshold --set near.join=link $option
    fails 64 '--ask needs --pairs VALUE and --labels FILE' alignment.threshold --ask $option
done
printf 'https://page1.example/\tone\n' >clusters.tsv
fails 65 'labels of pairs are needed' alignment.threshold --labels clusters.tsv
cp s.db other.db && "$program" run --quiet --set near.min_words=3 other.db >out 2>err
check 'signatures of other settings' 65 '*not those of these settings*' sweep other.db alignment.threshold
"$program" init --quiet unsigned.db && "$program" import --quiet unsigned.db "$source/tests/golden/sample/crawl.jsonl" 2>err
check 'no signatures' 65 "*unsigned.db: its signatures are not complete*" sweep unsigned.db alignment.threshold

# ---- pairs and labels
sweep alignment.threshold --pairs .8 --json
holds 'len(d["pairs"]) == 12 and (lambda far: far == sorted(far))([abs(p["similarity"] - .8) for p in d["pairs"]])' 'twelve pairs, the nearest first'
holds 'all(p["passages"] and p["a"]["url"] != p["b"]["url"] for p in d["pairs"]) and d["pairs"][0]["b"]["title"] == "one title"' 'with titles and with what differs'
asked() { "$program" sweep s.db alignment.threshold --pairs "$1" --labels l.tsv --ask >out 2>err; }
: >l.tsv
printf 'y\nn\n\nq\n' | asked .8 && [ "$(cut -f3 l.tsv | tr '\n' ' ')" = '1 0 ' ] && grep -q '^2 labels: a recommendation needs 12' out
is $? 'answers become labels; an empty line skips a pair'
printf 'http://a.example/\thttp://b.example/\t1' >open.tsv
printf 'y\nq\n' | "$program" sweep s.db alignment.threshold --pairs .8 --labels open.tsv --ask >out 2>err && [ "$(wc -l <open.tsv)" = 2 ] && grep -qx 'http://a.example/.http://b.example/.1' open.tsv
is $? 'a file whose last line has no end gets one'
cut -f1,2 l.tsv >known
"$program" sweep s.db alignment.threshold --pairs .8 --labels l.tsv --json >out 2>err && ! jq -r '.pairs[] | [.a.url, .b.url] | @tsv' out | grep -qFf known
is $? 'pairs with a label are not listed again'
rm l.tsv
for value in .8 .95 .6; do # a person for whom pages of .85 are the same
    "$program" sweep s.db alignment.threshold --pairs $value --json >pairs 2>err
    jq -r '.pairs[:8][] | if .similarity >= 0.85 then "y" else "n" end' pairs | asked $value
done
recommended=$("$program" sweep s.db alignment.threshold --labels l.tsv --json 2>err | jq -c '.answers.recommended | [.value > 0.81 and .value < 0.9, .low <= .value and .value <= .high, .right >= .right_now]')
got 'they recommend the value that separates them' "$recommended" '[true,true,true]'
sweep alignment.threshold=.8...9 --labels l.tsv && grep -q '^recommended: alignment.threshold = 0.8' out
is $? 'below the table, too'
sweep alignment.threshold --pairs .8 --labels missing.tsv && [ ! -e missing.tsv ] && printf 'y\n' | "$program" sweep s.db alignment.threshold --pairs .8 --labels no/l.tsv --ask >out 2>err
[ $? = 74 ] && grep -q 'write no/l.tsv' err
is $? 'a missing file has no labels yet; one that cannot be written is an error'
got 'the store is as it was' "$(sha256sum s.db)" "$sum"
exit $failed
