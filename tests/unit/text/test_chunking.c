/* Chunks cover their text, end where its content says so, and survive insertions elsewhere. */
#include "support.h"

#include "text/text.h"

enum { TEXT_MAX = 40000, ALL = 1 << 20, LENGTH_MASK = 0xFFFF };

static twx_ctx cx;
static twx_arena scratch;

static void open_fixture(void) {
    twx_arena_init(&scratch, ALL);
}

static void close_fixture(void) {
    twx_arena_done(&scratch);
}

static twx_chunks chunks_of(twx_slice text, size_t most) {
    twx_chunks chunks = {0};
    assert_ok(twx_chunks_of(&cx, &scratch, text, most, &chunks));
    return chunks;
}

/* Words of a small vocabulary, with spaces and line feeds. */
static twx_slice draw_text(test_rng *rng, char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t kind = test_rng_below(rng, 7);
        bytes[i] = kind == 0 ? ' '
                   : kind == 1 && test_rng_below(rng, 9) == 0
                       ? '\n'
                       : (char)('a' + test_rng_below(rng, 26));
    }
    return (twx_slice){bytes, n};
}

/* By the header's words, one place after the other. */
static bool zeros(const unsigned char *window, unsigned bits) {
    uint64_t hash = 0;
    for (unsigned i = 0; i < TWX_CHUNK_WINDOW; i++)
        hash = hash * UINT64_C(0x9E3779B97F4A7C15) + window[i];
    return hash >> (64 - bits) == 0;
}

static size_t expected_length(twx_slice text) {
    const unsigned char *p = (const unsigned char *)text.p;
    size_t last = 0;
    for (size_t end = TWX_CHUNK_MIN; end <= TWX_CHUNK_MAX && end < text.n; end++) {
        if (zeros(p + end - TWX_CHUNK_WINDOW, 6)) return end;
        if (zeros(p + end - TWX_CHUNK_WINDOW, 5)) last = end;
    }
    if (text.n <= TWX_CHUNK_MAX) return text.n;
    return last ? last : TWX_CHUNK_MAX;
}

TEST(r1_r2_chunks_are_the_text_and_end_where_the_header_says) {
    static char bytes[TEXT_MAX];
    size_t cut = 0, ended = 0;
    for (uint64_t seed = 1; seed <= 440; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t size = seed < 400 ? TWX_CHUNK_MAX - 3 + test_rng_below(&rng, 6)
                                       : test_rng_below(&rng, 8000);
        char *exact = test_exact(draw_text(&rng, bytes, size).p, size);
        const twx_slice text = {exact, size};
        for (size_t at = 0, n; at < text.n; at += n) {
            const twx_slice rest = {text.p + at, text.n - at};
            n = twx_chunk_length(rest);
            if (n != expected_length(rest))
                fail_msg("seed %" PRIu64 ", at %zu: %zu, not %zu", seed, at, n,
                         expected_length(rest));
            if (n == rest.n) continue;
            assert_in_range(n, TWX_CHUNK_MIN, TWX_CHUNK_MAX);
            cut++;
            ended += zeros((const unsigned char *)rest.p + n - TWX_CHUNK_WINDOW, 6);
        }
        free(exact);
    }
    assert_true(ended > 1000 && cut - ended > 10); /* both thresholds were put to the test */
    assert_int_equal(twx_chunk_length((twx_slice){NULL, 0}), 0);
    assert_int_equal(twx_chunk_length(TWX_SLICE_LIT("x")), 1);
}

TEST(a_text_without_a_place_to_cut_is_cut_all_the_same) {
    static char bytes[TEXT_MAX];
    for (int c = 0; c < 256; c++) {
        memset(bytes, c, sizeof bytes);
        const size_t n = twx_chunk_length((twx_slice){bytes, sizeof bytes});
        assert_true(n == TWX_CHUNK_MIN || n == TWX_CHUNK_MAX);
        const twx_chunks chunks = chunks_of((twx_slice){bytes, sizeof bytes}, ALL);
        assert_true(chunks.n == 1 || chunks.n == 2); /* the same again and again, and the rest */
    }
}

static size_t in_common(twx_chunks a, twx_chunks b) {
    size_t common = 0;
    for (size_t i = 0, j = 0; i < a.n && j < b.n;) {
        common += a.at[i] == b.at[j];
        if (a.at[i] <= b.at[j])
            i++;
        else
            j++;
    }
    return common;
}

TEST(what_is_inserted_changes_the_chunks_around_it_and_no_others) {
    static char bytes[TEXT_MAX + 8], changed[TEXT_MAX + 8];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        test_rng rng = test_rng_seed(seed);
        const twx_slice text = draw_text(&rng, bytes, 20000);
        const size_t at = test_rng_below(&rng, text.n), more = 1 + test_rng_below(&rng, 8);
        memcpy(changed, bytes, at);
        memset(changed + at, '+', more);
        memcpy(changed + at + more, bytes + at, text.n - at);
        const twx_chunks a = chunks_of(text, ALL),
                         b = chunks_of((twx_slice){changed, text.n + more}, ALL);
        if (in_common(a, b) + 12 < a.n)
            fail_msg("seed %" PRIu64 ": %zu of %zu in common", seed, in_common(a, b), a.n);
        assert_true(in_common(a, b) < a.n);
    }
}

TEST(entries_hold_hash_and_length_ascending_and_once) {
    static char bytes[2 * TEXT_MAX];
    test_rng rng = test_rng_seed(1);
    const twx_slice half = draw_text(&rng, bytes, TEXT_MAX);
    memcpy(bytes + TEXT_MAX, bytes, TEXT_MAX);
    const twx_slice text = {bytes, sizeof bytes};
    const twx_chunks once = chunks_of(half, ALL), chunks = chunks_of(text, ALL);
    assert_true(chunks.n < once.n + 12); /* the second half adds what is around the seam */
    assert_int_equal(chunks.n, chunks.all);
    for (size_t i = 1; i < chunks.n; i++) assert_true(chunks.at[i - 1] < chunks.at[i]);
    const size_t n = twx_chunk_length(text);
    const uint64_t first = (twx_hash64((twx_slice){bytes, n}, 0) & ~(uint64_t)LENGTH_MASK) | n;
    size_t at = 0;
    while (at < chunks.n && chunks.at[at] != first) at++;
    assert_true(at < chunks.n);
}

TEST(a_sample_has_the_smallest_hashes) {
    static char bytes[TEXT_MAX];
    test_rng rng = test_rng_seed(2);
    const twx_slice text = draw_text(&rng, bytes, TEXT_MAX);
    const twx_chunks all = chunks_of(text, ALL), some = chunks_of(text, 50);
    assert_int_equal(some.n, 50);
    assert_int_equal(some.all, all.n);
    assert_memory_equal(some.at, all.at, 50 * sizeof *all.at);
    assert_int_equal(chunks_of((twx_slice){NULL, 0}, 50).n, 0);
}

/* Chunks are stored: their bounds may not change without a new version of the rows chunks and
 * bloom. */
TEST(chunks_stay_as_they_are) {
    static const size_t LENGTHS[] = {242, 65, 110, 146, 154, 65, 110, 108};
    char bytes[1000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(' ' + i * i * (i / 5 + 3) % 95);
    size_t at = 0;
    for (size_t i = 0; at < sizeof bytes; i++) {
        const size_t n = twx_chunk_length((twx_slice){bytes + at, sizeof bytes - at});
        assert_true(i < TWX_COUNTOF(LENGTHS));
        assert_int_equal(n, LENGTHS[i]);
        at += n;
    }
}

TESTS_IN(open_fixture, close_fixture);
