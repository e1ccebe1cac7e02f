/* judge/mirrors.c against the definition, followed word by word, over random cases. */
#include "mirror_fixture.h"

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

TEST(the_definition_gives_the_same) {
    static oracle o;
    size_t rows = 0, near = 0, wide = 0;
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
    twx_mirrors_done(NULL);
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

TEST(r4_the_order_of_documents_and_numbers_never_matter) {
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
