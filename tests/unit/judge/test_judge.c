#include "judge_fixture.h"

enum { PEOPLE_MAX = 16 };

typedef struct fixture {
    twx_ctx cx;
    twx_doc_set j;
    twx_judge_options o;
    twx_signed_as signed_as[PEOPLE_MAX];
} fixture;

static void end(fixture *f) {
    twx_doc_set_done(&f->j);
}

TESTS_OF(fixture, TEST_NOTHING, end);

static void begin(fixture *f, const entry *people, size_t n) {
    end(f);
    memset(f, 0, sizeof *f);
    twx_doc_set_init(&f->j);
    populate(&f->cx, &f->j.docs, people, n);
    f->o = (twx_judge_options){.preference = USUAL, .collapse_min = 10};
    assert_true(n <= PEOPLE_MAX);
}

/* Gives documents a key of a relation: members is a list of indexes, ended by -1. */
static void give(fixture *f, twx_relation_id relation, uint64_t key, const int *members) {
    if (!f->j.grouper[relation])
        assert_ok(twx_grouper_open(&f->cx, 0, NULL, &f->j.grouper[relation]));
    for (; *members >= 0; members++) {
        assert_ok(twx_grouper_add(f->j.grouper[relation], key, 0, (uint32_t)*members));
        if (twx_relation_at(relation)->sig < 0) continue;
        f->signed_as[*members].sig[relation] = key;
        f->signed_as[*members].known |= (uint8_t)(1u << relation);
    }
}

#define GIVE(f, relation, key, ...) give((f), (relation), (key), (const int[]){__VA_ARGS__, -1})

static void judge(fixture *f, const char *relations) {
    assert_ok(twx_relations_parse(&f->cx, twx_slice_of(relations), &f->o.relations));
    assert_ok(twx_pieces_init(&f->cx, &f->j.signed_as, 0));
    for (size_t i = 0; i < f->j.docs.at.n; i++)
        assert_ok(twx_signed_as_add(&f->cx, &f->j, &f->signed_as[i]));
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
}

/* INT64_MIN: NULL */
static int64_t flag(const fixture *f, uint32_t i, twx_flag_column c) {
    twx_flag_row row;
    twx_judged_row(&f->j, &f->o, i, &row);
    assert_int_equal(row.doc, f->j.docs.at.at[i].doc);
    return twx_flag_known(&row, c) ? row.v[c] : INT64_MIN;
}

static const int64_t NONE = INT64_MIN;

TEST_OF(r2_one_survivor_a_cluster_of_all_relations, fixture *f) {
    const entry people[] = {{.score = 1}, {.score = 2}, {.score = 3}, {0}};
    begin(f, people, TWX_COUNTOF(people));
    GIVE(f, TWX_RELATION_EXACT, 5, 0, 1);
    GIVE(f, TWX_RELATION_SCHEME, 6, 1, 2);
    GIVE(f, TWX_RELATION_TITLE, 7, 2, 3);
    judge(f, "exact scheme");
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(flag(f, i, TWX_FLAG_duplicate_of), 3);
    assert_int_equal(flag(f, 2, TWX_FLAG_duplicate_of), NONE);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(flag(f, i, TWX_FLAG_cluster_count), 3);
    assert_int_equal(flag(f, 3, TWX_FLAG_duplicate_of), NONE); /* titles are not joined */
    assert_int_equal(flag(f, 3, TWX_FLAG_cluster_count), NONE);
    assert_int_equal(flag(f, 3, TWX_FLAG_title_rep), 3);
    assert_true(twx_is_hidden(&f->j, 0) && !twx_is_hidden(&f->j, 2) && !twx_is_hidden(&f->j, 3));
    assert_int_equal(flag(f, 0, TWX_FLAG_exact_rep), 2);
    assert_int_equal(flag(f, 0, TWX_FLAG_exact_sig), 5);
    assert_int_equal(flag(f, 2, TWX_FLAG_exact_sig), NONE);
}

TEST_OF(a_url_of_the_other_form_is_unique_without_a_twin_of_the_preferred_one, fixture *f) {
    enum { HTTP = TWX_FACT_HTTPS };
    const entry people[] = {{0}, {.not_bits = HTTP}, {.not_bits = HTTP}, {.not_bits = HTTP},
                            {0}, {.not_bits = HTTP}};
    begin(f, people, TWX_COUNTOF(people));
    GIVE(f, TWX_RELATION_SCHEME, 1, 0, 1); /* https and http */
    GIVE(f, TWX_RELATION_SCHEME, 2, 2, 3); /* the same http URL twice */
    GIVE(f, TWX_RELATION_SCHEME, 3, 4, 5); /* the https page does not take part */
    f->j.docs.at.at[4].status = 404;
    GIVE(f, TWX_RELATION_WWW, 1, 0);
    judge(f, "");
    static const int64_t WANTED[] = {1, 0, 1, 1, NONE, 1};
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(flag(f, i, TWX_FLAG_http_unique), WANTED[i]);
    assert_int_equal(flag(f, 0, TWX_FLAG_www_unique), 1);
}

/* The four forms of a URL, in which the preferred one is https with www. Each case says which forms
 * exist (bit: place in FORMS), and which documents of them are found, the survivor first. */
TEST_OF(one_form_passes_both_filters, fixture *f) {
    static const uint32_t NOT[] = {0, TWX_FACT_WWW, TWX_FACT_HTTPS, TWX_FACT_HTTPS | TWX_FACT_WWW};
    static const char *const HOSTS[] = {"www.h", "h", "www.h", "h"};
    for (unsigned exist = 1; exist < 16; exist++)
        for (unsigned how = 0; how < 6; how++) {
            entry people[4];
            int n = 0, passing = 0;
            uint32_t best = 0;
            unsigned best_form = 9;
            const bool https = how & 1;
            const twx_www www = (twx_www)(how / 2);
            for (unsigned form = 0; form < 4; form++)
                if (exist >> form & 1)
                    people[n++] = (entry){.not_bits = NOT[form], .host = HOSTS[form]};
            begin(f, people, (size_t)n);
            f->o.preference.https = https;
            f->o.preference.www = www;
            int whole[5], first[5], second[5], a = 0, b = 0, bare = 0;
            for (int i = 0; i < n; i++) {
                whole[i] = i;
                if (people[i].not_bits & TWX_FACT_HTTPS)
                    first[a++] = i;
                else
                    second[b++] = i;
                bare += (people[i].not_bits & TWX_FACT_WWW) != 0;
            }
            whole[n] = first[a] = second[b] = -1;
            give(f, TWX_RELATION_SCHEME, 1, whole);
            give(f, TWX_RELATION_WWW, 2, first);
            give(f, TWX_RELATION_WWW, 3, second);
            judge(f, "scheme www");
            const bool with = www == TWX_WWW_AUTO ? 2 * bare <= n : www == TWX_WWW_PREFIX;
            for (uint32_t i = 0; i < (uint32_t)n; i++) {
                const bool is_https = !(people[i].not_bits & TWX_FACT_HTTPS),
                           is_www = !(people[i].not_bits & TWX_FACT_WWW);
                const unsigned form = (is_https != https) * 2u + (is_www != with);
                if (form < best_form) best = i, best_form = form;
                passing += flag(f, i, TWX_FLAG_http_unique) == 1 &&
                           flag(f, i, TWX_FLAG_www_unique) == 1;
            }
            if (passing != 1 || flag(f, best, TWX_FLAG_duplicate_of) != NONE)
                fail_msg("forms %u, preference %u: %d pass", exist, how, passing);
            for (uint32_t i = 0; i < (uint32_t)n; i++)
                if (i != best) assert_int_equal(flag(f, i, TWX_FLAG_duplicate_of), best + 1);
        }
}

/* Texts of a domain that no other one has, in powers of two. */
TEST_OF(the_origin_of_texts_survives, fixture *f) {
    const entry people[] = {{.host = "copy", .url_length = 1},
                            {.host = "origin", .url_length = 9},
                            {.host = "copy", .url_length = 1},
                            {.host = "origin", .url_length = 9},
                            {.host = "origin"},
                            {.host = "www.origin", .domain = "origin"},
                            {.host = "copy", .status = 404}};
    begin(f, people, TWX_COUNTOF(people));
    GIVE(f, TWX_RELATION_EXACT, 1, 0, 1);
    GIVE(f, TWX_RELATION_EXACT, 2, 2, 3);
    GIVE(f, TWX_RELATION_EXACT, 3, 4, 5); /* a text that one domain has twice */
    GIVE(f, TWX_RELATION_EXACT, 4, 6);    /* does not take part */
    judge(f, "exact");
    assert_int_equal(f->j.docs.hosts.at[0].origin, 0);
    assert_int_equal(f->j.docs.hosts.at[1].origin, 1);
    assert_int_equal(f->j.docs.hosts.at[2].origin, 1);
    assert_int_equal(flag(f, 0, TWX_FLAG_duplicate_of), 2);
    assert_int_equal(flag(f, 2, TWX_FLAG_duplicate_of), 4);
    static const uint8_t ORIGINS[] = {0, 1, 2, 2, 3, 3, 3, 3, 4};
    for (uint64_t texts = 0; texts < TWX_COUNTOF(ORIGINS); texts++)
        assert_int_equal(twx_origin_of(texts), ORIGINS[texts]);
    assert_int_equal(twx_origin_of(UINT64_MAX), 64);
}

TEST_OF(the_type_says_how_two_documents_resemble, fixture *f) {
    const entry people[] = {{.layout = 1}, {.layout = 1}, {.layout = 2}, {.layout = 1},
                            {.layout = 1}, {.layout = 3}, {0},           {0}};
    begin(f, people, TWX_COUNTOF(people));
    GIVE(f, TWX_RELATION_EXACT, 1, 0, 1, 2);
    GIVE(f, TWX_RELATION_FUZZY, 2, 3, 4, 5);
    GIVE(f, TWX_RELATION_EXACT, 3, 6, 7); /* no markup known */
    GIVE(f, TWX_RELATION_FUZZY, 4, 6, 0);
    judge(f, "exact");
    static const int64_t WANTED[] = {1, 1, 2, 3, 3, 4, 2, 2};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(flag(f, i, TWX_FLAG_duplicate_type), WANTED[i]);
}

TEST_OF(r3_a_link_leads_to_the_survivor_of_its_targets_cluster, fixture *f) {
    const entry people[] = {{.url = "a", .score = 9},
                            {.url = "b"},
                            {.url = "c", .link = "b"},
                            {.url = "d", .link = "b", .bits = TWX_FACT_REDIRECT},
                            {.url = "e", .link = "b", .bits = TWX_FACT_NOINDEX}};
    static const char *const RELATIONS[] = {"exact canonical redirect", "exact redirect",
                                            "exact canonical", "canonical"};
    static const int64_t CANONICAL[] = {1, NONE, 1, 2}, REDIRECT[] = {1, 1, NONE, NONE};
    for (size_t r = 0; r < TWX_COUNTOF(RELATIONS); r++) {
        begin(f, people, TWX_COUNTOF(people));
        GIVE(f, TWX_RELATION_EXACT, 1, 0, 1, 2);
        judge(f, RELATIONS[r]);
        assert_int_equal(flag(f, 2, TWX_FLAG_duplicate_of), CANONICAL[r]);
        assert_int_equal(flag(f, 3, TWX_FLAG_duplicate_of), REDIRECT[r]);
        assert_int_equal(flag(f, 4, TWX_FLAG_duplicate_of), CANONICAL[r]);
        assert_int_equal(flag(f, 2, TWX_FLAG_link_doc), 2);
        assert_int_equal(flag(f, 2, TWX_FLAG_link_state), TWX_LINK_HONOURED);
        assert_int_equal(flag(f, 2, TWX_FLAG_exact_rep), NONE);
        assert_int_equal(flag(f, 2, TWX_FLAG_exact_sig), 1); /* a signature needs no judging */
        assert_int_equal(flag(f, 0, TWX_FLAG_exact_count), 2);
    }
}

TEST_OF(no_documents_make_no_flags, fixture *f) {
    begin(f, NULL, 0);
    judge(f, "exact");
    twx_doc_set_done(&f->j);
    twx_doc_set_done(&f->j);
    twx_doc_set_done(NULL);
}

TEST(relations_are_named) {
    twx_ctx cx = {0};
    uint32_t r = 99;
    assert_ok(twx_relations_parse(&cx, TWX_SLICE_LIT(" scheme,www  canonical redirect "), &r));
    assert_int_equal(r, 1u << TWX_RELATION_SCHEME | 1u << TWX_RELATION_WWW | TWX_JOIN_CANONICAL |
                            TWX_JOIN_REDIRECT);
    assert_ok(twx_relations_parse(&cx, TWX_SLICE_LIT("profile"), &r));
    assert_int_equal(r, 1u << TWX_RELATION_FUZZY); /* by its detector's name, too */
    assert_ok(twx_relations_parse(&cx, TWX_SLICE_LIT(""), &r));
    assert_int_equal(r, 0);
    r = 7;
    assert_int_equal(twx_relations_parse(&cx, TWX_SLICE_LIT("exact wobble"), &r), TWX_E_CONFIG);
    assert_int_equal(twx_relations_parse(&cx, TWX_SLICE_LIT("exact , wobble"), &r), TWX_E_CONFIG);
    assert_non_null(strstr(cx.message, "'wobble' is not one of"));
    assert_int_equal(r, 7);
}

TEST(criteria_stand_once) {
    twx_ctx cx = {0};
    twx_criterion c[TWX_CRITERIA];
    assert_ok(twx_criteria_parse(&cx, TWX_SLICE_LIT("fetched_at score"), c));
    for (size_t i = 0; i < 4; i++) assert_int_equal(c[i], TWX_BY_FORM + i);
    assert_true(c[4] == TWX_BY_FETCHED_AT && c[5] == TWX_BY_SCORE && c[6] == TWX_BY_NOTHING);
    assert_ok(twx_criteria_parse(&cx, TWX_SLICE_LIT("score clean"), c));
    assert_true(c[2] == TWX_BY_EDITION && c[3] == TWX_BY_SCORE && c[4] == TWX_BY_CLEAN);
    assert_ok(twx_criteria_parse(&cx, TWX_SLICE_LIT("form url_length"), c));
    assert_true(c[0] == TWX_BY_FORM && c[1] == TWX_BY_CLEAN && c[4] == TWX_BY_URL_LENGTH);
    assert_int_equal(twx_criteria_parse(&cx, TWX_SLICE_LIT("score form"), c), TWX_E_CONFIG);
    twx_ctx_clear(&cx);
    assert_int_equal(twx_criteria_parse(&cx, TWX_SLICE_LIT("score score"), c), TWX_E_CONFIG);
    twx_ctx_clear(&cx);
    assert_int_equal(twx_criteria_parse(&cx, TWX_SLICE_LIT("size"), c), TWX_E_CONFIG);
    assert_non_null(strstr(cx.message, "'size'"));
}
