#!/usr/bin/env bash
# Editions end to end: a manual in several versions, its aliases and mirror; the flags, the rules, explain; what only looks like it.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

pages() {
    python3 - "$@" <<'PYTHON'
import json, random, sys
random.seed(7)
WORDS = [a + b for a in "ba ce di fo gu ka le mi no pu ra se ti vo".split() for b in "lan ter mix nod pas rik sul tam".split()]
def text(n): return " ".join(" ".join(random.choices(WORDS, k=9)).capitalize() + "." for _ in range(n))
def page(url, title, body, **more): print(json.dumps({"url": url, "title": title, "text": body} | more))
kind = sys.argv[1]
TOPICS = "install tour config backup restore search index export import users roles mail".split()
if kind == "manual":
    for n, topic in enumerate(TOPICS):
        old, new = text(12), text(3)
        for place, body in (("1.8", old), ("1.10", old if n % 2 else old + new), ("2.0-rc1", old + new + text(2))):
            page(f"https://d.example/docs/{place}/{topic}", f"{topic} - Tool {place}", body)
        if n == 0: page("https://d.example/docs/1.9/only", "only - Tool 1.9", text(9))
        page(f"https://d.example/docs/latest/{topic}", f"{topic} - Tool 1.10", old if n % 2 else old + new)
        page(f"https://d.example/docs/{topic}", f"{topic} - Tool", old if n % 2 else old + new)
        page(f"https://m.example/copy/1.8/{topic}", f"{topic} - Tool 1.8", "Mirror. " + old)
elif kind == "rewritten":
    for n, topic in enumerate(TOPICS):
        body = text(12)
        for version in ("1.8", "1.9", "2.0"):
            page(f"https://r.example/docs/{version}/{topic}", f"{topic} - Tool {version}", body)
            body += text(20) * (n % 2)
        for version in ("1.8", "1.9"): page(f"https://t.example/docs/{version}/{topic}", f"{topic} - Tool {version}", "T. " + body)
    whole = text(40)
    for version, body in (("1.8", text(4)), ("1.9", whole), ("2.0", whole)):
        page(f"https://r.example/docs/{version}/new", f"new - Tool {version}", body)
        page(f"https://r.example/docs/{version}/other", f"{version.replace('.', 'x')} - Tool", body + " Other.")
        if version != "2.0": page(f"https://t.example/docs/{version}/new", f"new - Tool {version}", "T. " + body)
elif kind == "scheme":
    for host, renamed in (("r", 12), ("s", 1)):
        for n, topic in enumerate(TOPICS):
            body = text(12)
            for version in ("1.8", "1.9", "2.0"):
                old = version == "1.8" and n < renamed
                page(f"https://{host}.example/docs/{version}/{topic}", ("lib core " if old else "") + f"{topic} - Tool", body + (text(40) if old and n < 3 else ""))
                page(f"https://{host}.example/docs/{version}/x{topic}", ("lib core " if old and n else "") + f"x{topic} - Tool", body.replace(" ", "x "))
                body += text(1)
elif kind == "left-out":
    for n, topic in enumerate(TOPICS):
        body = text(12)
        for version in ("1.8", "1.9", "2.0"):
            robots = "noindex" if (topic, version) in (("tour", "1.8"), ("tour", "1.9"), ("mail", "2.0")) or topic == "roles" else None
            page(f"https://l.example/docs/{version}/{topic}", f"{topic} - Tool", body, robots=robots)
            body += text(2)
elif kind == "canonical":
    for n, topic in enumerate(TOPICS):
        body = text(12)
        page(f"https://c.example/v2/{topic}", f"{topic}", body)
        page(f"https://c.example/v1/{topic}", f"{topic}", body + text(1) * (n % 2), canonical_url=f"https://c.example/v2/{topic}")
elif kind in ("series", "reversed"):
    rows = []
    for n, topic in enumerate(TOPICS):
        texts = {"2.9": text(12)}
        for before, version in (("2.9", "3.1"), ("3.1", "3.2")): texts[version] = texts[before] + text(n % 2)
        for place in texts: rows.append((place, topic, texts[place]))
        rows += [("3", topic, texts["3.2"]), ("latest", topic, texts["3.2"])]
    rows += [("2.9", "alone", text(9)), ("2.9", "alone?utm_source=a", text(9)), ("3.1", "alone", text(9).replace(" ", "x "))]
    for place, topic, body in reversed(rows) if kind == "reversed" else rows:
        page(f"https://s.example/{place}/{topic}", {"2": "One", "3": "Another"}[place[0]] if topic.startswith("alone") else topic, body)
elif kind == "names":
    for topic in TOPICS[:2]:
        body = text(12)
        for name in ("zebra", "alpaca", "llama"):
            body += " " + text(1)
            for url in (f"https://d.example/docs/{name}/{topic}", f"https://{name}.h.example/{topic}", f"https://q.example/d?version={name}&p={topic}"):
                page(url, topic, body)
elif kind == "buses":
    frame = {topic: text(6) for topic in TOPICS}
    for line in range(11, 17):
        for topic in TOPICS:
            page(f"https://b.example/line/{line}/{topic}", f"{topic} of line {line}", frame[topic] + text(3))
    for year in range(2015, 2021):
        for topic in TOPICS:
            page(f"https://f.example/{year}/{topic}", f"{topic} {year}", frame[topic] + text(6))
    for n in range(1, 40): page(f"https://n.example/release/1.{n}/notes", f"Release notes 1.{n}", frame["tour"] + text(1))
PYTHON
}
fill() {
    rm -f s.db*
    pages "$1" >pages.jsonl
    succeeds "the store: $1" published s.db pages.jsonl
}
of() { sql "SELECT $1 FROM flagged_documents WHERE url = 'https://d.example/docs/$2'"; }

# ---- a manual
fill manual
got 'the newest release of a page' "$(of 'edition_newest_b, edition_s' 1.10/tour)" '1|1.10'
got 'an older one' "$(of 'edition_unique_b, edition_newest_b, edition_s' 1.8/tour)" '0|0|1.8'
got 'latest is the release with its texts' "$(of 'edition_newest_b, edition_s' latest/tour)" '1|1.10'
got 'so is a URL without the place' "$(of 'edition_newest_b, edition_s' tour)" '1|1.10'
got 'what is not released is not the newest' "$(of 'edition_unique_b, edition_newest_b, edition_s' 2.0-rc1/tour)" '0|0|2.0-rc1'
got 'all are one page' "$(of edition_copycount_i 1.8/tour)" 5
got 'a page of one edition has no others' "$(of 'edition_unique_b, edition_newest_b, edition_copycount_i, edition_cluster_l, edition_s' 1.9/only)" '1||1||'
got 'each page has one unique document' "$(sql "SELECT sum(edition_unique_b), count(DISTINCT edition_cluster_l) FROM flagged_documents WHERE url LIKE 'https://d.%'")" '13|12'
got 'the newest survives a copy' "$(sql "SELECT count(*) FROM flagged_documents WHERE representative_b = 0 AND edition_newest_b AND
    duplicate_of IN (SELECT id FROM document_flags WHERE edition_newest_b IS NOT 1)")" 0
got 'no two filters hide a page' "$(sql "SELECT count(DISTINCT title) FROM flagged_documents WHERE representative_b AND edition_unique_b AND url LIKE 'https://d.%'")" 13
got 'a mirror of an old edition hides none' "$(sql "SELECT count(*) FROM flagged_documents AS a JOIN flagged_documents AS b ON a.duplicate_of = b.id
    WHERE a.url LIKE 'https://d.%' AND b.url LIKE 'https://m.%'")" 0
"$program" explain s.db https://d.example/docs/1.8/tour >out 2>err </dev/null
has 'explain names the edition and the newest' 'edition 1.8 of a page; the newest is 1.10'
"$program" explain s.db https://d.example/docs/latest/tour >out 2>err </dev/null
has 'of a name, what it stands for' 'edition 1.10 of a page; there is no newer one'
"$program" groups --detector edition s.db >out 2>err </dev/null
has 'groups lists them' 'https://d.example/docs/1.8/tour'
"$program" index --quiet s.db && "$program" search --rules "$source/share/rules/fold-editions.rules" --json s.db tour >out 2>err </dev/null
got 'the rules show the newest' "$(python3 -c 'import json; print(sum("d.example" in h["url"] for h in json.load(open("out"))["results"]))')" 1

# ---- pages that were rewritten
fill rewritten
editions_of() { sql "SELECT count(edition_s), count(DISTINCT edition_cluster_l), sum(edition_newest_b) FROM flagged_documents WHERE url LIKE 'https://$1'"; }
got 'a title is enough where titles agree and most texts are related' "$(editions_of 'r.example/%/new')" '3|1|1'
got 'another title is another page' "$(editions_of 'r.example/%/other')" '2|1|1'
got 'two versions are too few for that' "$(editions_of 't.example/%/tour') $(editions_of 't.example/%/new')" '2|1|1 0|0|'

# ---- titles of another form
fill scheme
got 'many titles of another form' "$(editions_of 'r.example/%/tour')" '3|1|1'
got 'a single one may be another page' "$(editions_of 's.example/%/install')" '2|1|1'

# ---- documents that take no part
fill left-out
of_topic() { sql "SELECT edition_newest_b, edition_unique_b, edition_s FROM flagged_documents WHERE url LIKE 'https://l.%/$1' ORDER BY url" | tr '\n' ' '; }
got 'noindex leaves old ones their edition' "$(of_topic tour)" '0||1.8 0||1.9 1|1|2.0 '
got 'one that is newer than all that take part has none' "$(of_topic mail)" '0|0|1.8 1|1|1.9 || '
got 'a page without any has editions, and none is unique' "$(of_topic roles)" '0||1.8 0||1.9 1||2.0 '

"$program" explain s.db https://l.example/docs/1.8/roles >out 2>err </dev/null
matches 'explain names the newest only if one takes part' ' edition 1.8 of a page; there is a newer one$'

# ---- settings
fill manual
"$program" run --quiet --set verdict.relations='copy edition' s.db
got 'the verdict joins them' "$(sql "SELECT sum(representative_b) FROM flagged_documents WHERE url LIKE 'https://d.%'")" 13
"$program" run --quiet --set edition.find=no s.db
got 'without editions' "$(of 'edition_unique_b, edition_newest_b, edition_copycount_i, edition_s' 1.8/tour)" '1||1|'
refuses 'a threshold is a share' 64 'edition.threshold' run --set edition.threshold=2 s.db
"$program" run --quiet s.db
before=$("$program" digest s.db)
sql "UPDATE documents SET text = text || ' More.' WHERE url LIKE '%/1.8/tour'"
"$program" run --quiet s.db && "$program" run --verify s.db >out 2>err
is $? 'a change: the flags are those of judging everything'
sql "UPDATE documents SET text = substr(text, 1, length(text) - 6) WHERE url LIKE '%/1.8/tour'"
"$program" run --quiet s.db
got 'and back' "$("$program" digest s.db)" "$before"

# ---- pins
printf 'edition d.example /docs/* 2.0-rc1 1.10 1.8\n' >pins
"$program" run --quiet --set verdict.pins=pins s.db
got 'a pin wins over the order of versions' "$(of 'edition_newest_b, edition_s' 1.8/tour) $(of edition_newest_b 1.10/tour)" '1|1.8 0'
"$program" explain --set verdict.pins=pins s.db https://d.example/docs/1.10/tour >out 2>err </dev/null
has 'explain names the line' 'edition d.example/docs/ (pins:1)'
"$program" report --html r.html s.db >out 2>err && grep -q 'edition d.example /docs/\* 2.0-rc1 1.10 1.8<' r.html
is $? 'the report has the line'
printf 'keep https://d.example/\nedition d.example /docs 1 2\n' >wrong
refuses 'a place has a *' 65 "wrong:2: 'd.example /docs' is not a host and a place" run --set verdict.pins=wrong s.db
fill names
got 'names of other projects are not known' "$(sql 'SELECT count(edition_s) FROM flagged_documents')" 0
for place in 'd.example /docs/*' 'h.example *.' 'q.example /d?version=*'; do echo "edition $place zebra alpaca llama"; done >pins
"$program" run --quiet --set verdict.pins=pins s.db
got 'pins name them in each place' "$(sql "SELECT edition_s, sum(edition_newest_b), sum(edition_copycount_i) FROM flagged_documents GROUP BY 1" | tr '\n' ' ')" \
    'alpaca|0|18 llama|6|18 zebra|0|18 '
"$program" report --csv tables s.db
got 'the table of places has lines for pins: by host and place, the oldest edition first' "$(sed 1d tables/editions.csv | tr '"\r' "' ")" \
    "$(printf "'edition %s zebra alpaca llama','2 · 2 · 2','0 · 0 · 2' \n" 'd.example /docs/*' 'h.example *.' 'q.example /d?version=*')"
echo 'edition x.example /* 1 2' >>pins
"$program" run --set verdict.pins=pins s.db >out 2>err
matches 'a line that applies to nothing is reported' 'pins:4: edition x.example/: no document has one of these values' err

# ---- editions that name another one as canonical
fill canonical
got 'they keep their flags' "$(sql "SELECT DISTINCT indexable_b, edition_unique_b, edition_newest_b, edition_s FROM flagged_documents WHERE url LIKE '%/v1/%'")" '0||0|v1'
got 'and represent none' "$(sql "SELECT DISTINCT edition_unique_b, edition_newest_b FROM flagged_documents WHERE url LIKE '%/v2/%'")" '1|1'

# ---- names of names, in any order of rows; forms of one edition of a page that has no other
flags() { sql "SELECT url, edition_unique_b, edition_newest_b, edition_copycount_i, edition_s FROM flagged_documents ORDER BY url"; }
fill series
flags >series
got 'latest is 3, which is 3.2' "$(sql "SELECT DISTINCT edition_newest_b, edition_s FROM flagged_documents WHERE url LIKE '%/latest/%' OR url LIKE '%/3/%' OR url LIKE '%/3.2/%'")" '1|3.2'
got 'no editions, no flags of them' "$(sql "SELECT DISTINCT edition_unique_b, edition_newest_b, edition_copycount_i, edition_s FROM flagged_documents WHERE url LIKE '%/alone%'")" '1||1|'
fill reversed
flags | sed 's/|[01]|/||/' >reversed && sed 's/|[01]|/||/' series | cmp -s - reversed
is $? 'numbers of rows say nothing of editions'

# ---- what only looks like editions
fill buses
got 'buses, festivals and release notes' "$(sql 'SELECT count(edition_cluster_l) FROM document_flags')" 0
exit $failed
