#include "inspect/internal.h"

/* ==== page_suspects */

/* Suspects for the report page: hosts with pages without content (docs/page-classes.md), and titles
 * that many shown documents have. The editions of each host are read with them. */

enum { EXCERPT_BYTES = 1 << 10, HTTP_OK = 200 };

/* What a host answers with pages of a class; `of` is without what `describe` reads. */
typedef struct host_class {
    twx_page_suspect of;
    twx_set_document first;
} host_class;

typedef struct suspicion {
    const twx_listed_reading *reading;
    twx_flags_cursor flags, before; /* before: of the earlier result, if there is one */
    bool has_before;
    uint32_t reading_of;  /* the store whose documents are read */
    twx_map64 index;      /* host and class -> place in `found` */
    twx_map64 edition_at; /* host, place and value -> place in p->editions */
    twx_report_page *p;
    TWX_VEC(host_class) found;
} suspicion;

/* ---- pages without content ------------------------------------------------ */

/* The place of an edition in a URL as lines of the pins name it, in *ret_place, and the host.
 * false: its text is not in the URL, which has `latest`, for example. */
static bool find_place(const char *value, twx_slice url, twx_slice *ret_host,
                       twx_slice *ret_place) {
    const size_t n = strlen(value), start = twx_slice_find(url, ':', 0) + strlen("://");
    const size_t slash = twx_slice_find(url, '/', start);
    for (size_t at = start; at + n <= url.n; at++) {
        const char before = url.p[at - 1], after = at + n < url.n ? url.p[at + n] : '/';
        if (!twx_slice_eq_nocase(twx_slice_sub(url, at, at + n), twx_slice_of(value)) ||
            twx_is_digit((unsigned char)before) || !strchr("/.?&", after))
            continue;
        const bool label = at == start;
        *ret_host = twx_slice_sub(url, label ? at + n + 1 : start, slash);
        *ret_place = label ? TWX_SLICE_LIT("") : twx_slice_sub(url, slash, at);
        return label || at > slash;
    }
    return false;
}

static twx_rc take_edition(suspicion *s, const twx_flag_row *row, twx_slice url) {
    const twx_listed_reading *r = s->reading;
    char text[TWX_EDITION_NUMBER_TEXT];
    twx_page_edition fresh = {.value = row->v[TWX_FLAG_edition_value]};
    uint64_t at = s->p->editions.n;
    if (!twx_flag_known(row, TWX_FLAG_edition_value)) return TWX_OK;
    twx_edition_text(fresh.value, text);
    if (!find_place(text, url, &fresh.host, &fresh.place)) return TWX_OK;
    const uint64_t key = twx_hash64(fresh.place, twx_hash64(fresh.host, (uint64_t)fresh.value));
    twx_rc rc = twx_map64_add(r->job->cx, &s->edition_at, key, at, &at);
    if (rc == TWX_OK && at == s->p->editions.n) {
        rc = twx_arena_copy(r->job->cx, r->arena, fresh.host, &fresh.host);
        if (rc == TWX_OK) rc = twx_arena_copy(r->job->cx, r->arena, fresh.place, &fresh.place);
        if (rc == TWX_OK && !TWX_VEC_PUSH(r->job->cx, &s->p->editions, fresh)) rc = TWX_E_NOMEM;
    }
    if (rc != TWX_OK) return rc;
    twx_page_edition *e = &s->p->editions.at[at];
    e->documents++;
    e->steps += (uint64_t)row->v[TWX_FLAG_edition_steps];
    e->newest += row->v[TWX_FLAG_edition_steps] == 0;
    return TWX_OK;
}

/* The oldest first: the one whose documents are on average most steps older than the newest. */
static int by_place(const void *left, const void *right) {
    const twx_page_edition *a = left, *b = right;
    const int host = twx_slice_cmp(a->host, b->host),
              place = host ? host : twx_slice_cmp(a->place, b->place);
    const uint64_t x = a->steps * b->documents, y = b->steps * a->documents;
    return place    ? place
           : x != y ? (x > y ? -1 : 1)
                    : (a->value > b->value) - (a->value < b->value);
}

/* Documents with an error status are left out: their class is no surprise. */
static twx_rc take_document(void *arg, const twx_stored *stored) {
    suspicion *s = arg;
    const twx_listed_reading *r = s->reading;
    const twx_set_document document = {stored->doc, s->reading_of};
    twx_ctx *cx = r->job->cx;
    twx_facts facts;
    const twx_flag_row *row = NULL, *was = NULL;
    uint64_t at = s->found.n;
    twx_rc rc = twx_facts_unpack(cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&s->flags, stored->doc, &row);
    if (rc == TWX_OK && row) rc = take_edition(s, row, facts.url);
    if (rc == TWX_OK && s->has_before) rc = twx_flags_cursor_of(&s->before, stored->doc, &was);
    if (rc != TWX_OK || !row) return rc;
    const int64_t class = row->v[TWX_FLAG_page_class];
    if (!twx_is_no_page(class) || (facts.status != TWX_STATUS_NONE && facts.status != HTTP_OK))
        return TWX_OK;
    rc = twx_map64_add(cx, &s->index, twx_hash64(facts.host, (uint64_t) class), at, &at);
    if (rc == TWX_OK && at == s->found.n) {
        host_class fresh = {.of.class = (uint8_t) class, .first = document};
        rc = twx_arena_copy(cx, r->arena, facts.host, &fresh.of.host);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &s->found, fresh)) rc = TWX_E_NOMEM;
    }
    if (rc != TWX_OK) return rc;
    host_class *h = &s->found.at[at];
    h->of.documents++;
    h->of.fresh += s->has_before && !(was && twx_is_no_page(was->v[TWX_FLAG_page_class]));
    if (document.doc < h->first.doc ||
        (document.doc == h->first.doc && document.store < h->first.store))
        h->first = document;
    return TWX_OK;
}

static int by_name(const host_class *a, const host_class *b) {
    const int host = twx_slice_cmp(a->of.host, b->of.host);
    return host ? host : a->of.class - b->of.class;
}

TWX_ORDER(by_documents, host_class, TWX_DOWN_THEN(of.documents, by_name(a, b)))

static twx_rc describe(const suspicion *s, twx_set_document document, twx_page_suspect *suspect) {
    const twx_listed_reading *r = s->reading;
    twx_value id;
    twx_rc rc = twx_id_of(&r->set->at[document.store].o, document.doc, &id);
    if (rc == TWX_DONE) return TWX_OK;
    if (rc == TWX_OK)
        rc = twx_page_document_read(r, document.store, &id, &suspect->examples[0], EXCERPT_BYTES,
                                    &suspect->excerpt);
    return rc;
}

static size_t listed(const twx_report_page *p, size_t n) {
    return p->suspects_most && p->suspects_most < n ? p->suspects_most : n;
}

static twx_rc list_no_pages(suspicion *s, twx_report_page *p) {
    twx_rc rc = TWX_OK;
    p->no_pages_n = s->found.n;
    if (s->found.n) qsort(s->found.at, s->found.n, sizeof *s->found.at, by_documents);
    for (size_t i = 0; i < s->found.n; i++) p->no_pages_fresh += s->found.at[i].of.fresh;
    for (size_t i = 0; rc == TWX_OK && i < listed(p, s->found.n); i++) {
        host_class *h = &s->found.at[i];
        rc = describe(s, h->first, &h->of);
        if (rc == TWX_OK && !TWX_VEC_PUSH(s->reading->job->cx, &p->no_pages, h->of))
            rc = TWX_E_NOMEM;
    }
    return rc;
}

/* Editions, and pages without content: both are seen in one pass over the signatures. */
static twx_rc no_pages(const twx_listed_reading *r, bool list, twx_report_page *p) {
    suspicion s = {.reading = r, .p = p, .has_before = p->has_diff};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < r->set->n; i++) {
        const twx_set_store *m = &r->set->at[i];
        s.reading_of = (uint32_t)i;
        rc = twx_flags_cursor_init(r->job->cx, m->o.generations, m->state.generation, &s.flags);
        if (rc == TWX_OK && s.has_before)
            rc = twx_flags_cursor_init(r->job->cx, m->o.generations,
                                       twx_other_generation(m->state.generation), &s.before);
        if (rc == TWX_OK) rc = twx_set_signatures_each(m, take_document, &s);
        twx_flags_cursor_done(&s.flags);
        twx_flags_cursor_done(&s.before);
    }
    if (rc == TWX_OK && list) rc = list_no_pages(&s, p);
    if (p->editions.n) qsort(p->editions.at, p->editions.n, sizeof *p->editions.at, by_place);
    twx_map64_done(&s.index);
    twx_map64_done(&s.edition_at);
    TWX_VEC_DONE(&s.found);
    return rc;
}

/* ---- one title on many documents ------------------------------------------------ */

/* A title's first and last document. */
typedef struct title {
    int64_t signature;
    uint64_t documents;
    twx_value id[2];
    uint32_t store[2];
} title;

typedef struct titles {
    const twx_listed_reading *reading;
    title now; /* of the rows being read */
    twx_buf ids[2];
    TWX_VEC(title) all;
} titles;

/* Stores can have the same ids. */
static int by_first(const title *a, const title *b) {
    const int first = twx_value_compare(&a->id[0], &b->id[0]);
    return first ? first : (a->signature > b->signature) - (a->signature < b->signature);
}

TWX_ORDER(by_shown, title, TWX_DOWN_THEN(documents, by_first(a, b)))

/* Puts the title that has been read completely into the list. */
static twx_rc end_title(titles *t) {
    const twx_listed_reading *r = t->reading;
    twx_rc rc = TWX_OK;
    if (t->now.documents < TWX_PAGE_TITLES_LEAST) return TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < 2; i++)
        rc = twx_arena_copy(r->job->cx, r->arena, t->now.id[i].bytes, &t->now.id[i].bytes);
    return rc == TWX_OK && !TWX_VEC_PUSH(r->job->cx, &t->all, t->now) ? TWX_E_NOMEM : rc;
}

static twx_rc keep_id(titles *t, size_t which, uint32_t store, const twx_value *id) {
    twx_buf *bytes = &t->ids[which];
    t->now.id[which] = *id;
    t->now.store[which] = store;
    twx_buf_clear(bytes);
    if (!id->bytes.p) return TWX_OK;
    const twx_rc rc = twx_buf_add_slice(t->reading->job->cx, bytes, id->bytes);
    t->now.id[which].bytes = twx_buf_slice(bytes);
    return rc;
}

/* The rows of all stores come in order of the signature. */
static twx_rc take_title(void *arg, uint32_t store, const twx_value *columns) {
    titles *t = arg;
    const bool first = t->now.documents == 0 || t->now.signature != columns[0].i;
    twx_rc rc = TWX_OK;
    if (first) {
        rc = end_title(t);
        t->now = (title){.signature = columns[0].i};
    }
    t->now.documents += (uint64_t)columns[1].i;
    if (rc == TWX_OK && (first || twx_value_compare(&columns[2], &t->now.id[0]) < 0))
        rc = keep_id(t, 0, store, &columns[2]);
    if (rc == TWX_OK && (first || twx_value_compare(&columns[3], &t->now.id[1]) >= 0))
        rc = keep_id(t, 1, store, &columns[3]);
    return rc;
}

static twx_rc same_titles(const twx_listed_reading *r, twx_report_page *p) {
    static const int BY_SIGNATURE[] = {1, 0};
    titles t = {.reading = r, .ids = {{.max = SIZE_MAX / 4}, {.max = SIZE_MAX / 4}}};
    const twx_value least = twx_int(r->set->n > 1 ? 1 : TWX_PAGE_TITLES_LEAST);
    const twx_set_query question = {{twx_display_titles, &least, 1}, false, BY_SIGNATURE};
    twx_rc rc = twx_store_set_display(r->set, &question, take_title, &t);
    if (rc == TWX_OK) rc = end_title(&t);
    p->same_title_n = t.all.n;
    if (t.all.n) qsort(t.all.at, t.all.n, sizeof *t.all.at, by_shown);
    for (size_t i = 0; rc == TWX_OK && i < listed(p, t.all.n); i++) {
        const title *from = &t.all.at[i];
        twx_page_suspect s = {.documents = from->documents};
        for (size_t k = 0; rc == TWX_OK && k < 2; k++)
            rc = twx_page_document_read(r, from->store[k], &from->id[k], &s.examples[k], 0, NULL);
        if (rc == TWX_OK && !TWX_VEC_PUSH(r->job->cx, &p->same_title, s)) rc = TWX_E_NOMEM;
    }
    TWX_VEC_DONE(&t.all);
    for (size_t i = 0; i < 2; i++) twx_buf_done(&t.ids[i]);
    return rc;
}

twx_rc twx_page_suspects_read(const twx_listed_reading *r, unsigned reads, twx_report_page *p) {
    twx_rc rc = TWX_OK;
    if (reads & (TWX_READ_NO_PAGES | TWX_READ_EDITIONS))
        rc = no_pages(r, reads & TWX_READ_NO_PAGES, p);
    return rc == TWX_OK && reads & TWX_READ_TITLES ? same_titles(r, p) : rc;
}

/* ==== host_sections */

void twx_section_hosts(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "report", .options = " --json"};
    twx_markup_raw(h,
                   "<p class=\"filter\" hidden><label for=\"hosts-filter\">Filter by name</label> "
                   "<input id=\"hosts-filter\" type=\"search\" autocomplete=\"off\" "
                   "spellcheck=\"false\"> <output id=\"hosts-count\" for=\"hosts-filter\" "
                   "aria-live=\"polite\"></output></p>\n");
    twx_section_table(h, p, TWINDEX_SHEET_HOSTS, 0, &source);
}

/* ---- mirrors -------------------------------------------------------------------- */

size_t twx_new_mirrors(twx_markup *h, const twx_report_page *p) {
    const twx_mirror_list *now = &p->mirrors, *was = &p->mirrors_before;
    size_t n = 0;
    for (size_t i = 0; i < now->found.rows.n; i++) {
        const twx_slice host = now->hosts.at[now->found.rows.at[i].host],
                        of = now->hosts.at[now->found.rows.at[i].mirror_of];
        bool had = false;
        for (size_t k = 0; !had && k < was->found.rows.n; k++)
            had = twx_slice_eq(host, was->hosts.at[was->found.rows.at[k].host]) &&
                  twx_slice_eq(of, was->hosts.at[was->found.rows.at[k].mirror_of]);
        if (had || (h && n >= TWX_PAGE_CHANGES)) continue;
        n++;
        if (!h) continue;
        twx_markup_raw(h, "<li>");
        twx_markup_host(h, host, 120);
        twx_markup_raw(h, " is a mirror of ");
        twx_markup_host(h, of, 120);
        twx_markup_raw(h, "</li>\n");
    }
    return n;
}

void twx_section_mirrors(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "mirrors"};
    const twx_mirrors *found = &p->mirrors.found;
    twx_markup_put(h,
                   "<p>A host mirrors another when at least %.0f&nbsp;%% of the documents of each "
                   "have a duplicate on the other (<code>mirrors.ratio</code>); hosts with fewer "
                   "than %u documents are left out.</p>\n",
                   (double)p->mirrors.ratio_ppm / 1e4, p->mirrors.min_documents);
    if (twx_section_table(h, p, TWINDEX_SHEET_MIRRORS, 0, &source) == 0)
        twx_markup_put(h, "<p class=\"none\">%u %s compared: no host mirrors another.</p>\n",
                       found->hosts, twx_plural(found->hosts, "host was", "hosts were"));
}
