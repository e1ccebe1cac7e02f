/* The sections about hosts: the table of hosts, and the matrix of mirrors. */
#include <stdio.h>

#include "inspect/report_sections.h"

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
