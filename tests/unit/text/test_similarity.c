/* The similarity of two texts, against the slow way and against Perl's String::Similarity (Debian:
 * libstring-similarity-perl).
 *
 * What String::Similarity 1.04 does, as found by trying it:
 * - It returns 2 * L / (a + b) as a double. L is the length of a longest common subsequence as long
 *   as the two texts are no more than about 512 edits apart (a + b - 2 * LCS); of other pairs it is
 *   the length of some common subsequence: like diff, from which it comes, it stops looking. Two
 *   random texts of 2000 letters get 1 or 2 % less than they have, two of 9000 sometimes half. Ours
 *   looks until the end, so it is never below.
 * - It works on the characters of a Perl string: those of UTF-8 when it was decoded, bytes when
 *   not. "äöü" and "äöx" are 2/3 alike by characters, 8/11 by bytes. Ours counts characters.
 * - Two empty strings are 1, an empty one and another are 0.
 * - With a minimum, what it returns for a pair below that is no similarity: ("abcdefgh",
 *   "stuvwxyz", 0.6) gives 0.5, and ("abc", "abd", 0.9) gives 0.666...; a minimum above 1 gives 1
 *   for any pair but an empty text and another. Ours says -1. */
#include "text_fixture.h"

#include <signal.h>

enum {
    MILLION = 1000000,
    ROUNDS = 1500,
    TEXT_MAX = 400,
    LONG = 9000,
    PERL_PAIRS = 1200,
    PERL_EDITS = 500
};

static atomic_int cancel;
static twx_ctx cx = {.cancel = &cancel};
static twx_similarity *handle;

static void setup(void) {
    assert_ok(twx_similarity_open(&cx, &handle));
}

static void teardown(void) {
    twx_similarity_close(handle);
}

static int32_t similarity(twx_slice a, twx_slice b, int32_t least) {
    int32_t ppm = -2;
    assert_ok(twx_similarity_of(&cx, handle, a, b, least, &ppm));
    return ppm;
}

static int32_t of_texts(const char *a, const char *b) {
    return similarity(twx_slice_of(a), twx_slice_of(b), 0);
}

/* ---- the slow way ------------------------------------------------------- */

/* Characters of a text; a byte that begins none is one of its own. ret_codes has room for text.n.
 */
static size_t slow_characters(twx_slice text, uint32_t *ret_codes) {
    size_t n = 0;
    for (size_t at = 0; at < text.n; n++) {
        size_t length = 1;
        while (length <= 4 &&
               !(at + length <= text.n && twx_utf8_valid(twx_slice_sub(text, at, at + length))))
            length++;
        ret_codes[n] = 0x110000U + (unsigned char)text.p[at];
        if (length > 4)
            at++;
        else
            at += twx_utf8_next(text.p + at, text.p + text.n, &ret_codes[n]);
    }
    return n;
}

static size_t slow_lcs(const uint32_t *a, size_t a_n, const uint32_t *b, size_t b_n) {
    size_t *row = calloc(b_n + 1, sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i < a_n; i++)
        for (size_t j = 0, diagonal = 0; j < b_n; j++) {
            size_t above = row[j + 1];
            row[j + 1] = a[i] == b[j] ? diagonal + 1 : row[j] > above ? row[j] : above;
            diagonal = above;
        }
    size_t length = row[b_n];
    free(row);
    return length;
}

static int32_t slow_similarity(twx_slice a, twx_slice b) {
    uint32_t *of_a = calloc(a.n + 1, sizeof *of_a), *of_b = calloc(b.n + 1, sizeof *of_b);
    assert_true(of_a && of_b);
    size_t a_n = slow_characters(a, of_a), b_n = slow_characters(b, of_b);
    size_t length = slow_lcs(of_a, a_n, of_b, b_n);
    free(of_a);
    free(of_b);
    return a_n + b_n ? (int32_t)(2 * length * MILLION / (a_n + b_n)) : MILLION;
}

/* ---- pairs of texts ----------------------------------------------------- */

typedef struct pair {
    char *a, *b; /* blocks without slack */
    size_t a_n, b_n;
} pair;

static pair pair_of(const char *a, size_t a_n, const char *b, size_t b_n) {
    return (pair){test_exact(a, a_n), test_exact(b, b_n), a_n, b_n};
}

static void free_pair(pair *p) {
    free(p->a);
    free(p->b);
}

static twx_slice first(const pair *p) {
    return (twx_slice){p->a, p->a_n};
}

static twx_slice second(const pair *p) {
    return (twx_slice){p->b, p->b_n};
}

/* Letters of an alphabet of `letters`, some of two or three bytes. */
static size_t put_letter(test_rng *rng, size_t letters, char *out) {
    uint32_t letter = (uint32_t)test_rng_below(rng, letters);
    return twx_utf8_put(letter < 26   ? 'a' + letter
                        : letter < 60 ? 0xC0 + letter
                                      : 0x4E00 + letter,
                        out);
}

/* A text of up to `max` bytes, and either an edited copy of it or another text. */
static pair any_pair(test_rng *rng, size_t max) {
    char *a = malloc(max + 4), *b = malloc(max + 12);
    size_t a_n = 0, b_n = 0, letters = 1 + test_rng_below(rng, 90), edits = test_rng_below(rng, 60);
    size_t length = test_rng_below(rng, max);
    assert_true(a && b);
    bool copy = test_rng_below(rng, 2) == 0;
    while (a_n < length) {
        size_t used = put_letter(rng, letters, a + a_n), what = test_rng_below(rng, 100);
        bool drop = what < edits && what % 3 == 0, add = what < edits && what % 3 == 1;
        if (copy && add && b_n < max) b_n += put_letter(rng, letters, b + b_n);
        if (copy && !drop && b_n < max) {
            memcpy(b + b_n, a + a_n, used);
            b_n += used;
        }
        a_n += used;
    }
    if (!copy)
        for (length = test_rng_below(rng, max); b_n < length;)
            b_n += put_letter(rng, letters, b + b_n);
    pair p = pair_of(a, a_n, b, b_n);
    free(a);
    free(b);
    return p;
}

/* ---- laws --------------------------------------------------------------- */

static void check(const pair *p, uint64_t seed) {
    const int32_t slow = slow_similarity(first(p), second(p));
    const int32_t least[] = {0, 1, slow - 1, slow, slow + 1, MILLION / 2, MILLION, MILLION + 1};
    for (size_t i = 0; i < TWX_COUNTOF(least); i++) {
        const int32_t wanted = slow >= least[i] ? slow : -1;
        const int32_t forth = similarity(first(p), second(p), least[i]);
        const int32_t back = similarity(second(p), first(p), least[i]);
        if (forth != wanted || back != wanted)
            fail_msg("seed %" PRIu64
                     ", at least %d: %d, and the other way round %d; the slow way says %d",
                     seed, least[i], forth, back, slow);
    }
}

TEST(r1_both_ways_and_as_the_slow_way_says) {
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        test_rng rng = test_rng_seed(seed);
        pair p = any_pair(&rng, seed % 50 == 0 ? 2 * TEXT_MAX : TEXT_MAX);
        check(&p, seed);
        free_pair(&p);
    }
}

/* A handle of its own for each pair, so that a sanitizer sees what a larger pair before would have
 * made room for; and a shorter text of which more is left than of the longer one. */
TEST(a_handle_has_room_for_any_pair) {
    twx_similarity *reused = handle;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_rng rng = test_rng_seed(seed);
        pair p = any_pair(&rng, 120), longer = pair_of(p.a, p.a_n, p.a, p.a_n);
        free(longer.b);
        longer.b_n = p.b_n + p.a_n;
        longer.b = malloc(longer.b_n ? longer.b_n : 1);
        assert_non_null(longer.b);
        memcpy(longer.b, p.b, p.b_n);
        memset(longer.b + p.b_n, '!', p.a_n);
        assert_ok(twx_similarity_open(&cx, &handle));
        check(seed % 2 ? &p : &longer, seed);
        twx_similarity_close(handle);
        free_pair(&p);
        free_pair(&longer);
    }
    handle = reused;
}

/* Long enough for narrow bands to be tried first. */
TEST(long_texts_as_the_slow_way_says) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        test_rng rng = test_rng_seed(seed);
        pair p = {0};
        do {
            free_pair(&p);
            p = any_pair(&rng, LONG);
        } while (p.a_n < LONG / 2 || p.b_n < LONG / 2);
        const int32_t slow = slow_similarity(first(&p), second(&p));
        assert_int_equal(similarity(first(&p), second(&p), 0), slow);
        assert_int_equal(similarity(second(&p), first(&p), slow), slow);
        assert_int_equal(similarity(first(&p), second(&p), slow + 1), -1);
        free_pair(&p);
    }
}

TEST(r3_any_bytes) {
    for (uint64_t seed = 1; seed <= 400; seed++) {
        test_rng rng = test_rng_seed(seed);
        size_t a_n = 0, b_n = 0;
        char *a = hostile_text(&rng, 300, &a_n), *b = hostile_text(&rng, 300, &b_n);
        const pair p = {a, b, a_n, b_n};
        check(&p, seed);
        free(a);
        free(b);
    }
}

TEST(r2_equal_texts_and_empty_ones) {
    assert_int_equal(of_texts("", ""), MILLION);
    assert_int_equal(of_texts("", "a"), 0);
    assert_int_equal(of_texts("a", ""), 0);
    assert_int_equal(of_texts("equal \xC3\xA4 \xFF", "equal \xC3\xA4 \xFF"), MILLION);
    assert_int_equal(similarity((twx_slice){NULL, 0}, (twx_slice){NULL, 0}, MILLION), MILLION);
    assert_int_equal(similarity((twx_slice){NULL, 0}, TWX_SLICE_LIT("a"), 1), -1);
}

TEST(examples) {
    assert_int_equal(of_texts("abc", "abd"), 666666); /* rounded down */
    assert_int_equal(of_texts("abc", "cba"), 333333);
    assert_int_equal(of_texts("\xC3\xA4\xC3\xB6\xC3\xBC", "\xC3\xA4\xC3\xB6x"),
                     666666);                              /* characters, not bytes */
    assert_int_equal(of_texts("\xC3\xA4", "\xC3\xB6"), 0); /* though both begin with 0xC3 */
    /* a byte by itself is no part of a character */
    assert_int_equal(of_texts("\xC3", "\xC3\xA4"), 0);
    assert_int_equal(of_texts("\xE2\x82", "\xE2"), 666666); /* each such byte counts */
    /* U+FFFD is a character; a byte that is not part of one differs from it */
    assert_int_equal(of_texts("\xEF\xBF\xBD", "\xFF"), 0);
    assert_int_equal(of_texts("abcdefghij", "jihgfedcba"), 100000);
}

TEST(cancelling_ends_it) {
    int32_t ppm = -2;
    atomic_store(&cancel, SIGINT);
    assert_int_equal(
        twx_similarity_of(&cx, handle, TWX_SLICE_LIT("abc"), TWX_SLICE_LIT("bcd"), 0, &ppm),
        TWX_E_INTERRUPTED);
    assert_int_equal(ppm, -2);
    atomic_store(&cancel, 0);
    twx_ctx_clear(&cx);
    assert_int_equal(of_texts("abc", "bcd"), 666666); /* nothing of it is left over */
}

/* A limit of cells concerns what is left when the ends are equal, and of similar texts the band. */
TEST(a_limit_of_cells) {
    enum { N = 20000 };
    static char a[N], b[N], c[N];
    int32_t ppm = -2;
    for (size_t i = 0; i < N; i++) {
        a[i] = (char)('a' + (i * i + i / 7) % 26);
        c[i] = (char)('a' + (i * 5 + i / 3) % 26);
        b[i] = i % 400 == 7 ? '!' : a[i];
    }
    const twx_slice one = {a, N}, similar = {b, N}, other = {c, N};
    const int32_t exact = similarity(one, similar, 0);
    twx_similarity_limit(handle, N * (double)N / 4);
    assert_int_equal(similarity(one, similar, 0), exact);
    assert_int_equal(twx_similarity_of(&cx, handle, one, other, 0, &ppm), TWX_DONE);
    assert_int_equal(ppm, -2);
    assert_ok(cx.rc);
    assert_int_equal(similarity(one, one, 0), MILLION);
    twx_similarity_limit(handle, 0);
    assert_true(similarity(one, other, 0) > 0);
}

/* A dissimilar pair of half a megabyte would take seconds; its characters alone show that it is
 * below. */
TEST(texts_of_other_characters_are_given_up_at_once) {
    enum { MANY = 20 << 20 };
    char *a = malloc(MANY), *b = malloc(MANY);
    assert_true(a && b);
    for (size_t i = 0; i < MANY; i++) {
        a[i] = "aab"[i % 3];
        b[i] = "bbc"[i % 3];
    }
    assert_int_equal(similarity((twx_slice){a, MANY}, (twx_slice){b, MANY}, 400000), -1);
    memcpy(b, a, MANY);
    b[MANY / 2] = 'z';
    assert_int_equal(similarity((twx_slice){a, MANY}, (twx_slice){b, MANY}, 0),
                     (int32_t)(MILLION - 1));
    free(a);
    free(b);
}

/* ---- Perl --------------------------------------------------------------- */

static void write_hex(FILE *file, twx_slice text, char end) {
    for (size_t i = 0; i < text.n; i++) fprintf(file, "%02x", (unsigned char)text.p[i]);
    fputc(end, file);
}

/* What Perl found: an integer, and the number of characters it goes with. */
static void check_perl(const pair *p, double value, uint64_t seed) {
    uint32_t *codes = calloc(p->a_n + p->b_n + 1, sizeof *codes);
    assert_non_null(codes);
    const size_t total = slow_characters(first(p), codes) + slow_characters(second(p), codes);
    free(codes);
    const double length = value * (double)total / 2;
    const size_t whole = (size_t)(length + 0.5), edits = total - 2 * whole;
    assert_true(length - (double)whole < 1e-6 && (double)whole - length < 1e-6);
    const int32_t ours = similarity(first(p), second(p), 0);
    const int32_t perls = total ? (int32_t)(2 * whole * MILLION / total)
                                : (int32_t)(value * MILLION);
    if (edits <= PERL_EDITS ? ours != perls : ours < perls)
        fail_msg("seed %" PRIu64 ": %d, Perl says %.17g, %zu edits", seed, ours, value, edits);
}

TEST(as_perls_string_similarity_says) {
    static const char PROGRAM[] =
        "perl -MString::Similarity -ne 'chomp; my ($a, $b) = map { pack \"H*\", $_ } split /\\t/, "
        "$_, -1; utf8::decode($a); utf8::decode($b); printf \"%.17g\\n\", similarity($a, $b)'";
    char path[4200], command[4800];
    if (system("perl -MString::Similarity -e 1 2>/dev/null") != 0) {
        print_message("no String::Similarity here (scripts/setup installs it)\n");
        skip();
    }
    const char *rounds = getenv("TWINDEX_PERL_PAIRS");
    const uint64_t pairs = rounds ? strtoull(rounds, NULL, 10) : PERL_PAIRS;
    snprintf(path, sizeof path, "%s/pairs", test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint64_t seed = 1; seed <= pairs; seed++) {
        test_rng rng = test_rng_seed(seed);
        pair p = any_pair(&rng, seed % 100 == 0 ? LONG : TEXT_MAX);
        write_hex(file, first(&p), '\t');
        write_hex(file, second(&p), '\n');
        free_pair(&p);
    }
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "%s %s", PROGRAM, path);
    FILE *perl = popen(command, "r");
    assert_non_null(perl);
    for (uint64_t seed = 1; seed <= pairs; seed++) {
        test_rng rng = test_rng_seed(seed);
        pair p = any_pair(&rng, seed % 100 == 0 ? LONG : TEXT_MAX);
        double value = -1;
        assert_int_equal(fscanf(perl, "%lf", &value), 1);
        check_perl(&p, value, seed);
        free_pair(&p);
    }
    assert_int_equal(pclose(perl), 0);
}

TESTS_IN(setup, teardown);
