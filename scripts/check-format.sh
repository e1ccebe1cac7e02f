#!/bin/bash
# The layout of the code is what clang-format 14 makes of it, and no line of C is longer than 100 characters.
. "$(dirname "$0")/common.sh"
cd "$root"

name="C files are as clang-format 14 writes them, at most 100 columns wide"
formatter=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$formatter" ] || ! "$formatter" --version | grep -q 'version 14\.'; then
    echo "not ok - $name: clang-format 14 is missing (scripts/setup installs it)"
    exit 1
fi
mapfile -t files < <(find src tests -name '*.[ch]' | sort)
found=$(
    "$formatter" --dry-run -Werror "${files[@]}" 2>&1 | grep 'error:' | head -n 20
    LC_ALL=C.UTF-8 grep -nE '^.{101}' "${files[@]}" | sed 's/:[^:]*$/: wider than 100 columns/'
) || true
if [ -n "$found" ]; then
    printf '%s\n' "$found"
    echo "not ok - $name"
    exit 1
fi
echo "ok - $name"
