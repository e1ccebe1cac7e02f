#!/bin/bash
# What Twindex owns on disk, a document of 240 bytes of text: the pages of the two tables with a row for each document, after the first run and after another
# one with 1 % changed. When a figure falls, lower the limit here and write both into docs/performance.md. The fixed part, some 100 KB, is not counted.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
documents=10000 limit=284

owned() { sqlite3 s.db "SELECT sum(pgsize) / $documents FROM dbstat WHERE name IN ('twindex_signature', 'twindex_flag')"; }
at_most() { # LIMIT WHAT
    local n
    n=$(owned)
    [ "$n" -gt 0 ] && [ "$n" -le "$1" ]
    is $? "$2: $n bytes a document, at most $1"
}
"$program" init --quiet s.db && "$(dirname "$program")/tests/make_documents" s.db $documents && sqlite3 s.db 'PRAGMA journal_mode = WAL' >/dev/null
"$program" run --quiet --jobs 2 s.db 2>err
at_most $limit 'the first run'
sqlite3 s.db "UPDATE documents SET text = text || ' changed' WHERE id % 100 = 1" && "$program" run --quiet --jobs 2 s.db 2>err
at_most $((limit + 3)) 'with 1 % changed'

# ---- what is stored, read by another program: all of it is understood, and the URL is in it
PYTHONPATH=$source/tests/support python3 - <<'PYTHON' >out 2>err
import sqlite3, stored_signatures
db = sqlite3.connect("s.db")
urls = dict(db.execute("SELECT id, url FROM documents"))
right = sum(facts.endswith(urls[doc].encode()) and record[:2] == b"\3\1" for doc, facts, record in stored_signatures.rows(db))
print(right, len(urls))
PYTHON
equal 'rows are packed as docs/signatures.md says' "$documents $documents" "$(cat out err)"
exit $failed
