#include "inspect/internal.h"

/* ==== store_report */

enum { HOSTS_SHOWN = 30 };

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

const char *twx_relation_name(size_t i) {
    return twx_relation_at(i)->name;
}

static json_t *started_json(const void *row) {
    return json_string(
        twx_second_text(((const twx_run_row *)row)->started_at, (char[TWX_TIME_BYTES]){0}));
}

static json_t *run_summary_json(const void *row) {
    const twx_slice summary = ((const twx_run_row *)row)->summary;
    json_t *value = summary.p ? json_loadb(summary.p, summary.n, 0, NULL) : NULL;
    return value ? value : json_null();
}

#define R(...) TWX_FIELD(twx_relation_figures, __VA_ARGS__)
static const twx_field RELATION[] = {TWX_FIELDS(R("detector", name), R("groups", groups),
                                                R("copies", copies), R("largest", largest))};
#define HO(...) TWX_FIELD(twx_host_figures, __VA_ARGS__)
static const twx_field HOST[] = {
    TWX_FIELDS(HO("host", name, "host", -24), HO("documents", documents, "documents", 12),
               HO("indexable", indexable, "take part", 12), HO("hidden", hidden, "hidden", 12),
               TWX_FIELD_COUNTS_OF(twx_host_figures, "copies", copies, twx_relation_name))};
#define RU(...) TWX_FIELD(twx_run_row, __VA_ARGS__)
static const twx_field RUN[] = {
    TWX_FIELDS(RU("run", run), TWX_FIELD_GOT("started", started_json),
               TWX_FIELD_AS(twx_run_row, KNOWN, "seconds", seconds), RU("state", state),
               RU("generation", generation), RU("version", version),
               TWX_FIELD_GOT("summary", run_summary_json), RU("message", message),
               TWX_FIELD_AS(twx_run_row, OPTIONAL, "store", store))};
#define RE(...) TWX_FIELD(twx_store_report, __VA_ARGS__)
static const twx_field REPORT[] = {TWX_FIELDS(
    RE("store", store), RE("documents", all.documents), RE("indexable", all.indexable),
    RE("hidden", all.hidden),
    TWX_FIELD_COUNTS_OF(twx_store_report, "eligibility", eligibility, twx_eligibility_text),
    TWX_FIELD_COUNTS_OF(twx_store_report, "links", links, twx_link_state_text),
    TWX_FIELD_ROWS_OF(twx_store_report, "detectors", relations, RELATION),
    TWX_FIELD_ROWS_OF(twx_store_report, "hosts", hosts, HOST),
    TWX_FIELD_ROWS_OF(twx_store_report, "runs", runs, RUN))};

static twx_rc write_runs(const twx_out *out, const twx_store_report *r) {
    twx_rc rc = twx_out_text(out, "\nlast runs:\n");
    for (size_t i = 0; rc == TWX_OK && i < r->runs.n; i++) {
        const twx_run_row *run = &r->runs.at[i];
        rc = twx_out_text(out, "  %6" PRId64 "  %s  %-10s %s%s%s\n", run->run,
                          twx_second_text(run->started_at, (char[TWX_TIME_BYTES]){0}),
                          run->state.p ? run->state.p : "", run->message.p ? run->message.p : "",
                          run->store.p ? " only " : "", run->store.p ? run->store.p : "");
    }
    return rc;
}

twx_rc twx_store_report_write(const twx_out *out, const twx_store_report *r) {
    const twx_host_figures *all = &r->all;
    if (twx_out_is_json(out)) {
        json_t *o = twx_row_json(TWX_ROWS_AT(REPORT, r, 1));
        if (r->last.stopped_at)
            json_object_set_new(o, "last_run_stopped", twx_json_text(r->last.stopped));
        return twx_out_json(out, o);
    }
    twx_rc rc = twx_out_text(
        out,
        "%s\n  %12s  %s\n  %12s  %s\n"
        "  %12s  hidden by the verdict (%.1f %% of those that take part)\n",
        r->store, TWX_N(all->documents), twx_plural(all->documents, "document", "documents"),
        TWX_N(all->indexable), twx_plural(all->indexable, "takes part", "take part"),
        TWX_N(all->hidden),
        all->indexable ? 100.0 * (double)all->hidden / (double)all->indexable : 0.0);
    if (rc == TWX_OK)
        rc = twx_counts_write(out, r->eligibility, 1, TWX_ELIGIBILITIES, "", twx_eligibility_text);
    if (rc == TWX_OK)
        rc = twx_counts_write(out, r->links, 1, TWX_LINK_STATES, "links: ", twx_link_state_text);
    if (rc == TWX_OK) rc = twx_relation_figures_write(out, r->relations.at, r->relations.n);
    if (rc == TWX_OK)
        rc = twx_hosts_write(out, *TWX_ROWS(HOST, r->hosts), HOSTS_SHOWN,
                             " (--json and --csv have all)");
    if (rc == TWX_OK) rc = write_runs(out, r);
    return rc == TWX_OK ? twx_outcome_write(out, &r->last) : rc;
}

/* ==== page_documents */

enum { TWX_PAGE_TEXT_BYTES = 1 << 18 /* longest text that is compared or quoted */ };

/* VALUE_BYTES: of a URL or a title; the URL of a document that takes part is not longer. */
enum { ID_BYTES = 1 << 12, VALUE_BYTES = TWX_URL_MAX };

typedef struct row {
    const twx_listed_reading *reading;
    twx_page_document *document;
    size_t text_most;
    twx_slice *text; /* NULL: not wanted */
} row;

static twx_rc copy_value(const row *r, const twx_value *v, twx_slice *ret_copy) {
    const twx_slice bytes = twx_bytes_of(v);
    size_t n = VALUE_BYTES - 3; /* before the mark, without a part of a character */
    const twx_rc rc = twx_arena_copy(r->reading->job->cx, r->reading->arena,
                                     bytes.p ? twx_slice_sub(bytes, 0, VALUE_BYTES) : bytes,
                                     ret_copy);
    if (rc != TWX_OK || bytes.n <= VALUE_BYTES) return rc;
    while (n > VALUE_BYTES - 6 && ((unsigned char)bytes.p[n] & 0xC0) == 0x80) n--;
    memcpy((char *)(uintptr_t)ret_copy->p + n, "...", 3);
    ret_copy->n = n + 3;
    return rc;
}

static twx_rc take_row(void *arg, const twx_source_row *stored, bool *ret_enough) {
    const row *r = arg;
    const twx_slice text = twx_bytes_of(&stored->value[TWX_COL_TEXT]);
    *ret_enough = true;
    twx_rc rc = copy_value(r, &stored->value[TWX_COL_URL], &r->document->url);
    if (rc == TWX_OK) rc = copy_value(r, &stored->value[TWX_COL_TITLE], &r->document->title);
    if (rc == TWX_OK && r->text && text.n <= TWX_PAGE_TEXT_BYTES)
        rc = twx_arena_copy(r->reading->job->cx, r->reading->arena,
                            text.p ? twx_slice_sub(text, 0, r->text_most) : TWX_SLICE_LIT(""),
                            r->text);
    return rc;
}

twx_rc twx_page_document_read(const twx_listed_reading *r, uint32_t store, const twx_value *id,
                              twx_page_document *ret_document, size_t text_most,
                              twx_slice *ret_text) {
    const twx_set_store *m = &r->set->at[store];
    twx_page_document d = {.title = {NULL, 0}};
    twx_slice text = {NULL, 0};
    row into = {
        .reading = r, .document = &d, .text_most = text_most, .text = ret_text ? &text : NULL};
    twx_buf printed = {.max = ID_BYTES};
    twx_rc rc = twx_value_print(r->job->cx, &printed, id);
    if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, r->arena, twx_buf_slice(&printed), &d.id);
    twx_buf_done(&printed);
    if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, r->arena, m->shard, &d.store);
    if (rc == TWX_OK) rc = twx_source_by_id(m->o.source, id, take_row, &into);
    if (rc == TWX_DONE || rc == TWX_E_LIMIT) {
        twx_ctx_clear(r->job->cx);
        d.url = twx_slice_of(rc == TWX_DONE ? TWX_LABEL_GONE : TWX_LABEL_TOO_LONG);
        d.unreadable = true;
    } else if (rc != TWX_OK) {
        return rc;
    }
    *ret_document = d;
    if (ret_text) *ret_text = text;
    return TWX_OK;
}

/* ==== page_groups */

/* The largest clusters for the report, with some members and the differences of two texts. */

enum {
    SIMILARITY_BYTES = 1 << 16, /* longest texts whose similarity is measured */
    PASSAGES_LISTED = 12
};

/* A document by its id, and the store that has it. */
typedef struct listed_id {
    twx_value id;
    uint32_t store;
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
static twx_rc keep_id(listing *l, uint32_t store, const twx_value *v) {
    listed_id copy = {*v, store};
    if (l->ids.n == l->most) return TWX_DONE;
    twx_rc rc = twx_arena_copy(l->cx, l->arena, v->bytes, &copy.id.bytes);
    return rc == TWX_OK && !TWX_VEC_PUSH(l->cx, &l->ids, copy) ? TWX_E_NOMEM : rc;
}

static twx_rc take_group(void *arg, uint32_t store, const twx_value *columns) {
    listing *l = arg;
    twx_rc rc = keep_id(l, store, &columns[0]);
    return rc == TWX_OK && !TWX_VEC_PUSH(l->cx, &l->documents, columns[1].i) ? TWX_E_NOMEM : rc;
}

static twx_rc take_member(void *arg, uint32_t store, const twx_value *columns) {
    return keep_id(arg, store, &columns[0]);
}

/* A number; in a damaged table also a text or a blob, which lives no longer than its row. */
typedef struct kept_signature {
    twx_ctx *cx;
    twx_arena *arena;
    twx_value value;
} kept_signature;

static twx_rc take_signature(void *arg, const twx_value *columns) {
    kept_signature *kept = arg;
    kept->value = columns[0];
    const twx_rc rc = twx_arena_copy(kept->cx, kept->arena, columns[0].bytes, &kept->value.bytes);
    return rc == TWX_OK ? TWX_DONE : rc;
}

static twx_rc compare_texts(const twx_listed_reading *r, const twx_slice texts[2],
                            twx_page_group *g) {
    twx_ctx *cx = r->job->cx;
    twx_text_diff diff;
    twx_similarity *s = NULL;
    twx_rc rc = twx_text_diff_of(cx, texts[0], texts[1], &diff);
    if (rc != TWX_OK) return rc;
    g->texts = TWX_TEXTS_COMPARED;
    g->coarse = diff.coarse;
    rc = twx_differences_list(cx, &diff, PASSAGES_LISTED, r->arena, &g->passages, &g->differences);
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
    twx_rc rc = twx_page_document_read(r, id->store, &id->id, &d, TWX_PAGE_TEXT_BYTES, &text);
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

/* A member whose text differs comes first, so that it is listed and compared. */
static twx_rc list_members(const twx_listed_reading *r, const listed_id *representative,
                           listing *l) {
    static const int BY_ID[] = {1, 0};
    twx_set_store *home = &r->set->at[representative->store];
    const twx_value store = {.type = home->shard.p ? TWX_TEXT : TWX_NULL, .bytes = home->shard};
    kept_signature signature = {.cx = r->job->cx, .arena = r->arena};
    const twx_value id = representative->id;
    const twx_display_query of = {twx_display_signature, &id, 1};
    twx_rc rc = twx_display(home->o.writer, &of, take_signature, &signature);
    const twx_set_query differing = {
        {twx_display_differing, TWX_VALUES(id, store, signature.value)}, true, BY_ID};
    const twx_set_query members = {
        {twx_display_members,
         TWX_VALUES(twx_text_of("verdict"), id, twx_int(TWX_PAGE_MEMBERS), store)},
        true,
        BY_ID};
    l->most = 1;
    if (rc == TWX_OK) rc = twx_store_set_display(r->set, &differing, take_member, l);
    l->most = l->ids.n + TWX_PAGE_MEMBERS;
    return rc == TWX_OK ? twx_store_set_display(r->set, &members, take_member, l) : rc;
}

static bool is_same(const listed_id *a, const listed_id *b) {
    return a->store == b->store && twx_value_hash(&a->id, 0) == twx_value_hash(&b->id, 0);
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
    const twx_value limit = twx_int(TWX_PAGE_GROUPS);
    const twx_set_query question = {{twx_display_largest, &limit, 1}, false, LARGEST};
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
    TWX_VEC_DONE(&l.ids);
    TWX_VEC_DONE(&l.documents);
    return rc;
}
