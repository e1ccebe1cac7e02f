#!/usr/bin/env bash
# The program of docs/library.md compiles against the public header and library, and does what the page says.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail
library=$(dirname "$TWINDEX")
case $library in *asan* | *tsan* | *coverage*) echo "skipped: the library is instrumented, a plain program cannot load it"; exit 0 ;; esac
[ -e "$library/libtwindex.so" ] || { echo "skipped: no libtwindex.so in $library"; exit 0; }
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/library.md" >"$work/main.c"
succeeds "the program of the page compiles" cc -std=c17 -Wall -Wextra -Werror -I"$source/src/include" "$work/main.c" -L"$library" -ltwindex -o "$work/main"
"$TWINDEX" init "$work/my.db" >/dev/null && "$TWINDEX" import --quiet "$work/my.db" "$source/tests/golden/sample/crawl.jsonl"
(cd "$work" && LD_LIBRARY_PATH=$library ./main >out) && grep -q '"outcome": "published"' "$work/out"
is $? "it runs and prints the summary"

# ---- a program with a decimal comma: pages, tables, searches and flags are those of twindex
cat >"$work/comma.src" <<'END'
comment_char %
escape_char /
LC_CTYPE
copy "POSIX"
END LC_CTYPE
LC_NUMERIC
decimal_point "<U002C>"
thousands_sep ""
grouping -1
END LC_NUMERIC
END
localedef -c -f ANSI_X3.4-1968 -i "$work/comma.src" "$work/xx_COMMA" >"$work/out" 2>"$work/err"
cat >"$work/comma.c" <<'END'
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "twindex/twindex.h"
static int print(void *arg, const char *bytes, size_t n) { return fwrite(bytes, 1, n, arg) != n; }
int main(int n, char **argument) {
    const char *command = argument[1];
    const twindex_run_options options = {0};
    twindex_sink out = {.write = print, .arg = stdout, .format = TWINDEX_TEXT};
    if (n < 3 || !setlocale(LC_NUMERIC, "xx_COMMA")) return 99;
    twindex *t = twindex_new();
    int rc = t ? twindex_open(t, argument[2]) : TWINDEX_INTERNAL;
    if (rc != TWINDEX_OK) return rc;
    if (!strcmp(command, "page")) rc = twindex_report_page(t, &out);
    if (!strcmp(command, "hosts")) rc = twindex_report_sheet(t, TWINDEX_SHEET_HOSTS, &out);
    if (!strcmp(command, "run")) rc = twindex_run(t, &options, &out);
    twindex_free(t);
    return rc;
}
END
succeeds "a program with a locale compiles" cc -std=c17 -Wall -Wextra -Werror -I"$source/src/include" "$work/comma.c" -L"$library" -ltwindex -o "$work/comma"
comma() { LOCPATH=$work LD_LIBRARY_PATH=$library "$work/comma" "$@" 2>"$work/err"; }
cp "$work/my.db" "$work/other.db"
sqlite3 "$work/my.db" "UPDATE documents SET score = 0.25 + id / 3.0" && sqlite3 "$work/other.db" "UPDATE documents SET score = 0.25 + id / 3.0"
comma run "$work/my.db" >"$work/out"
if [ $? = 99 ]; then
    pass "skipped: no locale with a decimal comma (localedef)"
else
    "$TWINDEX" run --quiet "$work/other.db"
    equal "the flags are those of a run without the locale" "$("$TWINDEX" digest "$work/other.db")" "$("$TWINDEX" digest "$work/my.db")"
    ! grep -q '[0-9],[0-9]' "$work/out"
    is $? "no number of the summary has a decimal comma"
    "$TWINDEX" report --html "$work/page.html" --csv "$work/tables" "$work/my.db" && comma page "$work/my.db" >"$work/comma.html" && cmp "$work/page.html" "$work/comma.html"
    is $? "the page is the same"
    comma hosts "$work/my.db" | cmp - "$work/tables/hosts.csv"
    is $? "tables are the same"
fi
exit $failed
