/* group/union_find.h: disjoint sets over 0..n-1 (Tarjan 1975; path halving; the smaller root
 * becomes the root, so the order of joining does not affect the result).
 * Memory: embedded struct, owned array, 4 bytes an item. */
#ifndef TWX_GROUP_UNION_FIND_H
#define TWX_GROUP_UNION_FIND_H

#include <stddef.h>

#include "base/ctx.h"

typedef struct twx_union_find {
    uint32_t *parent;
    size_t n;
} twx_union_find;

TWX_CHECK twx_rc twx_union_find_init(twx_ctx *cx, twx_union_find *u, size_t n);
void twx_union_find_done(twx_union_find *u);
uint32_t twx_union_find_root(twx_union_find *u, uint32_t item); /* the smallest item of its set */
void twx_union_find_join(twx_union_find *u, uint32_t a, uint32_t b);

#endif
