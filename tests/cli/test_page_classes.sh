#!/bin/bash
# wings: import
# Pages without content: found by wording and by structure, left out as the setting says, guarded; incremental runs say what full ones say.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

put() { jq -nc --arg u "$1" --arg t "$2" --arg x "$3" --argjson s "${4:-200}" '{url: $u, title: $t, text: $x, status: $s}'; }
class() { sqlite3 s.db "SELECT page_class_s || error_page_b || indexable_b FROM flagged_documents WHERE url LIKE '%$1' ORDER BY id LIMIT 1"; }
same_as_full() {
    local digest
    digest=$("$program" digest s.db) && rm -f full.db* && sqlite3 s.db "VACUUM INTO 'full.db'" && twindex run --full --force "$@" full.db
    equal "incremental is full $*" "$("$program" digest full.db)" "$digest"
}

"$program" init s.db >/dev/null
{
    for i in $(seq 110); do put "http://a.example/lamp/$i" "Lamp number $i" "The lamp number $i of the shop hangs in the hall and its light is as warm as $((i * 7919))."; done
    for i in 1 2 3; do put "http://a.example/gone/$i" 'Page not found' 'Sorry, the page you requested was moved or removed.'; done
    put http://b.example/ 'Just a moment...' 'b.example needs to review the security of your connection before proceeding.'
    put http://c.example/ 'Sign in' 'Username Password Remember me Sign in'
    put http://d.example/ 'Lamps' 'This website uses cookies We use cookies to personalise content. Allow all cookies'
    put http://e.example/ 'Index of /' 'Index of / Name Last modified Size Parent Directory'
    put http://f.example/a/one 'The harbour is closed' 'Nobody is here, and the boats are in the shed.'
    put http://f.example/b/two 'The harbour is closed' 'Nobody is here, and the boats are in the shed.'
    put http://f.example/c/three 'The harbour is closed' 'Nobody is here, and the boats are in the shed.'
    put http://f.example/a/four 'The harbour is closed' 'Nobody is here, and the boats are in the shed.'
    put http://g.example/x 'Winter' 'We come back in spring.'
    put http://g.example/y 'Winter' 'We come back in spring.' 503
} >crawl.jsonl
"$program" import --quiet s.db crawl.jsonl 2>err && twindex run s.db
is $? 'the store is made'
for wanted in /lamp/1=page01 /gone/2=error10 b.example/=challenge10 c.example/=login10 d.example/=consent10 e.example/=listing01 /one=page01 .example/x=error10 .example/y=error10; do
    equal "$wanted" "$(class "${wanted%%=*}")" "${wanted#*=}"
done
equal 'they are in no group' "$(sqlite3 s.db "SELECT count(*) FROM twindex_group_member JOIN document_flags ON document = id WHERE error_page_b")" 0
twindex explain s.db http://b.example/ && grep -q 'page_class_s .*challenge: its title and text match a pattern (Cloudflare)' out && grep -q 'indexable_b .*0: check for robots' out
is $? 'explain names the pattern'

for path in b/five ''; do put "http://f.example/$path" 'The harbour is closed' 'Nobody is here, and the boats are in the shed.'; done >more.jsonl
"$program" import --quiet s.db more.jsonl 2>err && twindex run s.db
equal 'a fifth URL makes all of them errors' "$(class /one)$(class /five)" error10error10
equal 'but the first page of the host' "$(class f.example/)" page01
prints 'explain names the structure' 'page_class_s .*error: other URLs of the host' explain s.db http://f.example/a/one
same_as_full
sqlite3 s.db "DELETE FROM documents WHERE url = 'http://f.example/b/five'" && twindex run s.db
equal 'and without it they are pages' "$(class /one)" page01
same_as_full

twindex run --set page_class.left_out= s.db
equal 'with an empty list they take part' "$(class b.example/)$(class /gone/2)" challenge11error11
same_as_full --set page_class.left_out=
refuses 'a class that is always a page' 64 "page_class.left_out: 'listing' is not one of error challenge login consent" run --set page_class.left_out=listing s.db
twindex run --force s.db

# ---- patterns of one's own
printf 'page\tx\t250\t^just a moment\t-\nerror\tour shop\t50\t^lamp number 7$\tnumber 7 of the shop\n' >own.tsv
twindex run --set page_class.patterns=own.tsv s.db
equal 'they come first' "$(class b.example/)$(class /lamp/7)$(class /lamp/8)" page01error10page01
same_as_full --set page_class.patterns=own.tsv
printf '\nerror\tx\t50\t(\t-\n' >bad.tsv
refuses 'a mistake is named' 65 'bad.tsv:2: missing closing parenthesis' run --set page_class.patterns=bad.tsv s.db
refuses 'a file that does not exist' 65 "page_class.patterns: cannot read 'none.tsv'" run --set page_class.patterns=none.tsv s.db
twindex run --force s.db

# ---- the guard
sqlite3 s.db "UPDATE documents SET title = 'Just a moment...', text = '' WHERE url LIKE 'http://a.example/lamp/1%'"
check 'a host that turns into challenges' 3 '*22 of its 110 documents that took part would be errors, challenges, logins or questions for consent; 22 documents: check for robots*' run s.db
equal 'nothing was published' "$(class /lamp/1)" page01
twindex run --set guard.max_turned=1 s.db
equal 'the setting switches it off' "$(class /lamp/1)" challenge10
exit $failed
