#!/usr/bin/env bash
# Copies and siblings end to end: what explain and compare say, rules, a store of the schema before, failure paths.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ---- a manual of modules, and a mirror of each of its pages
body=$(for i in $(seq 1 12); do printf 'Sentence %s belongs to the frame that every page of this manual shares. ' "$i"; done)
"$program" init s.db >/dev/null
n=0
for name in alias asis cache dav deflate env expires headers include info log mime proxy rewrite setenvif ssl status userdir vhost xml; do
    n=$((n + 1))
    text="$name module. The $name module does this. Use $name with care. $body"
    printf "INSERT INTO documents(url, title, text) VALUES ('https://docs.example.org/mod/mod_%s.html', 'mod_%s - Manual', '%s');\n" "$name" "$name" "$text"
    printf "INSERT INTO documents(url, title, text) VALUES ('http://mirror.example.net/docs/mod/mod_%s.html', 'mod_%s - Manual', 'Mirror of the manual, 2024-05-%02d. %s');\n" \
        "$name" "$name" "$n" "$text"
done | sqlite3 s.db

twindex compare s.db 1 3 && grep -qx "a represented by b: not a copy: 'alias' in its title is not in the other" out &&
    grep -qx "b represented by a: not a copy: 'asis' in its title is not in the other" out
is $? 'compare names the missing word, in both directions, before a run'
matches 'and says that nothing is known of the site yet' '^(no run has seen both'
check 'a run' 0 '*' run s.db
got 'one page a name is visible' "$(sql 'SELECT sum(representative_b), count(*), min(sibling_count_i), max(sibling_count_i) FROM document_flags')" '20|40|19|19'
got 'it is not the mirror' "$(sql "SELECT DISTINCT f.representative_b FROM document_flags AS f JOIN documents AS d USING (id) WHERE d.url LIKE 'https:%'")" 1
got 'groups of copies are listed' "$(sql "SELECT count(*) FROM twindex_group_member WHERE detector = 'copy'")" 40
twindex groups --detector copy s.db || twindex groups s.db
is $? 'groups prints them'
check 'groups names the kinds of groups' 64 "*no groups of the kind 'cpoy'; the kinds are verdict scheme www exact fuzzy title description near copy edition*" groups --detector cpoy s.db
twindex report s.db && grep -q copy out
is $? 'report counts them'

# ---- why
prints 'explain says why a copy is hidden' "copy_of  *a copy of 3 https://docs.example.org/mod/mod_asis.html: nearly the same text (9[0-9] %), and its name is there: 'asis'" explain s.db 4
twindex explain s.db 3 && grep -q "sibling_of  *visible: near-duplicate of 1 .*, but not a copy: 'asis' in its title is not in the other" out ||
    { twindex explain s.db 1 && grep -q "sibling_of  *visible: near-duplicate of [0-9]* .*, but not a copy: 'alias' in its title is not in the other" out; }
is $? 'explain says why a sibling is visible'
twindex explain --json s.db 4 && python3 -c 'import json; d = json.load(open("out"))[0]; assert d["copy_of"].startswith("a copy of 3 ")'
is $? 'in JSON, too'
twindex compare s.db 4 3 && grep -qx "a represented by b: a copy: its name is there: 'asis'" out && ! grep -q '^(no run' out
is $? 'compare says what the name is, what the site has in common left out'
twindex compare --json s.db 4 1 && python3 -c '
import json
d = json.load(open("out"))
assert d["copies_learned"] and [c["copy"] for c in d["copies"]] == [False, False]
assert d["copies"][0]["reason"].startswith("\x27asis\x27 in its title")
assert not any(x["detector"] in ("name", "repeated") for x in d["detectors"])'
is $? 'compare as JSON'
twindex compare --set near.detector=none --set copy.proof=names s.db 1 2 && grep -q '^copies are not looked for: near.detector = none' out
is $? 'where names alone decide, nothing is said of copies without a near-duplicate method'
prints 'where texts decide, it is' "a represented by b: not a copy: they are not near-duplicates, and 'asis' in its title is not in the other" compare --set near.detector=none s.db 3 1
prints 'other settings than those of the run' 'copy_of .*signed with other settings: run again to see why' explain --set near.min_words=7 s.db 4

# ---- settings and rules
equal 'near in the verdict hides siblings' 1 "$(twindex run --set verdict.relations='exact near' --set guard.max_hidden=1 s.db && sql 'SELECT sum(representative_b) FROM document_flags')"
equal 'and back' 20 "$(twindex run s.db && sql 'SELECT sum(representative_b) FROM document_flags')"
equal 'ignored words are words of the text' 20 "$(twindex run --set copy.ignore='alias asis' s.db && sql 'SELECT sum(representative_b) FROM document_flags')"
twindex run --set copy.proof=names --set copy.ignore='alias asis' s.db && [ "$(sql 'SELECT sum(representative_b) FROM document_flags')" -lt 20 ]
is $? 'ignored words are no names'
twindex run s.db && twindex index s.db && twindex search --json --limit 0 --rules "$source/share/rules/hide-duplicates.rules" s.db module &&
    [ "$(grep -c '"url"' out)" = 20 ]
is $? 'hide-duplicates shows each name once'
equal 'fold-siblings shows one of all' 1 "$(twindex search --json --limit 0 --rules "$source/share/rules/fold-siblings.rules" s.db module && grep -c '"url"' out)"

# ---- equal names: less similarity is enough
"$program" init short.db >/dev/null
short='Booting the new system. Remove the disc, start the machine again, and log in with the name and the password that you chose before. Good luck with it.'
banner='This is mirror number one of the handbook, kept by volunteers in the far north.'
sqlite3 short.db "INSERT INTO documents(url, title, text) VALUES
    ('https://docs.example.org/ch07.html', '7. First start', '$short'),
    ('http://mirror.example.net/docs/ch07.html', '7. First start', '$banner $short'),
    ('http://mirror.example.net/docs/ch08.html', '7. First start', '$banner $short Again.')"
# texts that docs.example.org has alone: it is the origin
for i in 1 2 3; do sqlite3 short.db "INSERT INTO documents(url, title, text) VALUES ('https://docs.example.org/$i', 'Page $i', 'one of $i pages')"; done
hidden() { sqlite3 short.db 'SELECT group_concat(id) FROM (SELECT id FROM document_flags WHERE representative_b = 0 ORDER BY id)'; }
equal 'a short page and its mirror with a banner are not .8 similar' 3 "$(twindex run --set copy.proof=names --set copy.margin=0 short.db && hidden)"
equal 'with equal titles and ends of URLs they are copies; with another end of the URL they are not' 2 "$(twindex run --set copy.proof=names short.db && hidden)"
equal 'also where texts decide' 2 "$(twindex run short.db && hidden)"
prints 'explain knows the reason' 'copy_of  *a copy of 1 .*nearly the same text (7[5-9] %)' explain short.db 2
! twindex run --set copy.margin=2 short.db && grep -q 'copy.margin' err
is $? 'a margin is a share'

! twindex run --set copy.proof=latest s.db && grep -q 'copy.proof' err && grep -q 'names' err
is $? 'a wrong setting is refused, and what it may be is said'
! twindex run --set near.detector=repeated s.db && grep -q 'near.detector' err
is $? 'what tells copies from siblings is no near-duplicate method'

# ---- a mirror is no loss
for i in $(seq 1 120); do
    word=$(printf 'topic%03d' "$i" | tr 0-9 a-j)
    text="$word page. All about $word and $word. $body"
    printf "INSERT INTO documents(url, title, text) VALUES ('https://big.example.org/%s', '%s', '%s');\n" "$word" "$word" "$text"
    printf "INSERT INTO documents(url, title, text) VALUES ('https://big.example.net/%s', '%s', '%s');\n" "$word" "$word" "$text Mirrored."
done >more.sql
sqlite3 s.db 'BEGIN' '.read more.sql' 'COMMIT'
warns 'a host whose pages are all copies of another host is a mirror, not a loss' 'big.example.net is a mirror' run s.db

exit $failed
