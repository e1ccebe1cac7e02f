#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

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

static void free_from(twx_arena_block *b) {
    while (b) {
        twx_arena_block *next = b->next;
        twx_free(b);
        b = next;
    }
}

void twx_arena_done(twx_arena *a) {
    if (!a) return;
    free_from(a->blocks);
    a->blocks = NULL;
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
