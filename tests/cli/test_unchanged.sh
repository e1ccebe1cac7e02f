#!/bin/bash
# wings: import cluster
# A run that finds nothing changed does not judge, and prints the counts and warnings that a run that judges would print.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

python3 - <<'PYTHON' >crawl.jsonl
import json, random
def page(url, text, **more): print(json.dumps({"url": url, "title": url, "text": text, "status": 200, **more}))
for i in range(12): page(f"http://one.example/{i}", f"page {i} of a host that names its first page everywhere", canonical_url="http://one.example/")
page("http://one.example/", "the first page")
for i in range(12): page(f"http://two.example/{i}", f"page {i} of another one", canonical_url="http://two.example/0" if i else None)
random.seed(7)
words = [f"word{k}" for k in range(60)]
for i in range(60):
    text = list(words)
    for k in random.sample(range(60), 12): text[k] = f"other{random.randrange(1000)}"
    page(f"http://near{i}.example/", " ".join(text))
PYTHON
succeeds 'the store is made' imported s.db crawl.jsonl

# judges STORE, skips STORE, with options: whether the run loaded the signatures; what it says is in `out` and `err`
judges() { "$program" run --json "$@" >out 2>err </dev/null && jq -e '.seconds | has("load")' out >/dev/null; }
skips() { "$program" run --json "$@" >out 2>err </dev/null && jq -e '.seconds | has("load") | not' out >/dev/null; }
# What of `out` and `err` does not depend on how long the run took, or on what it read.
said() { jq -S 'del(.seconds, .outcome, .read, .signed, .text_bytes, .changed, .flips)' out && grep -v ' note: ' err; }

judges s.db && said >first && grep -c 'all of its pages link to one page' err >out
equal 'the first run warns of both hosts' 2 "$(<out)"
skips s.db && said >second && cmp first second >>err
is $? 'the run after it prints the same, without judging'
judges --verify s.db && said >second && cmp first second >>err
is $? 'a run that judges again prints the same'
succeeds 'and the run after that does not judge' skips s.db
equal 'hosts whose links are ignored are in the JSON' '["one.example","two.example"]' "$(jq -c .collapsed_hosts out)"

# ---- other settings, which change counts and no flag
fewer() { "$1" --set near.candidates=1 s.db; }
fewer judges && said >first && jq .changed out >changed
equal 'fewer candidates change no flag here' 0 "$(<changed)"
! cmp -s first second
is $? 'but counts'
for what in 'the second run' 'the third run'; do
    fewer judges && said >second && cmp first second >>err
    is $? "$what with these settings prints its own counts"
done
skips s.db && said >first && judges --verify s.db && said >second && cmp first second >>err
is $? 'with the settings of the published run, nothing is judged again'

# ---- another program has changed the ledger
sqlite3 s.db "UPDATE twindex_run SET counts = substr(counts, 1, 99)"
judges s.db && grep -q 'host two.example: all of its pages' err
is $? 'counts that are not complete: all documents are judged'
sqlite3 s.db "DELETE FROM documents WHERE url GLOB 'http://one.example/*' OR url GLOB 'http://two.example/*'"
"$program" run --quiet --force s.db && sqlite3 s.db "UPDATE twindex_run SET summary = NULL" && skips s.db
is $? 'the summary, which is for others, is not read'

# ---- signatures that are made again and are the same are not written again
sqlite3 foreign.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, content TEXT, note TEXT);
    INSERT INTO pages SELECT value, 'http://a.example/' || value, 'text ' || value, '' FROM json_each('[1,2,3,4,5,6,7,8,9]')"
"$program" run --quiet foreign.db && "$program" sign --quiet --full foreign.db && [ "$(sqlite3 foreign.db 'SELECT judged IS NOT NULL FROM twindex_state')" = 1 ] && skips foreign.db
is $? 'signed again without changes: nothing is judged'
sqlite3 foreign.db "UPDATE pages SET content = 'other text' WHERE id = 3"
"$program" sign --quiet foreign.db && [ "$(sqlite3 foreign.db 'SELECT judged IS NULL FROM twindex_state')" = 1 ] && judges foreign.db
is $? 'a row that has changed is written'

# ---- a host with a name that fills the list
python3 - <<'PYTHON' >many.jsonl
import json
for h in range(400):
    host = "h%d." % h + ".".join(["a" * 60] * 3) + ".example"
    for i in range(3): print(json.dumps({"url": f"http://{host}/{i}", "text": f"{h} {i}", "canonical_url": f"http://{host}/0" if i else None}))
PYTHON
"$program" init --quiet many.db && "$program" import --quiet many.db many.jsonl && judges --set canonical.collapse_min=2 many.db && grep -q 'there are more such hosts' err
is $? 'very many hosts: not all are named'
jq -e 'has("collapsed_hosts") | not' out >/dev/null && judges --set canonical.collapse_min=2 many.db && grep -q 'there are more such hosts' err
is $? 'and the next run judges again, with the same warning'
exit $failed
