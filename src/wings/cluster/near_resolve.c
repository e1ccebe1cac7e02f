/* The pairs are edges from the better text to the other one. A text is examined when all texts with
 * an edge to it have been: the order of ranks is not needed. */
#include "cluster/near_resolve.h"

#include "base/alloc.h"

typedef struct vertex {
    uint64_t text, edges; /* edges: end of those from it, while they are sorted; then the first */
    uint32_t waiting;     /* texts with an edge to it that were not examined */
    bool follows, unsure; /* matches a listed representative; matches one that may become one */
    bool is_b, is_rep;
} vertex;

typedef struct resolving {
    twx_ctx *cx;
    twx_map64 index; /* of texts */
    TWX_VEC(vertex) at;
    uint32_t *to; /* ends of the edges, by beginning; doubled, plus 1 if the edge is sure */
    uint32_t *queue;
    size_t queued;
} resolving;

static twx_rc index_of(resolving *r, uint64_t text, uint64_t *ret_index) {
    *ret_index = r->at.n;
    twx_rc rc = twx_map64_add(r->cx, &r->index, text, r->at.n, ret_index);
    if (rc == TWX_OK && *ret_index == r->at.n &&
        !TWX_VEC_PUSH(r->cx, &r->at, (vertex){.text = text}))
        rc = TWX_E_NOMEM;
    return rc;
}

static twx_rc add_vertices(resolving *r, const twx_near_match *matches, size_t n) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        uint64_t a = 0, b = 0;
        rc = index_of(r, matches[i].a, &a);
        if (rc == TWX_OK) rc = index_of(r, matches[i].b, &b);
        if (rc != TWX_OK) return rc;
        r->at.at[a].is_rep |= matches[i].rep;
        r->at.at[a].edges++;
        r->at.at[b].is_b = true;
        r->at.at[b].waiting++;
    }
    return rc;
}

static twx_rc add_edges(resolving *r, const twx_near_match *matches, size_t n) {
    uint64_t end = 0;
    r->to = twx_malloc(r->cx, (n + 1) * sizeof *r->to);
    r->queue = twx_malloc(r->cx, (r->at.n + 1) * sizeof *r->queue);
    if (!r->to || !r->queue) return TWX_E_NOMEM;
    for (size_t i = 0; i < r->at.n; i++) {
        end += r->at.at[i].edges;
        r->at.at[i].edges = end; /* each insertion moves it down */
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t a = 0, b = 0;
        (void)twx_map64_get(&r->index, matches[i].a, &a);
        (void)twx_map64_get(&r->index, matches[i].b, &b);
        r->to[--r->at.at[a].edges] = (uint32_t)(b << 1 | matches[i].sure);
    }
    return TWX_OK;
}

static twx_near_state state_of(const vertex *v, const twx_map64 *blocked) {
    uint64_t unused;
    if (v->is_rep) return TWX_NEAR_LEADS;
    if (v->follows) return TWX_NEAR_FOLLOWS;
    return v->unsure || twx_map64_get(blocked, v->text, &unused) ? TWX_NEAR_OPEN : TWX_NEAR_LEADS;
}

static twx_rc examine(resolving *r, size_t n, const twx_map64 *blocked, twx_near_saids *said) {
    for (size_t i = 0; i < r->at.n; i++)
        if (r->at.at[i].waiting == 0) r->queue[r->queued++] = (uint32_t)i;
    for (size_t q = 0; q < r->queued; q++) {
        const uint32_t i = r->queue[q];
        const vertex *v = &r->at.at[i];
        const twx_near_state state = state_of(v, blocked);
        const uint64_t end = i + 1 < r->at.n ? v[1].edges : n;
        if (v->is_b && !TWX_VEC_PUSH(r->cx, said, ((twx_near_said){v->text, state})))
            return TWX_E_NOMEM;
        for (uint64_t e = v->edges; e < end; e++) {
            const bool sure = r->to[e] & 1;
            vertex *to = &r->at.at[r->to[e] >> 1];
            to->follows |= state == TWX_NEAR_LEADS && sure;
            to->unsure |= state == TWX_NEAR_OPEN || (state == TWX_NEAR_LEADS && !sure);
            if (--to->waiting == 0) r->queue[r->queued++] = r->to[e] >> 1;
        }
    }
    return r->queued == r->at.n
               ? TWX_OK
               : twx_fail(r->cx, TWX_E_DATA, "cluster: pairs of texts are not in their order");
}

twx_rc twx_near_resolve(twx_ctx *cx, const twx_near_match *matches, size_t n,
                        const twx_map64 *blocked, twx_near_saids *ret_said) {
    resolving r = {.cx = cx};
    twx_map64_init(&r.index, 0);
    twx_rc rc = add_vertices(&r, matches, n);
    if (rc == TWX_OK) rc = add_edges(&r, matches, n);
    if (rc == TWX_OK) rc = examine(&r, n, blocked, ret_said);
    twx_map64_done(&r.index);
    TWX_VEC_DONE(&r.at);
    twx_free(r.to);
    twx_free(r.queue);
    return rc;
}
