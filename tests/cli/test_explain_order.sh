#!/usr/bin/env bash
# wings: import
# Why a document is the representative: explain names the first criterion of the order in which it and the other differ. Each pair of
# equal texts below differs in one criterion more than the pair before agrees in; the expected words were decided by hand.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

python3 - >pages.jsonl <<'PYTHON'
import json, random
draw = random.Random(9)
def text(): return " ".join("".join(draw.choices("abcdefghijklmnop", k=6)) for _ in range(120))
def pair(one, other):
    same = text()
    for page in (one, other): print(json.dumps(dict({"text": same}, **page)))
pair({"url": "http://a.example/", "score": 9}, {"url": "https://www.a.example/"})
pair({"url": "https://c.example/print/x", "score": 9}, {"url": "https://c.example/x/longer"})
pair({"url": "https://e.example/longer", "score": 2}, {"url": "https://f.example/", "score": 1})
pair({"url": "https://g.example/longer", "score": 1}, {"url": "https://h.example/"})
pair({"url": "https://i.example/longer" + "r" * 1000}, {"url": "https://j.example/"})
pair({"url": "https://k.example/1", "fetched_at": 1700000002}, {"url": "https://k.example/2", "fetched_at": 1700000001})
pair({"url": "https://l.example/1"}, {"url": "https://l.example/2", "fetched_at": 1700000001})
pair({"url": "https://m.example/1"}, {"url": "https://m.example/2"})
pair({"url": "https://n.example/?sid=1234567890", "score": 9}, {"url": "https://n.example/longer?q=1"})
pair({"url": "https://o.example/"}, {"url": "https://p.example/longer"})
for n in range(3): print(json.dumps({"url": f"https://p.example/own/{n}", "text": text()}))
for n in range(3):
    body = text()
    for version in ("1.0", "2.0"):
        print(json.dumps({"url": f"https://v.example/{version}/{n}", "title": f"Guide {n}", "text": body}))
PYTHON
"$program" init s.db >/dev/null && "$program" import --quiet s.db pages.jsonl && "$program" run --quiet --force s.db
is $? 'the store is made'

# because URL WORDS: the representative of the group is named with the reason in brackets
because() {
    "$program" explain s.db "$1" >out 2>err </dev/null
    tr -s ' ' <out | grep '^ exact ' | grep -qF -e "represented by $2 ($3)"
    is $? "${1:0:40}: $3"
}
because http://a.example/ '2 https://www.a.example/' 'preferred form of the URL'
because https://c.example/print/x '4 https://c.example/x/longer' 'a page, not its form for print, AMP or mobile devices'
because https://f.example/ '5 https://e.example/longer' 'larger score'
because https://h.example/ '7 https://g.example/longer' 'larger score'
because "https://i.example/longer$(printf '%01000d' 0 | tr 0 r)" '10 https://j.example/' 'shorter URL'
because https://k.example/1 '12 https://k.example/2' 'older capture'
because https://l.example/1 '14 https://l.example/2' 'older capture'
because https://m.example/2 '15 https://m.example/1' 'lowest id'
because 'https://n.example/?sid=1234567890' '18 https://n.example/longer?q=1' 'nothing to remove from the URL'
because https://o.example/ '20 https://p.example/longer' 'more texts that no other domain has'
matches 'the criterion has its name in verdict.order' '^ *duplicate_of .*; decided by origin$'

# ---- a pair of equal texts, one of which is the twin of a better URL
for page in 'https://a.example/x 3 one' 'http://a.example/x 2 two' 'https://b.example/y 1 two'; do
    read -r url score text <<<"$page"
    jq -nc --arg u "$url" --argjson s "$score" --arg t "$(seq -f "$text%g" 120 | paste -sd ' ')" '{url: $u, score: $s, text: $t}'
done >pages.jsonl
"$program" init t.db >/dev/null && "$program" import --quiet t.db pages.jsonl && "$program" run --quiet --force t.db && "$program" explain t.db https://b.example/y >out 2>err
grep -q '^hidden: a duplicate of 1 https://a.example/x, which is shown$' out && grep -q ' 1 https://a.example/x; joined through other documents of the cluster; decided by score$' out
is $? 'the survivor of a cluster that shares nothing with the document itself'
"$program" explain --set search.ranking.uniqueheuristic.preferhttps=no t.db http://a.example/x >out 2>err
matches 'the preferred form is that of the settings' ' http_unique_b .*(preferred: http)$'

# ---- other orders
"$program" run --quiet --force --set verdict.order='fetched_at url_length' s.db
"$program" explain --set verdict.order='fetched_at url_length' s.db https://f.example/ >out 2>err
tr -s ' ' <out | grep '^ exact ' | grep -qF 'others: 5'
is $? 'without the score the shorter URL represents'
"$program" explain s.db https://v.example/1.0/0 >out 2>err
tr -s ' ' <out | grep '^ edition ' | grep -qF '(newer edition)'
is $? 'the newest edition represents the older ones'
exit $failed
