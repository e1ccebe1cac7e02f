/* What a site repeats: equals what counting all sampled pages by hand gives, in any order and with
 * any memory. */
#include "detect_fixture.h"

#include "lab/lab.h"

enum { PAGES_MAX = 400, SITES = 4, TEXT_MAX = 1 << 14, LINES = 40, SMALL = 1, LARGE = 1 << 28 };

typedef struct page {
    size_t site;
    char text[512];
    size_t n;
} page;

static const char *const HOSTS[SITES] = {"example.com", "www.example.com", "example.org", ""};

static twx_slice text_of(const page *p) {
    return (twx_slice){p->text, p->n};
}

static twx_boilerplate *make(fixture *f, const page *pages, const uint64_t *order, size_t n,
                             size_t max_bytes, size_t *ret_spilled) {
    twx_boilerplate_maker *m = NULL;
    twx_boilerplate *c = NULL;
    assert_ok(twx_boilerplate_maker_open(&f->cx, max_bytes, test_folder(), &m));
    for (size_t i = 0; i < n; i++) {
        const page *p = &pages[order ? order[i] : i];
        assert_ok(twx_boilerplate_maker_add(m, twx_workspace_scratch(f->w),
                                            twx_slice_of(HOSTS[p->site]), text_of(p)));
        twx_workspace_reset(f->w);
    }
    assert_ok(twx_boilerplate_make(m, &c));
    if (ret_spilled) *ret_spilled = twx_boilerplate_maker_sorted_bytes(m);
    twx_boilerplate_maker_close(m);
    return c;
}

/* A line of four words: one shingle. */
static size_t put_line(char *text, size_t at, size_t room, size_t number) {
    return at + (size_t)snprintf(text + at, room - at, "line number%zu of many\n", number);
}

static uint64_t shingle_of_line(fixture *f, size_t number) {
    char line[64];
    twx_shingles s;
    const size_t n = put_line(line, 0, sizeof line, number);
    assert_ok(twx_page_shingles(&f->cx, twx_workspace_scratch(f->w), (twx_slice){line, n}, &s));
    assert_int_equal(s.n, 1);
    const uint64_t shingle = s.at[0];
    twx_workspace_reset(f->w);
    return shingle;
}

/* n pages of one site: page i has a line of its own and, if i < with, line 0. */
static size_t site_of(page *pages, size_t n, size_t with) {
    for (size_t i = 0; i < n; i++) {
        page *p = &pages[i];
        *p = (page){.site = 0};
        p->n = put_line(p->text, 0, sizeof p->text, 1000 + i);
        if (i < with) p->n = put_line(p->text, p->n, sizeof p->text, 0);
    }
    return n;
}

static bool finds_line_0(fixture *f, const page *pages, size_t n) {
    twx_boilerplate *c = make(f, pages, NULL, n, LARGE, NULL);
    const bool found = twx_boilerplate_has(c, shingle_of_line(f, 0));
    assert_int_equal(c->found.n, found);
    twx_boilerplate_close(c);
    return found;
}

TEST_OF(more_than_5_percent_of_20_pages_and_more, fixture *f) {
    static page pages[PAGES_MAX];
    assert_false(finds_line_0(f, pages, 0));
    assert_false(finds_line_0(f, pages, site_of(pages, 19, 19)));
    assert_true(finds_line_0(f, pages, site_of(pages, 20, 20)));
    assert_true(finds_line_0(f, pages, site_of(pages, 20, 2)));
    assert_false(finds_line_0(f, pages, site_of(pages, 20, 1)));
    assert_false(finds_line_0(f, pages, site_of(pages, 40, 2))); /* 5 %, not more */
    assert_true(finds_line_0(f, pages, site_of(pages, 40, 3)));
    assert_false(finds_line_0(f, pages, site_of(pages, 50, 2)));
    assert_true(finds_line_0(f, pages, site_of(pages, 50, 3)));
    assert_true(finds_line_0(f, pages, site_of(pages, 400, 400)));
}

TEST_OF(equal_texts_and_sites_count_for_themselves, fixture *f) {
    static page pages[PAGES_MAX];
    size_t n = site_of(pages, 19, 19);
    for (size_t i = 0; i < 30; i++) pages[n++] = pages[i % 19]; /* the same texts again */
    assert_false(finds_line_0(f, pages, n));
    n = site_of(pages, 38, 38);
    for (size_t i = 0; i < n; i++) pages[i].site = i % 2; /* 19 pages each */
    assert_false(finds_line_0(f, pages, n));
    n = site_of(pages, 20, 20);
    pages[n++] = (page){.site = 1, .n = 0}; /* no text */
    assert_true(finds_line_0(f, pages, n));
    for (size_t i = 0; i < n; i++) pages[i].n = 0;
    assert_false(finds_line_0(f, pages, n));
}

TWX_ORDER_0(ascending, uint64_t)

/* The largest hash in the site's sample; the number of its pages in *ret_n. */
static uint64_t plain_sample(const page *pages, size_t n, size_t site, size_t *ret_n) {
    uint64_t hashes[PAGES_MAX];
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (pages[i].site == site && pages[i].n > 0)
            hashes[count++] = twx_hash64(text_of(&pages[i]), 0);
    qsort(hashes, count, sizeof *hashes, ascending);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || hashes[i] != hashes[kept - 1]) hashes[kept++] = hashes[i];
    *ret_n = kept < TWX_BOILERPLATE_SAMPLE ? kept : TWX_BOILERPLATE_SAMPLE;
    return *ret_n ? hashes[*ret_n - 1] : 0;
}

static bool has_line(const page *p, size_t number) {
    char line[64];
    const size_t n = put_line(line, 0, sizeof line, number);
    return memmem(p->text, p->n, line, n) != NULL;
}

/* The slow way. */
static bool is_boilerplate(const page *pages, size_t n, size_t line) {
    for (size_t site = 0; site < SITES; site++) {
        size_t sampled, with = 0;
        const uint64_t largest = plain_sample(pages, n, site, &sampled);
        if (sampled < 20) continue;
        for (size_t i = 0; i < n; i++) {
            bool seen = pages[i].site != site || twx_hash64(text_of(&pages[i]), 0) > largest;
            for (size_t k = 0; k < i && !seen; k++)
                seen = pages[k].site == site &&
                       twx_slice_eq(text_of(&pages[k]), text_of(&pages[i]));
            with += !seen && has_line(&pages[i], line);
        }
        if (with * 20 > sampled) return true;
    }
    return false;
}

static size_t any_pages(test_rng *rng, page *pages) {
    const size_t n = test_rng_below(rng, PAGES_MAX);
    for (size_t i = 0; i < n; i++) {
        page *p = &pages[i];
        if (i > 0 && test_rng_below(rng, 10) == 0) {
            *p = pages[test_rng_below(rng, i)];
            continue;
        }
        *p = (page){.site = test_rng_below(rng, SITES)};
        for (size_t lines = test_rng_below(rng, 6); lines > 0; lines--)
            p->n = put_line(p->text, p->n, sizeof p->text,
                            test_rng_below(rng, 1 + test_rng_below(rng, LINES)));
        p->n = put_line(p->text, p->n, sizeof p->text, 1000 + test_rng_below(rng, 2000));
    }
    return n;
}

TEST_OF(r1_it_equals_counting_by_hand_in_any_order, fixture *f) {
    static page pages[PAGES_MAX];
    uint64_t order[PAGES_MAX];
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        test_rng rng = test_rng_seed(seed);
        const size_t n = any_pages(&rng, pages);
        for (size_t i = 0; i < n; i++) order[i] = i;
        test_rng_shuffle(&rng, order, n);
        twx_boilerplate *there = make(f, pages, NULL, n, LARGE, NULL),
                        *back = make(f, pages, order, n, SMALL, NULL);
        assert_int_equal(there->found.n, back->found.n);
        assert_true(there->fingerprint == back->fingerprint);
        for (size_t line = 0; line < LINES; line++) {
            const uint64_t shingle = shingle_of_line(f, line);
            const bool expected = is_boilerplate(pages, n, line);
            if (twx_boilerplate_has(there, shingle) != expected ||
                twx_boilerplate_has(back, shingle) != expected)
                fail_msg("seed %" PRIu64 ", line %zu: expected %d", seed, line, expected);
            found += expected;
            assert_false(twx_boilerplate_has(there, shingle + 1));
        }
        twx_boilerplate_close(there);
        twx_boilerplate_close(back);
    }
    assert_true(found > 50 && found < 12 * LINES - 50); /* the law was put to the test */
}

/* Page `number` of a large site: 300 lines of its own between 100 that all pages have. Borrowed
 * until the next call. */
static twx_slice large_page(size_t number) {
    static char text[TEXT_MAX];
    size_t n = 0;
    for (size_t i = 0; i < 400; i++)
        n = put_line(text, n, sizeof text, i % 4 ? 1000 + number * 1000 + i : i);
    return (twx_slice){text, n};
}

static twx_boilerplate *make_large(fixture *f, size_t pages, size_t stride, size_t max_bytes,
                                   size_t *ret_spilled) {
    twx_boilerplate_maker *m = NULL;
    twx_boilerplate *c = NULL;
    assert_ok(twx_boilerplate_maker_open(&f->cx, max_bytes, test_folder(), &m));
    for (size_t i = 0, number = 0; i < pages; i++, number = (number + stride) % pages) {
        const twx_slice host = twx_slice_of(HOSTS[number % SITES]);
        assert_ok(
            twx_boilerplate_maker_add(m, twx_workspace_scratch(f->w), host, large_page(number)));
        twx_workspace_reset(f->w);
    }
    assert_ok(twx_boilerplate_make(m, &c));
    *ret_spilled = twx_boilerplate_maker_sorted_bytes(m);
    twx_boilerplate_maker_close(m);
    return c;
}

TEST_OF(r2_memory_never_shows, fixture *f) {
    enum { PAGES = 499 };
    size_t parts, none;
    twx_boilerplate *whole = make_large(f, PAGES, 1, LARGE, &none),
                    *spilled = make_large(f, PAGES, 7, SMALL, &parts);
    assert_int_equal(none, 0);
    assert_true(parts >= 3);
    assert_int_equal(whole->found.n, 100);
    assert_int_equal(spilled->found.n, 100);
    assert_true(whole->fingerprint == spilled->fingerprint);
    for (size_t line = 0; line < 400; line++)
        assert_int_equal(twx_boilerplate_has(spilled, shingle_of_line(f, line)), line % 4 == 0);
    twx_boilerplate_close(whole);
    twx_boilerplate_close(spilled);
}

/* 20 pages that repeat more lines than fit half of the memory. */
TEST_OF(r2_a_set_that_is_too_large_is_refused, fixture *f) {
    enum { TOO_MANY = 50000, ROOM = TOO_MANY * 40 };
    char *text = malloc(ROOM);
    size_t n = 0;
    twx_boilerplate_maker *m = NULL;
    twx_boilerplate *c = NULL;
    assert_non_null(text);
    for (size_t i = 0; i < TOO_MANY; i++) n = put_line(text, n, ROOM, i);
    assert_ok(twx_boilerplate_maker_open(&f->cx, SMALL, test_folder(), &m));
    for (size_t i = 0; i < 20; i++) {
        const size_t all = put_line(text, n, ROOM, TOO_MANY + i);
        assert_ok(twx_boilerplate_maker_add(m, twx_workspace_scratch(f->w), TWX_SLICE_LIT("a"),
                                            (twx_slice){text, all}));
        twx_workspace_reset(f->w);
    }
    assert_int_equal(twx_boilerplate_make(m, &c), TWX_E_LIMIT);
    assert_null(c);
    assert_non_null(strstr(f->cx.message, "run.memory"));
    twx_boilerplate_maker_close(m);
    free(text);
}

/* Each allocation fails once: an error and nothing lost, or the same result. */
TEST_OF(every_failure_of_memory_is_told, fixture *f) {
    static page pages[PAGES_MAX];
    const size_t n = site_of(pages, 30, 30);
    for (uint64_t fail_at = 1;; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        twx_boilerplate_maker *m = NULL;
        twx_boilerplate *c = NULL;
        twx_arena scratch = {0}; /* of its own: what the workspace keeps would be found there */
        twx_ctx_clear(&f->cx);
        f->cx.faults = &faults;
        twx_rc rc = twx_boilerplate_maker_open(&f->cx, LARGE, NULL, &m);
        for (size_t i = 0; i < n && rc == TWX_OK; i++)
            rc = twx_boilerplate_maker_add(m, &scratch, twx_slice_of(HOSTS[0]), text_of(&pages[i]));
        if (rc == TWX_OK) rc = twx_boilerplate_make(m, &c);
        f->cx.faults = NULL;
        twx_arena_done(&scratch);
        twx_boilerplate_maker_close(m);
        if (rc == TWX_OK)
            assert_int_equal(c->found.n, 1);
        else
            assert_true(rc == TWX_E_NOMEM && c == NULL);
        twx_boilerplate_close(c);
        if (atomic_load(&faults.count) < fail_at) break;
        assert_int_equal(rc, TWX_E_NOMEM);
    }
}

TEST_OF(a_cancelled_run_stops, fixture *f) {
    static page pages[PAGES_MAX];
    const size_t n = site_of(pages, 30, 30);
    atomic_int cancel = 2; /* SIGINT */
    twx_boilerplate_maker *m = NULL;
    twx_boilerplate *c = NULL;
    assert_ok(twx_boilerplate_maker_open(&f->cx, LARGE, NULL, &m));
    for (size_t i = 0; i < n; i++)
        assert_ok(twx_boilerplate_maker_add(m, twx_workspace_scratch(f->w), twx_slice_of(HOSTS[0]),
                                            text_of(&pages[i])));
    f->cx.cancel = &cancel;
    assert_int_equal(twx_boilerplate_make(m, &c), TWX_E_INTERRUPTED);
    f->cx.cancel = NULL;
    assert_null(c);
    twx_boilerplate_maker_close(m);
    twx_boilerplate_maker_close(NULL);
    twx_boilerplate_close(NULL);
}
