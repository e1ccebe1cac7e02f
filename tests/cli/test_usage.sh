#!/bin/bash
# wings: import lab
# The real program: --help of every command, and the exit code and message of what is wrong.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
error_lines=1

check 'the version is printed' 0 '' --version
has 'the version has a number' 'twindex '
check 'help lists the commands' 0 '' help
commands=$(sed -n '/^Topics/q; s/^  \([a-z]*\) .*/\1/p' out)
succeeds 'there are commands' [ "$(wc -w <<<"$commands")" -ge 14 ]
for command in $commands; do
    check "$command --help" 0 '' "$command" --help
    has "$command --help shows its usage" "Usage: twindex $command"
    check "help $command" 0 '' help "$command"
    check "manual page of $command" 0 '' help --man "$command"
    has "manual page of $command has a title" ".TH \"twindex-$command\" \"1\""
    check "$command with an unknown option" 64 "twindex $command: no option --wobble; see 'twindex $command --help'" \
        "$command" --wobble
done
for command in init import; do
    check "$command has no option for flags" 64 '*no option --flags*' $command --flags f.db s.db x
done
check 'manual page of the configuration' 0 '' help --man twindex.conf
has 'the configuration page has every setting' 'guard.max_hidden'
check 'settings' 0 '' settings
has 'settings have names' 'search.ranking.uniqueheuristic.preferhttps = yes'
check 'settings as JSON' 0 '' settings --json
has 'settings as JSON have names' '"name": "fuzzy.quant_rate", "default": "0.01"'
check 'detectors' 0 '' detectors
check 'detectors as JSON' 0 '' detectors --json

error_lines=10 check 'no command: those of every day' 64 "twindex: a command is missing*Every day:*  run *'twindex help' lists all commands*"
equal 'five of them' 5 "$(grep -c '^  ' err)"
equal 'which are listed first of all, each once' "check explain report run undo $(wc -w <<<"$commands")" \
    "$(head -5 <<<"$commands" | sort | paste -sd' ') $(sort -u <<<"$commands" | wc -l)"
check 'unknown command' 64 "twindex: no command 'wobble'; see 'twindex --help'" wobble
check 'mistyped command' 64 "*did you mean 'groups'?*" gruops
check 'mistyped option' 64 'twindex run: no option --dryrun; did you mean --dry-run?*' run --dryrun x.db
check 'missing argument' 64 'twindex explain: an argument is missing; expected STORE... URL|ID*' explain x.db
check 'one argument too many' 64 "twindex undo: 'b' is one argument too many*" undo a b
check 'option without its value' 64 'twindex run: --jobs needs N*' run x.db --jobs
check 'bad value of an option' 64 "twindex run: --jobs: run.jobs: 'x' is not in 0..256*" run x.db --jobs x
check 'unknown setting' 64 "*no setting 'fuzzy.quantrate'; did you mean 'fuzzy.quant_rate'?*" run --set fuzzy.quantrate=1 x.db
check 'setting without a value' 64 '*--set takes NAME=VALUE*' run --set fuzzy.quant_rate x.db
check 'limit that is not a number' 64 "*--limit: 'x' is not a number*" groups none.db --limit x
check 'no such store' 66 'twindex run: *none.db*' run none.db
check 'no such configuration' 66 "twindex run: cannot read 'none.conf': No such file*" run --config none.conf x.db
check 'a folder as configuration' 74 "twindex run: cannot read '.'*" run --config . x.db
printf '[run]\njobs = 2\n[fuzzy]\nquantrate = 0.1\n' >twindex.conf
check 'unknown setting in the configuration beside the store' 65 \
    "twindex run: twindex.conf:4: no setting 'fuzzy.quantrate'; did you mean 'fuzzy.quant_rate'?" run x.db
mkdir elsewhere
check 'a configuration in the working directory is not read' 66 '*' run elsewhere/none.db
rm twindex.conf
TWINDEX_RUN_JOBS=x check 'bad value in the environment' 65 "*environment variable TWINDEX_RUN_JOBS: run.jobs: 'x'*" run x.db
if [ "$(id -u)" != 0 ]; then
    : >secret.conf && chmod 0 secret.conf
    check 'unreadable configuration' 74 "*cannot read 'secret.conf': Permission denied" run --config secret.conf x.db
fi

if [ -w /dev/full ]; then
    "$program" settings >/dev/full 2>err
    [[ $? == 74 && $(<err) == 'twindex settings: cannot write to standard output: No space left on device' ]]
    is $? 'a full disk'
fi
"$program" settings 2>err >&-
[[ $? == 74 && $(<err) == *'cannot write to standard output'* ]]
is $? 'standard output is closed'
set -o pipefail
"$program" settings 2>err | :
[[ $? == 0 && ! -s err ]]
is $? 'the reader is gone'
exit $failed
