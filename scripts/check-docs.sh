#!/bin/bash
# What README.md, docs/ and the help texts name exists: files, anchors, scripts, commands, options and settings; the manual pages
# render without warnings. Needs the program of the preset, build/PRESET/twindex.
#
#   scripts/check-docs.sh [PRESET]    (default dev)
. "$(dirname "$0")/common.sh"

case ${1:-} in -h | --help) usage && exit ;; esac
build="$root/build/${1:-dev}"
[ -x "$build/twindex" ] || die "there is no $build/twindex: scripts/build ${1:-dev} twindex twindex_man"
status=0
if python3 "$root/scripts/check-docs.py" "$root" "$build/twindex"; then
    echo 'ok - files, anchors, commands, options and settings that the documentation names exist'
else
    echo 'not ok - files, anchors, commands, options and settings that the documentation names exist'
    status=1
fi
if pages=$(ls "$build"/man/*.[15] 2>/dev/null) && command -v groff >/dev/null; then
    # shellcheck disable=SC2086 # a list
    warnings=$(for page in $pages; do groff -man -ww -Tutf8 -z "$page" 2>&1; done)
    if [ -z "$warnings" ]; then
        echo 'ok - manual pages render without warnings'
    else
        printf '%s\n' "$warnings" 'not ok - manual pages render without warnings'
        status=1
    fi
fi
exit "$status"
