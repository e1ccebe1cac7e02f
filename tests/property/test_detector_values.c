/* wings: lab */
/* What each detector makes of the same random documents: its entries in records, its candidate keys
 * and its similarities, as one hash. A stored signature must not change unless the detector's
 * version does, and a change of the version is a new row here (and a line of CHANGELOG.md). The
 * expected values were recorded from this program; signatures.md has vectors made by others. */
#include "random_documents.h"

enum { SEEDS = 3 };

/* clang-format off */
static const struct {
    const char *name;
    unsigned version;
    uint64_t hash;
} EXPECTED[] = {
    {"scheme", 3, 0xd85d57a813233a1d},
    {"www", 2, 0xc438f50e4df00272},
    {"exact", 1, 0x0b3d85cfaff7ea26},
    {"profile", 1, 0x1438c1ac1e4f68f2},
    {"title", 1, 0x6c3caf293147d6c1},
    {"description", 1, 0xb851fbac5c4e1e56},
    {"tf", 1, 0x50b8489e639c0b7b},
    {"tfidf", 1, 0xef689a08b3e43a97},
    {"tfridf", 1, 0x06af36d4394a7d80},
    {"long_sentence", 1, 0x368f2eb5221f7849},
    {"heavy_sentence", 1, 0xe44b0d623359277a},
    {"megashingles", 1, 0x7534a638a7e74146},
    {"lexrand", 1, 0xf79b0c968e593fa7},
    {"imatch", 1, 0xa07b702779cadf78},
    {"log_shingles", 1, 0x7201430f09b05eec},
    {"descriptive_words", 1, 0xc57b117ada775450},
    {"opt_freq", 1, 0x388931f647c554eb},
    {"decomposition", 1, 0x4e4d8cc173508bc2},
    {"three_plus_five", 1, 0xa9200e28a267c596},
    {"simhash", 1, 0x8065bfc20fc3f206},
    {"simhash32", 1, 0x68b57588c3ee4c1f},
    {"minhash", 1, 0x30380a238f4cfb68},
    {"shingles", 1, 0x7a297c295490764f},
    {"supershingles", 1, 0xacda3f6ae207f05f},
    {"word_lists", 1, 0xc2e0dd7686f1fdd9},
    {"chunks", 1, 0xbe82f258dd1dcb26},
    {"bloom", 1, 0x6b3373bb7edaaed0},
    {"content_links", 1, 0x78e0b2b4ce209290},
    {"alignment", 4, 0xb4bb71af4622ab38},
    {"repeated", 5, 0x8e4ab5eda9db6806},
    {"name", 4, 0xdeb8dcf25de31c95},
};
/* clang-format on */

static uint64_t mix(uint64_t h, uint64_t value) {
    return twx_hash64((twx_slice){(const char *)&value, sizeof value}, h);
}

static uint64_t add_entry(uint64_t h, const twx_detector *d, const twx_params *params,
                          const twx_record_entry *e) {
    static twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    for (size_t i = 0; i < e->n_keys; i++)
        h = mix(mix(h, twx_record_key(e, i).key), twx_record_key(e, i).check);
    h = twx_hash64(e->payload, mix(h, e->n_keys));
    if (!d->candidates || e->n_keys == 0) return h;
    const twx_signed from = {twx_record_key(e, 0), e->payload};
    const size_t n = d->candidates(params, &from, keys);
    assert_true(n <= TWX_CANDIDATE_KEYS_MAX);
    for (size_t i = 0; i < n; i++) h = mix(mix(h, keys[i].key), keys[i].check);
    return mix(h, n);
}

static uint64_t add_documents(uint64_t h, const twx_detector *d, const twx_params *params,
                              const twx_buf *records) {
    static twx_record read[DOCUMENTS];
    const twx_record_entry *e[DOCUMENTS];
    for (size_t i = 0; i < DOCUMENTS; i++) {
        e[i] = entry_in(&read[i], &records[i], d->id);
        h = e[i] ? add_entry(h, d, params, e[i]) : mix(h, 0);
    }
    for (size_t i = 0; d->verify && i < DOCUMENTS; i++)
        for (size_t j = i; j < DOCUMENTS; j++)
            if (e[i] && e[j])
                h = mix(h, (uint64_t)(int64_t)d->verify(params, e[i]->payload, e[j]->payload));
    return h;
}

TEST(a_detector_makes_the_same_of_the_same_documents) {
    static document docs[DOCUMENTS];
    static twx_buf records[DOCUMENTS];
    static uint64_t hash[256];
    const twx_params params = params_of_laws();
    const twx_detector *d;
    size_t wrong = 0, known = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        twx_collection collection;
        make_records(seed, docs, &collection, records);
        for (size_t k = 0; (d = twx_detector_at(k)); k++)
            hash[d->id] = add_documents(hash[d->id], d, &params, records);
        twx_collection_done(&collection);
        done_all(records);
    }
    for (size_t k = 0; (d = twx_detector_at(k)); k++) {
        size_t i = 0;
        while (i < sizeof EXPECTED / sizeof *EXPECTED && strcmp(EXPECTED[i].name, d->name) != 0)
            i++;
        known++;
        if (i < sizeof EXPECTED / sizeof *EXPECTED && EXPECTED[i].version == d->version &&
            EXPECTED[i].hash == hash[d->id])
            continue;
        print_message("    {\"%s\", %u, 0x%016" PRIx64 "},\n", d->name, (unsigned)d->version,
                      hash[d->id]);
        wrong++;
    }
    assert_int_equal(known, sizeof EXPECTED / sizeof *EXPECTED);
    if (wrong > 0) fail_msg("%zu detectors have changed; their rows are above", wrong);
}
