#include "fault_scene.h"

#include <unistd.h>

#include "fault_clock.h"
#include "fault_disk.h"
#include "flag_checks.h"
#include "sign/sign.h"

enum { PAGES = 14, CHANGES = 12, RUNS = 2 };

/* ---- reading a state ---------------------------------------------------- */

static const char DOCUMENTS[] = "SELECT * FROM documents ORDER BY id";

/* Where rows go, and the table that must exist. */
static const struct {
    const char *table, *sql;
    size_t to; /* offset of the hash */
} QUERIES[] = {
    {"document_flags", "SELECT * FROM document_flags ORDER BY id", offsetof(fault_state, views)},
    {"duplicate_groups", "SELECT * FROM duplicate_groups ORDER BY 1, 2, 3",
     offsetof(fault_state, views)},
    {"document_alternates", "SELECT * FROM document_alternates ORDER BY 1, 2",
     offsetof(fault_state, views)},
    {"flagged_documents", "SELECT * FROM flagged_documents ORDER BY id",
     offsetof(fault_state, joined)},
    {"sqlite_schema",
     "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'view' AND (name NOT LIKE "
     "'twindex!_%' ESCAPE '!' OR name LIKE 'twindex!_change%' ESCAPE '!') AND name NOT LIKE "
     "'sqlite!_%' ESCAPE '!' ORDER BY name",
     offsetof(fault_state, schema)},
    {"documents", DOCUMENTS, offsetof(fault_state, documents)},
    {"twindex_url_model", "SELECT fingerprint, urls, share FROM twindex_url_model",
     offsetof(fault_state, model)},
    {"twindex_url_hypothesis", "SELECT * FROM twindex_url_hypothesis ORDER BY context",
     offsetof(fault_state, model)},
    {"twindex_url_seen", "SELECT * FROM twindex_url_seen ORDER BY key",
     offsetof(fault_state, model)},
    {"twindex_text_slot", "SELECT doc, hash FROM twindex_text_slot ORDER BY doc",
     offsetof(fault_state, index)},
    {"twindex_text_slot",
     "SELECT s.doc FROM twindex_text AS t JOIN twindex_text_slot AS s ON s.slot = t.rowid WHERE "
     "twindex_text MATCH 'a* OR n* OR r* OR s* OR t*' ORDER BY s.doc",
     offsetof(fault_state, index)},
};

static uint64_t hash_row(sqlite3_stmt *stmt, uint64_t h) {
    for (int c = 0; c < sqlite3_column_count(stmt); c++) {
        const int type = sqlite3_column_type(stmt, c);
        const void *bytes = sqlite3_column_blob(stmt, c);
        const twx_slice value = {bytes, (size_t)sqlite3_column_bytes(stmt, c)};
        h = twx_hash64(value, twx_mix64(h, (uint64_t)type));
    }
    return h;
}

static void unsound(fault_state *state, const char *what, const char *reason) {
    if (state->sound) snprintf(state->reason, sizeof state->reason, "%.120s: %s", what, reason);
    state->sound = false;
}

/* rows: also keeps the hash of each. */
static void hash_query(sqlite3 *db, const char *sql, uint64_t *hash, fault_state *state,
                       bool rows) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        rc = SQLITE_OK;
        *hash = hash_row(stmt, *hash + 1);
        if (rows && state->n_rows < FAULT_ROWS) state->rows[state->n_rows++] = hash_row(stmt, 1);
    }
    if (rc != SQLITE_DONE) unsound(state, sql, sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
}

static bool has(sqlite3 *db, const char *name, fault_state *state) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_schema WHERE name = ?1", -1, &stmt, NULL);
    if (rc == SQLITE_OK) sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE) unsound(state, name, sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW || strcmp(name, "sqlite_schema") == 0;
}

static void check_integrity(sqlite3 *db, fault_state *state) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &stmt, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
    const char *text = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0)
                                        : sqlite3_errmsg(db);
    if (!text || strcmp(text, "ok") != 0) unsound(state, "integrity_check", text ? text : "none");
    sqlite3_finalize(stmt);
}

static sqlite3 *open_plainly(const fault_scene *s, fault_state *state) {
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(s->store, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        unsound(state, "open", sqlite3_errmsg(db));
    else
        test_text_functions(db);
    return db;
}

void fault_state_settle(const fault_scene *s, fault_state *ret_state) {
    memset(ret_state, 0, sizeof *ret_state);
    ret_state->sound = true;
    if (access(s->store, F_OK) != 0) return;
    sqlite3 *db = open_plainly(s, ret_state);
    (void)has(db, "documents", ret_state);
    if (ret_state->sound &&
        sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) != SQLITE_OK)
        unsound(ret_state, "checkpoint", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void read_rows(const fault_scene *s, fault_state *state) {
    if (access(s->store, F_OK) != 0) return; /* no store is a state, too */
    sqlite3 *db = open_plainly(s, state);
    if (state->sound) check_integrity(db, state);
    for (size_t i = 0; state->sound && i < sizeof QUERIES / sizeof *QUERIES; i++)
        if (has(db, QUERIES[i].table, state))
            hash_query(db, QUERIES[i].sql, (uint64_t *)((char *)state + QUERIES[i].to), state,
                       QUERIES[i].sql == DOCUMENTS);
    sqlite3_close(db);
}

void fault_digest_read(const fault_scene *s, fault_state *ret_state) {
    static fault_output out;
    const twindex_sink sink = {.write = fault_keep_output, .arg = &out};
    out.n = 0;
    ret_state->digest[0] = ret_state->reason[0] = '\0';
    if (access(s->store, F_OK) != 0) return;
    twindex *t = fault_scene_open(s, NULL, NULL);
    if (twindex_digest(t, &sink) == TWINDEX_OK)
        snprintf(ret_state->digest, 33, "%.32s", out.bytes);
    else
        snprintf(ret_state->reason, sizeof ret_state->reason, "%s", twindex_message(t));
    twindex_free(t);
}

void fault_state_read(const fault_scene *s, fault_state *ret_state) {
    memset(ret_state, 0, sizeof *ret_state);
    ret_state->sound = true;
    read_rows(s, ret_state);
    if (!ret_state->sound) return;
    fault_digest_read(s, ret_state);
    /* before the first run there are no flags to read */
    if (ret_state->reason[0] && ret_state->views) ret_state->sound = false;
}

uint64_t fault_scene_files(const fault_scene *s) {
    static fault_image image;
    uint64_t h = 1;
    for (int i = 0; i < FAULT_FILES; i++) {
        char path[FAULT_PATH + 16];
        snprintf(path, sizeof path, "%s%s", s->store, FAULT_TAILS[i]);
        fault_image_read(path, &image);
        h = fault_image_hash(&image, h);
    }
    return h;
}

/* ---- calls -------------------------------------------------------------- */

int fault_keep_output(void *arg, const char *bytes, size_t n) {
    fault_output *out = arg;
    const size_t room = sizeof out->bytes - 1 - out->n, part = n < room ? n : room;
    memcpy(out->bytes + out->n, bytes, part);
    out->n += part;
    out->bytes[out->n] = '\0';
    return 0;
}

twindex *fault_scene_open(const fault_scene *s, twindex_message_fn *on_message, void *arg) {
    twindex *t = twindex_new();
    assert_non_null(t);
    test_set(t, "run.pause_ms", "0");
    test_set(t, "run.busy_ms", "20");
    test_set(t, "run.jobs", "1");
    test_set(t, "run.batch_rows", "5");
    test_set(t, "store.joined_view", "yes");
    if (on_message) twindex_on_message(t, on_message, arg);
    (void)twindex_open(t, s->store); /* the call says so if there is no store */
    return t;
}

int fault_scene_call(const fault_scene *s, const fault_call *call, twindex_format format,
                     fault_output *ret_output) {
    static fault_output unused;
    fault_output *out = ret_output ? ret_output : &unused;
    const twindex_sink sink = {.write = fault_keep_output, .arg = out, .format = format};
    out->n = 0;
    out->bytes[0] = '\0';
    clock_reset();
    disk_arm(&(disk_plan){0}); /* the same random numbers each time */
    twindex *t = fault_scene_open(s, NULL, NULL);
    const int result = call->call(t, &sink);
    if (result != TWINDEX_OK && result != TWINDEX_DOUBT)
        fault_keep_output(out, twindex_message(t), strlen(twindex_message(t)));
    twindex_free(t);
    return result;
}

/* ---- the scene ---------------------------------------------------------- */

const fault_expected *fault_expect(const fault_scene *s, const fault_call *call) {
    return &s->expected[call - FAULT_CALL];
}

const fault_state *fault_before(const fault_scene *s, const fault_call *call) {
    return call->changes & FAULT_MADE ? &s->nothing : &s->before;
}

void fault_scene_restore(const fault_scene *s, const fault_call *call) {
    test_remove_leftovers(s->store);
    fault_image_write(s->store, call->changes & FAULT_MADE ? &s->bare : &s->template);
}

/* The flags after a run are those of the plain judge. */
static void judge(const fault_scene *s, test_world *w) {
    plain_judge *j = calloc(1, sizeof *j);
    size_t named = 0;
    assert_non_null(j);
    *j = (plain_judge){.shape = TEST_OWN,
                       .how = {.https = true,
                               .www = true,
                               .order = "score origin url_length fetched_at",
                               .joins = {[SCHEME] = true, [WWW] = true, [COPY] = true},
                               .canonical = true,
                               .redirect = true,
                               .collapse_min = 10,
                               .scope = {[TITLE] = HOST, [DESCRIPTION] = HOST},
                               .candidates = 64}};
    j->near.d = twx_detector_find("alignment");
    j->near.params = twx_params_default();
    j->n = test_world_pages(w, &j->page);
    flag_checks c = {.j = j, .db = test_open(s->store), .seed = s->seed};
    c.generation = test_integer(c.db, "SELECT generation = 'b' FROM twindex_state") ? 'b' : 'a';
    read_signatures(&c);
    plain_judge_links(j);
    read_copies(&c);
    plain_judge_groups(j);
    check_copies(&c, &named);
    plain_judge_clusters(j);
    plain_judge_flags(j);
    check_flags(&c);
    check_copy_flags(&c);
    check_links(&c);
    check_groups(&c);
    sqlite3_close(c.db);
    near_signs_done(&j->near);
    free(j);
}

static void call_well(const fault_scene *s, const char *name) {
    fault_output *out = calloc(1, sizeof *out);
    assert_non_null(out);
    if (fault_scene_call(s, fault_call_of(name), TWINDEX_TEXT, out) != TWINDEX_OK)
        fail_msg("%s: %s", name, out->bytes);
    free(out);
}

static void fill(fault_scene *s, test_world *w) {
    test_world_grow(w, PAGES);
    test_store_make(w, s->store);
    for (int i = 0; i < RUNS; i++) {
        test_store_sync(w, s->store);
        call_well(s, "run");
        judge(s, w);
        test_world_change(w, CHANGES);
    }
    call_well(s, "index");
    call_well(s, "learn");
    test_store_sync(w, s->store);
    sqlite3 *db = test_open(s->store);
    /* a document that has flags is explained */
    fault_calls_prepare_row(
        s->store, db,
        "SELECT id, url FROM document_flags JOIN documents USING (id) ORDER BY id LIMIT 1");
    if (!s->wal) test_exec(db, "PRAGMA journal_mode = DELETE");
    sqlite3_close(db);
    assert_true(fault_image_read(s->store, &s->template));
}

static void expect(fault_scene *s, const fault_call *call, test_world *w) {
    static fault_output out;
    fault_expected *e = &s->expected[call - FAULT_CALL];
    for (int json = 1; json >= 0; json--) {
        fault_scene_restore(s, call);
        e->result = fault_scene_call(s, call, json ? TWINDEX_JSON : TWINDEX_TEXT, &out);
        if (e->result != TWINDEX_OK && e->result != TWINDEX_DOUBT)
            fail_msg("%s ends with %d: %s", call->name, e->result, out.bytes);
        e->output[json] = strdup(out.bytes);
        assert_non_null(e->output[json]);
    }
    if (strcmp(call->name, "run") == 0) judge(s, w);
    fault_state_read(s, &e->after);
    call_well(s, "run");
    fault_state then;
    fault_state_read(s, &then);
    if (!e->after.sound || !then.sound) fail_msg("%s: %s", call->name, e->after.reason);
    memcpy(e->then, then.digest, sizeof e->then);
}

void fault_scene_prepare(fault_scene *s, uint64_t seed, bool wal) {
    *s = (fault_scene){.wal = wal, .seed = seed, .nothing = {.sound = true}};
    snprintf(s->store, sizeof s->store, "%s", test_file("faults.db"));
    test_world *w = test_world_new(seed, TEST_OWN);
    fill(s, w);
    fault_state_read(s, &s->before);
    if (!s->before.sound) fail_msg("%s", s->before.reason);
    assert_true(s->before.digest[0] && s->before.index && s->before.model && s->before.views);
    for (size_t i = 0; i < FAULT_CALLS; i++) expect(s, &FAULT_CALL[i], w);
    const fault_expected *run = fault_expect(s, fault_call_of("run"));
    assert_string_not_equal(run->after.digest, s->before.digest);
    test_world_free(w);
}
