#!/usr/bin/env bash
# wings: import
# twindex rules: what it understands and what it refuses; every file of rules that is shipped or shown in the documentation gives the same
# order as an evaluation of its own in Python.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

rules() { "$program" rules "$@" >out 2>err </dev/null; }

# refuses WHAT LINE MESSAGE: the file x.rules with this text
refuses() {
    local got=0
    printf '%b' "$2" >x.rules
    rules x.rules || got=$?
    [ "$got" = 65 ] && [ "$(cat err)" = "twindex rules: x.rules:$3" ]
    is $? "$1"
}

printf '[filter] http_unique_b:true\n\n[boost] representative_b:true^10 *:*\n[function] recip(near_copycount_i,1,1,1)^2\n[fields] title^3\n' >a.rules
rules a.rules && [ "$(sed -n 's/^boost *\([0-9]*\)  /\1 /p' out)" = '3 representative_b:true^10
3 *:*' ] && grep -q '^filter *1  http_unique_b:true$' out && grep -q 'title^3$' out && grep -q 'text^0$' out
is $? 'it prints what it understood'
rules --json a.rules && python3 -c 'import json; d=json.load(open("out")); assert d["fields"] == {"title": 3.0, "text": 0.0, "whole_title": 0.0} and d["boost"][0]["line"] == 3 and len(d["sql"]["parts"]) == 3'
is $? 'as JSON'
rules --sql a.rules && [ ! -s err ] && tail -1 out | grep -q ';$'
is $? 'as SQL'
printf '' >empty.rules && rules empty.rules
is $? 'an empty file is fine'

refuses 'an unknown field' '[boost] http_uniqe_b:true' '1:9: no field '"'http_uniqe_b'; did you mean http_unique_b?"
[ "$(cat out)" = '[boost] http_uniqe_b:true
        ^' ]
is $? 'the line is shown with a mark below the place'
refuses 'a tab before it' '[boost]\n\thttp_unique_b' "2:15: ':' after the field is missing before the end of the line"
got 'the mark stands below the place all the same' "$(tail -1 out)" '              ^'
refuses 'not UTF-8' '[boost]\n\xff' '2:1: this is not UTF-8'
refuses 'SQL in a value' "[filter] duplicate_type:\"x' OR 1=1 --\"" "1:25: no duplicate_type 'x' OR 1=1 --'"
refuses 'SQL in a name' '[filter] id=id;DROP' "1:12: '=' is not supported: a value is field:value"
check 'a file that is not there' 66 '*nothing.rules: No such file*' rules nothing.rules
got=0; rules . || got=$?; [ $got = 65 ] && [ "$(wc -l <err)" = 1 ]
is $? 'a folder'
check 'no file is named' 64 '*' rules

succeeds 'a store' published s.db "$sample"
# files that are shipped, and blocks of documentation that begin with ```rules
mkdir shown
awk '/^```rules$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > sprintf("shown/%s-%d.rules", name, n) }' name=ranking "$source/docs/ranking.md"
printf '[boost] (*:* -representative_b:true)^-3 exact_signature_copycount_i:[2 TO *]^2 (http_unique_b:1 AND www_unique_b:0)^5\n-title_copycount_i:1^7\n+indexable_b:1 -duplicate_type:(full-layout OR "full-content") near_copycount_i:2^3\n[function] if(exists(duplicate_of),-2,log(exact_signature_copycount_i))^2 map(near_copycount_i,2,9,1,0) div(1,def(near_copycount_i,0))\n[filter] NOT duplicate_type:partial-content OR indexable_b:*' >shown/all.rules
files=0
for file in "$source"/share/rules/*.rules shown/*.rules a.rules; do
    rules --sql "$file"
    is $? "$(basename "$file") compiles"
    "$program" rules --sql "$file" | sqlite3 -readonly s.db 2>err | awk -F'|' '{ printf "%s|%.9f\n", $1, $2 }' >by_sql
    python3 "$source/tests/cli/rule_order.py" s.db "$file" >by_python 2>err && [ -s by_python ] && cmp by_sql by_python >out
    is $? "$(basename "$file"): the order is that of an independent evaluation"
    files=$((files + 1))
done
succeeds 'there are files of rules' [ "$files" -ge 6 ]
exit $failed
