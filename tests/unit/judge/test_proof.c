/* judge/proof: whether the difference of two texts proves that they are copies. */
#include "judge_fixture.h"

enum { PAGES_MAX = 40 };

/* form 0: its URL has none. */
typedef struct page {
    uint32_t host;
    uint64_t form;
    const char *text; /* NULL: it can no longer be read */
} page;

typedef struct fixture {
    twx_ctx cx;
    twx_doc_table docs;
    twx_proof proof;
    twx_text_source source;
    const page *pages;
    size_t reads;
    bool asked[PAGES_MAX];
    uint32_t node[PAGES_MAX];
    uint64_t form[PAGES_MAX];
    twx_pieces urls; /* empty: without folders */
    uint8_t eligibility[PAGES_MAX];
} fixture;

static twx_rc read_page(void *arg, uint32_t i, twx_buf *ret_text) {
    fixture *f = arg;
    f->reads++;
    f->asked[i] = true;
    return f->pages[i].text ? twx_buf_add_text(&f->cx, ret_text, f->pages[i].text) : TWX_DONE;
}

static void end(fixture *f) {
    twx_proof_done(&f->proof);
    twx_pieces_done(&f->urls);
    TWX_VEC_DONE(&f->docs.at);
    TWX_VEC_DONE(&f->docs.hosts);
}

TESTS_OF(fixture, TEST_NOTHING, end);

static void begin(fixture *f, const page *pages, size_t n) {
    end(f);
    *f = (fixture){.pages = pages, .source = {read_page, f}};
    assert_true(n <= PAGES_MAX);
    for (size_t i = 0; i < n; i++) {
        f->node[i] = (uint32_t)i;
        f->form[i] = pages[i].form;
        f->eligibility[i] = TWX_ELIGIBLE;
        assert_true(TWX_VEC_PUSH(&f->cx, &f->docs.at, ((twx_doc_row){.host = pages[i].host})));
        while (f->docs.hosts.n <= pages[i].host)
            assert_true(TWX_VEC_PUSH(&f->cx, &f->docs.hosts, (twx_host){0}));
    }
    twx_proof_init(&f->proof, &f->source);
    f->proof.p = &f->docs;
    f->proof.node = f->node;
    f->proof.form = f->form;
    f->proof.urls = &f->urls;
    f->proof.eligibility = f->eligibility;
}

static void add_url(fixture *f, uint16_t folder, uint16_t name) {
    const twx_url_names names = {.segments = 2, .name = {folder, name}};
    if (!f->urls.error) assert_int_equal(twx_pieces_init(&f->cx, &f->urls, SIZE_MAX), TWX_OK);
    assert_int_equal(twx_pieces_add(&f->cx, &f->urls, twx_names_of_url_packed(&names)), TWX_OK);
}

static twx_objection objection(fixture *f, uint32_t a, uint32_t b, bool unlike) {
    twx_objection o = {0};
    assert_int_equal(twx_proof_of(&f->cx, &f->proof, a, b, unlike, &o), TWX_OK);
    return o;
}

static bool hides(fixture *f, uint32_t a, uint32_t b) {
    return !objection(f, a, b, false).found;
}

#define BODY "The ferry to the island leaves from the old pier every morning at half past six."

TEST_OF(r1_substituted_words_and_a_few_inside_a_sentence_are_objections, fixture *f) {
    static const page PAGES[] = {{0, 1, BODY "\nDogs are permitted on deck."},
                                 {1, 2, BODY "\nDogs are not permitted on deck."},
                                 {2, 3, BODY "\nCats are permitted on deck."},
                                 {3, 4, BODY "\nDogs are permitted on deck.\nHome and contact"}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_false(hides(f, 0, 1));
    assert_false(hides(f, 1, 0));
    assert_false(hides(f, 0, 2));
    assert_true(hides(f, 0, 3)); /* more words around the text */
    assert_true(hides(f, 3, 0));
    const twx_objection o = objection(f, 0, 2, false);
    assert_true(twx_slice_eq(o.block.a, TWX_SLICE_LIT("Dogs")));
    assert_true(twx_slice_eq(o.block.b, TWX_SLICE_LIT("Cats")));
    assert_true(objection(f, 3, 0, false).adds);  /* whose name may be among them */
    assert_false(objection(f, 0, 3, false).adds); /* the other text has them */
}

/* 60 bytes and more on one host; a banner of another host is shorter than 200. */
TEST_OF(r1_passages_that_one_text_lacks_are_objections, fixture *f) {
#define PASSAGE "The boat of the pilot has gone to the other side of the sound. "
    static const page PAGES[] = {
        {0, 1, BODY "\nBring a coat."},
        {0, 2, BODY "\n" PASSAGE "\nBring a coat."},
        {1, 3, BODY "\n" PASSAGE "\nBring a coat."},
        {2, 4, BODY "\n" PASSAGE PASSAGE PASSAGE PASSAGE "\nBring a coat."},
        {0, 5, BODY "\nBring a coat.\n" PASSAGE}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_false(hides(f, 0, 1));
    assert_false(hides(f, 1, 0));
    assert_true(hides(f, 2, 0) && hides(f, 0, 2));
    assert_false(hides(f, 3, 0) || hides(f, 0, 3));
    assert_true(hides(f, 4, 0)); /* at the end */
#undef PASSAGE
}

TEST_OF(r2_session_ids_are_no_words, fixture *f) {
    static const page PAGES[] = {{0, 1, BODY "\nSession 0a1b2c3d4e5f60718293a4b5c6d7e8f9"},
                                 {1, 2, BODY "\nSession f9e8d7c6b5a4938271605f4e3d2c1b0a"},
                                 {1, 3, BODY "\nSession seven"}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_true(hides(f, 0, 1));
    assert_false(hides(f, 0, 2));
}

/* Two pages of the host, each captured twice, differ in their counters: so do copies elsewhere. */
TEST_OF(r2_machines_put_words_in_where_forms_of_pages_differ, fixture *f) {
    static const page PAGES[] = {{0, 1, "About the pier.\nSeen 15 times so far"},
                                 {0, 1, "About the pier.\nSeen 16 times so far"},
                                 {0, 2, "About the lighthouse.\nSeen 7 times so far"},
                                 {0, 2, "About the lighthouse.\nSeen 9 times so far"},
                                 {1, 3, "About the pier.\nSeen 88 times so far"},
                                 {2, 4, "About the pier.\nSeen 89 times so far"}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_true(hides(f, 4, 0));
    assert_true(hides(f, 0, 4));
    assert_false(hides(f, 4, 5)); /* hosts of which nothing is known */
    begin(f, PAGES + 2, 3);       /* one page is no evidence */
    assert_false(hides(f, 2, 0));
}

enum { SITE = 8 };

/* Pages of one site: the first lines are its menu. */
TEST_OF(r3_boilerplate_is_left_out, fixture *f) {
    static char text[SITE + 2][400];
    page pages[SITE + 2];
    for (uint32_t i = 0; i < SITE; i++) {
        snprintf(text[i], sizeof text[i],
                 "Boats and timetables\nPrices of tickets\n%s\nPage %c of the log", BODY, 'a' + i);
        pages[i] = (page){0, i + 1, text[i]};
    }
    snprintf(text[SITE], sizeof text[SITE], "Boats and timetables\nPrices of tickets\n%s", BODY);
    snprintf(text[SITE + 1], sizeof text[SITE + 1], "%s", BODY);
    pages[SITE] = (page){0, SITE + 1, text[SITE]};
    pages[SITE + 1] = (page){1, SITE + 2, text[SITE + 1]};
    begin(f, pages, SITE + 2);
    assert_true(hides(f, SITE, SITE + 1));
    assert_false(objection(f, SITE, SITE + 1, false).adds); /* the menu has no name */
    assert_false(hides(f, 0, 1));                           /* "Page a", "Page b" */
}

TEST_OF(r4_forms_of_one_page_need_no_proof, fixture *f) {
    static const page PAGES[] = {{0, 7, BODY "\nDogs are permitted on deck."},
                                 {0, 7, BODY "\nDogs are not permitted on deck."},
                                 {0, 7, "Something that has nothing in common with the others."},
                                 {0, 0, BODY}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_true(twx_proof_is_form(&f->proof, 0, 1));
    assert_false(twx_proof_is_form(&f->proof, 3, 3)); /* a URL without a form */
    assert_true(hides(f, 0, 1));
    assert_int_equal(f->reads, 0);
    assert_false(objection(f, 0, 1, true).found);
    assert_true(objection(f, 2, 1, true).unlike);
}

TEST_OF(r5_texts_that_are_no_near_duplicates_share_most_of_them, fixture *f) {
    static const page PAGES[] = {{0, 1, BODY},
                                 {1, 2, BODY "\nHome\nContact"},
                                 {2, 3, "Boats.\n" BODY "\n" BODY " Twice."},
                                 {3, 4, "Nothing of that."}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_false(objection(f, 0, 1, true).found);
    assert_true(objection(f, 0, 3, true).found);
}

enum { EDITION = 10 }; /* pages in each of two folders */

/* Is a page of one folder a copy of its counterpart in the other, if all pages of a folder end with
 * the given line? */
static bool editions_are_copies(fixture *f, const char *old, const char *new) {
    static char text[2 * EDITION][400];
    page pages[2 * EDITION];
    for (uint32_t i = 0; i < 2 * EDITION; i++) {
        snprintf(text[i], sizeof text[i], "%s\nPage %c of the manual\n%s\nImprint", BODY,
                 'a' + i % EDITION, i < EDITION ? old : new);
        pages[i] = (page){0, i + 1, text[i]};
    }
    begin(f, pages, 2 * EDITION);
    for (uint32_t i = 0; i < 2 * EDITION; i++) add_url(f, i < EDITION ? 7 : 8, (uint16_t)i);
    const bool are = hides(f, 0, EDITION);
    assert_false(hides(f, 0, EDITION + 1)); /* "Page a", "Page b" */
    return are;
}

TEST_OF(r6_the_dates_of_two_editions_are_no_difference, fixture *f) {
    assert_true(
        editions_are_copies(f, "Last updated on 2023-01-01.", "Last updated on 2023-10-16."));
    assert_true(editions_are_copies(f, "Built on Jan 1, 2023 12:30", "Built on Oct 16, 2022 7:05"));
    assert_true(editions_are_copies(f, "Erstellt: 3. August 2024", "Erstellt: 14. Mai 2025"));
    /* other numbers, a month alone, other words beside it, another time alone */
    assert_false(
        editions_are_copies(f, "Updated to 1.4: 2023-01-01", "Updated to 1.5: 2023-10-16"));
    assert_false(editions_are_copies(f, "Updated in May 2023", "Updated in June 2023"));
    assert_false(editions_are_copies(f, "Created on 2023-01-01", "Updated on 2023-10-16"));
    /* a date that is content */
    assert_false(editions_are_copies(f, "The council meets on 3 May 2026",
                                     "The council meets on 9 May 2026"));
    assert_false(editions_are_copies(f, "Prices from 2025-01-01", "Prices from 2026-01-01"));
    assert_false(editions_are_copies(f, "Open from 8:30", "Open from 9:30"));
    assert_false(editions_are_copies(f, "Call 0341 2023 11", "Call 0351 2024 12"));
}

/* Half of the pages of both folders have the same date: it is not that of an edition. */
TEST_OF(r6_a_date_of_both_editions_is_a_difference, fixture *f) {
    static char text[2 * EDITION][400];
    page pages[2 * EDITION];
    for (uint32_t i = 0; i < 2 * EDITION; i++) {
        snprintf(text[i], sizeof text[i], "%s\nUpdated on %u May 2023\nImprint", BODY, i % 2 + 1);
        pages[i] = (page){0, i + 1, text[i]};
    }
    begin(f, pages, 2 * EDITION);
    for (uint32_t i = 0; i < 2 * EDITION; i++) add_url(f, i < EDITION ? 7 : 8, (uint16_t)i);
    assert_true(hides(f, 0, EDITION));
    assert_false(hides(f, 0, EDITION + 1));
}

/* A date that only one page has is its own. */
TEST_OF(r6_the_date_of_a_page_is_a_difference, fixture *f) {
    static char text[2 * EDITION][400];
    page pages[2 * EDITION];
    for (uint32_t i = 0; i < 2 * EDITION; i++) {
        snprintf(text[i], sizeof text[i], "%s\nThe fair opens on %u August 2023", BODY, i + 1);
        pages[i] = (page){0, i + 1, text[i]};
    }
    begin(f, pages, 2 * EDITION);
    assert_false(hides(f, 0, 1));
}

TEST_OF(a_text_that_cannot_be_read_proves_nothing, fixture *f) {
    static const page PAGES[] = {{0, 1, BODY}, {1, 2, NULL}, {2, 3, BODY}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_true(objection(f, 0, 1, false).unread);
    assert_true(objection(f, 1, 0, false).unread);
    assert_true(objection(f, 1, 0, true).unread);
    assert_int_equal(f->proof.unread, 3);
    assert_true(hides(f, 0, 2)); /* the buffers hold what they held */
}

/* Where texts have to be fetched, the next attempt must not miss the second one of a pair. */
TEST_OF(both_texts_of_a_pair_are_asked_for, fixture *f) {
    static const page PAGES[] = {{0, 0, NULL}, {1, 0, NULL}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_true(objection(f, 0, 1, false).unread);
    assert_true(f->asked[0] && f->asked[1]);
    assert_int_equal(f->proof.unread, 1);
}

/* A pair is not decided for good while something is not known of its hosts. */
TEST_OF(pairs_of_hosts_that_are_not_known_are_counted, fixture *f) {
    static const page PAGES[] = {{0, 1, "The harbour of Leipzig is small."},
                                 {0, 2, "The harbour of Dresden is small."},
                                 {0, 3, NULL},
                                 {1, 4, "The harbour of Hamburg is large."},
                                 {1, 5, "The harbour of Bremen is large."},
                                 {0, 6, "Boats."}};
    begin(f, PAGES, TWX_COUNTOF(PAGES));
    assert_true(objection(f, 0, 1, false).found);
    assert_true(f->asked[2]);
    assert_int_equal(f->proof.unread, 1);
    assert_true(objection(f, 3, 4, false).found);
    assert_int_equal(f->proof.unread, 1);
}
