/* Pages of one host, whose names the detectors themselves sign, for the tests of judge/names.c. */
#ifndef TWINDEX_TEST_NAMES_FIXTURE_H
#define TWINDEX_TEST_NAMES_FIXTURE_H

#include "judge_fixture.h"

enum { MANY = 64 };

typedef struct fixture {
    twx_ctx cx;
    twx_params params;
    twx_workspace *w;
    twx_doc_table p;
    twx_names names;
    uint32_t node[MANY];
    uint8_t eligibility[MANY];
    uint32_t n, nodes;
    uint64_t keys[TWX_NAME_KEYS_MAX]; /* of the page that was added last */
    size_t n_keys;
} fixture;

static void open_site(fixture *f) {
    f->params = twx_params_default();
    assert_ok(twx_names_init(&f->cx, &f->names, MANY));
    f->names.threads = 3;
    f->names.rules = (twx_name_rules){.common_ppm = 300000, .site_ppm = 500000};
    assert_ok(twx_workspace_open(&f->cx, &f->params, &f->w));
}

static void close_site(fixture *f) {
    twx_names_done(&f->names);
    twx_doc_table_done(&f->p);
    twx_workspace_close(f->w);
}

TESTS_OF(fixture, open_site, close_site);

typedef struct page {
    const char *path, *title, *headings, *names, *text; /* text NULL: that of the page before */
    const char *host;                                   /* NULL: that of most pages */
} page;

static inline uint32_t add(fixture *f, page one) {
    char whole[200];
    twx_url url;
    twx_arena arena = {0};
    twx_signature signature = {0};
    const uint32_t i = f->n++;
    snprintf(whole, sizeof whole, "https://h.example/%s", one.path ? one.path : "");
    assert_true(i < MANY);
    assert_ok(twx_url_normalize(&f->cx, &arena, NULL, twx_slice_of(whole), &url));
    const twx_document doc = {.url = &url,
                              .title = twx_slice_of(one.title),
                              .headings = twx_slice_of(one.headings),
                              .names = twx_slice_of(one.names),
                              .text = twx_slice_of(one.text)};
    populate_one(&f->cx, &f->p, &(entry){.host = one.host}, i);
    if (one.text) {
        assert_ok(TWX_DETECTOR_REPEATED.sign(&f->cx, f->w, &f->params, &doc, &signature));
        assert_ok(twx_names_add_text(&f->cx, &f->names, signature.payload));
        f->nodes++;
    }
    f->node[i] = f->nodes - 1;
    f->eligibility[i] = TWX_ELIGIBLE;
    assert_ok(TWX_DETECTOR_NAME.sign(&f->cx, f->w, &f->params, &doc, &signature));
    assert_ok(twx_names_add(&f->cx, &f->names, f->node[i], signature.payload, f->keys, &f->n_keys));
    twx_workspace_reset(f->w);
    twx_arena_done(&arena);
    return i;
}

static inline void learn(fixture *f) {
    assert_ok(twx_names_learn(&f->cx, &f->names, &f->p, f->node, f->eligibility));
}

static inline bool contains(fixture *f, uint32_t a, uint32_t s, twx_demand *ret_missing) {
    twx_demands d;
    twx_names_demands(&f->names, &f->p, f->node[a], a, &d);
    return twx_names_contain(&f->names, f->node[s], s, &d, ret_missing);
}

/* Is a page of this title and text contained in one of that title and text, on a site of two? */
static inline bool hides(fixture *f, page a, page s, twx_demand *ret_missing) {
    const uint32_t first = add(f, a), second = add(f, s);
    learn(f);
    assert_true(contains(f, first, first, NULL) && contains(f, second, second, NULL)); /* [R3] */
    return contains(f, first, second, ret_missing);
}

static inline bool titles_hide(fixture *f, const char *a, const char *s) {
    return hides(f, (page){.title = a, .text = "x"}, (page){.title = s, .text = "y"}, NULL);
}

static inline uint32_t word_of(const char *word) {
    return twx_name_word(twx_slice_of(word));
}

#endif
