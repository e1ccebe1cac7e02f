/* tests/property/near_signs.h: what a plain judge of near-duplicates takes from src/sign: the
 * candidate keys of a text, and the similarity of two texts. */
#ifndef TWINDEX_TEST_NEAR_SIGNS_H
#define TWINDEX_TEST_NEAR_SIGNS_H

#include "packed_record.h"

enum { NEAR_TEXTS_MAX = 512, NEAR_SAME = 1000000 };

typedef struct near_sign {
    twx_buf bytes;
    twx_slice payload; /* in bytes */
    size_t n;          /* keys, sorted; 0: the text has no signature */
    twx_key *keys;
} near_sign;

typedef struct near_signs {
    const twx_detector *d; /* NULL: none is configured */
    twx_params params;
    twx_ctx cx;
    size_t n;
    near_sign at[NEAR_TEXTS_MAX];
} near_signs;

static inline int near_key_cmp(const void *left, const void *right) {
    const twx_key *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->check > b->check) - (a->check < b->check);
}

static inline void near_keys_of(near_signs *s, const twx_buf *record, near_sign *sign) {
    twx_record room;
    const twx_record_entry *e = entry_in(&room, record, s->d->id);
    if (!e) return;
    assert_int_equal(twx_buf_add_slice(&s->cx, &sign->bytes, e->payload), TWX_OK);
    sign->payload = twx_buf_slice(&sign->bytes);
    sign->n = e->n_keys;
    sign->keys = calloc(e->n_keys + TWX_CANDIDATE_KEYS_MAX, sizeof *sign->keys);
    assert_non_null(sign->keys);
    for (size_t k = 0; k < e->n_keys; k++) sign->keys[k] = twx_record_key(e, k);
    const twx_signed from = {sign->keys[0], e->payload};
    if (s->d->candidates && e->n_keys > 0)
        sign->n = s->d->candidates(&s->params, &from, sign->keys);
    qsort(sign->keys, sign->n, sizeof *sign->keys, near_key_cmp);
}

/* Signs the next text. `d` and `params` are set before the first. */
static inline void near_signs_add(near_signs *s, twx_slice text) {
    near_sign *sign = &s->at[s->n++];
    twx_workspace *w = NULL;
    const twx_detector *const detectors[] = {s->d};
    const twx_signing signing = {.params = &s->params, .detectors = detectors, .n = 1};
    const twx_document doc = {.text = text};
    twx_buf record = {.max = 1 << 20};
    assert_true(s->n <= NEAR_TEXTS_MAX);
    *sign = (near_sign){.n = 0};
    twx_ctx_init(&s->cx);
    twx_buf_init(&sign->bytes, 1 << 20);
    if (!s->d) return;
    assert_int_equal(twx_workspace_open(&s->cx, &s->params, &w), TWX_OK);
    assert_int_equal(twx_sign_document(&s->cx, w, &signing, &doc, &record), TWX_OK);
    twx_workspace_close(w);
    near_keys_of(s, &record, sign);
    twx_buf_done(&record);
}

static inline void near_signs_done(near_signs *s) {
    for (size_t i = 0; i < s->n; i++) {
        twx_buf_done(&s->at[i].bytes);
        free(s->at[i].keys);
    }
    s->n = 0;
}

static inline bool near_has_key(const near_signs *s, int i, const twx_key *key) {
    const near_sign *sign = &s->at[i];
    return sign->n > 0 && bsearch(key, sign->keys, sign->n, sizeof *key, near_key_cmp) != NULL;
}

/* Millionths; -1: not near-duplicates. */
static inline int32_t near_similarity(const near_signs *s, int a, int b) {
    return s->d->verify ? s->d->verify(&s->params, s->at[a].payload, s->at[b].payload) : NEAR_SAME;
}

#endif
