#!/bin/bash
# Stores that other programs of the distribution make themselves (not by schemas copied into a test): newsboat's cache of a feed, and tables
# that sqlite-utils makes of JSON, with a foreign key that has no index. Each runs in place with the configuration that `check --suggest` writes.
# A program that is not installed is skipped.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

suggest_and_run() { # STORE PATTERN-OF-THE-CONFIGURATION COPYCOUNTS
    "$program" check --suggest "$1.db" >"$1.conf" 2>err
    is $? "a configuration is suggested: $1"
    grep -q "$2" "$1.conf" || cat "$1.conf" >>err
    grep -q "$2" "$1.conf"
    is $? "it is the one expected: $1"
    "$program" run --quiet "$1.db" --config "$1.conf" >out 2>err
    is $? "it runs in place: $1"
    flags=$(sqlite3 "$1.db" "SELECT group_concat(c, ' ') FROM (SELECT exact_signature_copycount_i AS c FROM document_flags ORDER BY 1)" 2>>err)
    [ "$flags" = "$3" ] || printf '\nflags: %s\n' "$flags" >>err
    [ "$flags" = "$3" ]
    is $? "the flags are right: $1"
}

SAME='the quick brown fox jumps over the lazy dog and runs into the woods again'
OTHER='an entirely different page about cooking rice and beans for the whole family'

if command -v newsboat >/dev/null; then
    item() { # NUMBER HOST TEXT
        printf '<item><title>Page %s</title><link>http://%s.example/%s</link><guid>g%s</guid><description>&lt;p&gt;%s&lt;/p&gt;</description></item>\n' "$1" "$2" "$1" "$1" "$3"
    }
    { echo '<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>http://a.example/</link><description>d</description>'
      item 1 a "$SAME"; item 2 b "$SAME"; item 3 c "$OTHER"; echo '</channel></rss>'; } >feed.xml
    echo "file://$work/feed.xml" >urls
    : >config
    HOME=$work timeout 60 newsboat -q -C config -u urls -c newsboat.db -x reload >out 2>err </dev/null
    [ "$(sqlite3 newsboat.db 'SELECT count(*) FROM rss_item' 2>>err)" = 3 ]
    is $? 'newsboat makes a store'
    suggest_and_run newsboat '^# preset newsboat:' '1 2 2'
else
    echo 'ok - skipped: newsboat is not installed'
fi

if command -v sqlite-utils >/dev/null; then
    python3 - "$SAME" "$OTHER" <<'PYTHON'
import json, sys
same, other = sys.argv[1:]
rows = range(1, 1201)
text = lambda i: same if i <= 2 else other + " number %d" % i
json.dump([{"id": i, "url": "http://h%d.example/%d" % (i % 9, i)} for i in rows], open("page.json", "w"))
json.dump([{"id": 5000 - i, "page_id": i, "fetched_at": "2024-02-01", "content": text(i)} for i in rows] +
          [{"id": 9000 - i, "page_id": i, "fetched_at": "2023-02-01", "content": "an old version that nobody wants"} for i in rows], open("snapshot.json", "w"))
PYTHON
    { sqlite-utils insert joined.db page page.json --pk id && sqlite-utils insert joined.db snapshot snapshot.json --pk id &&
        sqlite-utils add-foreign-key joined.db snapshot page_id page id; } >out 2>err
    is $? 'sqlite-utils makes two tables and a foreign key'
    "$program" check --suggest joined.db >joined.conf 2>err
    is $? 'a configuration is suggested: joined'
    "$program" run --quiet joined.db --config joined.conf >out 2>err
    is $? 'it runs in place: joined'
    [ "$(sqlite3 joined.db 'SELECT count(*), sum(exact_signature_copycount_i = 2) FROM document_flags' 2>>err)" = '1200|2' ]
    is $? 'the latest version of each page is judged: joined'
else
    echo 'ok - skipped: sqlite-utils is not installed'
fi
exit "$failed"
