#!/usr/bin/env bash
# wings: import lab
# Search in many languages: accents, stems, Chinese, Japanese and Korean; indexes of another version; the extension reads the index. Judges: the
# stems are those of Snowball's own program (stemwords), folding is that of ICU (uconv).
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
extension=$(dirname "$program")/twindex.so
sql() { with_extension sqlite3 -batch -cmd ".load $extension" "$@"; }

python3 - >pages.jsonl <<'PYTHON'
import json
PAGES = [("ja", "日本語の検索", "これは日本語のテキストです。東京都に住んでいます。"), ("zh", "中文网页", "搜索引擎的中文分词"),
         ("ko", "한국어 문서", "한국어 검색 엔진입니다"), ("en", "What's new in C++", "C++17 and C# are running languages; foo-bar too"),
         ("de-AT", "Häuser in Köln", "Viele Häuser und ein Haus, dazu Straßen"), ("es", "Educación", "La educación en España; canciones"),
         ("ru", "Книги", "Ёлка и книгами"), (None, "Plain", "Runs without a language: naïve café, running, ｱﾊﾟｰﾄ"),
         ("zz", "Unknown", "houses in a language without a stemmer")]
for n, (language, title, text) in enumerate(PAGES):
    page = {"url": "http://a.example/%d" % n, "title": title, "text": text}
    if language: page["language"] = language
    print(json.dumps(page))
PYTHON
"$program" init s.db >/dev/null && "$program" import --quiet s.db pages.jsonl && "$program" run --quiet s.db && "$program" index --quiet s.db
is $? 'a store of nine languages'

# finds QUERY ID...
finds() {
    local query=$1
    shift
    "$program" search --json --limit 0 -- s.db "$query" >out 2>err
    equal "ids for $query" "$*" "$(member '" ".join(str(i) for i in sorted(x["id"] for x in d["results"]))')"
}
finds 日本語 1
finds 語 1
finds 京都 1
finds 本東
finds 中文 2
finds 한국 3
finds 국어 3
finds アパート 8
finds "what's new" 4
finds 'C++' 4
finds 'c#' 4
finds 'C-' 4
finds foo-bar 4
finds 'run' 4
finds 'languages' 4
finds 'language' 4 8 9
finds 'running' 4 8
finds 'haus' 5
finds 'HÄUSERN' 5
finds 'strassen koln' 5
finds 'educaciones' 6
finds 'educacion' 6
finds 'canción' 6
finds 'книга ёлки' 7
finds 'елка' 7
finds 'cafe naive' 8
finds 'house' ''
"$program" search --json s.db 日本語 >out 2>err
holds 'd["results"][0]["title"] == "[日本語]の検索" and "[日本語]" in d["results"][0]["snippet"]' 'what matches is marked'

"$program" index --json --language en s.db >out 2>err
holds 'd["indexed"] == 1' 'a language for documents that declare none'
finds 'run' 4 8
check 'no such language' 64 "*no stemmer for 'klingon'*" index --language klingon s.db

# An index of another tokenizer
other() {
    sql s.db "DROP TABLE twindex_text; UPDATE twindex_text_state SET fingerprint = 'other'; CREATE VIRTUAL TABLE twindex_text USING fts5(title, text, content='',
        tokenize='unicode61 remove_diacritics 2'); INSERT INTO twindex_text(rowid, title, text) SELECT slot, 'old', 'old' FROM twindex_text_slot"
}
other
check 'such an index is not searched' 65 "*s.db: the text index was made by another version of twindex: 'twindex index' rebuilds it" search s.db old
check 'nor evaluated' 65 '*made by another version*' evaluate --findable --quiet s.db
warns 'it is rebuilt' 'made by another version of twindex: it is rebuilt' index --json s.db
holds 'd["indexed"] == 9' 'from all documents'
finds old
finds 日本語 1
sqlite3 s.db "UPDATE twindex_text_state SET fingerprint = '0 other'"
check 'other stemmers' 65 '*made by another version*' search s.db haus
"$program" index --quiet s.db && other && "$program" index --drop s.db >out 2>err && ! sqlite3 -readonly s.db .tables | grep -q twindex_text
is $? 'such an index is dropped'
"$program" index --quiet s.db

# Other programs
sqlite3 -readonly s.db 'SELECT count(*) FROM document_flags' >out 2>err && [ "$(<out)" = 9 ]
is $? 'flags are read without the tokenizer'
sqlite3 -readonly s.db "SELECT * FROM twindex_text('haus')" >out 2>err
matches 'the index is not' 'no such tokenizer: twindex' err
got 'with the extension it is' "$(sql s.db "SELECT group_concat(doc) FROM twindex_text(search_expression('häuser \"in köln')) AS t JOIN twindex_text_slot AS s ON s.slot = t.rowid")" 5
cp s.db copy.db && sqlite3 copy.db 'VACUUM; ALTER TABLE documents ADD COLUMN more TEXT' && "$program" search --json copy.db haus >out 2>err
holds 'd["a"]["hits"] == 1' 'a store after VACUUM and ALTER TABLE by another program'

# Judges
icu() { uconv -f utf8 -t utf8 -x ':: NFKD; [\u0300-\u036F \u064B-\u065F] > ; :: Lower; :: NFC; ς > σ; ß > ss; ø > o; æ > ae; ł > l; đ > d; ı > i;'; }
terms() { python3 -c '
import sys
for w in sys.stdin: print("INSERT INTO w VALUES (\x27%s\x27);" % w.strip().replace("\x27", ""))' | { echo 'CREATE TABLE w(w); BEGIN;'; cat; echo "SELECT $1 FROM w ORDER BY rowid;"; } | sql :memory:; }
python3 -c '
for first, last in (0xC0, 0x24F), (0x386, 0x3CE), (0x400, 0x52F), (0x1E00, 0x1EFF), (0x1F00, 0x1F15), (0xFF21, 0xFF5A):
    for c in map(chr, range(first, last + 1)):
        if c.isalpha() and c not in "ÐðÞþĦħĸĿŀŉŊŋŒœŦŧſƑƒẞẛẚ": print("a" + c)' >letters
icu <letters >wanted && terms 'search_terms(w)' <letters >found && [ "$(wc -l <wanted)" -gt 900 ] && cmp wanted found >err
is $? 'letters of Latin, Greek and Cyrillic are folded as ICU does'
while read -r language words; do
    tr ' ' '\n' <<<"$words" >words
    stemwords -c UTF_8 -l "$language" <words | icu | sed "s,\$,/$language," >wanted
    terms "substr(search_terms(w, '$language') || ' ', 1, instr(search_terms(w, '$language') || ' ', ' ') - 1)" <words >found
    if cmp wanted found >err; then pass "stems: $language"; else fail "stems: $language" "$(paste wanted found)"; fi
done <<'WORDS'
arabic والكتاب مكتبات يكتبون
armenian գրքերով տներում ընկերներ
basque etxeetan liburuak mendietara
catalan cançons cantàvem ciutats
danish husene flaskernes blomsterne
dutch huizen kinderen gelopen lichamelijk
english running ponies generalizations nationality dying
finnish kirjoissa taloissamme kukkien
french maisons élèves continuellement généraux
german häuser freundlichkeiten gegangene straßen
greek βιβλία ανθρώπους σπιτιού
hindi लड़कों किताबें भाषाओं
hungarian házakban könyveinket gyerekekkel
indonesian memperbarui pembelajaran
irish leabhair teachtaireacht mbliana
italian abbandonata città canzoni
lithuanian knygomis namams vaikų
nepali घरहरू केटाहरूले पुस्तकमा
norwegian husene bøkene jentenes
portuguese falávamos canções cidades
romanian orașelor prietenilor cântecele
russian книгами читающих домах
serbian књигама kućama prijateljima
spanish canciones educación rápidamente casas
swedish flickorna husens böckerna
tamil புத்தகங்கள் வீடுகளில்
turkish kitaplarımız evlerden çocukların
yiddish ביכער הייזער קינדער
WORDS
exit $failed
