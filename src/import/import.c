#include "import/import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "import/import_file.h"
#include "job/lock.h"
#include "job/open_store.h"
#include "store/documents.h"
#include "store/migrate.h"

twx_rc twx_init_store(const twx_job *job) {
    twx_db *db = NULL;
    const twx_db_options options = {
        .mode = TWX_DB_OWNER, .create = true, .busy_ms = job->settings->run_busy_ms};
    twx_rc rc = twx_db_open(job->cx, job->store, &options, &db);
    if (rc == TWX_OK) rc = twx_make_documents(db);
    twx_db_close(db);
    return rc;
}

/* State for the messages and progress of an import. */
typedef struct filling {
    const twx_job *job;
    twx_documents *documents;
    twx_import_counts counts;
    uint64_t named; /* records named in messages */
    uint64_t links; /* links written */
} filling;

enum { NAMED_MAX = 20 };

static void on_note(void *arg, twx_import_note note, const char *place, const char *reason) {
    filling *f = arg;
    (void)note;
    f->named++;
    twindex_level level = f->named <= NAMED_MAX ? TWINDEX_WARNING : TWINDEX_DETAIL;
    twx_job_message(f->job, level, "%s: %s", place, reason);
    if (f->named == NAMED_MAX)
        twx_job_message(f->job, TWINDEX_WARNING,
                        "further records with problems are counted only (-v names them)");
}

static void on_progress(void *arg, uint64_t done, uint64_t total, uint64_t records) {
    filling *f = arg;
    (void)records;
    twx_job_progress(f->job, "import", "bytes", done, total);
}

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

static json_t *types_json(const twx_import_counts *c) {
    json_t *all = json_object();
    for (size_t i = 0; i < c->types_n; i++)
        json_object_set_new(all, type_name(&c->types[i]), json_integer((json_int_t)c->types[i].n));
    return all;
}

static twx_rc write_types(const twx_import_counts *c, const twx_out *out) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < c->types_n; i++)
        rc = twx_out_text(out, "  %12s    %12" PRIu64 "  %s\n", "", c->types[i].n,
                          type_name(&c->types[i]));
    return rc;
}

static twx_rc write_counts(filling *f, const twx_out *out) {
    twx_import_counts *c = &f->counts;
    const struct {
        const char *name, *what;
        uint64_t n;
    } rows[] = {
        {"records", "records read", c->records},
        {"new", "new documents", c->put[TWX_PUT_NEW]},
        {"replaced", "documents replaced by a newer capture", c->put[TWX_PUT_REPLACED]},
        {"same", "captures that are in the store already", c->put[TWX_PUT_SAME]},
        {"older", "captures older than what is in the store", c->put[TWX_PUT_OLDER]},
        {"repeated", "undated captures of a URL that came before", c->put[TWX_PUT_REPEATED]},
        {"not_documents", "records that are no documents (requests, metadata, ...)",
         c->not_documents},
        {"unknown_revisits", "revisits of what is not in the store", c->unknown_revisits},
        {"too_long", "records or pages longer than the limit, skipped", c->too_long},
        {"broken", "broken records, skipped", c->broken},
        {"damaged", "documents kept although their record is damaged", c->damaged},
        {"no_text", "documents without text", c->no_text},
        {"links", "links to other pages", f->links},
        {"left_out", "responses of other types (import.types), by type:", c->left_out}};
    qsort(c->types, c->types_n, sizeof *c->types, compare_types);
    if (twx_out_is_json(out)) {
        json_t *all = json_object();
        for (size_t i = 0; i < TWX_COUNTOF(rows); i++)
            json_object_set_new(all, rows[i].name, json_integer((json_int_t)rows[i].n));
        json_object_set_new(all, "left_out_types", types_json(c));
        return twx_out_json(out, all);
    }
    twx_rc rc = twx_out_text(out, "%s:\n", f->job->store);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(rows); i++)
        if (rows[i].n || i < 2)
            rc = twx_out_text(out, "  %12" PRIu64 "  %s\n", rows[i].n, rows[i].what);
    return rc == TWX_OK ? write_types(c, out) : rc;
}

twx_rc twx_import(const twx_job *job, const char *const *files, size_t n, const twx_out *out) {
    filling f = {.job = job};
    twx_db *db = NULL;
    const twx_db_options options = {.mode = TWX_DB_OWNER,
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
    if (rc == TWX_OK) rc = twx_documents_open(job->cx, db, &f.documents);
    if (rc == TWX_OK && job->settings->import_links) rc = twx_documents_keep_links(f.documents);
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_import_file(job->cx, files[i], f.documents, &how, &f.counts);
    if (rc == TWX_OK) f.links = twx_documents_links(f.documents);
    twx_documents_close(f.documents);
    twx_db_close(db);
    return rc == TWX_OK ? write_counts(&f, out) : rc;
}
