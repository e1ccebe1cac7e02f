#include "fault_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char store[4400], explained[TEST_ID_BYTES];
static const char *rules_file; /* every section, some functions, properties of documents */
static const char *records_file, *queries_file, *judgements_file, *pairs_file;

/* Hits for a query that most documents match, in the words of people and of FTS5. */
static const char QUERY[] = "a* OR b* OR c* OR t* OR w*";

int call_run(twindex *t, const twindex_sink *sink) {
    const twindex_run_options plain = {0};
    return twindex_run(t, &plain, sink);
}

static int call_sign(twindex *t, const twindex_sink *sink) {
    return twindex_sign(t, false, sink);
}

/* It reads standard input, which is the file of pairs from then on. */
static int call_verify(twindex *t, const twindex_sink *sink) {
    const twindex_verify_options how = {.format = "TSV"};
    const int pairs = open(pairs_file, O_RDONLY | O_CLOEXEC);
    assert_true(pairs >= 0 && dup2(pairs, STDIN_FILENO) == STDIN_FILENO);
    if (pairs != STDIN_FILENO) close(pairs);
    return twindex_verify(t, &how, sink);
}

int call_dry_run(twindex *t, const twindex_sink *sink) {
    const twindex_run_options dry = {.dry_run = true, .list = true, .limit = 7};
    return twindex_run(t, &dry, sink);
}

static int call_init(twindex *t, const twindex_sink *sink) {
    (void)sink;
    return twindex_init(t, store);
}

static int call_import(twindex *t, const twindex_sink *sink) {
    return twindex_import(t, &records_file, 1, sink);
}

static int call_explain(twindex *t, const twindex_sink *sink) {
    return twindex_explain(t, explained, sink);
}

static int call_compare(twindex *t, const twindex_sink *sink) {
    const twindex_compare_options how = {.limit = 3};
    return twindex_compare(t, explained, explained, &how, sink);
}

static int call_similar(twindex *t, const twindex_sink *sink) {
    const twindex_similar_options how = {.limit = 3}; /* by what the last run signed */
    return twindex_similar(t, explained, &how, sink);
}

static int call_similar_read(twindex *t, const twindex_sink *sink) {
    const twindex_similar_options how = {.detector = "simhash", .limit = 3};
    return twindex_similar(t, explained, &how, sink);
}

int call_mirrors(twindex *t, const twindex_sink *sink) {
    test_set(t, "mirrors.ratio", "0.1");
    test_set(t, "mirrors.min_documents", "1");
    return twindex_mirrors(t, sink);
}

int call_clusters(twindex *t, const twindex_sink *sink) {
    return twindex_groups(t, NULL, 5, sink);
}

static int call_groups(twindex *t, const twindex_sink *sink) {
    return twindex_groups(t, "exact", 0, sink);
}

static int call_evaluate_html(twindex *t, const twindex_sink *sink) {
    const twindex_evaluate_options how = {.detectors = "exact,alignment", .html = true};
    return twindex_evaluate(t, &how, sink);
}

static int call_report_sheets(twindex *t, const twindex_sink *sink) {
    int result = TWINDEX_OK;
    for (int i = 0; result == TWINDEX_OK && i < TWINDEX_SHEETS; i++)
        result = twindex_report_sheet(t, (twindex_sheet)i, sink);
    return result;
}

static int call_findable(twindex *t, const twindex_sink *sink) {
    const twindex_evaluate_options how = {.detectors = "exact", .findable = true};
    return twindex_evaluate(t, &how, sink);
}

static int call_evaluate(twindex *t, const twindex_sink *sink) {
    const twindex_evaluate_options how = {.detectors = "exact,profile,tfidf,minhash"};
    return twindex_evaluate(t, &how, sink);
}

static int call_remove_dry_run(twindex *t, const twindex_sink *sink) {
    return twindex_remove(t, true, sink);
}

static int call_remove(twindex *t, const twindex_sink *sink) {
    return twindex_remove(t, false, sink);
}

int call_diff(twindex *t, const twindex_sink *sink) {
    return twindex_diff(t, 3, sink);
}

static int call_rules(twindex *t, const twindex_sink *sink) {
    return twindex_rules(t, rules_file, false, sink);
}

int call_index(twindex *t, const twindex_sink *sink) {
    return twindex_index(t, false, sink);
}

static int call_search(twindex *t, const twindex_sink *sink) {
    const twindex_search_options how = {.query = QUERY, .rules = rules_file, .limit = 3};
    return twindex_search(t, &how, sink);
}

static int call_compare_rules(twindex *t, const twindex_sink *sink) {
    const twindex_search_options how = {.query = QUERY, .compare = rules_file, .limit = 3};
    return twindex_search(t, &how, sink);
}

static int call_judged(twindex *t, const twindex_sink *sink) {
    const twindex_search_options how = {
        .queries = queries_file, .judgements = judgements_file, .compare = rules_file};
    return twindex_search(t, &how, sink);
}

static int call_tune(twindex *t, const twindex_sink *sink) {
    static const char *const VARY[] = {"copies=1,2"};
    const twindex_tune_options how = {.rules = rules_file,
                                      .vary = VARY,
                                      .n_vary = 1,
                                      .queries = queries_file,
                                      .judgements = judgements_file,
                                      .max_duplicates = 1};
    return twindex_tune(t, &how, sink);
}

/* ---- calls of the workbench ---------------------------------------------- */

static const twindex_rules_text TEXT = {
    .name = "A", .text = "[boost] host:example.com^2 near_unique_b:true", .n = 45};

static int call_rules_text(twindex *t, const twindex_sink *sink) {
    return twindex_check_rules(t, &TEXT, sink);
}

static int call_side_by_side(twindex *t, const twindex_sink *sink) {
    const char *const queries[] = {QUERY, "-"};
    const twindex_try_options how = {.queries = queries,
                                     .n_queries = 2,
                                     .sides = {TEXT, {.name = "B", .text = "[boost] x", .n = 9}},
                                     .n_sides = 2,
                                     .limit = 3};
    return twindex_try_rules(t, &how, sink);
}

static int call_find(twindex *t, const twindex_sink *sink) {
    return twindex_find(t, QUERY, 3, sink);
}

static int call_find_url(twindex *t, const twindex_sink *sink) {
    return twindex_find(t, "e.", 3, sink);
}

static int call_add_pin(twindex *t, const twindex_sink *sink) {
    const twindex_pin pin = {.kind = "keep", .a = explained, .text = "# by hand", .n = 9};
    return twindex_add_pin(t, &pin, sink);
}

static int call_stored(twindex *t, const twindex_sink *sink) {
    const twindex_run_options how = {.dry_run = true, .stored = true, .list = true, .limit = 3};
    return twindex_run(t, &how, sink);
}

static int call_try_rules(twindex *t, const twindex_sink *sink) {
    const twindex_run_options dry = {.dry_run = true, .rules = rules_file};
    return twindex_run(t, &dry, sink);
}

int call_predict(twindex *t, const twindex_sink *sink) {
    static const char *const URLS[] = {"http://a.example/x?sid=1", "nonsense"};
    const twindex_predict_options how = {.urls = URLS, .n = 2, .threshold = 0.98};
    return twindex_predict(t, &how, sink);
}

static int call_learned_rules(twindex *t, const twindex_sink *sink) {
    const twindex_predict_options how = {.rules = true, .threshold = 0.1};
    return twindex_predict(t, &how, sink);
}

static int call_replay(twindex *t, const twindex_sink *sink) {
    const twindex_predict_options how = {.evaluate = true, .train = 0.5};
    return twindex_predict(t, &how, sink);
}

const fault_call FAULT_CALL[FAULT_CALLS] = {
    {.name = "run",
     .call = call_run,
     .changes = FAULT_FLAGS | FAULT_MODEL,
     .timed = true,
     .shown = true},
    {.name = "import", .call = call_import, .changes = FAULT_DOCUMENTS, .shown = true},
    {.name = "index", .call = call_index, .changes = FAULT_INDEX, .timed = true, .shown = true},
    {.name = "learn", .call = twindex_learn, .changes = FAULT_MODEL, .shown = true},
    {.name = "init", .call = call_init, .changes = FAULT_MADE, .shown = true},
    {.name = "check", .call = twindex_check, .shown = true},
    {.name = "suggest", .call = twindex_suggest},
    {.name = "doctor", .call = twindex_doctor, .timed = true},
    {.name = "remove, dry run", .call = call_remove_dry_run},
    {.name = "remove", .call = call_remove, .changes = FAULT_REMOVED, .shown = true},
    {.name = "undo", .call = twindex_undo, .changes = FAULT_FLAGS, .toggles = true, .shown = true},
    {.name = "report", .call = twindex_report, .shown = true},
    {.name = "report page", .call = twindex_report_page, .timed = true},
    {.name = "report sheets", .call = call_report_sheets},
    {.name = "digest", .call = twindex_digest, .shown = true},
    {.name = "explain", .call = call_explain, .shown = true},
    {.name = "search", .call = call_search, .shown = true},
    {.name = "sign", .call = call_sign, .timed = true},
    {.name = "verify", .call = call_verify, .alone = true},
    {.name = "dry run", .call = call_dry_run, .timed = true},
    {.name = "groups", .call = call_groups},
    {.name = "clusters", .call = call_clusters},
    {.name = "diff", .call = call_diff},
    {.name = "evaluate", .call = call_evaluate, .timed = true},
    {.name = "evaluate, HTML", .call = call_evaluate_html, .timed = true},
    {.name = "findable", .call = call_findable, .timed = true},
    {.name = "compare", .call = call_compare, .timed = true},
    {.name = "similar", .call = call_similar, .timed = true},
    {.name = "similar, read", .call = call_similar_read, .timed = true},
    {.name = "mirrors", .call = call_mirrors},
    {.name = "detectors", .call = twindex_detectors, .alone = true},
    {.name = "rules", .call = call_rules, .alone = true},
    {.name = "compare rules", .call = call_compare_rules},
    {.name = "try rules", .call = call_try_rules, .timed = true},
    {.name = "judged queries", .call = call_judged},
    {.name = "tune", .call = call_tune},
    {.name = "rules text", .call = call_rules_text, .alone = true},
    {.name = "side by side", .call = call_side_by_side},
    {.name = "find", .call = call_find},
    {.name = "find, URL", .call = call_find_url},
    {.name = "add pin", .call = call_add_pin},
    {.name = "overview", .call = twindex_overview, .timed = true},
    {.name = "dry run, stored", .call = call_stored, .timed = true},
    {.name = "predict", .call = call_predict},
    {.name = "learned rules", .call = call_learned_rules},
    {.name = "replay", .call = call_replay, .timed = true},
};

const fault_call *fault_call_of(const char *name) {
    for (size_t i = 0; i < FAULT_CALLS; i++)
        if (strcmp(FAULT_CALL[i].name, name) == 0) return &FAULT_CALL[i];
    fail_msg("no call '%s'", name);
    return NULL;
}

/* ---- their files -------------------------------------------------------- */

static void write_rules(void) {
    static const char RULES[] =
        "[numbers] copies 3\n"
        "[filter] representative_b:true OR (duplicate_of:* AND http_unique_b:1)\n[boost] "
        "exact_signature_copycount_i:[2 TO *]^$copies host:example.com path:\"/a\"\n"
        "[function] recip(near_copycount_i,1,1,1) "
        "scale(exact_signature_copycount_i,0,1)\n[fields] title^2 text";
    rules_file = test_file("faults.rules");
    test_write_file(rules_file, RULES, sizeof RULES - 1);
}

/* Enough records for several transactions; the first may replace a document of the store. No two
 * have one URL, so that each row is either an old one or a final one. */
static void write_records(void) {
    records_file = test_file("faults.jsonl");
    FILE *file = fopen(records_file, "w");
    assert_non_null(file);
    for (int i = 0; i < 24; i++)
        fprintf(file,
                "{\"url\": \"http://example.com/%s%.0d\", \"title\": \"Title %d\", \"status\": %d, "
                "\"fetched_at\": %d, \"text\": \"The words of text %d are about rivers, stones and "
                "clouds at night.\"}\n",
                i ? "page" : "a", i, i % 5, i % 9 ? 200 : 404, 1800000000 + i, i / 3);
    fclose(file);
}

static const char *write_line(const char *name, const char *line) {
    const char *path = test_file(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", line);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void write_judgements(const char *url) {
    char line[8192];
    snprintf(line, sizeof line, "%s\t%s\t2", QUERY, url);
    queries_file = write_line("faults.queries", QUERY);
    judgements_file = write_line("faults.judgements", line);
}

void fault_calls_prepare(const char *path, const char *document, const char *url) {
    snprintf(store, sizeof store, "%s", path);
    snprintf(explained, sizeof explained, "%s", document);
    write_rules();
    write_records();
    write_judgements(url);
    pairs_file = write_line("faults.pairs", "a payload\tanother\nequal\tequal\n\t");
}

void fault_calls_prepare_row(const char *path, sqlite3 *db, const char *query) {
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, query, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    fault_calls_prepare(path, (const char *)sqlite3_column_text(stmt, 0),
                        (const char *)sqlite3_column_text(stmt, 1));
    sqlite3_finalize(stmt);
}
