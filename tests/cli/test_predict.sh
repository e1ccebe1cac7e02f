#!/usr/bin/env bash
# wings: import predict lab
# twindex learn, twindex predict: what is learned, answers, the filter, a crawler as co-process, rules, the replay; what goes wrong.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

learn() { "$program" learn "$@" >out 2>err </dev/null; }
predict() { "$program" predict "$@" >out 2>err </dev/null; }

# likely URL: its probability is 0.9 or more
likely() { predict pages.db "$1" && awk -F '\t' '{ exit !($1 >= 0.9) }' out; }

# A forum: start=0 and sid change nothing, start=15 does; www is the same host. Every topic is fetched plain first.
python3 - >pages.jsonl <<'PYTHON'
import json, random
time = 1700000000
def page(url, text, **more):
    global time
    time += 1
    print(json.dumps(dict({"url": url, "text": text, "fetched_at": time}, **more)))
def topic(n, part=0):
    draw = random.Random(n * 2 + part)
    return " ".join("".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for i in range(draw.randint(2, 9))) for i in range(60)) + "."
for n in range(1, 301):
    base = "http://forum.example/view.php?topicId=%d" % n
    page(base, topic(n))
    page(base + "&start=0", topic(n))
    page(base + "&start=15", topic(n, 1))
    page(base + "&sid=%08x" % (n * 7919), topic(n))
    page(base + "&sid=%08x" % (n * 104729), topic(n))
    page("https://www.forum.example/view.php?topicId=%d" % n, topic(n))
page("http://forum.example/view.php?topicId=7000", topic(7000))
page("http://forum.example/view.php?topicId=8000&start=0", topic(8000))
page("http://forum.example/gone?sid=1", "not found", http_status=404)
page("http://forum.example/gone", "not found", http_status=404)
PYTHON
succeeds 'a store' imported pages.db pages.jsonl
refuses 'learning before a run' 65 "no run has published flags yet" learn pages.db
refuses 'predicting before a run' 65 "no run has published flags yet" predict pages.db http://a/
"$program" run --quiet pages.db >/dev/null
refuses 'predicting before learning' 65 "no model has been learned yet: run 'twindex learn', after a run" predict pages.db http://a/

learn pages.db && grep -q '^pages.db: learned from 1802 URLs of run 1$' out && [ ! -s err ]
is $? 'learning'
predict --model pages.db && grep -qx 'path-added 300 0 path=http://forum.example/view.php name=start value=0' out && ! grep -q '^path-value' out
is $? 'the model has the value that changes nothing where it is added, and none of another form'
cp pages.db before.db
equal 'learning again writes nothing' '(0, 1, 1, 2)' "$(learn --json pages.db && member 'd["rows_written"], d["run"], d["share"], d["no_page"]')"
[ "$(sqlite3 pages.db "SELECT dup, nodup FROM twindex_url_hypothesis WHERE form = 'path-added' AND name = 'start' AND value = '0'")" = '300|0' ] &&
    [ "$(sqlite3 pages.db "SELECT dup, nodup FROM twindex_url_hypothesis WHERE form = 'path-added' AND name = 'start' AND value = '15'")" = '0|300' ]
is $? 'trials stand in the table of the store'

predict pages.db 'http://forum.example/view.php?topicId=7000&start=0' &&
    [ "$(cut -f 2- out)" = "$(printf 'http://forum.example/view.php?topicId=7000&start=0\t6\t300\t0')" ] &&
    awk -F '\t' '{ exit !($1 > 0.98) }' out
is $? 'a first page that is named is likely a duplicate'
equal 'and the other way round' 6 "$(likely 'http://forum.example/view.php?topicId=8000' && cut -f 3 out)"
! likely 'http://forum.example/view.php?topicId=7000&start=15' && ! likely 'http://forum.example/view.php?topicId=9000&start=0'
is $? 'not so the second page, nor a topic that was not seen'
likely 'http://forum.example/view.php?topicId=7000&sid=xyz' && likely 'http://forum.example/view.php?sid=xyz&topicId=7000'
is $? 'sessions, wherever they stand'
equal 'another host' 10 "$(likely 'https://www.forum.example/view.php?topicId=7000' && cut -f 3 out)"
predict pages.db nonsense '' && [ "$(cat out)" = "$(printf '0.000000\tnonsense\t-\t0\t0\n0.000000\t\t-\t0\t0')" ]
is $? 'no URLs at all are answered, too'

printf '%s\r\n' 'http://forum.example/view.php?topicId=7000&sid=1' 'http://forum.example/new' >urls
printf 'http://forum.example/view.php?topicId=7000&start=15' >>urls
"$program" predict --json pages.db <urls >out 2>err
[ "$(python3 -c 'import json; d = [json.loads(l) for l in open("out")]; print([(x["hypothesis"], x["form"], x["fetch"]) for x in d], d[2]["url"])')" = \
    "[(3, 'path-parameter', False), (None, None, True), (None, None, True)] http://forum.example/view.php?topicId=7000&start=15" ] ||
    [ "$(python3 -c 'import json; print([json.loads(l)["fetch"] for l in open("out")])')" = '[False, True, True]' ]
is $? 'a stream, as JSON, an object a line'
equal 'a stream: one answer a line' 3 "$("$program" predict pages.db <urls >out 2>err && wc -l <out)"

"$program" predict --filter --exploration 0 pages.db <<'URLS' >out 2>err
http://forum.example/view.php?topicId=7000&start=0
http://forum.example/view.php?topicId=9001&sid=1
http://forum.example/view.php?topicId=9001&sid=2
http://forum.example/view.php?topicId=9001
nonsense
URLS
got 'the filter: what it lets through counts as seen' "$(cat out)" "$(printf 'http://forum.example/view.php?topicId=9001&sid=1\nnonsense')"
seq -f 'http://forum.example/view.php?topicId=7000&sid=%.0f' 1 4000 | "$program" predict --filter --exploration 0.05 pages.db >out 2>err
let_through=$(wc -l <out)
[ "$let_through" -gt 150 ] && [ "$let_through" -lt 250 ]
is $? "exploration lets some through ($let_through of 4000)"
cp out first
seq -f 'http://forum.example/view.php?topicId=7000&sid=%.0f' 4000 -1 1 | "$program" predict --filter --exploration 0.05 pages.db | sort >out 2>err
sort first | cmp -s - out
is $? 'the same ones each time'
predict --threshold 0 --exploration 0 --filter pages.db http://forum.example/new && [ ! -s out ]
is $? 'a threshold of 0 lets nothing through'

coproc crawler { exec "$program" predict pages.db 2>err; }
crawler_pid=$crawler_PID
answers=
for n in 1 2 3; do
    echo "http://forum.example/view.php?topicId=7000&sid=$n" >&"${crawler[1]}"
    IFS= read -r -t 20 answer <&"${crawler[0]}" && answers+="$(cut -f 2,3 <<<"$answer") "
done
exec {crawler[1]}>&-
wait "$crawler_pid"
is $? 'a co-process ends with its input'
got 'each line is answered before the next one is sent' "$answers" "$(for n in 1 2 3; do printf 'http://forum.example/view.php?topicId=7000&sid=%d\t3 ' $n; done)"

predict --rules pages.db && cp out learned.rules && grep -q '^# http://forum.example Clean-param: sid /view.php$' out && ! grep -q 'start=15' out
is $? 'rules'
"$program" init ruled.db >/dev/null
cat >ruled.jsonl <<'JSON'
{"url": "http://forum.example/view.php?topicId=1&sid=1", "text": "one"}
{"url": "http://forum.example/view.php?sid=2&topicId=1", "text": "two"}
{"url": "http://forum.example/view.php?topicId=1", "text": "three"}
{"url": "http://forum.example/view.php?topicId=1&start=0", "text": "four"}
{"url": "http://forum.example/view.php?start=0&sid=3&sid=4&topicId=1", "text": "five"}
{"url": "http://forum.example/view.php?topicId=1&start=15", "text": "six"}
{"url": "http://forum.example/a&sid=1", "text": "seven"}
{"url": "http://forum.example/view.php?sid=5", "text": "eight"}
{"url": "http://forum.example/view.php?aside=5", "text": "nine"}
JSON
"$program" import --quiet ruled.db ruled.jsonl && "$program" run --quiet --set url.rules=learned.rules ruled.db >/dev/null 2>err
is $? 'the rules are taken by url.rules'
# rules applied by Python's regular expressions
cat >rules.py <<'PYTHON'
import re
def rules_of(path):
    rules = []
    for line in open(path):
        line = line.strip()
        if line and not line.startswith("#"):
            parts = re.split(r"(?<!\\)/", line)
            rules.append((parts[1].replace("\\/", "/"), parts[2].replace("$1", r"\g<1>")))
    return rules
def normal(rules, url):
    for pattern, by in rules: url = re.sub(pattern, by, url, count=1)
    return url
PYTHON
python3 - <<'PYTHON' >out
from rules import rules_of, normal
rules = rules_of("learned.rules")
for url in open("ruled.jsonl"):
    print(normal(rules, url.split('"')[3]))
PYTHON
[ "$(sort out | uniq -c | sed 's/^ *//')" = "1 http://forum.example/a&sid=1
1 http://forum.example/view.php
1 http://forum.example/view.php?aside=5
5 http://forum.example/view.php?topicId=1
1 http://forum.example/view.php?topicId=1&start=15" ]
is $? 'they make URLs equal that differ in that only'
predict --json --rules pages.db && [ "$(member 'd["rules"] == open("learned.rules").read(), sorted(set(x["parameter"] for x in d["parameters"]))')" = "(True, ['sid', 'start'])" ]
is $? 'rules as JSON'

# parameters that matter on one path only: ref and mode=1 change nothing on /view and everything on /list; lang=en changes nothing,
# lang=de does; sid and tag never matter. The rules have to make exactly the planted twins equal.
python3 - >planted.jsonl 3>twins.tsv <<'PYTHON'
import json, os, random
twins = os.fdopen(3, "w")
time = 1700000000
def text(*of):
    draw = random.Random(repr(of))
    return " ".join("".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for i in range(draw.randint(2, 9))) for i in range(40))
def page(url, text):
    global time
    time += 1
    print(json.dumps({"url": url, "text": text, "fetched_at": time}))
for n in range(1, 201):
    base = "http://site.example/page/%d" % n
    for url in (base, base + "?everywhere=%d" % n): page(url, text("page", n))
    if n > 190: twins.write("%s\t%s\t1\n" % (base, base + "?everywhere=new"))
    for path in ("view", "list"):
        base = "http://site.example/%s?id=%d" % (path, n)
        page(base, text(path, n))
        for more, matters in (("ref=top", path == "list"), ("ref=%d" % n, path == "list"), ("mode=1", path == "list"), ("mode=2", True),
                              ("lang=en", False), ("lang=de", True), ("sid=%d" % (n * 7919), False), ("tag=%d" % (n * 31), False)):
            page(base + "&" + more, text(path, n, more) if matters else text(path, n))
            if n > 190: twins.write("%s\t%s\t%d\n" % (base, base + "&" + more, not matters))
PYTHON
"$program" init planted.db >/dev/null && "$program" import --quiet planted.db planted.jsonl && "$program" run --quiet --force planted.db && learn planted.db &&
    predict --rules planted.db && cp out planted.rules && grep -qF '# http://site.example Clean-param: ref /view' planted.rules &&
    grep -qF '# http://site.example Clean-param: sid /list' planted.rules && grep -qF '# site.example Clean-param: everywhere /page/' planted.rules
is $? 'lines for robots.txt: of a folder, and of one path'
python3 - <<'PYTHON' >out
from rules import rules_of, normal
rules = rules_of("planted.rules")
for line in open("twins.tsv"):
    a, b, same = line.split()
    if (normal(rules, a) == normal(rules, b)) != (same == "1"): print("wrong:", a, b, normal(rules, b))
PYTHON
succeeds 'the rules make those URLs equal that were planted as equal, and no others' [ ! -s out ]

predict --evaluate pages.db && grep -q '^learned from the first 902 documents, predicted the other 902' out
is $? 'a replay'
predict --evaluate --exploration 0 --json pages.db &&
    [ "$(member '[x["lost"] for x in d["thresholds"] if x["threshold"] >= 0.9], [x["saved"] > 400 for x in d["thresholds"] if x["threshold"] == 0.9]')" = '([0, 0, 0, 0, 0], [True])' ]
is $? 'a replay as JSON: nothing is lost'
equal 'nothing learned, nothing saved' '(0, 0)' "$(predict --evaluate --train 0 --json pages.db && member 'd["learned_from"], sum(x["saved"] for x in d["thresholds"])')"

# A site that has changed its habit: print=1 gives the same page for the first 200 topics, and another one for the last 100.
python3 - >changed.jsonl <<'PYTHON'
import json
for n in range(300):
    for k, suffix in enumerate(("", "&print=1")):
        text = " ".join("w%dx%d" % (n + (1000 if k and n >= 200 else 0), i) for i in range(40))
        print(json.dumps({"url": "http://changed.example/view?topic=%d%s" % (n, suffix), "text": text, "fetched_at": 1700000000 + 2 * n + k}))
PYTHON
"$program" init changed.db >/dev/null && "$program" import --quiet changed.db changed.jsonl && "$program" run --quiet changed.db >/dev/null
predict --evaluate --exploration 0 --json changed.db &&
    [ "$(member '[(x["wrongly_skipped"], x["lost"]) for x in d["thresholds"] if x["threshold"] == 0.9]')" = '[(100, 100)]' ]
is $? 'a replay counts each page that is lost when a site changes'
predict --evaluate --exploration 0 --verbose changed.db && grep -q 'skipped wrongly: http://changed.example/view?topic=2[0-9][0-9]&print=1 (hypothesis [0-9]*: [0-9]* duplicates, 0 others)' err
is $? 'and names some of them, with the reason'

cp pages.db other.db
sqlite3 other.db "DELETE FROM documents WHERE id = 1"
"$program" run --quiet other.db >/dev/null 2>err && [ ! -s err ] && [ "$(sqlite3 other.db 'SELECT run FROM twindex_url_model')" = 2 ]
is $? 'a run learns again'
model() { sqlite3 "$1" "SELECT * FROM twindex_url_hypothesis ORDER BY context; SELECT * FROM twindex_url_seen ORDER BY key"; }
cp other.db scratch.db
sqlite3 scratch.db "DELETE FROM twindex_url_model; DELETE FROM twindex_url_hypothesis; DELETE FROM twindex_url_seen"
learn scratch.db && [ "$(model scratch.db | wc -l)" -gt 1000 ] && cmp -s <(model scratch.db) <(model other.db)
is $? 'that is what learning from nothing gives'
"$program" undo other.db >/dev/null && predict other.db http://a/ && grep -q "learned from run 2, and run 1 is published now: run 'twindex learn' to update it" err
is $? 'what was learned from another run than the published one is used, with a warning'
predict --set url.steps=session_parameters pages.db http://a/ && grep -q 'learned with other url\.\* settings' err
is $? 'so is what was learned with other settings'
refuses 'no flags in another file yet' 66 kept.db learn --flags kept.db pages.db
"$program" run --quiet --flags kept.db before.db >/dev/null && sum=$(sha256sum <before.db) && "$program" learn --quiet --flags kept.db before.db &&
    "$program" predict --flags kept.db before.db 'http://forum.example/view.php?topicId=7000&start=0' >out 2>err && [ "$(cut -f 3 out)" = 6 ] && [ "$(sha256sum <before.db)" = "$sum" ]
is $? 'kept in another file, the store is only read'

sqlite3 named.db "CREATE TABLE pages (name TEXT PRIMARY KEY, url TEXT, text TEXT, fetched_at INTEGER) WITHOUT ROWID;
    ATTACH 'pages.db' AS p; INSERT INTO pages SELECT 'doc ' || id, url, text, fetched_at FROM p.documents WHERE http_status IS NULL OR http_status = 200;"
"$program" run --quiet --accept-mapping named.db >/dev/null 2>&1 && "$program" learn --json --accept-mapping named.db >out 2>err && [ "$(member 'd["urls"]')" = 1802 ]
is $? 'ids that are names'

# sid changes nothing, but for one path; item does everywhere
python3 - >odd.jsonl <<'PYTHON'
import json, random
def page(url, seed):
    draw = random.Random(seed)
    print(json.dumps({"url": "http://s.example/" + url, "text": " ".join("".join(draw.choice("bdfgaeiou") for i in range(7)) for i in range(30))}))
for n in range(2600):
    for sid in "1", "2":
        page(f"p{n}?sid={sid}{n}", n)
        if n < 5: page(f"odd?item={n}&sid={sid}{n}", f"{n} {sid}")
PYTHON
"$program" init odd.db >/dev/null && "$program" import --quiet odd.db odd.jsonl && "$program" run --quiet odd.db && "$program" learn --quiet odd.db
predict --model odd.db && [ "$(sed '/^#/d; 1d' out)" = "$(printf '%s\n' 'path-parameter 0 5 path=http://s.example/odd name=sid' 'parameter 2600 5 path=s.example/ name=sid')" ]
is $? 'the model has what is likely, and what contradicts that on one path'

refuses 'a share above 1' 64 "--threshold: '1.5' is not a number from 0 to 1" predict pages.db --threshold 1.5 http://a/
refuses 'a share that is not a number' 64 "--exploration: 'some' is not a number from 0 to 1" predict pages.db --exploration some http://a/
refuses 'rules of a URL' 64 '--rules takes no URLs' predict pages.db --rules http://a/
refuses 'two things at once' 64 'only one of --filter, --rules, --model and --evaluate can be given' predict pages.db --rules --filter
refuses 'no such store' 66 'none.db' predict none.db http://a/
exit $failed
