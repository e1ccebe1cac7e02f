/* wings: lab */
/* Laws that hold for every row of sign/detectors.c, over random documents: a new detector is
 * tested by being in the table. */
#include "random_documents.h"

/* Order of documents in a workspace, memo (small ones fill up) and number of threads never show. */
TEST(records_depend_on_the_document_alone) {
    static document docs[DOCUMENTS];
    static twx_buf plain[DOCUMENTS], other[DOCUMENTS];
    static const struct {
        const char *what;
        bool reversed;
        size_t memo_bytes, threads;
    } WAYS[] = {{"the order", true, 0, 1},
                {"the memo", false, MEMO_BYTES, 1},
                {"a memo that fills up", false, 9000, 1},
                {"the memo and the order", true, MEMO_BYTES, 1},
                {"threads", false, 0, THREADS},
                {"threads and a memo", true, MEMO_BYTES, THREADS}};
    size_t forth[DOCUMENTS], back[DOCUMENTS];
    twx_ctx cx = {0};
    for (size_t i = 0; i < DOCUMENTS; i++) {
        forth[i] = i;
        back[i] = DOCUMENTS - 1 - i;
    }
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        twx_collection collection;
        make_records(seed, docs, &collection, plain);
        for (size_t k = 0; k < TWX_COUNTOF(WAYS); k++) {
            twx_memo *memo = NULL;
            if (TEST_RACES_ONLY && WAYS[k].threads == 1) continue;
            if (WAYS[k].memo_bytes) assert_ok(twx_memo_open(&cx, WAYS[k].memo_bytes, &memo));
            sign_all(docs,
                     &(way){&collection, WAYS[k].reversed ? back : forth, memo, WAYS[k].threads},
                     other);
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
                     : d->basis == TWX_BASIS_NAME        ? &doc->title
                     : d->basis == TWX_BASIS_DESCRIPTION ? &doc->description
                                                         : &doc->text;
    return (twx_slice){f->bytes, f->n};
}

static bool same_basis(const twx_detector *d, const document *a, const document *b) {
    if (!twx_slice_eq(basis_of(d, a), basis_of(d, b))) return false;
    const bool url = d->basis == TWX_BASIS_PAGE || d->basis == TWX_BASIS_NAME;
    return !url ||
           twx_slice_eq((twx_slice){a->url.bytes, a->url.n}, (twx_slice){b->url.bytes, b->url.n});
}

static bool same_entry(const twx_record_entry *a, const twx_record_entry *b) {
    if (!a || !b) return a == b;
    bool same = a->n_keys == b->n_keys && twx_slice_eq(a->payload, b->payload);
    for (size_t i = 0; same && i < a->n_keys; i++) {
        const twx_key key = twx_record_key(a, i), other = twx_record_key(b, i);
        same = key.key == other.key && key.check == other.check;
    }
    return same;
}

/* detector [R1], [R2]: two documents that agree in a detector's basis agree in its entry,
 * whatever else they hold; and
 * [R3] no detector signs an empty basis. One thread has nothing to race with. */
TEST(equal_input_gives_equal_keys) {
    if (TEST_RACES_ONLY) skip();
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    static twx_record read[DOCUMENTS];
    size_t pairs = 0;
    const twx_detector *d;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        twx_collection collection;
        make_records(seed, docs, &collection, records);
        for (size_t k = 0; (d = twx_detector_at(k)); k++) {
            for (size_t i = 0; i < DOCUMENTS; i++) {
                const twx_record_entry *entry = entry_in(&read[i], &records[i], d->id);
                /* has a URL */
                const bool nothing = basis_of(d, &docs[i]).n == 0 && d->basis != TWX_BASIS_NAME;
                if (nothing && entry) fail_msg("seed %" PRIu64 ": %s signs nothing", seed, d->name);
                for (size_t j = 0; j < i; j++) {
                    if (!same_basis(d, &docs[i], &docs[j])) continue;
                    pairs++;
                    if (!same_entry(entry, twx_record_find(&read[j], d->id)))
                        fail_msg("seed %" PRIu64 ": %s tells %zu from %zu", seed, d->name, i, j);
                }
            }
        }
        twx_collection_done(&collection);
        done_all(records);
    }
    assert_true(pairs > 1000); /* the law was put to the test */
}

/* Some document has a signature of each: a detector that never signs would pass other laws. */
TEST(every_detector_signs_something) {
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    twx_collection collection;
    const twx_detector *d;
    twx_record room;
    make_records(1, docs, &collection, records);
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        size_t signed_by = 0;
        for (size_t i = 0; i < DOCUMENTS; i++)
            signed_by += entry_in(&room, &records[i], d->id) != NULL;
        if (signed_by == 0) fail_msg("%s signs no document", d->name);
    }
    twx_collection_done(&collection);
    done_all(records);
}

/* Without a collection detectors that cannot do without one sign nothing and do no harm; minhash
 * does without its boilerplate. */
TEST(no_collection_means_no_global_signatures) {
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    const twx_params params = params_of_laws();
    size_t forth[DOCUMENTS];
    const twx_detector *d;
    twx_record room;
    for (size_t i = 0; i < DOCUMENTS; i++) forth[i] = i;
    make_documents(docs, 1);
    sign_all(docs, &(way){NULL, forth, NULL, 1}, records);
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        assert_int_equal(twx_detector_fingerprint(d, &params),
                         twx_detector_fingerprint(d, &params));
        if (!(d->needs & ~(unsigned)TWX_NEED_BOILERPLATE)) continue;
        for (size_t i = 0; i < DOCUMENTS; i++)
            if (entry_in(&room, &records[i], d->id)) fail_msg("%s signs document %zu", d->name, i);
    }
    done_all(records);
}
