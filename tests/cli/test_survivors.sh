#!/usr/bin/env bash
# wings: import
# Which form of a URL, and which document of a cluster, survives: pairs as crawls have them, and random stores against the rules (survivors.py).
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# survives WHAT URL [OPTION...]: of the documents of pages.jsonl, imported in their order, exactly this one survives of those that the first line is joined with
survives() {
    local what=$1 url=$2
    shift 2
    rm -f s.db
    "$program" init s.db >/dev/null && "$program" import --quiet s.db pages.jsonl && "$program" run --quiet --force "$@" s.db 2>err
    sqlite3 s.db "SELECT d.url FROM documents AS d JOIN document_flags AS f USING (id) WHERE id = (SELECT coalesce(duplicate_of, id) FROM document_flags WHERE id = 1)
                  AND representative_b AND http_unique_b AND www_unique_b AND exact_signature_unique_b" >out
    got "$what" "$(cat out)" "$url"
}
text() { python3 -c 'import random, sys
draw = random.Random(sys.argv[1])
print(" ".join("".join(draw.choices("abcdefghijklmnop", k=6)) for _ in range(80)), end="")' "$1"; }
# page URL TEXT [MEMBERS]
page() { printf '{"url": "%s", "title": "A page about %s", "text": "%s"%s}\n' "$1" "$2" "$(text "$2")" "${3:+, $3}"; }

# ---- forms of a URL
{ page http://h.example/a one; page https://www.h.example/a two; } >pages.jsonl
survives 'a diagonal pair are twins, also with other texts' https://www.h.example/a
"$program" explain s.db http://h.example/a >out 2>err
has 'explain names the form' '; decided by form'
survives 'and http is preferred where http is' http://h.example/a --set search.ranking.uniqueheuristic.preferhttps=no
survives 'with one relation alone they are no twins' http://h.example/a --set verdict.relations='scheme canonical redirect copy'
survives 'nor with the other one' http://h.example/a --set verdict.relations='www canonical redirect copy'
{ page https://www.h.example/a one; page https://h.example/a one; page https://h.example/b two; page https://h.example/c three; } >pages.jsonl
survives 'www is preferred' https://www.h.example/a
survives 'auto: the form that most documents of the host have' https://h.example/a --set search.ranking.uniqueheuristic.preferwwwprefix=auto
{ page https://www.h.example/d four; page https://www.h.example/e five; } >>pages.jsonl
survives 'auto: www if there are as many' https://www.h.example/a --set search.ranking.uniqueheuristic.preferwwwprefix=auto
{ page http://old.example/a one; page https://copy.example/article/a one; } >pages.jsonl
survives 'https is no merit against another URL' http://old.example/a

# ---- nothing to remove
{ page 'https://h.example/a?sid=7700000001' one; page https://h.example/a?page=12345678 one; } >pages.jsonl
survives 'a session URL that was crawled first' 'https://h.example/a?page=12345678'
survives 'the same with the step that removes it' 'https://h.example/a?page=12345678' --set url.steps=session_parameters
{ page 'https://h.example/a?sid=7700000001' one; page https://h.example/a one; } >pages.jsonl
survives 'a session URL whose normal form is the other one' https://h.example/a --set url.steps=session_parameters
{ page 'https://h.example/a?utm_source=x' one; page https://h.example/longer/a one; } >pages.jsonl
survives 'a tracking URL' https://h.example/longer/a
{ page https://h.example/a/ one; page https://h.example/a one; } >pages.jsonl
survives 'a slash that url.steps removes' https://h.example/a --set url.steps=trailing_slash
{ page https://h.example/a/index.html one; page https://h.example/a/ one; } >pages.jsonl
survives 'an index page that url.steps removes' https://h.example/a/ --set url.steps=index_page

# ---- pages before other forms of them
for other in 'https://h.example/a?print=1' https://m.h.example/a https://h.example/amp/a 'https://h.example/a?view=print'; do
    { page "$other" one '"score": 5'; page https://h.example/long/way/to/a one; } >pages.jsonl
    survives "a page before $other" https://h.example/long/way/to/a
done
"$program" explain s.db 'https://h.example/a?view=print' >out 2>err
has 'explain names it' '; decided by page'
survives 'unless the score is to decide first' 'https://h.example/a?view=print' --set verdict.order='score page'

# ---- the origin of a text
own() { for n in 1 2 3 4; do page "https://$1.example/own/$n" "$1 $n"; done; }
{ page https://copy.example/x one '"fetched_at": "2024-01-01"'; page https://origin.example/2019/05/03/the-long-way-to/an-article one '"fetched_at": "2019-05-03"'; own origin; } >pages.jsonl
survives 'a copy at a shorter and younger URL' https://origin.example/2019/05/03/the-long-way-to/an-article
"$program" explain s.db 1 >out 2>err
has 'explain names the origin' '(more texts that no other domain has)'
has 'and its name in verdict.order' '; decided by origin'
survives 'without the criterion the shorter URL survives' https://copy.example/x --set verdict.order='score url_length'
{ page https://aggregator.example/x one; page https://origin.example/2019/05/an-article one; own origin; page https://aggregator.example/y 'origin 1'; page https://aggregator.example/z 'origin 2'; } >pages.jsonl
survives 'a host that copies many texts of one origin' https://origin.example/2019/05/an-article

# ---- settings
refuses 'form stands first' 64 "'form' precedes all others" run --set verdict.order='score form' s.db
refuses 'a criterion that does not exist' 64 "'size' is not one of form clean page edition score origin url_length fetched_at" run --set verdict.order='size' s.db
refuses 'a value that does not exist' 64 'preferwwwprefix' run --set search.ranking.uniqueheuristic.preferwwwprefix=often s.db

# ---- random stores
python3 "$source/tests/cli/survivors.py" "$program" 1 $(ldd "$program" | grep -q libasan && echo 8 || echo 25) >out 2>err
is $? 'random stores'
exit $failed
