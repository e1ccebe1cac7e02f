#!/bin/bash
# What the built library shows and keeps: it exports the functions of twindex.h and nothing else, and the folders
# below cli have no variables that change (two handles in two threads share nothing).
#
#   scripts/check-exports.sh [PRESET]    default dev
. "$(dirname "$0")/common.sh"
preset=${1:-dev}
build=$root/build/$preset
status=0

verdict() { # WHAT FOUND
    if [ -n "$2" ]; then
        printf '%s\n' "$2"
        echo "not ok - $1"
        status=1
    else
        echo "ok - $1"
    fi
}

library=$build/libtwindex.so
found="$library is not built"
if [ -e "$library" ]; then
    found=$(diff <(sed 's,/\*.*\*/,,' "$root/src/include/twindex/twindex.h" | tr '\n' ' ' |
                       grep -o 'TWINDEX_API [^;{]*' | grep -o '\<twindex_[a-z0-9_]*(' | tr -d '(' | sort -u) \
                 <(nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u) |
        sed -n 's/^< /twindex.h promises, the library lacks: /p; s/^> /exported, not in twindex.h: /p' || true)
fi
verdict "libtwindex.so exports twindex.h and nothing else ($preset)" "$found"

# The functions of the package's symbols file: one that is missing breaks programs (TWINDEX_ABI), a new one is added to the file.
symbols=$root/scripts/debian/libtwindex1.symbols
version=$(sed -n 's/^project(twindex VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
if [ -e "$library" ]; then
    found=$(diff <(sed -n 's/^ \(.*\)@.*/\1/p' "$symbols" | LC_ALL=C sort) <(nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort) |
        sed -n "s/^< /gone, so programs would have to be compiled again: /p; s/^> \(.*\)/add the line ' \1@Base $version' to scripts\/debian\/libtwindex1.symbols/p" || true)
fi
verdict 'libtwindex keeps the functions of scripts/debian/libtwindex1.symbols' "$found"

# Instrumented objects carry counters, and link-time ones no symbols that objdump knows.
if [ "$preset" = dev ]; then
    found=$(
        for archive in "$build"/libtwx_*.a; do
            [ "$(basename "$archive")" = libtwx_cli.a ] && continue # the program may have a signal flag
            [ -e "$archive" ] || { echo "no folder libraries in $build" && break; }
            objdump -t "$archive" | awk -v archive="$(basename "$archive")" '
                /: +file format/ { object = $1; sub(/:$/, "", object) }
                # ADDRESS FLAGS SECTION SIZE NAME; .data.rel.ro is constant once loaded
                NF >= 5 && $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $(NF - 2) !~ /^\.data\.rel\.ro/ &&
                    $NF !~ /^\./ && $(NF - 1) !~ /^0+$/ { print archive ": " object ": " $NF " is in " $(NF - 2) }'
        done
    )
    verdict "no mutable globals below cli" "$found"
fi
exit "$status"
