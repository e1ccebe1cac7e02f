#!/usr/bin/env bash
# wings: import predict lab
# The SQLite extension: every example of docs/extension.md, in the sqlite3 shell and in Python; its values are those of a run;
# who may call it; what goes wrong; what the library shows.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail
extension=$(dirname "$TWINDEX")/twindex.so
case $extension in *asan* | *tsan*) echo "skipped: the extension has a sanitizer, a plain program cannot load it"; exit 0 ;; esac
[ -e "$extension" ] || { echo "skipped: no $extension"; exit 0; }

# sql DATABASE: statements of standard input; an error as its message alone, as the last line
sql() {
    sqlite3 -bail -cmd ".load $extension" "$1" 2>err
    sed 's/^\(Parse\|Runtime\) error near line [0-9]*: //; s/ ([0-9]*)$//; /^  /d' err
}
one() { sql :memory: <<<"$1"; }

"$TWINDEX" init sample.db >/dev/null && "$TWINDEX" import --quiet sample.db "$source/tests/golden/sample/crawl.jsonl" &&
    "$TWINDEX" run --quiet sample.db && sqlite3 sample.db 'PRAGMA wal_checkpoint(TRUNCATE);' >/dev/null
equal 'the sample store is made' 0 $?

# ---- the document -----------------------------------------------------------------------------------------------------
doc=$source/docs/extension.md

# rows of its tables whose third column is an example; the fourth is the result
examples=0
while IFS=$'\t' read -r example result; do
    equal "example $example" "$result" "$(one "SELECT $example;")"
    examples=$((examples + 1))
done < <(awk -F ' *[|] *' 'NF == 6 && $4 ~ /^`.*`$/ && $5 ~ /^`.*`$/ { print substr($4, 2, length($4) - 2) "\t" substr($5, 2, length($5) - 2) }' "$doc")
equal 'the document has examples' 1 $((examples > 15))

# each ```sql block and the ```text block after it, on a store of their own
awk '/^```sql/ { n++; on = n ".sql" } /^```text/ { on = n ".expected" } /^```/ { if ($0 == "```") on = ""; next } on { print > on }' "$doc"
for file in [0-9]*.sql; do
    n=${file%.sql}
    cp sample.db copy.db
    equal "statements $n of the document" "$(cat "$n.expected")" "$(sql copy.db <"$file")"
done

# the functions of the table, in the document and in the help, are the same
equal 'the document has every function' "$(one 'SELECT twindex_help();' | sed 's/(.*//' | sort)" \
    "$(grep -o '^| `[a-z_]*(' "$doc" | tr -d '|` (' | sort)"
equal 'the document has their arguments as the help has' "$(one 'SELECT twindex_help();' | sed 's/: .*//' | sort)" \
    "$(grep -o '^| `[a-z_]*([^`]*`' "$doc" | tr -d '|`' | sed 's/^ *//' | sort)"
equal 'every function has an example' "$(one 'SELECT twindex_help();' | sed 's/(.*//' | sort)" \
    "$(one 'SELECT twindex_help();' | sed 's/(.*//' | while read -r name; do awk -F ' *[|] *' -v name="$name(" 'index($4, name)' "$doc" | grep -q . && echo "$name"; done | sort)"

# ---- values -----------------------------------------------------------------------------------------------------------
if ! python3 -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null; then
    echo "skipped: no Python whose sqlite3 loads extensions"
else
    cp sample.db crawl.db
    awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' "$doc" | sed "s,load_extension(\"twindex\"),load_extension(\"$extension\")," >doc.py
    equal 'the program of the document' "http://news.example/tides high 2" "$(python3 doc.py 2>&1 | head -n 1)"
    values() { python3 "$source/tests/support/extension_values.py" "$extension" "$@" || echo "not ok - values of $*"; }
    {
        values sample.db
        for near in 'simhash' 'minhash --set minhash.boilerplate=no'; do
            cp sample.db near.db
            # shellcheck disable=SC2086 # its options
            "$TWINDEX" run --quiet near.db --force --set near.min_words=5 --set near.detector=$near && values near.db "${near%% *}"
        done
    } >values.out 2>&1
    cat values.out
    ! grep -q '^not ok' values.out || failed=1
    equal 'values were compared' 11 "$(grep -c '^ok' values.out)"
fi
# the probabilities of `twindex predict`: sid does not matter, page does
for n in $(seq 60); do
    words=$(seq -f "word${n}x%.0f" -s ' ' 30)
    for k in 1 2 3; do echo "{\"url\": \"https://tale.example/story/$n?sid=$((100 * n + k))\", \"text\": \"Story $n of the ferryman: $words\"}"; done
    echo "{\"url\": \"https://tale.example/list?page=$n\", \"text\": \"Here begins list $n of all tales: list $words\"}"
done >tales.jsonl
"$TWINDEX" init tales.db >/dev/null && "$TWINDEX" import --quiet tales.db tales.jsonl && "$TWINDEX" run --quiet --force tales.db &&
    "$TWINDEX" learn --quiet tales.db >/dev/null
equal 'a store whose URLs are learned' 0 $?
printf 'https://tale.example/%s\n' 'story/7?sid=99' 'story/7' 'story/61?sid=1' 'list?page=99' 'list?page=7' 'list' '' >urls
equal 'probabilities are those of twindex predict' "$("$TWINDEX" predict tales.db <urls | cut -f 1)" \
    "$(sed "s/.*/SELECT printf('%.6f', duplicate_probability('&'));/" urls | sql tales.db)"
equal 'a page that is there under another sid is likely a double, another page of a list is not' '1|1' \
    "$(sql tales.db <<<"SELECT duplicate_probability('https://tale.example/story/7?sid=99') > 0.9, duplicate_probability('https://tale.example/list?page=99') < 0.1;")"
equal 'a model in an attached file' 1 "$(one "ATTACH 'tales.db' AS t; SELECT duplicate_probability('https://tale.example/story/7?sid=99') > 0.9;")"
equal 'no URL has no probability' '|' "$(sql tales.db <<<"SELECT duplicate_probability('no URL'), duplicate_probability(NULL);")"
equal 'an index may not use it' 'non-deterministic functions prohibited in index expressions' \
    "$(sql tales.db <<<"SELECT twindex_config('indirect', 1); CREATE INDEX i ON documents (duplicate_probability(url));" | tail -n 1)"
equal 'a view may once it was asked for' 1 \
    "$(sql tales.db <<<"SELECT twindex_config('indirect', 1); CREATE TEMP VIEW v AS SELECT duplicate_probability('https://tale.example/story/7?sid=99') > 0.9; SELECT * FROM v;" | tail -n 1)"

# texts as a store may have them: NUL, invalid UTF-8, another encoding
equal 'NUL is a byte of a text' "$(printf 'a\0b' | sha256sum | cut -c 1-16)" "$(one "SELECT printf('%016x', exact_signature(CAST(x'610062' AS TEXT)));")"
equal 'a blob counts as bytes' 1 "$(one "SELECT exact_signature(x'ff61') IS exact_signature(CAST(x'ff61' AS TEXT)) AND exact_signature(x'ff61') IS NOT exact_signature('a');")"
equal 'a store of UTF-16' "$(one "SELECT fuzzy_profile('Igel und Hase, ÄÖÜ äöü')")" \
    "$(one "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (x); INSERT INTO t VALUES ('Igel und Hase, ÄÖÜ äöü'); SELECT fuzzy_profile(x) FROM t;")"
equal 'an empty text' '||' "$(one "SELECT exact_signature(''), fuzzy_signature(x''), simhash('') || minhash('');")"
equal 'text without words' '|||' "$(one "SELECT simhash('!?'), minhash('!?'), jaccard('!?', 'a'), alignment_similarity('!?', 'a');")"
equal 'without words shingles say nothing' '|' "$(one "SELECT shingle_resemblance('!?', 'a'), shingle_containment('a', '!?');")"
equal 'equal texts' '1.0|1.0|1.0|1.0|1.0' "$(one "SELECT jaccard(t, t), shingle_resemblance(t, t), shingle_containment(t, t), text_similarity(t, t), alignment_similarity(t, t) FROM (SELECT 'the hare and the hedgehog ran' AS t);")"
equal 'two empty texts are equal' 1.0 "$(one "SELECT text_similarity('', '');")"
equal 'texts of very different length' 0.0 "$(one "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) SELECT alignment_similarity('hedgehog', group_concat('w' || i, ' ')) FROM n;")"
equal 'words of any length in a profile' $'a 1\nbb 1' "$(one "SELECT fuzzy_profile('a bb', 0);")"
equal 'words of one letter left out' 'bb 1' "$(one "SELECT fuzzy_profile('a bb', 1);")"
equal 'counts rounded to half of the largest' 'aa 4' "$(one "SELECT fuzzy_profile('aa aa aa aa aa bb', 0, 0.4) || substr(fuzzy_profile('aa bb', 0, 1), 1, 0);")"
equal 'URLs without a host' 'urn:isbn:1|||' "$(one "SELECT url_normalize('urn:isbn:1'), url_host('urn:isbn:1'), url_domain('urn:isbn:1'), url_twin_key('urn:isbn:1');")"
equal 'an address is its own domain' '127.0.0.1' "$(one "SELECT url_domain('http://127.0.0.1/');")"

# ---- NULL gives NULL ----------------------------------------------------------------------------------------------------
for call in 'exact_signature(NULL)' 'fuzzy_signature(NULL)' "fuzzy_signature('a', NULL)" "fuzzy_profile('a', 2, NULL)" 'simhash(NULL)' \
    'hamming(NULL, 1)' 'minhash(NULL)' "jaccard('a', NULL)" "shingle_resemblance(NULL, 'a')" "shingle_containment('a', NULL)" \
    "text_similarity(NULL, 'a')" "alignment_similarity('a', NULL)" 'url_normalize(NULL)' 'url_twin_key(NULL)' 'url_host(NULL)' 'url_domain(NULL)'; do
    equal "$call is NULL" 1 "$(one "SELECT $call IS NULL;")"
done

# ---- errors -------------------------------------------------------------------------------------------------------------
fails() { equal "$1 is refused" "$2" "$(one "SELECT $1;")"; } # EXPRESSION MESSAGE
fails 'simhash()' 'simhash(): wrong number of arguments: it is called as simhash(text)'
fails "simhash('a', 'b')" 'simhash(): wrong number of arguments: it is called as simhash(text)'
fails "fuzzy_profile('a', 1, 1, 1)" 'fuzzy_profile(): wrong number of arguments: it is called as fuzzy_profile(text[, min_token_len[, quant_rate]])'
fails 'exact_signature(1)' 'exact_signature(): argument 1 is an integer: give a text or a blob'
fails 'text_similarity(x, 1.5)' 'no such column: x'
fails "text_similarity('x', 1.5)" 'text_similarity(): argument 2 is a real number: give a text or a blob'
fails "hamming('1', 2)" 'hamming(): argument 1 is a text: give an integer'
fails 'hamming(1, 2.0)' 'hamming(): argument 2 is a real number: give an integer'
fails "jaccard('a', x'00')" 'jaccard(): argument 2 is a blob of 1 bytes: give one of 128, made by minhash(), or a text'
fails "jaccard('!?', x'00')" 'jaccard(): argument 2 is a blob of 1 bytes: give one of 128, made by minhash(), or a text'
fails "fuzzy_signature('a', -1)" 'fuzzy_signature(): min_token_len is -1: give 0 to 1000'
fails "fuzzy_signature('a', 1001)" 'fuzzy_signature(): min_token_len is 1001: give 0 to 1000'
fails "fuzzy_signature('a', '2')" 'fuzzy_signature(): argument 2 is a text: give an integer'
fails "fuzzy_signature('a', 2, 1.5)" 'fuzzy_signature(): argument 3 is 1.5: give a number from 0 to 1'
fails "fuzzy_signature('a', 2, 'x')" 'fuzzy_signature(): argument 3 is a text: give a number'
fails "twindex_help('telepathy')" "twindex_help(): no function 'telepathy': twindex_help() lists them"
fails "twindex_config('telepathy')" "twindex_config(): no setting 'telepathy': there is 'indirect'"
fails "twindex_config('indirect', 2)" 'twindex_config(): indirect is 2: give 0 or 1'
fails "twindex_config('indirect', 'on')" 'twindex_config(): argument 2 is a text: give an integer'

# long texts
fails 'text_similarity(a, b) FROM (SELECT hex(randomblob(200000)) AS a, hex(randomblob(200000)) AS b)' \
    'text_similarity(): texts of 400000 and 400000 bytes take too long to compare: alignment_similarity() estimates it'
equal 'long texts that are nearly equal' 1 "$(one "SELECT text_similarity(t || 'x' || t, t || 'y' || t) > 0.999 FROM (SELECT hex(randomblob(1000000)) AS t);")"
equal 'a result that is longer than the connection allows' 'string or blob too big' \
    "$(sqlite3 -bail -cmd ".load $extension" -cmd '.limit length 1000' :memory: "SELECT fuzzy_profile('$(seq 100 330 | tr '\n' ' ')');" 2>&1 |
        grep -o 'string or blob too big')"
equal 'no memory' 'out of memory' "$(ulimit -v 300000; one "SELECT text_similarity(t, t) FROM (SELECT replace(hex(zeroblob(20000000)), '00', 'a ') AS t);")"

# ---- who may call ---------------------------------------------------------------------------------------------------------
# asking DATABASE: the same for a connection that has asked
asking() { sed "1s/^/SELECT twindex_config('indirect', 1); /" | sql "$1" | sed 1d; }
sql view.db <<'SQL'
CREATE TABLE pages (id INTEGER PRIMARY KEY, text);
INSERT INTO pages (text) VALUES ('abc'), ('one two one');
CREATE TABLE seen (h);
CREATE TRIGGER note AFTER INSERT ON pages BEGIN INSERT INTO seen VALUES (simhash(new.text)); END;
CREATE VIEW keys AS SELECT id, minhash(text) AS m FROM pages;
CREATE VIEW sly AS SELECT twindex_config('indirect', 1);
SQL
asking index.db <<'SQL'
CREATE TABLE pages (id INTEGER PRIMARY KEY, text);
CREATE INDEX by_text ON pages (exact_signature(text));
INSERT INTO pages (text) VALUES ('abc'), ('one two one');
SQL
asking column.db <<'SQL'
CREATE TABLE pages (id INTEGER PRIMARY KEY, text, profile AS (fuzzy_signature(text, 2)));
INSERT INTO pages (text) VALUES ('abc'), ('one two one');
SQL
equal 'a view may not call' 'unsafe use of minhash()' "$(sql view.db <<<'SELECT m FROM keys;')"
equal 'a trigger may not' 'unsafe use of simhash()' "$(sql view.db <<<"INSERT INTO pages (text) VALUES ('x');")"
equal 'an index may not be made' 'unsafe use of simhash()' "$(sql view.db <<<'CREATE INDEX another ON pages (simhash(text));')"
equal 'nor a generated column' 'error in table pages after add column: unsafe use of simhash()' "$(sql view.db <<<'ALTER TABLE pages ADD COLUMN s AS (simhash(text));')"
equal 'an index that is there may not' 'malformed database schema (by_text) - unsafe use of exact_signature()' "$(sql index.db <<<'SELECT id FROM pages;')"
equal 'nor a generated column that is there' 'malformed database schema (pages) - unsafe use of fuzzy_signature()' "$(sql column.db <<<'SELECT profile FROM pages;')"
equal 'a schema cannot ask for it' 'unsafe use of twindex_config()' "$(sql view.db <<<'SELECT * FROM sly;')"
equal 'nor once it was asked for' 'unsafe use of twindex_config()' "$(asking view.db <<<'SELECT * FROM sly;')"
equal 'a view may once it was asked for' 128 "$(asking view.db <<<'SELECT length(m) FROM keys WHERE id = 1;')"
equal 'a trigger may' 731009201120434119 "$(asking view.db <<<"INSERT INTO pages (text) VALUES ('abc'); SELECT h FROM seen;")"
equal 'an index may, and is used' '1 by_text' \
    "$(asking index.db <<<'SELECT id FROM pages WHERE exact_signature(text) = -5010229573455851542; EXPLAIN QUERY PLAN SELECT id FROM pages WHERE exact_signature(text) = 1;' |
        grep -o '^1$\|by_text' | tr '\n' ' ' | sed 's/ $//')"
equal 'a generated column may' 6175659495461906508 "$(asking column.db <<<'SELECT profile FROM pages WHERE id = 2;')"
equal 'a schema that is not trusted may not even then' 'unsafe use of minhash()' "$(asking view.db <<<'PRAGMA trusted_schema = OFF; SELECT m FROM keys;')"
equal 'a connection without the extension reads a table with such an index' 2 "$(sqlite3 index.db 'SELECT count(*) FROM pages NOT INDEXED;' 2>&1)"
equal 'but does not write it' 1 "$(sqlite3 index.db "INSERT INTO pages (text) VALUES ('x');" 2>&1 | grep -c 'no such function: exact_signature\|unknown function: exact_signature()')"
equal 'another connection has not asked' 0 "$(sql view.db <<<"SELECT twindex_config('indirect');")"
equal 'it cannot be taken back' 'twindex_config(): indirect stays on until the connection is closed' \
    "$(one "SELECT twindex_config('indirect', 1); SELECT twindex_config('indirect', 0);" | tail -n 1)"
equal 'it may be asked for twice' '1 1' "$(one "SELECT twindex_config('indirect', 1); SELECT twindex_config('indirect', 1);" | tr '\n' ' ' | sed 's/ $//')"
equal 'off is off' 0 "$(one "SELECT twindex_config('indirect', 0);")"
equal 'loaded twice' 9 "$(printf '.load %s\nSELECT hamming(0, 511);\n' "$extension" | sql :memory:)"
equal 'loaded and asked twice' '128 1 128' \
    "$(printf "SELECT length(m) FROM keys WHERE id = 1;\n.load %s\nSELECT twindex_config('indirect', 1);\nSELECT length(m) FROM keys WHERE id = 1;\n" "$extension" |
        asking view.db | tr '\n' ' ' | sed 's/ $//')"

# ---- what the library shows -----------------------------------------------------------------------------------------------
equal 'it exports its entry and nothing else' 'sqlite3_twindex_init' "$(nm -D --defined-only "$extension" | awk '$3 !~ /^(__gcov|mangle_path$)/ { print $3 }')"
equal 'it binds to no SQLite' '' "$(nm -D --undefined-only "$extension" | grep -o 'sqlite3_.*')"
equal 'it needs no libsqlite3' '' "$(readelf -d "$extension" | grep NEEDED | grep -o 'libsqlite3[^]]*')"
exit $failed
