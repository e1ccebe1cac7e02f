/* A law of what names_learn.c keeps: whatever changes, what it learns is what it would without. */
#include "judge_fixture.h"

#include <stdio.h>

enum { HISTORIES = TEST_SANITIZED ? 3 : 12, ROUNDS = 60, DOCUMENTS = 400, TEXTS = 60, HOSTS = 5 };

typedef struct page {
    twx_name_words name;
    twx_url_names url;
    uint64_t form;
    uint32_t host, domain, node; /* of few documents another domain than of their host */
    bool exists;
} page;

typedef struct crawl {
    test_rng rng;
    page pages[DOCUMENTS];
    uint8_t eligibility[DOCUMENTS];
    twx_name_words texts[TEXTS];
} crawl;

static size_t below(crawl *c, size_t limit) {
    return test_rng_below(&c->rng, limit);
}

static uint8_t draw_words(crawl *c, uint32_t *words, size_t most, size_t among) {
    const size_t n = below(c, most + 1);
    for (size_t i = 0; i < n; i++) words[i] = 1 + (uint32_t)(below(c, among) * below(c, 3));
    return (uint8_t)n;
}

/* A third of the pages have no name, and many have one of few. */
static void draw_page(crawl *c, page *p) {
    *p = (page){.exists = true, .node = (uint32_t)below(c, TEXTS), .form = 1 + below(c, 40)};
    p->host = p->domain = (uint32_t)(below(c, HOSTS) * below(c, 2));
    if (p->host == 2) p->domain = 1; /* of one site */
    if (p->host == 3 && below(c, 3) == 0) p->domain = 4;
    p->url.segments = (uint8_t)below(c, 3);
    for (size_t i = 0; i < p->url.segments; i++) p->url.name[i] = (uint16_t)(1 + below(c, 4));
    if (below(c, 3) == 0) return;
    p->name.n[TWX_NAME_TITLE] = draw_words(c, p->name.title, 4, below(c, 2) ? 2 : 30);
    if (below(c, 30)) p->name.title[p->name.n[TWX_NAME_TITLE]++] = 100 + p->domain;
    p->name.n[TWX_NAME_HEADING] = draw_words(c, p->name.heading, 1, 2);
    p->name.tail = (uint32_t)below(c, 5);
    p->name.shown = below(c, 6) ? 0 : 1 + (uint32_t)below(c, 4);
}

/* The documents of a host get each other's numbers. */
static void shuffle(crawl *c, page *last) {
    const uint8_t *counts = c->eligibility;
    for (page *p = c->pages + 1; counts[last - c->pages] && p < last; p++) {
        const page was = *p;
        if (p->host != last->host || !counts[p - c->pages] || below(c, 4)) continue;
        *p = *last;
        *last = was;
    }
}

static void change_one(crawl *c) {
    const size_t what = below(c, 20), i = below(c, DOCUMENTS), to = below(c, 2);
    page *changed = &c->pages[i];
    if (what < 4) changed->exists = to;
    if (what >= 4 && what < 8) draw_page(c, changed);
    if (what >= 8 && what < 11) shuffle(c, changed);
    if (what >= 11 && what < 14) c->eligibility[i] = (uint8_t)to;
    if (what >= 14 && what < 17) changed->name.title[0]++;
    if (what == 17) c->pages[0].exists = to;
    for (size_t k = 0; what > 17 && changed->host > 0 && k < DOCUMENTS; k++) { /* a whole host */
        if (c->pages[k].host != changed->host) continue;
        if (what == 18) c->pages[k].exists = to;
        if (what == 19) c->eligibility[k] = (uint8_t)to;
    }
}

typedef struct learned {
    twx_names names;
    twx_doc_table docs;
    twx_pieces urls;
    uint64_t form[DOCUMENTS], made[DOCUMENTS];
    uint32_t node[DOCUMENTS];
    uint8_t eligibility[DOCUMENTS];
} learned;

static void add_page(twx_ctx *cx, learned *l, const page *p, int64_t doc) {
    static const char *const NAMES[] = {"a", "b", "www.b", "c", "d", "e"};
    unsigned char packed[TWX_NAME_BYTES];
    uint64_t keys[TWX_NAME_KEYS_MAX];
    const size_t i = l->docs.at.n;
    const twx_slice name = {(const char *)packed, twx_name_pack(&p->name, packed)};
    size_t n;
    l->form[i] = p->form;
    l->node[i] = p->node;
    l->made[i] = twx_hash64((twx_slice){(const char *)p, sizeof *p}, 0);
    populate_one(cx, &l->docs,
                 &(entry){.host = NAMES[p->host], .domain = NAMES[p->domain], .doc = doc}, i);
    assert_ok(twx_names_add(cx, &l->names, p->node, name, keys, &n));
    assert_ok(twx_pieces_add(cx, &l->urls, twx_names_of_url_packed(&p->url)));
}

static void learn(twx_ctx *cx, const crawl *c, twx_names_kept *kept, learned *l) {
    *l = (learned){0};
    assert_ok(twx_names_init(cx, &l->names, SIZE_MAX));
    assert_ok(twx_pieces_init(cx, &l->urls, SIZE_MAX));
    for (size_t k = 0; k < TEXTS; k++) {
        unsigned char packed[TWX_REPEATED_BYTES];
        const size_t n = twx_repeated_pack(&c->texts[k], packed);
        assert_ok(twx_names_add_text(cx, &l->names, (twx_slice){(const char *)packed, n}));
    }
    for (size_t i = 0; i < DOCUMENTS; i++) {
        l->eligibility[l->docs.at.n] = c->eligibility[i] ? TWX_ELIGIBLE : TWX_ELIGIBLE + 1;
        if (c->pages[i].exists) add_page(cx, l, &c->pages[i], (int64_t)i + 1);
    }
    l->names.rules = (twx_name_rules){.common_ppm = 60000, .site_ppm = 500000, .own = true};
    l->names.threads = 3;
    l->names.page = l->form;
    l->names.urls = &l->urls;
    l->names.kept = kept;
    l->names.made = l->made;
    assert_ok(twx_names_learn(cx, &l->names, &l->docs, l->node, l->eligibility));
}

static void forget(learned *l) {
    twx_names_done(&l->names);
    twx_doc_table_done(&l->docs);
    twx_pieces_done(&l->urls);
}

static bool are_same(twx_ctx *cx, const twx_map64 *a, const twx_map64 *b) {
    twx_map64_slot *of_a = NULL, *of_b = NULL;
    assert_ok(twx_map64_list(cx, a, &of_a));
    assert_ok(twx_map64_list(cx, b, &of_b));
    const bool same = a->n == b->n && (a->n == 0 || memcmp(of_a, of_b, a->n * sizeof *of_a) == 0);
    twx_free(of_a);
    twx_free(of_b);
    return same;
}

static bool is_learned(twx_ctx *cx, const learned *a, const learned *b) {
    const twx_names *x = &a->names, *y = &b->names;
    return are_same(cx, &x->common, &y->common) && are_same(cx, &x->constant, &y->constant) &&
           are_same(cx, &x->own_parts, &y->own_parts) && are_same(cx, &x->trees, &y->trees) &&
           are_same(cx, &x->shown, &y->shown) && x->has_titles == y->has_titles &&
           x->has_shown == y->has_shown &&
           memcmp(x->marks, y->marks, a->docs.at.n * sizeof *x->marks) == 0 &&
           memcmp(x->formless, y->formless, a->docs.at.n * sizeof *x->formless) == 0;
}

TEST(what_is_kept_of_names_does_not_show) {
    static crawl c;
    static learned whole, again;
    size_t keys[4] = {0};
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        twx_ctx cx = {0};
        twx_names_kept kept = {0};
        c = (crawl){.rng = test_rng_seed(seed)};
        for (size_t i = 0; i < DOCUMENTS; i++) draw_page(&c, &c.pages[i]);
        for (size_t i = 0; i < DOCUMENTS; i++) c.eligibility[i] = below(&c, 8) > 0;
        c.pages[0].host = 3; /* the first of its host: what is its domain? */
        c.pages[0].domain = 5;
        c.eligibility[0] = 0;
        for (size_t k = 0; k < TEXTS; k++)
            c.texts[k].n[TWX_NAME_REPEATED] = draw_words(&c, c.texts[k].repeated, 4, 20);
        for (size_t round = 0; round < ROUNDS; round++) {
            learn(&cx, &c, NULL, &whole);
            learn(&cx, &c, &kept, &again);
            if (!is_learned(&cx, &whole, &again))
                fail_msg("seed %" PRIu64 ", round %zu", seed, round);
            keys[0] += again.names.common.n;
            keys[1] += again.names.constant.n;
            keys[2] += again.names.own_parts.n;
            keys[3] += again.names.trees.n;
            forget(&whole);
            forget(&again);
            for (size_t i = below(&c, 4); i > 0; i--) change_one(&c);
        }
        twx_names_kept_done(&kept);
    }
    print_message("%zu %zu %zu %zu\n", keys[0], keys[1], keys[2], keys[3]);
    for (size_t k = 0; k < TWX_COUNTOF(keys); k++) assert_true(keys[k] > 0);
}
