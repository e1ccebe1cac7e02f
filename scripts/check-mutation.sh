#!/bin/bash
# The rows of tests/mutation, which say what code to change, match the code.
. "$(dirname "$0")/common.sh"
case ${1:-} in -h | --help) usage && exit ;; esac
exec python3 "$root/scripts/mutate" --stale
