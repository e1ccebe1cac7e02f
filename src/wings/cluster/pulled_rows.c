#include "cluster/cluster.h"

#include "sql_text.h"

enum {
    DOCS_AT_ONCE = 4096,
    PART_DOCUMENTS = 16, /* so a changed document has the rows of about so many sent */
    PARTS_AT_ONCE = 2000 /* their numbers have to fit into TWX_STATEMENT_BYTES */
};

TWX_ORDER_1(by_part, twx_pulled_part, number)

static twx_rc sum_row(void *arg, twx_row_reader *r) {
    twx_pulled_parts *parts = arg;
    const int64_t number = (int64_t)twx_row_number(r, 8);
    const twx_pulled_part part = {.number = number, .sum = twx_row_number(r, 8)};
    return TWX_VEC_PUSH(r->cx, parts, part) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_pulled_parts_read(twx_ctx *cx, twx_slice rows, twx_pulled_parts *ret_parts) {
    size_t n = 0;
    const twx_rc rc = twx_rows_each(cx, "sums", rows, sum_row, ret_parts);
    if (ret_parts->n > 1) qsort(ret_parts->at, ret_parts->n, sizeof *ret_parts->at, by_part);
    for (size_t i = 0; i < ret_parts->n; i++) {
        const twx_pulled_part part = ret_parts->at[i];
        if (n > 0 && ret_parts->at[n - 1].number == part.number)
            ret_parts->at[n - 1].sum += part.sum;
        else
            ret_parts->at[n++] = part;
    }
    ret_parts->n = n;
    return rc;
}

TWX_ORDER_1(by_doc, twx_flag_row, doc)

typedef struct row_reading {
    const twx_flag_home *home;
    int64_t width;
    twx_pulled_part *sums; /* of the rows so far, by part */
    size_t n;
    twx_flag_row_list *list;
} row_reading;

static twx_rc flag_row(void *arg, twx_row_reader *r) {
    const row_reading *f = arg;
    twx_flag_row row;
    const twx_slice text = twx_row_string(r);
    if (r->broken) return TWX_OK;
    twx_rc rc = twx_flag_text_read(r->cx, f->home, text, &row);
    if (rc != TWX_OK) return rc;
    const twx_pulled_part key = {.number = row.doc / f->width};
    twx_pulled_part *sum = f->n ? bsearch(&key, f->sums, f->n, sizeof key, by_part) : NULL;
    if (!sum)
        return twx_fail(r->cx, TWX_E_DATA,
                        "cluster: the answer to 'rows' has document %" PRId64
                        ", which was not asked for",
                        row.doc);
    sum->sum += twx_flag_text_hash(text);
    return TWX_VEC_PUSH(r->cx, f->list, row) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_pulled_rows_read(twx_ctx *cx, const twx_flag_home *home, twx_slice rows,
                            const twx_pulled_part *parts, size_t n, int64_t width,
                            twx_flag_row_list *ret_rows) {
    row_reading f = {.home = home, .width = width, .n = n, .list = ret_rows};
    f.sums = twx_calloc(cx, n + 1, sizeof *f.sums);
    if (!f.sums) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) f.sums[i].number = parts[i].number;
    ret_rows->n = 0;
    twx_rc rc = twx_rows_each(cx, "rows", rows, flag_row, &f);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) /* [R2] */
        if (f.sums[i].sum != parts[i].sum)
            rc = twx_fail(cx, TWX_E_DATA,
                          "cluster: the rows that the servers sent are not those whose sum they "
                          "sent: if 'cluster judge' has ended meanwhile, pull again");
    if (rc == TWX_OK && ret_rows->n > 1)
        qsort(ret_rows->at, ret_rows->n, sizeof *ret_rows->at, by_doc);
    twx_free(f.sums);
    return rc;
}

/* So wide that a part has about PART_DOCUMENTS documents. */
static twx_rc choose_width(twx_pulled_rows *p) {
    int64_t first = 0, last = 0;
    twx_rc rc = twx_signatures_range(p->store->o.signatures, &first, &last);
    p->width = PART_DOCUMENTS;
    if (rc != TWX_OK || p->store->documents == 0) return rc;
    const uint64_t span = ((uint64_t)last - (uint64_t)first) / p->store->documents;
    if (span > 1)
        p->width = span > INT64_MAX / PART_DOCUMENTS / 2 ? INT64_MAX / 2
                                                         : (int64_t)span * PART_DOCUMENTS;
    return TWX_OK;
}

static twx_rc ask_sums(twx_pulled_rows *p) {
    const twx_statement sums = TWX_PULL_WITH(SUMS, .run = p->run, .shard = p->home.shard,
                                             .width = (uint64_t)p->width);
    twx_buf answers = {.max = TWX_ANSWER_BYTES};
    twx_rc rc = twx_nodes_run_all(p->nodes, &sums, &answers);
    if (rc == TWX_OK)
        rc = twx_pulled_parts_read(p->store->job->cx, twx_buf_slice(&answers), &p->parts);
    twx_buf_done(&answers);
    return rc;
}

/* Compares the sums with those of the store's rows, which come in order of doc. */
static twx_rc compare_sums(twx_pulled_rows *p) {
    twx_ctx *cx = p->store->job->cx;
    const twx_flag_row *row = NULL;
    twx_flags_cursor cursor = {0};
    twx_buf text = {.max = 1 << 16};
    twx_rc rc = twx_flags_cursor_init(cx, p->store->o.generations, p->generation, &cursor);
    if (rc == TWX_OK) rc = twx_flags_cursor_read(&cursor, &row);
    for (size_t i = 0; rc == TWX_OK && i < p->parts.n; i++) {
        twx_pulled_part *part = &p->parts.at[i];
        uint64_t sum = 0;
        for (; rc == TWX_OK && row && row->doc / p->width <= part->number;
             twx_flags_cursor_move(&cursor), rc = twx_flags_cursor_read(&cursor, &row)) {
            if (row->doc / p->width < part->number) continue;
            twx_buf_clear(&text);
            rc = twx_flag_text_write(cx, &p->home, row, &text);
            if (rc != TWX_OK) break;
            sum += twx_flag_text_hash(twx_buf_slice(&text));
        }
        part->same = sum == part->sum;
        if (rc == TWX_OK && i % 4096 == 0) rc = twx_cancelled(cx);
    }
    twx_flags_cursor_done(&cursor);
    twx_buf_done(&text);
    return rc;
}

twx_rc twx_pulled_rows_open(twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                            const twx_remote_list *remotes, const twx_doc_list *changed,
                            twx_pulled_rows *ret_rows) {
    twx_pulled_rows *p = ret_rows;
    twx_state state;
    *p = (twx_pulled_rows){.store = store,
                           .nodes = nodes,
                           .changed = changed,
                           .home = {store->shard, remotes},
                           .run = run,
                           .whole = {TWX_WHOLE_STORE, 0}};
    twx_rc rc = twx_state_read(store->o.generations, &state);
    if (rc == TWX_OK) p->generation = twx_other_generation(state.generation);
    p->docs = twx_calloc(store->job->cx, DOCS_AT_ONCE, sizeof *p->docs);
    if (rc == TWX_OK && !p->docs) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = choose_width(p);
    if (rc == TWX_OK) rc = ask_sums(p);
    return rc == TWX_OK ? compare_sums(p) : rc;
}

void twx_pulled_rows_done(twx_pulled_rows *p) {
    twx_flags_cursor_done(&p->stored);
    TWX_VEC_DONE(&p->parts);
    TWX_VEC_DONE(&p->fetched);
    twx_free(p->docs);
    p->docs = NULL;
}

/* The condition for the parts from `first` that differ, at most PARTS_AT_ONCE of them, which are
 * appended to `asked`. */
static twx_rc list_parts(twx_pulled_rows *p, size_t first, twx_pulled_parts *asked, twx_buf *out) {
    twx_ctx *cx = p->store->job->cx;
    twx_rc rc = twx_buf_printf(cx, out, "intDiv(doc, toInt64(%" PRId64 ")) IN (", p->width);
    size_t i = first;
    for (; rc == TWX_OK && i < p->parts.n && asked->n < PARTS_AT_ONCE; i++) {
        const twx_pulled_part *part = &p->parts.at[i];
        if (part->same) continue;
        rc = twx_buf_printf(cx, out, "%s%" PRId64, asked->n ? "," : "", part->number);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, asked, *part)) rc = TWX_E_NOMEM;
    }
    p->fetched_end = i;
    return rc == TWX_OK ? twx_buf_add_char(cx, out, ')') : rc;
}

/* Fetches the rows of the part `first` and of those after it. */
static twx_rc fetch(twx_pulled_rows *p, size_t first) {
    twx_ctx *cx = p->store->job->cx;
    twx_statement rows = TWX_PULL_WITH(ROWS, .run = p->run, .shard = p->home.shard);
    twx_pulled_parts asked = {0};
    twx_buf answers = {.max = TWX_ANSWER_BYTES}, condition = {.max = TWX_STATEMENT_BYTES};
    twx_rc rc = list_parts(p, first, &asked, &condition);
    rows.key = condition.p;
    if (rc == TWX_OK) rc = twx_nodes_run_all(p->nodes, &rows, &answers);
    if (rc == TWX_OK)
        rc = twx_pulled_rows_read(cx, &p->home, twx_buf_slice(&answers), asked.at, asked.n,
                                  p->width, &p->fetched);
    p->fetched_at = 0;
    p->pulled += p->fetched.n;
    TWX_VEC_DONE(&asked);
    twx_buf_done(&condition);
    twx_buf_done(&answers);
    return rc;
}

/* What was judged of a document; documents come ascending. *ret_row NULL: nothing. */
static twx_rc find_judged(twx_pulled_rows *p, int64_t doc, const twx_flag_row **ret_row) {
    const int64_t number = doc / p->width;
    twx_rc rc = TWX_OK;
    *ret_row = NULL;
    while (p->part_at < p->parts.n && p->parts.at[p->part_at].number < number) p->part_at++;
    if (p->part_at == p->parts.n || p->parts.at[p->part_at].number != number) return TWX_OK;
    if (p->parts.at[p->part_at].same) return twx_flags_cursor_of(&p->stored, doc, ret_row);
    if (p->part_at >= p->fetched_end) rc = fetch(p, p->part_at);
    while (rc == TWX_OK && p->fetched_at < p->fetched.n && p->fetched.at[p->fetched_at].doc < doc)
        p->fetched_at++;
    if (rc == TWX_OK && p->fetched_at < p->fetched.n && p->fetched.at[p->fetched_at].doc == doc)
        *ret_row = &p->fetched.at[p->fetched_at];
    return rc;
}

/* The signatures that flags show: the first keys of their detectors. */
static twx_rc set_signatures(const twx_pulled_rows *p, twx_slice bytes, twx_flag_row *row) {
    const twx_judge_options *o = &p->store->plan.options;
    twx_record record;
    const twx_rc rc = twx_record_read(p->store->job->cx, bytes, &record);
    for (size_t r = 0; rc == TWX_OK && r < TWX_RELATIONS; r++) {
        if (!o->detectors[r] || twx_relation_at(r)->sig < 0) continue;
        const twx_record_entry *entry = twx_record_find(&record, o->detectors[r]->id);
        if (entry && entry->n_keys > 0)
            twx_flag_set(row, (twx_flag_column)twx_relation_at(r)->sig,
                         (int64_t)twx_record_key(entry, 0).key);
    }
    return rc;
}

/* Relations between forms of one URL. */
static const struct {
    twx_relation_id relation;
    twx_flag_column unique;
    unsigned bit;
} FORMS[] = {{TWX_RELATION_SCHEME, TWX_FLAG_http_unique, TWX_FORM_SCHEME},
             {TWX_RELATION_WWW, TWX_FLAG_www_unique, TWX_FORM_WWW}};

/* The form of a representative. false: it is gone, then this document has changed, or will. */
static twx_rc find_form(twx_pulled_rows *p, int64_t doc, unsigned *ret_form, bool *ret_found) {
    twx_stored stored;
    twx_facts facts;
    *ret_found = true;
    if (twx_is_remote(doc)) {
        const twx_remote_entry *e = twx_remote_list_of_number(p->home.remotes, doc);
        *ret_found = e != NULL;
        if (e) *ret_form = e->form;
        return TWX_OK;
    }
    twx_rc rc = twx_signatures_get(p->store->o.signatures, doc, &stored);
    *ret_found = rc == TWX_OK;
    if (rc == TWX_DONE) return TWX_OK;
    if (rc == TWX_OK) rc = twx_facts_unpack(p->store->job->cx, stored.facts, &facts);
    if (rc == TWX_OK) *ret_form = twx_form_of(facts.bits, &p->store->plan.options.preference);
    return rc;
}

/* A URL is unique when it has the form of the representative (judge.c). */
static twx_rc set_forms(twx_pulled_rows *p, unsigned own, twx_flag_row *row) {
    twx_rc rc = TWX_OK;
    for (size_t f = 0; rc == TWX_OK && f < TWX_COUNTOF(FORMS); f++) {
        const twx_flag_column rep = twx_relation_at(FORMS[f].relation)->rep;
        unsigned form = 0;
        bool found = false;
        if (!p->store->plan.options.detectors[FORMS[f].relation]) continue;
        if (twx_flag_known(row, rep)) rc = find_form(p, row->v[rep], &form, &found);
        twx_flag_set(row, FORMS[f].unique, !found || !((own ^ form) & FORMS[f].bit));
    }
    return rc;
}

/* Flags that every document has if such groups are looked for: it is alone unless it is in one. */
static void set_likeness(const twx_pulled_rows *p, twx_flag_row *row) {
    const twx_judge_options *o = &p->store->plan.options;
    const bool near = o->detectors[TWX_RELATION_NEAR] != NULL;
    const struct {
        twx_flag_column column;
        int64_t alone;
        bool is_set;
    } COUNTS[] = {{TWX_FLAG_near_count, 1, near},
                  {TWX_FLAG_copy_count, 1, near || o->names.own},
                  {TWX_FLAG_sibling_count, 0, near},
                  {TWX_FLAG_parameters_count, 1, o->parameters != NULL}};
    for (size_t i = 0; i < TWX_COUNTOF(COUNTS); i++)
        if (COUNTS[i].is_set && !twx_flag_known(row, COUNTS[i].column))
            twx_flag_set(row, COUNTS[i].column, COUNTS[i].alone);
}

static twx_rc compose(twx_pulled_rows *p, const twx_flag_row *judged, twx_flag_row *ret_row) {
    twx_signatures *s = p->store->o.signatures;
    twx_flag_row row = {.doc = judged->doc};
    twx_stored stored;
    twx_facts facts;
    twx_flag_text_copy(judged, &row);
    twx_rc rc = twx_signatures_get(s, row.doc, &stored);
    if (rc == TWX_DONE)
        rc = twx_fail(p->store->job->cx, TWX_E_BUSY, "%s: signatures are deleted by others",
                      p->store->job->store);
    if (rc == TWX_OK) rc = twx_facts_unpack(p->store->job->cx, stored.facts, &facts);
    if (rc == TWX_OK && facts.page & TWX_PAGE_CLASS)
        twx_flag_set(&row, TWX_FLAG_page_class, facts.page & TWX_PAGE_CLASS);
    if (rc == TWX_OK) rc = set_signatures(p, stored.record, &row);
    if (rc == TWX_OK && row.v[TWX_FLAG_eligibility] == 0) {
        set_likeness(p, &row);
        rc = set_forms(p, twx_form_of(facts.bits, &p->store->plan.options.preference), &row);
    }
    twx_signatures_release(s);
    if (rc == TWX_OK) *ret_row = row;
    return rc;
}

/* The next document of the store; no statement stays open. */
static twx_rc next_doc(twx_pulled_rows *p, int64_t *ret_doc) {
    twx_rc rc = TWX_OK;
    if (p->doc_at == p->docs_n && !p->docs_end) {
        const int64_t after = p->docs_n ? p->docs[p->docs_n - 1] : INT64_MIN;
        rc = twx_signatures_docs(p->store->o.signatures, after, p->docs, DOCS_AT_ONCE, &p->docs_n);
        p->doc_at = 0;
        p->docs_end = p->docs_n < DOCS_AT_ONCE;
    }
    if (rc != TWX_OK) return rc;
    if (p->doc_at == p->docs_n) return TWX_DONE;
    *ret_doc = p->docs[p->doc_at++];
    return TWX_OK;
}

TWX_ORDER_0(by_number, int64_t)

/* [R3] */
static bool has_changed(const twx_pulled_rows *p, int64_t doc) {
    return p->changed->n &&
           bsearch(&doc, p->changed->at, p->changed->n, sizeof doc, by_number) != NULL;
}

/* The next document with flags. */
static twx_rc next_judged(twx_pulled_rows *p, const twx_flag_row **ret_judged) {
    int64_t doc = 0;
    twx_rc rc = TWX_OK;
    do {
        *ret_judged = NULL;
        rc = next_doc(p, &doc);
        if (rc == TWX_OK && !has_changed(p, doc)) rc = find_judged(p, doc, ret_judged);
    } while (rc == TWX_OK && !*ret_judged);
    return rc;
}

static twx_rc next_row(void *arg, twx_flag_row *ret_row, uint32_t *ret_index) {
    twx_pulled_rows *p = arg;
    const twx_flag_row *judged = NULL;
    twx_rc rc = next_judged(p, &judged);
    if (rc == TWX_OK) rc = compose(p, judged, ret_row);
    if (rc != TWX_OK) return rc;
    p->documents++;
    p->whole.documents += ret_row->v[TWX_FLAG_eligibility] == 0;
    *ret_index = 0;
    return TWX_OK;
}

static twx_rc rewind_rows(void *arg) {
    twx_pulled_rows *p = arg;
    twx_flags_cursor_done(&p->stored);
    p->doc_at = p->docs_n = p->part_at = p->fetched_end = p->fetched_at = p->fetched.n = 0;
    p->docs_end = false;
    p->documents = p->whole.documents = 0;
    return twx_flags_cursor_init(p->store->job->cx, p->store->o.generations, p->generation,
                                 &p->stored);
}

twx_flag_rows twx_pulled_rows_of(twx_pulled_rows *p) {
    return (twx_flag_rows){p, rewind_rows, next_row, NULL};
}
