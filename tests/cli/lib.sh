# What the shell tests share. A test begins with
#     . "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
# and ends with `exit $failed`. It runs in an empty directory of its own, $work, which is removed at the end. $program is the
# program under test and $source the source tree; settings of the environment (TWINDEX_...) are removed, except those that say where
# crawls are.
# A test that runs a command leaves its standard output in `out` and its standard error in `err`; a failed check prints both.
# shellcheck shell=bash
set -u
program=${TWINDEX:?the program}
source=${TWINDEX_SOURCE:?the source tree}
work=$(mktemp -d "${TMPDIR:-/tmp}/twindex-test-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PATH=/usr/bin:$PATH # the programs that scripts/setup installs, before others of their names
long_tests=${TWINDEX_LONG_TESTS:-} # more of the many like cases are tried, and what takes a minute
quick=$([ -n "$long_tests" ] || echo yes) # what takes a quarter of a minute is left out
[ "$long_tests" != some ] || long_tests=
for name in $(compgen -e TWINDEX_); do
    case $name in TWINDEX_CORPUS | TWINDEX_CRAWL*) ;; *) unset "$name" ;; esac
done
failed=0

# with_extension COMMAND...: a program of others that loads the extension of this build; a sanitizer has to come first
with_extension() {
    case $program in
    */asan/*) LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 "$@" ;;
    */tsan/*) LD_PRELOAD=$(gcc -print-file-name=libtsan.so) "$@" ;;
    *) "$@" ;;
    esac
}

# pass WHAT; fail WHAT WHY: a line for scripts/test to count
pass() { echo "ok - $1"; }
fail() {
    echo "not ok - $1: $2"
    failed=1
}

# What the last command printed, for the message of a failed check.
last_output() { head -qc 1000 "$work/err" "$work/out" 2>/dev/null; }

# is STATUS WHAT: the exit status of the check before
is() {
    if [ "$1" = 0 ]; then pass "$2"; else fail "$2" "$(last_output)"; fi
}

# succeeds WHAT COMMAND...
succeeds() {
    "${@:2}"
    is $? "$1"
}

# equal WHAT EXPECTED FOUND; when nothing is found, what the last command printed is shown, too
equal() {
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', found '$3'$([ -n "$3" ] || echo "; $(last_output)")"; fi
}

# got WHAT FOUND EXPECTED
got() { equal "$1" "$3" "$2"; }

# has WHAT TEXT: a line of `out` has the text; several blanks count as one
has() {
    tr -s ' ' <out | grep -qF -e "$2"
    is $? "$1"
}

# matches WHAT PATTERN [FILE]: a line of the file, or of `out`, matches the regular expression
matches() {
    grep -q -e "$2" "${3:-out}"
    is $? "$1"
}

# lacks WHAT PATTERN [FILE]: no line matches
lacks() {
    ! grep -q -e "$2" "${3:-out}"
    is $? "$1"
}

twindex() { "$program" "$@" >out 2>err </dev/null; }

# ends EXIT-CODE ARGUMENT...: does the program end with the code?
ends() {
    local wanted=$1 got=0
    shift
    "$program" "$@" >out 2>err || got=$?
    [ "$got" = "$wanted" ]
}

# prints WHAT PATTERN ARGUMENT...: the program succeeds, and a line of `out` matches; warns: a line of `err`
prints() {
    twindex "${@:3}" && grep -q -e "$2" out
    is $? "$1"
}
warns() {
    twindex "${@:3}" && grep -q -e "$2" err
    is $? "$1"
}

# imported STORE FILE...: makes a store of records; published STORE FILE...: and flags in it
sample=$source/tests/golden/sample/crawl.jsonl
imported() { "$program" init --quiet "$1" && "$program" import --quiet "$@" 2>err; }
published() { imported "$@" && "$program" run --quiet "$1"; }

# flags STORE: a hash of the flags of documents by URL, for stores whose ids differ; visible [STORE]: how many are shown
flags() { sqlite3 -bail "$1" "SELECT d.url, f.* FROM document_flags AS f JOIN documents AS d USING (id) ORDER BY d.url" | sha256sum; }
visible() { sqlite3 -bail "${1:-s.db}" 'SELECT count(*) FROM document_flags WHERE representative_b' 2>>err; }

sql() { sqlite3 -bail "${2:-s.db}" "$1"; }

# check WHAT EXIT-CODE STDERR-PATTERN ARGUMENT...: the program exits with the code, and `err` matches (error_lines=1: in one line)
check() {
    local what=$1 wanted=$2 pattern=$3 got=0
    shift 3
    "$program" "$@" >out 2>err </dev/null || got=$?
    # shellcheck disable=SC2053 # a pattern
    if [[ $got == "$wanted" && $(<err) == $pattern && $(wc -l <err) -le ${error_lines:-1000} ]]; then
        pass "$what"
    else
        fail "$what" "exit code $got, wanted $wanted; $(<err)"
    fi
}

# refuses WHAT EXIT-CODE TEXT ARGUMENT...: the program prints nothing but one message that has the text, and exits with the code.
# With subcommand=NAME set, the arguments are those of that command.
refuses() {
    local what=$1 wanted=$2 text=$3 got=0
    shift 3
    "$program" ${subcommand:+"$subcommand"} "$@" >out 2>err </dev/null || got=$?
    if [ "$got" = "$wanted" ] && [ ! -s out ] && grep -qF -e "$text" err; then
        pass "$what"
    else
        fail "$what" "exit code $got, wanted $wanted; $(last_output)"
    fi
}

# member EXPRESSION: the value of a Python expression over d, which is the JSON in `out`
member() { python3 -c 'import json,sys; d=json.load(open("out")); print(eval(sys.argv[1]))' "$1"; }

# holds EXPRESSION WHAT
holds() {
    [ "$(member "$1")" = True ]
    is $? "$2"
}
