/* base/arena.h: scratch memory that is released all at once, after each document.
 * Memory: embedded struct; the result of twx_arena_alloc() is valid until reset or done. After a
 * reset at most `keep` bytes stay allocated, so one huge document does not raise memory use for the
 * rest of the run. */
#ifndef TWX_BASE_ARENA_H
#define TWX_BASE_ARENA_H

#include <stddef.h>

#include "base/ctx.h"
#include "base/slice.h"

typedef struct twx_arena_block twx_arena_block;

typedef struct twx_arena {
    twx_arena_block *blocks; /* newest first */
    size_t keep;
} twx_arena;

void twx_arena_init(twx_arena *a, size_t keep_bytes);
void twx_arena_done(twx_arena *a);
void twx_arena_reset(twx_arena *a);
/* 16-byte aligned, not zeroed; NULL on failure. */
void *twx_arena_alloc(twx_ctx *cx, twx_arena *a, size_t count, size_t size);
/* A copy of s, followed by a NUL; an absent slice stays absent. */
TWX_CHECK twx_rc twx_arena_copy(twx_ctx *cx, twx_arena *a, twx_slice s, twx_slice *ret_copy);

#endif
