#include "inspect/internal.h"

#include <time.h>

/* ==== store_report */

enum { HOSTS_SHOWN = 30, NUMBER_WIDTH = 10, UTC_BYTES = 24 };

twx_rc twx_title_keep(const twx_job *job, twx_arena *arena, const char **ret_title) {
    char *title = twx_job_title(job);
    twx_slice copy = {NULL, 0};
    if (!title) return TWX_E_NOMEM;
    const twx_rc rc = twx_arena_copy(job->cx, arena, twx_slice_of(title), &copy);
    if (rc == TWX_OK) *ret_title = copy.p;
    twx_free(title);
    return rc;
}

void twx_store_report_done(twx_store_report *r) {
    TWX_VEC_DONE(&r->relations);
    TWX_VEC_DONE(&r->hosts);
    TWX_VEC_DONE(&r->runs);
    twx_arena_done(&r->arena);
}

static const char *utc(int64_t seconds, char room[UTC_BYTES]) {
    time_t when = (time_t)seconds;
    struct tm tm;
    if (!gmtime_r(&when, &tm) || !strftime(room, UTC_BYTES, "%Y-%m-%dT%H:%M:%SZ", &tm))
        room[0] = '\0';
    return room;
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *relations_json(const twx_store_report *r) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->relations.n; i++) {
        const twx_relation_figures *f = &r->relations.at[i];
        json_array_append_new(all,
                              json_pack("{s:o, s:I, s:I, s:I}", "detector", twx_json_slice(f->name),
                                        "groups", (json_int_t)f->groups, "copies",
                                        (json_int_t)f->copies, "largest", (json_int_t)f->largest));
    }
    return all;
}

static json_t *hosts_json(const twx_store_report *r) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->hosts.n; i++) {
        const twx_host_figures *h = &r->hosts.at[i];
        json_t *copies = json_object();
        for (size_t k = 0; k < TWX_RELATIONS; k++)
            if (h->copies[k])
                json_object_set_new(copies, twx_relation_at(k)->name, twx_json_count(h->copies[k]));
        json_array_append_new(all, json_pack("{s:o, s:o, s:o, s:o, s:o}", "host",
                                             twx_json_slice(h->name), "documents",
                                             twx_json_count(h->documents), "indexable",
                                             twx_json_count(h->indexable), "hidden",
                                             twx_json_count(h->hidden), "copies", copies));
    }
    return all;
}

static json_t *runs_json(const twx_store_report *r) {
    json_t *all = json_array();
    for (size_t i = 0; i < r->runs.n; i++) {
        const twx_run_row *run = &r->runs.at[i];
        char started[UTC_BYTES];
        json_t *summary = run->summary.p ? json_loadb(run->summary.p, run->summary.n, 0, NULL)
                                         : NULL;
        json_array_append_new(
            all,
            json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:o?, s:o, s:o*}", "run",
                      (json_int_t)run->run, "started", utc(run->started_at, started), "seconds",
                      run->ended ? json_integer((json_int_t)(run->ended_at - run->started_at))
                                 : json_null(),
                      "state", twx_json_slice(run->state), "generation",
                      twx_json_slice(run->generation), "version", twx_json_slice(run->version),
                      "summary", summary, "message", twx_json_slice(run->message), "store",
                      run->store.p ? twx_json_slice(run->store) : NULL));
    }
    return all;
}

static json_t *report_json(const twx_store_report *r) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "store",
                     twx_json_text(r->store), "documents", twx_json_count(r->all.documents),
                     "indexable", twx_json_count(r->all.indexable), "hidden",
                     twx_json_count(r->all.hidden), "eligibility",
                     twx_counts_json(r->eligibility, TWX_ELIGIBILITIES, twx_eligibility_text),
                     "links", twx_counts_json(r->links, TWX_LINK_STATES, twx_link_state_text),
                     "detectors", relations_json(r), "hosts", hosts_json(r), "runs", runs_json(r));
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_whole(const twx_out *out, const twx_store_report *r) {
    const twx_host_figures *all = &r->all;
    twx_rc rc = twx_out_text(
        out,
        "%s\n  %12" PRIu64 "  %s\n  %12" PRIu64
        "  hidden by the verdict (%.1f %% of those that take part)\n",
        r->store, all->documents, twx_plural(all->documents, "document", "documents"), all->hidden,
        all->indexable ? 100.0 * (double)all->hidden / (double)all->indexable : 0.0);
    if (rc == TWX_OK)
        rc = twx_counts_write(out, r->eligibility, 0, TWX_ELIGIBILITIES, "", twx_eligibility_text);
    if (rc == TWX_OK)
        rc = twx_counts_write(out, r->links, 1, TWX_LINK_STATES, "links: ", twx_link_state_text);
    return rc;
}

static twx_rc write_relations(const twx_out *out, const twx_store_report *r) {
    twx_rc rc = twx_out_text(out, "\n  %-12s %12s %12s %12s\n", "detector", "groups", "copies",
                             "largest");
    for (size_t i = 0; rc == TWX_OK && i < r->relations.n; i++) {
        const twx_relation_figures *f = &r->relations.at[i];
        rc = twx_out_text(out, "  %-12s %12" PRId64 " %12" PRId64 " %12" PRId64 "\n", f->name.p,
                          f->groups, f->copies, f->largest);
    }
    return rc;
}

/* The table of hosts has a column for each relation by which at least one document is a
 * duplicate. */
static twx_rc write_heading(const twx_out *out, const twx_store_report *r) {
    twx_rc rc = twx_out_text(out, "\n  %*s %*s %*s", NUMBER_WIDTH, "documents", NUMBER_WIDTH,
                             "take part", NUMBER_WIDTH, "verdict");
    for (size_t k = 0; rc == TWX_OK && k < TWX_RELATIONS; k++)
        if (r->all.copies[k])
            rc = twx_out_text(out, " %*s", NUMBER_WIDTH, twx_relation_at(k)->name);
    return rc == TWX_OK ? twx_out_text(out, "  host\n") : rc;
}

static twx_rc write_host(const twx_out *out, const twx_store_report *r, const twx_host_figures *h) {
    size_t column = 2 + 3 * (NUMBER_WIDTH + 1) + 1;
    twx_rc rc = twx_out_text(out, "  %*" PRIu64 " %*" PRIu64 " %*" PRIu64, NUMBER_WIDTH,
                             h->documents, NUMBER_WIDTH, h->indexable, NUMBER_WIDTH, h->hidden);
    for (size_t k = 0; rc == TWX_OK && k < TWX_RELATIONS; k++) {
        if (!r->all.copies[k]) continue;
        rc = twx_out_text(out, " %*" PRIu64, NUMBER_WIDTH, h->copies[k]);
        column += NUMBER_WIDTH + 1;
    }
    return rc == TWX_OK
               ? twx_out_text(out, "  %.*s\n", twx_out_fitting(out, h->name.p, column), h->name.p)
               : rc;
}

static twx_rc write_hosts(const twx_out *out, const twx_store_report *r) {
    const size_t n = r->hosts.n;
    twx_rc rc = write_heading(out, r);
    for (size_t i = 0; rc == TWX_OK && i < n && i < HOSTS_SHOWN; i++)
        rc = write_host(out, r, &r->hosts.at[i]);
    if (rc == TWX_OK && n > HOSTS_SHOWN)
        rc = twx_out_text(out, "  ... and %zu more %s (--json has all)\n", n - HOSTS_SHOWN,
                          twx_plural(n - HOSTS_SHOWN, "host", "hosts"));
    return rc;
}

static twx_rc write_runs(const twx_out *out, const twx_store_report *r) {
    twx_rc rc = twx_out_text(out, "\nlast runs:\n");
    for (size_t i = 0; rc == TWX_OK && i < r->runs.n; i++) {
        const twx_run_row *run = &r->runs.at[i];
        char started[UTC_BYTES];
        rc = twx_out_text(out, "  %6" PRId64 "  %s  %-10s %s%s%s\n", run->run,
                          utc(run->started_at, started), run->state.p ? run->state.p : "",
                          run->message.p ? run->message.p : "", run->store.p ? " only " : "",
                          run->store.p ? run->store.p : "");
    }
    return rc;
}

twx_rc twx_store_report_write(const twx_out *out, const twx_store_report *r) {
    if (twx_out_is_json(out)) return twx_out_json(out, report_json(r));
    twx_rc rc = write_whole(out, r);
    if (rc == TWX_OK) rc = write_relations(out, r);
    if (rc == TWX_OK) rc = write_hosts(out, r);
    return rc == TWX_OK ? write_runs(out, r) : rc;
}

/* ==== page_documents */

enum { TWX_PAGE_TEXT_BYTES = 1 << 18 /* longest text that is compared or quoted */ };

enum { ID_BYTES = 1 << 12, URL_BYTES = 1 << 12, TITLE_BYTES = 1 << 10 };

typedef struct row {
    const twx_listed_reading *reading;
    twx_page_document *document;
    twx_slice *text; /* NULL: not wanted */
} row;

/* The page shows the beginnings of URLs and titles. */
static twx_rc copy_start(const row *r, const twx_value *v, size_t most, twx_slice *ret_copy) {
    const twx_slice bytes = twx_bytes_of(v);
    return twx_arena_copy(r->reading->job->cx, r->reading->arena,
                          bytes.p ? twx_slice_sub(bytes, 0, most) : bytes, ret_copy);
}

static twx_rc take_row(void *arg, const twx_source_row *stored, bool *ret_enough) {
    const row *r = arg;
    const twx_slice text = twx_bytes_of(&stored->value[TWX_COL_TEXT]);
    *ret_enough = true;
    twx_rc rc = copy_start(r, &stored->value[TWX_COL_URL], URL_BYTES, &r->document->url);
    if (rc == TWX_OK)
        rc = copy_start(r, &stored->value[TWX_COL_TITLE], TITLE_BYTES, &r->document->title);
    if (rc == TWX_OK && r->text && text.n <= TWX_PAGE_TEXT_BYTES)
        rc = twx_arena_copy(r->reading->job->cx, r->reading->arena,
                            text.p ? text : TWX_SLICE_LIT(""), r->text);
    return rc;
}

static twx_rc print_id(const twx_listed_reading *r, const twx_value *id, twx_slice *ret_id) {
    twx_buf text;
    twx_buf_init(&text, ID_BYTES);
    twx_rc rc = twx_value_print(r->job->cx, &text, id);
    if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, r->arena, twx_buf_slice(&text), ret_id);
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_page_document_read(const twx_listed_reading *r, uint32_t member, const twx_value *id,
                              twx_page_document *ret_document, twx_slice *ret_text) {
    const twx_set_member *m = &r->set->at[member];
    twx_page_document d = {.title = {NULL, 0}};
    twx_slice text = {NULL, 0};
    row into = {.reading = r, .document = &d, .text = ret_text ? &text : NULL};
    twx_rc rc = print_id(r, id, &d.id);
    if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, r->arena, m->shard, &d.store);
    if (rc == TWX_OK) rc = twx_source_by_id(m->o.source, id, take_row, &into);
    if (rc == TWX_DONE) {
        d.url = TWX_SLICE_LIT(TWX_LABEL_GONE);
        d.unreadable = true;
        rc = TWX_OK;
    } else if (rc == TWX_E_LIMIT) {
        twx_ctx_clear(r->job->cx);
        d.url = TWX_SLICE_LIT(TWX_LABEL_TOO_LONG);
        d.unreadable = true;
        rc = TWX_OK;
    }
    if (rc != TWX_OK) return rc;
    *ret_document = d;
    if (ret_text) *ret_text = text;
    return TWX_OK;
}

/* ==== page_groups */

/* The largest clusters for the report page, with some of their members and the differences of two
 * texts. */

enum { SIMILARITY_BYTES = 1 << 16 /* longest texts whose similarity is measured */ };

/* A document by its id, and the store that has it. */
typedef struct listed_id {
    twx_value id;
    uint32_t member;
} listed_id;
typedef TWX_VEC(listed_id) listed;

/* Rows of a list. They are read after the statement of the list has ended, because only one
 * statement is open at a time. */
typedef struct listing {
    twx_ctx *cx;
    twx_arena *arena;
    size_t most;
    listed ids;
    TWX_VEC(int64_t) documents;
} listing;

/* TWX_DONE: the list is full. */
static twx_rc keep_id(listing *l, uint32_t member, const twx_value *v) {
    listed_id copy = {*v, member};
    if (l->ids.n == l->most) return TWX_DONE;
    twx_rc rc = twx_arena_copy(l->cx, l->arena, v->bytes, &copy.id.bytes);
    return rc == TWX_OK && !TWX_VEC_PUSH(l->cx, &l->ids, copy) ? TWX_E_NOMEM : rc;
}

static twx_rc take_group(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    listing *l = arg;
    (void)n;
    twx_rc rc = keep_id(l, member, &columns[0]);
    return rc == TWX_OK && !TWX_VEC_PUSH(l->cx, &l->documents, columns[1].i) ? TWX_E_NOMEM : rc;
}

static twx_rc take_member(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    (void)n;
    return keep_id(arg, member, &columns[0]);
}

/* A number; in a damaged table also a text or a blob, which lives no longer than its row. */
typedef struct kept_signature {
    twx_ctx *cx;
    twx_arena *arena;
    twx_value value;
} kept_signature;

static twx_rc take_signature(void *arg, const twx_value *columns, size_t n) {
    kept_signature *kept = arg;
    (void)n;
    kept->value = columns[0];
    const twx_rc rc = twx_arena_copy(kept->cx, kept->arena, columns[0].bytes, &kept->value.bytes);
    return rc == TWX_OK ? TWX_DONE : rc;
}

/* ---- differences --------------------------------------------------------- */

static twx_rc compare_texts(const twx_listed_reading *r, const twx_slice texts[2],
                            twx_page_group *g) {
    twx_ctx *cx = r->job->cx;
    twx_text_diff diff;
    twx_similarity *s = NULL;
    twx_rc rc = twx_text_diff_of(cx, texts[0], texts[1], &diff);
    if (rc != TWX_OK) return rc;
    g->texts = TWX_TEXTS_COMPARED;
    g->coarse = diff.coarse;
    rc = twx_differences_list(cx, &diff, TWX_PAGE_PASSAGES, r->arena, &g->passages,
                              &g->differences);
    twx_text_diff_done(&diff);
    if (rc != TWX_OK || texts[0].n > SIMILARITY_BYTES || texts[1].n > SIMILARITY_BYTES) return rc;
    rc = twx_similarity_open(cx, &s);
    if (rc == TWX_OK) rc = twx_similarity_of(cx, s, texts[0], texts[1], 0, &g->similarity);
    twx_similarity_close(s);
    return rc;
}

/* Reads a member; the first text that differs from the representative's is kept in texts[1]. */
static twx_rc read_member(const twx_listed_reading *r, const listed_id *id, twx_page_group *g,
                          twx_slice texts[2]) {
    twx_page_document d;
    twx_slice text = {NULL, 0};
    twx_rc rc = twx_page_document_read(r, id->member, &id->id, &d, &text);
    if (rc != TWX_OK) return rc;
    if (g->members.n == 0) {
        texts[0] = text;
    } else if (!text.p || !texts[0].p) {
        g->texts = d.unreadable || g->members.at[0].unreadable ? TWX_TEXTS_UNREADABLE
                                                               : TWX_TEXTS_TOO_LONG;
    } else if (!texts[1].p && !twx_slice_eq(text, texts[0])) {
        texts[1] = text;
        g->other = g->members.n;
    }
    return TWX_VEC_PUSH(r->job->cx, &g->members, d) ? TWX_OK : TWX_E_NOMEM;
}

/* ---- a group ---------------------------------------------------------------- */

/* A member whose text differs comes first, so that it is listed and compared. */
static twx_rc list_members(const twx_listed_reading *r, const listed_id *representative,
                           listing *l) {
    static const int BY_ID[] = {1, 0};
    twx_set_member *home = &r->set->at[representative->member];
    const twx_value store = {.type = home->shard.p ? TWX_TEXT : TWX_NULL, .bytes = home->shard};
    kept_signature signature = {.cx = r->job->cx, .arena = r->arena};
    const twx_display_query of = {
        .sql = twx_display_signature(), .values = &representative->id, .n_values = 1};
    twx_rc rc = twx_display(home->o.writer, &of, take_signature, &signature);
    const twx_value about[] = {representative->id, store, signature.value};
    const twx_value values_of[] = {{.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("verdict")},
                                   representative->id,
                                   {.type = TWX_INT, .i = TWX_PAGE_MEMBERS},
                                   store};
    const twx_set_query differing = {{.sql = twx_display_differing(),
                                      .values = about,
                                      .n_values = TWX_COUNTOF(about)},
                                     true,
                                     BY_ID},
                        members = {{.sql = twx_display_members(),
                                    .values = values_of,
                                    .n_values = TWX_COUNTOF(values_of)},
                                   true,
                                   BY_ID};
    l->most = 1;
    if (rc == TWX_OK) rc = twx_store_set_display(r->set, &differing, take_member, l);
    l->most = l->ids.n + TWX_PAGE_MEMBERS;
    return rc == TWX_OK ? twx_store_set_display(r->set, &members, take_member, l) : rc;
}

static bool is_same(const listed_id *a, const listed_id *b) {
    return a->member == b->member && twx_value_hash(&a->id, 0) == twx_value_hash(&b->id, 0);
}

/* Is it the representative, or the member that came first? */
static bool is_listed(const listing *l, size_t i, const listed_id *representative) {
    return is_same(&l->ids.at[i], representative) || (i && is_same(&l->ids.at[i], &l->ids.at[0]));
}

static twx_rc read_group(const twx_listed_reading *r, const listed_id *representative,
                         twx_page_group *g) {
    listing l = {.cx = r->job->cx, .arena = r->arena};
    twx_slice texts[2] = {{NULL, 0}, {NULL, 0}};
    twx_rc rc = list_members(r, representative, &l);
    if (rc == TWX_OK) rc = read_member(r, representative, g, texts);
    for (size_t i = 0; rc == TWX_OK && i < l.ids.n && g->members.n < TWX_PAGE_MEMBERS; i++)
        if (!is_listed(&l, i, representative)) rc = read_member(r, &l.ids.at[i], g, texts);
    if (rc == TWX_OK && texts[1].p) rc = compare_texts(r, texts, g);
    TWX_VEC_DONE(&l.ids);
    return rc;
}

twx_rc twx_page_groups_read(const twx_listed_reading *r, twx_report_page *p) {
    static const int LARGEST[] = {-2, 1, 0};
    listing l = {.cx = r->job->cx, .arena = r->arena, .most = TWX_PAGE_GROUPS};
    const twx_value limit = {.type = TWX_INT, .i = TWX_PAGE_GROUPS};
    const twx_set_query question = {
        {.sql = twx_display_largest(), .values = &limit, .n_values = 1}, false, LARGEST};
    twx_rc rc = twx_store_set_display(r->set, &question, take_group, &l);
    for (size_t i = 0; rc == TWX_OK && i < l.ids.n; i++) {
        const twx_page_group fresh = {.documents = l.documents.at[i], .similarity = -1};
        if (!TWX_VEC_PUSH(r->job->cx, &p->groups, fresh)) {
            rc = TWX_E_NOMEM;
            break;
        }
        twx_job_progress(r->job, "read groups", "groups", i, l.ids.n);
        rc = twx_cancelled(r->job->cx);
        if (rc == TWX_OK) rc = read_group(r, &l.ids.at[i], &p->groups.at[i]);
    }
    p->groups_sql = question.display.sql;
    TWX_VEC_DONE(&l.ids);
    TWX_VEC_DONE(&l.documents);
    return rc;
}
