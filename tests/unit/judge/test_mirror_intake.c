/* judge/mirrors.c: hosts and groups are numbered whatever their keys, and entries of several
 * documents count as often. */
#include "support.h"

#include "judge/internal.h"

TEST(hosts_and_groups_are_numbered) {
    static const uint64_t ZERO = 0, ONE = 1, TWO = 2;
    static const struct {
        const char *host;
        const uint64_t *exact;
        bool survive;
        uint64_t n;
    } ENTRIES[] = {
        {"a.example", &ZERO, true, 2}, {"a.example", &ONE, true, 1}, {"b.example", &ZERO, false, 1},
        {"b.example", &ONE, false, 1}, {"c.example", &TWO, true, 2}, {"c.example", NULL, true, 1},
    };
    twx_ctx cx = {0};
    twx_arena names = {0};
    twx_mirror_hosts hosts = {0};
    twx_mirror_intake in;
    twx_mirrors found = {0};
    twx_mirror_intake_init(&in, &names, &hosts);
    for (size_t i = 0; i < TWX_COUNTOF(ENTRIES); i++) {
        const twx_mirror_entry e = {.host = twx_slice_of(ENTRIES[i].host),
                                    .exact = ENTRIES[i].exact,
                                    .survive = ENTRIES[i].survive,
                                    .n = ENTRIES[i].n};
        assert_int_equal(twx_mirror_intake_add(&cx, &in, &e), TWX_OK);
    }
    assert_int_equal(in.documents.n, 8);
    assert_int_equal(hosts.n, 3);
    assert_int_equal(in.documents.at[1].exact, 0);
    assert_int_equal(in.documents.at[2].exact, 1);
    assert_int_equal(in.documents.at[5].exact, 2);
    assert_int_equal(in.documents.at[7].exact, TWX_NO_DOCUMENT);
    assert_int_equal(twx_mirror_intake_find(&cx, &in, 1000000, 1, &found), TWX_OK);
    assert_int_equal(found.hosts, 3);
    assert_int_equal(found.rows.n, 1);
    assert_string_equal(hosts.at[found.rows.at[0].host].p, "b.example");
    assert_string_equal(hosts.at[found.rows.at[0].mirror_of].p, "a.example");
    assert_int_equal(found.rows.at[0].of_documents, 3);
    twx_mirrors_done(&found);
    twx_mirror_intake_done(&in);
    TWX_VEC_DONE(&hosts);
    twx_arena_done(&names);
}
