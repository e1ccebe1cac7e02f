/* Both generations of flags are in one table: whatever is written to one, the other stays as it is,
 * and a row that both have is stored once. A store with two tables becomes one with one. */
#include "store_fixture.h"

#include "sql_text.h"

enum { DOCS = 9, VALUES = 3, ROUNDS = 400 };

/* The signature of each document in a and in b; 0: it has no flags. */
typedef struct model {
    int64_t of[2][DOCS];
} model;

static twx_flag_row row_of(int64_t doc, int64_t signature) {
    twx_flag_row row = {.doc = doc};
    twx_flag_set(&row, TWX_FLAG_eligibility, 0);
    twx_flag_set(&row, TWX_FLAG_link_state, 0);
    if (signature == 1) return row; /* the others are NULL */
    twx_flag_set(&row, TWX_FLAG_exact_sig, signature);
    twx_flag_set(&row, TWX_FLAG_near_sig, signature);
    twx_flag_set(&row, TWX_FLAG_copy_sig, signature == 2 ? signature : -signature);
    return row;
}

static void expect_model(twx_ctx *cx, twx_generations *g, const model *m) {
    twx_flag_row row;
    for (int k = 0; k < 2; k++) {
        for (int64_t doc = 0; doc < DOCS; doc++) {
            const int64_t wanted = m->of[k][doc];
            const twx_rc rc = twx_flags_get(g, k ? 'b' : 'a', doc, &row);
            const twx_flag_row expected = row_of(doc, wanted);
            assert_int_equal(rc, wanted ? TWX_OK : TWX_DONE);
            assert_true(!wanted || twx_flag_row_eq(&row, &expected));
        }
        twx_flag_row rows[DOCS];
        size_t n = 0, has = 0;
        twx_flags_cursor c = {0};
        expect_ok(cx, twx_flags_cursor_init(cx, g, k ? 'b' : 'a', &c));
        expect_ok(cx, twx_flags_cursor_fill(cx, &c, rows, DOCS, &n));
        twx_flags_cursor_done(&c);
        for (int64_t doc = 0; doc < DOCS; doc++) has += m->of[k][doc] != 0;
        assert_int_equal(n, has);
    }
}

static int64_t rows_of(const model *m) {
    int64_t n = 0;
    for (int doc = 0; doc < DOCS; doc++) {
        const int64_t a = m->of[0][doc], b = m->of[1][doc];
        n += (a != 0) + (b != 0) - (a && a == b);
    }
    return n;
}

/* The documents whose flags differ between the generations. */
static void expect_unshared(const twx_ctx *cx, twx_generations *g, const model *m) {
    int64_t docs[DOCS], after = INT64_MIN;
    size_t n = 0;
    for (int64_t doc = 0; doc < DOCS; doc++) {
        if (m->of[0][doc] == m->of[1][doc]) continue;
        expect_ok(cx, twx_flags_unshared(g, after, docs, 1 + (size_t)doc % 3, &n));
        assert_true(n > 0);
        assert_int_equal(docs[0], doc);
        after = doc;
    }
    expect_ok(cx, twx_flags_unshared(g, after, docs, DOCS, &n));
    assert_int_equal(n, 0);
}

/* Writes some rows to a generation, deletes others, and publishes it. */
static void change(twx_ctx *cx, twx_generations *g, test_rng *rng, char base, model *m) {
    static const twx_publication DIRECT = {.direct = true, .summary = "{}"};
    const int k = twx_other_generation(base) == 'b';
    twx_claim claim = {.token = 5, .base = base, .started_at = 1, .settings = "{}"};
    twx_flag_row rows[DOCS];
    int64_t gone[DOCS];
    size_t n = 0, n_gone = 0;
    for (int64_t doc = 0; doc < DOCS; doc++) {
        const int64_t value = (int64_t)test_rng_below(rng, VALUES + 2);
        if (value == 0 && m->of[k][doc]) gone[n_gone++] = doc;
        if (value > 0 && value <= VALUES) rows[n++] = row_of(doc, value);
        if (value <= VALUES) m->of[k][doc] = value;
    }
    twx_flag_edit edit = {.rows = rows, .n_rows = n, .gone = gone, .n_gone = n_gone};
    expect_ok(cx, twx_generation_claim(g, &claim));
    while (!twx_flag_edit_is_done(&edit)) expect_ok(cx, twx_generation_write(g, &claim, &edit));
    if (!base) memcpy(m->of[1], m->of[0], sizeof m->of[0]); /* they are those of both generations */
    expect_ok(cx, twx_generation_publish(g, &claim, &DIRECT));
}

TEST(writing_to_one_generation_leaves_the_other) {
    twx_ctx cx;
    twx_generations *g = NULL;
    model m = {{{0}}};
    test_rng rng = test_rng_seed(1);
    const char *path = store_of("shared.db", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url)");
    twx_db *db = open_migrated(&cx, path);
    expect_ok(&cx, twx_generations_open(db, &g));
    char base = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        const twx_publication direct = {.direct = true, .summary = "{}"};
        change(&cx, g, &rng, base, &m);
        base = twx_other_generation(base);
        if (round > 1 && test_rng_below(&rng, 4) == 0)
            expect_ok(&cx, twx_generation_undo(g, &direct, &base));
        expect_model(&cx, g, &m);
        expect_unshared(&cx, g, &m);
        assert_int_equal(test_integer_in(path, "SELECT count(*) FROM twindex_flag"), rows_of(&m));
        int64_t shown = 0;
        for (int doc = 0; doc < DOCS; doc++) shown += m.of[base == 'b'][doc] != 0;
        assert_int_equal(test_integer_in(path, "SELECT count(*) FROM document_flags"), shown);
    }
    twx_generations_close(g);
    twx_db_close(db);
}

/* copy_sig is 0 in the table where it is near_sig; another program may have written the number. */
TEST(the_number_of_a_cluster_is_stored_once) {
    static const twx_publication DIRECT = {.direct = true, .summary = "{}"};
    twx_ctx cx;
    twx_generations *g = NULL;
    twx_claim claim = {.token = 5, .started_at = 1, .settings = "{}"};
    const twx_flag_row rows[] = {row_of(1, 1), row_of(2, 2), row_of(3, 3), row_of(4, 2)};
    twx_flag_row row;
    const char *path = store_of("once.db", "CREATE TABLE pages(id INTEGER PRIMARY KEY, url)");
    twx_db *db = open_migrated(&cx, path);
    expect_ok(&cx, twx_generations_open(db, &g));
    twx_flag_edit edit = {.rows = rows, .n_rows = TWX_COUNTOF(rows)};
    expect_ok(&cx, twx_generation_claim(g, &claim));
    while (!twx_flag_edit_is_done(&edit)) expect_ok(&cx, twx_generation_write(g, &claim, &edit));
    expect_ok(&cx, twx_generation_publish(g, &claim, &DIRECT));
    assert_int_equal(test_integer_in(path,
                                     "SELECT group_concat(ifnull(copy_sig, 'x'), '') = 'x0-30' "
                                     "FROM (SELECT copy_sig FROM twindex_flag ORDER BY doc)"),
                     1);
    test_exec_in(path, "UPDATE twindex_flag SET copy_sig = 2 WHERE doc = 4");
    assert_int_equal(
        test_integer_in(path, "SELECT group_concat(ifnull(copy_cluster_l, 'x'), ',') = 'x,2,-3,2' "
                              "FROM (SELECT copy_cluster_l FROM document_flags ORDER BY id)"),
        1);
    for (size_t i = 0; i < TWX_COUNTOF(rows); i++) {
        expect_ok(&cx, twx_flags_get(g, 'a', rows[i].doc, &row));
        assert_true(twx_flag_row_eq(&row, &rows[i]));
    }
    twx_generations_close(g);
    twx_db_close(db);
}
