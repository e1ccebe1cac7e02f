#!/bin/bash
# Random collections in several stores against one store with all documents (scripts/shards-against-one); more trials with
# that script.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

"$source/scripts/shards-against-one" --program "$program" --trials 5 --seed 12 >out 2>err
is $? 'several stores have the flags of one store with all documents'

exit $failed
