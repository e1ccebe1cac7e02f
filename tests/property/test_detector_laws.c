/* Laws that hold for every row of detect/detectors.c, over random documents: a new detector is tested by being in the table. */
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "detect/collection.h"
#include "detect/sign_document.h"

enum { DOCUMENTS = 300, ROUNDS = 12, FIELD_MAX = 1000, DETECTORS_MAX = 256, THREADS = 4, MEMO_BYTES = 1 << 20 };
enum { COLLECTION_BYTES = 1 << 24, LINKS = 40, WORDS_MIN = 3 };

static const char *const PIECES[] = {
    "word ", "Word ", "frequent frequent ", "\xC3\x84pfel ", "a", "B", "7", " ", "\n", "\t", ".", "? ", "longerthaneight ",
    "\xC2\xA0", "\xE2\x80\x83", "\xE6\xBC\xA2\xE5\xAD\x97", "\xF0\x9F\x98\x80", "\xED\xA0\x80", "\xFF", "\xC3", "\xE2\x82",
};
static const char *const URLS[] = {
    "http://example.com/", "https://www.example.com/a?b", "HTTP://WWW.example.com:80/a/../b", "ftp://www.example.com/",
    "/relative", "", "http://[::1/", "\xFF\xFE", "http://b\xC3\xBC" "cher.example/", "mailto:a@b",
};

typedef struct field {
    char bytes[FIELD_MAX];
    size_t n;
} field;

typedef struct document {
    field url, text, title, description;
} document;

static field any_field(test_rng *rng, size_t pieces) {
    field f = {.n = 0};
    size_t n = 0;
    for (size_t count = test_rng_below(rng, pieces + 1); count > 0; count--) {
        char rare[] = "rare__ rare__ rare__ "; /* one of 64 words that few documents hold, and those often */
        rare[4] = rare[11] = rare[18] = (char)('a' + test_rng_below(rng, 8));
        rare[5] = rare[12] = rare[19] = (char)('a' + test_rng_below(rng, 8));
        const char *piece = test_rng_below(rng, 3) ? PIECES[test_rng_below(rng, TWX_COUNTOF(PIECES))] : rare;
        memcpy(f.bytes + n, piece, strlen(piece));
        n += strlen(piece);
        if (test_rng_below(rng, 30) == 0) f.bytes[n++] = '\0';
    }
    f.n = n;
    return f;
}

/* Some texts are those of documents before, so that the memo has something to do. */
static void make_documents(document *docs, uint64_t seed) {
    test_rng rng = test_rng_seed(seed);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        document *d = &docs[i];
        d->text = i > 0 && test_rng_below(&rng, 2) ? docs[test_rng_below(&rng, i)].text : any_field(&rng, 38);
        d->title = any_field(&rng, 6);
        d->description = any_field(&rng, 12);
        const char *url = URLS[test_rng_below(&rng, TWX_COUNTOF(URLS))];
        d->url.n = strlen(url);
        memcpy(d->url.bytes, url, d->url.n);
    }
}

static size_t all_detectors(const twx_detector **ret_detectors) {
    size_t n = 0;
    for (; twx_detector_at(n); n++) ret_detectors[n] = twx_detector_at(n);
    return n;
}

/* The defaults, but short texts are signed too. */
static twx_params params_of_laws(void) {
    twx_params params = twx_params_default();
    params.near_min_words = WORDS_MIN;
    return params;
}

/* A copy without slack, so that the sanitizer sees an over-read; NULL bytes for every seventh empty field. */
static twx_slice exact(const field *f, size_t i) {
    if (f->n == 0 && i % 7 == 0) return (twx_slice){NULL, 0};
    char *p = malloc(f->n ? f->n : 1);
    if (!p) abort();
    memcpy(p, f->bytes, f->n);
    return (twx_slice){p, f->n};
}

static void drop(twx_slice s) {
    free((void *)(uintptr_t)s.p);
}

typedef void document_fn(void *arg, twx_ctx *cx, twx_workspace *w, const twx_document *doc);

/* Calls use(arg) with a document of exact fields and its normal URL. */
static void with_document(twx_ctx *cx, twx_workspace *w, const document *d, size_t i, document_fn *use, void *arg) {
    const twx_params params = params_of_laws();
    twx_url url;
    twx_slice raw = exact(&d->url, i);
    twx_document doc = {&url, exact(&d->text, i), exact(&d->title, i), exact(&d->description, i)};
    if (twx_url_normalize(cx, twx_workspace_scratch(w), &params.url, raw, &url) != TWX_OK) abort();
    use(arg, cx, w, &doc);
    twx_workspace_reset(w);
    drop(raw), drop(doc.text), drop(doc.title), drop(doc.description);
}

static void collect_one(void *maker, twx_ctx *cx, twx_workspace *w, const twx_document *doc) {
    (void)cx;
    if (twx_collection_add(maker, w, doc) != TWX_OK) abort();
}

static void add_links(twx_ctx *cx, twx_workspace *w, twx_collection_maker *maker, uint64_t seed) {
    const twx_params params = params_of_laws();
    test_rng rng = test_rng_seed(seed);
    for (size_t i = 0; i < LINKS; i++) {
        twx_url ends[2];
        for (size_t k = 0; k < 2; k++) {
            const twx_slice raw = twx_slice_of(URLS[test_rng_below(&rng, TWX_COUNTOF(URLS))]);
            if (twx_url_normalize(cx, twx_workspace_scratch(w), &params.url, raw, &ends[k]) != TWX_OK) abort();
        }
        if (ends[0].fault != TWX_URL_OK || ends[1].fault != TWX_URL_OK) continue;
        if (twx_collection_add_link(maker, ends[0].whole, ends[1].whole) != TWX_OK) abort();
    }
    twx_workspace_reset(w);
}

/* What global detectors need, of all documents and random links. Owned by the caller. */
static void collect(const document *docs, uint64_t seed, twx_collection *ret_collection) {
    const twx_params params = params_of_laws();
    twx_collection_maker *maker = NULL;
    twx_workspace *w = NULL;
    unsigned needs = 0;
    const twx_detector *d;
    twx_ctx cx;
    twx_ctx_init(&cx);
    for (size_t k = 0; (d = twx_detector_at(k)); k++) needs |= d->needs;
    assert_int_equal(twx_workspace_open(&cx, &params, &w), TWX_OK);
    assert_int_equal(twx_collection_maker_open(&cx, needs, COLLECTION_BYTES, &maker), TWX_OK);
    for (size_t i = 0; i < DOCUMENTS; i++) with_document(&cx, w, &docs[i], i, collect_one, maker);
    add_links(&cx, w, maker, seed);
    assert_int_equal(twx_collection_make(maker, ret_collection), TWX_OK);
    twx_collection_maker_close(maker);
    twx_workspace_close(w);
}

typedef struct one {
    const twx_signing *signing;
    twx_buf *record;
} one;

static void sign_one(void *arg, twx_ctx *cx, twx_workspace *w, const twx_document *doc) {
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

static void *sign_share(void *arg) {
    const share *s = arg;
    twx_ctx cx;
    twx_workspace *w = NULL;
    twx_ctx_init(&cx);
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

static void sign_all(const document *docs, const way *by, twx_buf *ret_records) {
    twx_params params = params_of_laws();
    const twx_detector *detectors[DETECTORS_MAX];
    const twx_signing signing = {&params, detectors, all_detectors(detectors), by->memo};
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

/* The documents of a seed, their collection and their records, signed one after the other. */
static void make_records(uint64_t seed, document *docs, twx_collection *ret_collection, twx_buf *ret_records) {
    size_t forth[DOCUMENTS];
    for (size_t i = 0; i < DOCUMENTS; i++) forth[i] = i;
    make_documents(docs, seed);
    collect(docs, seed, ret_collection);
    sign_all(docs, &(way){ret_collection, forth, NULL, 1}, ret_records);
}

static void done_all(twx_buf *records) {
    for (size_t i = 0; i < DOCUMENTS; i++) twx_buf_done(&records[i]);
}

static void assert_same(const twx_buf *a, const twx_buf *b, uint64_t seed, const char *what) {
    for (size_t i = 0; i < DOCUMENTS; i++)
        if (!twx_slice_eq(twx_buf_slice(&a[i]), twx_buf_slice(&b[i])))
            fail_msg("seed %" PRIu64 ", document %zu: %s changed its record", seed, i, what);
}

/* Order of documents in a workspace, memo (small ones fill up) and number of threads never show. */
static void records_depend_on_the_document_alone(void **state) {
    (void)state;
    static document docs[DOCUMENTS];
    static twx_buf plain[DOCUMENTS], other[DOCUMENTS];
    static const struct {
        const char *what;
        bool reversed;
        size_t memo_bytes, threads;
    } WAYS[] = {{"the order", true, 0, 1},           {"the memo", false, MEMO_BYTES, 1},
                {"a memo that fills up", false, 9000, 1}, {"the memo and the order", true, MEMO_BYTES, 1},
                {"threads", false, 0, THREADS},      {"threads and a memo", true, MEMO_BYTES, THREADS}};
    size_t forth[DOCUMENTS], back[DOCUMENTS];
    twx_ctx cx;
    twx_ctx_init(&cx);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        forth[i] = i;
        back[i] = DOCUMENTS - 1 - i;
    }
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        twx_collection collection;
        make_records(seed, docs, &collection, plain);
        for (size_t k = 0; k < TWX_COUNTOF(WAYS); k++) {
            twx_memo *memo = NULL;
            if (WAYS[k].memo_bytes) assert_int_equal(twx_memo_open(&cx, WAYS[k].memo_bytes, &memo), TWX_OK);
            sign_all(docs, &(way){&collection, WAYS[k].reversed ? back : forth, memo, WAYS[k].threads}, other);
            assert_same(plain, other, seed, WAYS[k].what);
            done_all(other);
            twx_memo_close(memo);
        }
        twx_collection_done(&collection);
        done_all(plain);
    }
}

/* What a detector looks at, as bytes; of a page, the text. */
static twx_slice basis_of(const twx_detector *d, const document *doc) {
    const field *f = d->basis == TWX_BASIS_URL           ? &doc->url
                     : d->basis == TWX_BASIS_TITLE       ? &doc->title
                     : d->basis == TWX_BASIS_DESCRIPTION ? &doc->description
                                                         : &doc->text;
    return (twx_slice){f->bytes, f->n};
}

static bool same_basis(const twx_detector *d, const document *a, const document *b) {
    if (!twx_slice_eq(basis_of(d, a), basis_of(d, b))) return false;
    return d->basis != TWX_BASIS_PAGE ||
           twx_slice_eq((twx_slice){a->url.bytes, a->url.n}, (twx_slice){b->url.bytes, b->url.n});
}

static twx_slice entry_of(twx_ctx *cx, const twx_buf *record, uint8_t id) {
    twx_record_entry e = {0};
    twx_rc rc = twx_record_find(cx, twx_buf_slice(record), id, &e);
    assert_true(rc == TWX_OK || rc == TWX_DONE);
    return rc == TWX_OK ? e.whole : (twx_slice){NULL, 0};
}

/* detector.h [R1], [R2]: two documents that agree in a detector's basis agree in its entry, whatever else they hold; and
 * [R3] no detector signs an empty basis. */
static void equal_input_gives_equal_keys(void **state) {
    (void)state;
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    size_t pairs = 0;
    const twx_detector *d;
    twx_ctx cx;
    twx_ctx_init(&cx);
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        twx_collection collection;
        make_records(seed, docs, &collection, records);
        for (size_t k = 0; (d = twx_detector_at(k)); k++) {
            for (size_t i = 0; i < DOCUMENTS; i++) {
                twx_slice entry = entry_of(&cx, &records[i], d->id);
                if (basis_of(d, &docs[i]).n == 0 && entry.p) fail_msg("seed %" PRIu64 ": %s signs nothing", seed, d->name);
                for (size_t j = 0; j < i; j++) {
                    if (!same_basis(d, &docs[i], &docs[j])) continue;
                    pairs++;
                    if (!twx_slice_eq(entry, entry_of(&cx, &records[j], d->id)))
                        fail_msg("seed %" PRIu64 ": %s tells %zu from %zu", seed, d->name, i, j);
                }
            }
        }
        twx_collection_done(&collection);
        done_all(records);
    }
    assert_true(pairs > 1000); /* the law was put to the test */
}

/* Some document has a signature of each detector: a detector that never signs would pass every other law. */
static void every_detector_signs_something(void **state) {
    (void)state;
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    twx_collection collection;
    const twx_detector *d;
    twx_ctx cx;
    twx_ctx_init(&cx);
    make_records(1, docs, &collection, records);
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        size_t signed_by = 0;
        for (size_t i = 0; i < DOCUMENTS; i++) signed_by += entry_of(&cx, &records[i], d->id).p != NULL;
        if (signed_by == 0) fail_msg("%s signs no document", d->name);
    }
    twx_collection_done(&collection);
    done_all(records);
}

/* Without a collection detectors that cannot do without one sign nothing and do no harm; minhash does without its chrome. */
static void no_collection_means_no_global_signatures(void **state) {
    (void)state;
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    const twx_params params = params_of_laws();
    size_t forth[DOCUMENTS];
    const twx_detector *d;
    twx_ctx cx;
    twx_ctx_init(&cx);
    for (size_t i = 0; i < DOCUMENTS; i++) forth[i] = i;
    make_documents(docs, 1);
    sign_all(docs, &(way){NULL, forth, NULL, 1}, records);
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        assert_int_equal(twx_detector_fingerprint(d, &params), twx_detector_fingerprint(d, &params));
        if (!(d->needs & ~(unsigned)TWX_NEED_CHROME)) continue;
        for (size_t i = 0; i < DOCUMENTS; i++)
            if (entry_of(&cx, &records[i], d->id).p) fail_msg("%s signs document %zu", d->name, i);
    }
    done_all(records);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_depend_on_the_document_alone),
        cmocka_unit_test(equal_input_gives_equal_keys),
        cmocka_unit_test(every_detector_signs_something),
        cmocka_unit_test(no_collection_means_no_global_signatures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
