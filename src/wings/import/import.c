#include "import/import.h"

#include <unistd.h>

/* Most frequent first, then by name; the rest ("") last. */
static int compare_types(const void *a, const void *b) {
    const twx_import_type *x = a, *y = b;
    if (!x->name[0] != !y->name[0]) return x->name[0] ? -1 : 1;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return strcmp(x->name, y->name);
}

static const char *type_name(const twx_import_type *t) {
    return t->name[0] ? t->name : "other types";
}

/* Sorts the types. */
static twx_rc write_summary(const twx_out *out, const char *store, twx_import_counts *s,
                            uint64_t links) {
    const twx_count_row rows[] = {
        {"records", "record read", "records read", .n = s->records, .always = true},
        {"new", "new document", "new documents", .n = s->put[TWX_PUT_NEW], .always = true},
        {"replaced", "document replaced by another capture",
         "documents replaced by another capture", .n = s->put[TWX_PUT_REPLACED]},
        {"same", "capture that is in the store already", "captures that are in the store already",
         .n = s->put[TWX_PUT_SAME]},
        {"older", "capture older than what is in the store",
         "captures older than what is in the store", .n = s->put[TWX_PUT_OLDER]},
        {"refused", "document that a trigger of documents refused",
         "documents that a trigger of documents refused", .n = s->put[TWX_PUT_REFUSED]},
        {"future", "capture with a date in the future", "captures with a date in the future",
         .n = s->future},
        {"not_documents", "record that is not a document (requests, metadata, ...)",
         "records that are not documents (requests, metadata, ...)", .n = s->not_documents},
        {"unknown_revisits", "revisit of what is not in the store",
         "revisits of what is not in the store", .n = s->unknown_revisits},
        {"too_long", "record or page longer than the limit, skipped",
         "records or pages longer than the limit, skipped", .n = s->too_long},
        {"broken", "broken record, skipped", "broken records, skipped", .n = s->broken},
        {"damaged", "document kept although its record is damaged",
         "documents kept although their record is damaged", .n = s->damaged},
        {"no_text", "document without text", "documents without text", .n = s->no_text},
        {"links", "link to another page", "links to other pages", .n = links},
        {"left_out", "response of another type (import.types):",
         "responses of other types (import.types), by type:", .n = s->left_out}};
    qsort(s->types, s->types_n, sizeof *s->types, compare_types);
    if (twx_out_is_json(out)) {
        json_t *all = json_object(), *types = json_object();
        twx_count_rows_put(all, rows, TWX_COUNTOF(rows));
        for (size_t i = 0; i < s->types_n; i++)
            json_object_set_new(types, type_name(&s->types[i]), twx_json_count(s->types[i].n));
        json_object_set_new(all, "left_out_types", types);
        return twx_out_json(out, all);
    }
    twx_rc rc = twx_out_text(out, "%s:\n", store);
    if (rc == TWX_OK) rc = twx_count_rows_write(out, rows, TWX_COUNTOF(rows));
    for (size_t i = 0; rc == TWX_OK && i < s->types_n; i++)
        rc = twx_out_text(out, "  %12s    %12" PRIu64 "  %s\n", "", s->types[i].n,
                          type_name(&s->types[i]));
    return rc;
}

enum {
    ROW_SLACK = 64 << 10, /* size of a row besides its texts */
    PLACE_BYTES = 1024,
    PARCEL_BYTES = 512 << 10, /* raw bytes after which a parcel is passed to a worker */
    PARCEL_RECORDS = 256,
    IN_FLIGHT_BYTES = 64 << 20, /* raw bytes that are read ahead of the writer */
    HELD_BYTES = 32 << 20,      /* records without text that are held back, [R5] */
    ARENA_KEEP = 2 << 20
};

/* Records that one worker converts to captures, in order. */
typedef struct parcel {
    uint64_t number; /* sequence number in the file, from 0 */
    TWX_VEC(twx_raw) raw;
    TWX_VEC(twx_extracted) found;
    twx_arena bytes, results;
    size_t raw_bytes;
    bool done;
} parcel;

/* A capture without text, [R5]. raw: where its record is */
typedef struct held_capture {
    twx_raw raw;
    twx_capture capture;
} held_capture;

typedef struct importer {
    twx_ctx *cx;
    twx_documents *documents;
    const twx_import_options *options;
    twx_import_counts *counts;
    twx_extract_options extract;
    twx_reader *reader;
    twx_workers *workers;
    parcel *parcels;
    size_t parcels_n;
    parcel *filling;       /* NULL: none */
    uint64_t next_number;  /* number of the next parcel to fill */
    uint64_t next_written; /* number of the next parcel to write */
    size_t in_flight;      /* raw bytes of parcels being filled or under way */
    /* [R5] documents held back until a record with text is found */
    bool seen_text;
    uint64_t first_record;
    twx_arena held_bytes;
    size_t held_n;
    TWX_VEC(held_capture) held;
    char fields[512]; /* of the first record without text */
    char fault[512];  /* of the first broken record */
} importer;

/* ---- counts and messages -------------------------------------------------- */

static void note(importer *m, const twx_raw *raw, twx_slice url, const char *reason) {
    char place[PLACE_BYTES];
    const twx_slice entry = raw->entry;
    snprintf(place, sizeof place,
             raw->by_line ? "%.400s%s%.*s:%" PRIu64 "%s%.*s"
                          : "%.400s%s%.*s: offset %" PRIu64 "%s%.*s",
             twx_reader_name(m->reader), entry.n ? ": " : "", TWX_SLICE_ARG(entry), raw->at,
             url.n ? ": " : "", TWX_SLICE_ARG(url));
    m->options->on_note(m->options->arg, place, reason);
}

static void count_type(twx_import_counts *c, twx_slice type) {
    char name[TWX_IMPORT_TYPE_BYTES];
    size_t n = 0, i = 0;
    for (; n < type.n && n + 1 < sizeof name; n++)
        name[n] = type.p[n] > ' ' && type.p[n] < 0x7f ? twx_lower(type.p[n]) : '?';
    if (n == 0) n = (size_t)snprintf(name, sizeof name, "unknown");
    name[n] = '\0';
    c->left_out++;
    while (i < c->types_n && strcmp(c->types[i].name, name) != 0) i++;
    if (i == TWX_IMPORT_TYPES) i--; /* no room: the last entry counts all other types */
    if (i == c->types_n) {
        bool last = ++c->types_n == TWX_IMPORT_TYPES;
        snprintf(c->types[i].name, sizeof c->types[i].name, "%s", last ? "" : name);
    }
    c->types[i].n++;
}

static void note_progress(importer *m) {
    uint64_t done = 0, total = 0;
    if (!m->reader) return; /* NULL while its format is looked for */
    twx_reader_progress(m->reader, &done, &total);
    m->options->on_progress(m->options->arg, done, total);
}

/* ---- writing -------------------------------------------------------------- */

/* raw: the record, for messages. */
static twx_rc put(importer *m, const twx_raw *raw, const twx_capture *c) {
    twx_put what = TWX_PUT_SAME;
    twx_rc rc = twx_documents_put(m->documents, c, &what);
    if (rc == TWX_OK) m->counts->put[what]++;
    if (rc == TWX_OK && what == TWX_PUT_REFUSED)
        note(m, raw, c->url, twx_documents_refusal(m->documents));
    return rc;
}

/* [R5] Holds back a capture without text; too many of them end the file early. */
static twx_rc hold(importer *m, const twx_raw *raw, const twx_capture *capture) {
    held_capture h = {.raw = {.by_line = raw->by_line, .at = raw->at}, .capture = *capture};
    twx_capture *c = &h.capture;
    twx_slice *fields[] = {
        &c->url,          &c->title,         &c->description,    &c->text,           &c->failure,
        &c->robots,       &c->canonical_url, &c->redirect_url,   &c->hreflang_group, &c->language,
        &c->content_type, &c->layout_digest, &c->payload_digest, &c->crawl_id,       &c->links,
        &c->headings,     &c->names,         &c->main_parts};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(fields); i++) {
        m->held_n += fields[i]->n;
        rc = twx_arena_copy(m->cx, &m->held_bytes, *fields[i], fields[i]);
    }
    m->held_n += sizeof h;
    if (rc == TWX_OK && !TWX_VEC_PUSH(m->cx, &m->held, h)) rc = TWX_E_NOMEM;
    return rc;
}

static twx_rc fail_without_text(importer *m, bool whole) {
    const uint64_t n = m->counts->records - m->first_record;
    char what[64] = "its only record has no";
    if (n != 1)
        twx_print(what, sizeof what, "none of its %s%" PRIu64 " records has", whole ? "" : "first ",
                  n);
    return twx_fail(m->cx, TWX_E_DATA,
                    "%s: %s text, so nothing was imported; the fields found are: %s "
                    "(docs/import.md lists the names of fields that hold text)",
                    twx_reader_name(m->reader), what, m->fields);
}

static twx_rc fail_unusable(importer *m) {
    const uint64_t n = m->counts->records - m->first_record;
    char what[64] = "its only record cannot";
    if (n != 1) twx_print(what, sizeof what, "none of its %" PRIu64 " records can", n);
    return twx_fail(m->cx, TWX_E_DATA, "%s: %s be used%s: %s", twx_reader_name(m->reader), what,
                    n == 1 ? "" : "; the first", m->fault);
}

static twx_rc release(importer *m) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < m->held.n; i++)
        rc = put(m, &m->held.at[i].raw, &m->held.at[i].capture);
    m->held.n = m->held_n = 0;
    twx_arena_reset(&m->held_bytes);
    return rc;
}

static twx_rc deliver_document(importer *m, const twx_raw *raw, const twx_extracted *e) {
    twx_rc rc = TWX_OK;
    if (e->reason.n) {
        m->counts->damaged++;
        note(m, raw, e->url, e->reason.p);
    }
    if (e->no_text) {
        m->counts->no_text++;
        note(m, raw, e->url, "the record has no text");
        if (!m->fields[0]) snprintf(m->fields, sizeof m->fields, "%s", e->fields.p);
    }
    if (!m->seen_text && e->capture.text.n == 0) {
        rc = hold(m, raw, &e->capture);
        return rc == TWX_OK && m->held_n > HELD_BYTES && m->fields[0] ? fail_without_text(m, false)
                                                                      : rc;
    }
    if (!m->seen_text) rc = release(m);
    m->seen_text = true;
    return rc == TWX_OK ? put(m, raw, &e->capture) : rc;
}

/* A revisit record has the same payload as an earlier capture, perhaps under another URL. */
static twx_rc deliver_revisit(importer *m, const twx_raw *raw, const twx_capture *c) {
    twx_capture found;
    twx_rc rc = c->payload_digest.p
                    ? twx_documents_find_payload(m->documents, c->payload_digest, &found)
                    : TWX_DONE;
    if (rc == TWX_DONE) m->counts->unknown_revisits++;
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    found.url = c->url;
    found.fetched_at = c->fetched_at;
    return put(m, raw, &found);
}

static twx_rc deliver(importer *m, const twx_raw *raw, const twx_extracted *e) {
    m->counts->records += e->what != TWX_FOUND_BROKEN || raw->kind != TWX_RAW_WARC;
    if (twx_documents_is_future(m->documents, &e->capture)) {
        m->counts->future++;
        note(m, raw, e->url,
             "its date is more than a day in the future: any later import replaces it");
    }
    switch (e->what) {
    case TWX_FOUND_DOCUMENT: return deliver_document(m, raw, e);
    case TWX_FOUND_REVISIT: return deliver_revisit(m, raw, &e->capture);
    case TWX_FOUND_NO_DOCUMENT: m->counts->not_documents++; break;
    case TWX_FOUND_OTHER_TYPE: count_type(m->counts, e->type); break;
    case TWX_FOUND_TOO_LONG:
        m->counts->too_long++;
        note(m, raw, e->url, "longer than the limit, skipped");
        break;
    case TWX_FOUND_BROKEN:
        m->counts->broken++;
        if (!m->fault[0] && e->reason.n) snprintf(m->fault, sizeof m->fault, "%s", e->reason.p);
        note(m, raw, e->url, e->reason.n ? e->reason.p : "broken record");
        break;
    }
    return TWX_OK;
}

static parcel *parcel_at(importer *m, uint64_t number) {
    for (size_t i = 0; i < m->parcels_n; i++)
        if (m->parcels[i].number == number) return &m->parcels[i];
    return NULL;
}

/* The number of finished parcels that are next in order. */
static size_t ready(importer *m) {
    size_t n = 0;
    for (const parcel *p; (p = parcel_at(m, m->next_written + n)) && p->done;) n++;
    return n;
}

/* [R1] [R4] Writes what is finished and next in order, and commits. */
static twx_rc write_ready(importer *m) {
    twx_rc rc = TWX_OK;
    for (parcel *p; rc == TWX_OK && (p = parcel_at(m, m->next_written)) && p->done;
         m->next_written++) {
        for (size_t i = 0; rc == TWX_OK && i < p->found.n; i++)
            rc = deliver(m, &p->raw.at[i], &p->found.at[i]);
        m->in_flight -= p->raw_bytes;
        p->raw.n = p->found.n = p->raw_bytes = 0;
        p->done = false;
        p->number = UINT64_MAX;
        twx_arena_reset(&p->bytes);
        twx_arena_reset(&p->results);
    }
    if (rc == TWX_OK) rc = twx_documents_commit(m->documents);
    if (rc == TWX_OK) rc = twx_cancelled(m->cx);
    note_progress(m);
    return rc;
}

/* ---- work ----------------------------------------------------------------- */

static twx_rc open_worker(twx_ctx *cx, void *arg, void **ret_state) {
    twx_extractor *x = NULL;
    twx_rc rc = twx_extractor_open(cx, arg, &x);
    if (rc == TWX_OK) *ret_state = x;
    return rc;
}

static twx_rc work(twx_ctx *cx, void *state, void *item) {
    parcel *p = item;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < p->raw.n; i++) {
        twx_extracted e;
        rc = twx_cancelled(cx);
        if (rc == TWX_OK) rc = twx_extract(state, &p->raw.at[i], &p->results, &e);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &p->found, e)) rc = TWX_E_NOMEM;
    }
    return rc;
}

static void close_worker(void *state) {
    twx_extractor_close(state);
}

/* Takes finished parcels from the workers; with `wait`, waits for one. *ret_any: had one. */
static twx_rc collect(importer *m, bool wait, bool *ret_any) {
    void *item = NULL;
    twx_rc rc = TWX_OK;
    *ret_any = false;
    do {
        rc = twx_workers_take(m->workers, wait && !*ret_any, &item);
        if (item) ((parcel *)item)->done = *ret_any = true;
    } while (rc == TWX_OK && item);
    return rc;
}

static twx_rc submit(importer *m) {
    parcel *p = m->filling;
    m->filling = NULL;
    if (!p) return TWX_OK;
    return twx_workers_give(m->workers, p);
}

/* Writes and commits everything that was read; before the reader waits, and at the end. */
static twx_rc drain(void *arg) {
    importer *m = arg;
    bool any = true;
    twx_rc rc = submit(m);
    while (rc == TWX_OK && any) rc = collect(m, true, &any);
    return rc == TWX_OK ? write_ready(m) : rc;
}

/* Returns a parcel to fill. Writes if none is free or half of them are finished. */
static twx_rc begin_parcel(importer *m) {
    bool any = false;
    twx_rc rc = collect(m, false, &any);
    parcel *p = NULL;
    if (rc == TWX_OK && 2 * ready(m) >= m->parcels_n) rc = write_ready(m);
    while (rc == TWX_OK && !(p = parcel_at(m, UINT64_MAX))) {
        rc = ready(m) ? write_ready(m) : collect(m, true, &any);
    }
    if (rc != TWX_OK) return rc;
    p->number = m->next_number++;
    m->filling = p;
    return TWX_OK;
}

static twx_rc copy_raw(importer *m, parcel *p, const twx_raw *raw) {
    twx_raw r = *raw;
    twx_slice fault = twx_slice_of(raw->fault);
    twx_warc_record *w = &r.warc;
    twx_slice *slices[] = {&r.entry,  &w->type,         &w->target_uri,
                           &w->date,  &w->content_type, &w->payload_digest,
                           &w->block, &r.bytes,         &fault};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(slices); i++) {
        p->raw_bytes += slices[i]->n;
        m->in_flight += slices[i]->n;
        rc = twx_arena_copy(m->cx, &p->bytes, *slices[i], slices[i]);
    }
    r.fault = fault.p;
    if (rc == TWX_OK && !TWX_VEC_PUSH(m->cx, &p->raw, r)) rc = TWX_E_NOMEM;
    return rc;
}

static twx_rc read_all(importer *m) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK) {
        twx_raw raw;
        rc = twx_cancelled(m->cx);
        if (rc == TWX_OK && m->in_flight > IN_FLIGHT_BYTES) rc = drain(m);
        if (rc == TWX_OK) rc = twx_reader_next(m->reader, &raw);
        if (rc == TWX_OK && !m->filling) rc = begin_parcel(m);
        if (rc == TWX_OK) rc = copy_raw(m, m->filling, &raw);
        if (rc == TWX_OK &&
            (m->filling->raw_bytes > PARCEL_BYTES || m->filling->raw.n >= PARCEL_RECORDS))
            rc = submit(m);
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Of a truncated file (an incomplete gzip stream) everything before the end is kept. */
static twx_rc read_file(importer *m) {
    const uint64_t before = m->counts->records;
    twx_rc rc = read_all(m);
    if (rc == TWX_E_DATA && m->cx->rc == TWX_E_DATA && m->held_n <= HELD_BYTES) {
        char reason[TWX_MESSAGE_MAX];
        const twx_raw at = {.at = twx_reader_offset(m->reader)};
        snprintf(reason, sizeof reason, "%s", m->cx->message);
        twx_ctx_clear(m->cx);
        rc = drain(m);
        if (rc == TWX_OK && m->counts->records == before)
            return twx_fail(m->cx, TWX_E_DATA, "%s", reason);
        m->counts->broken++;
        note(m, &at, (twx_slice){0}, reason);
    }
    if (rc == TWX_OK) rc = drain(m);
    if (rc == TWX_OK && !m->seen_text && m->fields[0]) return fail_without_text(m, true);
    if (rc == TWX_OK && !m->seen_text && m->held.n == 0 && m->fault[0]) return fail_unusable(m);
    if (rc == TWX_OK) rc = release(m);
    return rc == TWX_OK ? twx_documents_commit(m->documents) : rc;
}

static twx_rc open_importer(importer *m, const char *path) {
    const twx_import_options *o = m->options;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t jobs = o->jobs ? o->jobs : processors > 0 ? (size_t)processors : 1;
    const twx_work_kind kind = {
        .open = open_worker, .work = work, .close = close_worker, .arg = &m->extract};
    const twx_reader_options reading = {.max_record = o->max_record, .on_wait = drain, .arg = m};
    const size_t half = o->max_record / 2;
    m->extract = (twx_extract_options){.max_page = o->max_page < half ? o->max_page : half,
                                       .max_row = o->max_record -
                                                  (half > ROW_SLACK ? ROW_SLACK : half),
                                       .types = o->types,
                                       .keep_links = twx_documents_keeps_links(m->documents)};
    m->first_record = m->counts->records;
    m->parcels_n = 4 * jobs + 8;
    m->parcels = twx_calloc(m->cx, m->parcels_n, sizeof *m->parcels);
    if (!m->parcels) return TWX_E_NOMEM;
    for (size_t i = 0; i < m->parcels_n; i++) {
        m->parcels[i].number = UINT64_MAX;
        twx_arena_init(&m->parcels[i].bytes, ARENA_KEEP);
        twx_arena_init(&m->parcels[i].results, ARENA_KEEP);
    }
    twx_arena_init(&m->held_bytes, 1 << 20);
    twx_rc rc = twx_workers_open(m->cx, jobs, m->parcels_n, &kind, &m->workers);
    if (rc == TWX_OK) rc = twx_reader_open(m->cx, path, &reading, &m->reader);
    if (rc == TWX_OK) m->seen_text = !twx_reader_has_items(m->reader);
    return rc;
}

twx_rc twx_import_file(twx_ctx *cx, const char *path, twx_documents *documents,
                       const twx_import_options *options, twx_import_counts *counts) {
    importer m = {.cx = cx, .documents = documents, .options = options, .counts = counts};
    twx_rc rc = open_importer(&m, path);
    if (rc == TWX_OK) rc = read_file(&m);
    twx_workers_close(m.workers); /* first, because workers may still use parcels */
    for (size_t i = 0; m.parcels && i < m.parcels_n; i++) {
        TWX_VEC_DONE(&m.parcels[i].raw);
        TWX_VEC_DONE(&m.parcels[i].found);
        twx_arena_done(&m.parcels[i].bytes);
        twx_arena_done(&m.parcels[i].results);
    }
    twx_free(m.parcels);
    TWX_VEC_DONE(&m.held);
    twx_arena_done(&m.held_bytes);
    twx_reader_close(m.reader);
    return rc;
}

/* ---- import ------------------------------------------------------------ */

/* State for the messages and progress of an import. */
typedef struct filling {
    const twx_job *job;
    twx_documents *documents;
    twx_import_counts counts;
    uint64_t named; /* records named in messages */
    uint64_t links; /* links written */
} filling;

enum { NAMES_BYTES = 1 << 20, NAMED_MAX = 20, DAY_SECONDS = 24 * 60 * 60 };

static void on_note(void *arg, const char *place, const char *reason) {
    filling *f = arg;
    f->named++;
    twindex_level level = f->named <= NAMED_MAX ? TWINDEX_WARNING : TWINDEX_DETAIL;
    twx_job_message(f->job, level, "%s: %s", place, reason);
    if (f->named == NAMED_MAX)
        twx_job_message(f->job, TWINDEX_WARNING,
                        "further records with problems are counted only (-v names them)");
}

static void on_progress(void *arg, uint64_t done, uint64_t total) {
    const filling *f = arg;
    twx_job_progress(f->job, "import", "bytes", done, total);
}

/* Without the owner's triggers, what they keep (a text index) or guard would be passed over. */
static twx_rc check_triggers(const twx_job *job, twx_db *db) {
    const char *wish = job->settings->import_triggers;
    twx_buf names = {.max = NAMES_BYTES};
    twx_rc rc = twx_documents_triggers(db, &names);
    if (rc == TWX_OK && names.n && strcmp(wish, "refuse") == 0)
        rc = twx_fail(job->cx, TWX_E_DATA,
                      "%s: the table documents has triggers of your own (%.600s), so nothing was "
                      "imported: --set import.triggers=run lets them run for each document that is "
                      "written, import.triggers=skip imports without them",
                      job->store, names.p);
    if (rc == TWX_OK && names.n && strcmp(wish, "skip") == 0)
        twx_job_message(job, TWINDEX_WARNING, "%s: the triggers of documents do not run: %.600s",
                        job->store, names.p);
    twx_buf_done(&names);
    return rc;
}

twx_rc twx_import(const twx_job *job, const char *const *files, size_t n, const twx_out *out) {
    filling f = {.job = job};
    twx_db *db = NULL;
    const twx_db_options options = {.mode = TWX_DB_OWNER,
                                    .triggers = strcmp(job->settings->import_triggers, "run") == 0,
                                    .busy_ms = job->settings->run_busy_ms,
                                    .pause_ms = job->settings->run_pause_ms,
                                    .row_bytes = job->settings->run_row_bytes};
    const twx_import_options how = {.jobs = job->settings->run_jobs,
                                    .max_page = (size_t)job->settings->import_page_bytes,
                                    .max_record = (size_t)job->settings->run_row_bytes,
                                    .types = job->settings->import_types,
                                    .on_note = on_note,
                                    .on_progress = on_progress,
                                    .arg = &f};
    twx_rc rc = twx_db_open(job->cx, job->store, &options, &db);
    if (rc == TWX_OK) rc = check_triggers(job, db);
    if (rc == TWX_OK) rc = twx_documents_open(job->cx, db, &f.documents);
    if (rc == TWX_OK) twx_documents_set_latest(f.documents, twx_job_now() + DAY_SECONDS);
    if (rc == TWX_OK && job->settings->import_links) rc = twx_documents_keep_links(f.documents);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_import_file(job->cx, files[i], f.documents, &how, &f.counts);
    if (rc == TWX_OK) f.links = twx_documents_links(f.documents);
    twx_documents_close(f.documents);
    twx_db_close(db);
    return rc == TWX_OK ? write_summary(out, job->store, &f.counts, f.links) : rc;
}
