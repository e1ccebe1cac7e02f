#include "import/import.h"

#include <string.h>

#include "import/import_file.h"
#include "run/lock.h"
#include "run/open_store.h"
#include "store/documents.h"
#include "store/migrate.h"

/* State for the messages and progress of an import. */
typedef struct filling {
    const twx_job *job;
    twx_documents *documents;
    twx_import_counts counts;
    uint64_t named; /* records named in messages */
    uint64_t links; /* links written */
} filling;

enum { NAMES_BYTES = 1 << 20, NAMED_MAX = 20, DAY_SECONDS = 24 * 60 * 60 };

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

static void summarize(const filling *f, twx_import_summary *s) {
    const twx_import_counts *c = &f->counts;
    *s = (twx_import_summary){.store = f->job->store,
                              .records = c->records,
                              .fresh = c->put[TWX_PUT_NEW],
                              .replaced = c->put[TWX_PUT_REPLACED],
                              .same = c->put[TWX_PUT_SAME],
                              .older = c->put[TWX_PUT_OLDER],
                              .future = c->future,
                              .refused = c->put[TWX_PUT_REFUSED],
                              .not_documents = c->not_documents,
                              .unknown_revisits = c->unknown_revisits,
                              .too_long = c->too_long,
                              .broken = c->broken,
                              .damaged = c->damaged,
                              .no_text = c->no_text,
                              .links = f->links,
                              .left_out = c->left_out,
                              .types_n = c->types_n};
    memcpy(s->types, c->types, sizeof s->types);
}

/* Without the owner's triggers, what they keep (a text index) or guard would be passed over. */
static twx_rc check_triggers(const twx_job *job, twx_db *db) {
    const char *wish = job->settings->import_triggers;
    twx_buf names;
    twx_buf_init(&names, NAMES_BYTES);
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

twx_rc twx_import(const twx_job *job, const char *const *files, size_t n,
                  twx_import_summary *ret_summary) {
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
    if (rc == TWX_OK) summarize(&f, ret_summary);
    return rc;
}
