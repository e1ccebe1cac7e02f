#!/usr/bin/env bash
# wings: import predict lab
# without sanitizers: its subject is how good predictions are; test_predict runs the same commands
# What prediction does to new pages: of sites whose pages differ in one part of the URL (thing_sites.py), one half is learned, the
# other asked for. No new page is called a duplicate; URLs of known ones are recognised.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
[ -z "$quick" ] || { echo 'skipped: it takes 20 seconds (set TWINDEX_LONG_TESTS=some)'; exit 0; }

# made FOLDER THINGS SEED [all]: stores of the first half (learned) and of both (all), with flags; the first one is learned
made() {
    mkdir "$1" && python3 "$source/tests/cli/thing_sites.py" "$1" "$2" "$3" || return
    for store in learned ${4:-}; do
        "$program" init "$1/$store.db" >/dev/null && "$program" import --quiet "$1/$store.db" "$1/$store.jsonl" &&
            "$program" run --quiet --force "$1/$store.db" >out 2>err || return
    done
    "$program" learn --quiet "$1/learned.db" >out 2>err
}

# The judge: what the filter lets through, and the thing of each URL.
cat >judge.py <<'PYTHON'
import sys
folder, asked = sys.argv[1:3]
kept = set(open("kept").read().split("\n"))
known = {line.split("\t")[1].rstrip("\n") for line in open(folder + "/learned.tsv")} if asked == "again" else set()
new, called, copies, skipped = set(), 0, 0, 0
for line in open("%s/%s.tsv" % (folder, asked)):
    url, thing = line.rstrip("\n").split("\t")
    if thing in known:
        copies += 1
        skipped += url not in kept
    elif url in kept:
        known.add(thing)
    else:
        called += 1
    new.add(thing)
missing = new - known
print(len(new), called, len(missing), "%.2f" % (skipped / max(copies, 1)), *sorted(missing)[:5])
PYTHON

# asked FOLDER WHICH: prints the number of things, those called duplicates although new, those that are never fetched, the share of copies skipped
asked() {
    cut -f 1 "$1/$2.tsv" | "$program" predict --filter --exploration 0 "$1/learned.db" >kept 2>err
    python3 judge.py "$1" "$2" | tee out
}

succeeds 'sixteen kinds of site with 400 things each' made many 400 1 all
read -r things called missing share _ <<<"$(asked many new)"
[ "$things" -gt 1000 ] && [ "$called $missing" = '0 0' ]
is $? "none of $things new things is called a duplicate ($called are, $missing are never fetched)"
succeeds "once a new thing was fetched, its other URLs are recognised ($share)" awk -v share="$share" 'BEGIN { exit !(share >= 0.7) }'
read -r things called missing share _ <<<"$(asked many again)"
succeeds "so are other URLs of things that were learned ($share of $things)" awk -v share="$share" 'BEGIN { exit !(share >= 0.7) }'

"$program" predict --evaluate --exploration 0 --json many/all.db >out 2>err
holds '[x["lost"] for x in d["thresholds"] + d["new_pages"]["thresholds"]] == [0] * 18' 'a replay loses nothing'
things=$(cut -f 2 many/all.tsv | sort -u | wc -l)
holds "d['unique_pages'] == d['new_pages']['unique_pages'] == $things" "its pages are the $things things"
holds '[x["wrongly_skipped"] for x in d["new_pages"]["thresholds"] if x["threshold"] >= 0.98] == [0] * 3' 'no new page is skipped'
holds '[x["copies_skipped_share"] >= share for p, share in ((d, .7), (d["new_pages"], .6)) for x in p["thresholds"] if x["threshold"] == .98] == [True] * 2' \
    'seven of ten copies are skipped, and of new pages six'

# the rules, by Python's regular expressions, over all URLs of both halves
"$program" predict --rules many/learned.db >rules 2>err
python3 - many/things.tsv >out 2>err <<'PYTHON'
import re, sys
rules = []
for line in open("rules"):
    if line.strip() and not line.startswith("#"):
        parts = re.split(r"(?<!\\)/", line.strip())
        rules.append((re.compile(parts[1].replace("\\/", "/")), parts[2].replace("$1", r"\g<1>")))
things = {}
for line in open(sys.argv[1]):
    url, thing = line.rstrip("\n").split("\t")
    for pattern, by in rules: url = pattern.sub(by, url, count=1)
    if things.setdefault(url, thing) != thing: print("%s is %s and %s" % (url, things[url], thing))
if len(rules) < 20: print("only %d rules" % len(rules))
PYTHON
[ ! -s out ] && [ ! -s err ]
is $? 'rules make no two things equal'

succeeds 'the same with 60 things each' made few 60 3
read -r things called missing share _ <<<"$(asked few new)"
[ "$things" -gt 500 ] && [ "$called $missing" = '0 0' ]
is $? "none of $things new things is called a duplicate"
! "$program" predict --rules few/learned.db 2>err | grep -E 'Clean-param: (artnr|n|u|t|date|id|title|img|cat|p)( |&)' >out
is $? 'nor is a parameter that names things in the rules'

# What is no evidence: pages without text, pages that take no part, forms of a URL, and likeness.
"$program" init bare.db >/dev/null && sqlite3 bare.db "INSERT INTO documents(url, title, text, fetched_at)
    SELECT 'http://bare.example/item?id=' || (value / 2) || '&sid=' || value, 'Item', '', 1700000000 + value FROM generate_series(0, 599)" &&
    "$program" run --quiet --force bare.db >out 2>err
"$program" predict --evaluate --json bare.db >out 2>err
holds '[(x["saved"], x["lost"]) for x in d["thresholds"] + d["new_pages"]["thresholds"]] == [(0, 0)] * 18' \
    'a store without text: nothing is saved, nothing lost'
matches 'and it says why' 'nothing can be learned: no document that takes part has a text' err
"$program" learn bare.db >out 2>err && grep -q 'nothing can be learned: no document that takes part has a text' err && grep -q '600  documents take no part or have no text' out
is $? 'so does learn'
python3 - >hidden.jsonl <<'PYTHON'
import json
for n in range(300):
    text = " ".join("w%dx%d" % (n, i) for i in range(40))
    base = "http://hidden.example/item?id=%d" % n
    for url, more in ((base, {}), (base + "&sid=%d" % n, {"robots": "noindex"}), (base + "&from=%d" % n, {"canonical_url": base})):
        print(json.dumps(dict({"url": url, "title": "Item %d" % n, "text": text}, **more)))
PYTHON
"$program" init hidden.db >/dev/null && "$program" import --quiet hidden.db hidden.jsonl && "$program" run --quiet --force hidden.db >out 2>err && "$program" learn --json hidden.db >out 2>err
holds '(d["urls"], d["no_page"], sum(x["dup"] for x in d["hypotheses"])) == (300, 600, 0)' 'noindex and canonical links are no evidence'

# A model of an earlier version learned from other evidence: it is not used, and the next run replaces it.
cp few/learned.db old.db
sqlite3 old.db 'UPDATE twindex_url_model SET fingerprint = fingerprint - 1'
refuses 'a model of an earlier version is not used' 65 "was learned by another version of twindex, with other evidence: run 'twindex learn'" predict old.db http://a/
refuses 'nor are its rules' 65 "was learned by another version" predict --rules old.db
"$program" run --quiet --force old.db >out 2>err && "$program" predict old.db http://a/ >out 2>err && [ ! -s err ]
is $? 'a run replaces it'
exit $failed
