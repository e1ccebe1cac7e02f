/* Documents are added as the store keeps them: packed facts and a packed record. */
#include "judge_fixture.h"
#include "packed_record.h"

#include <unistd.h>

enum { ID_EXACT = 3, ID_TITLE = 5, ID_UNKNOWN = 9, ID_NEAR = 20, ROOM = 8 };

static int32_t verify_all(const twx_params *params, twx_slice a, twx_slice b) {
    (void)params;
    (void)a;
    (void)b;
    return 1000000;
}

static const twx_detector EXACT = {.name = "exact", .id = ID_EXACT, .basis = TWX_BASIS_TEXT};
static const twx_detector TITLE = {.name = "title", .id = ID_TITLE, .basis = TWX_BASIS_TITLE};
static const twx_detector NEAR = {
    .name = "like", .id = ID_NEAR, .basis = TWX_BASIS_TEXT, .near = true, .verify = verify_all};

typedef struct fixture {
    twx_ctx cx;
    twx_doc_set j;
    twx_judge_options o;
    twx_buf facts, entries, record;
} fixture;

static void end(fixture *f) {
    twx_doc_set_done(&f->j);
    twx_buf_done(&f->facts);
    twx_buf_done(&f->record);
    twx_buf_done(&f->entries);
}

TESTS_OF(fixture, TEST_NOTHING, end);

static void begin(fixture *f, twx_relation_scope titles) {
    end(f);
    memset(f, 0, sizeof *f);
    f->o = (twx_judge_options){.detectors = {[TWX_RELATION_EXACT] = &EXACT,
                                             [TWX_RELATION_TITLE] = &TITLE,
                                             [TWX_RELATION_NEAR] = &NEAR},
                               .scope = {[TWX_RELATION_TITLE] = titles},
                               .candidates = 64,
                               .preference = USUAL,
                               .collapse_min = 100,
                               .relations = 1u << TWX_RELATION_EXACT};
    twx_buf_init(&f->facts, 1 << 16);
    twx_buf_init(&f->record, 1 << 16);
    twx_buf_init(&f->entries, 1 << 16);
    twx_doc_set_init(&f->j);
    assert_ok(twx_doc_set_begin(&f->cx, &f->j, &f->o, ROOM, 0));
}

/* One key; the near-duplicate entry has its text's bytes as payload. */
static void sign(fixture *f, uint8_t id, uint64_t key, const char *payload) {
    add_entry_to(&f->entries, id, key, payload);
}

typedef struct page {
    const char *url, *host;
    uint64_t text, title, near; /* keys; 0: no entry */
} page;

static void pack(fixture *f, const page *p) {
    const entry who = {.url = p->url, .host = p->host};
    twx_facts one = facts_of(&who);
    one.url = twx_slice_of(p->url);
    twx_buf_clear(&f->facts);
    assert_ok(twx_facts_pack(&f->cx, &one, &f->facts));
    if (p->text) sign(f, ID_EXACT, p->text, "");
    if (p->title) sign(f, ID_TITLE, p->title, "");
    sign(f, ID_UNKNOWN, 1, "of a detector that is not used");
    if (p->near) sign(f, ID_NEAR, p->near, p->url);
    pack_record(&f->entries, &f->record);
}

static twx_rc add(fixture *f, const page *p) {
    pack(f, p);
    const twx_signed_document doc = {.doc = (int64_t)f->j.docs.at.n + 10,
                                     .facts = twx_buf_slice(&f->facts),
                                     .record = twx_buf_slice(&f->record)};
    return twx_doc_set_add(&f->cx, &f->j, &doc);
}

static uint32_t rep(const fixture *f, twx_relation_id relation, uint32_t i) {
    return twx_groups_rep(&f->j.groups[relation], i);
}

TEST_OF(documents_are_grouped_by_the_entries_of_their_records, fixture *f) {
    static const page PAGES[] = {{"https://a/1", "a", 7, 1, 0},
                                 {"https://a/2", "a", 7, 2, 0},
                                 {"https://b/3", "b", 8, 1, 0},
                                 {"https://b/4", "b", 0, 0, 0}};
    begin(f, TWX_SCOPE_STORE);
    for (size_t i = 0; i < TWX_COUNTOF(PAGES); i++) assert_ok(add(f, &PAGES[i]));
    assert_int_equal(f->j.docs.at.at[2].doc, 12);
    assert_true(f->j.docs.at.at[2].url_key == name_key("https://b/3"));
    assert_int_equal(f->j.docs.hosts.n, 2);
    const twx_signed_as one = twx_signed_as_of(&f->j, 1);
    assert_true(one.sig[TWX_RELATION_EXACT] == 7);
    assert_int_equal(one.known, 1u << TWX_RELATION_EXACT | 1u << TWX_RELATION_TITLE);
    assert_int_equal(twx_signed_as_of(&f->j, 3).known, 0);
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
    assert_int_equal(rep(f, TWX_RELATION_EXACT, 1), 0);
    assert_int_equal(rep(f, TWX_RELATION_EXACT, 2), TWX_NO_DOCUMENT);
    assert_int_equal(rep(f, TWX_RELATION_TITLE, 2), 0);
}

static const twx_detector SCHEME = {.name = "scheme", .id = 1, .basis = TWX_BASIS_URL};
static const twx_detector WWW = {.name = "www", .id = 2, .basis = TWX_BASIS_URL};

/* Adds a document whose facts have the bits of its URL, and gives it a key of each URL relation. */
static void add_web(fixture *f, twx_slice url, uint64_t key) {
    const entry who = {.url = "https://a/", .host = "a"};
    twx_facts one = facts_of(&who);
    one.url_length = (uint32_t)url.n;
    one.url = url;
    twx_buf_clear(&f->facts);
    assert_ok(twx_facts_pack(&f->cx, &one, &f->facts));
    sign(f, SCHEME.id, key, "");
    sign(f, WWW.id, key, "");
    pack_record(&f->entries, &f->record);
    const twx_signed_document doc = {.doc = (int64_t)f->j.docs.at.n,
                                     .facts = twx_buf_slice(&f->facts),
                                     .record = twx_buf_slice(&f->record)};
    assert_ok(twx_doc_set_add(&f->cx, &f->j, &doc));
}

static void find_twins(fixture *f, bool alone) {
    static char cut[TWX_FACTS_URL_MAX + 1];
    memset(cut, 'x', sizeof cut);
    memcpy(cut, "http://a/", 9);
    begin(f, TWX_SCOPE_STORE);
    twx_doc_set_done(&f->j);
    twx_doc_set_init(&f->j);
    f->o.relations = alone ? 1u << TWX_RELATION_SCHEME : 0;
    f->o.detectors[TWX_RELATION_SCHEME] = &SCHEME;
    f->o.detectors[TWX_RELATION_WWW] = &WWW;
    assert_ok(twx_doc_set_begin(&f->cx, &f->j, &f->o, ROOM, 0));
    add_web(f, TWX_SLICE_LIT("http://a.b/p?q"), 1);
    add_web(f, TWX_SLICE_LIT("https://a.b/p?q"), 2);
    add_web(f, TWX_SLICE_LIT("https://www.a.b/p?q"), 3);
    add_web(f, TWX_SLICE_LIT("https://www.a.b/other"), 3); /* its own keys do not count */
    add_web(f, (twx_slice){cut, sizeof cut}, 4);
    add_web(f, (twx_slice){cut, sizeof cut}, 5);
    add_web(f, (twx_slice){cut, sizeof cut}, 4);
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
    const uint32_t none = TWX_NO_DOCUMENT;
    /* the forms of one URL are one group, or, if the verdict joins one relation alone, a pair */
    const uint32_t scheme[] = {0, 0, alone ? none : 0, none, 4, none, 4},
                   www[] = {none, 1, 1, none, 4, none, 4};
    for (uint32_t i = 0; i < TWX_COUNTOF(scheme); i++) {
        assert_int_equal(rep(f, TWX_RELATION_SCHEME, i), scheme[i]);
        assert_int_equal(rep(f, TWX_RELATION_WWW, i), www[i]);
    }
}

TEST_OF(twins_are_found_by_their_urls_and_by_keys_if_a_url_is_cut, fixture *f) {
    find_twins(f, false);
    find_twins(f, true);
}

TEST_OF(a_scope_separates_equal_keys_of_two_hosts, fixture *f) {
    static const page PAGES[] = {{"https://a/1", "a", 7, 1, 0},
                                 {"https://b/2", "b", 8, 1, 0},
                                 {"https://b/3", "b", 9, 1, 0}};
    begin(f, TWX_SCOPE_HOST);
    for (size_t i = 0; i < TWX_COUNTOF(PAGES); i++) assert_ok(add(f, &PAGES[i]));
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
    assert_int_equal(rep(f, TWX_RELATION_TITLE, 0), TWX_NO_DOCUMENT);
    assert_int_equal(rep(f, TWX_RELATION_TITLE, 2), 1);
}

TEST_OF(documents_with_one_text_share_a_node, fixture *f) {
    static const page PAGES[] = {{"https://a/1", "a", 7, 0, 5},
                                 {"https://a/2", "a", 7, 0, 5},
                                 {"https://a/3", "a", 8, 0, 5},
                                 {"https://a/4", "a", 9, 0, 6}};
    begin(f, TWX_SCOPE_STORE);
    for (size_t i = 0; i < TWX_COUNTOF(PAGES); i++) assert_ok(add(f, &PAGES[i]));
    assert_int_equal(f->j.near.node[0], f->j.near.node[1]);
    assert_int_not_equal(f->j.near.node[0], f->j.near.node[2]);
    assert_int_equal(f->j.near.payloads.n, 3);
    assert_ok(twx_judge(&f->cx, &f->j, &f->o));
    assert_int_equal(rep(f, TWX_RELATION_NEAR, 2), 0);
    assert_int_equal(rep(f, TWX_RELATION_NEAR, 3), TWX_NO_DOCUMENT);
}

TEST_OF(r2_facts_and_records_that_are_cut_off_are_refused, fixture *f) {
    const page p = {"https://a/1", "a", 7, 1, 5};
    begin(f, TWX_SCOPE_STORE);
    pack(f, &p);
    const twx_slice facts = twx_buf_slice(&f->facts), record = twx_buf_slice(&f->record);
    twx_signed_document cut = {.doc = 1, .facts = twx_slice_sub(facts, 0, 8), .record = record};
    assert_int_equal(twx_doc_set_add(&f->cx, &f->j, &cut), TWX_E_CORRUPT);
    assert_int_equal(f->j.docs.at.n, 0);
    twx_ctx_clear(&f->cx);
    cut.facts = facts;
    cut.record = twx_slice_sub(record, 0, record.n - 1);
    assert_int_equal(twx_doc_set_add(&f->cx, &f->j, &cut), TWX_E_CORRUPT);
}

TEST_OF(more_documents_than_there_is_room_for_are_refused, fixture *f) {
    const page p = {"https://a/1", "a", 7, 1, 5};
    begin(f, TWX_SCOPE_STORE);
    for (size_t i = 0; i < ROOM; i++) assert_ok(add(f, &p));
    assert_int_equal(add(f, &p), TWX_E_LIMIT);
    assert_int_equal(f->j.docs.at.n, ROOM);
}

/* With memory 0, what is not needed for a while is in files: ranks and groups, too. */
TEST_OF(judging_reports_each_allocation_that_fails, fixture *f) {
    static const page PAGES[] = {{"https://a/1", "a", 7, 1, 5}, {"https://b/2", "b", 7, 1, 6}};
    twx_rc rc = TWX_E_NOMEM;
    for (uint64_t fail_at = 1; rc == TWX_E_NOMEM; fail_at++) {
        twx_faults faults = {.fail_at = fail_at};
        begin(f, TWX_SCOPE_STORE);
        for (size_t i = 0; i < TWX_COUNTOF(PAGES); i++) assert_ok(add(f, &PAGES[i]));
        f->cx.faults = &faults;
        rc = twx_judge(&f->cx, &f->j, &f->o);
        assert_true(rc == TWX_OK ? fail_at > 50 : rc == TWX_E_NOMEM);
    }
}

TEST_OF(what_was_judged_comes_back, fixture *f) {
    const twx_signed_as was = {.known = 5, .made = UINT64_C(0xFEDCBA9876543210), .sig = {1, 0, 3}};
    begin(f, TWX_SCOPE_STORE);
    assert_ok(twx_signed_as_add(&f->cx, &f->j, &was));
    const twx_signed_as is = twx_signed_as_of(&f->j, 0);
    assert_int_equal(is.known, was.known);
    assert_true(is.made == was.made);
    for (int r = 0; r < TWX_RELATIONS; r++) assert_true(is.sig[r] == was.sig[r]);
}

TEST_OF(what_is_as_it_was_judged_has_not_changed, fixture *f) {
    static const page PAGE = {"https://a/1", "a", 7, 1, 0};
    bool changed = true;
    begin(f, TWX_SCOPE_STORE);
    assert_ok(add(f, &PAGE));
    assert_ok(twx_has_changed(&f->cx, &f->j, 0, twx_buf_slice(&f->facts), twx_buf_slice(&f->record),
                              &changed));
    assert_false(changed);
}

/* A temporary file that is shorter than it was. */
TEST_OF(signatures_that_cannot_be_read_are_an_error, fixture *f) {
    static const page PAGE = {"https://a/1", "a", 7, 1, 0};
    bool changed = false;
    begin(f, TWX_SCOPE_STORE);
    for (size_t i = 0; i < 4; i++) assert_ok(add(f, &PAGE));
    for (size_t i = 0; i < 100; i++) /* beyond what is in memory */
        assert_ok(twx_signed_as_add(&f->cx, &f->j, &(twx_signed_as){.known = 255}));
    assert_ok(twx_doc_set_error(&f->cx, &f->j));
    assert_true(twx_signed_as_of(&f->j, 0).sig[TWX_RELATION_EXACT] == 7);
    assert_int_equal(ftruncate(f->j.signed_as.fd, 3), 0);
    assert_int_equal(twx_signed_as_of(&f->j, 0).known, 0);
    assert_int_equal(twx_doc_set_error(&f->cx, &f->j), TWX_E_IO);
    assert_int_equal(
        twx_has_changed(&f->cx, &f->j, 0, (twx_slice){NULL, 0}, (twx_slice){NULL, 0}, &changed),
        TWX_E_IO);
}
