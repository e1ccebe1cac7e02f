#!/usr/bin/env bash
# wings: import
# twindex mirrors: what is printed and kept, for stores of all kinds; when it cannot be kept; what goes wrong.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
subcommand=mirrors

mirrors() { "$program" mirrors "$@" >out 2>err </dev/null; }

pairs='" ".join("%s>%s:%s:%s/%s" % (m["host"], m["mirror_of"], m["level"], m["shared"], m["documents"]) for m in d["mirrors"])'
# kept STORE: the same of the table
kept() { sqlite3 "$1" "SELECT group_concat(host || '>' || mirror_of || ':' || level || ':' || shared || '/' || documents, ' ') FROM (SELECT * FROM twindex_host_mirror ORDER BY host)"; }

# twelve.example has 12 pages; www.twelve.example the same; copy.example 11 of them and one of its own; near.example has them with
# a line more in each; nine.example 9 of them, which are too few; every one of 210 hosts says that it does not know /lost.
python3 - >pages.jsonl <<'PYTHON'
import json
def text(page): return " ".join("word%d" % ((page * 1009 + i * i) % 12007) for i in range(200))
def put(host, page, text): print(json.dumps({"url": "https://%s/%s" % (host, page), "text": text, "score": int("twelve" in host)}))
for n in range(12):
    for host in ("twelve.example", "www.twelve.example"): put(host, n, text(n))
    put("copy.example:8443", n, text(n) if n < 11 else "Something else, that nobody has said before, about copies of pages and who makes them.")
    put("near.example", n, text(n) + "\nIt has been whispered.")
    if n < 9: put("nine.example", n, text(n))
for n in range(210):
    for page in "lost", "found": put("h%d.example" % n, page, "There is no such page on this host, which may have moved, or never was here at all.")
PYTHON
# Of equal texts the www form and the lower id come first, not the host with texts of its own or the shorter URL.
printf '[verdict]\norder = score fetched_at\n' >twindex.conf
succeeds 'a store' imported pages.db pages.jsonl
refuses 'before a run there is nothing to look at' 65 "no run has published flags yet: run 'twindex run' first" pages.db
got 'and nothing is made' "$(sqlite3 pages.db "SELECT count(*) FROM sqlite_schema WHERE name = 'twindex_host_mirror'")" 0
succeeds 'a run' "$program" run --quiet pages.db

wanted='copy.example>www.twelve.example:exact:11/12 near.example>www.twelve.example:near:12/12 twelve.example>www.twelve.example:exact:12/12'
mirrors pages.db && grep -q '^3 of 4 hosts with 10 documents or more mirror another$' out && [ ! -s err ]
is $? 'mirrors are found'
grep -qE '^ +exact +0\.916 +11 +12  copy\.example +www\.twelve\.example$' out && grep -qE '^ +near +1\.000 +12 +12  near\.example +www' out
is $? 'by equal texts and by nearly equal ones'
got 'they are kept' "$(kept pages.db)" "$wanted"
got 'the ratio is a number from 0 to 1' "$(sqlite3 pages.db "SELECT ratio, typeof(ratio) FROM twindex_host_mirror WHERE host = 'near.example'")" '1.0|real'
equal 'JSON says what was compared' '(4, 211, 0.8, 10, True)' "$(mirrors --json pages.db && member 'd["hosts"], d["small_hosts"], d["ratio"], d["min_documents"], d["kept"]')"
equal 'JSON has the mirrors' "$wanted" "$(member "$pairs" | tr ' ' '\n' | sort | paste -sd ' ')"
equal 'JSON has both sides' '[(11, 12, 0.916666)]' "$(member '[(m["mirror_of_shared"], m["mirror_of_documents"], m["ratio"]) for m in d["mirrors"] if m["host"] == "copy.example"]')"

before=$(sha256sum <pages.db)
equal 'a second call writes nothing' "$before" "$(mirrors pages.db && sha256sum <pages.db)"
mirrors --quiet pages.db && [ ! -s out ] && [ ! -s err ]
is $? '--quiet says nothing'
mirrors --ratio 0.95 pages.db && [ "$(kept pages.db)" = 'near.example>www.twelve.example:near:12/12 twelve.example>www.twelve.example:exact:12/12' ]
is $? '--ratio: the rows that do not hold any more go'
TWINDEX_MIRRORS_RATIO=0.7 mirrors --min-documents 9 --json pages.db && member "$pairs" | grep -q 'nine.example>www.twelve.example:exact:9/9'
is $? '--min-documents, and the environment'
mirrors --min-documents 2 pages.db && grep -q '^exact groups on more than 200 hosts, left out: 1, with 420 documents$' out && ! grep -q 'h1\.example' out
is $? 'a page that very many hosts have joins none of them, and that is said'
equal 'in JSON, too' "{'groups': 1, 'documents': 420}" "$(mirrors --json --min-documents 2 pages.db && member 'd["wide_groups"]["near"]')"

sqlite3 pages.db "DELETE FROM documents WHERE url LIKE 'https://near.example/%'" && "$program" run --quiet pages.db && mirrors pages.db
got 'what is kept follows the flags' "$(kept pages.db)" 'copy.example>www.twelve.example:exact:11/12 twelve.example>www.twelve.example:exact:12/12'
"$program" undo --quiet pages.db && mirrors pages.db && [ "$(kept pages.db)" = 'copy.example>www.twelve.example:exact:11/12 twelve.example>www.twelve.example:exact:12/12' ]
is $? 'a document that is gone is on no host, although the flags before have it'
"$program" run --quiet pages.db

# ---- when it cannot be kept
sqlite3 pages.db 'DELETE FROM twindex_host_mirror'
# holding KIND COMMAND...: runs it while somebody else holds the lock of a run, or is writing into the store
cat >holding.py <<'PYTHON'
import fcntl, sqlite3, subprocess, sys
if sys.argv[1] == "lock":
    held = open("pages.db-twindex-lock", "w")
    fcntl.flock(held, fcntl.LOCK_EX)
else:
    held = sqlite3.connect("pages.db", isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
sys.exit(subprocess.call(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=open("out", "w"), stderr=open("err", "w")))
PYTHON
for kind in lock write; do
    succeeds "somebody else has the store ($kind)" python3 holding.py $kind "$program" mirrors --set run.busy_ms=0 pages.db
    grep -q 'warning: .*; the mirrors are not stored in twindex_host_mirror$' err && grep -q 'twelve.example *www.twelve.example$' out
    is $? "that is said, and the mirrors are printed ($kind)"
    python3 holding.py $kind "$program" mirrors --set run.busy_ms=0 --json pages.db && [ "$(member 'd["kept"], len(d["mirrors"])')" = '(False, 2)' ]
    is $? "JSON says it, too ($kind)"
    succeeds "nothing is kept ($kind)" [ -z "$(kept pages.db)" ]
done
rm -f pages.db-twindex-lock && mkdir pages.db-twindex-lock
mirrors pages.db && grep -q 'warning: lock file .*; the mirrors are not stored' err && grep -q 'www.twelve.example$' out
is $? 'no lock can be made, as in a folder that is read-only'
rmdir pages.db-twindex-lock

# ---- other stores
equal 'with a lock they are stored' 'copy.example>www.twelve.example:exact:11/12 twelve.example>www.twelve.example:exact:12/12' "$(mirrors pages.db && kept pages.db)"
before=$(sha256sum <pages.db)
"$program" run --quiet --flags flags.db pages.db && mirrors --flags flags.db pages.db && [ "$(kept flags.db)" = "$(kept pages.db)" ] && [ "$(sha256sum <pages.db)" = "$before" ]
is $? '--flags: they are kept there, and the store is only read'
sqlite3 named.db "CREATE TABLE pages (name TEXT PRIMARY KEY, url TEXT, text TEXT, score INTEGER) WITHOUT ROWID;
    ATTACH 'pages.db' AS p; INSERT INTO pages SELECT 'doc ' || -id, url, text, score FROM p.documents;"
printf '[store]\nfrom = pages\nid = name\nurl = url\ntext = text\nscore = score\n[verdict]\norder = score fetched_at\n' >named.conf
"$program" run --config named.conf --quiet named.db && mirrors --config named.conf named.db && [ "$(kept named.db)" = "$(kept pages.db)" ]
is $? 'ids that are names'
"$program" run --quiet --compat=yacy --set near.scope=host pages.db 2>/dev/null || "$program" run --quiet --set compat=yacy --set near.scope=host pages.db
mirrors --set compat=yacy --set near.scope=host pages.db && grep -q 'exact.scope and near.scope confine groups to a host' err && grep -q '^0 of 3 hosts' out
is $? 'where groups end at the host it is said why there are no mirrors'
succeeds 'and none are kept' [ -z "$(kept pages.db)" ]

refuses 'a ratio above 1' 64 'mirrors.ratio' pages.db --ratio 2
refuses 'a number of 0' 64 'mirrors.min_documents' pages.db --min-documents 0
refuses 'no such store' 66 'none.db' none.db
refuses 'a store that is missing' 66 'more: No such file' pages.db more
exit $failed
