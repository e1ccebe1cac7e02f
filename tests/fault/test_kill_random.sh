#!/bin/bash
# 30 kills at random moments (scripts/kill-random), fewer with a sanitizer, and unless all tests are long. The long run of the same script is part of scripts/prove.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
kills=10
[ -z "$long_tests" ] || kills=30
ldd "$program" | grep -q 'lib[at]san' && kills=6
"$source/scripts/kill-random" "$program" $kills 1 >out 2>err
is $? "$(tail -1 out)"
exit $failed
