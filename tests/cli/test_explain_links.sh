#!/bin/bash
# wings: import
# explain: why a document takes part or does not, and what becomes of its canonical link or redirect.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

cat >pages.jsonl <<'JSON'
{"url": "http://a.example/1", "title": "t", "text": "one two three", "canonical_url": "http://a.example/2"}
{"url": "http://a.example/2", "title": "t", "text": "one two three four"}
{"url": "http://a.example/3", "title": "t", "text": "three", "canonical_url": "http://b.example/10"}
{"url": "http://a.example/4", "title": "t", "text": "four", "redirect_url": "http://a.example/2", "http_status": 301}
{"url": "http://a.example/5", "title": "t", "text": "five", "canonical_url": "http://a.example/6"}
{"url": "http://a.example/6", "title": "t", "text": "six", "canonical_url": "http://a.example/5"}
{"url": "http://a.example/7", "title": "t", "text": "seven", "canonical_url": "http://a.example/none"}
{"url": "http://a.example/8", "title": "t", "text": "eight", "http_status": 404}
{"url": "http://a.example/9", "title": "t", "text": "nine", "robots": "noindex"}
{"url": "http://b.example/10", "title": "t", "text": "ten"}
{"url": "http://a.example/11", "title": "t", "text": "eleven", "canonical_url": "http://a.example/8"}
{"url": "http://a.example/12", "title": "t", "text": "twelve", "canonical_url": "http://a.example/12"}
{"url": "http://a.example/13", "title": "t", "text": "thirteen", "failure": "timeout"}
JSON
"$program" init --quiet s.db && "$program" import --quiet s.db pages.jsonl && "$program" run --quiet --force s.db
is $? 'a store of links'

while IFS='|' read -r id indexable link; do
    "$program" explain s.db "$id" >out 2>err
    has "document $id: $indexable" "indexable_b $indexable"
    if [ -n "$link" ]; then
        has "document $id: $link" "link $link"
        "$program" explain --json s.db "$id" >out 2>err
        succeeds "document $id: the same as JSON" grep -qF "${link%%;*}" out
    else
        lacks "document $id has no link" '^  link '
    fi
done <<'ROWS'
1|0: names another document as canonical|canonical: honoured; it leads to 2 http://a.example/2
2|1: takes part|
3|1: takes part|canonical: ignored: 
4|0: redirects to another document|redirect: honoured; it leads to 2 http://a.example/2
5|1: takes part|canonical: ignored: the links form a loop; it leads to 6 http://a.example/6
7|1: takes part|canonical: ignored: the target is not in the store
8|0: the HTTP status is not 200 but 404|
9|0: the robots directives contain noindex|
11|1: takes part|canonical: ignored: it leads to no document that takes part; it leads to 8 http://a.example/8
12|1: takes part|
13|0: |
ROWS
exit $failed
