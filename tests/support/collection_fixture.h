/* Collections and lexicons of a few texts, for the tests of global detectors. */
#ifndef COLLECTION_FIXTURE_H
#define COLLECTION_FIXTURE_H

#include "detect_fixture.h"

#include "lab/lab.h"

enum { COLLECTION_BYTES = 1 << 22 };

static inline void fixture_forget(fixture *f) {
    f->params.collection = NULL;
    twx_collection_done(&f->collection);
}

/* f->params points at the collection. */
static inline void fixture_collect(fixture *f, unsigned needs, const char *const *texts, size_t n) {
    twx_collection_maker *maker = NULL;
    fixture_forget(f);
    assert_ok(TWX_COLLECTING.open(&f->cx, needs, COLLECTION_BYTES, &maker));
    for (size_t i = 0; i < n; i++) {
        assert_ok(TWX_COLLECTING.add(maker, f->w, &(twx_document){.text = twx_slice_of(texts[i])}));
        twx_workspace_reset(f->w);
    }
    assert_ok(TWX_COLLECTING.make(maker, &f->collection));
    TWX_COLLECTING.close(maker);
    f->params.collection = &f->collection;
}

static inline twx_bag fixture_bag(fixture *f, const char *text) {
    twx_bag bag;
    assert_ok(twx_bag_of(&f->cx, f->w, twx_slice_of(text), &bag));
    return bag;
}

/* The word of a bag; the test fails when the bag has none. */
static inline const twx_bag_word *fixture_word(const twx_bag *bag, const char *word) {
    for (size_t i = 0; i < bag->n; i++)
        if (twx_slice_eq(bag->at[i].text, twx_slice_of(word))) return &bag->at[i];
    fail_msg("no word '%s'", word);
    return NULL;
}

/* The key of a list of words. */
static inline twx_key fixture_parts(fixture *f, const char *const *words, size_t n) {
    twx_slice parts[16];
    twx_key key;
    assert_true(n <= TWX_COUNTOF(parts));
    for (size_t i = 0; i < n; i++) parts[i] = twx_slice_of(words[i]);
    assert_ok(twx_key_of_parts(&f->cx, f->w, parts, n, &key));
    twx_workspace_reset(f->w);
    return key;
}

static inline void assert_key_eq(twx_key a, twx_key b) {
    assert_int_equal(a.key, b.key);
    assert_int_equal(a.check, b.check);
}

#endif
