#include "job/fill.h"

#include <inttypes.h>

#include "ingest/import.h"
#include "job/lock.h"
#include "job/open_store.h"
#include "store/documents.h"
#include "store/migrate.h"

twx_rc twx_fill_init(const twx_job *job) {
    twx_db *db = NULL;
    const twx_db_options options = {
        .mode = TWX_DB_OWNER, .create = true, .busy_ms = job->settings->run_busy_ms};
    twx_rc rc = twx_db_open(job->cx, job->store, &options, &db);
    if (rc == TWX_OK) rc = twx_make_documents(db);
    twx_db_close(db);
    return rc;
}

/* What import has to say while it works. */
typedef struct filling {
    const twx_job *job;
    twx_documents *documents;
    twx_import_counts counts;
    uint64_t named; /* broken records that were named */
    uint64_t links; /* written */
} filling;

enum { NAMED_MAX = 20 };

static void on_broken(void *arg, const char *place, const char *reason) {
    filling *f = arg;
    f->named++;
    twindex_level level = f->named <= NAMED_MAX ? TWINDEX_WARNING : TWINDEX_DETAIL;
    twx_job_message(f->job, level, "%s: %s", place, reason);
    if (f->named == NAMED_MAX)
        twx_job_message(f->job, TWINDEX_WARNING,
                        "further broken records are counted only (-v names them)");
}

static void on_progress(void *arg, uint64_t done, uint64_t total, uint64_t records) {
    filling *f = arg;
    (void)records;
    twx_job_progress(f->job, "import", "bytes", done, total);
}

static twx_rc write_counts(const filling *f, const twx_out *out) {
    const twx_import_counts *c = &f->counts;
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
        {"not_text", "responses that hold no text (images, ...)", c->not_text},
        {"unknown_revisits", "revisits of what is not in the store", c->unknown_revisits},
        {"too_long", "records that are too long", c->too_long},
        {"broken", "broken records", c->broken},
        {"links", "links to other pages", f->links}};
    if (twx_out_is_json(out)) {
        json_t *all = json_object();
        for (size_t i = 0; i < TWX_COUNTOF(rows); i++)
            json_object_set_new(all, rows[i].name, json_integer((json_int_t)rows[i].n));
        return twx_out_json(out, all);
    }
    twx_rc rc = twx_out_text(out, "%s:\n", f->job->store);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(rows); i++)
        if (rows[i].n || i < 2)
            rc = twx_out_text(out, "  %12" PRIu64 "  %s\n", rows[i].n, rows[i].what);
    return rc;
}

twx_rc twx_fill_import(const twx_job *job, const char *const *files, size_t n, const twx_out *out) {
    filling f = {.job = job};
    twx_db *db = NULL;
    const twx_db_options options = {.mode = TWX_DB_OWNER,
                                    .busy_ms = job->settings->run_busy_ms,
                                    .row_bytes = job->settings->run_row_bytes};
    const twx_import_options how = {.max_record = (size_t)job->settings->run_row_bytes,
                                    .on_broken = on_broken,
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
