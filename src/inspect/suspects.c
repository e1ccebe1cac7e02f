#include "inspect/internal.h"

/* ==== page_suspects */

/* Suspects for the report page: texts that stand at many paths, which are often error pages served
 * with status 200 (soft 404s), and titles that many shown documents have. */

enum { PATHS_LEAST = 5, EXCERPT_BYTES = 1 << 10, START_BYTES = 200 };

/* A document of an exact group. */
typedef struct member {
    twx_set_document group; /* its representative */
    uint64_t path, host;
    twx_set_document document;
} member;

typedef struct suspicion {
    const twx_listed_reading *reading;
    twx_flags_cursor flags;
    uint32_t reading_of; /* the store whose documents are read */
    TWX_VEC(member) members;
    TWX_VEC(twx_page_suspect) found;
    TWX_VEC(twx_set_document) groups; /* of found */
} suspicion;

/* ---- one text at many paths -------------------------------------------------- */

/* The path of a URL in normal form, without scheme, host and query. */
static twx_slice path_of(twx_slice url) {
    const size_t scheme = twx_slice_find(url, ':', 0);
    const size_t slash = twx_slice_find(url, '/', scheme + 3);
    return twx_slice_sub(url, slash, twx_slice_find(url, '?', slash));
}

static twx_rc take_document(void *arg, const twx_stored *stored) {
    suspicion *s = arg;
    twx_ctx *cx = s->reading->job->cx;
    twx_facts facts;
    const twx_flag_row *row = NULL;
    twx_rc rc = twx_facts_unpack(cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&s->flags, stored->doc, &row);
    if (rc != TWX_OK || !row || row->v[TWX_FLAG_eligibility] != TWX_ELIGIBLE ||
        !twx_flag_known(row, TWX_FLAG_exact_rep))
        return rc;
    member m = {.path = twx_hash64(path_of(twx_facts_url(stored->facts)), 0),
                .host = twx_hash64(facts.host, 0),
                .document = {stored->doc, s->reading_of}};
    rc = twx_store_set_resolve(s->reading->set, s->reading_of, row->v[TWX_FLAG_exact_rep],
                               &m.group);
    if (rc != TWX_OK) return rc;
    return TWX_VEC_PUSH(cx, &s->members, m) ? TWX_OK : TWX_E_NOMEM;
}

static int compare(twx_set_document a, twx_set_document b) {
    if (a.doc != b.doc) return a.doc < b.doc ? -1 : 1;
    return (a.member > b.member) - (a.member < b.member);
}

static int by_path(const void *a, const void *b) {
    const member *x = a, *y = b;
    const int by_group = compare(x->group, y->group);
    if (by_group) return by_group;
    if (x->path != y->path) return x->path < y->path ? -1 : 1;
    return compare(x->document, y->document);
}

static int by_host(const void *a, const void *b) {
    const member *x = a, *y = b;
    return x->host < y->host ? -1 : x->host > y->host;
}

/* A group of members, which is sorted by path, and then by host. */
static twx_page_suspect measure(member *m, size_t n) {
    twx_page_suspect s = {.documents = n, .paths = 1, .hosts = 1};
    for (size_t i = 1; i < n; i++) s.paths += m[i].path != m[i - 1].path;
    qsort(m, n, sizeof *m, by_host);
    for (size_t i = 1; i < n; i++) s.hosts += m[i].host != m[i - 1].host;
    return s;
}

static twx_rc find_texts(suspicion *s) {
    twx_ctx *cx = s->reading->job->cx;
    member *m = s->members.at;
    if (s->members.n) qsort(m, s->members.n, sizeof *m, by_path);
    for (size_t from = 0, to = 0; from < s->members.n; from = to) {
        const twx_set_document group = m[from].group;
        for (to = from; to < s->members.n && compare(m[to].group, group) == 0; to++) {
        }
        const twx_page_suspect found = measure(m + from, to - from);
        if (found.paths < PATHS_LEAST) continue;
        if (!TWX_VEC_PUSH(cx, &s->found, found) || !TWX_VEC_PUSH(cx, &s->groups, group))
            return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* The index of the suspect with most paths that is not taken yet; paths 0: it is taken. */
static size_t next_suspect(const suspicion *s) {
    size_t best = 0;
    for (size_t i = 1; i < s->found.n; i++)
        if (s->found.at[i].paths > s->found.at[best].paths) best = i;
    return best;
}

static bool is_word_byte(unsigned char c) {
    return c >= 0x80 || twx_is_alpha(c) || twx_is_digit(c);
}

/* Whether a title or text begins like an error page, in the languages of most error pages: one of
 * the words begins in it, as a word ("terror" is none). */
static bool is_error_start(twx_slice text) {
    static const char *const WORDS[] = {
        "404",           "not found",   "page not found", "error",          "forbidden",
        "access denied", "bad request", "server error",   "nicht gefunden", "introuvable",
        "no encontrada", "non trovata", "unavailable",    "log in",         "sign in"};
    const twx_slice start = twx_slice_sub(text, 0, START_BYTES);
    for (size_t w = 0; w < TWX_COUNTOF(WORDS); w++) {
        const twx_slice word = twx_slice_of(WORDS[w]);
        for (size_t i = 0; i + word.n <= start.n; i++)
            if ((i == 0 || !is_word_byte((unsigned char)start.p[i - 1])) &&
                twx_slice_starts_nocase(twx_slice_sub(start, i, start.n), word))
                return true;
    }
    return false;
}

/* Reads the representative and one more document of the group. */
static twx_rc describe(suspicion *s, twx_set_document group, twx_page_suspect *suspect) {
    const twx_listed_reading *r = s->reading;
    twx_slice text = {NULL, 0};
    twx_value id;
    twx_set_document other = group;
    for (size_t i = 0; i < s->members.n && compare(other, group) == 0; i++)
        if (compare(s->members.at[i].group, group) == 0) other = s->members.at[i].document;
    const twx_set_document docs[] = {group, other};
    for (size_t i = 0; i < TWX_COUNTOF(docs) && (i == 0 || compare(other, group) != 0); i++) {
        if (docs[i].member == TWX_SET_OUTSIDE) continue;
        twx_rc rc = twx_id_of(&r->set->at[docs[i].member].o, docs[i].doc, &id);
        if (rc == TWX_DONE) continue;
        if (rc == TWX_OK)
            rc = twx_page_document_read(r, docs[i].member, &id,
                                        &suspect->examples[suspect->examples_n],
                                        i == 0 ? &text : NULL);
        if (rc != TWX_OK) return rc;
        suspect->examples_n++;
    }
    suspect->excerpt = twx_slice_sub(text, 0, EXCERPT_BYTES);
    suspect->says_so = is_error_start(suspect->examples[0].title) || is_error_start(text);
    return TWX_OK;
}

static twx_rc list_texts(suspicion *s, twx_report_page *p) {
    twx_rc rc = TWX_OK;
    p->same_text_n = s->found.n;
    for (size_t i = 0; rc == TWX_OK && i < TWX_PAGE_SUSPECTS && i < s->found.n; i++) {
        const size_t at = next_suspect(s);
        twx_page_suspect suspect = s->found.at[at];
        s->found.at[at].paths = 0;
        rc = describe(s, s->groups.at[at], &suspect);
        if (rc == TWX_OK && !TWX_VEC_PUSH(s->reading->job->cx, &p->same_text, suspect))
            rc = TWX_E_NOMEM;
    }
    return rc;
}

static twx_rc same_texts(const twx_listed_reading *r, twx_report_page *p) {
    suspicion s = {.reading = r};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < r->set->n; i++) {
        const twx_set_member *m = &r->set->at[i];
        s.reading_of = (uint32_t)i;
        rc = twx_flags_cursor_init(r->job->cx, m->o.generations, m->state.generation, &s.flags);
        if (rc == TWX_OK) rc = twx_signatures_each(m->o.signatures, true, take_document, &s);
        twx_flags_cursor_done(&s.flags);
    }
    if (rc == TWX_OK) rc = find_texts(&s);
    if (rc == TWX_OK) rc = list_texts(&s, p);
    TWX_VEC_DONE(&s.members);
    TWX_VEC_DONE(&s.found);
    TWX_VEC_DONE(&s.groups);
    return rc;
}

/* ---- one title on many documents ------------------------------------------------ */

/* A title's first and last document. */
typedef struct title {
    int64_t signature;
    uint64_t documents;
    twx_value id[2];
    uint32_t member[2];
} title;

typedef struct titles {
    const twx_listed_reading *reading;
    title now; /* of the rows being read */
    twx_buf ids[2];
    title most[TWX_PAGE_SUSPECTS]; /* those of most documents, in order */
    size_t n;
} titles;

static bool is_before(const title *a, const title *b) {
    if (a->documents != b->documents) return a->documents > b->documents;
    return twx_value_compare(&a->id[0], &b->id[0]) < 0;
}

/* Puts the title that has been read completely into the list. */
static twx_rc end_title(titles *t) {
    const twx_listed_reading *r = t->reading;
    size_t at = t->n;
    twx_rc rc = TWX_OK;
    if (t->now.documents < TWX_PAGE_TITLES_LEAST) return TWX_OK;
    while (at > 0 && is_before(&t->now, &t->most[at - 1])) at--;
    if (at == TWX_PAGE_SUSPECTS) return TWX_OK;
    const size_t kept = t->n < TWX_PAGE_SUSPECTS ? t->n : TWX_PAGE_SUSPECTS - 1;
    memmove(&t->most[at + 1], &t->most[at], (kept - at) * sizeof *t->most);
    t->most[at] = t->now;
    t->n = kept + 1;
    for (size_t i = 0; rc == TWX_OK && i < 2; i++)
        rc = twx_arena_copy(r->job->cx, r->arena, t->now.id[i].bytes, &t->most[at].id[i].bytes);
    return rc;
}

static twx_rc keep_id(titles *t, size_t which, uint32_t store, const twx_value *id) {
    twx_buf *bytes = &t->ids[which];
    t->now.id[which] = *id;
    t->now.member[which] = store;
    twx_buf_clear(bytes);
    if (!id->bytes.p) return TWX_OK;
    const twx_rc rc = twx_buf_add_slice(t->reading->job->cx, bytes, id->bytes);
    t->now.id[which].bytes = twx_buf_slice(bytes);
    return rc;
}

/* The rows of all stores come in order of the signature. */
static twx_rc take_title(void *arg, uint32_t store, const twx_value *columns, size_t n) {
    titles *t = arg;
    const bool first = t->now.documents == 0 || t->now.signature != columns[0].i;
    twx_rc rc = TWX_OK;
    (void)n;
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

static twx_rc list_title(const twx_listed_reading *r, const title *from, twx_report_page *p) {
    twx_page_suspect s = {.documents = from->documents};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < 2; i++, s.examples_n++)
        rc = twx_page_document_read(r, from->member[i], &from->id[i], &s.examples[i], NULL);
    return rc == TWX_OK && !TWX_VEC_PUSH(r->job->cx, &p->same_title, s) ? TWX_E_NOMEM : rc;
}

static twx_rc same_titles(const twx_listed_reading *r, twx_report_page *p) {
    static const int BY_SIGNATURE[] = {1, 0};
    titles t = {.reading = r};
    for (size_t i = 0; i < 2; i++) twx_buf_init(&t.ids[i], SIZE_MAX / 4);
    const twx_value least = {.type = TWX_INT, .i = r->set->n > 1 ? 1 : TWX_PAGE_TITLES_LEAST};
    const twx_set_query question = {
        {.sql = twx_display_titles, .values = &least, .n_values = 1}, false, BY_SIGNATURE};
    twx_rc rc = twx_store_set_display(r->set, &question, take_title, &t);
    if (rc == TWX_OK) rc = end_title(&t);
    for (size_t i = 0; rc == TWX_OK && i < t.n; i++) rc = list_title(r, &t.most[i], p);
    for (size_t i = 0; i < 2; i++) twx_buf_done(&t.ids[i]);
    p->titles_sql = question.display.sql;
    return rc;
}

twx_rc twx_page_suspects_read(const twx_listed_reading *r, twx_report_page *p) {
    twx_rc rc = same_texts(r, p);
    return rc == TWX_OK ? same_titles(r, p) : rc;
}

/* ==== host_sections */

/* The sections about hosts: the table of hosts, and the matrix of mirrors. */

/* A name of a host, which may be broken after a dot. */
static void host_text(twx_markup *h, twx_slice name, size_t most) {
    for (size_t from = 0; from < name.n && from < most;) {
        size_t dot = twx_slice_find(name, '.', from);
        if (dot + 1 >= name.n || dot >= most) dot = name.n;
        twx_markup_excerpt(h, twx_slice_sub(name, from, dot), most - from);
        if (dot < name.n) twx_markup_raw(h, ".<wbr>");
        from = dot + 1;
    }
}

/* ---- hosts -------------------------------------------------------------------- */

static void sorted_number(twx_markup *h, uint64_t n) {
    twx_markup_put(h, "<td class=\"n\" data-v=\"%llu\">", (unsigned long long)n);
    twx_markup_number(h, n);
    twx_markup_raw(h, "</td>");
}

/* The share as a bar and as a number. */
static void share_cell(twx_markup *h, const twx_host_figures *f) {
    enum { FULL = 100 };
    const double share = f->indexable ? (double)f->hidden / (double)f->indexable : 0;
    twx_markup_put(h,
                   "<td class=\"share\" data-v=\"%.6f\"><svg class=\"bar\" viewBox=\"0 0 100 10\" "
                   "width=\"100\" height=\"10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                   "<rect class=\"bg\" width=\"100\" height=\"10\"/><rect class=\"fg\" "
                   "width=\"%.1f\" height=\"10\"/></svg> ",
                   f->indexable ? share : -1.0, share * FULL);
    twx_markup_raw(h, "<span>");
    twx_markup_share(h, f->hidden, f->indexable);
    twx_markup_raw(h, "</span></td>");
}

static void host_row(twx_markup *h, const twx_host_figures *f) {
    twx_markup_raw(h, "<tr><th scope=\"row\" class=\"host\">");
    host_text(h, f->name, 120);
    twx_markup_raw(h, "</th>");
    share_cell(h, f);
    sorted_number(h, f->hidden);
    sorted_number(h, f->indexable - f->hidden);
    sorted_number(h, f->indexable);
    sorted_number(h, f->documents);
    twx_markup_raw(h, "</tr>\n");
}

void twx_section_hosts(twx_markup *h, const twx_report_page *p) {
    static const twx_markup_column COLUMNS[] = {{"Host", false},     {"Hidden share", false},
                                                {"Hidden", true},    {"Shown", true},
                                                {"Take part", true}, {"Documents", true}};
    const twx_markup_table t = {.id = "hosts-table",
                                .caption = "Hosts, those with most documents first",
                                .columns = COLUMNS,
                                .n = TWX_COUNTOF(COLUMNS),
                                .sortable = true};
    const twx_markup_source source = {.command = "report", .options = " --json"};
    const size_t n = p->figures.hosts.n, listed = n < TWX_PAGE_HOSTS ? n : TWX_PAGE_HOSTS;
    twx_markup_raw(h,
                   "<p class=\"filter\" hidden><label for=\"hosts-filter\">Filter by name</label> "
                   "<input id=\"hosts-filter\" type=\"search\" autocomplete=\"off\" "
                   "spellcheck=\"false\"> <output id=\"hosts-count\" for=\"hosts-filter\" "
                   "aria-live=\"polite\"></output></p>\n<figure>");
    twx_table_begin(h, &t);
    for (size_t i = 0; i < listed; i++) host_row(h, &p->figures.hosts.at[i]);
    twx_table_end(h);
    if (listed < n) {
        twx_markup_put(h, "<p class=\"cut\">The %d hosts with most documents are listed, of ",
                       TWX_PAGE_HOSTS);
        twx_markup_number(h, n);
        twx_markup_raw(h, "; <code>--csv</code> writes all.</p>\n");
    }
    twx_source_note(h, &p->figures, &source);
    twx_markup_raw(h, "</figure>\n");
}

/* ---- mirrors -------------------------------------------------------------------- */

typedef struct matrix {
    uint32_t columns[TWX_PAGE_MATRIX], rows[TWX_PAGE_MATRIX]; /* numbers of hosts */
    size_t columns_n, rows_n;
} matrix;

/* Adds a host unless it is listed or the list is full. */
static void add_host(uint32_t *hosts, size_t *n, uint32_t host) {
    for (size_t i = 0; i < *n; i++)
        if (hosts[i] == host) return;
    if (*n < TWX_PAGE_MATRIX) hosts[(*n)++] = host;
}

static const twx_mirror *find_mirror(const twx_mirrors *m, uint32_t host, uint32_t of) {
    for (size_t i = 0; i < m->rows.n; i++)
        if (m->rows.at[i].host == host && m->rows.at[i].mirror_of == of) return &m->rows.at[i];
    return NULL;
}

static void host_name(twx_markup *h, const twx_report_page *p, uint32_t host) {
    host_text(h, p->mirrors.hosts.at[host], 60);
}

/* q0 to q4: from the least ratio that counts to 1. */
static void matrix_cell(twx_markup *h, const twx_report_page *p, const twx_mirror *m) {
    enum { WHOLE = 1000000, CLASSES = 5, PERCENT = 10000 };
    if (!m) {
        twx_markup_raw(h, "<td class=\"e\"></td>");
        return;
    }
    const uint32_t least = p->mirrors.ratio_ppm < WHOLE ? p->mirrors.ratio_ppm : 0;
    uint32_t class = m->ratio_ppm > least ? (m->ratio_ppm - least) * CLASSES / (WHOLE - least) : 0;
    if (class >= CLASSES) class = CLASSES - 1;
    twx_markup_put(h, "<td class=\"q q%u\">%u&nbsp;%%%s</td>", class, m->ratio_ppm / PERCENT,
                   m->level == TWX_MIRROR_NEAR ? "<br><small>near</small>" : "");
}

static void write_matrix(twx_markup *h, const twx_report_page *p, const matrix *x) {
    twx_markup_raw(h,
                   "<p class=\"legend\">Which host (row) mirrors which (column), and the share of "
                   "documents they have in common.</p><div class=\"scroll\" role=\"region\" "
                   "tabindex=\"0\" aria-label=\"Matrix of mirrors\"><table class=\"matrix\" "
                   "aria-label=\"Which host (row) mirrors which (column)\"><thead><tr>"
                   "<td></td>");
    for (size_t c = 0; c < x->columns_n; c++) {
        twx_markup_raw(h, "<th scope=\"col\"><span>");
        host_name(h, p, x->columns[c]);
        twx_markup_raw(h, "</span></th>");
    }
    twx_markup_raw(h, "</tr></thead><tbody>\n");
    for (size_t r = 0; r < x->rows_n; r++) {
        twx_markup_raw(h, "<tr><th scope=\"row\" class=\"host\">");
        host_name(h, p, x->rows[r]);
        twx_markup_raw(h, "</th>");
        for (size_t c = 0; c < x->columns_n; c++)
            matrix_cell(h, p, find_mirror(&p->mirrors.found, x->rows[r], x->columns[c]));
        twx_markup_raw(h, "</tr>\n");
    }
    twx_markup_raw(h, "</tbody></table></div>\n");
}

static void mirror_table(twx_markup *h, const twx_report_page *p) {
    static const twx_markup_column COLUMNS[] = {{"Host", false},     {"Mirrors", false},
                                                {"By", false},       {"In common", true},
                                                {"Documents", true}, {"Ratio", true}};
    const twx_markup_table t = {.id = "mirrors-table",
                                .caption = "Hosts that mirror another",
                                .columns = COLUMNS,
                                .n = TWX_COUNTOF(COLUMNS)};
    const twx_mirrors *found = &p->mirrors.found;
    twx_table_begin(h, &t);
    for (size_t i = 0; i < found->rows.n && i < TWX_PAGE_MIRRORS; i++) {
        const twx_mirror *m = &found->rows.at[i];
        twx_markup_raw(h, "<tr><th scope=\"row\" class=\"host\">");
        host_name(h, p, m->host);
        twx_markup_raw(h, "</th><td class=\"host\">");
        host_name(h, p, m->mirror_of);
        twx_markup_put(h, "</td><td>%s</td>",
                       m->level == TWX_MIRROR_EXACT ? "equal texts" : "near-duplicates");
        twx_count_cell(h, m->shared);
        twx_count_cell(h, m->documents);
        twx_markup_put(h, "<td class=\"n\">%.3f</td></tr>\n", (double)m->ratio_ppm / 1e6);
    }
    twx_table_end(h);
    if (found->rows.n > TWX_PAGE_MIRRORS)
        twx_markup_put(h, "<p class=\"cut\">The first %d of %zu are listed.</p>\n",
                       TWX_PAGE_MIRRORS, found->rows.n);
}

void twx_section_mirrors(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "mirrors"};
    const twx_mirrors *found = &p->mirrors.found;
    matrix x = {.columns_n = 0};
    twx_markup_put(h,
                   "<p>A host mirrors another when at least %.0f&nbsp;%% of the documents of each "
                   "have a duplicate on the other (<code>mirrors.ratio</code>); hosts with fewer "
                   "than %u documents are left out.</p>\n<figure>",
                   (double)p->mirrors.ratio_ppm / 1e4, p->mirrors.min_documents);
    for (size_t i = 0; i < found->rows.n; i++) {
        add_host(x.columns, &x.columns_n, found->rows.at[i].mirror_of);
        add_host(x.rows, &x.rows_n, found->rows.at[i].host);
    }
    if (found->rows.n == 0) {
        twx_markup_put(h,
                       "<p class=\"none\">None of the %u hosts that were compared mirrors "
                       "another.</p>\n",
                       found->hosts);
    } else {
        write_matrix(h, p, &x);
        if (x.rows_n == TWX_PAGE_MATRIX || x.columns_n == TWX_PAGE_MATRIX)
            twx_markup_put(h,
                           "<p class=\"cut\">The matrix has room for %d hosts each way; the table "
                           "has more.</p>\n",
                           TWX_PAGE_MATRIX);
        twx_numbers_begin(h, "The numbers");
        mirror_table(h, p);
        twx_numbers_end(h);
    }
    twx_source_note(h, &p->figures, &source);
    twx_markup_raw(h, "</figure>\n");
}
