#include "judge_fixture.h"

enum { MANY = 16, REACH = 50 };

/* A detector whose payload is a byte; texts are the less alike the farther their bytes are from
 * each other. */
static int32_t verify_byte(const twx_params *params, twx_slice a, twx_slice b) {
    (void)params;
    assert_int_equal(a.n, 1);
    assert_int_equal(b.n, 1);
    const int apart = abs((unsigned char)a.p[0] - (unsigned char)b.p[0]);
    return apart > REACH ? -1 : 1000000 - apart;
}

static const twx_detector BYTES = {
    .name = "bytes", .translations_separate = true, .near = true, .verify = verify_byte};
static const twx_detector UNVERIFIED = {
    .name = "unverified", .translations_separate = true, .near = true};

/* A document: text 0 has no keys. Equal texts have equal bytes. */
typedef struct page {
    entry who;
    uint64_t text;
    unsigned char byte;
} page;

typedef struct fixture {
    twx_ctx cx;
    twx_doc_set j;
    twx_judge_options o;
    twx_flag_row row[MANY];
} fixture;

typedef struct near_way {
    const twx_detector *detector; /* NULL: BYTES */
    bool together;                /* translations are not kept separate */
    twx_join join;
    uint64_t scope[MANY]; /* of each document */
} near_way;

static void add_page(fixture *f, const near_way *way, uint32_t i, const page *p, size_t *nodes) {
    const char byte = (char)p->byte;
    bool is_new = false;
    const twx_signed_as signed_as = {.known = p->text ? 1u << TWX_RELATION_EXACT : 0,
                                     .sig = {[TWX_RELATION_EXACT] = p->text}};
    assert_ok(twx_signed_as_add(&f->cx, &f->j, &signed_as));
    if (!p->text) return;
    assert_ok(twx_grouper_add(f->j.grouper[TWX_RELATION_EXACT], p->text, 0, i));
    const uint64_t text = twx_mix64(p->text, way->scope[i]);
    const twx_near_text near_text = {text, way->scope[i], {&byte, 1}, true};
    assert_ok(twx_near_add(&f->cx, &f->j.near, i, &near_text, &is_new));
    assert_true(is_new == (f->j.near.node[i] == *nodes));
    *nodes += is_new;
    if (is_new)
        assert_ok(
            twx_grouper_add(f->j.grouper[TWX_RELATION_NEAR], way->scope[i], 0, f->j.near.node[i]));
}

static void end(fixture *f) {
    twx_doc_set_done(&f->j);
}

TESTS_OF(fixture, TEST_NOTHING, end);

/* Judges n pages: one key for all texts of a scope. */
static void judge_by(fixture *f, const near_way *way, const page *pages, uint32_t n) {
    end(f);
    memset(f, 0, sizeof *f);
    twx_doc_set_init(&f->j);
    f->o = (twx_judge_options){.preference = USUAL,
                               .collapse_min = 100,
                               .join = way->join,
                               .candidates = 64,
                               .relations = 1u << TWX_RELATION_EXACT | 1u << TWX_RELATION_NEAR,
                               .separate = way->together ? 0 : 1u << TWX_RELATION_NEAR};
    f->j.near.detector = way->detector ? way->detector : &BYTES;
    f->j.near.options = &f->o;
    assert_ok(twx_pieces_init(&f->cx, &f->j.signed_as, 0));
    assert_ok(twx_near_init(&f->cx, &f->j.near, n));
    assert_ok(twx_grouper_open(&f->cx, 0, NULL, &f->j.grouper[TWX_RELATION_EXACT]));
    assert_ok(twx_grouper_open(&f->cx, 0, NULL, &f->j.grouper[TWX_RELATION_NEAR]));
    size_t nodes = 0;
    for (uint32_t i = 0; i < n; i++) {
        populate_one(&f->cx, &f->j.docs, &pages[i].who, i);
        add_page(f, way, i, &pages[i], &nodes);
    }
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
    for (uint32_t i = 0; i < n; i++) twx_judged_row(&f->j, &f->o, i, &f->row[i]);
}

static void judge(fixture *f, const page *pages, uint32_t n) {
    judge_by(f, &(near_way){0}, pages, n);
}

static const uint32_t ALONE = TWX_NO_DOCUMENT;

static void expect_reps(const fixture *f, const uint32_t *reps, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (twx_groups_rep(&f->j.groups[TWX_RELATION_NEAR], i) != reps[i])
            fail_msg("document %u follows %u, not %u", i,
                     twx_groups_rep(&f->j.groups[TWX_RELATION_NEAR], i), reps[i]);
}

/* INT64_MIN: NULL */
static int64_t value(const fixture *f, uint32_t i, twx_flag_column c) {
    return twx_flag_known(&f->row[i], c) ? f->row[i].v[c] : INT64_MIN;
}

/* ---- nodes -------------------------------------------------------------- */

TEST_OF(r1_copies_of_a_text_are_one_node, fixture *f) {
    const page pages[] = {
        {{0}, 5, 100}, {{0}, 5, 100}, {{0}, 6, 110}, {{0}, 5, 100}, {{0}, 7, 220}};
    judge(f, pages, 5);
    assert_int_equal(f->j.near.compared_nodes.n, 3);
    assert_int_equal(f->j.near.compared, 2); /* 6 with 5, 7 with 5 */
    expect_reps(f, (const uint32_t[]){0, 0, 0, 0, ALONE}, 5);
    assert_int_equal(twx_groups_count(&f->j.groups[TWX_RELATION_NEAR], 2), 4);
}

TEST_OF(r1_a_text_of_two_scopes_is_two_nodes, fixture *f) {
    const page pages[] = {{{0}, 5, 100}, {{0}, 5, 100}, {{0}, 6, 101}, {{0}, 6, 101}};
    judge_by(f, &(near_way){.scope = {1, 2, 1, 2}}, pages, 4);
    assert_int_equal(f->j.near.compared_nodes.n, 4);
    expect_reps(f, (const uint32_t[]){0, 1, 0, 1}, 4);
}

TEST_OF(r2_the_best_document_represents_although_its_text_came_last, fixture *f) {
    const page pages[] = {{{.score = 1}, 5, 100},
                          {{.score = 2}, 6, 120},
                          {{.score = 1}, 6, 120},
                          {{.score = 3}, 7, 110}};
    judge(f, pages, 4);
    expect_reps(f, (const uint32_t[]){3, 3, 3, 3}, 4);
}

TEST_OF(the_best_document_of_a_text_decides_its_rank, fixture *f) {
    /* 6 comes before 5 for document 3: 7 is as near to both */
    const page pages[] = {{{.score = 4}, 5, 80},
                          {{.score = 1}, 6, 160},
                          {{.score = 2}, 7, 120},
                          {{.score = 9}, 6, 160}};
    judge(f, pages, 4);
    expect_reps(f, (const uint32_t[]){ALONE, 3, 3, 3}, 4);
}

TEST_OF(who_does_not_take_part_neither_represents_nor_is_counted, fixture *f) {
    const page pages[] = {{{.score = 9, .status = 404}, 5, 100},
                          {{.score = 1}, 5, 100},
                          {{.score = 2}, 6, 110},
                          {{.status = 404}, 7, 111}};
    judge(f, pages, 4);
    expect_reps(f, (const uint32_t[]){ALONE, 2, 2, ALONE}, 4);
    assert_int_equal(twx_groups_count(&f->j.groups[TWX_RELATION_NEAR], 1), 2);
    assert_int_equal(f->j.near.compared, 1); /* no document of 7 takes part */
    assert_true(value(f, 0, TWX_FLAG_near_count) == INT64_MIN &&
                value(f, 0, TWX_FLAG_near_sig) == INT64_MIN);
}

TEST_OF(a_document_without_keys_has_no_near_duplicate, fixture *f) {
    const page pages[] = {{{0}, 0, 0}, {{0}, 0, 0}, {{0}, 5, 0}};
    judge(f, pages, 3);
    expect_reps(f, (const uint32_t[]){ALONE, ALONE, ALONE}, 3);
    assert_int_equal(value(f, 0, TWX_FLAG_near_count), 1);
    assert_true(value(f, 0, TWX_FLAG_near_sig) == INT64_MIN &&
                value(f, 2, TWX_FLAG_near_sig) != INT64_MIN);
}

TEST_OF(without_a_verifier_a_key_is_enough, fixture *f) {
    const page pages[] = {{{0}, 5, 0}, {{0}, 6, 255}};
    judge_by(f, &(near_way){.detector = &UNVERIFIED}, pages, 2);
    expect_reps(f, (const uint32_t[]){0, 0}, 2);
    assert_int_equal(value(f, 1, TWX_FLAG_near_similarity), 1000000);
}

TEST_OF(members_are_compared_with_when_they_are_joined_by_links, fixture *f) {
    const page pages[] = {{{0}, 5, 10}, {{0}, 6, 50}, {{0}, 7, 90}};
    judge(f, pages, 3);
    expect_reps(f, (const uint32_t[]){0, 0, ALONE}, 3);
    judge_by(f, &(near_way){.join = TWX_JOIN_LINK}, pages, 3);
    expect_reps(f, (const uint32_t[]){0, 0, 0}, 3);
}

/* ---- translations ------------------------------------------------------- */

TEST_OF(r3_translations_are_kept_apart, fixture *f) {
    const page pages[] = {{{.hreflang = 1}, 5, 100},
                          {{.hreflang = 1}, 6, 110},
                          {{.hreflang = 2}, 7, 120},
                          {{0}, 8, 104}};
    judge(f, pages, 4);
    expect_reps(f, (const uint32_t[]){0, 1, 1, 0}, 4); /* 7 and 8: to whom they resemble more */
    judge_by(f, &(near_way){.together = true}, pages, 4);
    expect_reps(f, (const uint32_t[]){0, 0, 0, 0}, 4);
}

TEST_OF(r3_one_text_in_one_hreflang_group_is_no_translation, fixture *f) {
    const page pages[] = {
        {{.hreflang = 1}, 5, 100}, {{.hreflang = 1}, 5, 100}, {{.hreflang = 2}, 6, 101}};
    judge(f, pages, 3);
    expect_reps(f, (const uint32_t[]){0, 0, 0}, 3);
}

/* The third text is a translation of a member that is not the representative. */
TEST_OF(r3_translations_of_members_are_kept_apart_too, fixture *f) {
    const page pages[] = {{{0}, 5, 100}, {{.hreflang = 3}, 6, 101}, {{.hreflang = 3}, 7, 102}};
    judge(f, pages, 3);
    expect_reps(f, (const uint32_t[]){0, 0, ALONE}, 3);
}

/* A copy of a text speaks for all of them. */
TEST_OF(r3_a_text_has_the_hreflang_groups_of_all_its_documents, fixture *f) {
    const page pages[] = {{{0}, 5, 100},
                          {{.hreflang = 1}, 5, 100},
                          {{.hreflang = 2}, 5, 100},
                          {{.hreflang = 2}, 6, 101},
                          {{.hreflang = 1}, 7, 103}};
    judge(f, pages, 5);
    expect_reps(f, (const uint32_t[]){0, 0, 0, 3, 3}, 5);
}

TEST_OF(r3_a_document_that_does_not_take_part_is_no_translation, fixture *f) {
    const page pages[] = {
        {{0}, 5, 100}, {{.hreflang = 1, .status = 404}, 5, 100}, {{.hreflang = 1}, 6, 101}};
    judge(f, pages, 3);
    expect_reps(f, (const uint32_t[]){0, ALONE, 0}, 3);
}

/* ---- flags -------------------------------------------------------------- */

TEST_OF(members_have_the_similarity_of_their_text, fixture *f) {
    const page pages[] = {
        {{0}, 5, 100}, {{0}, 6, 107}, {{0}, 6, 107}, {{0}, 5, 100}, {{0}, 9, 250}};
    judge(f, pages, 5);
    assert_int_equal(value(f, 0, TWX_FLAG_near_similarity), 1000000);
    assert_int_equal(value(f, 1, TWX_FLAG_near_similarity), 1000000 - 7);
    assert_int_equal(value(f, 2, TWX_FLAG_near_similarity), 1000000 - 7);
    assert_int_equal(value(f, 3, TWX_FLAG_near_similarity), 1000000);
    assert_true(value(f, 4, TWX_FLAG_near_similarity) == INT64_MIN); /* alone */
    assert_int_equal(value(f, 4, TWX_FLAG_near_count), 1);
    assert_int_equal(value(f, 1, TWX_FLAG_near_rep), 1); /* document numbers begin with 1 */
}

TEST_OF(a_cluster_has_one_number_made_of_its_representative, fixture *f) {
    page pages[] = {{{.url = "a"}, 5, 100}, {{.url = "b"}, 6, 107}, {{.url = "c"}, 9, 250}};
    judge(f, pages, 3);
    const int64_t number = value(f, 0, TWX_FLAG_near_sig);
    assert_true(value(f, 1, TWX_FLAG_near_sig) == number &&
                value(f, 2, TWX_FLAG_near_sig) != number);
    /* document numbers do not matter */
    pages[0].who.doc = 900, pages[1].who.doc = 901, pages[2].who.doc = 902;
    /* nor does a member's text */
    pages[1].text = 8;
    judge(f, pages, 3);
    assert_true(value(f, 0, TWX_FLAG_near_sig) == number &&
                value(f, 1, TWX_FLAG_near_sig) == number);
    pages[0].who.url = "other";
    judge(f, pages, 3);
    assert_true(value(f, 0, TWX_FLAG_near_sig) != number);
    pages[0] = (page){{.url = "a"}, 4, 100};
    judge(f, pages, 3);
    assert_true(value(f, 0, TWX_FLAG_near_sig) != number);
}

/* Near-duplicates that are not known to be copies (here no copies are asked for) are siblings. */
TEST_OF(near_duplicates_that_are_no_copies_are_siblings_by_type, fixture *f) {
    const page pages[] = {{{.layout = 1}, 5, 100},
                          {{.layout = 1}, 6, 107},
                          {{.layout = 2}, 7, 108},
                          {{0}, 8, 250},
                          {{.layout = 1}, 8, 250}};
    judge(f, pages, 5);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(value(f, i, TWX_FLAG_duplicate_type), 5);
    /* full-content: the same text comes first */
    assert_int_equal(value(f, 3, TWX_FLAG_duplicate_type), 2);
    assert_int_equal(value(f, 2, TWX_FLAG_duplicate_of), 1);
}

TEST(nothing_is_no_trouble) {
    twx_near near = {0};
    twx_near_done(&near);
    twx_near_done(NULL);
}
