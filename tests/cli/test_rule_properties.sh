#!/bin/bash
# Rules over more than flags: host, domain, path, language, content type, date, age, score, mirrors. What `search` finds and adds is
# compared with an evaluation in Python of rows that sqlite3 has read, over random rules; errors have line and column.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init s.db >out 2>err
cat >fill.py <<'P'
import random, sqlite3, time
rng = random.Random(5)
db = sqlite3.connect("s.db")
hosts = ["a.example", "www.a.example", "b.example.co.uk", "mirror.example", "192.0.2.1"]
now = int(time.time())
for i in range(1, 201):
    fetched = rng.choice([None, "2024-05-01T10:00:00Z", "2024-05-01", "2023-12-31T23:59:59Z", str(now - 86400 * 10 - 3600), "no date"])
    if isinstance(fetched, str) and fetched.isdigit(): fetched = int(fetched)
    db.execute("INSERT INTO documents(id, url, title, text, fetched_at, content_type, language) VALUES (?, ?, 'page', ?, ?, ?, ?)",
               (i, "https://%s/%s/p%d" % (rng.choice(hosts), rng.choice(["docs", "Docs", "blog/docs", "d'oc;s"]), i), "word number %d and more" % i,
                fetched, rng.choice([None, "text/html", "text/html; charset=utf-8", "TEXT/PLAIN"]), rng.choice([None, "de", "de-AT", "den", "en", ""])))
    if rng.random() < 0.8:
        db.execute("UPDATE documents SET score = ? WHERE id = ?", (rng.choice([0, 1, 2.5, -3]), i))
db.commit()
P
columns=$(sqlite3 s.db 'SELECT group_concat(name) FROM pragma_table_info("documents")')
case ",$columns," in *,score,*content_type*language* | *,content_type,*) pass 'a store has these columns' ;; *) fail 'a store has these columns' "$columns" ;; esac
succeeds 'documents' python3 fill.py 2>err
"$program" run --quiet --set guard.max_hidden=1 s.db >out 2>err && "$program" index --quiet s.db >out 2>err
succeeds 'a mirror' sqlite3 s.db "INSERT INTO twindex_host_mirror(host, mirror_of, level, shared, documents, ratio) VALUES ('mirror.example', 'a.example', 'exact', 20, 20, 1.0)" 2>err

# oracle.py: random filters and boosts as text and as Python, side by side
cat >oracle.py <<'P'
import calendar, json, random, re, sqlite3, subprocess, sys, time
program, seeds = sys.argv[1], int(sys.argv[2])
db = sqlite3.connect("s.db"); db.row_factory = sqlite3.Row
SUFFIXES = {"a.example": "a.example", "www.a.example": "a.example", "b.example.co.uk": "example.co.uk", "mirror.example": "mirror.example", "192.0.2.1": "192.0.2.1"}
def seconds(v):
    if v is None or isinstance(v, int): return v
    for form in ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"):
        try: return calendar.timegm(time.strptime(v, form))
        except ValueError: pass
rows = {}
for r in db.execute("SELECT * FROM documents"):
    host, path = re.match(r"https://([^/]*)(/.*)", r["url"]).groups()
    at = seconds(r["fetched_at"])
    rows[r["id"]] = {"host": host, "domain": SUFFIXES[host], "path": path, "mirrored_b": int(host == "mirror.example"), "fetched_at": at,
                     "age": None if at is None else (time.time() - at) / 86400, "score": r["score"],
                     "language": r["language"] or None, "content_type": (r["content_type"] or "").split(";")[0].strip() or None}
def equal(field, value):
    def test(d):
        x = d[field]
        if x is None: return None
        if field == "path": return x.startswith(value)
        if field == "language": return x.lower() == value.lower() or x.lower().startswith(value.lower() + "-")
        return x.lower() == value.lower()
    return test
def within(field, low, high, low_open=False, high_open=False):
    def test(d):
        x = d[field]
        if x is None: return None
        if low is not None and (x <= low if low_open else x < low): return False
        return high is None or (x < high if high_open else x <= high)
    return test
def leaf(rng):
    kind = rng.randrange(9)
    if kind == 0: v = rng.choice(list(SUFFIXES) + ["A.EXAMPLE", "example"]); return f"host:{v}", equal("host", v)
    if kind == 1: v = rng.choice(["a.example", "example.co.uk", "co.uk"]); return f"domain:{v}", equal("domain", v)
    if kind == 2: v = rng.choice(["/docs/", "/d", "/", "/blog/docs/p1", "/d'oc;s/"]); return f'path:"{v}"', equal("path", v)
    if kind == 3: v = rng.choice(["de", "DE-at", "en", "d"]); return f"language:{v}", equal("language", v)
    if kind == 4: v = rng.choice(["text/html", "text/plain"]); return f'content_type:"{v}"', equal("content_type", v)
    if kind == 5: return f"mirrored_b:{rng.choice(['true', '1'])}", within("mirrored_b", 1, 1)
    if kind == 6:
        a, b = rng.choice([-3, 0, 1.5]), rng.choice([2, 2.5])
        lo, hi = rng.random() < 0.5, rng.random() < 0.5
        return f"score:{'{' if lo else '['}{a} TO {b}{'}' if hi else ']'}", within("score", a, b, lo, hi)
    if kind == 7:
        form = rng.randrange(4)
        day = calendar.timegm((2024, 5, 1, 0, 0, 0))
        if form == 0: return "fetched_at:2024-05-01", within("fetched_at", day, day + 86399)
        if form == 1: return "fetched_at:[2024-05-01 TO *]", within("fetched_at", day, None)
        if form == 2: return "fetched_at:{* TO 2024-05-01}", within("fetched_at", None, day, False, True)
        return 'fetched_at:["2023-12-31T23:59:59Z" TO "2024-05-01T09:59:59Z"]', within("fetched_at", day - 122 * 86400 + 86399, day + 9 * 3600 + 59 * 60 + 59)
    field = rng.choice(["age", "score", "language", "content_type", "fetched_at"])
    if rng.random() < 0.3: return f"{field}:*", lambda d: d[field] is not None
    return "age:[* TO 30]", within("age", None, 30)
def both(a, b): return False if a is False or b is False else None if a is None or b is None else True
def either(a, b): return True if a is True or b is True else None if a is None or b is None else False
def tree(rng, depth):
    if depth == 0 or rng.random() < 0.3:
        text, test = leaf(rng)
        if rng.random() < 0.2: return f"(NOT {text})", lambda d: None if test(d) is None else not test(d)
        return text, test
    (a, f), (b, g) = tree(rng, depth - 1), tree(rng, depth - 1)
    word, join = rng.choice([("AND", both), ("OR", either)])
    return f"({a} {word} {b})", lambda d: join(f(d), g(d))
for seed in range(1, seeds + 1):
    rng = random.Random(seed)
    text, keep = tree(rng, 3)
    boost, matches = leaf(rng)
    number = rng.choice(["age", "score", "fetched_at", "mirrored_b"])
    with open("r.rules", "w") as f: f.write(f"[filter] {text}\n[boost] {boost}^7\n[function] if(gt({number},1),3,2) def(score,0)^2 if(lt(fetched_at,\"2024-05-01\"),5,0)\n")
    done = subprocess.run([program, "search", "s.db", "word", "--rules", "r.rules", "--limit", "0", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, (text, done.stderr)
    found = {h["id"]: [p["adds"] for p in h["parts"]] for h in json.loads(done.stdout)["results"]}
    wanted = {}
    for i, d in rows.items():
        if keep(d) is not True: continue
        x, day = d[number], calendar.timegm((2024, 5, 1, 0, 0, 0))
        wanted[i] = [7.0 if matches(d) else 0.0, 2.0 if x is None or not x > 1 else 3.0, 2.0 * (d["score"] or 0), 5.0 if d["fetched_at"] is not None and d["fetched_at"] < day else 0.0]
    assert found == wanted, (seed, text, boost, number, {i: (found.get(i), wanted.get(i)) for i in set(found) | set(wanted) if found.get(i) != wanted.get(i)})
print("agreed")
P
python3 oracle.py "$program" "${PROPERTY_SEEDS:-25}" >out 2>err && grep -q '^agreed$' out
is $? 'random rules: hits and parts are those of an evaluation in Python'
printf '[filter] host:b.example.co.uk\n' >f.rules
"$program" run --dry-run --rules f.rules --json s.db >out 2>err && [ "$(jq .rules.hidden out)" = "$(sqlite3 s.db "SELECT count(*) FROM documents WHERE url NOT LIKE 'https://b.example.co.uk/%'")" ]
is $? 'a dry run counts what such a filter would hide'
"$program" init h.db >out 2>err && sqlite3 h.db "INSERT INTO documents(url, text, http_status) VALUES ('http://b.example/1', 'one', 200),
    ('http://b.example/2', 'two', 404), ('http://b.example/3', 'three', 404), ('http://b.example/4', 'three more', 404), ('http://a.example/1', 'four', 200),
    ('http://a.example/2', 'five', 200), ('http://a.example/3', 'six', 404)"
printf '[filter] host:c.example\n' >none.rules
"$program" run --dry-run --rules none.rules --json h.db >out 2>err
equal 'also by host, those first of which most take part' '[["a.example",3,3,2],["b.example",4,4,1]]' \
    "$(jq -c '[.rules.hosts[] | [.host, .documents, .hidden, .hidden_of_those_that_take_part]]' out)"
equal 'and in all' '[7,3]' "$(jq -c '[.rules.hidden, .rules.hidden_of_those_that_take_part]' out)"
"$program" init many.db >out 2>err && sqlite3 many.db "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10007)
    INSERT INTO documents(id, url, text) SELECT i, 'http://' || substr('abc', 1 + i % 3, 1) || '.example/' || i, 'text ' || i FROM n"
printf '[filter] host:b.example\n' >b.rules
"$program" run --dry-run --rules b.rules --json many.db >out 2>err
equal 'a dry run of more documents than are written at a time' "$(sqlite3 many.db "SELECT count(*) FROM documents WHERE url NOT LIKE 'http://b.%'")" "$(jq .rules.hidden out)"
"$program" run --quiet --set guard.max_hidden=1 --flags f.db s.db >out 2>err && "$program" index --quiet --flags f.db s.db >out 2>err &&
    "$program" search s.db word --rules f.rules --flags f.db --limit 0 --json >out 2>err && [ "$(jq '[.results[].url] | all(startswith("https://b.example.co.uk/")) and length > 0' out)" = true ]
is $? 'with --flags, too'

# ---- errors
rules() { printf '%b\n' "$2" >x.rules; check "$1" 65 "twindex rules: x.rules:$3" rules x.rules; }
rules 'a field with a typing error' '[filter] hots:a.example' "1:10: no field 'hots'; did you mean host[?]"
rules 'a date' '[filter] fetched_at:[2024-13-01 TO *]' "1:22: '2024-13-01' is not a date: write 2024-05-01 or \"2024-05-01T10:20:30Z\""
rules 'a number' '[boost]\nscore:high' "2:7: a number is expected here, not 'high'"
rules 'an order of texts' '[filter] host:[a TO b]' '1:15: host has no order: there are no ranges of it'
rules 'a wildcard' '[filter] host:*.example' '1:15: there are no wildcards: field:[*] asks whether it has a value'
rules 'an empty text' '[filter] path:""' '1:15: path: an empty text'
rules 'a text as a number' '[function] log(host)' '1:12: host holds no numbers: only exists(host) is possible'
rules 'a range from the end' '[filter] age:[5 TO 1]' '1:14: this range is empty: its end is below its beginning'
printf "[filter] host:\"x' OR 1=1 --\" path:\"/'); DROP TABLE documents\"\n" >x.rules
equal 'SQL in a text is a text' 0 "$("$program" search s.db word --rules x.rules --json >out 2>err && jq '.results | length' out)"
"$program" rules --json x.rules >out 2>err && jq -e '.sql.filter | contains("DROP") | not' out >/dev/null
is $? 'no text of a file reaches SQL'
check '--sql' 65 '*only '\''twindex search'\'' can do: there is no SQL of them*' rules --sql x.rules
sqlite3 j.db 'CREATE TABLE u(n INTEGER PRIMARY KEY, u TEXT); CREATE TABLE t(k INT, t TEXT); INSERT INTO u VALUES (1, "https://a.example/"); INSERT INTO t VALUES (1, "a word")'
map=(--set 'store.from=u JOIN t ON t.k = u.n' --set store.id=u.n --set store.url=u.u --set store.text=t.t)
"$program" run --quiet "${map[@]}" j.db >out 2>err && "$program" index --quiet "${map[@]}" j.db >out 2>err
check 'a join without an index: refused, and why' 65 '*look up one row at a time*store.from*' search j.db word "${map[@]}" --rules f.rules

# ---- ids that are texts or numbers with fractions; scores that are texts
for kind in TEXT REAL; do
    rm -f k.db* && sqlite3 k.db "CREATE TABLE pages(k $kind PRIMARY KEY, url TEXT, body TEXT, rank)"
    for i in 1 2 3 4 5 6; do
        id=$([ $kind = TEXT ] && echo "'page $i'" || echo "$i.5")
        sqlite3 k.db "INSERT INTO pages VALUES ($id, 'https://h$((i % 2)).example/p$i', 'word number $i and more',
            CASE $i WHEN 1 THEN 7 WHEN 2 THEN '8' WHEN 3 THEN 'many' WHEN 4 THEN x'39' WHEN 5 THEN 9.5 END)"
    done
    map=(--set store.from=pages --set store.id=k --set store.url=url --set store.text=body --set store.score=rank)
    "$program" run --quiet "${map[@]}" k.db >out 2>err && "$program" index --quiet "${map[@]}" k.db >out 2>err
    printf '[filter] host:h1.example OR score:*\n[function] def(score,100) if(exists(host),1,0)\n' >k.rules
    "$program" search k.db word "${map[@]}" --rules k.rules --limit 0 --json >out 2>err
    equal "ids of type $kind: what is no number is no score" '["p1 [7,1]","p2 [8,1]","p3 [100,1]","p5 [9.5,1]"]' \
        "$(jq -c '[.results[] | (.url | split("/") | last) + " " + ([.parts[].adds] | tojson)] | sort' out | sed 's/\.0\([],]\)/\1/g')"
done
exit $failed
