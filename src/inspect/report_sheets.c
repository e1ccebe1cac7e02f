#include "inspect/report_sheets.h"

#include "base/hash64.h"
#include "inspect/csv_table.h"
#include "inspect/diff.h"
#include "inspect/page_documents.h"
#include "inspect/report.h"

enum { PROGRESS_EVERY = 1024 };

/* ---- groups --------------------------------------------------------------------- */

typedef struct writing {
    twx_listed_reading reading;
    twx_csv csv;
    uint64_t clusters, rows;
    uint64_t representative; /* hash of the current cluster's */
} writing;

/* A group is known by its representative: its id and its store. */
static uint64_t hash_of(const twx_value *id, twx_slice store) {
    return twx_mix64(twx_value_hash(id, 0), twx_hash64(store, store.p != NULL));
}

static twx_rc take_member(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    writing *w = arg;
    const twx_job *job = w->reading.job;
    twx_page_document d;
    const uint64_t representative = hash_of(&columns[0], columns[3].bytes);
    (void)n;
    if (w->clusters == 0 || representative != w->representative) w->clusters++;
    w->representative = representative;
    if (w->rows++ % PROGRESS_EVERY == 0)
        twx_job_progress(job, "write groups", "documents", w->rows - 1, 0);
    twx_rc rc = w->rows % PROGRESS_EVERY == 0 ? twx_cancelled(job->cx) : TWX_OK;
    if (rc == TWX_OK) rc = twx_page_document_read(&w->reading, member, &columns[2], &d, NULL);
    if (rc != TWX_OK) return rc;
    twx_csv_count(&w->csv, w->clusters);
    twx_csv_count(&w->csv, (uint64_t)columns[1].i);
    twx_csv_text(&w->csv, hash_of(&columns[2], d.store) == representative
                              ? TWX_SLICE_LIT("representative")
                              : TWX_SLICE_LIT("duplicate"));
    twx_csv_text(&w->csv, d.id);
    twx_csv_text(&w->csv, d.url);
    twx_csv_text(&w->csv, d.title);
    if (d.store.p) twx_csv_text(&w->csv, d.store);
    twx_csv_end_row(&w->csv);
    twx_arena_reset(w->reading.arena);
    return w->csv.rc;
}

static twx_rc write_groups(const twx_job *job, const twx_out *out) {
    static const char *const HEADINGS[] = {"cluster", "documents", "role", "id", "url", "title"};
    static const twx_value verdict[] = {{.type = TWX_TEXT, .bytes = {"verdict", 7}}};
    const twx_set_query question = {{.sql = twx_display_groups(), .values = verdict, .n_values = 1},
                                    true,
                                    twx_display_groups_order};
    twx_store_set set;
    twx_arena arena;
    twx_arena_init(&arena, 1 << 16);
    writing w = {.reading = {.job = job, .set = &set, .arena = &arena}};
    twx_rc rc = twx_store_set_open(job, TWX_NEED_SOURCE, &set);
    if (rc == TWX_OK) {
        twx_csv_begin(&w.csv, out, HEADINGS, TWX_COUNTOF(HEADINGS));
        if (set.n > 1) twx_csv_heading(&w.csv, "store");
        twx_csv_end_row(&w.csv);
        rc = w.csv.rc;
    }
    if (rc == TWX_OK) rc = twx_store_set_display(&set, &question, take_member, &w);
    twx_arena_done(&arena);
    twx_store_set_done(&set);
    return rc;
}

/* ---- hosts ----------------------------------------------------------------------- */

static void write_host(twx_csv *c, const twx_host_figures *f) {
    twx_csv_text(c, f->name);
    twx_csv_count(c, f->documents);
    twx_csv_count(c, f->indexable);
    twx_csv_count(c, f->indexable - f->hidden);
    twx_csv_count(c, f->hidden);
    twx_csv_share(c, f->indexable ? (double)f->hidden / (double)f->indexable : 0);
    for (size_t k = 0; k < TWX_RELATIONS; k++) twx_csv_count(c, f->copies[k]);
    twx_csv_end_row(c);
}

static twx_rc write_hosts(const twx_job *job, const twx_out *out) {
    static const char *const HEADINGS[] = {"host",  "documents", "take_part",
                                           "shown", "hidden",    "hidden_share"};
    twx_store_report r;
    twx_csv c;
    twx_store_report_init(&r);
    twx_rc rc = twx_report(job, &r);
    if (rc == TWX_OK) {
        twx_csv_begin(&c, out, HEADINGS, TWX_COUNTOF(HEADINGS));
        for (size_t k = 0; k < TWX_RELATIONS; k++) twx_csv_heading(&c, twx_relation_at(k)->name);
        twx_csv_end_row(&c);
        for (size_t i = 0; i < r.hosts.n; i++) write_host(&c, &r.hosts.at[i]);
        rc = c.rc;
    }
    twx_store_report_done(&r);
    return rc;
}

/* ---- changes ------------------------------------------------------------------------ */

static twx_rc has_earlier(const twx_job *job, bool *ret_has) {
    twx_store_set set;
    const twx_rc rc = twx_store_set_open(job, 0, &set);
    if (rc == TWX_OK) *ret_has = twx_store_set_has_earlier(&set);
    twx_store_set_done(&set);
    return rc;
}

static void write_changes_of(twx_csv *c, const twx_change_list *list) {
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++)
        for (size_t i = 0; i < list->rows[k].n; i++) {
            const twx_listed_change *row = &list->rows[k].at[i];
            twx_csv_text(c, twx_slice_of(twx_change_kind_key((twx_change_kind)k)));
            twx_csv_text(c, twx_slice_of(row->id));
            twx_csv_text(c, twx_slice_of(row->url));
            twx_csv_text(c, twx_slice_of(row->before));
            twx_csv_text(c, twx_slice_of(row->after));
            twx_csv_text(c, twx_slice_of(row->why));
            twx_csv_end_row(c);
        }
}

static twx_rc write_changes(const twx_job *job, const twx_out *out) {
    static const char *const HEADINGS[] = {"change",         "id", "url", "representative_before",
                                           "representative", "why"};
    twx_result_diff diff;
    twx_csv c;
    bool has = false;
    twx_result_diff_init(&diff, 0);
    twx_rc rc = has_earlier(job, &has);
    if (rc == TWX_OK && has) rc = twx_diff(job, &diff);
    if (rc == TWX_OK) {
        twx_csv_begin(&c, out, HEADINGS, TWX_COUNTOF(HEADINGS));
        twx_csv_end_row(&c);
        write_changes_of(&c, &diff.changes);
        rc = c.rc;
    }
    twx_result_diff_done(&diff);
    return rc;
}

/* ---- all ------------------------------------------------------------------------------ */

twx_rc twx_report_sheet(const twx_job *job, twindex_sheet sheet, const twx_out *out) {
    switch (sheet) {
    case TWINDEX_SHEET_GROUPS: return write_groups(job, out);
    case TWINDEX_SHEET_HOSTS: return write_hosts(job, out);
    case TWINDEX_SHEET_CHANGES: return write_changes(job, out);
    case TWINDEX_SHEETS: break;
    }
    return twx_fail(job->cx, TWX_E_USAGE, "no such table: %d", (int)sheet);
}
