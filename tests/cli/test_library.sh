#!/usr/bin/env bash
# The program of docs/manual.md compiles against the public header and library, and does what the manual says.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
set -o pipefail
library=$(dirname "$TWINDEX")
case $library in *asan* | *tsan* | *coverage*) echo "skipped: the library is instrumented, a plain program cannot load it"; exit 0 ;; esac
[ -e "$library/libtwindex.so" ] || { echo "skipped: no libtwindex.so in $library"; exit 0; }
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$source/docs/manual.md" >"$work/main.c"
cc -std=c17 -Wall -Wextra -Werror -I"$source/src/include" "$work/main.c" -L"$library" -ltwindex -o "$work/main"
is $? "the manual's program compiles"
"$TWINDEX" init "$work/my.db" >/dev/null && "$TWINDEX" import --quiet "$work/my.db" "$source/tests/golden/sample/crawl.jsonl"
(cd "$work" && LD_LIBRARY_PATH=$library ./main >out) && grep -q '"outcome": "published"' "$work/out"
is $? "it runs and prints the summary"
exit $failed
