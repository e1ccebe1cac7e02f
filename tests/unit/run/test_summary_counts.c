/* run/summary.c: the counts of a result in the bytes that the ledger keeps. Each count comes
 * back; bytes that cannot be counts are incomplete. */
#include "support.h"

#include "run/internal.h"

enum { BYTES = 1 << 17 };

/* Counts that all differ. */
static void fill(twx_ctx *cx, twx_summary *s) {
    uint64_t n = 1;
    twx_summary_init(s);
    s->documents = n++, s->indexable = n++, s->hidden = n++;
    s->near_compared = n++, s->near_capped = UINT64_MAX;
    for (size_t i = 0; i < TWX_ELIGIBILITIES; i++) s->eligibility[i] = n++;
    for (size_t i = 0; i < TWX_LINK_STATES; i++) s->link_state[i] = n++;
    for (size_t i = 0; i <= TWX_RELATIONS; i++) {
        s->relation[i].used = i % 2;
        s->relation[i].groups = n++, s->relation[i].copies = n++, s->relation[i].largest = n++;
    }
    assert_int_equal(twx_buf_add_text(cx, &s->collapsed, "a.example\nb.example\n"), TWX_OK);
}

static void expect_packed(twx_ctx *cx, const twx_summary *s, twx_buf *out) {
    twx_buf_clear(out);
    assert_int_equal(twx_summary_pack(cx, s, out), TWX_OK);
}

TEST(counts_come_back) {
    twx_ctx cx = {0};
    twx_summary s, back;
    twx_buf packed = {.max = BYTES}, again;
    bool complete = false;
    twx_buf_init(&again, BYTES);
    fill(&cx, &s);
    twx_summary_init(&back);
    expect_packed(&cx, &s, &packed);
    assert_int_equal(twx_summary_unpack(&cx, twx_buf_slice(&packed), &back, &complete), TWX_OK);
    assert_true(complete && back.documents == s.documents && back.indexable == s.indexable &&
                back.hidden == s.hidden && back.near_compared == s.near_compared &&
                back.near_capped == UINT64_MAX);
    assert_memory_equal(back.eligibility, s.eligibility, sizeof s.eligibility);
    assert_memory_equal(back.link_state, s.link_state, sizeof s.link_state);
    for (size_t i = 0; i <= TWX_RELATIONS; i++)
        assert_true(back.relation[i].used == s.relation[i].used &&
                    back.relation[i].groups == s.relation[i].groups &&
                    back.relation[i].copies == s.relation[i].copies &&
                    back.relation[i].largest == s.relation[i].largest);
    assert_true(twx_slice_eq(twx_buf_slice(&back.collapsed), twx_buf_slice(&s.collapsed)));
    expect_packed(&cx, &back, &again);
    assert_true(twx_slice_eq(twx_buf_slice(&packed), twx_buf_slice(&again)));
    /* all but the hosts is needed, and a host more or less is another count */
    const size_t numbers = packed.n - s.collapsed.n;
    for (size_t n = 0; n < numbers; n++) {
        const twx_slice cut = twx_slice_sub(twx_buf_slice(&packed), 0, n);
        assert_int_equal(twx_summary_unpack(&cx, cut, &back, &complete), TWX_OK);
        assert_false(complete);
    }
    s.relation[0].used = true;
    expect_packed(&cx, &s, &again);
    assert_false(twx_slice_eq(twx_buf_slice(&packed), twx_buf_slice(&again)));
    s.collapsed_left_out = true;
    expect_packed(&cx, &s, &again);
    assert_int_equal(again.n, 0);
    twx_buf_done(&packed);
    twx_buf_done(&again);
    twx_summary_done(&s);
    twx_summary_done(&back);
}

TEST(too_many_hosts_are_incomplete) {
    static char bytes[2 * TWX_COLLAPSED_BYTES];
    twx_ctx cx = {0};
    twx_summary s;
    bool complete = true;
    twx_summary_init(&s);
    const twx_slice long_one = {bytes, sizeof bytes};
    assert_int_equal(twx_summary_unpack(&cx, long_one, &s, &complete), TWX_OK);
    assert_false(complete);
    twx_summary_done(&s);
}
