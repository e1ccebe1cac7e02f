/* judge/order.c: bytes have the order of judge/order.c; ids have the order of SQLite. */
#include "support.h"

#include <math.h>
#include <sqlite3.h>

#include "judge/judge.h"

enum { DOCUMENTS = 60, IDS = 200 };
static const twx_order_values NONE = {0};

static int compare_keys(const twx_buf *a, const twx_buf *b) {
    return twx_slice_cmp(twx_buf_slice(a), twx_buf_slice(b));
}

static twx_rc order_key(twx_ctx *cx, const twx_facts *facts, const twx_preference *preference,
                        const twx_order_values *values, const twx_value *id, twx_buf *out) {
    const twx_rc rc = twx_order_key_criteria(cx, facts, preference, values, out);
    return rc == TWX_OK ? twx_order_key_id(cx, id, out) : rc;
}

static twx_facts random_facts(test_rng *rng) {
    twx_facts f = {.bits = TWX_FACT_USABLE, .url_length = (uint32_t)test_rng_below(rng, 3)};
    static const uint32_t BITS[] = {TWX_FACT_EXTRAS, TWX_FACT_VIEW, TWX_FACT_HTTPS, TWX_FACT_SCORED,
                                    TWX_FACT_DATED};
    for (size_t i = 0; i < TWX_COUNTOF(BITS); i++)
        if (test_rng_below(rng, 3)) f.bits |= BITS[i];
    if (f.bits & TWX_FACT_SCORED)
        f.score_order = twx_score_order((double)test_rng_below(rng, 5) - 2.5);
    if (f.bits & TWX_FACT_DATED) f.fetched_at = (int64_t)test_rng_below(rng, 5) - 2;
    return f;
}

static twx_preference random_preference(test_rng *rng) {
    twx_preference p = {0};
    const size_t first = test_rng_below(rng, TWX_CRITERIA),
                 n = test_rng_below(rng, TWX_CRITERIA + 1);
    for (size_t i = 0; i < n; i++)
        p.criteria[i] = (twx_criterion)(TWX_BY_FORM + (first + 3 * i) % TWX_CRITERIA);
    return p;
}

TEST(r1_keys_have_the_total_order) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        test_rng rng = test_rng_seed(seed);
        const twx_preference p = random_preference(&rng);
        twx_ctx cx = {0};
        twx_doc_table docs;
        twx_buf key[DOCUMENTS];
        uint32_t *rank = NULL;
        docs = (twx_doc_table){0};
        for (size_t i = 0; i < DOCUMENTS; i++) {
            static const char *const HOSTS[] = {"a", "b", "c"};
            const size_t host = test_rng_below(&rng, 3);
            const twx_order_values v = {.form = (uint8_t)test_rng_below(&rng, 4),
                                        .origin = (uint8_t)(host * 32)};
            twx_facts facts = random_facts(&rng);
            facts.host = twx_slice_of(HOSTS[host]);
            const twx_value id = {.type = TWX_INT, .i = (int64_t)i - DOCUMENTS / 2};
            twx_buf_init(&key[i], 1000);
            assert_int_equal(twx_doc_table_add(&cx, &docs, 0, 0, &facts), TWX_OK);
            twx_doc_row_set_form(&docs.at.at[i], v.form);
            docs.hosts.at[docs.at.at[i].host].origin = v.origin;
            assert_int_equal(order_key(&cx, &facts, &p, &v, &id, &key[i]), TWX_OK);
            const size_t form_at = twx_order_key_at(&p, TWX_BY_FORM),
                         origin_at = twx_order_key_at(&p, TWX_BY_ORIGIN); /* [R3] */
            if (form_at) assert_int_equal(key[i].p[form_at - 1], v.form + 1);
            if (origin_at) assert_int_equal((unsigned char)key[i].p[origin_at - 1], 255 - v.origin);
        }
        assert_int_equal(twx_total_order(&cx, &docs, &p, &rank), TWX_OK);
        for (size_t a = 0; a < DOCUMENTS; a++)
            for (size_t b = 0; b < DOCUMENTS; b++)
                if ((compare_keys(&key[a], &key[b]) < 0) != (rank[a] < rank[b]))
                    fail_msg("seed %" PRIu64 ": documents %zu and %zu", seed, a, b);
        for (size_t i = 0; i < DOCUMENTS; i++) twx_buf_done(&key[i]);
        twx_free(rank);
        twx_doc_table_done(&docs);
    }
}

/* ---- ids ---------------------------------------------------------------- */

static twx_value random_id(test_rng *rng, char bytes[8]) {
    static const int64_t WHOLE[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT64_C(1) << 53};
    static const double REALS[] = {-1e300,
                                   1e300,
                                   -0.5,
                                   0.5,
                                   1.5,
                                   -0.1,
                                   -0.3,
                                   -1e-20,
                                   -2e-20,
                                   123456789.1,
                                   0.0,
                                   -0.0,
                                   1.0,
                                   9007199254740993.0,
                                   -9223372036854775808.0,
                                   9223372036854775808.0,
                                   INFINITY};
    const size_t n = test_rng_below(rng, 4);
    for (size_t i = 0; i < n; i++) bytes[i] = (char)("\x00\x01\xFF"[test_rng_below(rng, 3)]);
    switch (test_rng_below(rng, 4)) {
    case 0: return (twx_value){.type = TWX_INT, .i = WHOLE[test_rng_below(rng, 6)]};
    case 1:
        return (twx_value){.type = TWX_REAL, .r = REALS[test_rng_below(rng, TWX_COUNTOF(REALS))]};
    case 2: return (twx_value){.type = TWX_TEXT, .bytes = {bytes, n}};
    default: return (twx_value){.type = TWX_BLOB, .bytes = {bytes, n}};
    }
}

static void bind(sqlite3_stmt *stmt, int i, const twx_value *v) {
    const int n = (int)v->bytes.n;
    int rc = SQLITE_OK;
    switch (v->type) {
    case TWX_INT: rc = sqlite3_bind_int64(stmt, i, v->i); break;
    case TWX_REAL: rc = sqlite3_bind_double(stmt, i, v->r); break;
    case TWX_TEXT: rc = sqlite3_bind_text(stmt, i, v->bytes.p, n, SQLITE_TRANSIENT); break;
    default: rc = sqlite3_bind_blob(stmt, i, v->bytes.p, n, SQLITE_TRANSIENT); break;
    }
    assert_ok(rc);
}

/* SQLite compares the ids. */
TEST(r1_ids_have_the_order_of_sqlite) {
    static char bytes[IDS][8];
    const twx_facts facts = {0};
    const twx_preference by_id = {0};
    twx_value id[IDS];
    twx_buf key[IDS];
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    twx_ctx cx = {0};
    test_rng rng = test_rng_seed(11);
    assert_ok(sqlite3_open(":memory:", &db));
    assert_ok(sqlite3_prepare_v2(db, "SELECT (?1 > ?2) - (?1 < ?2)", -1, &stmt, NULL));
    for (size_t i = 0; i < IDS; i++) {
        id[i] = random_id(&rng, bytes[i]);
        twx_buf_init(&key[i], 1000);
        assert_int_equal(order_key(&cx, &facts, &by_id, &NONE, &id[i], &key[i]), TWX_OK);
    }
    for (size_t a = 0; a < IDS; a++)
        for (size_t b = 0; b < IDS; b++) {
            bind(stmt, 1, &id[a]);
            bind(stmt, 2, &id[b]);
            assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
            const int wanted = sqlite3_column_int(stmt, 0), got = compare_keys(&key[a], &key[b]);
            sqlite3_reset(stmt);
            if ((got > 0) - (got < 0) != wanted) fail_msg("ids %zu and %zu: %d", a, b, got);
            const size_t n = key[a].n < key[b].n ? key[a].n : key[b].n;
            if (wanted != 0 && memcmp(key[a].p, key[b].p, n) == 0)
                fail_msg("key %zu begins with key %zu", a, b); /* [R2] */
        }
    for (size_t i = 0; i < IDS; i++) twx_buf_done(&key[i]);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

/* ---- reading ------------------------------------------------------------ */

static bool is_whole(const twx_value *v) {
    return v->type == TWX_REAL && v->r == floor(v->r) && v->r >= -9223372036854775808.0 &&
           v->r < 9223372036854775808.0;
}

TEST(keys_are_read_again) {
    char bytes[8];
    test_rng rng = test_rng_seed(12);
    for (int trial = 0; trial < 500; trial++) {
        const twx_preference p = random_preference(&rng);
        const twx_facts facts = random_facts(&rng);
        const twx_value id = random_id(&rng, bytes);
        twx_value read;
        twx_arena arena = {0};
        twx_ctx cx = {0};
        twx_buf key = {.max = 1000};
        assert_int_equal(order_key(&cx, &facts, &p, &(twx_order_values){3, 64}, &id, &key), TWX_OK);
        const size_t n = key.n;
        assert_int_equal(twx_buf_add_text(&cx, &key, "rest"), TWX_OK);
        twx_slice rest = twx_buf_slice(&key);
        assert_int_equal(twx_order_key_read(&cx, &p, &arena, &rest, &read), TWX_OK);
        assert_int_equal(rest.n, 4);
        assert_int_equal(twx_value_compare(&read, &id), 0);
        assert_int_equal(read.type, is_whole(&id) ? TWX_INT : id.type);
        for (size_t cut = 0; cut < n; cut++) {
            rest = (twx_slice){key.p, cut};
            assert_int_equal(twx_order_key_read(&cx, &p, &arena, &rest, &read), TWX_E_DATA);
            assert_int_equal(rest.n, cut);
            twx_ctx_clear(&cx);
        }
        twx_buf_done(&key);
        twx_arena_done(&arena);
    }
}

TEST(damaged_keys_are_refused) {
    static const struct {
        const char *key;
        size_t n;
    } KEYS[] = {{"\x12\x80\0\0\0\0\0\0\1\0", 10}, /* no type of an id */
                {"\x10\x80\0\0\0\0\0\0\1\2", 10}, /* with a fraction or without */
                /* a fraction of 2 */
                {"\x10\x80\0\0\0\0\0\0\1\1\xC0\0\0\0\0\0\0\0", 18},
                {"\x20"
                 "ab\0c\0\0",
                 6},                                          /* a NUL in a text is 0 0xFF */
                {"\x11\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 9}}; /* not a number */
    const twx_preference by_id = {0};
    for (size_t i = 0; i < TWX_COUNTOF(KEYS); i++) {
        twx_value read;
        twx_arena arena = {0};
        twx_ctx cx = {0};
        twx_slice rest = {KEYS[i].key, KEYS[i].n};
        assert_int_equal(twx_order_key_read(&cx, &by_id, &arena, &rest, &read), TWX_E_DATA);
        twx_arena_done(&arena);
    }
}
