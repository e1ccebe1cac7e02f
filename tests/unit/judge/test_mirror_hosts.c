/* judge/mirrors.c: against examples and against the definition, followed word by word. */
#include "mirror_fixture.h"

enum { USUAL_PPM = 800000 };

/* hosts: "a exact 0-9 own 2, b near 3-7": the documents of each host: in groups first-last; so many
 * that no other host has, which are hidden ("own") or shown. */
static void expect_of(const char *hosts, uint32_t ratio_ppm, const char *wanted) {
    world *w = fresh();
    char name[NAME_BYTES], kind[8];
    uint32_t first, last;
    w->in.ratio_ppm = ratio_ppm;
    for (int n = 0; sscanf(hosts, " %23[^ ,]%n", name, &n) == 1; hosts += *hosts == ',') {
        for (hosts += n; sscanf(hosts, " %7s %u%n", kind, &first, &n) == 2;) {
            hosts += n;
            if (sscanf(hosts, "-%u%n", &last, &n) == 1) hosts += n;
            if (kind[0] == 'e') has_exact(w, name, first, last);
            if (kind[0] == 'n') has_near(w, name, first, last);
            if (kind[0] == 'o' || kind[0] == 's') has_own(w, name, first, kind[0] == 's');
        }
    }
    assert_true(*hosts == '\0' && w->in.n > 0);
    expect(w, wanted);
}

/* ---- the ratio ---------------------------------------------------------- */

TEST(hosts_with_the_same_documents_mirror_each_other) {
    expect_of("b exact 0-9, a exact 0-9", USUAL_PPM, "b>a exact 10/10, ");
}

TEST(nobody_mirrors_anybody_in_an_empty_store) {
    expect(fresh(), NO_GROUP);
}

/* A small host whose pages are all part of a large one is no mirror of it, nor the other way round.
 */
TEST(the_smaller_share_of_both_counts) {
    expect_of("large exact 0-99, part exact 0-9", USUAL_PPM, NO_GROUP);
    expect_of("large exact 0-99, part exact 0-9", 100000, "part>large exact 10/10, ");
    expect_of("large exact 0-99, part exact 0-9", 100001, NO_GROUP);
}

TEST(the_ratio_is_met_exactly) {
    expect_of("a exact 0-9, b exact 0-7 own 2", USUAL_PPM, "b>a exact 8/10, ");
    expect_of("a exact 0-9, b exact 0-7 own 3", USUAL_PPM, NO_GROUP);
}

/* Ten copies of one page on each of two hosts: each copy has an equal one on the other host. */
TEST(every_document_with_an_equal_one_counts) {
    world *w = fresh();
    for (int i = 0; i < 10; i++) has_exact(w, "a", 0, 0);
    for (int i = 0; i < 3; i++) has_exact(w, "bb", 0, 0);
    expect(w, "bb>a exact 3/3, ");
}

TEST(both_sides_are_in_the_row) {
    world *w = fresh();
    has_exact(w, "a", 0, 8);
    has_exact(w, "a", 0, 0);
    has_exact(w, "bb", 0, 8);
    twx_mirrors m = find(w);
    assert_int_equal(m.rows.n, 1);
    assert_int_equal(m.rows.at[0].shared, 9);
    assert_int_equal(m.rows.at[0].documents, 9);
    assert_int_equal(m.rows.at[0].of_shared, 10);
    assert_int_equal(m.rows.at[0].of_documents, 10);
    assert_int_equal(m.rows.at[0].ratio_ppm, 1000000);
    twx_mirrors_done(&m);
}

TEST(a_ratio_is_rounded_down) {
    expect_of("a exact 0-2, b exact 0-1 own 1", 666666, "b>a exact 2/3, ");
    expect_of("a exact 0-2, b exact 0-1 own 1", 666667, NO_GROUP);
}

/* ---- R1: the order ------------------------------------------------------ */

TEST(r1_more_survivors_lead) {
    expect_of("a exact 0-9, b exact 0-9, zz shown 1 exact 0-9", USUAL_PPM,
              "a>zz exact 10/10, b>zz exact 10/10, ");
}

TEST(r1_then_more_documents) {
    expect_of("a exact 0-9, zz exact 0-9 own 1", USUAL_PPM, "a>zz exact 10/10, ");
}

TEST(r1_then_the_shorter_name_then_by_bytes) {
    expect_of("aaa exact 0-9, zb exact 0-9, za exact 0-9", USUAL_PPM,
              "zb>za exact 10/10, aaa>za exact 10/10, ");
}

TEST(r1_the_largest_ratio_wins) {
    /* a is the first, but less alike */
    expect_of("a exact 0-9 shown 2, b exact 0-7 shown 1, c exact 0-7", 750000, "c>b exact 8/8, ");
}

TEST(r1_of_equal_ratios_the_earlier_host) {
    /* a and b have 10 of 12 in common, so b joins a; c could join either */
    expect_of("b exact 0-9 shown 2, a exact 0-9 shown 2, c exact 0-9 own 1", 833333,
              "b>a exact 10/12, c>a exact 10/11, ");
}

/* b mirrors a; c is like b, but less so like a: it mirrors no host, because b has joined
 * already. */
TEST(r1_no_host_joins_a_host_that_has_joined) {
    expect_of("a exact 0-9, b exact 2-11, c exact 4-13", USUAL_PPM, "b>a exact 8/10, ");
}

/* ---- R2: the near level ------------------------------------------------- */

TEST(r2_near_groups_count_when_exact_ones_do_not_reach) {
    expect_of("a near 0-9, b near 0-8 own 1", USUAL_PPM, "b>a near 9/10, ");
}

/* Texts with too few words have exact groups only; they count at the near level, too. */
TEST(r2_exact_groups_count_at_the_near_level) {
    expect_of("a near 0-4 exact 0-4, b near 0-4 exact 0-4", USUAL_PPM, "b>a near 10/10, ");
}

/* A document in both is counted once. */
TEST(r2_a_document_counts_once) {
    world *w = fresh();
    for (uint32_t i = 0; i < 5; i++) {
        add(w, host(w, "a"), i, i, false);
        add(w, host(w, "b"), i, i, false);
    }
    has_own(w, "a", 4, false);
    has_own(w, "b", 4, false);
    expect(w, NO_GROUP);
    w->in.ratio_ppm = 555555;
    expect(w, "b>a exact 5/9, ");
}

TEST(r2_the_exact_level_does_not_depend_on_near_groups) {
    world *w = fresh();
    has_exact(w, "b", 0, 9);
    has_exact(w, "c", 0, 9);
    expect(w, "c>b exact 10/10, ");
    /* a host that comes first and is near both */
    for (size_t i = 0; i < w->in.n; i++) w->documents[i].near = w->documents[i].exact;
    has_near(w, "a", 0, 9);
    has_own(w, "a", 1, true);
    expect(w, "b>a near 10/10, c>b exact 10/10, ");
}

/* An exact and a near group that share a document are one group at the near level. */
TEST(r2_a_chain_of_groups_is_one) {
    world *w = fresh();
    add(w, host(w, "a"), TWX_NO_DOCUMENT, 0, true);
    add(w, host(w, "b"), 0, TWX_NO_DOCUMENT, false);
    add(w, host(w, "cc"), 0, 0, false);
    expect(w, "b>a near 1/1, cc>b exact 1/1, "); /* b has nothing of a's by any one group */
}

/* Rows are in the order of hosts, at whichever level they were found. */
TEST(rows_are_in_the_order_of_hosts) {
    world *w = fresh();
    for (uint32_t i = 0; i < 10; i++) add(w, host(w, "a"), i, i, true);
    has_near(w, "b", 0, 9);
    has_exact(w, "cc", 0, 9);
    has_near(w, "ddd", 0, 9);
    expect(w, "b>a near 10/10, cc>a exact 10/10, ddd>a near 10/10, ");
}

/* ---- R3: what is left out ----------------------------------------------- */

TEST(r3_small_hosts_are_left_out) {
    world *w = fresh();
    w->in.min_documents = 10;
    has_exact(w, "a", 0, 9);
    has_exact(w, "b", 0, 9);
    has_exact(w, "c", 0, 8);
    expect(w, "b>a exact 10/10, ");
    twx_mirrors m = find(w);
    assert_int_equal(m.wide_groups[TWX_MIRROR_EXACT], 0);
    assert_int_equal(m.wide_documents[TWX_MIRROR_EXACT], 0);
    assert_int_equal(m.hosts, 2);
    assert_int_equal(m.small_hosts, 1);
    twx_mirrors_done(&m);
}

TEST(r3_groups_on_very_many_hosts_are_left_out) {
    world *w = fresh();
    char name[NAME_BYTES];
    w->in.group_hosts = 5;
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "h%d", i);
        has_exact(w, name, 0, 0);
        has_exact(w, name, 0, 0);
    }
    expect(w, "h1>h0 exact 2/2, h2>h0 exact 2/2, h3>h0 exact 2/2, h4>h0 exact 2/2, ");
    has_exact(w, "h5", 0, 0);
    expect(w, NO_GROUP);
    twx_mirrors m = find(w);
    for (int l = 0; l < TWX_MIRROR_LEVELS; l++) {
        assert_int_equal(m.wide_groups[l], 1);
        assert_int_equal(m.wide_documents[l], 11);
    }
    twx_mirrors_done(&m);
}

/* A page on very many hosts takes nothing from two of them that have the rest in common. */
TEST(r3_the_other_groups_still_count) {
    world *w = fresh();
    char name[NAME_BYTES];
    w->in.group_hosts = 5;
    for (int i = 0; i < 9; i++) {
        snprintf(name, sizeof name, "h%d", i);
        has_exact(w, name, 0, 0);
    }
    has_exact(w, "h3", 1, 4);
    has_exact(w, "h7", 1, 4);
    expect(w, "h7>h3 exact 4/5, ");
}

/* ---- what goes wrong ---------------------------------------------------- */

TEST(every_allocation_may_fail) {
    world *w = fresh();
    uint64_t nth = 0;
    has_exact(w, "a", 0, 9);
    has_exact(w, "b", 0, 9);
    has_near(w, "c", 0, 9);
    has_near(w, "d", 0, 9);
    for (bool reached = true; reached;) {
        twx_faults faults = {.fail_at = ++nth};
        twx_ctx cx = {0};
        twx_mirrors m = {0};
        cx.faults = &faults;
        const twx_rc rc = twx_mirrors_find(&cx, &w->in, &m);
        reached = atomic_load(&faults.count) >= nth;
        assert_int_equal(rc, reached ? TWX_E_NOMEM : TWX_OK);
        assert_int_equal(m.rows.n, reached ? 0 : 2);
        twx_mirrors_done(&m);
    }
    assert_true(nth > 10);
}

TEST(the_search_stops_when_it_is_asked_to) {
    world *w = fresh();
    atomic_int cancel = 2;
    twx_ctx cx = {0};
    twx_mirrors m = {0};
    has_exact(w, "a", 0, 9);
    cx.cancel = &cancel;
    assert_int_equal(twx_mirrors_find(&cx, &w->in, &m), TWX_E_INTERRUPTED);
}
