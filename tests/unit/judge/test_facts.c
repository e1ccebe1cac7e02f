#include "judge_fixture.h"

#include <math.h>

#define URL TWX_SLICE_LIT("https://h/x")

static bool are_equal(const twx_facts *a, const twx_facts *b) {
    return a->bits == b->bits && a->status == b->status && a->url_length == b->url_length &&
           a->url_key == b->url_key && a->domain_key == b->domain_key &&
           a->link_key == b->link_key && a->hreflang_key == b->hreflang_key &&
           a->layout_key == b->layout_key && a->fetched_at == b->fetched_at &&
           a->score_order == b->score_order && a->page == b->page && twx_slice_eq(a->host, b->host);
}

/* Reads the first bytes from an exact copy, so that the sanitizer sees an over-read. */
static void expect_cut(const twx_buf *packed, size_t n) {
    twx_ctx cx = {0};
    twx_facts back;
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, packed->p, n);
    assert_int_equal(twx_facts_unpack(&cx, (twx_slice){copy, n}, &back), TWX_E_CORRUPT);
    assert_non_null(strstr(cx.message, "a row of twindex_signature is damaged: facts "));
    free(copy);
}

/* [R1] for one set of bytes. Returns whether they are facts. */
static bool expect_one_form(twx_slice bytes) {
    twx_ctx cx = {0};
    twx_facts facts;
    twx_buf again = {.max = 1 << 12};
    const twx_rc rc = twx_facts_unpack(&cx, bytes, &facts);
    if (rc != TWX_OK) {
        assert_int_equal(rc, TWX_E_CORRUPT);
        return false;
    }
    assert_int_equal(twx_facts_pack(&cx, &facts, &again), TWX_OK);
    assert_int_equal(again.n, bytes.n);
    assert_memory_equal(again.p, bytes.p, bytes.n);
    twx_buf_done(&again);
    return true;
}

TEST(facts_survive_packing) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        twx_ctx cx = {0};
        twx_buf packed = {.max = 1 << 12}, again;
        twx_facts facts, back;
        test_rng rng = test_rng_seed(seed);
        uint64_t words[10];
        for (size_t i = 0; i < 10; i++) words[i] = test_rng_next(&rng);
        facts = (twx_facts){.bits = (uint32_t)words[0],
                            .status = (int32_t)words[1],
                            .url_length = (uint32_t)words[2],
                            .url_key = words[3],
                            .domain_key = words[4],
                            .link_key = words[5],
                            .hreflang_key = words[6],
                            .layout_key = words[7],
                            .fetched_at = (int64_t)words[8],
                            .score_order = words[9],
                            .page = (uint8_t)(seed % 7 + 8 * (seed % 4)),
                            .host = {"www.example.com", seed % 16},
                            .url = URL};
        assert_int_equal(twx_facts_pack(&cx, &facts, &packed), TWX_OK);
        assert_int_equal(twx_facts_unpack(&cx, twx_buf_slice(&packed), &back), TWX_OK);
        assert_true(twx_slice_eq(back.url, URL));
        twx_buf_init(&again, 1 << 12);
        assert_int_equal(twx_facts_pack(&cx, &back, &again), TWX_OK);
        assert_true(twx_slice_eq(twx_buf_slice(&again), twx_buf_slice(&packed)));
        assert_true(twx_slice_eq(back.host, facts.host));
        back.host = facts.host; /* the same bytes elsewhere */
        assert_true(are_equal(&back, &facts));
        twx_buf_done(&again);
        for (size_t cut = 0; cut < packed.n - URL.n; cut++) expect_cut(&packed, cut);
        twx_buf_done(&packed);
    }
}

/* Facts of which many are absent or follow from the URL. */
static twx_facts usual_facts(test_rng *rng, twx_slice url) {
    const twx_slice host = twx_slice_sub(url, 8, 8 + test_rng_below(rng, url.n - 7));
    const uint64_t some = test_rng_next(rng);
    return (twx_facts){.bits = (uint32_t)test_rng_below(rng, 1024),
                       .status = some & 1 ? 200 : TWX_STATUS_NONE,
                       .url_length = (uint32_t)(some & 2 ? url.n : 2000),
                       .url_key = some & 4 ? twx_hash64(url, 0) : test_rng_below(rng, 2),
                       .domain_key = some & 8 ? twx_hash64(host, 1)
                                              : twx_hash64(TWX_SLICE_LIT("example.com"), 1),
                       .link_key = some & 16 ? 0 : test_rng_next(rng),
                       .hreflang_key = some & 32 ? 0 : test_rng_next(rng),
                       .fetched_at = some & 64 ? 0 : (int64_t)test_rng_next(rng),
                       .score_order = some & 128 ? 0 : test_rng_next(rng),
                       .host = some & 256 ? host : TWX_SLICE_LIT("elsewhere.example.com"),
                       .url = url};
}

TEST(r1_r2_facts_have_one_form) {
    const twx_slice URLS[] = {TWX_SLICE_LIT("https://www.example.com/a"),
                              TWX_SLICE_LIT("https://a.a.a.a/a.a.a"),
                              TWX_SLICE_LIT("https://example.com/example.com")};
    size_t damaged = 0, whole = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        test_rng rng = test_rng_seed(seed);
        const twx_slice url = URLS[seed % TWX_COUNTOF(URLS)];
        const twx_facts facts = usual_facts(&rng, url);
        twx_ctx cx = {0};
        twx_buf packed = {.max = 1 << 12};
        assert_int_equal(twx_facts_pack(&cx, &facts, &packed), TWX_OK);
        assert_true(expect_one_form(twx_buf_slice(&packed)));
        for (size_t cut = 0; cut < packed.n - url.n; cut++) expect_cut(&packed, cut);
        for (size_t bit = 0; bit < 8 * packed.n; bit++) {
            packed.p[bit / 8] = (char)(packed.p[bit / 8] ^ 1 << bit % 8);
            if (expect_one_form(twx_buf_slice(&packed)))
                whole++;
            else
                damaged++;
            packed.p[bit / 8] = (char)(packed.p[bit / 8] ^ 1 << bit % 8);
        }
        twx_buf_done(&packed);
    }
    assert_true(damaged > 1000 && whole > 1000);
}

TEST(r2_damage_is_named) {
    const struct {
        twx_slice bytes;
        const char *says;
    } ROWS[] = {
        {TWX_SLICE_LIT(""), "ends within a number"},
        {TWX_SLICE_LIT("\x03\x80"), "ends within a number"},
        {TWX_SLICE_LIT("\x03\x80\0"), "has a number out of range"}, /* a longer form of 0 */
        {TWX_SLICE_LIT("\x80\x80\x80\x80\x10\0"), "has a number out of range"},
        {TWX_SLICE_LIT("\x03\x80\x20"), "has a number out of range"}, /* unknown parts */
        {TWX_SLICE_LIT("\x03\x80\x10\x07\0\0\0u"), "has no class of a page"},
        {TWX_SLICE_LIT("\x03\x02short"), "ends within a key"},
        {TWX_SLICE_LIT("\x03\x02\0\0\0\0\0\0\0\0\0\x01\0u"), "has a key of 0"},
        {TWX_SLICE_LIT("\x03\x80\x0c\x01"
                       "hu"),
         "has a host and none"},
        {TWX_SLICE_LIT("\x03\0\x07\x0f\x0bhttp://www.example.co"),
         "has a host that is not in the URL"},
        {TWX_SLICE_LIT("\x03\0\0\0\0u"), "has a host without a name"},
        {TWX_SLICE_LIT("\x03\0\x01\x03\x04/a.b/"), "has a domain that is not the end of the host"},
        {TWX_SLICE_LIT("\x03\0\x01\x03\x02/a.b/"), "has a domain that is not the end of the host"},
        {TWX_SLICE_LIT("\x03\0\x04\x01\x01/a.a/"), "is in another form"}, /* the second a */
    };
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        twx_ctx cx = {0};
        twx_facts facts;
        assert_int_equal(twx_facts_unpack(&cx, ROWS[i].bytes, &facts), TWX_E_CORRUPT);
        if (!strstr(cx.message, ROWS[i].says)) fail_msg("row %zu: %s", i, cx.message);
    }
}

/* What most documents have in common takes no bytes: here 5 and the URL. */
TEST(facts_that_follow_from_the_url_are_not_stored) {
    static const char WANTED[] = "\x03\0\x07\x0f\x0bhttp://www.example.com/x";
    const twx_slice url = TWX_SLICE_LIT("http://www.example.com/x"),
                    host = twx_slice_sub(url, 7, 22);
    const twx_facts facts = {.bits = TWX_FACT_USABLE | TWX_FACT_WEB,
                             .status = TWX_STATUS_NONE,
                             .url_length = (uint32_t)url.n,
                             .url_key = twx_hash64(url, 0),
                             .domain_key = twx_hash64(TWX_SLICE_LIT("example.com"), 1),
                             .host = host,
                             .url = url};
    twx_ctx cx = {0};
    twx_buf packed = {.max = 1 << 12};
    twx_facts back;
    assert_int_equal(twx_facts_pack(&cx, &facts, &packed), TWX_OK);
    assert_int_equal(packed.n, sizeof WANTED - 1);
    assert_memory_equal(packed.p, WANTED, sizeof WANTED - 1);
    assert_int_equal(twx_facts_unpack(&cx, twx_buf_slice(&packed), &back), TWX_OK);
    assert_true(twx_slice_eq(back.host, host));
    back.host = host;
    assert_true(are_equal(&back, &facts));
    packed.p[2] = 24; /* the host begins where the URL ends */
    assert_int_equal(twx_facts_unpack(&cx, twx_buf_slice(&packed), &back), TWX_E_CORRUPT);
    packed.p[2] = 7;
    packed.p[4] = 16; /* the domain is longer than the host */
    assert_int_equal(twx_facts_unpack(&cx, twx_buf_slice(&packed), &back), TWX_E_CORRUPT);
    twx_buf_done(&packed);
}

/* The bytes are stored: another machine has to read the same. */
TEST(the_layout_is_little_endian) {
    /* bits 0x201; a status, a length and a key of the URL; a host that is not in the URL */
    static const char WANTED[] =
        "\x81\x04\xc1\x05\xac\x02\x03\x08\x07\x06\x05\x04\x03\x02\x01\x01z\x01https://h/x";
    twx_ctx cx = {0};
    twx_buf packed = {.max = 1 << 12};
    const twx_facts facts = {.bits = 0x201,
                             .status = 300,
                             .url_length = 3,
                             .url_key = UINT64_C(0x0102030405060708),
                             .domain_key = twx_hash64(TWX_SLICE_LIT("z"), 1),
                             .host = TWX_SLICE_LIT("z"),
                             .url = URL};
    assert_int_equal(twx_facts_pack(&cx, &facts, &packed), TWX_OK);
    assert_int_equal(packed.n, sizeof WANTED - 1);
    assert_memory_equal(packed.p, WANTED, sizeof WANTED - 1);
    twx_buf_done(&packed);
}

TEST(scores_order_like_the_numbers) {
    static const double RISING[] = {-INFINITY, -1e300, -1.5, -1,  -1e-300, 0,
                                    1e-300,    0.5,    1,    1.5, 1e300,   INFINITY};
    for (size_t i = 1; i < TWX_COUNTOF(RISING); i++)
        assert_true(twx_score_order(RISING[i - 1]) < twx_score_order(RISING[i]));
    assert_true(twx_score_order(-0.0) == twx_score_order(0.0));
}

TEST(noindex_is_a_word_in_any_case) {
    static const struct {
        const char *text;
        bool noindex;
    } CASES[] = {
        {"noindex", true},
        {"NoIndex, noarchive", true},
        {"noarchive;noindex", true},
        {"none", true},
        {"NONE", true},
        {"googlebot: noindex", true},
        {" \tnofollow noindex ", true},
        {"", false},
        {"index,follow", false},
        {"noindexer", false},
        {"xnoindex", false},
        {"noindex-never", false},
        {"no index", false},
        {"max-image-preview: none", false},
        {"max-image-preview:none", false},
        {"max-image-preview: none, none", true},
        {"nonesuch", false},
        {"8", true},
        {"512", true},
        {" 520 ", true},
        {"4", false},
        {"0", false},
        {"80", false}, /* 64 + 16 */
        {"8 noindex", true},
        {"12345678901", false}, /* no bit field any more, and no word */
        {"-8", false},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        if (twx_robots_noindex(twx_slice_of(CASES[i].text)) != CASES[i].noindex)
            fail_msg("'%s'", CASES[i].text);
    assert_false(twx_robots_noindex((twx_slice){NULL, 0}));
}

TEST(yacys_bits_3_and_9_are_noindex) {
    for (int bit = 0; bit < 20; bit++)
        assert_int_equal(twx_robots_bits_noindex(INT64_C(1) << bit), bit == 3 || bit == 9);
    assert_true(twx_robots_bits_noindex(-1));
}
