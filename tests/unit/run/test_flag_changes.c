/* A result is compared with a generation of stored flags; the generation may be written to
 * between two differences. */
#include "../store/store_fixture.h"
#include "packed_record.h"

#include "run/internal.h"

enum { MANY = 9000 /* more than two batches of the cursor */ };

typedef struct fixture {
    const char *path;
    twx_ctx cx;
    twx_db *db;
    twx_generations *g;
    twx_claim claim;
    twx_judge_options options;
    twx_doc_set j;
    twx_judged judged;
} fixture;

static void setup(fixture *f) {
    f->path = store_of("flag_changes.db", "CREATE TABLE pages(id, url)");
    f->db = open_migrated(&f->cx, f->path);
    expect_ok(&f->cx, twx_generations_open(f->db, &f->g));
    f->claim = (twx_claim){.token = 1, .started_at = 1, .settings = "{}"};
    expect_ok(&f->cx, twx_generation_claim(f->g, &f->claim));
    twx_doc_set_init(&f->j);
}

static void teardown(fixture *f) {
    twx_judged_done(&f->judged);
    twx_doc_set_done(&f->j);
    twx_generations_close(f->g);
    twx_db_close(f->db);
}

/* Judges documents with these numbers, in this order; none has a signature. */
static void judge(fixture *f, const int64_t *docs, size_t n) {
    const twx_facts facts = {.bits = TWX_FACT_USABLE | TWX_FACT_WEB,
                             .status = TWX_STATUS_NONE,
                             .url = TWX_SLICE_LIT("https://a/")};
    twx_buf packed = {.max = 1 << 12};
    expect_ok(&f->cx, twx_facts_pack(&f->cx, &facts, &packed));
    expect_ok(&f->cx, twx_doc_set_begin(&f->cx, &f->j, &f->options, n, 0));
    for (size_t i = 0; i < n; i++)
        expect_ok(&f->cx, twx_doc_set_add(&f->cx, &f->j,
                                          &(twx_signed_document){.doc = docs[i],
                                                                 .facts = twx_buf_slice(&packed),
                                                                 .record = NO_ENTRIES}));
    expect_ok(&f->cx, twx_judge(&f->cx, &f->j, &f->options));
    twx_judged *const judged = &f->judged;
    expect_ok(&f->cx, twx_judged_order(&f->cx, &f->j, &f->options, &judged, 1));
    twx_buf_done(&packed);
}

static void store(fixture *f, const twx_flag_row *row) {
    twx_flag_edit edit = {.rows = row, .n_rows = 1};
    expect_ok(&f->cx, twx_generation_write(f->g, &f->claim, &edit));
}

static void store_gone(fixture *f, int64_t doc) {
    twx_flag_edit edit = {.gone = &doc, .n_gone = 1};
    expect_ok(&f->cx, twx_generation_write(f->g, &f->claim, &edit));
}

/* The row that the result has for every document, with another number of the scheme's copies. */
static twx_flag_row row_of(const fixture *f, int64_t doc, int64_t copies) {
    twx_flag_row row;
    twx_judged_row(&f->j, &f->options, 0, &row);
    row.doc = doc;
    if (copies) twx_flag_set(&row, TWX_FLAG_scheme_count, copies);
    return row;
}

static twx_rc changes_from(fixture *f, char generation, twx_published *published,
                           twx_flag_change_fn *fn, void *arg) {
    const twx_flag_rows rows = twx_judged_rows(&f->judged);
    const twx_flag_base base = {f->g, generation, f->options.threads, published};
    return twx_flag_changes(&f->cx, &rows, &base, NULL, fn, arg);
}

static twx_rc changes(fixture *f, char generation, twx_flag_change_fn *fn, void *arg) {
    return changes_from(f, generation, NULL, fn, arg);
}

static twx_rc note_hash(void *arg, const twx_flag_row *row) {
    const twx_published_row is = twx_published_row_of(twx_flag_row_stored(row, &(twx_flag_row){0}));
    return TWX_VEC_PUSH(NULL, &((twx_published *)arg)->rows, is) ? TWX_OK : TWX_E_NOMEM;
}

typedef struct seen {
    fixture *f;
    char text[200];
    int n, fail_at; /* 0: never */
    uint64_t sum;
} seen;

/* "+3" new, "-4" gone, "~5" changed */
static twx_rc describe(void *arg, const twx_flag_change *c) {
    seen *s = arg;
    const size_t n = strlen(s->text);
    assert_true((c->index == TWX_NO_DOCUMENT) == !c->fresh);
    if (c->fresh) assert_int_equal(s->f->j.docs.at.at[c->index].doc, c->fresh->doc);
    snprintf(s->text + n, sizeof s->text - n, "%s%c%d", n ? " " : "",
             !c->stored  ? '+'
             : !c->fresh ? '-'
                         : '~',
             (int)(c->fresh ? c->fresh->doc : c->stored->doc));
    return TWX_OK;
}

/* Also with hashes of the rows, which are those of the result then. */
static void expect_changes(fixture *f, char generation, const char *expected) {
    seen s = {.f = f}, by_hash = {.f = f}, again = {.f = f};
    twx_published published = {.run = 1};
    expect_ok(&f->cx, changes(f, generation, describe, &s));
    assert_string_equal(s.text, expected);
    if (generation)
        expect_ok(&f->cx, twx_flags_each(&f->cx, f->g, generation, note_hash, &published));
    expect_ok(&f->cx, changes_from(f, generation, &published, describe, &by_hash));
    assert_string_equal(by_hash.text, expected);
    expect_ok(&f->cx, changes_from(f, generation, &published, describe, &again));
    assert_string_equal(again.text, "");
    TWX_VEC_DONE(&published.rows);
}

TEST_OF(differences_come_in_order_of_the_number, fixture *f) {
    judge(f, (const int64_t[]){9, 2, 5, 7}, 4);
    expect_changes(f, 0, "+2 +5 +7 +9");
    expect_changes(f, 'a', "+2 +5 +7 +9");
    const twx_flag_row rows[] = {row_of(f, 1, 0), row_of(f, 5, 0), row_of(f, 7, 3),
                                 row_of(f, 11, 0)};
    for (size_t i = 0; i < TWX_COUNTOF(rows); i++) store(f, &rows[i]);
    expect_changes(f, 'a', "-1 +2 ~7 +9 -11");
}

/* Every 500th difference is written, in a transaction of its own. */
static twx_rc count_and_store(void *arg, const twx_flag_change *c) {
    seen *s = arg;
    if (++s->n % 500) return TWX_OK;
    if (c->fresh)
        store(s->f, c->fresh);
    else
        store_gone(s->f, c->stored->doc);
    return TWX_OK;
}

/* Of the judged numbers, which are even, half are stored; of the stored ones half are odd. */
static void judge_and_store_many(fixture *f) {
    static int64_t docs[MANY];
    for (int64_t i = 0; i < MANY; i++) docs[i] = 2 * i;
    judge(f, docs, MANY);
    twx_flag_row *rows = calloc(MANY, sizeof *rows);
    for (int64_t i = 0; i < MANY; i++) rows[i] = row_of(f, 2 * i + i % 2, i % 3);
    twx_flag_edit edit = {.rows = rows, .n_rows = MANY};
    while (!twx_flag_edit_is_done(&edit))
        expect_ok(&f->cx, twx_generation_write(f->g, &f->claim, &edit));
    free(rows);
}

TEST_OF(a_generation_may_be_written_to_meanwhile, fixture *f) {
    seen s = {.f = f};
    judge_and_store_many(f);
    expect_ok(&f->cx, changes(f, 'a', count_and_store, &s));
    /* half of the numbers are odd: gone, and new; of the even ones two thirds have copies */
    assert_int_equal(s.n, MANY / 2 * 2 + MANY / 3);
}

/* An error is of the first document, whichever thread meets one before. */
static twx_rc sum_up(void *arg, const twx_flag_change *c) {
    seen *s = arg;
    if (++s->n == s->fail_at) return twx_fail(&s->f->cx, TWX_E_LIMIT, "enough");
    for (size_t i = 0; i < TWX_FLAGS; i++)
        if (twx_flag_differs(twx_flag_at(i), c->stored, c->fresh))
            s->sum = twx_mix64(s->sum, i) + (uint64_t)(c->fresh ? c->fresh : c->stored)->doc;
    return TWX_OK;
}

static seen sum_by(fixture *f, size_t threads, bool by_hash, int fail_at, twx_rc wanted) {
    seen s = {.f = f, .fail_at = fail_at};
    twx_published published = {.run = 1};
    f->options.threads = threads;
    if (by_hash) expect_ok(&f->cx, twx_flags_each(&f->cx, f->g, 'a', note_hash, &published));
    assert_int_equal(changes_from(f, 'a', by_hash ? &published : NULL, sum_up, &s), wanted);
    TWX_VEC_DONE(&published.rows);
    assert_non_null(strstr(f->cx.message, wanted == TWX_E_CORRUPT ? "document number 9000 "
                                          : wanted == TWX_E_LIMIT ? "enough"
                                                                  : ""));
    twx_ctx_clear(&f->cx);
    return s;
}

TEST_OF(a_thread_that_reads_ahead_changes_neither_results_nor_errors, fixture *f) {
    static const struct {
        const char *change;
        int fail_at;
        twx_rc rc;
    } CASES[] = {{"SELECT 1", 0, TWX_OK},
                 {"UPDATE twindex_flag SET eligibility = 77 WHERE doc >= 9000", 0, TWX_E_CORRUPT},
                 {"UPDATE twindex_flag SET eligibility = 77 WHERE doc >= 3000", 10, TWX_E_LIMIT}};
    judge_and_store_many(f);
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        test_exec_in(f->path, CASES[i].change);
        const seen one = sum_by(f, 1, false, CASES[i].fail_at, CASES[i].rc),
                   two = sum_by(f, 2, false, CASES[i].fail_at, CASES[i].rc);
        assert_int_equal(one.n, two.n);
        assert_int_equal(one.sum, two.sum);
        assert_in_range(one.n, i ? 10 : MANY, i == 1 ? MANY : INT32_MAX);
    }
}

TEST_OF(a_thread_that_makes_rows_ahead_changes_neither_results_nor_errors, fixture *f) {
    judge_and_store_many(f);
    for (int fail_at = 0; fail_at <= 10; fail_at += 10) {
        const twx_rc wanted = fail_at ? TWX_E_LIMIT : TWX_OK;
        const seen rows = sum_by(f, 1, false, fail_at, wanted),
                   one = sum_by(f, 1, true, fail_at, wanted),
                   two = sum_by(f, 2, true, fail_at, wanted);
        assert_true(rows.n == one.n && one.n == two.n);
        assert_true(rows.sum == one.sum && one.sum == two.sum);
        assert_in_range(rows.n, fail_at ? fail_at : MANY, fail_at ? fail_at : INT32_MAX);
    }
}

/* Read as number 0, more than a batch of them would be read again and again. */
TEST_OF(numbers_that_are_texts_do_not_count, fixture *f) {
    int64_t unshared[2];
    size_t n = 9;
    judge(f, (const int64_t[]){9, 2}, 2);
    test_exec_in(f->path,
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) "
                 "INSERT INTO twindex_flag(doc, only_in, eligibility, link_state) "
                 "SELECT 'x' || i, i % 2, 0, 0 FROM n");
    expect_changes(f, 'a', "+2 +9");
    expect_ok(&f->cx, twx_flags_unshared(f->g, INT64_MIN, unshared, 2, &n));
    assert_int_equal(n, 0);
}

TESTS_OF(fixture, setup, teardown);
