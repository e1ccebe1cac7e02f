#!/bin/bash
# scripts/coverage: counters that threads share are exact under the flags of the coverage build, and the table counts branches as
# tests/coverage/excluded.txt says.
. "${TWINDEX_SOURCE:?}/tests/cli/lib.sh"

# ---- counters: those that are not atomic lose counts, or come out negative, and gcov stops
flags=$(sed -n 's/.*INTERFACE \(--coverage .*\))$/\1/p' "$source/scripts/cmake/TwindexBuild.cmake")
is "$([ -n "$flags" ]; echo $?)" 'the flags of the coverage build'
cat >count.c <<'CODE'
#include <pthread.h>
#include <stddef.h>
static volatile int sink;
static pthread_barrier_t together;
static void *add(void *arg) {
    pthread_barrier_wait(&together);
    for (int i = 0; i < 5000000; i++)
        sink = i;
    return arg;
}
int main(void) {
    pthread_t threads[4];
    pthread_barrier_init(&together, NULL, 4);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return 0;
}
CODE
# without -pthread, which makes counters atomic by itself
# shellcheck disable=SC2086 # words
cc $flags count.c -o count 2>err && ./count 2>>err && gcov -t count-count.gcda >out 2>>err || gcov -t count.gcda >out 2>>err
equal 'what threads count is exact' 20000000 "$(awk -F : '/sink = i/ { print $1 + 0 }' out)"

# ---- the table
mkdir -p tree/scripts tree/tests/coverage tree/src/base tree/build/coverage
cp "$source/scripts/coverage" "$source/scripts/common.sh" tree/scripts/
printf 'first\tif .rc\tpasses an error on\n' >tree/tests/coverage/excluded.txt
printf 'if (rc) a();\nif (x) b();\nc();\n' >tree/src/base/x.c
# table COUNT: one branch of the first two lines was not taken, the last of them COUNT times
table() {
    jq -n --argjson last "$1" '{files: [{file: "src/base/x.c", lines: [
        {line_number: 1, count: 4, "gcovr/noncode": false, branches: [{count: 0}, {count: 4}]},
        {line_number: 2, count: 4, "gcovr/noncode": false, branches: [{count: 4}, {count: $last}]},
        {line_number: 3, count: 0, "gcovr/noncode": false, branches: []}]}]}' >tree/build/coverage/coverage.json
    tree/scripts/coverage --show "${@:2}" >out 2>err
}
succeeds 'all branches that count are taken' table 1
has 'the share with and without exclusions' '100.0 % of 3 branches taken, 1 excluded (75.0 % of 4 without exclusions); 66.7 % of lines'
has 'the reason of what is excluded' '1 passes an error on'
table 0
equal 'a branch that is not taken' 1 $?
has 'is missing in the share' '66.7 % of 3 branches taken, 1 excluded'
table 0 src/base/x.c
has 'and is shown' 'src/base/x.c:2: 1 of 2, reached 4 times: if (x) b();'
exit "$failed"
