/* base/vec.h: a growing array of any type.
 *     TWX_VEC(uint64_t) ids = {0};
 *     if (!TWX_VEC_PUSH(cx, &ids, 7)) return TWX_E_NOMEM;
 *     TWX_VEC_DONE(&ids);
 * Memory: the struct owns the items. */
#ifndef TWX_BASE_VEC_H
#define TWX_BASE_VEC_H

#include <string.h>

#include "base/alloc.h"

#define TWX_VEC(type) \
    struct {          \
        type *at;     \
        size_t n;     \
        size_t cap;   \
    }

/* true: the item was added; false: out of memory (message in cx), and the vector is unchanged. */
#define TWX_VEC_PUSH(cx, v, ...)                                          \
    (twx_vec_room((cx), &(v)->at, &(v)->cap, (v)->n + 1, sizeof *(v)->at) \
         ? ((v)->at[(v)->n++] = (__VA_ARGS__), true)                      \
         : false)
#define TWX_VEC_RESERVE(cx, v, count) \
    twx_vec_room((cx), &(v)->at, &(v)->cap, (count), sizeof *(v)->at)
#define TWX_VEC_DONE(v) (twx_free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

/* address: of the pointer `at`, whatever its type; it is copied as bytes because it is not a void
 * pointer. */
static inline bool twx_vec_room(twx_ctx *cx, void *address, size_t *cap, size_t need, size_t size) {
    if (need <= *cap) return true;
    void *items = NULL;
    memcpy(&items, address, sizeof items);
    size_t grown = twx_grown(*cap, need);
    items = twx_realloc(cx, items, grown, size);
    if (!items) return false;
    memcpy(address, &items, sizeof items);
    *cap = grown;
    return true;
}

#endif
