#!/bin/bash
# wings: import lab cluster
# What the Tab key gives in bash, zsh and fish, each on a terminal of its own; and 'help TOPIC' and 'settings NAME'.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$program" init --quiet store.db && touch some.rules other.conf && mkdir folder
# the line, and the words that complete it
cat >wanted <<'EOT'
twindex repo => report
twindex expl => explain
twindex run --dr => --dry-run
twindex run --quiet --ve => --verbose --verify
twindex run --set near.sc => near.scope=
twindex run --set near.scope=h => near.scope=host
twindex run --set=near.scope=d => --set=near.scope=domain
twindex run --set near.detector=minh => near.detector=minhash
twindex run --set verdict.pins=other.c => verdict.pins=other.conf
twindex check -s store.fee => store.feed=
twindex run --compat y => yacy
twindex run st => store.db
twindex run -r so => some.rules
twindex rules  => folder some.rules
twindex groups --detector alig => alignment
twindex evaluate --detectors exact,simh => exact,simhash exact,simhash32
twindex report --csv f => folder
twindex settings near.m => near.min_words
twindex help exit => exit-codes
twindex help near.m => near.min_words
twindex help --completion z => zsh
twindex wobble --x => --x
EOT
sed 's/ =>.*//' wanted >lines
for shell in bash zsh fish; do
    if ! command -v "$shell" >/dev/null; then
        echo "ok - skipped: $shell is not installed"
        continue
    fi
    # bash and zsh leave a word that nothing completes; fish offers nothing; a folder may end with a slash
    python3 "$source/tests/cli/complete_in_shell.py" "$shell" "$(dirname "$program")" <lines 2>err | sed 's|/||' >found
    if [ "$shell" = fish ]; then sed 's/ --x$/ /' wanted; else cat wanted; fi | diff - found >out
    is $? "$shell completes commands, options, settings, values, detectors, files of rules and topics"
done
check 'a script for another shell' 64 "*no completion for 'tcsh'; there is one for bash, zsh and fish*" help --completion tcsh
for shell in bash zsh fish; do
    check "script for $shell" 0 '' help --completion "$shell"
    if command -v "$shell" >/dev/null; then "$shell" -n out; is $? "$shell reads its script"; fi
done

# every name of the tables can be completed, and what is completed exists
"$program" settings --json >out
member '"\n".join(s["name"] + "=" for s in d)' | sort >names
"$program" help --complete -- run --set '' | sed '/^:/d; s/\t.*//' | sort >offered
succeeds 'each setting is offered once' cmp -s names offered
"$program" detectors --json >out
member '"\n".join(s["name"] for s in d)' | sort >names
"$program" help --complete -- groups --detector '' | sed '/^:/d; s/\t.*//' | sort >offered
succeeds 'each detector is offered once' cmp -s names offered

# words that a shell hands over as they are: what is offered, without its help, and what the shell adds
offers() { # TITLE WANTED WORD...
    local title=$1 wanted=$2
    shift 2
    equal "$title" "$wanted" "$("$program" help --complete -- "$@" | sed 's/\t.*//' | paste -sd ' ')"
}
offers 'the default of a number' 'near.min_words=20 :none' run --set near.min_words=2
offers 'no value of a setting that does not exist' ':none' run --set wobble=
offers 'no value of a name without end' ':none' run --set "$(printf 'x%.0s' {1..200})="
offers 'words of a list, after those that are there' "$("$program" help --complete -- run --set url.default_documents= | sed 's/\t.*//; s/=.*=/=/' | paste -sd ' ')" run --set url.default_documents=
offers 'after --, a word with a dash is an argument' ':files' run -- -x
offers 'a lone dash is an argument' ':files' run - ''
offers 'the value of an option follows it, even if it looks like one' '--verbose :none' run --set --quiet --verb
offers 'a value in the same word is no argument that waits' '--verbose :none' run --set=near.scope=host --verb
offers 'an option that does not exist takes no value' '--verbose :none' run --wobble --verb
offers 'letters together: the last one can take a value' ':rules' run -qr so
offers 'words that begin so' 'import.types=xhtml :none' run --set import.types=x
offers 'more words of a list' 'import.types=html plain :none' run --set 'import.types=html pl'
offers 'no default where there is none' ':none' run --set index.language=
offers 'files for a file' ':files' run --set store.flags=
offers 'a word of the option, besides files' 'similarity :files' evaluate --truth ''
offers 'a value after = that an option does not take' ':none' run --quiet=
offers 'each argument has its kind' ':files' import store.db ''
offers 'the last one repeats' ':files' import store.db a.warc b.warc ''
offers 'no more than there are' ':none' evaluate store.db ''
offers 'the steps of a cluster' 'push pull publish :none' cluster pu
offers 'the stores after a step' ':files' cluster push ''
offers 'no command' ':none' wobble x
offers 'after --, another one is an argument' ':files' import store.db -- -- ''
offers 'an option after an argument' '--verbose :none' import store.db --verb
offers 'words of a list that has no names' ':none' run --set copy.ignore=w
offers 'all options, for a dash' "$("$program" help --complete -- run -- | sed 's/\t.*//' | paste -sd ' ')" run -
offers 'the sections, if nothing of a name is there' "$("$program" settings --json | jq -r '.[].name | sub("\\.[^.]*$"; "")' | awk '!seen[$0]++' | paste -sd ' ') :none" settings ''
equal 'commands, before the first word' "$("$program" help --complete -- '')" "$("$program" help --complete --)"
offers 'nothing typed: no words' ':none' wobble ''
wrong=
for topic in $("$program" help --complete -- help '' | sed '/^:/d; s/\t.*//') $("$program" settings --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p' | awk 'NR % 8 == 1') $(<names); do
    "$program" help "$topic" >out 2>err && [ -s out ] || wrong+=" $topic"
done
equal 'each topic, setting and detector has a text' '' "$wrong"

# ---- settings NAME, help TOPIC
check 'one setting' 0 '' settings near.scope
has 'its values' 'store|domain|host'
has 'its variable of the environment' 'environment TWINDEX_NEAR_SCOPE=VALUE'
check 'a setting that has an option' 0 '' settings run.jobs
has 'the option' '--jobs N of twindex run, import, sign, follow, sweep, evaluate'
check 'a section' 0 '' settings near
equal 'all of its settings, and no other' "$("$program" settings --json | grep -c '"near\.')" "$(grep -c '^near\.[a-z_]* =' out)"
equal 'only these' "$(grep -c '^[a-z]' out)" "$(grep -c '^near\.' out)"
check 'a section as JSON' 0 '' settings --json near
holds 'all(s["name"].startswith("near.") for s in d) and len(d) > 3' 'the same settings'
check 'a mistyped section' 64 "*no setting or section 'nera'; did you mean 'near'?*" settings nera
check 'a mistyped setting' 64 "*did you mean 'near.scope'?*" settings near.scop
check 'no such setting' 64 "*no setting or section 'wobble'*" settings wobble
check 'two names' 64 '*one argument too many*' settings near fuzzy
check 'a mistyped topic' 64 "*no command or topic 'flasg'; did you mean 'flags'?*" help flasg
check 'no such topic' 64 "*no command or topic 'wobble'*" help wobble
check 'two topics' 64 '*one argument too many*' help flags run
check 'a topic' 0 '' help flags
columns=$(sqlite3 store.db 'SELECT 1' >/dev/null && "$program" run --quiet store.db && sqlite3 store.db "SELECT group_concat(name, ' ') FROM pragma_table_info('document_flags')")
for column in $columns; do
    case $column in *_l | *_copycount_i) continue ;; esac
    grep -q "^ *$column " out || fail 'help flags has each column' "$column is missing"
done
exit $failed
