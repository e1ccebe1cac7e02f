/* The sections with figures: what takes part, relations, histograms, and runs. */

#include "inspect/internal.h"

enum { TWX_PLOT_WIDE = 760, TWX_PLOT_NARROW = 320 };

static const char *const REASON[TWX_ELIGIBILITIES] = {
    [TWX_BAD_URL] = "unusable URL",    [TWX_LOAD_FAILED] = "not loaded",
    [TWX_REDIRECTED] = "redirected",   [TWX_BAD_STATUS] = "HTTP status not 200",
    [TWX_NOINDEX] = "noindex",         [TWX_CANONICALISED] = "canonical link to another",
    [TWX_IS_ERROR] = "error page",     [TWX_IS_CHALLENGE] = "check for robots",
    [TWX_IS_LOGIN] = "page to log in", [TWX_IS_CONSENT] = "question for consent",
};

static void flow_row(twx_markup *h, const char *label, const char *class, uint64_t n,
                     uint64_t all) {
    if (n == 0) return;
    twx_markup_put(h, "<tr><th scope=\"row\"><i class=\"sw %s\"></i>%s</th>", class, label);
    twx_count_cell(h, n);
    twx_share_cell(h, n, all, class);
    twx_markup_raw(h, "</tr>\n");
}

/* The sum of the rows is the number of documents. */
static void flow_table(twx_markup *h, const twx_report_page *p) {
    const twx_markup_table t = {.id = "flow-table",
                                .caption = "What becomes of the documents",
                                .columns = "Documents|#Number|Share"};
    const twx_host_figures *r = &p->figures.all;
    uint64_t judged = 0;
    twx_table_begin(h, &t);
    flow_row(h, "shown, has no duplicate", "alone", r->indexable - r->hidden - p->clusters,
             r->documents);
    flow_row(h, "shown, represents others", "rep", p->clusters, r->documents);
    flow_row(h, "hidden as duplicates", "hid", r->hidden, r->documents);
    for (size_t i = 0; i < TWX_ELIGIBILITIES; i++) {
        const uint64_t n = p->figures.eligibility[i];
        judged += n;
        if (i != TWX_ELIGIBLE) flow_row(h, REASON[i], "out", n, r->documents);
    }
    flow_row(h, "not judged yet", "new", r->documents - judged, r->documents);
    twx_markup_raw(h, "<tr class=\"sum\"><th scope=\"row\">all documents</th>");
    twx_count_cell(h, r->documents);
    twx_markup_raw(h, "<td></td></tr>\n");
    twx_table_end(h);
}

static void link_table(twx_markup *h, const twx_store_report *r) {
    const twx_markup_table t = {.caption = "Links to other documents",
                                .columns = "Redirect or canonical link|#Documents"};
    twx_table_begin(h, &t);
    for (size_t i = 0; i < TWX_LINK_STATES; i++) {
        if (!r->links[i]) continue;
        twx_markup_put(h, "<tr><th scope=\"row\">%s</th>", twx_link_state_text(i));
        twx_count_cell(h, r->links[i]);
        twx_markup_raw(h, "</tr>\n");
    }
    twx_table_end(h);
}

void twx_section_flow(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "report", .options = " --json"};
    if (p->figures.all.documents == 0) {
        twx_markup_raw(h, "<p class=\"none\">The store has no documents yet.</p>\n");
        return;
    }
    twx_markup_raw(h,
                   "<p>A document takes part unless its URL is unusable, it failed to load, or it "
                   "says itself that it should not be indexed. Of those that take part, one of "
                   "each cluster of duplicates stays visible.</p>\n<figure>");
    flow_table(h, p);
    twx_source_note(h, &p->figures, &source);
    twx_markup_raw(h, "</figure>\n");
    twx_numbers_begin(h, "Redirects and canonical links");
    link_table(h, &p->figures);
    twx_numbers_end(h);
}

static const char *what_of(twx_slice name) {
    const twx_relation_id id = twx_relation_find(name);
    return id == TWX_RELATIONS ? "the clusters: relations that count, taken together"
                               : twx_relation_at(id)->what;
}

void twx_section_relations(twx_markup *h, const twx_report_page *p) {
    const twx_markup_table t = {
        .id = "relations-table",
        .caption = "Groups by relation",
        .columns = "Relation|Members share|#Groups|#Copies|#Largest group|Of those that take part",
        .sortable = true};
    const twx_markup_source source = {.command = "report", .sql = p->totals_sql};
    if (p->figures.relations.n == 0) {
        twx_markup_raw(h, TWX_NO_CLUSTERS);
        return;
    }
    twx_markup_raw(h,
                   "<p>Each relation finds groups on its own; a <em>copy</em> is a document that "
                   "another one of its group represents. <em>verdict</em> is what hides "
                   "documents.</p>\n<figure>");
    twx_table_begin(h, &t);
    for (size_t i = 0; i < p->figures.relations.n; i++) {
        const twx_relation_figures *f = &p->figures.relations.at[i];
        twx_markup_raw(h, "<tr><th scope=\"row\">");
        twx_markup_excerpt(h, f->name, 40);
        twx_markup_put(h, "</th><td>%s</td>", what_of(f->name));
        twx_count_cell(h, (uint64_t)f->groups);
        twx_count_cell(h, (uint64_t)f->copies);
        twx_count_cell(h, (uint64_t)f->largest);
        twx_share_cell(h, f->copies < 0 ? 0 : (uint64_t)f->copies, p->figures.all.indexable,
                       twx_relation_find(f->name) == TWX_RELATIONS ? "hid" : "rep");
        twx_markup_raw(h, "</tr>\n");
    }
    twx_table_end(h);
    twx_source_note(h, &p->figures, &source);
    twx_markup_raw(h, "</figure>\n");
}

enum { BINS_MAX = 64, LABEL_BYTES = 24 };

typedef struct histogram {
    size_t n;
    char labels[BINS_MAX][LABEL_BYTES];
    twx_plot_bar bars[BINS_MAX];
} histogram;

/* Group sizes: 2, 3-4, 5-8, ...: each class reaches to a power of two. */
static size_t class_of(int64_t size) {
    size_t i = 0;
    while (i < BINS_MAX - 2 && size > (int64_t)2 << i) i++;
    return i;
}

static void size_histogram(const twx_page_counts *counts, histogram *ret_histogram) {
    *ret_histogram = (histogram){0};
    for (size_t i = 0; i < counts->n; i++) {
        const size_t bin = class_of(counts->at[i].value);
        if (bin + 1 > ret_histogram->n) ret_histogram->n = bin + 1;
        ret_histogram->bars[bin].value += (uint64_t)counts->at[i].n;
    }
    for (size_t i = 0; i < ret_histogram->n; i++) {
        const unsigned long long to = 2ULL << i, from = (1ULL << i) + 1;
        if (i == 0)
            snprintf(ret_histogram->labels[i], LABEL_BYTES, "2");
        else
            snprintf(ret_histogram->labels[i], LABEL_BYTES, "%llu\xE2\x80\x93%llu", from, to);
        ret_histogram->bars[i].label = ret_histogram->labels[i];
    }
}

/* Percent by percent, from the least that occurs, or from below the threshold. */
static void similarity_histogram(const twx_report_page *p, histogram *ret_histogram) {
    enum { WHOLE = 100, BELOW = 2 };
    const twx_page_counts *counts = &p->similarities;
    *ret_histogram = (histogram){0};
    if (counts->n == 0) return;
    int64_t least = (int64_t)p->threshold_ppm / 10000 - BELOW;
    if (!p->threshold_ppm || counts->at[0].value < least) least = counts->at[0].value;
    if (least < WHOLE - BINS_MAX + 2) least = WHOLE - BINS_MAX + 2;
    if (least > WHOLE) least = WHOLE;
    ret_histogram->n = (size_t)(WHOLE - least) + 1;
    for (size_t i = 0; i < counts->n; i++) {
        const int64_t v = counts->at[i].value;
        const size_t bin = v < least ? 0 : v > WHOLE ? ret_histogram->n - 1 : (size_t)(v - least);
        ret_histogram->bars[bin].value += (uint64_t)counts->at[i].n;
    }
    for (size_t i = 0; i < ret_histogram->n; i++) {
        snprintf(ret_histogram->labels[i], LABEL_BYTES, "%d", (int)least + (int)i);
        ret_histogram->bars[i].label = ret_histogram->labels[i];
    }
}

/* What distinguishes the two histograms. */
typedef struct histogram_text {
    twx_plot plot;
    const char *ids[2], *table, *lead, *columns;
    size_t left_out; /* of the last columns: only in the table */
    twx_markup_source source;
} histogram_text;

static void write_histogram(twx_markup *h, const twx_store_report *r, const histogram *g,
                            const histogram_text *text) {
    const twx_markup_table t = {
        .id = text->table, .caption = text->plot.title, .columns = text->columns};
    twx_markup_put(h, "<figure><figcaption>%s</figcaption>", text->lead);
    for (size_t i = 0; i < 2; i++) {
        twx_plot plot = text->plot;
        plot.id = text->ids[i];
        plot.width = i ? TWX_PLOT_NARROW : TWX_PLOT_WIDE;
        twx_markup_put(h, "<div class=\"plot %s\">", i ? "narrow" : "wide");
        twx_plot_columns(h, &plot, g->bars, g->n - text->left_out);
        twx_markup_raw(h, "</div>\n");
    }
    twx_numbers_begin(h, "The numbers");
    twx_table_begin(h, &t);
    for (size_t i = 0; i < g->n; i++) {
        twx_markup_put(h, "<tr><th scope=\"row\" class=\"n\">%s</th>", g->bars[i].label);
        twx_count_cell(h, g->bars[i].value);
        twx_markup_raw(h, "</tr>\n");
    }
    twx_table_end(h);
    twx_numbers_end(h);
    twx_source_note(h, r, &text->source);
    twx_markup_raw(h, "</figure>\n");
}

void twx_section_sizes(twx_markup *h, const twx_report_page *p) {
    const histogram_text sizes = {
        .plot = {.title = "Clusters by size", .x = "documents in the cluster", .y = "clusters"},
        .ids = {"sizes-w", "sizes-n"},
        .table = "sizes-table",
        .lead = "<b>Sizes of the clusters.</b> Each class is twice as wide as the one before it.",
        .columns = "#Documents in the cluster|#Clusters",
        .source = {.sql = p->sizes_sql, .note = "Sizes are summed up in classes."}};
    char mark[LABEL_BYTES], number[TWX_NUMBER_BYTES];
    histogram g;
    similarity_histogram(p, &g);
    const double first = g.n ? 101.0 - (double)g.n : 0;
    snprintf(mark, sizeof mark, "threshold %.8s %%",
             twx_short_number((double)p->threshold_ppm / 1e4, number));
    const histogram_text similarities = {
        .plot = {.title = "Near-duplicates by similarity",
                 .x = "similarity to the representative (%)",
                 .y = "documents",
                 .mark = (double)p->threshold_ppm / 1e4 - first,
                 .mark_text = p->threshold_ppm ? mark : NULL},
        .ids = {"similarities-w", "similarities-n"},
        .table = "similarities-table",
        .lead = "<b>Similarity of near-duplicates</b> to the representative of their group; 97 "
                "stands for 97 to below 98 %. Equal texts (100 %) are in the table only. Many "
                "documents close to the configured threshold are a reason to look at some of "
                "them: <code>twindex sweep</code>.",
        .columns = "#Similarity (%)|#Documents",
        .left_out = 1,
        .source = {.sql = p->similarities_sql}};
    histogram by_size;
    size_histogram(&p->sizes, &by_size);
    if (by_size.n)
        write_histogram(h, &p->figures, &by_size, &sizes);
    else
        twx_markup_raw(h, TWX_NO_CLUSTERS);
    if (g.n)
        write_histogram(h, &p->figures, &g, &similarities);
    else
        twx_markup_raw(h, "<p class=\"none\">No near-duplicates: either no near detector is "
                          "configured, or it found none.</p>\n");
}

typedef struct run_points {
    size_t n;
    double documents[TWX_PAGE_RUNS], shown[TWX_PAGE_RUNS], hidden[TWX_PAGE_RUNS];
    char labels[TWX_PAGE_RUNS][TWX_NUMBER_BYTES];
} run_points;

/* The runs, the oldest first. */
static void list_points(const twx_store_report *r, run_points *ret_points) {
    run_points *q = ret_points;
    q->n = r->runs.n < TWX_PAGE_RUNS ? r->runs.n : TWX_PAGE_RUNS;
    for (size_t i = 0; i < q->n; i++) {
        const twx_run_row *run = &r->runs.at[q->n - 1 - i];
        const bool published = twx_slice_eq(run->state, TWX_SLICE_LIT("published"));
        const bool known = published && run->hidden >= 0 && run->indexable >= run->hidden;
        q->documents[i] = published ? (double)run->documents : -1;
        q->hidden[i] = published ? (double)run->hidden : -1;
        q->shown[i] = known ? (double)(run->indexable - run->hidden) : -1;
        snprintf(q->labels[i], TWX_NUMBER_BYTES, "run %lld", (long long)run->run);
    }
}

static void count_or_dash(twx_markup *h, double v) {
    if (v >= 0 && v < 1e18)
        twx_count_cell(h, (uint64_t)v);
    else
        twx_markup_raw(h, "<td class=\"n\">\xE2\x80\x93</td>");
}

static void runs_table(twx_markup *h, const twx_store_report *r, const run_points *q) {
    const twx_markup_table t = {
        .id = "runs-table",
        .caption = "The log of runs",
        .columns = "#Run|Started (UTC)|State|#Seconds|#Documents|#Shown|#Hidden|Message"};
    twx_table_begin(h, &t);
    for (size_t i = 0; i < q->n; i++) {
        const twx_run_row *run = &r->runs.at[i];
        const size_t at = q->n - 1 - i;
        char started[TWX_TIME_BYTES];
        twx_markup_put(h, "<tr><th scope=\"row\" class=\"n\">%lld</th><td>%s</td><td>",
                       (long long)run->run, twx_minute_text(run->started_at, started));
        twx_markup_excerpt(h, run->state, 20);
        twx_markup_raw(h, "</td>");
        count_or_dash(h, run->ended ? (double)(run->ended_at - run->started_at) : -1);
        count_or_dash(h, q->documents[at]);
        count_or_dash(h, q->shown[at]);
        count_or_dash(h, q->hidden[at]);
        twx_markup_raw(h, "<td>");
        twx_markup_excerpt(h, run->message, 200);
        twx_markup_raw(h, "</td></tr>\n");
    }
    twx_table_end(h);
}

void twx_section_runs(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "report", .options = " --json"};
    run_points q;
    list_points(&p->figures, &q);
    const twx_plot_line lines[] = {{"documents", "l-all", q.documents},
                                   {"hidden", "l-hid", q.hidden},
                                   {"shown", "l-rep", q.shown}};
    twx_markup_raw(h, "<figure>");
    if (q.n < 2) twx_markup_raw(h, "<p class=\"none\">One run so far; a curve needs two.</p>\n");
    if (q.n > 1)
        twx_markup_raw(h, "<p class=\"legend\"><span><i class=\"sw all\"></i>documents</span> "
                          "<span><i class=\"sw hid\"></i>hidden</span> <span><i class=\"sw rep\">"
                          "</i>shown</span></p>\n");
    for (size_t i = 0; q.n > 1 && i < 2; i++) {
        const twx_plot plot = {.id = i ? "runs-n" : "runs-w",
                               .title = "Documents by run; the numbers are below",
                               .x = "runs, the oldest first",
                               .y = "documents",
                               .width = i ? TWX_PLOT_NARROW : TWX_PLOT_WIDE};
        twx_markup_put(h, "<div class=\"plot %s\">", i ? "narrow" : "wide");
        twx_plot_lines(h, &plot, lines, TWX_COUNTOF(lines),
                       (const char(*)[TWX_NUMBER_BYTES])q.labels, q.n);
        twx_markup_raw(h, "</div>\n");
    }
    runs_table(h, &p->figures, &q);
    if (q.n == TWX_PAGE_RUNS)
        twx_markup_put(h, "<p class=\"cut\">Only the last %d runs are listed.</p>\n",
                       TWX_PAGE_RUNS);
    twx_source_note(h, &p->figures, &source);
    twx_markup_raw(h, "</figure>\n");
}
