/* Pieces come back as they were added, from memory and from the file. */
#include "support.h"

#include <malloc.h>
#include <unistd.h>

#include "group/group.h"

enum { PIECES = 3000, LONG = TWX_PIECE_MAX + 1, SHORT_FROM = 100 /* seeds without long pieces */ };

/* Lengths from 0 to beyond what a temporary file has, many of them short. */
static size_t length_of(test_rng *rng) {
    static const size_t ODD[] = {0, 1, TWX_PIECE_MAX, LONG, 70000};
    const uint64_t kind = test_rng_below(rng, 40);
    return kind < TWX_COUNTOF(ODD) ? ODD[kind] : test_rng_below(rng, 90);
}

/* The bytes of piece i, with a seed; the buffer is the test's. */
static twx_slice piece_of(uint64_t seed, size_t i) {
    static char bytes[70000];
    test_rng rng = test_rng_seed(seed * PIECES + i);
    size_t n = length_of(&rng);
    if (seed >= SHORT_FROM && n > TWX_PIECE_MAX) n = TWX_PIECE_MAX;
    for (size_t k = 0; k < n; k++) bytes[k] = (char)(test_rng_next(&rng) >> 7);
    return (twx_slice){bytes, n};
}

static void add_all(twx_ctx *cx, twx_pieces *p, uint64_t seed, size_t limit) {
    twx_ctx_init(cx);
    assert_ok(twx_pieces_init(cx, p, limit));
    for (size_t i = 0; i < PIECES; i++) {
        assert_int_equal(p->n, i);
        assert_ok(twx_pieces_add(cx, p, piece_of(seed, i)));
    }
}

static void expect(const twx_pieces *p, uint64_t seed, size_t i) {
    char room[TWX_PIECE_MAX];
    const twx_slice wanted = piece_of(seed, i), got = twx_pieces_get(p, i, room);
    assert_int_equal(twx_pieces_length(p, i), wanted.n);
    if (!twx_slice_eq(got, wanted)) fail_msg("seed %" PRIu64 ", piece %zu", seed, i);
}

/* [R1] */
TEST(pieces_come_back_whatever_the_limit) {
    static const size_t LIMITS[] = {0, 5000, 60000, SIZE_MAX};
    for (uint64_t seed = 0; seed < 8; seed++) {
        twx_pieces p;
        twx_ctx cx;
        test_rng rng = test_rng_seed(seed);
        const size_t limit = LIMITS[seed % TWX_COUNTOF(LIMITS)];
        add_all(&cx, &p, seed, limit);
        assert_int_equal(p.fd >= 0, limit != SIZE_MAX);
        for (size_t i = 0; i < PIECES; i++) expect(&p, seed, i);
        for (size_t k = 0; k < PIECES; k++) expect(&p, seed, (size_t)test_rng_below(&rng, PIECES));
        assert_ok(twx_pieces_error(&cx, &p));
        twx_pieces_done(&p);
    }
}

/* [R1] Ranges of others, between pieces of their own. */
TEST(ranges_of_others_come_back) {
    static const size_t LIMITS[] = {SIZE_MAX, 60000};
    for (uint64_t seed = 0; seed < 8; seed++) {
        const uint64_t of = seed % 2 ? seed : seed + SHORT_FROM;
        test_rng rng = test_rng_seed(seed);
        static size_t number[2 * PIECES];
        twx_pieces from, to;
        twx_ctx cx;
        add_all(&cx, &from, of, LIMITS[seed / 2 % 2]);
        assert_ok(twx_pieces_init(&cx, &to, LIMITS[seed / 4]));
        while (to.n < PIECES) {
            const size_t first = (size_t)test_rng_below(&rng, PIECES),
                         most = (size_t)test_rng_below(&rng, 300),
                         n = first + most < PIECES ? most : PIECES - first;
            for (size_t i = 0; i < n; i++) number[to.n + i] = first + i;
            assert_ok(twx_pieces_add_from(&cx, &to, &from, first, n));
            number[to.n] = first;
            assert_ok(twx_pieces_add(&cx, &to, piece_of(of, first)));
        }
        for (size_t i = 0; i < to.n; i++) {
            char room[TWX_PIECE_MAX];
            if (!twx_slice_eq(twx_pieces_get(&to, i, room), piece_of(of, number[i])))
                fail_msg("seed %" PRIu64 ", piece %zu", seed, i);
        }
        twx_pieces_done(&from);
        twx_pieces_done(&to);
    }
}

TEST(memory_stays_within_the_limit) {
    twx_pieces p;
    twx_ctx cx = {0};
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    assert_ok(twx_pieces_init(&cx, &p, 100000));
    for (size_t i = 0; i < 1000000; i++) {
        assert_ok(twx_pieces_add(&cx, &p, TWX_SLICE_LIT("0123456789")));
        assert_true(p.bytes.n <= 1 << 18);
        assert_true(p.fd >= 0 || p.bytes.n <= 100000);
    }
    assert_true(p.written > 9000000);
    /* `ends`, with room for as many again; an allocator that does not count reports 0 */
    assert_true(mallinfo2().uordblks + mallinfo2().hblkhd < before + 5000000);
    twx_pieces_done(&p);
}

/* [R2] A file that is shorter than it was. */
TEST(a_piece_that_cannot_be_read_is_an_error) {
    char room[TWX_PIECE_MAX];
    twx_pieces p;
    twx_ctx cx;
    add_all(&cx, &p, 1, 5000);
    assert_int_equal(ftruncate(p.fd, 100), 0);
    assert_ok(twx_pieces_error(&cx, &p));
    size_t empty = 0;
    for (size_t i = 0; i < PIECES; i++)
        empty += twx_pieces_length(&p, i) && twx_pieces_get(&p, i, room).n == 0;
    assert_true(empty > 50);
    assert_int_equal(twx_pieces_error(&cx, &p), TWX_E_IO);
    assert_non_null(strstr(cx.message, "cannot read a temporary file"));
    twx_pieces_done(&p);
}

TEST(a_file_that_cannot_be_made_is_an_error) {
    const char *tmp = getenv("TMPDIR");
    char *before = tmp ? strdup(tmp) : NULL;
    twx_pieces p;
    twx_ctx cx = {0};
    twx_rc rc = TWX_OK;
    setenv("TMPDIR", "/nonexistent", 1);
    assert_ok(twx_pieces_init(&cx, &p, 0));
    for (size_t i = 0; rc == TWX_OK && i < PIECES; i++)
        rc = twx_pieces_add(&cx, &p, piece_of(1, i));
    assert_int_equal(rc, TWX_E_CREATE);
    assert_non_null(strstr(cx.message, "set TMPDIR"));
    twx_pieces_done(&p);
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}

TEST(parked_arrays_come_back) {
    enum { NUMBERS = 5000 };
    uint32_t *numbers = malloc(NUMBERS * sizeof *numbers), *none = NULL;
    char *text = strdup("text");
    twx_parked p = {0};
    twx_ctx cx = {0};
    assert_true(numbers && text);
    for (uint32_t i = 0; i < NUMBERS; i++) numbers[i] = i * i;
    assert_ok(twx_park(&cx, &p, &numbers, NUMBERS * sizeof *numbers));
    assert_ok(twx_park(&cx, &p, &none, 0));
    assert_ok(twx_park(&cx, &p, &text, sizeof "text"));
    assert_true(!numbers && !text);
    assert_ok(twx_parked_take(&cx, &p));
    for (uint32_t i = 0; i < NUMBERS; i++) assert_int_equal(numbers[i], i * i);
    assert_string_equal(text, "text");
    assert_null(none);
    assert_ok(twx_park(&cx, &p, &text, sizeof "text"));
    assert_int_equal(ftruncate(p.fd, 1), 0);
    assert_int_equal(twx_parked_take(&cx, &p), TWX_E_IO);
    assert_non_null(strstr(cx.message, "cannot read a temporary file"));
    free(numbers);
    free(text);
}
