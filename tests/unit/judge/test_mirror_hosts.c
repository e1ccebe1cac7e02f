/* judge/mirrors.c: who mirrors whom, against examples and against the definition, followed word by
 * word. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/mirrors.h"

enum { DOCUMENTS_MAX = 4000, HOSTS_MAX = 300, NAME_BYTES = 24 };

static const char *const NO_GROUP = "";

/* A case under construction. */
typedef struct world {
    twx_mirror_document documents[DOCUMENTS_MAX];
    char names[HOSTS_MAX][NAME_BYTES];
    twx_slice hosts[HOSTS_MAX];
    twx_mirror_case in;
} world;

static world *fresh(void) {
    static world w;
    w.in = (twx_mirror_case){.documents = w.documents,
                             .hosts = w.hosts,
                             .ratio_ppm = 800000,
                             .min_documents = 1,
                             .group_hosts = 200};
    return &w;
}

static uint32_t host(world *w, const char *name) {
    for (uint32_t h = 0; h < w->in.hosts_n; h++)
        if (strcmp(w->names[h], name) == 0) return h;
    assert_true(w->in.hosts_n < HOSTS_MAX && strlen(name) < NAME_BYTES);
    snprintf(w->names[w->in.hosts_n], NAME_BYTES, "%s", name);
    w->hosts[w->in.hosts_n] = twx_slice_of(w->names[w->in.hosts_n]);
    return w->in.hosts_n++;
}

static void add(world *w, uint32_t h, uint32_t exact, uint32_t near, bool survives) {
    assert_true(w->in.n < DOCUMENTS_MAX);
    w->documents[w->in.n++] = (twx_mirror_document){
        .host = h, .exact = exact, .near = near, .survives = survives};
    if (exact != TWX_NO_DOCUMENT && exact >= w->in.exact_groups) w->in.exact_groups = exact + 1;
    if (near != TWX_NO_DOCUMENT && near >= w->in.near_groups) w->in.near_groups = near + 1;
}

/* A host whose documents are the exact groups first..last; a document each. */
static void has_exact(world *w, const char *name, uint32_t first, uint32_t last) {
    for (uint32_t group = first; group <= last; group++)
        add(w, host(w, name), group, TWX_NO_DOCUMENT, false);
}

static void has_near(world *w, const char *name, uint32_t first, uint32_t last) {
    for (uint32_t group = first; group <= last; group++)
        add(w, host(w, name), TWX_NO_DOCUMENT, group, false);
}

static void has_own(world *w, const char *name, size_t n, bool survive) {
    while (n--) add(w, host(w, name), TWX_NO_DOCUMENT, TWX_NO_DOCUMENT, survive);
}

static twx_mirrors find(const world *w) {
    twx_ctx cx;
    twx_mirrors m = {0};
    twx_ctx_init(&cx);
    if (twx_mirrors_find(&cx, &w->in, &m) != TWX_OK) fail_msg("%s", cx.message);
    return m;
}

/* "b>a exact 8/10, " for each row. */
static void print_rows(const world *w, const twx_mirrors *m, size_t room, char *ret_text) {
    size_t n = 0;
    ret_text[0] = '\0';
    for (size_t i = 0; i < m->rows.n && n < room; i++) {
        const twx_mirror *row = &m->rows.at[i];
        n += (size_t)snprintf(ret_text + n, room - n, "%s>%s %s %" PRIu64 "/%" PRIu64 ", ",
                              w->names[row->host], w->names[row->mirror_of],
                              twx_mirror_level_name(row->level), row->shared, row->documents);
    }
}

static void expect(const world *w, const char *wanted) {
    char got[1024];
    twx_mirrors m = find(w);
    print_rows(w, &m, sizeof got, got);
    assert_string_equal(got, wanted);
    twx_mirrors_done(&m);
}

/* ---- the ratio ---------------------------------------------------------- */

static void hosts_with_the_same_documents_mirror_each_other(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "b", 0, 9);
    has_exact(w, "a", 0, 9);
    expect(w, "b>a exact 10/10, ");
}

static void nobody_mirrors_anybody_in_an_empty_store(void **state) {
    (void)state;
    expect(fresh(), NO_GROUP);
}

/* A small host whose pages are all part of a large one is no mirror of it, nor the other way round.
 */
static void the_smaller_share_of_both_counts(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "large", 0, 99);
    has_exact(w, "part", 0, 9);
    expect(w, NO_GROUP);
    w->in.ratio_ppm = 100000;
    expect(w, "part>large exact 10/10, ");
    w->in.ratio_ppm = 100001;
    expect(w, NO_GROUP);
}

static void the_ratio_is_met_exactly(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "a", 0, 9);
    has_exact(w, "b", 0, 7);
    has_own(w, "b", 2, false);
    expect(w, "b>a exact 8/10, ");
    has_own(w, "b", 1, false);
    expect(w, NO_GROUP);
}

/* Ten copies of one page on each of two hosts: each copy has an equal one on the other host. */
static void every_document_with_an_equal_one_counts(void **state) {
    world *w = fresh();
    (void)state;
    for (int i = 0; i < 10; i++) has_exact(w, "a", 0, 0);
    for (int i = 0; i < 3; i++) has_exact(w, "bb", 0, 0);
    expect(w, "bb>a exact 3/3, ");
}

static void both_sides_are_in_the_row(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "a", 0, 8);
    has_exact(w, "a", 0, 0);
    has_exact(w, "bb", 0, 8);
    twx_mirrors m = find(w);
    assert_int_equal(m.rows.n, 1);
    assert_int_equal(m.rows.at[0].shared, 9);
    assert_int_equal(m.rows.at[0].documents, 9);
    assert_int_equal(m.rows.at[0].of_shared, 10);
    assert_int_equal(m.rows.at[0].of_documents, 10);
    assert_int_equal(m.rows.at[0].ratio_ppm, 1000000);
    twx_mirrors_done(&m);
}

static void a_ratio_is_rounded_down(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "a", 0, 2);
    has_exact(w, "b", 0, 1);
    has_own(w, "b", 1, false);
    w->in.ratio_ppm = 666666;
    expect(w, "b>a exact 2/3, ");
    w->in.ratio_ppm = 666667;
    expect(w, NO_GROUP);
}

/* ---- R1: the order ------------------------------------------------------ */

static void r1_more_survivors_lead(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "a", 0, 9);
    has_exact(w, "b", 0, 9);
    has_own(w, "zz", 1, true);
    has_exact(w, "zz", 0, 9);
    expect(w, "a>zz exact 10/10, b>zz exact 10/10, ");
}

static void r1_then_more_documents(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "a", 0, 9);
    has_exact(w, "zz", 0, 9);
    has_own(w, "zz", 1, false);
    expect(w, "a>zz exact 10/10, ");
}

static void r1_then_the_shorter_name_then_by_bytes(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "aaa", 0, 9);
    has_exact(w, "zb", 0, 9);
    has_exact(w, "za", 0, 9);
    expect(w, "zb>za exact 10/10, aaa>za exact 10/10, ");
}

static void r1_the_largest_ratio_wins(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "a", 0, 9);
    has_own(w, "a", 2, true); /* the first, but less alike */
    has_exact(w, "b", 0, 7);
    has_own(w, "b", 1, true);
    w->in.ratio_ppm = 750000;
    has_exact(w, "c", 0, 7);
    expect(w, "c>b exact 8/8, ");
}

static void r1_of_equal_ratios_the_earlier_host(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "b", 0, 9);
    has_own(w, "b", 2, true);
    has_exact(w, "a", 0, 9);
    has_own(w, "a", 2, true);
    has_exact(w, "c", 0, 9);
    w->in.ratio_ppm = 833333;
    has_own(w, "c", 1, false);
    /* a and b have 10 of 12 in common, so b joins a; c could join either */
    expect(w, "b>a exact 10/12, c>a exact 10/11, ");
}

/* b mirrors a; c is like b, but less so like a: it mirrors nobody, because b stands for nothing any
 * more. */
static void r1_nobody_joins_a_host_that_has_joined(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "a", 0, 9);
    has_exact(w, "b", 2, 11);
    has_exact(w, "c", 4, 13);
    expect(w, "b>a exact 8/10, ");
}

/* ---- R2: the near level ------------------------------------------------- */

static void r2_near_groups_count_when_exact_ones_do_not_reach(void **state) {
    world *w = fresh();
    (void)state;
    has_near(w, "a", 0, 9);
    has_near(w, "b", 0, 8);
    has_own(w, "b", 1, false);
    expect(w, "b>a near 9/10, ");
}

/* Texts with too few words have exact groups only; they count at the near level, too. */
static void r2_exact_groups_count_at_the_near_level(void **state) {
    world *w = fresh();
    (void)state;
    has_near(w, "a", 0, 4);
    has_exact(w, "a", 0, 4);
    has_near(w, "b", 0, 4);
    has_exact(w, "b", 0, 4);
    expect(w, "b>a near 10/10, ");
}

/* A document in both is counted once. */
static void r2_a_document_counts_once(void **state) {
    world *w = fresh();
    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        add(w, host(w, "a"), i, i, false);
        add(w, host(w, "b"), i, i, false);
    }
    has_own(w, "a", 4, false);
    has_own(w, "b", 4, false);
    expect(w, NO_GROUP);
    w->in.ratio_ppm = 555555;
    expect(w, "b>a exact 5/9, ");
}

static void r2_the_exact_level_does_not_depend_on_near_groups(void **state) {
    world *w = fresh();
    (void)state;
    has_exact(w, "b", 0, 9);
    has_exact(w, "c", 0, 9);
    expect(w, "c>b exact 10/10, ");
    /* a host that comes first and is near both */
    for (size_t i = 0; i < w->in.n; i++) w->documents[i].near = w->documents[i].exact;
    has_near(w, "a", 0, 9);
    has_own(w, "a", 1, true);
    expect(w, "b>a near 10/10, c>b exact 10/10, ");
}

/* An exact and a near group that share a document are one group at the near level. */
static void r2_a_chain_of_groups_is_one(void **state) {
    world *w = fresh();
    (void)state;
    add(w, host(w, "a"), TWX_NO_DOCUMENT, 0, true);
    add(w, host(w, "b"), 0, TWX_NO_DOCUMENT, false);
    add(w, host(w, "cc"), 0, 0, false);
    expect(w, "b>a near 1/1, cc>b exact 1/1, "); /* b has nothing of a's by any one group */
}

/* Rows stand in the order of hosts, whatever they were found by. */
static void rows_stand_in_the_order_of_hosts(void **state) {
    world *w = fresh();
    (void)state;
    for (uint32_t i = 0; i < 10; i++) add(w, host(w, "a"), i, i, true);
    has_near(w, "b", 0, 9);
    has_exact(w, "cc", 0, 9);
    has_near(w, "ddd", 0, 9);
    expect(w, "b>a near 10/10, cc>a exact 10/10, ddd>a near 10/10, ");
}

/* ---- R3: what is left out ----------------------------------------------- */

static void r3_small_hosts_are_left_out(void **state) {
    world *w = fresh();
    (void)state;
    w->in.min_documents = 10;
    has_exact(w, "a", 0, 9);
    has_exact(w, "b", 0, 9);
    has_exact(w, "c", 0, 8);
    expect(w, "b>a exact 10/10, ");
    twx_mirrors m = find(w);
    assert_int_equal(m.wide_groups[TWX_MIRROR_EXACT], 0);
    assert_int_equal(m.wide_documents[TWX_MIRROR_EXACT], 0);
    assert_int_equal(m.hosts, 2);
    assert_int_equal(m.small_hosts, 1);
    twx_mirrors_done(&m);
}

static void r3_groups_on_very_many_hosts_are_left_out(void **state) {
    world *w = fresh();
    char name[NAME_BYTES];
    (void)state;
    w->in.group_hosts = 5;
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "h%d", i);
        has_exact(w, name, 0, 0);
        has_exact(w, name, 0, 0);
    }
    expect(w, "h1>h0 exact 2/2, h2>h0 exact 2/2, h3>h0 exact 2/2, h4>h0 exact 2/2, ");
    has_exact(w, "h5", 0, 0);
    expect(w, NO_GROUP);
    twx_mirrors m = find(w);
    for (int l = 0; l < TWX_MIRROR_LEVELS; l++) {
        assert_int_equal(m.wide_groups[l], 1);
        assert_int_equal(m.wide_documents[l], 11);
    }
    twx_mirrors_done(&m);
}

/* A page on very many hosts takes nothing from two of them that have the rest in common. */
static void r3_the_other_groups_still_count(void **state) {
    world *w = fresh();
    char name[NAME_BYTES];
    (void)state;
    w->in.group_hosts = 5;
    for (int i = 0; i < 9; i++) {
        snprintf(name, sizeof name, "h%d", i);
        has_exact(w, name, 0, 0);
    }
    has_exact(w, "h3", 1, 4);
    has_exact(w, "h7", 1, 4);
    expect(w, "h7>h3 exact 4/5, ");
}

/* ---- R4, and the definition --------------------------------------------- */

static world *draw(test_rng *rng) {
    world *w = fresh();
    const size_t hosts = 1 + test_rng_below(rng, 9), families = 1 + test_rng_below(rng, 3);
    const uint32_t groups = 1 + (uint32_t)test_rng_below(rng, 12);
    char name[NAME_BYTES];
    w->in.ratio_ppm = (uint32_t)test_rng_below(rng, 5) * 250000;
    w->in.min_documents = 1 + (uint32_t)test_rng_below(rng, 4);
    w->in.group_hosts = 1 + (uint32_t)test_rng_below(rng, 8);
    for (size_t h = 0; h < hosts; h++) {
        const size_t n = test_rng_below(rng, 14);
        const uint32_t family = (uint32_t)(test_rng_below(rng, families) * groups);
        snprintf(name, sizeof name, "%.*s%zu", (int)test_rng_below(rng, 3), "xx", h);
        for (size_t i = 0; i < n; i++) {
            const uint32_t at = family + (uint32_t)test_rng_below(rng, groups);
            const uint32_t exact = test_rng_below(rng, 3) ? at : TWX_NO_DOCUMENT;
            const uint32_t near = test_rng_below(rng, 3) ? (test_rng_below(rng, 9) ? at / 2 : at)
                                                         : TWX_NO_DOCUMENT;
            add(w, host(w, name), exact, near, test_rng_below(rng, 3) == 0);
        }
    }
    return w;
}

/* What one host has of another, counted document by document. */
typedef struct oracle {
    const world *w;
    /* of each document: the first one equal to it */
    size_t group[TWX_MIRROR_LEVELS][DOCUMENTS_MAX];
    bool wide[TWX_MIRROR_LEVELS][DOCUMENTS_MAX]; /* by that document */
    uint64_t documents[HOSTS_MAX], survivors[HOSTS_MAX];
    uint32_t order[HOSTS_MAX], n; /* hosts that are compared, in order */
} oracle;

static bool equal(const twx_mirror_document *a, const twx_mirror_document *b, int which) {
    return (a->exact != TWX_NO_DOCUMENT && a->exact == b->exact) ||
           (which == TWX_MIRROR_NEAR && a->near != TWX_NO_DOCUMENT && a->near == b->near);
}

static void spread(oracle *o, int which) {
    const twx_mirror_case *in = &o->w->in;
    for (size_t i = 0; i < in->n; i++) o->group[which][i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < in->n; i++)
            for (size_t k = 0; k < in->n; k++)
                if (equal(&in->documents[i], &in->documents[k], which) &&
                    o->group[which][k] < o->group[which][i]) {
                    o->group[which][i] = o->group[which][k];
                    changed = true;
                }
    }
}

static bool is_before(const oracle *o, uint32_t a, uint32_t b) {
    if (o->survivors[a] != o->survivors[b]) return o->survivors[a] > o->survivors[b];
    if (o->documents[a] != o->documents[b]) return o->documents[a] > o->documents[b];
    const size_t x = strlen(o->w->names[a]), y = strlen(o->w->names[b]);
    return x != y ? x < y : strcmp(o->w->names[a], o->w->names[b]) < 0;
}

static void mark_wide(oracle *o, int which) {
    const twx_mirror_case *in = &o->w->in;
    for (size_t i = 0; i < in->n; i++) {
        bool has[HOSTS_MAX] = {false};
        uint32_t hosts = 0;
        for (size_t k = 0; k < in->n; k++)
            if (o->group[which][k] == o->group[which][i]) has[in->documents[k].host] = true;
        for (uint32_t h = 0; h < in->hosts_n; h++)
            hosts += has[h] && o->documents[h] >= in->min_documents;
        o->wide[which][i] = hosts > in->group_hosts;
    }
}

static void prepare(oracle *o, const world *w) {
    memset(o, 0, sizeof *o);
    o->w = w;
    for (size_t i = 0; i < w->in.n; i++) {
        o->documents[w->documents[i].host]++;
        o->survivors[w->documents[i].host] += w->documents[i].survives;
    }
    for (uint32_t h = 0; h < w->in.hosts_n; h++) {
        uint32_t at = o->n;
        if (o->documents[h] < w->in.min_documents) continue;
        while (at > 0 && is_before(o, h, o->order[at - 1])) {
            o->order[at] = o->order[at - 1];
            at--;
        }
        o->order[at] = h;
        o->n++;
    }
    for (int which = 0; which < TWX_MIRROR_LEVELS; which++) {
        spread(o, which);
        mark_wide(o, which);
    }
}

static uint64_t shared(const oracle *o, int which, uint32_t a, uint32_t b) {
    const twx_mirror_case *in = &o->w->in;
    uint64_t n = 0;
    for (size_t i = 0; i < in->n; i++) {
        bool any = false;
        for (size_t k = 0; k < in->n; k++)
            any |= in->documents[k].host == b && o->group[which][k] == o->group[which][i];
        n += in->documents[i].host == a && any && !o->wide[which][i];
    }
    return n;
}

static void expect_as_defined(const oracle *o, const twx_mirrors *m, uint64_t seed) {
    uint32_t joined[HOSTS_MAX];
    size_t rows = 0;
    for (uint32_t h = 0; h < HOSTS_MAX; h++) joined[h] = TWX_NO_DOCUMENT;
    for (int which = 0; which < TWX_MIRROR_LEVELS; which++)
        for (uint32_t p = 0; p < o->n; p++) {
            const uint32_t a = o->order[p];
            uint64_t best = 0;
            if (joined[a] != TWX_NO_DOCUMENT) continue;
            for (uint32_t q = 0; q < p; q++) {
                const uint32_t b = o->order[q];
                const uint64_t ours = shared(o, which, a, b), theirs = shared(o, which, b, a);
                const uint64_t x = ours * 1000000 / o->documents[a],
                               y = theirs * 1000000 / o->documents[b];
                const uint64_t ratio = x < y ? x : y;
                if (joined[b] != TWX_NO_DOCUMENT || ours == 0 || ratio < o->w->in.ratio_ppm)
                    continue;
                if (joined[a] != TWX_NO_DOCUMENT && ratio <= best) continue;
                joined[a] = b;
                best = ratio;
            }
            if (joined[a] == TWX_NO_DOCUMENT) continue;
            rows++;
            bool found = false;
            for (size_t i = 0; i < m->rows.n; i++)
                found |= m->rows.at[i].host == a && m->rows.at[i].mirror_of == joined[a] &&
                         (int)m->rows.at[i].level == which && m->rows.at[i].ratio_ppm == best &&
                         m->rows.at[i].shared == shared(o, which, a, joined[a]) &&
                         m->rows.at[i].of_shared == shared(o, which, joined[a], a);
            if (!found)
                fail_msg("seed %" PRIu64 ": %s does not mirror %s", seed, o->w->names[a],
                         o->w->names[joined[a]]);
        }
    if (rows != m->rows.n)
        fail_msg("seed %" PRIu64 ": %zu mirrors, not %zu", seed, m->rows.n, rows);
}

static void the_definition_gives_the_same(void **state) {
    static oracle o;
    size_t rows = 0, near = 0, wide = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        test_rng rng = test_rng_seed(seed);
        const world *w = draw(&rng);
        twx_mirrors m = find(w);
        prepare(&o, w);
        expect_as_defined(&o, &m, seed);
        if (m.hosts != o.n || m.small_hosts != w->in.hosts_n - o.n)
            fail_msg("seed %" PRIu64 ": hosts", seed);
        rows += m.rows.n;
        wide += m.wide_groups[TWX_MIRROR_EXACT] > 0;
        for (size_t i = 0; i < m.rows.n; i++) near += m.rows.at[i].level == TWX_MIRROR_NEAR;
        twx_mirrors_done(&m);
    }
    assert_true(rows > 500 && near > 100 && wide > 100); /* the cases are no empty ones */
}

/* Documents in another order, other numbers for hosts and groups. */
static void shuffle(test_rng *rng, world *w) {
    uint64_t hosts[HOSTS_MAX], exact[64], near[64];
    char names[HOSTS_MAX][NAME_BYTES];
    for (size_t i = 0; i < HOSTS_MAX; i++) hosts[i] = i;
    for (size_t i = 0; i < 64; i++) exact[i] = near[i] = i;
    assert_true(w->in.exact_groups <= 64 && w->in.near_groups <= 64);
    test_rng_shuffle(rng, hosts, w->in.hosts_n);
    test_rng_shuffle(rng, exact, 64);
    test_rng_shuffle(rng, near, 64);
    w->in.exact_groups = w->in.near_groups = 64; /* numbers without documents are fine */
    memcpy(names, w->names, sizeof names);
    for (uint32_t h = 0; h < w->in.hosts_n; h++) memcpy(w->names[hosts[h]], names[h], NAME_BYTES);
    for (uint32_t h = 0; h < w->in.hosts_n; h++) w->hosts[h] = twx_slice_of(w->names[h]);
    for (size_t i = 0; i < w->in.n; i++) {
        twx_mirror_document *d = &w->documents[i],
                            *other = &w->documents[test_rng_below(rng, i + 1)];
        d->host = (uint32_t)hosts[d->host];
        if (d->exact != TWX_NO_DOCUMENT) d->exact = (uint32_t)exact[d->exact];
        if (d->near != TWX_NO_DOCUMENT) d->near = (uint32_t)near[d->near];
        const twx_mirror_document moved = *d;
        *d = *other;
        *other = moved;
    }
}

static void r4_the_order_of_documents_and_numbers_never_matter(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        char one[1024], other[1024];
        test_rng rng = test_rng_seed(seed);
        world *w = draw(&rng);
        twx_mirrors m = find(w);
        print_rows(w, &m, sizeof one, one);
        twx_mirrors_done(&m);
        shuffle(&rng, w);
        m = find(w);
        print_rows(w, &m, sizeof other, other);
        twx_mirrors_done(&m);
        if (strcmp(one, other) != 0)
            fail_msg("seed %" PRIu64 ": '%s', then '%s'", seed, one, other);
    }
}

/* ---- what goes wrong ---------------------------------------------------- */

static void every_allocation_may_fail(void **state) {
    world *w = fresh();
    uint64_t nth = 0;
    (void)state;
    has_exact(w, "a", 0, 9);
    has_exact(w, "b", 0, 9);
    has_near(w, "c", 0, 9);
    has_near(w, "d", 0, 9);
    for (bool reached = true; reached;) {
        twx_faults faults = {.fail_at = ++nth};
        twx_ctx cx;
        twx_mirrors m = {0};
        twx_ctx_init(&cx);
        cx.faults = &faults;
        const twx_rc rc = twx_mirrors_find(&cx, &w->in, &m);
        reached = atomic_load(&faults.count) >= nth;
        assert_int_equal(rc, reached ? TWX_E_NOMEM : TWX_OK);
        assert_int_equal(m.rows.n, reached ? 0 : 2);
        twx_mirrors_done(&m);
    }
    assert_true(nth > 10);
}

static void the_search_stops_when_it_is_asked_to(void **state) {
    world *w = fresh();
    atomic_int cancel = 2;
    twx_ctx cx;
    twx_mirrors m = {0};
    (void)state;
    has_exact(w, "a", 0, 9);
    twx_ctx_init(&cx);
    cx.cancel = &cancel;
    assert_int_equal(twx_mirrors_find(&cx, &w->in, &m), TWX_E_INTERRUPTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_with_the_same_documents_mirror_each_other),
        cmocka_unit_test(nobody_mirrors_anybody_in_an_empty_store),
        cmocka_unit_test(the_smaller_share_of_both_counts),
        cmocka_unit_test(the_ratio_is_met_exactly),
        cmocka_unit_test(every_document_with_an_equal_one_counts),
        cmocka_unit_test(both_sides_are_in_the_row),
        cmocka_unit_test(a_ratio_is_rounded_down),
        cmocka_unit_test(r1_more_survivors_lead),
        cmocka_unit_test(r1_then_more_documents),
        cmocka_unit_test(r1_then_the_shorter_name_then_by_bytes),
        cmocka_unit_test(r1_the_largest_ratio_wins),
        cmocka_unit_test(r1_of_equal_ratios_the_earlier_host),
        cmocka_unit_test(r1_nobody_joins_a_host_that_has_joined),
        cmocka_unit_test(r2_near_groups_count_when_exact_ones_do_not_reach),
        cmocka_unit_test(r2_exact_groups_count_at_the_near_level),
        cmocka_unit_test(r2_a_document_counts_once),
        cmocka_unit_test(r2_the_exact_level_does_not_depend_on_near_groups),
        cmocka_unit_test(r2_a_chain_of_groups_is_one),
        cmocka_unit_test(rows_stand_in_the_order_of_hosts),
        cmocka_unit_test(r3_small_hosts_are_left_out),
        cmocka_unit_test(r3_groups_on_very_many_hosts_are_left_out),
        cmocka_unit_test(r3_the_other_groups_still_count),
        cmocka_unit_test(the_definition_gives_the_same),
        cmocka_unit_test(r4_the_order_of_documents_and_numbers_never_matter),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_search_stops_when_it_is_asked_to),
    };
    return cmocka_run_group_tests_name("mirror hosts", tests, NULL, NULL);
}
