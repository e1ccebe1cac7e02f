#!/bin/bash
# wings: import cluster
# Sections [host NAME]: which one applies, what it changes, what is refused; and that the results depend on neither history nor the number of stores.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ---- what is refused: WHAT TEXT CONFIGURATION
"$program" init empty.db >/dev/null
bad() {
    printf '%b' "$3" >bad.conf
    refuses "$1" 65 "bad.conf:$2" run --config bad.conf empty.db
}
bad 'a section without a host is refused' '1: [host]: a section names one host' '[host]\nnear.text = main\n'
bad 'a section of two hosts' '1: [host]: a section names one host' '[host a.example b.example]\n'
bad 'a host with a path' '2: [host a/b]: that is not a host' '\n[host a/b]\n'
bad 'a host without a name' '1: [host ..]: that is not a host' '[host ..]\n'
bad 'a host in other letters' '1: [host A.example]: the host is written a.example' '[host A.example]\n'
bad 'a host with a port' '1: [host a.example:8080]: that is not a host' '[host a.example:8080]\n'
bad 'an internationalised name' '1: [host bücher.example]: the host is written xn--bcher-kva.example' '[host bücher.example]\n'
bad 'a section given twice' '3: [host a.example] is given twice' '[host a.example]\nnear.text = main\n[host a.example]\n'
bad 'a domain given twice' '2: [host *.a.example] is given twice' '[host .a.example]\n[host *.a.example]\n'
bad 'an unknown setting' "2: no setting 'near.txt' of a host; did you mean 'near.text'?" '[host a.example]\nnear.txt = main\n'
bad 'a setting of the store' '2: near.scope cannot be set for a host' '[host a.example]\nnear.scope = host\n'
bad 'a threshold that is a distance' '2: simhash.distance cannot be set for a host' '[host a.example]\nsimhash.distance = 3\n'
bad 'a setting given twice' '3: near.text is given twice for the host' '[host a.example]\nnear.text = main\nnear.text = all\n'
bad 'a bad value' "2: near.text: 'body' is not all|main" '[host a.example]\nnear.text = body\n'
bad 'a bad threshold' "2: alignment.threshold: '1.5' is not in 0..1" '[host a.example]\nalignment.threshold = 1.5\n'
bad 'a bad order' "2: verdict.order: 'beauty' is not one of" '[host a.example]\nverdict.order = beauty\n'
bad 'no value' '2: near.text has no value' '[host a.example]\nnear.text =\n'
bad 'the setting hosts and sections together' '2: hosts is set in line 1' 'hosts = a.example\n[host b.example]\n'
bad 'more sections than there is room for' '65: more than 64 sections' "$(for n in $(seq 65); do printf '[host h%s.example]\\n' "$n"; done)"
refuses 'the same on the command line' 64 'is given twice' run --set 'hosts=a.example near.text=main | a.example' empty.db
refuses 'a cluster refuses sections' 65 'sections [host ...] are not possible with a cluster' cluster push --set cluster.urls=http://127.0.0.1:1 --set cluster.shard=1 --set 'hosts=a.example near.text=main' empty.db
refuses 'and content areas' 65 'not possible with a cluster' cluster push --set cluster.urls=http://127.0.0.1:1 --set cluster.shard=1 --set near.text=main empty.db

# ---- pages in pairs: a long URL with a large score, and a short one; texts that differ in one word of ten
cat >make.py <<'PYTHON'
import json, random
rng = random.Random(3)
WORDS = [a + b for a in "ba co di fu ge ha jo ku".split() for b in "lan mer tis pond rack sel vine wick".split()]
HOSTS = "docs.shop.example", "www.shop.example", "other.example"
for n in range(8):
    base = [rng.choice(WORDS) for _ in range(150)]
    for h, host in enumerate(HOSTS):
        for form, score in ("a-long-path-to-the-page", 9), ("p", 1):
            text = list(base)
            if form == "p":
                for i in range(40, 150, 11): text[i] = "changed" + "abcdefgh"[n]
            print(json.dumps({"url": f"https://{host}/{form}/{n}", "title": f"Page {n}", "text": " ".join(text) + f" {host}", "score": score + (2 - h) / 10}))
PYTHON
python3 make.py >pages.jsonl
make() { rm -f "$1"*; "$program" init "$1" >/dev/null && "$program" import -q "$1" pages.jsonl >/dev/null; }
pairs="SELECT count(*) FROM document_flags AS f JOIN document_flags AS g ON g.near_cluster_l = f.near_cluster_l AND g.id > f.id JOIN documents AS d ON d.id = f.id JOIN documents AS e ON e.id = g.id WHERE f.near_copycount_i > 1"
within="$pairs AND substr(d.url, 1, 15) = substr(e.url, 1, 15) AND d.url LIKE 'https://"
base='--set near.scope=host --set alignment.threshold=0.3'
make s.db
# shellcheck disable=SC2086 # options
twindex run -q $base s.db
got 'similar pages are near-duplicates on each host' "$(sqlite3 s.db "$within%'")" 24
# shellcheck disable=SC2086
twindex run -q $base --set 'hosts=.shop.example alignment.threshold=0.99' s.db
got 'a domain has a stricter threshold' "$(sqlite3 s.db "$within%shop.example%'") $(sqlite3 s.db "$within""other%'")" '0 8'
# shellcheck disable=SC2086
twindex run -q $base --set 'hosts=.shop.example alignment.threshold=0.99 | docs.shop.example' s.db
got 'and a host of it that of the store: the most specific section applies' "$(sqlite3 s.db "$within""docs%'") $(sqlite3 s.db "$within""www%'")" '8 0'
# shellcheck disable=SC2086
twindex run -q $base --set 'hosts=.example alignment.threshold=0.99 | *.shop.example alignment.threshold=0.2' s.db
got 'of two domains the longer one' "$(sqlite3 s.db "$within%shop.example%'") $(sqlite3 s.db "$within""other%'")" '16 0'
twindex run -q --set near.scope=host --set alignment.threshold=0.99 --set 'hosts=other.example alignment.threshold=0.3' s.db
got 'a host may be laxer than the store' "$(sqlite3 s.db "$within%shop.example%'") $(sqlite3 s.db "$within""other%'")" '0 8'

# between two hosts the stricter threshold counts
across="SELECT count(*) FROM document_flags WHERE near_copycount_i > "
make t.db
twindex run -q --set alignment.threshold=0.3 t.db
got 'without sections all forms on all hosts are one group' "$(sqlite3 t.db "$across 5")" 48
twindex run -q --set alignment.threshold=0.3 --set 'hosts=other.example alignment.threshold=1' t.db
got 'a page of a stricter host joins no page of another one' "$(sqlite3 t.db "$across 3") $(sqlite3 t.db "SELECT max(near_copycount_i) FROM document_flags AS f JOIN documents AS d USING (id) WHERE url LIKE '%other%'")" '32 1'

# ---- the order
cat >order.conf <<'CONF'
[near]
scope = host
[copy]
proof = names
[alignment]
threshold = 0.3
[host .shop.example]
verdict.order = url_length, score
CONF
shown="SELECT count(*) FROM document_flags AS f JOIN documents AS d USING (id) WHERE near_unique_b AND url LIKE"
check 'a file with a section is read' 0 '*' run -q --config order.conf s.db
got 'the shortest URL represents a page where a section says so, the largest score elsewhere' "$(sqlite3 s.db "$shown '%shop.example/p/%'") $(sqlite3 s.db "$shown '%other.example/a-long%'")" '16 8'
twindex explain --config order.conf s.db https://docs.shop.example/a-long-path-to-the-page/1
has 'explain names the section' 'section [host .shop.example] verdict.order=url_length,score'
matches 'and the criterion of its order' '^ *near .*(shorter URL)'
twindex explain --config order.conf s.db https://other.example/p/1 && ! grep -q '\[host' out && grep -q '^ *near .*(larger score)' out
is $? 'and that of the store elsewhere'
twindex run --json --config order.conf s.db
holds 'd["signed"] == 0' 'a second run signs nothing'

# a group of several hosts: the places of the section in the order of the store
sed -i 's/^scope = host/scope = store/' order.conf
twindex run -q --config order.conf t.db
got 'across hosts the section has the place of its best page, and its own order decides who takes it' "$(sqlite3 t.db "$shown 'https://www.shop.example/p/%'") $(sqlite3 t.db "SELECT sum(near_unique_b) FROM document_flags")" '8 8'
prints 'explain says so' '^ *near .*https://www.shop.example/p/2 (place of the section of its host)' explain --config order.conf t.db https://other.example/a-long-path-to-the-page/2

# ---- neither history nor the number of stores shows
make fresh.db
equal 'a store that had other sections before has the flags of a fresh one' "$(flags t.db)" "$(twindex run -q --config order.conf fresh.db && flags fresh.db)"
twindex run -q fresh.db && make plain.db && twindex run -q plain.db && [ "$(flags fresh.db)" = "$(flags plain.db)" ]
is $? 'so has one whose sections were removed'
printf '[near]\ntext = main\n[host www.shop.example]\nnear.text = all\nalignment.threshold = 0.95\n[host .shop.example]\nverdict.order = fetched_at url_length\n' >mixed.conf
make one.db && twindex run -q --config mixed.conf one.db
i=0
for part in a b; do
    "$program" init $part.db >/dev/null && awk -v p=$((i++)) 'NR % 2 == p' pages.jsonl >$part.jsonl && "$program" import -q $part.db $part.jsonl >/dev/null
done
check 'two stores are judged with sections' 0 '*' run -q --config mixed.conf a.db b.db
of() { sqlite3 -bail "$1" "SELECT d.url, f.exact_signature_copycount_i, f.near_unique_b, f.near_copycount_i, f.copy_unique_b, f.copy_copycount_i, f.sibling_count_i, f.representative_b FROM document_flags AS f JOIN documents AS d USING (id)"; }
got 'their flags are those of one store' "$(of one.db | sort)" "$({ of a.db && of b.db; } | sort)"
for jobs in 1 4; do twindex run -q --full --jobs $jobs --config mixed.conf one.db && flags one.db; done | uniq | grep -c . | grep -qx 1
is $? 'threads do not show'
exit $failed
