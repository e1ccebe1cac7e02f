#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"

static bool refused(twx_ctx *cx) {
    twx_faults *f = cx ? cx->faults : NULL;
    if (!f || !f->fail_at) return false;
    uint64_t nth = atomic_fetch_add(&f->count, 1) + 1;
    return f->forever ? nth >= f->fail_at : nth == f->fail_at;
}

static void *checked(twx_ctx *cx, void *p, size_t bytes) {
    if (!p) (void)twx_fail(cx, TWX_E_NOMEM, "out of memory: %zu bytes requested", bytes);
    return p;
}

void *twx_malloc(twx_ctx *cx, size_t bytes) {
    return checked(cx, refused(cx) ? NULL : malloc(bytes ? bytes : 1), bytes);
}

void *twx_calloc(twx_ctx *cx, size_t count, size_t size) {
    if (count == 0 || size == 0) count = size = 1;
    size_t bytes = 0;
    bool overflow = __builtin_mul_overflow(count, size, &bytes);
    if (overflow) bytes = SIZE_MAX;
    return checked(cx, overflow || refused(cx) ? NULL : calloc(count, size), bytes);
}

void *twx_realloc(twx_ctx *cx, void *p, size_t count, size_t size) {
    size_t bytes = 0;
    bool overflow = __builtin_mul_overflow(count, size, &bytes);
    if (overflow) bytes = SIZE_MAX;
    if (bytes == 0) bytes = 1;
    return checked(cx, overflow || refused(cx) ? NULL : realloc(p, bytes), bytes);
}

char *twx_strndup(twx_ctx *cx, const char *text, size_t bytes) {
    char *copy = twx_malloc(cx, bytes + 1);
    if (!copy) return NULL;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return copy;
}

char *twx_strdup(twx_ctx *cx, const char *text) {
    return twx_strndup(cx, text, strlen(text));
}

char *twx_sprintf(twx_ctx *cx, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int length = twx_vprint(NULL, 0, fmt, args);
    va_end(args);
    if (length < 0) {
        (void)twx_fail(cx, TWX_E_INTERNAL, "cannot format '%s'", fmt);
        return NULL;
    }
    char *text = twx_malloc(cx, (size_t)length + 1);
    if (!text) return NULL;
    va_start(args, fmt);
    twx_vprint(text, (size_t)length + 1, fmt, args);
    va_end(args);
    return text;
}

void twx_free(void *p) {
    free(p);
}

bool twx_allocation_failed(void) {
    const bool failed = errno == ENOMEM;
    errno = 0;
    return failed;
}

size_t twx_grown(size_t have, size_t need) {
    size_t next = have < 8 ? 16 : have * 2;
    return next < need ? need : next;
}
