#!/usr/bin/env bash
# wings: import lab
# twindex similar: the nearest documents, from texts and from the signatures of a run, for all kinds of ids; what goes wrong.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
subcommand=similar

similar() { "$program" similar "$@" >out 2>err </dev/null; }

# Document n says what document 1 says, but for n - 1 of 40 sentences; 31 to 60 say other things; 61 says nothing.
python3 - >pages.jsonl <<'PYTHON'
import json
def sentence(i, word): return "In sentence %d of this %s somebody tells what happened at mile %d. " % (i, word, i * i)
for n in range(1, 62):
    if n <= 30: text = "".join(sentence(i, "story" if i >= n - 1 else "legend%d" % n) for i in range(40))
    elif n < 61: text = "".join("%d times %d makes %d, other%d. " % (i, n, i * n, i * n % 50) for i in range(60))
    else: text = ""
    print(json.dumps({"url": "http://site%d.example/%d" % (n % 7, n), "text": text}))
PYTHON
succeeds 'a store' imported pages.db pages.jsonl

succeeds 'without a run' similar pages.db 1
matches 'it says how it was found' '^by alignment, signed now$'
got 'the nearest come first' "$(sed -n 's/.*%.*  \([0-9]*\)  http.*/\1/p' out | tr '\n' ' ')" '2 3 4 5 6 7 8 9 10 11 '

similar --json pages.db http://site1.example/1
equal 'by URL, as JSON' '[2, 3, 4, 5, 6, 7, 8, 9, 10, 11]' "$(member '[x["id"] for x in d["similar"]]')"
equal 'JSON has the document and the detector' "(1, 'alignment', False)" "$(member 'd["id"], d["detector"], d["stored_signatures"]')"
equal 'in the order of the similarity of texts' True "$(member 'all(x["text_similarity"] >= y["text_similarity"] for x, y in zip(d["similar"], d["similar"][1:]))')"
equal 'a pair, of which no run knows' '(True, [])' "$(member 'd["similar"][0]["pair"], d["similar"][0]["relations"]')"
cp out made
ours=$(member 'd["similar"][0]["text_similarity"]')
"$program" compare --json pages.db 1 2 >out
equal 'compare says the same of the texts' "$ours" "$(member 'd["similarity"]')"

"$program" run --quiet pages.db >/dev/null
similar --json pages.db 1
equal 'with the signatures of a run, and its groups' '(True, True)' "$(member 'd["stored_signatures"], "near" in d["similar"][0]["relations"]')"
plain() { python3 -c 'import json,sys; print([[x[k] for k in ("id", "text_similarity", "similarity", "shared_keys")] for x in json.load(open(sys.argv[1]))["similar"]])' "$1"; }
got 'they give the same' "$(plain out)" "$(plain made)"
equal 'other settings than those of the run: signed now' "('simhash', False)" "$(similar --json --set near.detector=simhash pages.db 1 && member 'd["detector"], d["stored_signatures"]')"

for detector in $("$program" detectors --json | sed -n 's/.*"name": "\([a-z_0-9]*\)".*/\1/p' | grep -vx 'name\|repeated'); do
    equal "by $detector" True "$(similar --detector "$detector" --json pages.db 1 && member 'all(x["id"] != 1 for x in d["similar"])')"
done
! similar --detector repeated pages.db 1 && grep -q 'repeated finds no similar documents' err
is $? 'what tells copies from siblings finds nothing, and it is said'
equal 'a limit' '[2, 3, 4]' "$(similar --detector minhash --limit 3 --json pages.db 1 && member '[x["id"] for x in d["similar"]]')"
similar --limit 0 --detector shingles --json pages.db 1
equal 'all of them: the texts of the best 20 are compared' True "$(member 'len(d["similar"]) >= 29 and all(x["text_similarity"] is None for x in d["similar"][20:])')"

succeeds 'a document without text' similar pages.db 61
grep -q '^no document is similar$' out && grep -q 'has no signature of alignment' err
is $? 'is similar to none, and it is said why'

sqlite3 named.db "CREATE TABLE pages (name TEXT PRIMARY KEY, url TEXT, text TEXT) WITHOUT ROWID;
    ATTACH 'pages.db' AS p; INSERT INTO pages SELECT 'doc ' || id, url, text FROM p.documents;"
cat >named.conf <<'CONF'
[store]
from = pages
id = name
url = url
text = text
CONF
for state in 'before a run' 'after a run'; do
    similar --config named.conf --json named.db 'doc 1' && [ "$(member 'd["similar"][0]["id"], d["stored_signatures"]')" = "('doc 2', $([ "$state" = 'after a run' ] && echo True || echo False))" ]
    is $? "ids that are names, $state"
    "$program" run --config named.conf --quiet named.db >/dev/null
done
sqlite3 named.db "DELETE FROM pages WHERE name = 'doc 2'"
equal 'a document that is gone is left out' "('doc 3', 10)" "$(similar --config named.conf --json named.db 'doc 1' && member 'd["similar"][0]["id"], len(d["similar"])')"

before=$(sha256sum <pages.db) && similar --detector simhash pages.db 1 && [ "$(sha256sum <pages.db)" = "$before" ]
is $? 'nothing is written into the store'
refuses 'no such document' 66 "no document has the id or the URL 'http://none/'" pages.db http://none/
refuses 'a mistyped detector' 64 "no detector 'minhsah'; did you mean minhash?" pages.db 1 --detector minhsah
refuses 'no such detector' 64 "no detector 'telepathy': 'twindex detectors' lists them" pages.db 1 --detector telepathy
refuses 'no document is named' 64 'an argument is missing; expected STORE URL|ID' pages.db
refuses 'a limit that is not a number' 64 "--limit: '-1' is not a number" pages.db 1 --limit=-1
refuses 'no such store' 66 'none.db' none.db 1
exit $failed
