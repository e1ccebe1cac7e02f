#include "lab/lab.h"

/* ==== projection */

enum { MILLION = 1000000, DEVIATION = MILLION / 4, TF_MAX = UINT16_MAX, ROOT_BITS = 8 };

static const uint64_t SIGN_SEED = 0x7369676E; /* "sign" */

void twx_project(const twx_bag *bag, int32_t ret_values[TWX_LINK_SCORES]) {
    int64_t sums[TWX_LINK_SCORES] = {0};
    uint64_t squares = 0; /* below 2^46: tf is clipped, and a text has less than 2^30 words */
    for (size_t i = 0; i < bag->n; i++) {
        const uint32_t tf = bag->at[i].tf < TF_MAX ? bag->at[i].tf : TF_MAX;
        const uint64_t signs = twx_mix64(bag->at[i].hash, SIGN_SEED);
        for (int k = 0; k < TWX_LINK_SCORES; k++)
            sums[k] += signs >> k & 1 ? (int64_t)tf : -(int64_t)tf;
        squares += (uint64_t)tf * tf;
    }
    const int64_t length = (int64_t)twx_root(squares << 2 * ROOT_BITS);
    for (int k = 0; k < TWX_LINK_SCORES; k++) {
        int64_t value = length ? sums[k] * DEVIATION * (1 << ROOT_BITS) / length : 0;
        if (value > MILLION) value = MILLION;
        if (value < -MILLION) value = -MILLION;
        ret_values[k] = (int32_t)value;
    }
}

/* ==== link_scores */

/* A document's own scores are the projection of its words (projection). They are propagated as
 * PageRank propagates its weight: in each of ROUNDS rounds a document passes 85 % of its value to
 * the documents it links to, in equal parts, and 15 % of its value is its own again. The weight
 * itself (1 for each document) is propagated too, and the values are divided by it at the end. So
 * the result is the mean of the own values of the documents from which a random surfer reaches this
 * one, weighted by how often, and stays within the range of own values. The value of a document
 * without links is lost, as in plain PageRank.
 *
 * A document is identified by a 64-bit hash of its URL. Links are entries of a sort: unique, by
 * source; what does not fit in memory goes to temporary files. The graph takes 4 bytes a link and
 * 56 bytes a document. */

typedef struct twx_link_node {
    uint64_t url; /* hash */
    int32_t values[TWX_LINK_SCORES];
} twx_link_node;

enum {
    ROUNDS = 16,
    VALUE_BITS = 10, /* a value of v millionths is v << VALUE_BITS during propagation */
    /* and a weight of 1 is 1 << WEIGHT_BITS: both sums stay below 2^62 for 2^32 nodes */
    WEIGHT_BITS = 30,
    RATIO_BITS = WEIGHT_BITS - VALUE_BITS,
    BYTES_MIN = 1 << 20
};

static const uint64_t URL_SEED = 0x6C696E6B; /* "link" */

struct twx_link_scores_maker {
    twx_ctx *cx;
    size_t max_bytes;
    TWX_VEC(twx_link_node) nodes;
    twx_entries links; /* key: from, check: to */
};

/* The links of nodes[i] are to[first[i]..first[i + 1]). */
typedef struct graph {
    twx_link_node *nodes;
    size_t n;
    size_t *first;
    TWX_VEC(uint32_t) to;
    int64_t *now, *next, *weight;
} graph;

twx_rc twx_link_scores_maker_open(twx_ctx *cx, size_t max_bytes,
                                  twx_link_scores_maker **ret_maker) {
    twx_link_scores_maker *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->cx = cx;
    m->max_bytes = max_bytes < BYTES_MIN ? BYTES_MIN : max_bytes;
    m->links.limit = m->max_bytes / 4 / (2 * sizeof(twx_entry));
    *ret_maker = m;
    return TWX_OK;
}

void twx_link_scores_maker_close(twx_link_scores_maker *m) {
    if (!m) return;
    TWX_VEC_DONE(&m->nodes);
    twx_entries_done(&m->links);
    twx_free(m);
}

twx_rc twx_link_scores_maker_document(twx_link_scores_maker *m, twx_slice url, const twx_bag *bag) {
    twx_link_node p = {.url = twx_hash64(url, URL_SEED)};
    if (!url.p) return TWX_OK;
    twx_project(bag, p.values);
    return TWX_VEC_PUSH(m->cx, &m->nodes, p) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_link_scores_maker_link(twx_link_scores_maker *m, twx_slice from_url, twx_slice to_url) {
    const twx_entry link = {.key = twx_hash64(from_url, URL_SEED),
                            .check = twx_hash64(to_url, URL_SEED)};
    if (!from_url.p || !to_url.p || link.key == link.check) return TWX_OK;
    return twx_entries_add(m->cx, &m->links, link);
}

static int by_url(const void *a, const void *b) {
    const twx_link_node *x = a, *y = b;
    if (x->url != y->url) return x->url < y->url ? -1 : 1;
    for (int k = 0; k < TWX_LINK_SCORES; k++)
        if (x->values[k] != y->values[k]) return x->values[k] < y->values[k] ? -1 : 1;
    return 0;
}

/* The index of a URL; n: there is none. */
static size_t find_node(const twx_link_node *nodes, size_t n, uint64_t url) {
    size_t low = 0, high = n;
    TWX_BISECT(low, high, nodes[middle].url < url);
    return low < n && nodes[low].url == url ? low : n;
}

static twx_rc check_room(const twx_link_scores_maker *m, const graph *g) {
    const size_t node_bytes = sizeof(twx_link_node) + sizeof *g->first + 3 * sizeof *g->now;
    const size_t need = g->n * node_bytes + 2 * g->to.n * sizeof *g->to.at;
    if (need <= m->max_bytes) return TWX_OK;
    return twx_fail(m->cx, TWX_E_LIMIT,
                    "link scores of %zu documents with %zu links need %zu MiB of memory, %zu are "
                    "allowed: raise run.memory",
                    g->n, g->to.n, (need >> 20) + 1, m->max_bytes >> 20);
}

/* Links come ordered by source, as the documents are, so sources need no search. Links out of the
 * collection are dropped. */
static twx_rc read_links(twx_link_scores_maker *m, graph *g) {
    twx_entry link = {0}, last = {0};
    size_t from = 0;
    twx_rc rc = twx_entries_sort(m->cx, &m->links);
    while (rc == TWX_OK && (rc = twx_entries_next(&m->links, &link)) == TWX_OK) {
        if (twx_entry_cmp(&link, &last) == 0) continue; /* a page has a link twice */
        last = link;
        while (from < g->n && g->nodes[from].url < link.key) g->first[++from] = g->to.n;
        if (from == g->n || g->nodes[from].url != link.key) continue;
        size_t to = find_node(g->nodes, g->n, link.check);
        if (to == g->n) continue;
        if (!TWX_VEC_PUSH(m->cx, &g->to, (uint32_t)to)) return TWX_E_NOMEM;
        if (g->to.n % BYTES_MIN == 0) rc = check_room(m, g);
    }
    while (from < g->n) g->first[++from] = g->to.n;
    if (rc == TWX_DONE) rc = TWX_OK;
    return rc == TWX_OK ? check_room(m, g) : rc;
}

static twx_rc make_graph(twx_link_scores_maker *m, graph *g) {
    size_t kept = 0;
    if (m->nodes.n > 1) qsort(m->nodes.at, m->nodes.n, sizeof *m->nodes.at, by_url);
    /* of different documents with one URL, the one with the smallest values is kept */
    for (size_t i = 0; i < m->nodes.n; i++)
        if (kept == 0 || m->nodes.at[kept - 1].url != m->nodes.at[i].url)
            m->nodes.at[kept++] = m->nodes.at[i];
    g->nodes = m->nodes.at;
    g->n = m->nodes.n = kept;
    if (g->n > UINT32_MAX)
        return twx_fail(m->cx, TWX_E_LIMIT, "content_links: more than 4294967295 documents");
    twx_rc rc = check_room(m, g);
    if (rc != TWX_OK) return rc;
    g->first = twx_calloc(m->cx, g->n + 1, sizeof *g->first);
    g->now = twx_calloc(m->cx, g->n, sizeof *g->now);
    g->next = twx_calloc(m->cx, g->n, sizeof *g->next);
    g->weight = twx_calloc(m->cx, g->n, sizeof *g->weight);
    if (!g->first || !g->now || !g->next || !g->weight) return TWX_E_NOMEM;
    return read_links(m, g);
}

/* 85 % of x, in a form in which no x overflows. */
static int64_t damped(int64_t x) {
    return x - x / 20 * 3;
}

/* Value k of document i without propagation; k == TWX_LINK_SCORES: the weight. */
static int64_t own(const graph *g, size_t i, int k) {
    if (k == TWX_LINK_SCORES) return INT64_C(1) << WEIGHT_BITS;
    return (int64_t)g->nodes[i].values[k] * (1 << VALUE_BITS);
}

/* The result is in g->now. Integer sums do not depend on the order of the links. */
static twx_rc propagate(twx_ctx *cx, graph *g, int k) {
    for (size_t i = 0; i < g->n; i++) g->now[i] = own(g, i, k);
    for (int round = 0; round < ROUNDS; round++) {
        twx_rc rc = twx_cancelled(cx);
        if (rc != TWX_OK) return rc;
        for (size_t i = 0; i < g->n; i++) g->next[i] = own(g, i, k) - damped(own(g, i, k));
        for (size_t i = 0; i < g->n; i++) {
            const size_t from = g->first[i], to = g->first[i + 1];
            if (from == to) continue;
            const int64_t share = damped(g->now[i]) / (int64_t)(to - from);
            for (size_t link = from; link < to; link++) g->next[g->to.at[link]] += share;
        }
        int64_t *swap = g->now;
        g->now = g->next;
        g->next = swap;
    }
    return TWX_OK;
}

/* Millionths. weight is positive, because each document has at least 15 % of its own. */
static int32_t ratio(int64_t value, int64_t weight) {
    for (; weight >= INT64_C(1) << (62 - RATIO_BITS); weight /= 2) value /= 2;
    const int64_t mean = value * (1 << RATIO_BITS) / weight;
    return (int32_t)(mean > MILLION ? MILLION : mean < -MILLION ? -MILLION : mean);
}

static twx_rc propagate_all(twx_ctx *cx, graph *g) {
    twx_rc rc = propagate(cx, g, TWX_LINK_SCORES);
    if (rc != TWX_OK) return rc;
    int64_t *swap = g->weight;
    g->weight = g->now;
    g->now = swap;
    for (int k = 0; k < TWX_LINK_SCORES; k++) {
        rc = propagate(cx, g, k);
        if (rc != TWX_OK) return rc;
        for (size_t i = 0; i < g->n; i++) g->nodes[i].values[k] = ratio(g->now[i], g->weight[i]);
    }
    return TWX_OK;
}

twx_rc twx_link_scores_make(twx_link_scores_maker *m, twx_link_scores **ret_values) {
    graph g = {0};
    twx_link_scores *v = twx_calloc(m->cx, 1, sizeof *v);
    if (!v) return TWX_E_NOMEM;
    twx_rc rc = make_graph(m, &g);
    if (rc == TWX_OK) rc = propagate_all(m->cx, &g);
    if (rc == TWX_OK) {
        *v = (twx_link_scores){.nodes = m->nodes.at, .n = m->nodes.n, .links = g.to.n};
        m->nodes.at = NULL; /* ownership moved */
        m->nodes.n = m->nodes.cap = 0;
        uint64_t h = twx_mix64(v->n, v->links);
        for (size_t i = 0; i < v->n; i++) {
            const twx_link_node *p = &v->nodes[i];
            h = twx_mix64(h, p->url);
            for (int k = 0; k < TWX_LINK_SCORES; k += 2)
                h = twx_mix64(h,
                              (uint64_t)(uint32_t)p->values[k] << 32 | (uint32_t)p->values[k + 1]);
        }
        v->fingerprint = h;
    }
    twx_free(g.first);
    twx_free(g.now);
    twx_free(g.next);
    twx_free(g.weight);
    TWX_VEC_DONE(&g.to);
    TWX_HAND_OVER(rc, ret_values, v, twx_link_scores_close(v));
    return rc;
}

void twx_link_scores_close(twx_link_scores *v) {
    if (!v) return;
    twx_free(v->nodes);
    twx_free(v);
}

bool twx_link_scores_find(const twx_link_scores *v, twx_slice url,
                          int32_t ret_values[TWX_LINK_SCORES]) {
    if (!url.p) return false;
    size_t i = find_node(v->nodes, v->n, twx_hash64(url, URL_SEED));
    if (i == v->n) return false;
    memcpy(ret_values, v->nodes[i].values, sizeof v->nodes[i].values);
    return true;
}
