#!/usr/bin/env bash
# wings: import lab
# twindex evaluate on the sample crawl: the same each time, on any number of threads; truth of all three kinds; what goes wrong.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
subcommand=evaluate

# evaluate OUT ARGUMENT...
evaluate() {
    local out=$1
    shift
    "$program" evaluate "$@" >"$out" 2>err </dev/null
}

# asks WHAT FILE FILTER: a condition on JSON
asks() {
    jq -e "$3" "$2" >/dev/null 2>err
    is $? "$1"
}

# seconds and speed are the machine's
steady() {
    jq -S 'del(.collection_seconds) | del(.detectors[] | .seconds, .sign_seconds, .group_seconds, .collection_seconds, .mb_per_second)' "$1"
}

succeeds 'the sample store is made' imported sample.db "$sample"
before=$(sqlite3 sample.db .dump | cksum)

succeeds 'all detectors are compared' evaluate all.json --json sample.db
evaluate again.json --json --jobs 1 sample.db
cmp -s <(steady all.json) <(steady again.json)
is $? 'a second time, and on one thread, the result is the same'
evaluate two.json --json --jobs 2 --memory 16M sample.db
cmp -s <(steady all.json) <(steady two.json) && [ "$(sqlite3 sample.db .dump | cksum)" = "$before" ]
is $? 'on two threads and with little memory the result is the same, and the store is as it was'

asks 'the shape of the JSON' all.json '[.detectors[] | select(.not_evaluated | not) |
    [.recall, .precision, .f, .pairs, .groups, .largest_group, .seconds, .mb_per_second] | all(type == "number")] | all'
asks 'the detectors are those that look at texts' all.json '[.detectors[].name] | contains(["exact", "profile"]) and (index("scheme") | not)'
asks 'precision of exact is 1' all.json '.detectors[] | select(.name == "exact") | .precision == 1 and .precision_low == 1'
asks 'recall of exact is below 1: there are near copies' all.json '.detectors[] | select(.name == "exact") | .recall < 1'
asks 'Dice is symmetric, and 1 of a detector with itself' all.json '.dice as $d | [$d | keys[] as $a | $d | keys[] as $b |
    $d[$a][$b] == $d[$b][$a] and ($d[$a][$a] == 1 or $d[$a][$a] == null)] | all'
asks 'F is the harmonic mean' all.json '[.detectors[] | select(.f and .recall + .precision > 0) |
    (2 * .recall * .precision / (.recall + .precision) - .f) | fabs < 0.00001] | all'
asks 'every pair was compared' all.json '.sample | .share == 1 and .verified == .pool'
# exact pairs as SQL counts them
cp sample.db marked.db && "$program" run --quiet --force marked.db >out 2>err
pairs=$(sqlite3 marked.db "SELECT sum(n * (n - 1) / 2) FROM
    (SELECT count(*) AS n FROM flagged_documents WHERE text <> '' AND indexable_b GROUP BY text)")
asks 'exact finds the pairs that SQL finds' all.json ".detectors[] | select(.name == \"exact\") | .pairs == $pairs"

evaluate table --detectors exact,profile,exact --save saved.json sample.db && grep -q '^  exact .* 1\.000 ' table && ! grep -q simhash table
is $? 'two detectors, one named twice: the table has their rows'
grep -q '^Dice' table && grep -q "Spearman's rho" <(evaluate /dev/stdout --detectors all sample.db)
is $? 'Dice matrix and the comparison with the published ranking'
asks 'the saved file is the same as JSON' saved.json '[.detectors[].name] == ["exact", "profile"]'
evaluate short sample.db && ! grep -q Dice short && [ "$(LC_ALL=C.UTF-8 wc -L <short)" -le 80 ] &&
    [ "$(awk '/^  method/ { on = 1; next } !NF { on = 0 } on { print $1 }' short | sort | paste -sd ' ')" = "$(jq -r '[.detectors[] | select(.f)] | sort_by(-.f) |
        (map(select(.name == "alignment" or .name == "exact" or .name == "profile")) + map(select(.name != "alignment" and .name != "exact" and .name != "profile"))[:1])[].name' all.json | sort | paste -sd ' ')" ]
is $? 'without a list: the methods that flags are made of, and the best other one, in 80 columns'
awk '/^  method/ { on = 1; last = 2; next } !NF { on = 0 } on { if ($2 > last) exit 1; last = $2 }' short && grep -q "^recommended, from $(jq .sample.verified all.json) compared pairs: near.detector = $(jq -r '[.detectors[] | select(.f)] | max_by(.f).name' all.json)$" short &&
    grep -q '^  with alignment.threshold = 0.80 (as configured)$' short && grep -q '^  lexrand, the next one, has F 0\.' short
is $? 'the best first; it ends with a recommendation: method, threshold and how certain it is'
evaluate page.html --html --detectors exact,profile sample.db && grep -q '<td>1.000</td>' page.html && grep -q '^</html>' page.html
is $? 'a page of HTML'
evaluate few.json --json --sample 3 sample.db
asks 'a sample has intervals' few.json '(.sample.verified < .sample.pool) and ([.detectors[] | .recall_high? // 0 | . > 0] | any)'

# ---- labels: u0 to u2 share a text, u3 has another
sqlite3 sample.db "SELECT url FROM documents WHERE text = (SELECT text FROM documents WHERE text <> '' GROUP BY text
    ORDER BY count(*) DESC LIMIT 1) ORDER BY id LIMIT 3" >urls
sqlite3 sample.db "SELECT url FROM documents WHERE length(text) > 0 AND text NOT IN
    (SELECT text FROM documents WHERE url = '$(head -1 urls)') ORDER BY id LIMIT 1" >>urls
mapfile -t u <urls
printf '%s\t%s\t1\n%s\t%s\t0\n%s\t%s\t1\n%s\thttp://nowhere.test/\t1\n' "${u[0]}" "${u[1]}" "${u[0]}" "${u[3]}" "${u[2]}" \
    "${u[3]}" "${u[0]}" >pairs.tsv
evaluate pairs.json --json --detectors exact --truth pairs.tsv sample.db && grep -qF 'http://nowhere.test/' err
is $? 'truth by labelled pairs; a URL that is not in the store is warned of'
asks 'only labelled pairs count' pairs.json '.detectors[0] | .recall == 0.5 and .precision == 1 and .recall_low < 0.5'
asks 'URLs that are not in the store are counted and named' pairs.json \
    '.labels | .pairs == 3 and .skipped_pairs == 1 and .unknown_urls == 1 and .unknown == ["http://nowhere.test/"]'
printf '%s\tred\n%s\tred\n%s\tblue\n%s\tblue\n' "${u[0]}" "${u[1]}" "${u[2]}" "${u[3]}" >clusters.tsv
evaluate short --truth pairs.tsv sample.db && grep -q '^no recommendation: 3 labelled pairs are known, 12 or more are needed$' short &&
    sqlite3 -separator $'\t' sample.db "SELECT a.url, b.url, a.text = b.text FROM documents AS a JOIN documents AS b ON b.id > a.id
    WHERE a.text <> '' AND b.text <> '' AND a.id < 5 AND b.id < 9" >more.tsv
evaluate short --truth more.tsv sample.db && grep -q '^recommended, from [0-9]* labelled pairs: near.detector = ' short && grep -q 'is within the uncertainty$' short
is $? 'three labels recommend nothing, twelve do, and their interval is wide'
succeeds 'truth by clusters' evaluate clusters.json --json --detectors exact --truth clusters.tsv sample.db
asks 'pairs in and across clusters count' clusters.json '.detectors[0] | .recall == 0.5 and .precision == 0.333333'
asks 'and means over clusters' clusters.json '.detectors[0].cluster_means | .recall == 0.5 and .precision == 0.166667'

# ---- the table and the page say what the JSON says
# described FILE WHAT: the sentences before the first table of a text or a page have these words
described() {
    sed 's/<br>/\n/g; s/<[^>]*>//g' "$1" | grep -qF -e "$2"
}
for form in text html; do
    option=$([ $form = html ] && echo --html)
    evaluate "labels.$form" ${option:+"$option"} --detectors exact,profile --truth pairs.tsv sample.db &&
        described "labels.$form" 'truth: pairs.tsv, 3 labelled pairs (1 more concern what is not in the store)' &&
        described "labels.$form" '1 URL is not in the store, 0 have no text there' && described "labels.$form" 'not in the store: http://nowhere.test/'
    is $? "labelled pairs as $form"
    evaluate "clusters.$form" ${option:+"$option"} --detectors exact,profile --truth clusters.tsv sample.db &&
        described "clusters.$form" 'truth: clusters.tsv, 4 URLs in 2 clusters, 2 pairs within them' &&
        sed 's/<[^>]*>/ /g' "clusters.$form" | tr -s ' ' | grep -A 4 'means over clusters' | grep -q '^ *exact 0\.500 .*0\.167'
    is $? "clusters as $form, with the means over them"
    evaluate "sampled.$form" ${option:+"$option"} --sample 3 sample.db && described "sampled.$form" "$(jq .sample.verified few.json) pairs compared"
    is $? "a sample as $form"
done
[ "$(sed 's/<[^>]*>/ /g' clusters.html | grep -A 40 'means over clusters' | grep -oE '[01]\.[0-9]{3}' | head -6 | paste -sd ' ')" = \
    "$(grep -A 40 'means over clusters' clusters.text | grep -oE '[01]\.[0-9]{3}' | head -6 | paste -sd ' ')" ]
is $? 'the table and the page have the same figures'

# ---- documents that take part only: a copy of each page with status 404 changes nothing but the counts
cp sample.db missing.db
sqlite3 missing.db "INSERT INTO documents(url, title, text, http_status)
    SELECT url || '?gone', title, text, 404 FROM documents WHERE text <> ''"
evaluate plain.json --json --detectors exact,alignment sample.db
evaluate missing.json --json --detectors exact,alignment missing.db
cmp -s <(steady plain.json | jq 'del(.store, .documents, .not_taking_part)') \
    <(steady missing.json | jq 'del(.store, .documents, .not_taking_part)')
is $? 'documents that do not take part change no figure'
asks 'and are counted' missing.json '.not_taking_part > 50'

# ---- hidden wrongly, duplicates left visible: judged by a plain program over the groups of a run
asks 'every hidden document of the method was looked at' plain.json '.detectors[] | select(.name == "alignment") | .hiding |
    .hidden > 2 and .hidden_sampled == .hidden and .visible_sampled == .visible and .visible > 10'
evaluate none.json --json --detectors alignment --hidden 0 sample.db
asks '--hidden 0 leaves it out' none.json '.detectors[0] | has("hiding") | not'
evaluate seeded.json --json --detectors alignment --hidden 2 --seed 7 sample.db
asks 'a sample has an interval' seeded.json '.detectors[0].hiding | .hidden_sampled == 2 and .hidden_below_high > .hidden_below'
evaluate low.json --json --detectors alignment --set alignment.threshold=0.4 sample.db
asks 'a lower threshold is the threshold of the figures' low.json '.threshold == 0.4'

# ---- findable: against the plain script
cp sample.db found.db
evaluate early.json --json --findable --detectors exact found.db && grep -qF 'no run has published flags yet' err
is $? 'without a run the methods alone are compared'
"$program" run --quiet --force found.db >out 2>err && "$program" index --quiet found.db >out 2>err
is $? 'a run and a text index'
succeeds 'what is findable' evaluate found.json --json --findable --hidden 0 found.db
for relation in near verdict; do
    "$source/scripts/findable-plain.py" found.db --json --examples 0 --relation "$relation" >plain-found.json 2>err
    is $? "the plain script on $relation"
    cmp -s <(jq -c '[.hidden_own_text, .hidden_own_text - .without_title, .lost / ((.hidden_own_text - .without_title) | if . == 0 then 1 else . end) * 1e6 | round]' plain-found.json) \
        <(jq -c ".findable[] | select(.name == \"$relation\") | [.hidden_own_text, .sampled, (.lost // 0) * 1e6 | round]" found.json)
    is $? "the program counts as the plain script does: $relation"
    with_extension "$source/scripts/findable-plain.py" found.db --json --examples 0 --relation "$relation" --search --extension "$(dirname "$program")/twindex.so" >plain-search.json 2>err
    cmp -s <(jq -c '.search | [.searched, .found, .shared_titles, .others_found, (.mean_of_titles * 1e6 | round)]' plain-search.json) \
        <(jq -c ".findable[] | select(.name == \"$relation\") | [.searched, (.found // 0) * .searched, .shared, (.others_found // 0) * (.searched - .shared), .titles_found * 1e6] | map(round)" found.json)
    is $? "and finds as many titles: $relation"
done
asks 'relations and methods are in one table' found.json '[.findable[].name] | contains(["near", "verdict", "tf", "alignment"])'
asks 'titles were searched' found.json '.text_index and (.findable[] | select(.name == "near") | .searched == .sampled)'
asks 'exact hides nothing that has a text of its own' found.json '.findable[] | select(.name == "exact") | .hidden_own_text == 0'
evaluate table --findable --detectors tf found.db && grep -q 'title word lost' table && grep -q '^  tf ' table
is $? 'the table of what is findable'
printf 'mirror\thttp://nothing.test/\thttp://nowhere.test/\n' >known.tsv
evaluate known.json --json --findable --detectors exact --known known.tsv found.db
asks 'known copies that are not in the store' known.json '.known == 0 and .findable[0].known_visible == null'

# words of texts: of four hidden documents one has another word, one another date, one more words, one fewer
python3 - >words.jsonl <<'PYTHON'
import json, random
draw = random.Random(5)
def put(number, old, new):
    words = ["".join(draw.choices("abcdefghij", k=7)) for _ in range(60)]
    for url, at in (f"https://w.example/{number}", old), (f"https://w.example/copies/{number}", new):
        print(json.dumps({"url": url, "title": f"Page {number}", "text": " ".join(words[:30] + [at] + words[30:]) + "."}))
put(1, "is in Dresden with", "is in Leipzig with")
put(2, "read on 5 May", "read on 12 June")
put(3, "begins", "begins, and then we go on,")
put(4, "ends, and then we go home,", "ends")
PYTHON
"$program" init words.db >/dev/null && "$program" import --quiet words.db words.jsonl >/dev/null
evaluate words.json --json -v --findable --hidden 0 --detectors alignment words.db
succeeds '-v names the words that are substituted' grep -qF "substitutes 'Leipzig' where the representative has 'Dresden': https://w.example/copies/1 https://w.example/1" err
asks 'words that are substituted, numbers, and texts that have more' words.json '.findable[0] |
    [.compared, .things * 4, .substitutes * 4, .substitutions, .one_way * 4] == [4, 1, 2, 1, 1]'
evaluate table --findable --hidden 0 --detectors alignment words.db && grep -q ' words substituted .* one way ' table
is $? 'the table has them'

# a mirror whose pages differ by a word, by all words, and not at all; exact leaves the first pair visible, alignment joins it
python3 - >mirror.jsonl <<'PYTHON'
import json, random
draw = random.Random(3)
def text(): return " ".join("".join(draw.choices("abcdefghijklmnop", k=6)) for i in range(200))
first, same = text(), text()
for host, texts in (("a", (first, text(), same)), ("b", (first + " changed", text(), same))):
    for n, body in enumerate(texts, 1):
        print(json.dumps({"url": "http://%s.test/%d" % (host, n), "title": "Page %d" % n, "text": body}))
for url in "b.test/4", "a.test/5", "b.test/5": print(json.dumps({"url": "http://" + url, "title": "Page of " + url, "text": text()}))
PYTHON
"$program" init --quiet mirror.db && "$program" import --quiet mirror.db mirror.jsonl && "$program" run --quiet --force mirror.db && "$program" index --quiet mirror.db
printf '# hosts\nmirror\thttp://a.test/\thttp://b.test/\nmirror\thttp://b.test/\thttp://b.test/\nversion\thttp://a.test/1\thttp://b.test/2\n' >known.tsv
evaluate known.json --json --findable --hidden 0 --detectors exact,alignment --known known.tsv mirror.db
asks 'known copies: pages of one title, their texts differ' known.json '.known == 2'
asks 'those that are alike are visible where no method joins them' known.json \
    '[.findable[] | select(.name == "exact" or .name == "alignment") | [.name, .known_sampled, .known_visible]] | sort == [["alignment", 1, 0], ["exact", 1, 1]]'

# ---- what goes wrong
printf 'mirror\thttp://a.test/\n' >known.tsv
refuses 'a bad line of known copies' 65 'known.tsv:1: not' --findable --detectors exact --known known.tsv found.db
refuses 'known copies that are not there' 66 'gone.tsv' --findable --detectors exact --known gone.tsv found.db
refuses 'a number of hidden documents that is not one' 64 "--hidden: 'all' is not a number" --hidden all sample.db
refuses 'a seed that is not a number' 64 "--seed: 'x' is not a number" --seed x sample.db
printf '%s\t%s\tperhaps\n' "${u[0]}" "${u[1]}" >bad.tsv
refuses 'a bad line of labels' 65 'bad.tsv:1: the third field' --truth bad.tsv sample.db
: >empty.tsv
refuses 'no labels' 65 'empty.tsv has no labels' --truth empty.tsv sample.db
refuses 'a file of labels that is not there' 66 'missing.tsv' --truth missing.tsv sample.db
refuses 'a mistyped detector' 64 'did you mean profile?' --detectors exact,profil sample.db
refuses 'a detector of URLs' 64 'scheme does not compare texts' --detectors scheme sample.db
refuses 'an empty name' 64 'a name is missing' --detectors exact, sample.db
refuses 'a sample that is not a number' 64 "--sample: 'many' is not a number" --sample many sample.db
refuses 'a store that is not there' 66 'none.db' none.db
refuses 'a file that cannot be made' 73 'create /nowhere/x.json' --save /nowhere/x.json sample.db
check 'a full disk' 74 '*/dev/full*' evaluate --detectors exact --save /dev/full sample.db

"$program" init empty.db >/dev/null
succeeds 'an empty store' evaluate empty.json --json empty.db
asks 'has nothing to tell' empty.json '.texts == 0 and ([.detectors[] | .f] | all(. == null))'
exit $failed
