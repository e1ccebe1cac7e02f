/* tests/unit/predict: documents as (URL, content), a model learned from them, questions. */
#ifndef TWINDEX_TEST_PREDICT_FIXTURE_H
#define TWINDEX_TEST_PREDICT_FIXTURE_H

#include "support.h"

#include "predict/predict.h"

enum { FIXTURE_DOCUMENTS = 20000, FIXTURE_BYTES = 64 << 20 };

typedef struct fixture_document {
    char *url;
    uint64_t content;
} fixture_document;

typedef struct fixture {
    twx_ctx cx;
    twx_arena arena;
    fixture_document at[FIXTURE_DOCUMENTS];
    size_t n;
    twx_model model;
    bool learned;
} fixture;

static fixture FIXTURE;
static twx_url_variants FIXTURE_PAGE;

static inline void fixture_forget(fixture *f) {
    if (f->learned) twx_model_done(&f->model);
    f->learned = false;
}

static inline void fixture_clear(fixture *f) {
    fixture_forget(f);
    twx_arena_done(&f->arena);
    twx_arena_init(&f->arena, 0);
    twx_ctx_init(&f->cx);
    f->n = 0;
}

/* A document; formatted URL, in normal form already. */
static inline void document(uint64_t content, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static inline void document(uint64_t content, const char *fmt, ...) {
    fixture *f = &FIXTURE;
    char url[512];
    twx_slice copy;
    va_list args;
    va_start(args, fmt);
    vsnprintf(url, sizeof url, fmt, args);
    va_end(args);
    assert_true(f->n < FIXTURE_DOCUMENTS);
    assert_int_equal(twx_arena_copy(&f->cx, &f->arena, twx_slice_of(url), &copy), TWX_OK);
    char *text = NULL;
    memcpy(&text, &copy.p, sizeof text);
    f->at[f->n++] = (fixture_document){text, content};
}

static inline void learn_into(fixture *f, twx_model *model, size_t bytes) {
    twx_learner *l = NULL;
    twx_model_init(model);
    assert_int_equal(twx_learner_open(&f->cx, bytes, NULL, &l), TWX_OK);
    for (size_t i = 0; i < f->n; i++)
        assert_int_equal(twx_learner_add(l, twx_slice_of(f->at[i].url), f->at[i].content), TWX_OK);
    assert_int_equal(twx_learner_make(l, model), TWX_OK);
    twx_learner_close(l);
}

static inline void learn(void) {
    fixture_forget(&FIXTURE);
    learn_into(&FIXTURE, &FIXTURE.model, FIXTURE_BYTES);
    FIXTURE.learned = true;
}

static inline twx_prediction ask(const char *url) {
    twx_url_variants_of(twx_slice_of(url), &FIXTURE_PAGE);
    return twx_model_predict(&FIXTURE.model, NULL, &FIXTURE_PAGE);
}

static inline double probability(const char *url) {
    return ask(url).probability;
}

/* The context of a form with these texts; NULL: none. A text NULL: any. */
static inline const twx_context *context(const char *form, const char *path, const char *name,
                                         const char *value) {
    const twx_model *m = &FIXTURE.model;
    for (size_t i = 0; i < m->contexts.n; i++) {
        const twx_context *c = &m->contexts.at[i];
        if (strcmp(TWX_HYPOTHESIS[c->row].form, form) == 0 &&
            (!path || twx_slice_eq(c->path, twx_slice_of(path))) &&
            (!name || twx_slice_eq(c->name, twx_slice_of(name))) &&
            (!value || twx_slice_eq(c->value, twx_slice_of(value))))
            return c;
    }
    return NULL;
}

static inline void expect_trials(const twx_context *c, uint32_t dup, uint32_t nodup) {
    assert_non_null(c);
    if (c->dup != dup || c->nodup != nodup)
        fail_msg("%u duplicates, %u others; not %u and %u", c->dup, c->nodup, dup, nodup);
}

static inline void fixture_setup(void) {
    fixture_clear(&FIXTURE);
}

static inline void fixture_teardown(void) {
    fixture_forget(&FIXTURE);
    twx_arena_done(&FIXTURE.arena);
}

TESTS_WITH(fixture_setup, fixture_teardown);

#endif
