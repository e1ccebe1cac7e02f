#include "group/union_find.h"

#include "base/alloc.h"

twx_rc twx_union_find_init(twx_ctx *cx, twx_union_find *u, size_t n) {
    uint32_t *parent = twx_malloc(cx, n * sizeof *parent);
    if (!parent) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) parent[i] = (uint32_t)i;
    *u = (twx_union_find){parent, n};
    return TWX_OK;
}

void twx_union_find_done(twx_union_find *u) {
    if (!u) return;
    twx_free(u->parent);
    *u = (twx_union_find){0};
}

uint32_t twx_union_find_root(twx_union_find *u, uint32_t item) {
    while (u->parent[item] != item) {
        u->parent[item] = u->parent[u->parent[item]];
        item = u->parent[item];
    }
    return item;
}

void twx_union_find_join(twx_union_find *u, uint32_t a, uint32_t b) {
    a = twx_union_find_root(u, a);
    b = twx_union_find_root(u, b);
    if (a < b) u->parent[b] = a;
    if (b < a) u->parent[a] = b;
}
