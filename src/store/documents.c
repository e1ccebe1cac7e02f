#include "store/store.h"

#include <math.h>

#include "sql_text.h"

/* ==== links */

enum { BATCH_ROWS = 10000, URL_MAX = 1 << 30 };

struct twx_links {
    twx_db *db;
    sqlite3_stmt *any, *drop, *put, *copy;
    uint64_t written;
};

twx_rc twx_links_make(twx_db *db) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_link", &has);
    if (rc != TWX_OK) return rc;
    return twx_db_transact(db, has ? TWX_SQL_QUERY_LINK_SWEEP : TWX_SQL_SCHEMA_LINKS);
}

static void links_close(twx_links *l) {
    if (!l) return;
    sqlite3_stmt *all[] = {l->any, l->drop, l->put, l->copy};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) sqlite3_finalize(all[i]);
    twx_free(l);
}

/* For writing. TWX_DONE: there is no table of links. */
static twx_rc links_open(twx_db *db, twx_links **ret_links) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_link", &has);
    if (rc == TWX_OK && !has) rc = TWX_DONE;
    if (rc != TWX_OK) return rc;
    twx_links *l = twx_calloc(twx_db_ctx(db), 1, sizeof *l);
    if (!l) return TWX_E_NOMEM;
    l->db = db;
    const twx_stmt_row statements[] = {{TWX_SQL_QUERY_LINK_ANY, &l->any},
                                       {TWX_SQL_QUERY_LINK_DROP, &l->drop},
                                       {TWX_SQL_QUERY_LINK_PUT, &l->put},
                                       {TWX_SQL_QUERY_LINK_COPY, &l->copy}};
    if (rc == TWX_OK) rc = twx_stmts_prepare(db, statements, TWX_COUNTOF(statements));
    TWX_HAND_OVER(rc, ret_links, l, links_close(l));
    return rc;
}

static twx_rc links_has_any(twx_links *l, int64_t doc, bool *ret_any) {
    twx_rc rc = twx_stmt_first(l->db, l->any, TWX_VALUES(twx_int(doc)));
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    *ret_any = rc == TWX_OK;
    sqlite3_reset(l->any);
    return TWX_OK;
}

static twx_rc drop(twx_links *l, int64_t doc) {
    return twx_stmt_write(l->db, l->drop, TWX_VALUES(twx_int(doc)));
}

static twx_rc put(twx_links *l, int64_t doc, twx_slice url) {
    const twx_rc rc = twx_stmt_write(l->db, l->put, TWX_VALUES(twx_int(doc), twx_text(url)));
    if (rc == TWX_OK) l->written += (uint64_t)sqlite3_changes(l->db->handle);
    return rc;
}

typedef struct reading {
    twx_db *db;
    sqlite3_stmt *each;
    int64_t doc; /* of the last link, with its target in to_url */
    twx_buf to_url;
    twx_link_fn *fn;
    void *arg;
} reading;

/* TWX_DONE: this was the last batch. */
static twx_rc read_batch(reading *r) {
    twx_buf target = r->to_url; /* bound while the next one is written */
    size_t rows = 0;
    twx_buf_init(&r->to_url, target.max);
    twx_rc rc = twx_bind(
        r->db, r->each,
        TWX_VALUES(twx_int(r->doc), twx_text(twx_buf_slice(&target)), twx_int(BATCH_ROWS)));
    while (rc == TWX_OK && (rc = twx_stmt_step(r->db, r->each)) == TWX_OK) {
        const twx_slice to = twx_column_text(r->each, 2);
        rows++;
        if (rows == BATCH_ROWS) {
            r->doc = sqlite3_column_int64(r->each, 0);
            rc = twx_buf_add_slice(twx_db_ctx(r->db), &r->to_url, to);
        }
        if (rc == TWX_OK) rc = r->fn(r->arg, twx_column_text(r->each, 1), to);
    }
    sqlite3_reset(r->each);
    sqlite3_clear_bindings(r->each);
    twx_buf_done(&target);
    return rc == TWX_DONE && rows == BATCH_ROWS ? TWX_OK : rc;
}

twx_rc twx_links_each(twx_db *db, twx_link_fn *fn, void *arg) {
    reading r = {.db = db, .doc = INT64_MIN, .fn = fn, .arg = arg, .to_url = {.max = URL_MAX}};
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_link", &has);
    if (rc != TWX_OK || !has) return rc;
    rc = twx_stmt_prepare(db, TWX_SQL_QUERY_LINK_EACH, &r.each);
    while (rc == TWX_OK) {
        rc = twx_cancelled(twx_db_ctx(db));
        if (rc == TWX_OK) rc = read_batch(&r);
    }
    sqlite3_finalize(r.each);
    twx_buf_done(&r.to_url);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ==== documents */

enum {
    CONTENT_BYTES = 16,
    PARTS = 3, /* of a digest */
    PART_BYTES = 8,
    DIGEST_BYTES = CONTENT_BYTES + PARTS * PART_BYTES + 1,
    REFUSAL_BYTES = 300
};

struct twx_documents {
    twx_db *db;
    sqlite3_stmt *find, *insert, *update, *queue, *find_payload;
    twx_links *links; /* NULL: the store has no table of links */
    bool keep_links;
    int64_t latest; /* later dates are in the future */
    char refusal[REFUSAL_BYTES];
};

twx_capture twx_capture_none(void) {
    return (twx_capture){.http_status = -1, .fetched_at = INT64_MIN, .score = NAN};
}

twx_rc twx_documents_open(twx_ctx *cx, twx_db *db, twx_documents **ret_documents) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_change", &has);
    if (rc != TWX_OK) return rc;
    if (!has)
        return twx_fail(cx, TWX_E_DATA,
                        "%s has no `documents` table of twindex, or 'twindex remove' dropped its "
                        "change queue: 'twindex init' makes what is missing",
                        twx_db_path(db));
    rc = twx_check_documents(db);
    if (rc != TWX_OK) return rc;
    twx_documents *d = twx_calloc(cx, 1, sizeof *d);
    if (!d) return TWX_E_NOMEM;
    d->db = db;
    d->latest = INT64_MAX;
    const twx_stmt_row statements[] = {{TWX_SQL_QUERY_DOCUMENTS_FIND, &d->find},
                                       {TWX_SQL_QUERY_DOCUMENTS_INSERT, &d->insert},
                                       {TWX_SQL_QUERY_DOCUMENTS_UPDATE, &d->update},
                                       {TWX_SQL_QUERY_CHANGE_QUEUE, &d->queue},
                                       {TWX_SQL_QUERY_DOCUMENTS_FIND_PAYLOAD, &d->find_payload}};
    if (rc == TWX_OK) rc = twx_stmts_prepare(db, statements, TWX_COUNTOF(statements));
    if (rc == TWX_OK) rc = links_open(db, &d->links);
    if (rc == TWX_DONE) rc = TWX_OK; /* there is no table of links */
    TWX_HAND_OVER(rc, ret_documents, d, twx_documents_close(d));
    return rc;
}

void twx_documents_close(twx_documents *d) {
    if (!d) return;
    sqlite3_stmt *all[] = {d->find, d->insert, d->update, d->queue, d->find_payload};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) sqlite3_finalize(all[i]);
    links_close(d->links);
    (void)!twx_turn_end(d->db, TWX_E_INTERNAL, false); /* rolls back what is open */
    twx_free(d);
}

twx_rc twx_documents_keep_links(twx_documents *d) {
    twx_rc rc = d->keep_links ? TWX_OK : twx_links_make(d->db);
    if (rc == TWX_OK && !d->links) rc = links_open(d->db, &d->links);
    if (rc == TWX_OK) d->keep_links = true;
    return rc;
}

bool twx_documents_keeps_links(const twx_documents *d) {
    return d->keep_links;
}

uint64_t twx_documents_links(const twx_documents *d) {
    return d->links ? d->links->written : 0;
}

twx_rc twx_documents_commit(twx_documents *d) {
    sqlite3_reset(d->find_payload); /* an unfinished SELECT would keep a read transaction open */
    return twx_turn_end(d->db, TWX_OK, false);
}

/* Hash of every captured field but date, headings, names and content area, each with its length,
 * so that fields cannot run together. */
static twx_hash128 hash_of(const twx_capture *c) {
    const twx_slice fields[] = {
        c->url,          c->title,         c->description,    c->text,           c->failure,
        c->robots,       c->canonical_url, c->redirect_url,   c->hreflang_group, c->language,
        c->content_type, c->layout_digest, c->payload_digest, c->crawl_id};
    twx_hash128 h = {0, 0};
    for (size_t i = 0; i < TWX_COUNTOF(fields); i++) {
        twx_hash128 part = twx_hash_wide(fields[i], i + (fields[i].p ? 100 : 0));
        h.lo = twx_mix64(h.lo, part.lo);
        h.hi = twx_mix64(h.hi, part.hi);
    }
    uint64_t score = 0;
    double known = isnan(c->score) ? -1.0e300 : c->score;
    memcpy(&score, &known, sizeof score);
    h.lo = twx_mix64(twx_mix64(h.lo, (uint64_t)c->http_status), score);
    h.hi = twx_mix64(twx_mix64(h.hi, score), (uint64_t)c->http_status);
    return h;
}

/* The hash, followed by those of the headings, the names and the content area, up to the last that
 * there is (0 for what is missing before it), and by one byte if the date is a day without a time:
 * fetched_at does not say that. */
static twx_slice digest_of(const twx_capture *c, char room[DIGEST_BYTES]) {
    const twx_hash128 h = hash_of(c);
    twx_store_be64(room, h.hi);
    twx_store_be64(room + 8, h.lo);
    const twx_slice parts[PARTS] = {c->headings, c->names, c->main_parts};
    size_t n = CONTENT_BYTES;
    for (size_t i = 0; i < PARTS; i++) {
        const size_t at = CONTENT_BYTES + i * PART_BYTES;
        twx_store_be64(room + at, parts[i].n ? twx_hash64(parts[i], 0) : 0);
        if (parts[i].n) n = at + PART_BYTES;
    }
    room[n] = 'd';
    return (twx_slice){room, n + c->fetched_day};
}

static bool is_day(twx_slice digest) {
    return digest.n % 2 == 1;
}

/* The hash of the headings (0), names (1) or content area (2); 0: there are none. */
static uint64_t part_of(twx_slice digest, size_t part) {
    const size_t at = CONTENT_BYTES + part * PART_BYTES;
    return digest.n < at + PART_BYTES ? 0 : twx_load_be64(digest.p + at);
}

/* A capture without headings, names or content area is the same as one with them: the row keeps
 * those that it has. */
static bool is_same(twx_slice digest, twx_slice stored) {
    for (size_t part = 0; part < PARTS; part++) {
        const uint64_t own = part_of(digest, part);
        if (own && own != part_of(stored, part)) return false;
    }
    return is_day(digest) == is_day(stored) &&
           twx_slice_eq(twx_slice_sub(digest, 0, CONTENT_BYTES),
                        twx_slice_sub(stored, 0, CONTENT_BYTES));
}

/* Runs the statement that writes a row. TWX_DONE: a trigger of the owner refused it, with ABORT or
 * FAIL, or IGNORE; after ROLLBACK the turn is lost, and that is an error. */
static twx_rc write_unless_refused(twx_documents *d, sqlite3_stmt *s) {
    const twx_rc rc = twx_stmt_run(d->db, s);
    const bool aborted = sqlite3_extended_errcode(d->db->handle) == SQLITE_CONSTRAINT_TRIGGER &&
                         !sqlite3_get_autocommit(d->db->handle);
    if (rc == TWX_OK && (!d->db->triggers || sqlite3_changes(d->db->handle))) return rc;
    if (rc != TWX_OK && !aborted) return rc;
    snprintf(d->refusal, sizeof d->refusal, "%s",
             rc == TWX_OK ? "a trigger ignores the row" : sqlite3_errmsg(d->db->handle));
    twx_ctx_clear(twx_db_ctx(d->db));
    return TWX_DONE;
}

/* *id: the row to replace, 0 for a new one; then that of the row written. TWX_DONE: refused. */
static twx_rc write_row(twx_documents *d, const twx_capture *c, twx_slice digest, int64_t *id) {
    sqlite3_stmt *s = *id ? d->update : d->insert;
    const twx_slice none = {NULL, 0}; /* or no text, which is bound below */
    const twx_slice texts[] = {c->url,
                               c->title,
                               c->description,
                               none,
                               c->failure,
                               c->robots,
                               c->canonical_url,
                               c->redirect_url,
                               c->hreflang_group,
                               c->language,
                               c->content_type,
                               none,
                               none,
                               c->layout_digest,
                               c->payload_digest,
                               c->crawl_id,
                               none,
                               c->text,
                               c->headings.n ? c->headings : none,
                               c->names.n ? c->names : none,
                               c->main_parts.n ? c->main_parts : none};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(texts); i++)
        rc = twx_bind_text(d->db, s, (int)i + 1, texts[i]);
    if (rc == TWX_OK && c->http_status >= 0) rc = twx_bind_int(d->db, s, 4, c->http_status);
    if (rc == TWX_OK && c->fetched_at != INT64_MIN) rc = twx_bind_int(d->db, s, 12, c->fetched_at);
    if (rc == TWX_OK && !isnan(c->score))
        rc = twx_bind_value(d->db, s, 13, &(twx_value){.type = TWX_REAL, .r = c->score});
    if (rc == TWX_OK) rc = twx_bind_blob(d->db, s, 17, digest);
    if (rc == TWX_OK && *id) rc = twx_bind_int(d->db, s, TWX_COUNTOF(texts) + 1, *id);
    if (rc == TWX_OK) rc = write_unless_refused(d, s);
    if (rc != TWX_OK) return rc;
    if (!*id) *id = sqlite3_last_insert_rowid(d->db->handle);
    return twx_stmt_write(d->db, d->queue, TWX_VALUES(twx_int(*id)));
}

/* A document that is written gets the links of its capture; an unchanged one keeps its own. */
static twx_rc write_links(twx_documents *d, const twx_capture *c, twx_put done, int64_t id) {
    const bool written = done == TWX_PUT_NEW || done == TWX_PUT_REPLACED;
    bool has = false;
    if (!d->links || !(written || (done == TWX_PUT_SAME && d->keep_links))) return TWX_OK;
    twx_rc rc = written ? TWX_OK : links_has_any(d->links, id, &has);
    if (rc != TWX_OK || has || c->repeats == id) return rc;
    rc = drop(d->links, id);
    if (rc == TWX_OK && c->repeats && d->keep_links)
        return twx_stmt_write(d->links->db, d->links->copy,
                              TWX_VALUES(twx_int(c->repeats), twx_int(id)));
    /* absolute URLs in normal form, each followed by a line feed; empty or absent: none */
    const twx_slice urls = d->keep_links ? c->links : (twx_slice){0};
    for (size_t from = 0, end; rc == TWX_OK && from < urls.n; from = end + 1) {
        end = twx_slice_find(urls, '\n', from);
        if (end > from) rc = put(d->links, id, twx_slice_sub(urls, from, end));
    }
    return rc;
}

/* [R1] Decides what a capture does to the row of its URL. */
static twx_put decide(twx_documents *d, const twx_capture *c, twx_slice digest) {
    const bool dated = sqlite3_column_type(d->find, 1) != SQLITE_NULL;
    const int64_t then = dated ? sqlite3_column_int64(d->find, 1) : INT64_MIN;
    const twx_slice stored = twx_column_blob(d->find, 2);
    if (then == c->fetched_at && is_same(digest, stored)) return TWX_PUT_SAME;
    const bool known = dated && !is_day(stored) && then <= d->latest;
    const bool older = c->fetched_at != INT64_MIN && !c->fetched_day && c->fetched_at < then;
    return known && older ? TWX_PUT_OLDER : TWX_PUT_REPLACED;
}

const char *twx_documents_refusal(const twx_documents *d) {
    return d->refusal;
}

twx_rc twx_documents_triggers(twx_db *db, twx_buf *ret_names) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, TWX_SQL_QUERY_SCHEMA_DOCUMENT_TRIGGERS, NULL, 0, &stmt);
    if (rc == TWX_OK) rc = twx_buf_add_slice(twx_db_ctx(db), ret_names, twx_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    return rc;
}

void twx_documents_set_latest(twx_documents *d, int64_t latest) {
    d->latest = latest;
}

bool twx_documents_is_future(const twx_documents *d, const twx_capture *c) {
    return c->fetched_at > d->latest;
}

twx_rc twx_documents_put(twx_documents *d, const twx_capture *c, twx_put *ret_put) {
    char room[DIGEST_BYTES];
    const twx_slice digest = digest_of(c, room);
    twx_rc rc = twx_turn_begin(d->db);
    if (rc == TWX_OK) rc = twx_stmt_first(d->db, d->find, TWX_VALUES(twx_text(c->url)));
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    int64_t id = rc == TWX_OK ? sqlite3_column_int64(d->find, 0) : 0;
    twx_put put = rc == TWX_OK ? decide(d, c, digest) : TWX_PUT_NEW;
    sqlite3_reset(d->find);
    rc = TWX_OK;
    if (put == TWX_PUT_NEW || put == TWX_PUT_REPLACED) rc = write_row(d, c, digest, &id);
    if (rc == TWX_DONE) {
        put = TWX_PUT_REFUSED;
        rc = TWX_OK;
    }
    if (rc == TWX_OK) rc = write_links(d, c, put, id);
    if (rc == TWX_OK && twx_turn_is_over(d->db)) rc = twx_documents_commit(d);
    if (rc == TWX_OK) *ret_put = put;
    return rc;
}

twx_rc twx_documents_find_payload(twx_documents *d, twx_slice payload_digest,
                                  twx_capture *ret_capture) {
    sqlite3_stmt *s = d->find_payload;
    sqlite3_reset(s);
    const twx_rc rc = twx_stmt_first(d->db, s, TWX_VALUES(twx_text(payload_digest)));
    if (rc != TWX_OK) return rc;
    twx_capture c = twx_capture_none();
    twx_slice *texts[] = {&c.title,    &c.description,   &c.text,          NULL,
                          &c.robots,   &c.canonical_url, &c.redirect_url,  &c.hreflang_group,
                          &c.language, &c.content_type,  &c.layout_digest, &c.headings,
                          &c.names,    &c.main_parts};
    c.repeats = sqlite3_column_int64(s, TWX_COUNTOF(texts));
    for (size_t i = 0; i < TWX_COUNTOF(texts); i++)
        if (texts[i]) *texts[i] = twx_column_text(s, (int)i);
    if (sqlite3_column_type(s, 3) != SQLITE_NULL) c.http_status = sqlite3_column_int64(s, 3);
    c.payload_digest = payload_digest;
    *ret_capture = c;
    return TWX_OK;
}
