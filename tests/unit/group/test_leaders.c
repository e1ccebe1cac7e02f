#include "leaders_fixture.h"

#include <malloc.h>

/* ---- examples ----------------------------------------------------------- */

TEST(r2_a_chain_does_not_run_away) {
    line l = {.at = {0, 10, 20, 30, 40}, .reach = 10};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_REPRESENTATIVE}, &l);
    /* 1 joins 0; 2 is similar to 1, but no item is compared with 1 */
    expect(&made, (const uint32_t[]){0, 0, 2, 2, 4}, 5);
    assert_int_equal(made.similarity[1], TWX_LEADERS_SAME - 10);
    assert_int_equal(made.similarity[0], TWX_LEADERS_SAME);
    twx_leaders_done(&made);
}

TEST(with_links_a_chain_is_one_group) {
    line l = {.at = {0, 10, 20, 30, 41}, .reach = 10};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_LINK}, &l);
    expect(&made, (const uint32_t[]){0, 0, 0, 0, 4}, 5);
    /* to 2, which it was joined by */
    assert_int_equal(made.similarity[3], TWX_LEADERS_SAME - 10);
    twx_leaders_done(&made);
}

TEST(the_most_similar_representative_is_joined) {
    line l = {.at = {0, 30, 16, 29, 31}, .reach = 20};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_REPRESENTATIVE}, &l);
    expect(&made, (const uint32_t[]){0, 1, 1, 1, 1}, 5); /* 2: 14 from 1, 16 from 0 */
    twx_leaders_done(&made);
}

TEST(ties_go_to_the_better_rank) {
    line l = {.at = {0, 30, 15, 30, 0}, .reach = 20};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_REPRESENTATIVE}, &l);
    expect(&made, (const uint32_t[]){0, 1, 0, 1, 0}, 5);
    twx_leaders_done(&made);
    made = lead_five(
        (twx_leading){.join = TWX_JOIN_REPRESENTATIVE, .rank = (const uint32_t[]){8, 3, 9, 40, 50}},
        &l);
    expect(&made, (const uint32_t[]){0, 1, 1, 1, 0}, 5); /* 1 before 0 */
    twx_leaders_done(&made);
}

TEST(who_takes_no_part_is_alone) {
    line l = {.at = {0, 0, 0, 0, 0}, .reach = 1};
    static const uint32_t RANK[] = {TWX_LEADERS_OUT, 5, TWX_LEADERS_OUT, 2, 9};
    twx_leaders made = lead_five((twx_leading){.rank = RANK}, &l);
    expect(&made, (const uint32_t[]){0, 3, 2, 3, 3}, 5);
    assert_int_equal(made.compared, 2);
    twx_leaders_done(&made);
}

TEST(who_may_not_join_goes_to_the_next_best_or_stays_alone) {
    line l = {.at = {0, 30, 14, 90, 91}, .reach = 20, .no_join = {0, 2}};
    twx_leaders made = lead_five((twx_leading){.may_join = may_join}, &l);
    expect(&made, (const uint32_t[]){0, 1, 1, 3, 3}, 5); /* 2 is nearer to 0 */
    assert_int_equal(made.similarity[2], TWX_LEADERS_SAME - 16);
    assert_int_equal(l.asked[0], 3); /* the last question: before 4 joins 3 */
    assert_int_equal(l.asked[1], 4);
    twx_leaders_done(&made);
    l = (line){.at = {0, 50, 2, 1, 90}, .reach = 20, .no_join = {0, 2}};
    made = lead_five((twx_leading){.may_join = may_join}, &l);
    /* 2 stays alone; 3 is as near to it as to 0, whose rank is better */
    expect(&made, (const uint32_t[]){0, 1, 2, 0, 4}, 5);
    twx_leaders_done(&made);
}

/* The group is asked for by its representative, also when a member is what the item resembles. */
TEST(with_links_the_representative_is_asked) {
    line l = {.at = {0, 10, 20, 900, 990}, .reach = 10, .no_join = {0, 2}};
    twx_leaders made = lead_five((twx_leading){.join = TWX_JOIN_LINK, .may_join = may_join}, &l);
    expect(&made, (const uint32_t[]){0, 0, 2, 3, 4}, 5);
    assert_int_equal(l.asked[0], 0);
    assert_int_equal(l.asked[1], 2);
    twx_leaders_done(&made);
}

TEST(r3_a_key_knows_the_best_candidates_only_and_counts_the_others) {
    line l = {.at = {0, 100, 200, 201, 101}, .reach = 10};
    twx_leaders made = lead_five((twx_leading){.candidates = 2}, &l);
    /* 2 is no candidate any more, and 3 finds no room either */
    expect(&made, (const uint32_t[]){0, 1, 2, 3, 1}, 5);
    assert_int_equal(made.capped, 2);
    assert_int_equal(made.compared, 1 + 2 + 2 + 2);
    twx_leaders_done(&made);
}

TEST(without_verification_texts_with_a_common_key_are_similar) {
    static const uint32_t RANK[] = {3, 2, 1, 0};
    /* 3: another check */
    static const entry ENTRIES[] = {{1, 0, 0}, {1, 0, 1}, {2, 0, 1}, {2, 0, 2}, {2, 1, 3}};
    const twx_leading how = {.rank = RANK, .n = 4, .candidates = 1};
    size_t spilled;
    twx_leaders made = lead(&how, ENTRIES, 5, 0, &spilled);
    expect(&made, (const uint32_t[]){0, 2, 2, 3}, 4);
    assert_int_equal(made.similarity[1], TWX_LEADERS_SAME);
    twx_leaders_done(&made);
}

/* A pair that shares many keys is compared once. */
TEST(a_pair_is_compared_once) {
    static const uint32_t RANK[] = {1, 0};
    entry entries[20];
    line l = {.at = {0, 100}, .reach = 10, .rank = RANK};
    const twx_leading how = {
        .rank = RANK, .n = 2, .candidates = 9, .similarity = similarity, .arg = &l};
    size_t spilled;
    for (uint32_t i = 0; i < 20; i++) entries[i] = (entry){i / 2, 0, i % 2};
    twx_leaders made = lead(&how, entries, 20, 0, &spilled);
    assert_int_equal(made.compared, 1);
    assert_int_equal(l.calls, 1);
    twx_leaders_done(&made);
}

TEST(nothing_is_no_trouble) {
    const twx_leading how = {.n = 0, .candidates = 1};
    size_t spilled;
    twx_leaders made = lead(&how, NULL, 0, 0, &spilled);
    assert_int_equal(made.compared + made.capped, 0);
    twx_leaders_done(&made);
    twx_leaders_done(&made);
    twx_leaders_done(NULL);
}

/* ---- the second relation ------------------------------------------------ */

TEST(a_sibling_represents_itself_and_its_copies_join_it) {
    line l = {.at = {0, 1, 2, 3, 4}, .reach = 10, .names = 2};
    twx_leaders made = lead_five((twx_leading){.contains = contains}, &l);
    static const uint32_t COPY_OF[] = {0, 1, 0, 1, 0};
    expect(&made, (const uint32_t[]){0, 0, 0, 0, 0}, 5);
    assert_memory_equal(made.of[TWX_CONTAINED], COPY_OF, sizeof COPY_OF);
    twx_leaders_done(&made);
}

TEST(pairs_that_are_not_similar_may_be_copies) {
    line l = {.at = {0, 15, 25, 30, 41}, .reach = 10, .names = 2};
    twx_leaders made = lead_five(
        (twx_leading){.contains = contains, .named_similarity = named_similarity}, &l);
    static const uint32_t COPY_OF[] = {0, 1, 2, 1, 2};
    expect(&made, (const uint32_t[]){0, 1, 1, 3, 4}, 5);
    assert_memory_equal(made.of[TWX_CONTAINED], COPY_OF, sizeof COPY_OF);
    twx_leaders_done(&made);
}

/* A run is known by a number of 32 bits. */
TEST(more_runs_than_numbers_are_refused) {
    twx_ctx cx = {0};
    twx_runs runs = {.ends = {.at = NULL, .n = (size_t)UINT32_MAX + 1}};
    const twx_leading how = {.candidates = 1, .runs = &runs};
    twx_leaders leaders = {0};
    assert_int_equal(twx_leaders_make(&cx, &how, NULL, NULL, &leaders), TWX_E_LIMIT);
    assert_non_null(strstr(cx.message, "more than 4 billion candidates"));
    assert_int_equal(runs.ends.n, (size_t)UINT32_MAX + 1); /* not taken */
}

typedef struct peak {
    size_t begin, bytes;
} peak;

static unsigned contains_and_measures(void *arg, uint32_t representative, uint32_t item) {
    peak *p = arg;
    const struct mallinfo2 now = mallinfo2();
    const size_t bytes = now.uordblks + now.hblkhd;
    if (bytes > p->begin + p->bytes) p->bytes = bytes - p->begin;
    return representative == item - 1 && item % 2;
}

/* The memory does not multiply: 3000 names times 400 keys would take 12.7 MB. */
TEST(a_text_under_very_many_names_takes_no_memory_for_each_key) {
    enum { NAMES = 3000, KEYS = 400, BYTES = 3 << 20 };
    uint32_t *rank = calloc(NAMES, sizeof *rank), *text = calloc(NAMES, sizeof *text);
    entry *entries = calloc(2 * KEYS, sizeof *entries);
    size_t spilled;
    peak p = {0, 0};
    assert_true(rank && text && entries);
    for (uint32_t i = 0; i < NAMES; i++) rank[i] = i, text[i] = i < KEYS + 2 ? i : 1;
    for (uint32_t k = 0; k < KEYS; k++) {
        entries[2 * k] = (entry){k, k, k + 2}; /* another text for each key: runs that differ */
        entries[2 * k + 1] = (entry){k, k, 1};
    }
    const twx_leading how = {.rank = rank,
                             .n = NAMES,
                             .text = text + KEYS + 2,
                             .texts = KEYS + 2,
                             .candidates = 64,
                             .contains = contains_and_measures,
                             .arg = &p};
    const struct mallinfo2 now = mallinfo2();
    p.begin = now.uordblks + now.hblkhd;
    twx_leaders made = lead(&how, entries, 2 * KEYS, 0, &spilled);
    assert_int_equal(made.of[TWX_CONTAINED][1], 1);
    assert_int_equal(made.of[TWX_CONTAINED][NAMES - 1], NAMES - 1);
    if (p.bytes > BYTES) fail_msg("%zu bytes", p.bytes);
    twx_leaders_done(&made);
    free(rank);
    free(text);
    free(entries);
}
