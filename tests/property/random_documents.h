/* tests/property/random_documents.h: random documents, and their records signed by all
 * detectors. */
#ifndef TWINDEX_TEST_RANDOM_DOCUMENTS_H
#define TWINDEX_TEST_RANDOM_DOCUMENTS_H

#include "lab/lab.h"
#include "packed_record.h"
#include <pthread.h>

enum {
    DOCUMENTS = 300,
    ROUNDS = 12,
    FIELD_MAX = 1000,
    DETECTORS_MAX = 256,
    THREADS = 4,
    MEMO_BYTES = 1 << 20
};
enum { COLLECTION_BYTES = 1 << 24, LINKS = 40, WORDS_MIN = 3 };

static const char *const PIECES[] = {"word ",
                                     "Word ",
                                     "frequent frequent ",
                                     "\xC3\x84pfel ",
                                     "a",
                                     "B",
                                     "7",
                                     " ",
                                     "\n",
                                     "\t",
                                     ".",
                                     "? ",
                                     "longerthaneight ",
                                     "\xC2\xA0",
                                     "\xE2\x80\x83",
                                     "\xE6\xBC\xA2\xE5\xAD\x97",
                                     "\xF0\x9F\x98\x80",
                                     "\xED\xA0\x80",
                                     "\xFF",
                                     "\xC3",
                                     "\xE2\x82"};
static const char *const URLS[] = {"http://example.com/",
                                   "https://www.example.com/a?b",
                                   "HTTP://WWW.example.com:80/a/../b",
                                   "ftp://www.example.com/",
                                   "/relative",
                                   "",
                                   "http://[::1/",
                                   "\xFF\xFE",
                                   "http://b\u00FCcher.example/",
                                   "mailto:a@b"};

typedef struct field {
    char bytes[FIELD_MAX];
    size_t n;
} field;

typedef struct document {
    field url, text, title, description;
} document;

static inline field any_field(test_rng *rng, size_t pieces) {
    field f = {.n = 0};
    size_t n = 0;
    for (size_t count = test_rng_below(rng, pieces + 1); count > 0; count--) {
        /* one of 64 words that few documents hold, and those often */
        char rare[] = "rare__ rare__ rare__ ";
        rare[4] = rare[11] = rare[18] = (char)('a' + test_rng_below(rng, 8));
        rare[5] = rare[12] = rare[19] = (char)('a' + test_rng_below(rng, 8));
        const char *piece = test_rng_below(rng, 3)
                                ? PIECES[test_rng_below(rng, TWX_COUNTOF(PIECES))]
                                : rare;
        memcpy(f.bytes + n, piece, strlen(piece));
        n += strlen(piece);
        if (test_rng_below(rng, 30) == 0) f.bytes[n++] = '\0';
    }
    f.n = n;
    return f;
}

/* Some texts are those of documents before, so that the memo has something to do. */
static inline void make_documents(document *docs, uint64_t seed) {
    test_rng rng = test_rng_seed(seed);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        document *d = &docs[i];
        d->text = i > 0 && test_rng_below(&rng, 2) ? docs[test_rng_below(&rng, i)].text
                                                   : any_field(&rng, 38);
        d->title = any_field(&rng, 6);
        d->description = any_field(&rng, 12);
        const char *url = URLS[test_rng_below(&rng, TWX_COUNTOF(URLS))];
        d->url.n = strlen(url);
        memcpy(d->url.bytes, url, d->url.n);
    }
}

static inline size_t all_detectors(const twx_detector **ret_detectors) {
    size_t n = 0;
    for (; twx_detector_at(n); n++) ret_detectors[n] = twx_detector_at(n);
    return n;
}

/* The defaults, but short texts are signed too. */
static inline twx_params params_of_laws(void) {
    twx_params params = twx_params_default();
    params.near_min_words = WORDS_MIN;
    return params;
}

/* A copy without slack, so that an over-read is seen; NULL for every seventh empty field. */
static inline twx_slice exact(const field *f, size_t i) {
    if (f->n == 0 && i % 7 == 0) return (twx_slice){NULL, 0};
    char *p = malloc(f->n ? f->n : 1);
    if (!p) abort();
    memcpy(p, f->bytes, f->n);
    return (twx_slice){p, f->n};
}

static inline void drop(twx_slice s) {
    free((void *)(uintptr_t)s.p);
}

typedef void document_fn(void *arg, twx_ctx *cx, twx_workspace *w, const twx_document *doc);

/* Calls use(arg) with a document of exact fields and its normal URL. */
static inline void with_document(twx_ctx *cx, twx_workspace *w, const document *d, size_t i,
                                 document_fn *use, void *arg) {
    const twx_params params = params_of_laws();
    twx_url url;
    twx_slice raw = exact(&d->url, i);
    twx_document doc = {.url = &url,
                        .text = exact(&d->text, i),
                        .title = exact(&d->title, i),
                        .description = exact(&d->description, i)};
    if (twx_url_normalize(cx, twx_workspace_scratch(w), &params.url, raw, &url) != TWX_OK) abort();
    use(arg, cx, w, &doc);
    twx_workspace_reset(w);
    drop(raw), drop(doc.text), drop(doc.title), drop(doc.description);
}

static inline void collect_one(void *maker, twx_ctx *cx, twx_workspace *w,
                               const twx_document *doc) {
    (void)cx;
    if (TWX_COLLECTING.add(maker, w, doc) != TWX_OK) abort();
}

static inline void add_links(twx_ctx *cx, twx_workspace *w, twx_collection_maker *maker,
                             uint64_t seed) {
    const twx_params params = params_of_laws();
    test_rng rng = test_rng_seed(seed);
    for (size_t i = 0; i < LINKS; i++) {
        twx_url ends[2];
        for (size_t k = 0; k < 2; k++) {
            const twx_slice raw = twx_slice_of(URLS[test_rng_below(&rng, TWX_COUNTOF(URLS))]);
            if (twx_url_normalize(cx, twx_workspace_scratch(w), &params.url, raw, &ends[k]) !=
                TWX_OK)
                abort();
        }
        if (ends[0].fault != TWX_URL_OK || ends[1].fault != TWX_URL_OK) continue;
        if (TWX_COLLECTING.add_link(maker, ends[0].whole, ends[1].whole) != TWX_OK) abort();
    }
    twx_workspace_reset(w);
}

/* What global detectors need, of all documents and random links. Owned by the caller. */
static inline void collect(const document *docs, uint64_t seed, twx_collection *ret_collection) {
    const twx_params params = params_of_laws();
    twx_collection_maker *maker = NULL;
    twx_workspace *w = NULL;
    unsigned needs = 0;
    const twx_detector *d;
    twx_ctx cx = {0};
    for (size_t k = 0; (d = twx_detector_at(k)); k++) needs |= d->needs;
    assert_int_equal(twx_workspace_open(&cx, &params, &w), TWX_OK);
    assert_int_equal(TWX_COLLECTING.open(&cx, needs, COLLECTION_BYTES, &maker), TWX_OK);
    for (size_t i = 0; i < DOCUMENTS; i++) with_document(&cx, w, &docs[i], i, collect_one, maker);
    add_links(&cx, w, maker, seed);
    assert_int_equal(TWX_COLLECTING.make(maker, ret_collection), TWX_OK);
    TWX_COLLECTING.close(maker);
    twx_workspace_close(w);
}

typedef struct one {
    const twx_signing *signing;
    twx_buf *record;
} one;

static inline void sign_one(void *arg, twx_ctx *cx, twx_workspace *w, const twx_document *doc) {
    const one *to = arg;
    if (twx_sign_document(cx, w, to->signing, doc, to->record) != TWX_OK) abort();
}

/* One thread's share of the documents. */
typedef struct share {
    const document *docs;
    const size_t *order; /* of all documents */
    const twx_signing *signing;
    size_t first, step;
    twx_buf *records;
} share;

static inline void *sign_share(void *arg) {
    const share *s = arg;
    twx_ctx cx = {0};
    twx_workspace *w = NULL;
    if (twx_workspace_open(&cx, s->signing->params, &w) != TWX_OK) abort();
    for (size_t k = s->first; k < DOCUMENTS; k += s->step) {
        size_t i = s->order[k];
        with_document(&cx, w, &s->docs[i], i, sign_one, &(one){s->signing, &s->records[i]});
    }
    twx_workspace_close(w);
    return NULL;
}

/* How the documents of a seed are signed. */
typedef struct way {
    const twx_collection *collection;
    const size_t *order;
    twx_memo *memo;
    size_t threads;
} way;

static inline void sign_all(const document *docs, const way *by, twx_buf *ret_records) {
    twx_params params = params_of_laws();
    const twx_detector *detectors[DETECTORS_MAX];
    const twx_signing signing = {
        .params = &params, .detectors = detectors, .n = all_detectors(detectors), .memo = by->memo};
    share shares[THREADS];
    pthread_t ids[THREADS];
    params.collection = by->collection;
    for (size_t i = 0; i < DOCUMENTS; i++) twx_buf_init(&ret_records[i], 1 << 20);
    for (size_t t = 0; t < by->threads; t++) {
        shares[t] = (share){docs, by->order, &signing, t, by->threads, ret_records};
        assert_int_equal(pthread_create(&ids[t], NULL, sign_share, &shares[t]), 0);
    }
    for (size_t t = 0; t < by->threads; t++) assert_int_equal(pthread_join(ids[t], NULL), 0);
}

/* The documents' collection and their records, signed one after the other. */
static inline void sign_made(uint64_t seed, const document *docs, twx_collection *ret_collection,
                             twx_buf *ret_records) {
    size_t forth[DOCUMENTS];
    for (size_t i = 0; i < DOCUMENTS; i++) forth[i] = i;
    collect(docs, seed, ret_collection);
    sign_all(docs, &(way){ret_collection, forth, NULL, 1}, ret_records);
}

/* The same for the documents of a seed. */
static inline void make_records(uint64_t seed, document *docs, twx_collection *ret_collection,
                                twx_buf *ret_records) {
    make_documents(docs, seed);
    sign_made(seed, docs, ret_collection, ret_records);
}

static inline void done_all(twx_buf *records) {
    for (size_t i = 0; i < DOCUMENTS; i++) twx_buf_done(&records[i]);
}

static inline void assert_same(const twx_buf *a, const twx_buf *b, uint64_t seed,
                               const char *what) {
    for (size_t i = 0; i < DOCUMENTS; i++)
        if (!twx_slice_eq(twx_buf_slice(&a[i]), twx_buf_slice(&b[i])))
            fail_msg("seed %" PRIu64 ", document %zu: %s changed its record", seed, i, what);
}

#endif
