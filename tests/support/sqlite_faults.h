/* SQLite's own allocations fail, as sqlite_faults says; install_memory() is a cmocka setup. */
#ifndef TEST_SQLITE_FAULTS_H
#define TEST_SQLITE_FAULTS_H

#include "support.h"

static sqlite3_mem_methods real_memory;
static twx_faults sqlite_faults; /* fail_at 0: never */

static bool refused(void) {
    if (!sqlite_faults.fail_at) return false;
    uint64_t nth = atomic_fetch_add(&sqlite_faults.count, 1) + 1;
    return sqlite_faults.forever ? nth >= sqlite_faults.fail_at : nth == sqlite_faults.fail_at;
}

static void *failing_malloc(int n) {
    return refused() ? NULL : real_memory.xMalloc(n);
}

static void *failing_realloc(void *p, int n) {
    return refused() ? NULL : real_memory.xRealloc(p, n);
}

static void install_memory(void) {
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory), SQLITE_OK);
    sqlite3_mem_methods failing = real_memory;
    failing.xMalloc = failing_malloc;
    failing.xRealloc = failing_realloc;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing), SQLITE_OK);
}

#endif
