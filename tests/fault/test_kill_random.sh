#!/bin/bash
# 30 kills at random moments (scripts/kill-random), fewer with a sanitizer, and unless all tests are long. The long run of the same script is part of scripts/prove.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"
kills=$([ -n "$long_tests" ] && echo 30 || echo 10)
case $(ldd "$program") in *libtsan*) kills=3 ;; *libasan*) kills=6 ;; esac
"$source/scripts/kill-random" "$program" $kills 1 >out 2>err
is $? "$(tail -1 out)"
exit $failed
