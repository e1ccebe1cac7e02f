#!/bin/bash
# wings: import predict lab
# without sanitizers: its subject is lines and colours; test_console and test_program run what writes them
# What is written to a terminal: warnings are coloured unless NO_COLOR is set or the terminal is dumb, progress lines fit the width and are
# cleared before other output; messages about one thing are in the singular. $TWINDEX is the program.
set -u
program=${TWINDEX:?the program}
source=${TWINDEX_SOURCE:?the source tree}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
for name in $(compgen -e TWINDEX_) NO_COLOR; do unset "$name"; done
export TERM=xterm
failed=0

is() { # STATUS WHAT
    [ "$1" = 0 ] && echo "ok - $2" && return
    echo "not ok - $2: $(head -c 900 out | cat -v)"
    failed=1
}

on() { # COLUMNS ARGUMENT...: links (OSC 8) go to `links`, a line each, and only what they show stays
    local columns=$1
    shift
    python3 "$source/tests/cli/in_terminal.py" "$columns" "$program" "$@" >written 2>&1
    local status=$?
    grep -aoP '\x1b\]8;;\K[!-~]+(?=\x1b\\)' written >links
    LC_ALL=C sed -E $'s/\033\\]8;;[!-~]*\033\\\\//g' written >out
    return $status
}
coloured=$'\033[1;33mwarning: \033[0m'

sqlite3 html.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT);
    INSERT INTO pages SELECT value, 'http://a.example/' || value, '<div><p>some words</p></div>' FROM json_each('[1,2,3]')"
on 80 run --force html.db && grep -qF "$coloured" out
is $? 'a warning is coloured on a terminal'
NO_COLOR=1 on 80 run --force --full html.db && grep -q 'warning: ' out && ! grep -q $'\033\\[1' out
is $? 'but not with NO_COLOR'
NO_COLOR='' on 80 run --force --full html.db && grep -qF "$coloured" out
is $? 'an empty NO_COLOR does not count'
TERM=dumb on 80 run --force --full html.db && grep -q 'warning: ' out && ! grep -q $'\033' out
is $? 'nothing is drawn on a dumb terminal'
"$program" run --force --full html.db >out 2>&1 && grep -q 'warning: ' out && ! grep -q $'\033\|\r' out
is $? 'nor in a file'

# ---- control characters of crawled text: not obeyed by a terminal, unchanged in a file
cat >escapes.jsonl <<'JSON'
{"url": "http://a.example/\u001b]0;owned\u0007\u009b31m\u007f", "title": "\u001b[2J", "text": "the same words"}
{"url": "http://a.example/b", "title": "\u001b[2J", "text": "the same words"}
JSON
"$program" init --quiet escapes.db && "$program" import --quiet escapes.db escapes.jsonl && "$program" run --quiet --force escapes.db
for command in 'explain escapes.db 1' 'groups escapes.db' 'compare escapes.db 1 2' 'similar escapes.db 1' 'diff escapes.db'; do
    # shellcheck disable=SC2086 # words
    on 80 $command && : # diff ends with 1
    [ -s out ] && ! tr -d '\r\n' <out | grep -q $'\033[^[]\|\033\\[[^K]\|\007\|\177\|\302\233'
    is $? "a terminal gets no control character of a page: $command"
done
"$program" explain escapes.db 1 >out && grep -qF $'\033]0;owned\007\302\23331m\177' out
is $? 'a file gets the URL unchanged'
# a store whose text keys, URLs and titles have bytes that are not UTF-8, bidirectional controls and line feeds
python3 - <<'PYTHON'
import sqlite3
store = sqlite3.connect("odd.db")
store.execute("CREATE TABLE pages(id TEXT PRIMARY KEY, url TEXT, title TEXT, text TEXT)")
for i in range(4):
    store.execute("INSERT INTO pages VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), 'the same words of a page')",
                  (f"id{i}\nFORGED \u202e", b"http://h.example/%d?\nFORGED \xe2\x80\xae\x9b31m" % i, b"title\nFORGED \xe2\x80\xae\x9b31m"))
store.execute("INSERT INTO pages VALUES ('z\nFORGED', 'no\nFORGED \u202e', 't', 'other words')")
store.commit()
PYTHON
"$program" run --quiet --force --accept-mapping odd.db 2>err && "$program" index --quiet odd.db 2>err
for command in explain groups similar search 'search --wide' diff report 'run -v --full' 'run --dry-run --list --full' doctor; do
    argument=
    case $command in explain | similar) argument=$'id0\nFORGED \u202e' ;; search*) argument=words ;; esac
    # shellcheck disable=SC2086 # words
    on 100 $command odd.db ${argument:+"$argument"}
    [ -s out ] && python3 -c 'import re, sys
text = open("out", "rb").read()
sys.exit(bool(re.search(rb"^FORGED", text, re.M) or b"\xe2\x80\xae" in text or re.search(rb"(?<![\x80-\xff])\x9b", text)))'
    is $? "nor what changes the order or begins a line: $command"
done
sqlite3 notes.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text TEXT); CREATE TABLE 'other
FORGED'(id INTEGER PRIMARY KEY, url TEXT, text TEXT)"
"$program" run --accept-mapping notes.db >out 2>err && grep -q '^  url = "url"$' err && grep -q "^table 'other?FORGED' would fit too$" err && ! grep -q '^FORGED' err
is $? 'the note about the mapping has its lines, and no others'
"$program" groups odd.db >out 2>err && ! grep -q '^FORGED' out && grep -q $'\u202e' out
is $? 'nor does a line feed make a line in a file'
on 80 explain escapes.db $'http://no.example/\033[31m' && : # not found
grep -qF 'no.example/?[31m' out
is $? 'a message on a terminal has none either'

# ---- links
on 80 explain escapes.db 1 && [ "$(sort -u links)" = $'http://a.example/%1B]0;owned%07%C2%9B31m%7F\nhttp://a.example/b' ]
is $? 'a link leads to the URL with all but printable ASCII percent-encoded, so that no URL ends it'
on 24 groups escapes.db && grep -q "http://a.*…" out && grep -qx 'http://a.example/b' links
is $? 'a link that is shown in part leads to the whole URL'
for plain in NO_COLOR=1 TERM=linux TERM=dumb; do
    for command in 'explain escapes.db 1' 'groups escapes.db' 'search --wide odd.db words'; do
        # shellcheck disable=SC2086 # words
        (export "$plain" && on 80 $command && [ ! -s links ] && ! grep -qF $'\033]' written)
        is $? "$plain: no link: $command"
    done
done
sqlite3 odd.db "UPDATE pages SET url = 'javascript:alert(1)' WHERE id LIKE 'id1%'" && on 80 search odd.db words
grep -q 'javascript:' out && ! grep -q javascript links && [ "$(wc -l <links)" = 3 ]
is $? 'only http and https are links'
on 80 explain --json escapes.db 1 && on 80 groups --csv escapes.db && [ ! -s links ]
is $? 'nor are there links in JSON and CSV'

# ---- progress
for columns in 20 40 80; do
    on $columns run --full html.db
    python3 - $columns <<'PYTHON'
import re, sys
written = open("out", "rb").read().decode()
drawn = [line for line in re.split(r"[\r\n]", written) if line.endswith("\033[K") and line != "\033[K"]
if not drawn: sys.exit("no progress was drawn")
wide = [line for line in drawn if len(line.replace("\033[K", "")) >= int(sys.argv[1])]
if wide: sys.exit(f"too wide: {wide}")
# the last progress line is cleared before the results
if not re.search(r"\r\033\[Khtml\.db: ", written): sys.exit("the progress line is not cleared")
PYTHON
    is $? "progress fits $columns columns and is cleared"
done
sqlite3 many.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234) INSERT INTO pages SELECT i, 'http://a.example/' || i, 'text ' || i FROM n"
"$program" run many.db >out 2>err && grep -q '^ *1 234  documents (1 234 read, 1 234 signed, 0 gone)$' out && "$program" run --json --full many.db >out 2>err && grep -q '"documents": 1234,' out && "$program" index --quiet many.db >out 2>&1 && "$program" search many.db 77 >out 2>err && [ "$(grep -c 'duplicate_type=[a-z-]* representative_b=1$\|representative_b=1$' out)" = 1 ] && ! grep -q copycount out
is $? 'thousands are separated for people, not for programs; a hit of a search has few flags'

# ---- one of everything: no plural after a 1
sqlite3 one.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT, title TEXT); INSERT INTO pages VALUES (1, 'http://a.example/1', 'one text of one page', 'one')"
echo '{"url": "http://a.example/1", "text": "one text", "title": "one"}' >one.jsonl
"$program" init own.db >/dev/null && {
    for command in 'check one.db' 'run one.db' 'run --full one.db' 'index one.db' 'report one.db' 'groups one.db' 'digest one.db' 'mirrors one.db' 'search one.db text' 'explain one.db 1' \
        'similar one.db 1' 'check --suggest one.db' 'import own.db one.jsonl' 'run own.db' 'learn own.db' 'diff own.db'; do
        # shellcheck disable=SC2086 # words
        "$program" $command 2>&1
        # shellcheck disable=SC2086
        python3 "$source/tests/cli/in_terminal.py" 80 "$program" $command
    done
    sqlite3 one.db "INSERT INTO pages VALUES (2, NULL, 'x', 'y')"
    "$program" run one.db 2>&1
} >all 2>&1
on 60 search -v --wide one.db text && grep -q ' description_unique_b=' out && ! grep -q '…' out
is $? 'all of a hit with --wide'
long=$(printf 'a-long-name/%.0s' 1 2 3 4 5 6 7 8)
sqlite3 long.db "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, text TEXT, title TEXT)"
for host in a b; do
    for i in 1 2 3; do sqlite3 long.db "INSERT INTO pages(url, text, title) VALUES ('http://$host-host-with-a-name-that-takes-much-room-in-a-line.example/$long$i', 'text number $i of a page, which is on two hosts', '$i')"; done
done
printf '[filter] (indexable_b:true AND http_unique_b:true AND www_unique_b:true) OR (representative_b:false AND indexable_b:true)\n' >long.rules
"$program" run --quiet --set verdict.relations=scheme long.db >out 2>&1 && "$program" run --quiet --set guard.max_hidden=1 long.db >out 2>&1
for command in 'groups long.db' 'mirrors --min-documents 2 long.db' 'similar long.db 1' 'diff long.db' 'rules long.rules' 'evaluate --detectors alignment,simhash long.db'; do
    # shellcheck disable=SC2086 # words
    on 50 $command
    tr -d '\r' <out | sed 's/.*\x1b\[K//' >cut
    # shellcheck disable=SC2086
    on 50 $command --wide
    tr -d '\r' <out | sed 's/.*\x1b\[K//' >wide
    # a note of the command on standard error is not cut
    awk '!/^twindex/' cut >cut.lines && awk '!/^twindex/' wide >wide.lines
    [ "$(LC_ALL=C.UTF-8 wc -L <cut.lines)" -le 50 ] && grep -q '…' cut.lines && [ "$(LC_ALL=C.UTF-8 wc -L <wide.lines)" -gt 50 ] && ! grep -q '…' wide.lines
    is $? "lines fit 50 columns, all with --wide: $command"
done
"$program" search -v one.db text >out 2>&1 && grep -q ' description_unique_b=' out
is $? 'and in a file'
grep -nE '(^|[^0-9.,])1 (documents|rows|texts|groups|hosts|records|pages|links|flags|copies|URLs|titles|words|lines|pairs|sites|runs|files|terms|hits|duplicates)\b' all >out
[ ! -s out ] && [ "$(wc -l <all)" -gt 100 ]
is $? 'a count of 1 has a singular noun'
grep -q '^ *1  record read$' all && grep -q '^ *1  new document$' all
is $? 'in the summary of an import, too'
exit "$failed"
