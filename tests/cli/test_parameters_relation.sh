#!/usr/bin/env bash
# wings: import predict
# The relation parameters end to end: learn, write the model file, run with it; flags, explain, groups, check, the verdict; files that are not models.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

pages() {
    python3 - "$@" <<'PYTHON'
import json, random, sys
random.seed(9)
def text(n): return " ".join("".join(random.choice("bdfgklmn") + random.choice("aeiou") for _ in range(3)) for _ in range(n)).capitalize() + "."
def page(url, body, title): print(json.dumps({"url": url, "text": body, "title": title}))
for n in range(160):
    body = text(60)
    for sid in ("", "&sid=%08x" % (n * 7919 + 5), "&sid=%08x" % (n * 104729 + 99)): page(f"https://a.example/view?item={n}{sid}", body, f"Item {n}")
    page(f"https://m.a.example/view?item={n}", body, f"Item {n}")
if sys.argv[1] == "later":
    page("https://a.example/view?item=3&sid=ffff0000", text(60), "Another thing") # what sid does not do elsewhere
    for n in range(3): page(f"https://a.example/view?item=900&sid={n}", "", None)
    page("https://a.example/view?item=900&sid=7", "", "Named")
    for n in range(2): page(f"https://a.example/view?item=901&sid={n}", "404 Not Found. The requested URL was not found on this server.", "404 Not Found")
PYTHON
}
of() { sql "SELECT parameters_unique_b, parameters_copycount_i FROM flagged_documents WHERE url = 'https://a.example/view?item=$1'"; }

pages learned >learned.jsonl && pages later >later.jsonl
"$program" init --quiet l.db && "$program" import --quiet l.db learned.jsonl && "$program" run --quiet l.db && "$program" learn --quiet l.db
is $? 'something to learn from'
refuses '--model takes no URLs' 64 '--model takes no URLs' predict --model l.db https://a.example/
"$program" predict --model l.db >s.model 2>err
is $? 'the model file'
got 'has what was learned' "$(grep -c '^path-parameter [0-9]* 0 path=https://a.example/view name=sid$\|^origin 160 0 path=https://a.example .*value=https://m.a.example$' s.model)" 2

"$program" init --quiet s.db && "$program" import --quiet s.db later.jsonl 2>err && "$program" run --quiet s.db
"$program" run --set verdict.relations='copy parameters' s.db >out 2>&1
has 'as a relation of the verdict that is a warning' "hides nothing without a model: name a file of 'twindex predict --model' in parameters.model"
got 'without a model there are no flags' "$(sql 'SELECT count(parameters_unique_b), count(parameters_copycount_i) FROM document_flags')" '0|0'
printf '[parameters]\nmodel = s.model\n' >twindex.conf
"$program" check s.db >out 2>err
has 'check counts the hypotheses' 'hypotheses of '
"$program" run --quiet s.db
got 'the page' "$(of 4)" '1|4'
got 'with a session' "$(sql "SELECT DISTINCT parameters_unique_b, parameters_copycount_i FROM flagged_documents WHERE url LIKE '%item=4&%' OR url LIKE 'https://m.%item=4'")" '0|4'
got 'another text is never joined' "$(of '3&sid=ffff0000')" '1|1'
got 'documents without text are, unless they have another title' "$(of '900&sid=7') $(sql "SELECT sum(parameters_unique_b), max(parameters_copycount_i) FROM flagged_documents WHERE url LIKE '%item=900%'")" '1|1 2|3'
got 'one a group' "$(sql "SELECT (SELECT sum(parameters_unique_b) FROM document_flags) + (SELECT sum(documents - 1) FROM duplicate_groups WHERE detector = 'parameters') = count(*) FROM document_flags WHERE indexable_b")" 1
"$program" explain s.db "$(sql "SELECT url FROM documents WHERE url LIKE '%item=4&%' LIMIT 1")" >out 2>err
has 'explain names the part and its evidence' 'view?item=4 but for: path-parameter sid of https://a.example/view changes nothing, '
"$program" explain s.db https://m.a.example/view?item=4 >out 2>err
has 'and the origin' 'origin https://m.a.example in place of https://a.example changes nothing, 160 of 160 pairs'
"$program" groups --detector parameters s.db >out 2>err
has 'groups lists them' 'https://m.a.example/view?item=4'
got 'the verdict does not join them' "$(sql "SELECT sum(representative_b) FROM flagged_documents WHERE url LIKE '%item=900%'")" 4
"$program" run s.db >out 2>err
has 'a second run writes nothing' 'nothing changed, nothing was written'

# ---- the flags depend on the file and the settings, not on history
with=$("$program" digest s.db)
"$program" learn --quiet s.db && "$program" run --quiet s.db
got 'what this store learns does not matter' "$("$program" digest s.db)" "$with"
sed '/^path-parameter/d; /^parameter/d' s.model >less.model && cp s.model kept.model && cp less.model s.model
"$program" run --quiet s.db
got 'a line that was taken out' "$(of 4)" '1|2'
cp kept.model s.model
"$program" run --quiet s.db
got 'and back' "$("$program" digest s.db)" "$with"
sql "UPDATE documents SET text = 'One that is like no other text, because it has other words.' WHERE url LIKE '%item=5&sid=%'"
"$program" run --quiet s.db && "$program" run --verify s.db >out 2>err
is $? 'a change: the flags are those of judging everything'
got 'two texts' "$(of 5)" '1|2'
"$program" run --quiet --set parameters.threshold=0.999 s.db
got 'too little evidence' "$(of 4)" '1|1'
"$program" diff s.db >out 2>err
got 'the file is not what changed' "$(grep '^because' out)" 'because of the setting parameters.threshold: 0.98 -> 0.999'
"$program" run --quiet --force --set verdict.relations=parameters s.db
got 'in the verdict' "$(sql 'SELECT count(*) FROM document_flags WHERE representative_b IS NOT parameters_unique_b')" 0
"$program" run --quiet --force --set page_class.left_out=challenge s.db
got 'error pages that take part' "$(sql "SELECT indexable_b, error_page_b, parameters_unique_b, parameters_copycount_i, copy_copycount_i FROM flagged_documents WHERE url LIKE '%item=901%'")" $'1|1|1|1|2\n1|1|1|1|2'
"$program" run --quiet --set parameters.model= s.db
got 'no model again' "$(sql 'SELECT count(parameters_unique_b), count(parameters_copycount_i) FROM document_flags')" '0|0'

# ---- files that are not models
before=$(sha256sum s.db)
sed '4s/^[a-z-]*/thing/' s.model >bad.model
refuses 'a line' 65 "bad.model:4: 'thing' is not a form" run --set parameters.model=bad.model s.db
refuses 'no model' 65 "later.jsonl:1: " run --set parameters.model=later.jsonl s.db
refuses 'no file' 74 "parameters.model: cannot read 'none.model'" run --set parameters.model=none.model s.db
refuses 'other URLs' 65 'or other url.* settings: learn again' run --set url.steps=trailing_slash s.db
refuses 'a threshold is a share' 64 'parameters.threshold' run --set parameters.threshold=2 s.db
got 'nothing was changed' "$(sha256sum s.db)" "$before"
exit $failed
