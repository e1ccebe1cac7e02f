/* The bytes are a query for the text index. Laws: an expression of FTS5 is answered or refused with
 * FTS5's reason; a query in the language for people is always answered; scores are numbers; the
 * same query has the same answer; and a snippet has as many ends of marks as beginnings. */
#include "exact_copy.h"

#include <math.h>

#include "store/store.h"

static twx_ctx cx;
static char NAME[] = "fuzz";
static twx_db db = {.cx = &cx, .path = NAME, .mode = TWX_DB_OWNER};
static twx_snippets *snippets;

static const struct {
    const char *title, *text;
    unsigned language;
} DOCUMENTS[] = {{"Solar panel", "A solar panel turns light into a current of electrons.", 7},
                 {"Panels of a roof", "One panel, two panels; the roof carries them.", 0},
                 {"\xC3\x84ther", "No text to speak of, and NEAR nothing: 1 + 1 = 2.", 10},
                 {"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E",
                  "\xEF\xBD\xB6\xEF\xBE\x9E C++ \xED\x95\x9C\xEA\xB5\xAD", 0},
                 {"", "", 1}};

static void run(const char *sql) {
    law(sqlite3_exec(db.handle, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static void make_store(void) {
    twx_text_index *index = NULL;
    twx_ctx_init(&cx);
    law(sqlite3_open(":memory:", &db.handle) == SQLITE_OK);
    law(twx_make_documents(&db) == TWX_OK && twx_migrate(&db, &TWX_SCHEMA) == TWX_OK);
    law(twx_text_index_make(&db) == TWX_OK && twx_text_index_open(&db, &index) == TWX_OK);
    for (size_t i = 0; i < TWX_COUNTOF(DOCUMENTS); i++) {
        const twx_text_entry entry = {.doc = (int64_t)i + 1,
                                      .hash = i,
                                      .language = DOCUMENTS[i].language,
                                      .title = twx_slice_of(DOCUMENTS[i].title),
                                      .text = twx_slice_of(DOCUMENTS[i].text)};
        law(twx_text_index_put(index, &entry) == TWX_OK);
    }
    twx_text_index_close(index);
    law(twx_text_index_require(&db) == TWX_OK);
    run("INSERT INTO twindex_flag(doc, only_in, eligibility, link_state) VALUES (1, 0, 0, 0), "
        "(2, 0, 0, 0), (3, 0, 1, 0)");
    run("CREATE VIEW document_flags AS SELECT doc AS id, eligibility = 0 AS indexable_b, "
        "duplicate_of FROM twindex_flag");
    law(twx_snippets_open(&cx, &snippets) == TWX_OK);
}

static twx_rc take_hit(void *arg, const twx_hit *hit) {
    uint64_t *sum = arg;
    law(!isnan(hit->score) && hit->doc >= 1 && hit->doc <= (int64_t)TWX_COUNTOF(DOCUMENTS));
    *sum = *sum * 31 + (uint64_t)hit->doc;
    return TWX_OK;
}

static twx_rc answer(twx_slice query, uint64_t *ret_sum) {
    const twx_ranking ranking = {
        .filter = "1", .weight = {twx_text_weight_default(0), twx_text_weight_default(1), 1}};
    const twx_search search = {
        .query = query, .generation = 'a', .direct = true, .ranking = &ranking, .limit = 100};
    *ret_sum = 7;
    const twx_rc rc = twx_text_search(&db, &search, take_hit, ret_sum);
    law(rc == TWX_OK || rc == TWX_E_DATA);
    law(rc == TWX_OK || (cx.message[0] && !strstr(cx.message, "no such table")));
    twx_ctx_clear(&cx);
    return rc;
}

static void check_snippet(twx_slice query, size_t document) {
    const twx_snippet_of of = {query, DOCUMENTS[document].language,
                               twx_slice_of(DOCUMENTS[document].title),
                               twx_slice_of(DOCUMENTS[document].text)};
    twx_slice title = {NULL, 0}, text = {NULL, 0};
    int open = 0;
    const twx_rc rc = twx_snippets_make(snippets, &of, &title, &text);
    law(rc == TWX_OK || rc == TWX_DONE || cx.message[0]);
    for (size_t i = 0; rc == TWX_OK && i < text.n; i++) {
        open += (text.p[i] == TWX_MARK_BEGIN) - (text.p[i] == TWX_MARK_END);
        law(open == 0 || open == 1);
    }
    law(open == 0);
    twx_ctx_clear(&cx);
}

static void check_plain(twx_slice query) {
    uint64_t sum = 0;
    twx_buf out = {.max = TWX_EXPRESSION_BYTES};
    if (query.n <= TWX_QUERY_BYTES) {
        law(twx_text_query(&db, query, false, &out) == TWX_OK);
        law(answer(twx_buf_slice(&out), &sum) == TWX_OK);
        for (size_t i = 0; i < TWX_COUNTOF(DOCUMENTS); i++) check_snippet(twx_buf_slice(&out), i);
    }
    twx_buf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t once = 0, twice = 0;
    if (!db.handle) make_store();
    if (size > TWX_QUERY_BYTES + 10) return 0;
    const twx_slice query = exact_copy(data, size);
    law(answer(query, &once) == answer(query, &twice) && once == twice);
    for (size_t i = 0; i < TWX_COUNTOF(DOCUMENTS); i++) check_snippet(query, i);
    check_plain(query);
    return exact_end();
}
