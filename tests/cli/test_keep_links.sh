#!/usr/bin/env bash
# wings: import lab
# import --links: the links of a small WARC of our own, once, again, and for a store that was filled without them.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail

# page PATH BODY: a response record
page() {
    local block head
    block=$(printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%s' "$2")
    head="WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://web.example$1\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n"
    printf '%bContent-Length: %d\r\n\r\n%s\r\n\r\n' "$head" "${#block}" "$block"
}

import() { "$TWINDEX" import "$@" >out 2>err; }
links() { sqlite3 "$1" "SELECT count(*) FROM twindex_link" 2>&1; }

{
    page / '<p>home <a href="a">a</a> <a href="b?c=d#e">b</a> <a href="mailto:x@y">mail</a>'
    page /a '<base href="http://other.example/"><p>a <a href="x">away</a> <a href="http://WEB.example:80/">home</a>'
    page /b '<p>no links'
} >web.warc
gzip -k web.warc

"$TWINDEX" init kept.db >/dev/null && import --links kept.db web.warc.gz
got 'import --links succeeds' $? 0
got 'targets are absolute and in normal form' \
    "$(sqlite3 kept.db "SELECT group_concat(url || ' ' || to_url) FROM (SELECT url, to_url FROM twindex_link JOIN documents ON id = doc
        ORDER BY url, to_url)")" \
    "http://web.example/ http://web.example/a,http://web.example/ http://web.example/b?c=d,http://web.example/a http://other.example/x,http://web.example/a http://web.example/"
got 'the summary counts them' "$(grep -o '[0-9]*  links to other pages' out)" '4  links to other pages'

before=$(sqlite3 kept.db .dump | sha256sum)
import --links --json kept.db web.warc
got 'a second import succeeds' $? 0
got 'and counts no link' "$(grep -o '"links": *[0-9]*' out | tr -d ' ')" '"links":0'
got 'and changes nothing' "$(sqlite3 kept.db .dump | sha256sum)" "$before"

"$TWINDEX" init plain.db >/dev/null && import plain.db web.warc
got 'without --links there is no table' "$(sqlite3 plain.db "SELECT count(*) FROM sqlite_schema WHERE name = 'twindex_link'")" 0
TWINDEX_IMPORT_LINKS=yes import plain.db web.warc
got 'the setting does what the option does, also for pages that are there' "$(links plain.db)" 4
sqlite3 plain.db "DELETE FROM documents WHERE url = 'http://web.example/'"
got 'the links of a document go with it' "$(links plain.db)" 2

# Two hosts with the same three pages and the same links; a page of a third one has nearly the text of one of them, but no page links to it.
host_page() { page "$1" "<p>$3 $(printf "$2%d " {1..40})" | sed "s|http://web.example|http://$4|"; }
{
    for host in one.example two.example; do
        host_page / home '<a href="/apples">a</a> <a href="/boats">b</a>' $host
        host_page /apples apple '<a href="/boats">b</a>' $host
        host_page /boats boat '<a href="/">h</a>' $host
    done
    host_page /lonely boat '<a href="/">h</a> harbour' lonely.example
} >hosts.warc
near() {
    sqlite3 "$1" "SELECT group_concat(substr(url, 8), ' ') FROM (SELECT url FROM documents JOIN document_flags USING (id)
        WHERE near_copycount_i = 2 ORDER BY url)"
}
run() { "$TWINDEX" run --quiet --set near.detector=content_links hosts.db >out 2>err; }
"$TWINDEX" init hosts.db >/dev/null && import hosts.db hosts.warc && run
got 'a run takes a store without links' $? 0
got 'and content_links finds nothing there' "$(near hosts.db)" ''
import --links hosts.db hosts.warc && run
got 'a run takes a store with links' $? 0
got 'content_links joins what has equal words in an equal place' "$(near hosts.db)" \
    'one.example/ one.example/apples one.example/boats two.example/ two.example/apples two.example/boats'
exit $failed
