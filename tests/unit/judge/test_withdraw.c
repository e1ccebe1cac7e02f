#include "judge_fixture.h"
#include "packed_record.h"

enum { DOCUMENTS = 6 };

typedef struct fixture {
    twx_ctx cx;
    twx_doc_set j;
    twx_judge_options o;
} fixture;

static void give(fixture *f, twx_relation_id relation, uint64_t key, uint32_t from, uint32_t to) {
    if (!f->j.grouper[relation])
        assert_ok(twx_grouper_open(&f->cx, 0, NULL, &f->j.grouper[relation]));
    for (uint32_t i = from; i < to; i++)
        assert_ok(twx_grouper_add(f->j.grouper[relation], key, 0, i));
}

/* Documents 0 to 3 have one text, 3 and 4 one title, 5 redirects to 0; a lower index is better. */
static void setup(fixture *f) {
    const entry documents[DOCUMENTS] = {{.url = "a", .score = 9},
                                        {.score = 8},
                                        {.score = 7},
                                        {.score = 6},
                                        {.score = 5},
                                        {.url = "f", .link = "a", .bits = TWX_FACT_REDIRECT}};
    twx_doc_set_init(&f->j);
    populate(&f->cx, &f->j.docs, documents, DOCUMENTS);
    f->o = (twx_judge_options){.preference = USUAL, .collapse_min = 10};
    f->j.options = &f->o;
    give(f, TWX_RELATION_EXACT, 11, 0, 4);
    give(f, TWX_RELATION_TITLE, 12, 3, 5);
    assert_ok(twx_relations_parse(&f->cx, twx_slice_of("exact title redirect"), &f->o.relations));
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
}

static void teardown(fixture *f) {
    twx_doc_set_done(&f->j);
    assert_ok(f->cx.rc);
}

TESTS_OF(fixture, setup, teardown);

/* INT64_MIN: NULL */
static int64_t flag(const fixture *f, uint32_t i, twx_flag_column column) {
    twx_flag_row row;
    twx_judged_row(&f->j, &f->o, i, &row);
    return twx_flag_known(&row, column) ? row.v[column] : INT64_MIN;
}

static void withdraw(fixture *f, uint32_t i) {
    assert_ok(twx_doc_set_withdraw(&f->cx, &f->j, &i, 1));
}

TEST_OF(only_representatives_of_others_matter, fixture *f) {
    assert_true(twx_represents_others(&f->j, 0));  /* of the exact group and of the cluster */
    assert_false(twx_represents_others(&f->j, 1)); /* hidden */
    assert_true(twx_represents_others(&f->j, 3));  /* of the titles, though hidden itself */
    assert_false(twx_represents_others(&f->j, 4));
}

TEST_OF(r1_the_best_of_the_others_takes_the_place, fixture *f) {
    assert_int_equal(flag(f, 1, TWX_FLAG_duplicate_of), 1);
    assert_int_equal(flag(f, 1, TWX_FLAG_exact_count), 4);
    withdraw(f, 0);
    assert_true(twx_is_withdrawn(&f->j, 0));
    assert_int_equal(flag(f, 1, TWX_FLAG_duplicate_of), INT64_MIN); /* the survivor now */
    assert_int_equal(flag(f, 1, TWX_FLAG_exact_rep), 2);
    for (uint32_t i = 2; i < 5; i++) assert_int_equal(flag(f, i, TWX_FLAG_duplicate_of), 2);
    assert_int_equal(flag(f, 2, TWX_FLAG_exact_count), 3);
    assert_int_equal(flag(f, 2, TWX_FLAG_cluster_count), 4);
    /* the next one */
    withdraw(f, 1);
    assert_int_equal(flag(f, 3, TWX_FLAG_duplicate_of), 3);
    assert_int_equal(flag(f, 3, TWX_FLAG_exact_count), 2);
}

TEST_OF(r2_nothing_refers_to_a_withdrawn_document, fixture *f) {
    assert_int_equal(flag(f, 5, TWX_FLAG_duplicate_of), 1);
    withdraw(f, 0);
    for (uint32_t i = 1; i < DOCUMENTS; i++) {
        assert_int_not_equal(flag(f, i, TWX_FLAG_duplicate_of), 1);
        assert_int_not_equal(flag(f, i, TWX_FLAG_exact_rep), 1);
    }
}

/* A group that a withdrawn document leaves without representing it keeps its representative. */
TEST_OF(a_member_that_leaves_is_no_longer_counted, fixture *f) {
    withdraw(f, 3);
    assert_int_equal(flag(f, 1, TWX_FLAG_duplicate_of), 1);
    assert_int_equal(flag(f, 1, TWX_FLAG_exact_count), 3);
    /* a document that is alone is in no group */
    assert_int_equal(flag(f, 4, TWX_FLAG_title_rep), INT64_MIN);
    assert_int_equal(flag(f, 4, TWX_FLAG_title_count), INT64_MIN);
}

/* Documents head to end - 1 */
static void group(fixture *f, twx_relation_id relation, uint32_t head, uint32_t end) {
    twx_groups *g = &f->j.groups[relation];
    uint32_t rep[DOCUMENTS];
    for (uint32_t i = 0; i < DOCUMENTS; i++) rep[i] = i >= head && i < end ? head : TWX_NO_DOCUMENT;
    g->made = true;
    assert_ok(twx_sparse_groups_make(&f->cx, rep, DOCUMENTS, &g->of));
}

/* Documents 0 to 2 are near-duplicates, 0 and 1 are copies, so 2 is their sibling. */
TEST(siblings_that_leave_are_no_longer_counted) {
    static const uint32_t FIRST[] = {0, 2};
    for (size_t k = 0; k < TWX_COUNTOF(FIRST); k++) {
        fixture f = {0};
        setup(&f);
        assert_ok(twx_near_init(&f.cx, &f.j.near, DOCUMENTS));
        group(&f, TWX_RELATION_NEAR, 0, 3);
        group(&f, TWX_RELATION_COPY, 0, 2);
        assert_ok(twx_near_count_siblings(&f.cx, &f.j.near, DOCUMENTS,
                                          &f.j.groups[TWX_RELATION_NEAR],
                                          &f.j.groups[TWX_RELATION_COPY]));
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(flag(&f, i, TWX_FLAG_sibling_count), i < 3);
        withdraw(&f, FIRST[k]); /* a copy, of which another one stays; or the sibling */
        assert_int_equal(flag(&f, 1, TWX_FLAG_sibling_count), FIRST[k] == 0);
        withdraw(&f, FIRST[!k]);
        assert_int_equal(flag(&f, 1, TWX_FLAG_sibling_count), 0);
        teardown(&f);
    }
}

/* Documents 1 to 3 are near-duplicates; 1 and 2 are copies of 0, which is none of these. */
TEST_OF(copies_of_another_near_duplicate_group_are_counted_once, fixture *f) {
    assert_ok(twx_near_init(&f->cx, &f->j.near, DOCUMENTS));
    group(f, TWX_RELATION_NEAR, 1, 4);
    group(f, TWX_RELATION_COPY, 0, 3);
    assert_ok(twx_near_count_siblings(&f->cx, &f->j.near, DOCUMENTS,
                                      &f->j.groups[TWX_RELATION_NEAR],
                                      &f->j.groups[TWX_RELATION_COPY]));
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(flag(f, i, TWX_FLAG_sibling_count), i >= 1 && i < 4);
}

static bool has_changed(fixture *f, uint32_t i, const twx_facts *is) {
    twx_buf facts = {.max = 4096};
    bool changed = true; /* which the call sets */
    twx_facts packed = *is;
    packed.url = twx_slice_of("http://h/");
    assert_ok(twx_facts_pack(&f->cx, &packed, &facts));
    assert_ok(twx_has_changed(&f->cx, &f->j, i, twx_buf_slice(&facts), NO_ENTRIES, &changed));
    twx_buf_done(&facts);
    return changed;
}

TEST_OF(dates_and_scores_change_nothing, fixture *f) {
    const twx_doc_row *was = &f->j.docs.at.at[0];
    twx_facts facts = {.bits = was->bits | TWX_FACT_DATED,
                       .status = was->status,
                       .url_length = was->url_length,
                       .url_key = was->url_key,
                       .fetched_at = 1700000000,
                       .host = twx_slice_of("h")};
    facts.score_order = twx_score_order(1);
    assert_false(has_changed(f, 0, &facts));
    facts.status = 404;
    assert_true(has_changed(f, 0, &facts));
    facts.status = TWX_STATUS_NONE;
    facts.bits |= TWX_FACT_NOINDEX;
    assert_true(has_changed(f, 0, &facts));
    facts.bits &= ~(uint32_t)TWX_FACT_NOINDEX;
    facts.url_key++;
    assert_true(has_changed(f, 0, &facts));
}

/* Of four relations with a signature: a document that had none, or one of two, and has none, or one
 * of two, in each. It has changed if any of them differs. */
TEST(other_signatures_are_a_change) {
    enum { SIGNED = 4, STATES = 3 * 3 * 3 * 3 };
    static const twx_relation_id RELATIONS[SIGNED] = {TWX_RELATION_EXACT, TWX_RELATION_FUZZY,
                                                      TWX_RELATION_TITLE, TWX_RELATION_DESCRIPTION};
    static const twx_detector DETECTORS[SIGNED] = {{.id = 3}, {.id = 5}, {.id = 6}, {.id = 9}};
    fixture f = {0};
    twx_doc_set_init(&f.j);
    f.j.options = &f.o;
    for (size_t k = 0; k < SIGNED; k++) f.o.detectors[RELATIONS[k]] = &DETECTORS[k];
    assert_ok(twx_pieces_init(&f.cx, &f.j.signed_as, 1 << 20));
    for (uint32_t was = 0; was < STATES; was++) {
        twx_signed_as as = {.made = 1};
        populate_one(&f.cx, &f.j.docs, &(entry){.url = "a"}, was);
        for (uint32_t k = 0, rest = was; k < SIGNED; k++, rest /= 3) {
            if (rest % 3) as.known |= (uint8_t)(1u << RELATIONS[k]);
            as.sig[RELATIONS[k]] = rest % 3;
        }
        assert_ok(twx_signed_as_add(&f.cx, &f.j, &as));
    }
    for (uint32_t is = 0; is < STATES; is++) {
        twx_buf facts = {.max = 4096}, record = {.max = 4096}, entries = {.max = 4096};
        twx_facts one = facts_of(&(entry){.url = "a"});
        one.url = twx_slice_of("http://h/");
        assert_ok(twx_facts_pack(&f.cx, &one, &facts));
        for (uint32_t k = 0, rest = is; k < SIGNED; k++, rest /= 3)
            if (rest % 3) add_entry_to(&entries, DETECTORS[k].id, rest % 3, "");
        pack_record(&entries, &record);
        for (uint32_t was = 0; was < STATES; was++) {
            bool changed = was == is;
            assert_ok(twx_has_changed(&f.cx, &f.j, was, twx_buf_slice(&facts),
                                      twx_buf_slice(&record), &changed));
            if (changed != (was != is)) fail_msg("from %u to %u", (unsigned)was, (unsigned)is);
        }
        twx_buf_done(&facts);
        twx_buf_done(&record);
        twx_buf_done(&entries);
    }
    teardown(&f);
}
