#!/bin/bash
# What people meet first: a URL that is not typed as it is stored, mistakes in a configuration, a configuration beside several stores, and diff on a store
# with text keys or after a run that changed nothing.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# page FILE: a crawler's table with text keys
make() {
    rm -f "$1"*
    sqlite3 "$1" "CREATE TABLE pages(hash TEXT PRIMARY KEY, url TEXT, text TEXT, n INTEGER, title TEXT); INSERT INTO pages VALUES
        ('k1', 'https://docs.example.org/guide/Install.html', 'how to install it', 1, 'Guide'), ('k2', 'http://www.example.org/a/', 'the same text of two pages', 2, 'Pages'),
        ('k3', 'http://other.example/a', 'the same text of two pages', 3, 'Pages'), ('k4', 'https://example.org/?q=1', 'a page with a query', 4, 'Pages'),
        ('k5', 'http://case.example/Page', 'one with a capital', 5, ''), ('k6', 'http://case.example/PAGE', 'one with more of them', 6, '')"
}
make s.db && "$program" run --quiet s.db >out 2>err
is $? 'a store'

# ---- URLs as people type them
explains() { # TYPED ID NOTE
    "$program" explain s.db "$1" >out 2>err && head -1 out | grep -q '^shown: \|^hidden: ' && sed -n 2p out | grep -q "^'$2' " && { [ -z "$3" ] || grep -qF -- "$3" err; }
    is $? "explain: $1"
}
explains https://docs.example.org/guide/Install.html k1 ''
explains docs.example.org/guide/Install.html k1 "no document has the URL 'docs.example.org/guide/Install.html': 'https://docs.example.org/guide/Install.html' is taken"
explains //docs.example.org/guide/Install.html k1 'is taken'
explains http://www.docs.example.org/guide/Install.html k1 'is taken'
explains 'HTTPS://DOCS.example.org:443/guide/./Install.html#step-2' k1 'is taken'
explains https://docs.example.org/GUIDE/install.html k1 'is taken'
explains http://www.example.org/a k2 'is taken'
explains example.org/A k2 'is taken'
explains http://other.example/a/ k3 'is taken'
explains 'http://www.example.org?q=1' k4 'is taken'
explains http://case.example/page k5 '(1 other would fit, too)'
explains http://case.example/PAGE k6 ''
refuses 'explain: the nearest URL' 66 "no document has the id or the URL 'https://docs.example.org/guide/Instal.html'; did you mean 'https://docs.example.org/guide/Install.html'?" \
    explain s.db https://docs.example.org/guide/Instal.html
check 'explain: none is near' 66 "*no document has the id or the URL 'http://nowhere.test/'" explain s.db http://nowhere.test/
check 'explain: no URL' 66 "*no document has the id or the URL 'k9'" explain s.db k9
equal 'compare takes them, too' 2 "$("$program" compare s.db other.example/a http://www.example.org/a >out 2>err && grep -c 'is taken' err)"
refuses 'and names the nearest' 66 "did you mean 'http://other.example/a'?" similar s.db http://other.example/c

# ---- diff
sqlite3 s.db "UPDATE pages SET text = 'a page with a query' WHERE hash = 'k3'"
"$program" run --quiet s.db 2>err
check 'diff' 1 '' diff s.db
has 'names representatives by their URLs' 'duplicate_of http://www.example.org/a/ -> https://example.org/?q=1'
grep -q 'changed nothing' out
got 'says nothing of the last run' $? 1
"$program" run --quiet s.db 2>err
check 'after a run that changed nothing' 1 '' diff s.db
has 'diff says so' 'changed nothing: these are the changes of the last run before it that changed something'
"$program" diff --json s.db >out; holds 'd["last_run_changed_nothing"] is True' 'in JSON, too'
sqlite3 s.db "UPDATE pages SET text = 'another text' WHERE hash = 'k3'" && "$program" run --quiet s.db 2>err
"$program" diff --json s.db >out; holds 'd["last_run_changed_nothing"] is False' 'the next one changes something'

# ---- configurations
mkdir conf && make conf/s.db && cd conf || exit 1
conf() { printf '%b' "$1" >twindex.conf; }
MAPPING='[store]\nfrom = pages\nid = hash\nurl = url\n'
conf "${MAPPING}text = nope\n"
refuses 'an error of a mapping names the file' 65 "store.text is not valid: no such column: nope (configuration: twindex.conf)" run s.db
check 'check does' 1 '' check s.db
has 'in a line of its own' 'configuration twindex.conf'
cp twindex.conf ../named.conf && rm twindex.conf
refuses 'so is one that --config names' 65 '(configuration: ../named.conf)' run --config ../named.conf s.db
refuses 'without a configuration none is named' 65 'no such column: nope' run --set store.from=pages --set store.id=hash --set store.url=url --set store.text=nope s.db
lacks 'in the message' 'configuration:' err
conf "${MAPPING}text = text\nurl = text\n"
refuses 'a setting given twice' 65 'twindex.conf:6: store.url is given twice, first in line 4' run s.db
conf "${MAPPING}text = text  # what people read\n"
refuses 'a comment after a value' 65 "twindex.conf:5: a comment needs a line of its own: '#' would be part of the value" run s.db
conf "${MAPPING}text = text || '# '\n[alignment]\nthreshold = .7\n"
equal 'a # in quotes is none, and .7 is a number' 6 "$("$program" run --quiet s.db >out 2>err && sqlite3 s.db 'SELECT count(*) FROM document_flags')"
mkdir many && printf 'BEGIN;%sCOMMIT' "$(printf 'CREATE TABLE t%d(a);CREATE TABLE u%d(id INTEGER PRIMARY KEY, url, text);' {1..6000})" | sqlite3 many/s.db && check 'a store of many tables' 0 '*' run --quiet --accept-mapping many/s.db
refuses 'an import into a store that does not exist' 66 "none.db: No such file or directory: 'twindex init' makes a store" import none.db "$source/tests/golden/sample/crawl.jsonl"
refuses 'a missing configuration' 66 "cannot read 'none.conf': No such file or directory" run --config none.conf s.db
# beside another store
check 'one store in a directory' 0 '' check s.db
sqlite3 other.db 'CREATE TABLE t(a)'
check 'two of them: a note' 0 'twindex check: twindex.conf is used for s.db; it applies to every store of its directory, such as other.db*' check s.db
check 'not with --quiet' 0 '' run --quiet s.db
check 'not with --config' 0 '' check --config twindex.conf s.db
conf '[run]\njobs = 1\n'
check 'not without a mapping' 0 '' check s.db
exit "$failed"
