#include "inspect/internal.h"

#include <openssl/evp.h>

#include "page_text.h"

/* ==== collect_page */

static TWX_CHECK twx_rc report_read(const twx_job *job, twx_store_report *ret_report);

typedef struct counting {
    twx_ctx *cx;
    twx_page_counts *counts;
} counting;

/* The rows of all stores come in order of the value. */
static twx_rc take_count(void *arg, uint32_t store, const twx_value *columns) {
    counting *c = arg;
    const twx_page_count count = {columns[0].i, columns[1].i};
    twx_page_count *last = c->counts->n ? &c->counts->at[c->counts->n - 1] : NULL;
    (void)store;
    if (last && last->value == count.value) {
        last->n += count.n;
        return TWX_OK;
    }
    return TWX_VEC_PUSH(c->cx, c->counts, count) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc read_counts(const twx_listed_reading *r, const char *sql, twx_page_counts *counts) {
    counting c = {r->job->cx, counts};
    static const int BY_VALUE[] = {1, 0};
    const twx_set_query question = {{.sql = sql}, false, BY_VALUE};
    return twx_store_set_display(r->set, &question, take_count, &c);
}

static twx_rc read_figures(const twx_listed_reading *r, twx_report_page *p) {
    twx_rc rc = read_counts(r, twx_display_sizes, &p->sizes);
    if (rc == TWX_OK) rc = read_counts(r, twx_display_similarities, &p->similarities);
    const uint64_t shown = p->figures.all.indexable - p->figures.all.hidden;
    for (size_t i = 0; i < p->sizes.n; i++) p->clusters += (uint64_t)p->sizes.at[i].n;
    if (p->clusters > shown) p->clusters = shown; /* another program edited the flags */
    return rc;
}

/* The figures are read in several steps, in which a run may publish another result. */
static twx_rc check_unchanged(const twx_set_store *m) {
    const twx_state *before = &m->state;
    twx_state now;
    twx_rc rc = twx_state_read(m->o.generations, &now);
    if (rc == TWX_OK && (now.generation != before->generation || now.run[0] != before->run[0] ||
                         now.run[1] != before->run[1]))
        rc = twx_fail(m->job.cx, TWX_E_BUSY,
                      "%s: a run published another result while the report was made; try again",
                      twx_own_path(&m->job));
    return rc;
}

/* reads: TWX_READ_... */
static twx_rc collect(const twx_job *job, unsigned reads, twx_report_page *p) {
    twx_store_set set;
    const twx_listed_reading r = {.job = job, .set = &set, .arena = &p->arena};
    p->made_at = twx_job_now();
    uint32_t thresholds[TWX_HOST_SECTIONS_MAX + 1] = {0};
    (void)twx_host_thresholds(job->settings, twx_detector_find(job->settings->near_detector),
                              thresholds);
    p->threshold_ppm = thresholds[0];
    twx_rc rc = twx_store_set_open(job, TWX_NEED_SOURCE, &set);
    p->has_diff = rc == TWX_OK && twx_store_set_has_earlier(&set);
    if (rc == TWX_OK && reads & TWX_READ_FIGURES) rc = report_read(job, &p->figures);
    if (rc == TWX_OK && reads & TWX_READ_COUNTS) rc = read_figures(&r, p);
    if (rc == TWX_OK && reads & TWX_READ_GROUPS) rc = twx_page_groups_read(&r, p);
    if (rc == TWX_OK) rc = twx_page_suspects_read(&r, reads, p);
    if (rc == TWX_OK && reads & TWX_READ_MIRRORS) rc = twx_see_mirrors(job, false, &p->mirrors);
    const bool changes = p->has_diff && reads & TWX_READ_CHANGES;
    if (rc == TWX_OK && changes && reads & TWX_READ_MIRRORS)
        rc = twx_see_mirrors(job, true, &p->mirrors_before);
    if (rc == TWX_OK && changes) rc = twx_compare_results(job, &p->diff);
    for (size_t i = 0; rc == TWX_OK && i < set.n; i++) rc = check_unchanged(&set.at[i]);
    twx_store_set_done(&set);
    return rc;
}

/* ==== report */

enum { RUNS_SHOWN = 10 };

typedef struct reporting {
    const twx_job *job;
    twx_store_report *report;
    twx_store_set set;
    twx_map64 by_name;
    twx_flags_cursor flags;
} reporting;

/* ---- counting ----------------------------------------------------------- */

static void count(twx_host_figures *h, const twx_flag_row *row) {
    h->documents++;
    if (!row || row->v[TWX_FLAG_eligibility] != TWX_ELIGIBLE) return;
    h->indexable++;
    h->hidden += twx_flag_known(row, TWX_FLAG_duplicate_of);
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *relation = twx_relation_at(i);
        h->copies[i] += twx_flag_known(row, relation->rep) && row->v[relation->rep] != row->doc;
    }
}

static twx_rc take_document(void *arg, const twx_stored *stored) {
    reporting *t = arg;
    twx_store_report *r = t->report;
    twx_facts facts;
    const twx_flag_row *row = NULL;
    uint64_t index = r->hosts.n;
    twx_rc rc = twx_facts_unpack(t->job->cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&t->flags, stored->doc, &row);
    if (rc == TWX_OK)
        rc = twx_map64_add(t->job->cx, &t->by_name, twx_hash64(facts.host, 0), r->hosts.n, &index);
    if (rc == TWX_OK && index == r->hosts.n) {
        twx_host_figures fresh = {.name = {NULL, 0}};
        rc = twx_arena_copy(t->job->cx, &r->arena,
                            facts.host.n ? facts.host : TWX_SLICE_LIT("(no host)"), &fresh.name);
        if (rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &r->hosts, fresh)) rc = TWX_E_NOMEM;
    }
    if (rc != TWX_OK) return rc;
    count(&r->hosts.at[index], row);
    count(&r->all, row);
    if (row) r->eligibility[row->v[TWX_FLAG_eligibility] % TWX_ELIGIBILITIES]++;
    if (row) r->links[row->v[TWX_FLAG_link_state] % TWX_LINK_STATES]++;
    return TWX_OK;
}

TWX_ORDER(by_documents, twx_host_figures, TWX_DOWN_THEN(documents, twx_slice_cmp(a->name, b->name)))

/* ---- tables of the store -------------------------------------------------- */

/* The rows of all stores come in order of the name. */
static twx_rc take_relation(void *arg, uint32_t store, const twx_value *columns) {
    reporting *t = arg;
    twx_store_report *r = t->report;
    twx_relation_figures f = {
        .groups = columns[1].i, .copies = columns[2].i, .largest = columns[3].i};
    twx_relation_figures *last = r->relations.n ? &r->relations.at[r->relations.n - 1] : NULL;
    (void)store;
    if (last && twx_slice_eq(last->name, columns[0].bytes)) {
        last->groups += f.groups;
        last->copies += f.copies;
        if (f.largest > last->largest) last->largest = f.largest;
        return TWX_OK;
    }
    twx_rc rc = twx_arena_copy(t->job->cx, &t->report->arena, columns[0].bytes, &f.name);
    return rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &t->report->relations, f) ? TWX_E_NOMEM : rc;
}

/* A run over several stores has one summary in the logs of all of them, and is listed once. */
static bool is_listed(const twx_store_report *r, twx_slice summary, twx_run_row **ret_row) {
    for (size_t i = r->runs.n; summary.n && i-- > 0;)
        if (twx_slice_eq(r->runs.at[i].summary, summary)) {
            *ret_row = &r->runs.at[i];
            return true;
        }
    return false;
}

/* Another program can have changed the numbers. */
static int64_t count_or_none(const twx_value *v) {
    return v->type == TWX_INT && v->i >= 0 ? v->i : -1;
}

/* Nor need the times be right: a run that ended before it began has no duration. */
static twx_rc take_run(void *arg, uint32_t store, const twx_value *columns) {
    reporting *t = arg;
    twx_run_row *listed = NULL;
    if (t->set.n > 1 && is_listed(t->report, columns[6].bytes, &listed)) {
        listed->store = (twx_slice){NULL, 0};
        return TWX_OK;
    }
    if (t->report->runs.n == t->report->runs_most) return TWX_DONE;
    const bool ends = columns[2].type == TWX_INT;
    const int64_t began = columns[1].i, ended = columns[2].i;
    twx_run_row run = {.run = columns[0].i,
                       .started_at = began,
                       .store = t->set.at[store].shard,
                       .documents = count_or_none(&columns[8]),
                       .indexable = count_or_none(&columns[9]),
                       .hidden = count_or_none(&columns[10]),
                       .seconds = ends && began >= 0 && ended >= began ? ended - began : -1};
    twx_slice *const texts[] = {&run.state, &run.generation, &run.version, &run.summary,
                                &run.message};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(texts); i++)
        rc = twx_arena_copy(t->job->cx, &t->report->arena, columns[3 + i].bytes, texts[i]);
    return rc == TWX_OK && !TWX_VEC_PUSH(t->job->cx, &t->report->runs, run) ? TWX_E_NOMEM : rc;
}

static twx_rc report_read(const twx_job *job, twx_store_report *ret_report) {
    static const int BY_NAME[] = {1, 0}, NEWEST[] = {-2, -1, 0};
    const twx_value limit = twx_int((int64_t)ret_report->runs_most);
    const twx_set_query totals = {{.sql = twx_display_totals}, false, BY_NAME},
                        runs = {{twx_display_runs, &limit, 1}, false, NEWEST};
    reporting t = {.job = job, .report = ret_report};
    ret_report->store = job->store;
    ret_report->stores = job->n_stores ? job->stores : &job->store;
    ret_report->n_stores = job->n_stores ? job->n_stores : 1;
    twx_rc rc = twx_store_set_open(job, 0, &t.set);
    if (rc == TWX_OK) rc = twx_store_set_warn(&t.set);
    if (rc == TWX_OK) rc = twx_title_keep(job, &ret_report->arena, &ret_report->store);
    for (size_t i = 0; rc == TWX_OK && i < t.set.n; i++) {
        twx_set_store *m = &t.set.at[i];
        rc = twx_flags_cursor_init(t.job->cx, m->o.generations, m->state.generation, &t.flags);
        if (rc == TWX_OK) rc = twx_set_signatures_each(m, take_document, &t);
        twx_flags_cursor_done(&t.flags);
    }
    for (size_t i = 0; i < ret_report->hosts.n; i++) {
        twx_host_figures *h = &ret_report->hosts.at[i];
        h->shown = h->indexable - h->hidden;
        h->hidden_share = h->indexable ? (double)h->hidden / (double)h->indexable : 0;
    }
    if (rc == TWX_OK && ret_report->hosts.n)
        qsort(ret_report->hosts.at, ret_report->hosts.n, sizeof *ret_report->hosts.at,
              by_documents);
    if (rc == TWX_OK) rc = twx_store_set_display(&t.set, &totals, take_relation, &t);
    if (rc == TWX_OK) rc = twx_store_set_display(&t.set, &runs, take_run, &t);
    if (rc == TWX_OK) rc = twx_outcome_read(job, &ret_report->last);
    if (rc == TWX_OK) rc = twx_store_set_kept(&t.set);
    twx_map64_done(&t.by_name);
    twx_store_set_done(&t.set);
    return rc;
}

twx_rc twx_report(const twx_job *job, const twx_out *out) {
    twx_store_report r = {.runs_most = RUNS_SHOWN};
    twx_rc rc = report_read(job, &r);
    if (rc == TWX_OK) rc = twx_store_report_write(out, &r);
    twx_store_report_done(&r);
    return rc;
}

/* ==== report_page */

static void report_page_done(twx_report_page *p) {
    for (size_t i = 0; i < p->groups.n; i++) {
        TWX_VEC_DONE(&p->groups.at[i].members);
        TWX_VEC_DONE(&p->groups.at[i].passages);
    }
    TWX_VEC_DONE(&p->groups);
    TWX_VEC_DONE(&p->sizes);
    TWX_VEC_DONE(&p->similarities);
    TWX_VEC_DONE(&p->no_pages);
    TWX_VEC_DONE(&p->editions);
    TWX_VEC_DONE(&p->same_title);
    twx_result_diff_done(&p->diff);
    twx_mirror_list_done(&p->mirrors);
    twx_mirror_list_done(&p->mirrors_before);
    twx_store_report_done(&p->figures);
    twx_arena_done(&p->arena);
}

/* ---- head --------------------------------------------------------------------- */

enum { SHA256_BYTES = 32, BASE64_BYTES = 64 };

/* The source expression of the Content-Security-Policy for an inline element. */
static void put_hash(twx_markup *h, const char *text) {
    unsigned char digest[SHA256_BYTES], base64[BASE64_BYTES];
    const twx_slice s = twx_slice_of(text);
    if (h->rc != TWX_OK) return;
    if (!EVP_Digest(s.p, s.n, digest, NULL, EVP_sha256(), NULL)) {
        h->rc = twx_openssl_failed(h->out->cx, TWX_E_CONFIG, "OpenSSL provides no SHA-256");
        return;
    }
    EVP_EncodeBlock(base64, digest, SHA256_BYTES);
    twx_markup_put(h, "'sha256-%s'", (const char *)base64);
}

static void write_head(twx_markup *h, const twx_report_page *p) {
    twx_markup_raw(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src ");
    put_hash(h, TWX_PAGE_CSS);
    twx_markup_raw(h, "; script-src ");
    put_hash(h, TWX_PAGE_JS);
    twx_markup_raw(h, "; base-uri 'none'; form-action 'none'\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=\"referrer\" content=\"no-referrer\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Duplicates in ");
    twx_markup_excerpt(h, twx_slice_of(p->figures.store), 80);
    twx_markup_raw(h, "</title>\n<style>");
    twx_markup_raw(h, TWX_PAGE_CSS);
    twx_markup_raw(h, "</style>\n</head>\n<body>\n");
}

/* ---- body --------------------------------------------------------------------- */

static const struct {
    const char *id, *title;
    void (*write)(twx_markup *h, const twx_report_page *p);
} SECTIONS[] = {
    {"since", "Since the last run", twx_section_since},
    {"suspects", "Suspects", twx_section_suspects},
    {"part", "What takes part", twx_section_flow},
    {"relations", "Duplicates by relation", twx_section_relations},
    {"sizes", "Sizes and similarities", twx_section_sizes},
    {"hosts", "Hosts", twx_section_hosts},
    {"mirrors", "Mirrors", twx_section_mirrors},
    {"groups", "Largest groups", twx_section_groups},
    {"editions", "Editions", twx_section_editions},
    {"runs", "Runs over time", twx_section_runs},
};

/* "778 documents of 64 hosts: 122 are shown, 120 are hidden (49.6 % of those that take part)" */
static void write_totals(twx_markup *h, const twx_report_page *p) {
    const twx_host_figures *all = &p->figures.all;
    const uint64_t hosts = p->figures.hosts.n;
    twx_markup_put(h,
                   "<p class=\"totals\"><b>%s</b> %s of %s %s: <b>%s</b> shown, <b>%s</b> hidden (",
                   TWX_COMMAS(all->documents), twx_plural(all->documents, "document", "documents"),
                   TWX_COMMAS(hosts), twx_plural(hosts, "host", "hosts"),
                   TWX_COMMAS(all->indexable - all->hidden), TWX_COMMAS(all->hidden));
    twx_markup_share(h, all->indexable ? (double)all->hidden / (double)all->indexable : -1);
    twx_markup_raw(h, " of those that take part)</p>\n");
}

static void write_header(twx_markup *h, const twx_report_page *p) {
    char when[TWX_TIME_BYTES];
    twx_markup_raw(h, "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header>\n"
                      "<p class=\"brand\">Twindex report</p>\n<h1>");
    twx_markup_excerpt(h, twx_slice_of(p->figures.store), 120);
    twx_markup_put(h, "</h1>\n<p class=\"made\">Made %s UTC by twindex %s",
                   twx_minute_text(p->made_at, when), TWINDEX_VERSION);
    if (p->figures.runs.n)
        twx_markup_put(h, "; last run %lld, started %s UTC", (long long)p->figures.runs.at[0].run,
                       twx_minute_text(p->figures.runs.at[0].started_at, when));
    twx_markup_raw(h, "</p>\n");
    write_totals(h, p);
    twx_markup_raw(h, "</header>\n<nav aria-label=\"Sections\"><ul>\n");
    for (size_t i = 0; i < TWX_COUNTOF(SECTIONS); i++)
        twx_markup_put(h, "<li><a href=\"#%s\">%s</a></li>\n", SECTIONS[i].id, SECTIONS[i].title);
    twx_markup_raw(h, "</ul></nav>\n");
}

static twx_rc write_page(const twx_out *out, const twx_report_page *p) {
    twx_markup h = {.out = out};
    write_head(&h, p);
    write_header(&h, p);
    twx_markup_raw(&h, "<main id=\"main\" tabindex=\"-1\">\n");
    for (size_t i = 0; i < TWX_COUNTOF(SECTIONS); i++) {
        twx_markup_put(&h, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n",
                       SECTIONS[i].id, SECTIONS[i].id, SECTIONS[i].title);
        SECTIONS[i].write(&h, p);
        twx_markup_raw(&h, "</section>\n");
    }
    twx_markup_raw(&h, "</main>\n<footer><p>Numbers are of the result that was published when the "
                       "report was made. Times are UTC.</p></footer>\n<script>");
    twx_markup_raw(&h, TWX_PAGE_JS);
    twx_markup_raw(&h, "</script>\n</body>\n</html>\n");
    return h.rc;
}

twx_rc twx_report_as_page(const twx_job *job, twx_rules_fn *rules, const twx_out *out) {
    twx_report_page p = {.figures.runs_most = TWX_PAGE_RUNS,
                         .diff.limit = TWX_PAGE_CHANGES,
                         .suspects_most = TWX_PAGE_SUSPECTS};
    twx_buf text = {.max = SIZE_MAX / 4};
    twx_rc rc = collect(job, ~0u, &p);
    if (rc == TWX_OK && job->n_stores > 1)
        p.no_rules = "each store has a model of its own: 'twindex report --html' of one store "
                     "shows its rules";
    else if (rc == TWX_OK)
        rc = rules(job, &text, &p.no_rules);
    p.rules = twx_buf_slice(&text);
    if (rc == TWX_OK) rc = write_page(out, &p);
    twx_buf_done(&text);
    report_page_done(&p);
    return rc;
}

/* ==== report_sheets */

/* The table of hosts has more columns than that of the report. */
#define H(...) TWX_FIELD(twx_host_figures, __VA_ARGS__)
static const twx_field HOST[] = {
    TWX_FIELDS(H("host", name), H("documents", documents), H("take_part", indexable),
               H("shown", shown), H("hidden", hidden), H("hidden_share", hidden_share),
               TWX_FIELD_COUNTS_OF(twx_host_figures, "copies", copies, twx_relation_name))};

twx_rc twx_report_sheet(const twx_job *job, twindex_sheet sheet, const twx_out *out) {
    if ((unsigned)sheet >= TWINDEX_SHEETS)
        return twx_fail(job->cx, TWX_E_USAGE, "no such table: %d", (int)sheet);
    if (sheet == TWINDEX_SHEET_GROUPS) return twx_list_groups_csv(job, out);
    const twx_page_table *t = twx_page_table_of(sheet);
    twx_report_page p = {.figures.runs_most = INT64_MAX};
    twx_page_rows rows = {.cx = job->cx};
    twx_rc rc = collect(job, t->reads, &p);
    if (rc == TWX_OK && t->list) t->list(&p, &rows);
    if (rc == TWX_OK) rc = rows.rc;
    if (rc == TWX_OK && sheet == TWINDEX_SHEET_HOSTS)
        rc = twx_rows_csv(out, TWX_ROWS(HOST, p.figures.hosts), true);
    else if (rc == TWX_OK && sheet == TWINDEX_SHEET_CHANGES)
        rc = twx_change_list_csv(out, &p.diff.changes);
    else if (rc == TWX_OK)
        rc = twx_rows_csv(
            out, &(twx_rows){t->fields, t->n_fields, rows.at, rows.n, sizeof *rows.at}, true);
    twx_page_rows_done(&rows);
    report_page_done(&p);
    return rc;
}

const char *twx_sheet_name(twindex_sheet sheet) {
    return (unsigned)sheet < TWINDEX_SHEETS ? twx_page_table_of(sheet)->name : NULL;
}
