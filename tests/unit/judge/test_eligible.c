#include "judge_fixture.h"

enum { COLLAPSE_MIN = 3 };

/* What has to come out for a document: its eligibility, its link's state, where that leads (-1:
 * nowhere). */
typedef struct wanted {
    twx_eligibility eligibility;
    twx_link_state state;
    int target;
} wanted;

static void expect_links(const entry *people, const wanted *out, size_t n, size_t collapsed) {
    twx_ctx cx = {0};
    twx_doc_table p;
    twx_links links;
    p = (twx_doc_table){0};
    populate(&cx, &p, people, n);
    assert_int_equal(twx_links_resolve(&cx, &p, &USUAL, COLLAPSE_MIN, &links), TWX_OK);
    for (size_t i = 0; i < n; i++) {
        if (links.eligibility[i] != out[i].eligibility)
            fail_msg("document %zu: %s", i,
                     twx_eligibility_text((twx_eligibility)links.eligibility[i]));
        if (links.state[i] != out[i].state)
            fail_msg("document %zu: %s", i, twx_link_state_text((twx_link_state)links.state[i]));
        assert_int_equal(links.target[i], (uint32_t)out[i].target);
    }
    assert_int_equal(links.collapsed.n, collapsed);
    twx_links_done(&links);
    twx_doc_table_done(&p);
}

TEST(who_takes_part_by_itself) {
    const entry people[] = {{.url = "a"},
                            {.url = "b", .status = 200},
                            {.url = "c", .status = 404},
                            {.url = "d", .bits = TWX_FACT_FAILED, .status = 404},
                            {.url = "e", .bits = TWX_FACT_NOINDEX},
                            {.url = "f", .not_bits = TWX_FACT_USABLE, .bits = TWX_FACT_FAILED},
                            {.url = "g", .status = 204}};
    const wanted out[] = {{TWX_ELIGIBLE, TWX_LINK_NONE, -1},   {TWX_ELIGIBLE, TWX_LINK_NONE, -1},
                          {TWX_BAD_STATUS, TWX_LINK_NONE, -1}, {TWX_LOAD_FAILED, TWX_LINK_NONE, -1},
                          {TWX_NOINDEX, TWX_LINK_NONE, -1},    {TWX_BAD_URL, TWX_LINK_NONE, -1},
                          {TWX_BAD_STATUS, TWX_LINK_NONE, -1}};
    expect_links(people, out, TWX_COUNTOF(people), 0);
}

/* R1 */
TEST(r1_a_chain_is_honoured_when_it_ends_at_a_document_that_takes_part) {
    const entry people[] = {
        {.url = "a", .link = "b", .host = "x"},
        {.url = "b", .link = "c", .bits = TWX_FACT_REDIRECT, .status = 301, .host = "x"},
        {.url = "c", .host = "x"},
        {.url = "d", .link = "e", .host = "x"}, /* to one that leads nowhere */
        {.url = "e", .link = "f", .host = "x"},
        {.url = "f", .status = 404, .host = "x"},
        {.url = "g", .link = "nowhere", .host = "x"},
        {.url = "h", .link = "h", .host = "x"},
        {.url = "i", .link = "c", .host = "x", .bits = TWX_FACT_NOINDEX}};
    const wanted out[] = {
        {TWX_CANONICALISED, TWX_LINK_HONOURED, 2}, {TWX_REDIRECTED, TWX_LINK_HONOURED, 2},
        {TWX_ELIGIBLE, TWX_LINK_NONE, -1},         {TWX_CANONICALISED, TWX_LINK_HONOURED, 4},
        {TWX_ELIGIBLE, TWX_LINK_DEAD_END, 5},      {TWX_BAD_STATUS, TWX_LINK_NONE, -1},
        {TWX_ELIGIBLE, TWX_LINK_MISSING, -1},      {TWX_ELIGIBLE, TWX_LINK_NONE, -1},
        {TWX_NOINDEX, TWX_LINK_HONOURED, 2}};
    expect_links(people, out, TWX_COUNTOF(people), 0);
}

TEST(r1_every_step_stays_on_one_registrable_domain) {
    const entry people[] = {{.url = "a", .link = "b", .host = "www.x.org", .domain = "x.org"},
                            {.url = "b", .host = "x.org", .domain = "x.org"},
                            {.url = "c", .link = "b", .host = "y.org"},
                            {.url = "d", .link = "c", .host = "y.org"}};
    const wanted out[] = {{TWX_CANONICALISED, TWX_LINK_HONOURED, 1},
                          {TWX_ELIGIBLE, TWX_LINK_NONE, -1},
                          {TWX_ELIGIBLE, TWX_LINK_FOREIGN, 1},
                          {TWX_CANONICALISED, TWX_LINK_HONOURED, 2}};
    expect_links(people, out, TWX_COUNTOF(people), 0);
}

/* R2 */
TEST(r2_links_of_a_loop_are_ignored_and_those_into_it_are_not) {
    const entry people[] = {{.url = "a", .link = "b"},
                            {.url = "b", .link = "c"},
                            {.url = "c", .link = "b"},
                            {.url = "d", .link = "a"}};
    const wanted out[] = {{TWX_CANONICALISED, TWX_LINK_HONOURED, 1},
                          {TWX_ELIGIBLE, TWX_LINK_LOOP, 2},
                          {TWX_ELIGIBLE, TWX_LINK_LOOP, 1},
                          {TWX_CANONICALISED, TWX_LINK_HONOURED, 1}};
    expect_links(people, out, TWX_COUNTOF(people), 0);
}

/* R3 */
TEST(r3_a_host_whose_pages_all_link_to_one_page_is_not_believed) {
    const entry people[] = {{.url = "home", .host = "x"},
                            {.url = "a", .link = "home", .host = "x"},
                            {.url = "b", .link = "home", .host = "x"},
                            {.url = "c", .link = "home", .host = "x"},
                            {.url = "gone", .status = 404, .host = "x"},
                            {.url = "d", .link = "home", .host = "other", .domain = "x"}};
    const wanted out[] = {
        {TWX_ELIGIBLE, TWX_LINK_NONE, -1},    {TWX_ELIGIBLE, TWX_LINK_COLLAPSE, 0},
        {TWX_ELIGIBLE, TWX_LINK_COLLAPSE, 0}, {TWX_ELIGIBLE, TWX_LINK_COLLAPSE, 0},
        {TWX_BAD_STATUS, TWX_LINK_NONE, -1},  {TWX_CANONICALISED, TWX_LINK_HONOURED, 0}};
    expect_links(people, out, TWX_COUNTOF(people), 1);
}

TEST(r3_one_page_of_its_own_makes_a_host_credible) {
    const entry people[] = {{.url = "home", .host = "x"},
                            {.url = "a", .link = "home", .host = "x"},
                            {.url = "b", .link = "home", .host = "x"},
                            {.url = "c", .link = "home", .host = "x"},
                            {.url = "own", .host = "x"},
                            {.url = "y", .host = "y"},
                            {.url = "y1", .link = "y", .host = "y"},
                            {.url = "y2", .link = "y", .host = "y"}}; /* two are fewer than three */
    const wanted out[] = {
        {TWX_ELIGIBLE, TWX_LINK_NONE, -1},         {TWX_CANONICALISED, TWX_LINK_HONOURED, 0},
        {TWX_CANONICALISED, TWX_LINK_HONOURED, 0}, {TWX_CANONICALISED, TWX_LINK_HONOURED, 0},
        {TWX_ELIGIBLE, TWX_LINK_NONE, -1},         {TWX_ELIGIBLE, TWX_LINK_NONE, -1},
        {TWX_CANONICALISED, TWX_LINK_HONOURED, 5}, {TWX_CANONICALISED, TWX_LINK_HONOURED, 5}};
    expect_links(people, out, TWX_COUNTOF(people), 0);
}

TEST(of_several_documents_with_one_url_the_best_that_takes_part_is_meant) {
    const entry people[] = {{.url = "a", .score = 9, .status = 404},
                            {.url = "a", .score = 1},
                            {.url = "a", .score = 5},
                            {.url = "b", .link = "a"}};
    const wanted out[] = {{TWX_BAD_STATUS, TWX_LINK_NONE, -1},
                          {TWX_ELIGIBLE, TWX_LINK_NONE, -1},
                          {TWX_ELIGIBLE, TWX_LINK_NONE, -1},
                          {TWX_CANONICALISED, TWX_LINK_HONOURED, 2}};
    expect_links(people, out, TWX_COUNTOF(people), 0);
}

/* A chain of a million redirects must not take a stack as deep. */
TEST(a_long_chain_is_followed_without_recursion) {
    enum { LONG = 200000 };
    twx_ctx cx = {0};
    twx_doc_table p;
    twx_links links;
    char url[24], link[24];
    p = (twx_doc_table){0};
    for (size_t i = 0; i < LONG; i++) {
        snprintf(url, sizeof url, "u%zu", i);
        snprintf(link, sizeof link, "u%zu", i + 1);
        const entry one = {.url = url, .link = i + 1 < LONG ? link : NULL};
        populate_one(&cx, &p, &one, i);
    }
    assert_int_equal(twx_links_resolve(&cx, &p, &USUAL, COLLAPSE_MIN, &links), TWX_OK);
    for (size_t i = 0; i + 1 < LONG; i += 777) assert_int_equal(links.target[i], LONG - 1);
    twx_links_done(&links);
    twx_doc_table_done(&p);
}

TEST(pages_that_are_none_are_left_out_as_the_setting_says) {
    static const twx_eligibility OUT[] = {TWX_ELIGIBLE, TWX_IS_ERROR,   TWX_IS_CHALLENGE,
                                          TWX_IS_LOGIN, TWX_IS_CONSENT, TWX_ELIGIBLE,
                                          TWX_ELIGIBLE};
    for (unsigned left_out = 0; left_out <= 0x1E; left_out += 2)
        for (uint8_t class = 0; class < TWX_PAGE_CLASSES; class ++) {
            const twx_facts f = {.bits = IN, .status = 200, .page = class | TWX_PAGE_SHORT};
            assert_int_equal(twx_eligible_by_itself(&f, left_out),
                             left_out >> class & 1 ? OUT[class] : TWX_ELIGIBLE);
        }
    const twx_facts failed = {.bits = IN, .status = 403, .page = TWX_PAGE_CHALLENGE};
    assert_int_equal(twx_eligible_by_itself(&failed, 0x1E), TWX_BAD_STATUS);
}

/* The documents share a text; url: its last name and what precedes it. */
static unsigned structure(size_t n, unsigned names, unsigned folders, unsigned echoed, int status) {
    twx_doc_set j;
    twx_ctx cx = {0};
    unsigned found = 0;
    twx_doc_set_init(&j);
    j.docs.left_out = 1u << TWX_PAGE_ERROR;
    j.short_pages.limit = 4; /* the others are on disk */
    for (unsigned i = 0; i < n; i++) {
        const entry one = {.url = "u",
                           .url_length = 50,
                           .page = TWX_PAGE_SHORT | (i < echoed ? TWX_PAGE_ECHOED : 0),
                           .status = i == 0 ? status : 200};
        const twx_entry page = {
            .key = 1, .check = (uint64_t)(i % names) << 32 | i % folders, .index = i};
        populate_one(&cx, &j.docs, &one, i);
        assert_int_equal(twx_entries_add(&cx, &j.short_pages, page), TWX_OK);
    }
    assert_int_equal(twx_pages_find(&cx, &j), TWX_OK);
    for (size_t i = 0; i < n; i++)
        found += (j.docs.at.at[i].page & TWX_PAGE_CLASS) == TWX_PAGE_ERROR;
    twx_doc_set_done(&j);
    return found;
}

/* R1, R2 of pages */
TEST(a_short_text_at_unrelated_urls_is_an_error) {
    assert_int_equal(structure(5, 5, 3, 0, 200), 5);
    assert_int_equal(structure(5, 4, 3, 0, 200), 0);
    assert_int_equal(structure(5, 5, 2, 0, 200), 0);
    assert_int_equal(structure(5, 5, 3, 1, 200), 0);
    assert_int_equal(structure(20, 20, 3, 2, 200), 20);
    assert_int_equal(structure(2, 1, 1, 2, 404), 2);
    assert_int_equal(structure(2, 1, 1, 2, 301), 0);
}

TEST(every_state_has_a_text_of_its_own) {
    for (int i = 0; i < TWX_ELIGIBILITIES; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(twx_eligibility_text((twx_eligibility)i),
                                    twx_eligibility_text((twx_eligibility)k));
    for (int i = 0; i < TWX_LINK_STATES; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(twx_link_state_text((twx_link_state)i),
                                    twx_link_state_text((twx_link_state)k));
    assert_string_equal(twx_eligibility_text(TWX_ELIGIBILITIES), "unknown");
    assert_string_equal(twx_link_state_text(TWX_LINK_STATES), "unknown");
}
