#include "fault_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fault_places.h"
#include "support.h"

static atomic_bool armed;
static atomic_uint_fast64_t count;
static atomic_int_fast64_t held;
static uint64_t fail_at;
static bool fail_forever;

bool memory_can_fail(void) {
    return !TEST_SANITIZED;
}

void memory_arm(uint64_t at, bool forever) {
    fail_at = at;
    fail_forever = forever;
    atomic_store(&count, 0);
    atomic_store(&armed, true);
}

uint64_t memory_disarm(void) {
    atomic_store(&armed, false);
    return atomic_load(&count);
}

int64_t memory_held(void) {
    return atomic_load(&held);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* glibc's own functions, under the names that it gives to those who replace malloc */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
void __libc_free(void *p);

/* libstemmer would crash (text/terms.c), so its allocations never fail. */
static bool is_spared(const void *caller) {
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libstemmer");
}

static bool refused(const void *caller) {
    if (!atomic_load_explicit(&armed, memory_order_relaxed)) return false;
    const uint64_t nth = atomic_fetch_add(&count, 1) + 1;
    fault_places_note();
    const bool hit = fail_at && (fail_forever ? nth >= fail_at : nth == fail_at);
    if (!hit || is_spared(caller)) return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *p) {
    if (p) atomic_fetch_add_explicit(&held, 1, memory_order_relaxed);
    return p;
}

#define REPLACES __attribute__((visibility("default")))

REPLACES void *malloc(size_t n) {
    return refused(__builtin_return_address(0)) ? NULL : counted(__libc_malloc(n));
}

REPLACES void *calloc(size_t n, size_t size) {
    return refused(__builtin_return_address(0)) ? NULL : counted(__libc_calloc(n, size));
}

REPLACES void *realloc(void *p, size_t n) {
    if (refused(__builtin_return_address(0))) return NULL;
    void *moved = __libc_realloc(p, n);
    return p ? moved : counted(moved);
}

REPLACES void *memalign(size_t alignment, size_t n) {
    return refused(__builtin_return_address(0)) ? NULL : counted(__libc_memalign(alignment, n));
}

REPLACES void *aligned_alloc(size_t alignment, size_t n) {
    return memalign(alignment, n);
}

REPLACES int posix_memalign(void **ret_p, size_t alignment, size_t n) {
    void *p = memalign(alignment, n);
    if (!p) return ENOMEM;
    *ret_p = p;
    return 0;
}

REPLACES void free(void *p) {
    if (p) atomic_fetch_sub_explicit(&held, 1, memory_order_relaxed);
    __libc_free(p);
}

#endif
