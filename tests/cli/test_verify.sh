#!/usr/bin/env bash
# wings: import cluster
# twindex sign: signatures without flags, and that a run continues from them. twindex verify: similarities are those of the published flags, in both
# formats; a co-process is answered at once; what goes wrong.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

python3 - >pages.jsonl <<'PYTHON'
import json, random
draw = random.Random(7)
word = lambda: "".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for i in range(draw.randint(2, 9)))
for n in range(40):
    words = [word() for i in range(120)]
    for copy in range(3):
        for i in range(copy * 3): words[draw.randrange(len(words))] = word()
        print(json.dumps({"url": f"http://a.example/{n}/{copy}", "title": f"page {n}", "text": " ".join(words) + "."}))
PYTHON
succeeds 'a store' imported pages.db pages.jsonl
cp pages.db plain.db

check 'signing' 0 '*' sign pages.db
has 'it says how many documents' '120 documents'
has 'and how many it signed' '120 signed now'
[ "$(sqlite3 pages.db "SELECT count(*), (SELECT count(*) FROM twindex_flag), (SELECT count(*) FROM twindex_run) FROM twindex_signature")" = '120|0|0' ] &&
    [ -z "$(sqlite3 pages.db "SELECT 1 FROM sqlite_schema WHERE name = 'document_flags'")" ]
is $? 'nothing is published'
equal 'signing again signs nothing' '(120, 0, 0)' "$("$program" sign --json pages.db >out && member 'd["documents"], d["signed"], d["read"]')"
"$program" run --json pages.db >out && [ "$(member 'd["signed"]')" = 0 ] && "$program" run --quiet plain.db
is $? 'a run uses the signatures'
got 'and publishes what a run alone does' "$("$program" digest pages.db)" "$("$program" digest plain.db)"
sqlite3 pages.db "UPDATE documents SET text = 'other ' || text WHERE rowid = 1" && "$program" sign --json pages.db >out &&
    [ "$(member 'd["signed"]')" = 1 ] && "$program" run --json pages.db >out && [ "$(member 'd["signed"], d["outcome"]')" = "(0, 'published')" ]
is $? 'a run judges what another call has signed'
sqlite3 plain.db "UPDATE documents SET text = 'other ' || text WHERE rowid = 1" && "$program" run --quiet plain.db
got 'with the same result' "$("$program" digest pages.db)" "$("$program" digest plain.db)"
exec 8>pages.db-twindex-lock && flock 8
refuses 'a store that is locked is not signed' 75 'pages.db' sign pages.db
exec 8>&-
refuses 'a store must exist' 66 'none.db' sign none.db

# pairs of payloads from the records of documents (src/sign/record.c), and what the flags say of them
cat >pairs.py <<'PYTHON'
import sqlite3, stored_signatures, struct, sys
def payload(record, wanted=29):
    at = 0
    while at < len(record):
        id, shape = record[at], record[at + 1]
        at += 2
        n = shape & 15
        if n == 15: n, = struct.unpack_from("<H", record, at); at += 2
        size = 0
        if shape & 16: size = record[at]; at += 1
        elif shape & 32: size, = struct.unpack_from("<I", record, at); at += 4
        if not shape & 128: at += n * (8 if shape & 64 else 16)
        if id == wanted: return record[at:at + size]
        at += size
db = sqlite3.connect("pages.db")
of = {doc: payload(record) for doc, facts, record in stored_signatures.rows(db)}
active, = db.execute("SELECT generation FROM twindex_state").fetchone()
rows = db.execute("SELECT doc, near_rep, near_similarity FROM twindex_flag WHERE only_in <> ? AND near_rep IS NOT NULL ORDER BY doc", (2 if active == "a" else 1,)).fetchall()
leb = lambda n: bytes([n]) if n < 128 else bytes([n & 127 | 128]) + leb(n >> 7)
escape = lambda b: b"".join({8: b"\\b", 12: b"\\f", 10: b"\\n", 13: b"\\r", 9: b"\\t", 0: b"\\0", 39: b"\\'", 92: b"\\\\"}.get(c, bytes([c])) for c in b)
with open("rows.bin", "wb") as binary, open("rows.tsv", "wb") as tabs, open("numbered.bin", "wb") as numbered, open("expected", "w") as expected:
    for doc, rep, similarity in rows:
        a, b = of[doc], of[rep]
        strings = leb(len(a)) + a + leb(len(b)) + b
        binary.write(strings)
        numbered.write(struct.pack("<Q", doc << 32) + strings + b"\0")
        tabs.write(escape(a) + b"\t" + escape(b) + b"\n")
        expected.write(f"{similarity}\n")
PYTHON
PYTHONPATH=$source/tests/support python3 pairs.py && [ "$(wc -l <expected)" -ge 80 ]
is $? 'pairs of near-duplicates'
"$program" verify <rows.bin | python3 -c 'import struct, sys; [print(*n) for n in struct.iter_unpack("<i", sys.stdin.buffer.read())]' | cmp -s - expected
is $? 'RowBinary: the similarities of the flags'
"$program" verify --format TSV <rows.tsv | cmp -s - expected
is $? 'TSV: the same'
"$program" verify --numbered --named <numbered.bin |
    python3 -c 'import struct, sys; [print(s) for n, s in struct.iter_unpack("<Qi", sys.stdin.buffer.read()) if n >> 32]' | cmp -s - expected
is $? 'numbered rows: the same'
succeeds 'settings count: a pair below the threshold has -1' [ "$("$program" verify --set alignment.threshold=1 --format TSV <rows.tsv | grep -c '^-1$')" -gt 20 ]
printf 'nonsense\tnonsense\n' | "$program" verify --format TSV >out && [ "$(<out)" = -1 ]
is $? 'what is no payload is similar to nothing'
printf '[alignment]\nthreshold = 1\n' >twindex.conf
succeeds 'twindex.conf of the current directory counts' [ "$("$program" verify --format TSV <rows.tsv | grep -c '^-1$')" -gt 20 ]
rm twindex.conf

# a pair is answered while the input stays open
python3 - "$program" >out 2>err <<'PYTHON'
import subprocess, sys
p = subprocess.Popen([sys.argv[1], "verify", "--format", "TSV"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in open("rows.tsv", "rb").readlines()[:5]:
    p.stdin.write(line[:10]); p.stdin.flush()
    p.stdin.write(line[10:]); p.stdin.flush()
    print(p.stdout.readline().decode().strip())
p.stdin.close()
sys.exit(p.wait())
PYTHON
[ $? = 0 ] && cmp -s out <(head -n 5 expected)
is $? 'a co-process is answered at once'

{ head -n 1 rows.tsv && echo x; } | "$program" verify --format TSV >out 2>err
[ ${PIPESTATUS[1]} = 65 ] && cmp -s out <(head -n 1 expected) && grep -qF 'standard input, row 2: 1 columns instead of 2' err
is $? 'a damaged row ends it, after the rows before were answered'
head -c 10 rows.bin | "$program" verify >out 2>err
[ ${PIPESTATUS[1]} = 65 ] && grep -qF 'standard input ends within row 1' err
is $? 'input that ends within a row is an error'
refuses 'a format that is not known' 64 "'CSV' is not one of" verify --format CSV
refuses 'a method without pairs' 65 'near.detector = none compares no pairs' verify --set near.detector=none
refuses 'a configuration that does not exist' 66 'none.conf' verify --config none.conf
refuses 'arguments' 64 'one argument too many' verify pages.db
"$program" verify --format TSV <rows.tsv >/dev/full 2>err
got 'a full disk is reported' $? 74
exit $failed
