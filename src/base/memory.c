#include "base/base.h"

#include <errno.h>
#include <unistd.h>

/* ==== alloc */

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
    char *text = twx_vsprintf(cx, fmt, args);
    va_end(args);
    return text;
}

char *twx_vsprintf(twx_ctx *cx, const char *fmt, va_list args) {
    va_list again;
    va_copy(again, args);
    const int length = twx_vprint(NULL, 0, fmt, again);
    va_end(again);
    if (length < 0) {
        (void)twx_fail(cx, TWX_E_INTERNAL, "cannot format '%s'", fmt);
        return NULL;
    }
    char *text = twx_malloc(cx, (size_t)length + 1);
    if (text) twx_vprint(text, (size_t)length + 1, fmt, args);
    return text;
}

void twx_free(void *p) {
    free(p);
}

void *twx_malloc_for(size_t bytes, void *cx) {
    return twx_malloc(cx, bytes);
}

void twx_free_for(void *p, void *cx) {
    (void)cx;
    free(p);
}

enum { REFUSED = 1 << 20 }; /* in errno, which each thread has: no number of the system */

void *twx_noted_malloc(size_t bytes) {
    void *p = malloc(bytes);
    if (!p) errno = REFUSED;
    return p;
}

bool twx_allocation_failed(void) {
    const bool failed = errno == REFUSED;
    errno = 0;
    return failed;
}

size_t twx_grown(size_t have, size_t need) {
    size_t next = have < 8 ? 16 : have * 2;
    return next < need ? need : next;
}

bool twx_vec_grow(twx_ctx *cx, void *address, size_t *cap, size_t need, size_t size) {
    void *items = NULL;
    memcpy(&items, address, sizeof items);
    const size_t grown = twx_grown(*cap, need);
    items = twx_realloc(cx, items, grown, size);
    if (!items) return false;
    memcpy(address, &items, sizeof items);
    *cap = grown;
    return true;
}

/* ==== arena */

enum { BLOCK_MIN = 1 << 16, ALIGN = 16 };

struct twx_arena_block {
    twx_arena_block *next;
    size_t size; /* bytes after the header */
    size_t used;
    _Alignas(ALIGN) unsigned char bytes[];
};

void twx_arena_init(twx_arena *a, size_t keep_bytes) {
    *a = (twx_arena){.keep = keep_bytes};
}

void twx_arena_done(twx_arena *a) {
    if (!a) return;
    for (twx_arena_block *next; a->blocks; a->blocks = next) {
        next = a->blocks->next;
        twx_free(a->blocks);
    }
}

void twx_arena_reset(twx_arena *a) {
    twx_arena_block *kept = NULL;
    for (twx_arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        if (!kept && b->size <= a->keep) {
            kept = b;
            kept->next = NULL;
            kept->used = 0;
        } else {
            twx_free(b);
        }
    }
    a->blocks = kept;
}

void *twx_arena_alloc(twx_ctx *cx, twx_arena *a, size_t count, size_t size) {
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
        (void)twx_fail(cx, TWX_E_NOMEM, "out of memory: %zu items of %zu bytes", count, size);
        return NULL;
    }
    bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    twx_arena_block *b = a->blocks;
    if (!b || b->size - b->used < bytes) {
        size_t room = b ? b->size * 2 : BLOCK_MIN;
        if (room < bytes) room = bytes;
        twx_arena_block *fresh = twx_malloc(cx, sizeof *fresh + room);
        if (!fresh) return NULL;
        *fresh = (twx_arena_block){.next = b, .size = room};
        a->blocks = b = fresh;
    }
    void *p = b->bytes + b->used;
    b->used += bytes;
    return p;
}

twx_rc twx_arena_copy(twx_ctx *cx, twx_arena *a, twx_slice s, twx_slice *ret_copy) {
    if (!s.p) {
        *ret_copy = s;
        return TWX_OK;
    }
    char *p = twx_arena_alloc(cx, a, s.n + 1, 1);
    if (!p) return TWX_E_NOMEM;
    if (s.n) memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    *ret_copy = (twx_slice){p, s.n};
    return TWX_OK;
}

/* ==== buf */

void twx_buf_init(twx_buf *b, size_t max_bytes) {
    *b = (twx_buf){.max = max_bytes};
}

void twx_buf_done(twx_buf *b) {
    if (!b) return;
    twx_free(b->p);
    *b = (twx_buf){0};
}

void twx_buf_clear(twx_buf *b) {
    b->n = 0;
    if (b->p) b->p[0] = '\0';
}

twx_rc twx_buf_reserve(twx_ctx *cx, twx_buf *b, size_t more) {
    if (more > b->max - b->n || more >= SIZE_MAX - b->n) /* one more for the NUL */
        return twx_fail(cx, TWX_E_LIMIT, "a text would exceed its limit of %zu bytes", b->max);
    size_t need = b->n + more + 1;
    if (need <= b->cap) return TWX_OK;
    size_t cap = twx_grown(b->cap, need);
    char *p = twx_realloc(cx, b->p, cap, 1);
    if (!p) return TWX_E_NOMEM;
    b->p = p;
    b->p[b->n] = '\0'; /* [R2] also before the first byte */
    b->cap = cap;
    return TWX_OK;
}

twx_rc twx_buf_add(twx_ctx *cx, twx_buf *b, const void *p, size_t n) {
    twx_rc rc = twx_buf_reserve(cx, b, n);
    if (rc != TWX_OK) return rc;
    if (n) memcpy(b->p + b->n, p, n);
    b->n += n;
    b->p[b->n] = '\0';
    return TWX_OK;
}

twx_rc twx_buf_add_slice(twx_ctx *cx, twx_buf *b, twx_slice s) {
    return twx_buf_add(cx, b, s.p, s.n);
}

twx_rc twx_buf_add_text(twx_ctx *cx, twx_buf *b, const char *text) {
    return twx_buf_add(cx, b, text, strlen(text));
}

twx_rc twx_buf_add_char(twx_ctx *cx, twx_buf *b, char c) {
    return twx_buf_add(cx, b, &c, 1);
}

twx_rc twx_buf_printf(twx_ctx *cx, twx_buf *b, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int length = twx_vprint(NULL, 0, fmt, args);
    va_end(args);
    if (length < 0) return twx_fail(cx, TWX_E_INTERNAL, "cannot format '%s'", fmt);
    twx_rc rc = twx_buf_reserve(cx, b, (size_t)length);
    if (rc != TWX_OK) return rc;
    va_start(args, fmt);
    twx_vprint(b->p + b->n, (size_t)length + 1, fmt, args);
    va_end(args);
    b->n += (size_t)length;
    return TWX_OK;
}

twx_rc twx_buf_add_number(twx_ctx *cx, twx_buf *b, uint64_t v) {
    char bytes[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) bytes[n++] = (char)(v | 0x80);
    bytes[n++] = (char)v;
    return twx_buf_add(cx, b, bytes, n);
}

const char *twx_take_number(twx_slice *bytes, uint64_t most, uint64_t *ret_v) {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 63 && bytes->n; shift += 7) {
        const unsigned char byte = (unsigned char)bytes->p[0];
        *bytes = (twx_slice){bytes->p + 1, bytes->n - 1};
        v |= (uint64_t)(byte & 0x7F) << shift;
        if (byte >= 0x80) continue;
        *ret_v = v;
        return (shift && byte == 0) || v > most ? "has a number out of range" : NULL;
    }
    *ret_v = 0;
    return "ends within a number";
}

twx_rc twx_buf_add_hex(twx_ctx *cx, twx_buf *b, twx_slice bytes) {
    static const char DIGITS[] = "0123456789ABCDEF";
    const twx_rc rc = twx_buf_reserve(cx, b, 2 * bytes.n);
    for (size_t i = 0; rc == TWX_OK && i < bytes.n; i++) {
        b->p[b->n++] = DIGITS[(unsigned char)bytes.p[i] >> 4];
        b->p[b->n++] = DIGITS[bytes.p[i] & 15];
    }
    if (rc == TWX_OK) b->p[b->n] = '\0';
    return rc;
}

twx_rc twx_buf_add_file(twx_ctx *cx, twx_buf *b, const char *path, int fd, twx_rc unreadable) {
    char piece[1 << 14];
    twx_rc rc = TWX_OK;
    for (ssize_t n; rc == TWX_OK && (n = read(fd, piece, sizeof piece)) != 0;)
        rc = n < 0 ? twx_fail(cx, unreadable, "cannot read '%.300s': %s", path, strerror(errno))
                   : twx_buf_add(cx, b, piece, (size_t)n);
    if (rc != TWX_E_LIMIT) return rc;
    twx_ctx_clear(cx);
    return twx_fail(cx, TWX_E_CONFIG, "%.300s: longer than %zu KiB", path, b->max >> 10);
}

twx_slice twx_buf_slice(const twx_buf *b) {
    return (twx_slice){b->p ? b->p : "", b->n};
}
