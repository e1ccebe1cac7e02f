/* The tables of the report, and its sections with figures. */

#include "inspect/internal.h"

enum {
    TWX_PLOT_WIDE = 760,
    TWX_PLOT_NARROW = 320,
    HOSTS_LISTED = 1000,
    MIRRORS_LISTED = 300,
    BINS_MAX = 64,
    POINTS = TWX_PAGE_RUNS + 1, /* the runs of the log, and one that a guard stopped */
    LABEL_BYTES = 24,
    LINE_BYTES = 1 << 16
};

/* Begins a disclosure with the table that belongs to a plot or a list; </details> ends it. */
#define NUMBERS(summary) "<details class=\"numbers\"><summary>" summary "</summary>\n"

/* ---- the tables of the report ---------------------------------------------- */

/* Texts of the row that are no longer valid after the call are copied. */
static void add_row(twx_page_rows *rows, twx_page_row row, const char *copied) {
    if (rows->rc == TWX_OK && copied)
        rows->rc = twx_arena_copy(rows->cx, &rows->arena, twx_slice_of(copied), &row.text[0]);
    if (rows->rc == TWX_OK && !TWX_VEC_PUSH(rows->cx, rows, row)) rows->rc = TWX_E_NOMEM;
}

static double share_of(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : -1;
}

/* whole 0: the table has no shares. */
static void add_count(twx_page_rows *rows, const char *label, const char *class, uint64_t n,
                      uint64_t whole) {
    const twx_page_row row = {.text = {twx_slice_of(label)},
                              .n = {(int64_t)n},
                              .share = share_of(n, whole),
                              .class = class};
    if (n) add_row(rows, row, NULL);
}

/* The sum of the rows is the number of documents, which is the last one. */
static void list_flow(const twx_report_page *p, twx_page_rows *rows) {
    const twx_host_figures *r = &p->figures.all;
    const uint64_t all = r->documents;
    uint64_t judged = 0;
    add_count(rows, "shown, has no duplicate", "alone", r->indexable - r->hidden - p->clusters,
              all);
    add_count(rows, "shown, represents others", "rep", p->clusters, all);
    add_count(rows, "hidden as duplicates", "hid", r->hidden, all);
    for (size_t i = 0; i < TWX_ELIGIBILITIES; i++) {
        const uint64_t n = p->figures.eligibility[i];
        judged += n;
        if (i != TWX_ELIGIBLE) add_count(rows, twx_eligibility_text(i), "out", n, all);
    }
    add_count(rows, "not judged yet", "new", all - judged, all);
    add_count(rows, "all documents", TWX_ROW_OF_SUMS, all, all);
}

static void list_links(const twx_report_page *p, twx_page_rows *rows) {
    for (size_t i = 0; i < TWX_LINK_STATES; i++)
        add_count(rows, twx_link_state_text(i), NULL, p->figures.links[i], 0);
}

static void list_relations(const twx_report_page *p, twx_page_rows *rows) {
    for (size_t i = 0; i < p->figures.relations.n; i++) {
        const twx_relation_figures *f = &p->figures.relations.at[i];
        const twx_relation_id id = twx_relation_find(f->name);
        const bool verdict = id == TWX_RELATIONS;
        const char *what = verdict ? "the clusters: relations that count, taken together"
                                   : twx_relation_at(id)->what;
        const uint64_t copies = f->copies < 0 ? 0 : (uint64_t)f->copies;
        const twx_page_row row = {.text = {f->name, twx_slice_of(what)},
                                  .n = {f->groups, f->copies, f->largest},
                                  .share = share_of(copies, p->figures.all.indexable),
                                  .class = verdict ? "hid" : "rep"};
        add_row(rows, row, NULL);
    }
}

static void list_hosts(const twx_report_page *p, twx_page_rows *rows) {
    for (size_t i = 0; i < p->figures.hosts.n; i++) {
        const twx_host_figures *f = &p->figures.hosts.at[i];
        const twx_page_row row = {.text = {f->name},
                                  .n = {(int64_t)f->hidden, (int64_t)f->shown,
                                        (int64_t)f->indexable, (int64_t)f->documents},
                                  .share = share_of(f->hidden, f->indexable),
                                  .class = "hid"};
        add_row(rows, row, NULL);
    }
}

static void list_mirrors(const twx_report_page *p, twx_page_rows *rows) {
    const twx_slice *hosts = p->mirrors.hosts.at;
    for (size_t i = 0; i < p->mirrors.found.rows.n; i++) {
        const twx_mirror *m = &p->mirrors.found.rows.at[i];
        const char *by = m->level == TWX_MIRROR_EXACT ? "equal texts" : "near-duplicates";
        const twx_page_row row = {.text = {hosts[m->host], hosts[m->mirror_of], twx_slice_of(by)},
                                  .n = {(int64_t)m->shared, (int64_t)m->documents},
                                  .ppm = (int32_t)m->ratio_ppm};
        add_row(rows, row, NULL);
    }
}

static void list_no_pages(const twx_report_page *p, twx_page_rows *rows) {
    for (size_t i = 0; i < p->no_pages.n; i++) {
        const twx_page_suspect *s = &p->no_pages.at[i];
        const twx_page_row row = {.text = {s->host, twx_slice_of(TWX_PAGE_NAMES[s->class]),
                                           s->examples[0].title, s->excerpt, s->examples[0].url},
                                  .n = {(int64_t)s->documents}};
        add_row(rows, row, NULL);
    }
}

static void list_titles(const twx_report_page *p, twx_page_rows *rows) {
    for (size_t i = 0; i < p->same_title.n; i++) {
        const twx_page_suspect *s = &p->same_title.at[i];
        const twx_page_row row = {
            .text = {s->examples[0].title, s->examples[0].url, s->examples[1].url},
            .n = {(int64_t)s->documents}};
        add_row(rows, row, NULL);
    }
}

/* One place: the line of the pins that has its values in this order, and their documents. */
static void add_edition(twx_page_rows *rows, const twx_page_edition *at, size_t n) {
    twx_buf line = {.max = LINE_BYTES};
    twx_page_row row = {.n = {0}};
    for (size_t k = 0; k < 3; k++) {
        twx_buf_clear(&line);
        if (rows->rc == TWX_OK && k == 0)
            rows->rc = twx_buf_printf(
                rows->cx, &line, "edition " TWX_SLICE_FMT " " TWX_SLICE_FMT "%s",
                TWX_SLICE_ARG(at->host), TWX_SLICE_ARG(at->place), at->place.n ? "*" : "*.");
        for (size_t i = 0; rows->rc == TWX_OK && i < n; i++) {
            char value[TWX_EDITION_NUMBER_TEXT];
            twx_edition_text(at[i].value, value);
            rows->rc = twx_buf_printf(rows->cx, &line, "%s%s",
                                      k == 0  ? " "
                                      : i > 0 ? " \xC2\xB7 "
                                              : "",
                                      k == 0   ? value
                                      : k == 1 ? TWX_COMMAS(at[i].documents)
                                               : TWX_COMMAS(at[i].newest));
        }
        if (rows->rc == TWX_OK)
            rows->rc = twx_arena_copy(rows->cx, &rows->arena, twx_buf_slice(&line), &row.text[k]);
    }
    twx_buf_done(&line);
    add_row(rows, row, NULL);
}

static void list_editions(const twx_report_page *p, twx_page_rows *rows) {
    const twx_page_edition *at = p->editions.at;
    for (size_t from = 0, to; from < p->editions.n; from = to) {
        to = from + 1;
        while (to < p->editions.n && twx_slice_eq(at[from].host, at[to].host) &&
               twx_slice_eq(at[from].place, at[to].place))
            to++;
        add_edition(rows, at + from, to - from);
    }
}

/* A run that a guard stopped is not in the log; it was after those that are. */
static void list_runs(const twx_report_page *p, twx_page_rows *rows) {
    const twx_lock_state *last = &p->figures.last;
    const twx_page_row stopped = {
        .text = {{NULL, 0}, TWX_SLICE_LIT("stopped"), twx_slice_of(last->stopped)},
        .n = {-1, -1, -1, -1, -1}};
    if (last->stopped_at)
        add_row(rows, stopped, twx_minute_text(last->stopped_at, (char[TWX_TIME_BYTES]){0}));
    for (size_t i = 0; i < p->figures.runs.n; i++) {
        const twx_run_row *run = &p->figures.runs.at[i];
        const bool published = twx_slice_eq(run->state, TWX_SLICE_LIT("published"));
        const bool known = published && run->hidden >= 0 && run->indexable >= run->hidden;
        const twx_page_row row = {.text = {{NULL, 0}, run->state, run->message},
                                  .n = {run->run, run->seconds, published ? run->documents : -1,
                                        known ? run->indexable - run->hidden : -1,
                                        published ? run->hidden : -1}};
        add_row(rows, row, twx_minute_text(run->started_at, (char[TWX_TIME_BYTES]){0}));
    }
}

/* Group sizes: 2, 3-4, 5-8, ...: each class reaches to a power of two. */
static size_t class_of(int64_t size) {
    size_t i = 0;
    while (i < BINS_MAX - 2 && size > (int64_t)2 << i) i++;
    return i;
}

static void list_sizes(const twx_report_page *p, twx_page_rows *rows) {
    const twx_page_counts *counts = &p->sizes;
    for (size_t i = 0; rows->rc == TWX_OK && i < counts->n; i++) {
        const size_t bin = class_of(counts->at[i].value);
        while (rows->rc == TWX_OK && rows->n <= bin) {
            char label[2 * LABEL_BYTES] = "2";
            const unsigned long long to = 2ULL << rows->n, from = (1ULL << rows->n) + 1;
            if (from < to) snprintf(label, sizeof label, "%llu\xE2\x80\x93%llu", from, to);
            add_row(rows, (twx_page_row){.n = {0}}, label);
        }
        if (rows->rc == TWX_OK) rows->at[bin].n[0] += counts->at[i].n;
    }
}

/* Percent by percent, from the least that occurs, or from below the threshold. */
static void list_similarities(const twx_report_page *p, twx_page_rows *rows) {
    enum { WHOLE = 100, BELOW = 2 };
    const twx_page_counts *counts = &p->similarities;
    if (counts->n == 0) return;
    int64_t least = (int64_t)p->threshold_ppm / 10000 - BELOW;
    if (!p->threshold_ppm || counts->at[0].value < least) least = counts->at[0].value;
    if (least < WHOLE - BINS_MAX + 2) least = WHOLE - BINS_MAX + 2;
    if (least > WHOLE) least = WHOLE;
    for (int64_t v = least; v <= WHOLE; v++) {
        char label[LABEL_BYTES];
        snprintf(label, sizeof label, "%d", (int)v);
        add_row(rows, (twx_page_row){.n = {0}}, label);
    }
    for (size_t i = 0; rows->rc == TWX_OK && i < counts->n; i++) {
        const int64_t v = counts->at[i].value;
        rows->at[v < least ? 0 : v > WHOLE ? WHOLE - least : v - least].n[0] += counts->at[i].n;
    }
}

#define TEXT(i, name, head, look) \
    TWX_FIELD_AS(twx_page_row, SLICE, name, text[i], head, TWX_LOOK_##look)
#define NUMBER(i, name, head) TWX_FIELD_AS(twx_page_row, KNOWN, name, n[i], head, 0)
#define SHARE(name, head)     TWX_FIELD_AS(twx_page_row, SHARE, name, share, head, 0)

static const twx_field FLOW[] = {TEXT(0, "what", "Documents", PLAIN),
                                 NUMBER(0, "documents", "Number"), SHARE("share", "Share")};
static const twx_field LINKS[] = {TEXT(0, "link", "Redirect or canonical link", PLAIN),
                                  NUMBER(0, "documents", "Documents")};
static const twx_field RELATIONS[] = {TWX_FIELDS(
    TEXT(0, "relation", "Relation", PLAIN), TEXT(1, "members_share", "Members share", PLAIN),
    NUMBER(0, "groups", "Groups"), NUMBER(1, "copies", "Copies"),
    NUMBER(2, "largest_group", "Largest group"), SHARE("share", "Of those that take part"))};
static const twx_field SIZES[] = {TEXT(0, "size", "Documents in the cluster", NUMBER),
                                  NUMBER(0, "clusters", "Clusters")};
static const twx_field SIMILARITIES[] = {TEXT(0, "percent", "Similarity (%)", NUMBER),
                                         NUMBER(0, "documents", "Documents")};
static const twx_field HOSTS[] = {
    TWX_FIELDS(TEXT(0, "host", "Host", NAME), SHARE("share", "Hidden share"),
               NUMBER(0, "hidden", "Hidden"), NUMBER(1, "shown", "Shown"),
               NUMBER(2, "take_part", "Take part"), NUMBER(3, "documents", "Documents"))};
static const twx_field MIRRORS[] = {
    TWX_FIELDS(TEXT(0, "host", "Host", NAME), TEXT(1, "mirror_of", "Mirrors", NAME),
               TEXT(2, "by", "By", PLAIN), NUMBER(0, "shared", "In common"),
               NUMBER(1, "documents", "Documents"),
               TWX_FIELD_AS(twx_page_row, RATIO, "ratio", ppm, "Ratio", 0))};
static const twx_field NO_PAGES[] = {
    TWX_FIELDS(TEXT(0, "host", "Host", NAME), TEXT(1, "page_class", "Class", PLAIN),
               NUMBER(0, "documents", "Documents"), TEXT(2, "title", "Title of one", WIDE),
               TEXT(3, "text", "Its text", WIDE), TEXT(4, "url", "Its URL", WIDE))};
static const twx_field TITLES[] = {
    TWX_FIELDS(TEXT(0, "title", "Title", WIDE), NUMBER(0, "documents", "Shown documents"),
               TEXT(1, "first_url", "First", WIDE), TEXT(2, "last_url", "Last", WIDE))};
static const twx_field EDITIONS[] = {
    TWX_FIELDS(TEXT(0, "line", "Place and values, the oldest first", CODE),
               TEXT(1, "documents", "Documents of each", WIDE),
               TEXT(2, "newest", "Newest of their page", WIDE))};
static const twx_field RUNS[] = {
    TWX_FIELDS(NUMBER(0, "run", "Run"), TEXT(0, "started", "Started (UTC)", PLAIN),
               TEXT(1, "state", "State", PLAIN), NUMBER(1, "seconds", "Seconds"),
               NUMBER(2, "documents", "Documents"), NUMBER(3, "shown", "Shown"),
               NUMBER(4, "hidden", "Hidden"), TEXT(2, "message", "Message", PLAIN))};

#define TABLE(fields) fields, TWX_COUNTOF(fields)

static const twx_page_table TABLES[TWINDEX_SHEETS] = {
    [TWINDEX_SHEET_GROUPS] = {"groups"},
    [TWINDEX_SHEET_CHANGES] = {"changes", .reads = TWX_READ_CHANGES},
    [TWINDEX_SHEET_FLOW] = {"flow", "What becomes of the documents", TABLE(FLOW), list_flow,
                            TWX_READ_FIGURES | TWX_READ_COUNTS},
    [TWINDEX_SHEET_LINKS] = {"links", "Links to other documents", TABLE(LINKS), list_links,
                             TWX_READ_FIGURES},
    [TWINDEX_SHEET_RELATIONS] = {"relations", "Groups by relation", TABLE(RELATIONS),
                                 list_relations, TWX_READ_FIGURES, .sortable = true},
    [TWINDEX_SHEET_SIZES] = {"sizes", "Clusters by size", TABLE(SIZES), list_sizes,
                             TWX_READ_COUNTS},
    [TWINDEX_SHEET_SIMILARITIES] = {"similarities", "Near-duplicates by similarity",
                                    TABLE(SIMILARITIES), list_similarities, TWX_READ_COUNTS},
    [TWINDEX_SHEET_HOSTS] = {"hosts", "Hosts, those with most documents first", TABLE(HOSTS),
                             list_hosts, TWX_READ_FIGURES, HOSTS_LISTED, .sortable = true},
    [TWINDEX_SHEET_MIRRORS] = {"mirrors", "Hosts that mirror another", TABLE(MIRRORS), list_mirrors,
                               TWX_READ_MIRRORS, MIRRORS_LISTED, .sortable = true},
    [TWINDEX_SHEET_NO_PAGES] = {"no-pages", "Pages without content, by host and class",
                                TABLE(NO_PAGES), list_no_pages, TWX_READ_NO_PAGES,
                                .none = "No such page was found."},
    [TWINDEX_SHEET_SAME_TITLE] = {"same-title", "Titles that several shown documents have",
                                  TABLE(TITLES), list_titles, TWX_READ_TITLES,
                                  .none = "No title is shared by three or more shown documents."},
    [TWINDEX_SHEET_EDITIONS] = {"editions", "Places of URLs that name editions", TABLE(EDITIONS),
                                list_editions, TWX_READ_EDITIONS, TWX_PAGE_SUSPECTS},
    [TWINDEX_SHEET_RUNS] = {"runs", "The log of runs", TABLE(RUNS), list_runs, TWX_READ_FIGURES},
};

const twx_page_table *twx_page_table_of(twindex_sheet sheet) {
    return &TABLES[sheet];
}

void twx_page_rows_done(twx_page_rows *rows) {
    TWX_VEC_DONE(rows);
    twx_arena_done(&rows->arena);
}

static size_t list_rows(twx_markup *h, const twx_report_page *p, twindex_sheet sheet,
                        twx_page_rows *rows) {
    *rows = (twx_page_rows){.cx = h->out->cx};
    TABLES[sheet].list(p, rows);
    if (h->rc == TWX_OK) h->rc = rows->rc;
    return rows->n;
}

size_t twx_section_table(twx_markup *h, const twx_report_page *p, twindex_sheet sheet, size_t total,
                         const twx_markup_source *source) {
    const twx_page_table *t = &TABLES[sheet];
    twx_page_rows rows;
    const size_t n = list_rows(h, p, sheet, &rows), listed = t->most && t->most < n ? t->most : n;
    if (source) twx_markup_raw(h, "<figure>");
    if (n) twx_table_write(h, t, &rows);
    if (n == 0 && t->none) twx_markup_put(h, "<p class=\"none\">%s</p>\n", t->none);
    if (listed < n || listed < total)
        twx_markup_put(
            h, "<p class=\"cut\">%zu of %s are listed; <code>--csv</code> writes all.</p>\n",
            listed, TWX_COMMAS(total > n ? total : n));
    if (source) twx_source_note(h, &p->figures, source);
    if (source) twx_markup_raw(h, "</figure>\n");
    twx_page_rows_done(&rows);
    return n;
}

/* ---- the sections ------------------------------------------------------------ */

void twx_section_flow(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "report", .options = " --json"};
    if (p->figures.all.documents == 0) {
        twx_markup_raw(h, "<p class=\"none\">The store has no documents yet.</p>\n");
        return;
    }
    twx_markup_raw(h,
                   "<p>A document takes part unless its URL is unusable, it failed to load, or it "
                   "says itself that it should not be indexed. Of those that take part, one of "
                   "each cluster of duplicates stays visible.</p>\n");
    twx_section_table(h, p, TWINDEX_SHEET_FLOW, 0, &source);
    twx_markup_raw(h, NUMBERS("Redirects and canonical links"));
    twx_section_table(h, p, TWINDEX_SHEET_LINKS, 0, NULL);
    twx_markup_raw(h, "</details>\n");
}

void twx_section_relations(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "report", .sql = twx_display_totals};
    if (p->figures.relations.n == 0) {
        twx_markup_raw(h, TWX_NO_CLUSTERS);
        return;
    }
    twx_markup_raw(h,
                   "<p>Each relation finds groups on its own; a <em>copy</em> is a document that "
                   "another one of its group represents. <em>verdict</em> is what hides "
                   "documents.</p>\n");
    twx_section_table(h, p, TWINDEX_SHEET_RELATIONS, 0, &source);
}

/* What distinguishes the two histograms. */
typedef struct histogram_text {
    twindex_sheet sheet;
    twx_plot plot;
    const char *ids[2], *lead;
    size_t left_out; /* of the last columns: only in the table */
    twx_markup_source source;
} histogram_text;

static void write_histogram(twx_markup *h, const twx_report_page *p, const twx_page_rows *rows,
                            const histogram_text *text) {
    twx_plot_bar bars[BINS_MAX];
    for (size_t i = 0; i < rows->n; i++)
        bars[i] = (twx_plot_bar){rows->at[i].text[0].p, (uint64_t)rows->at[i].n[0]};
    twx_markup_put(h, "<figure><figcaption>%s</figcaption>", text->lead);
    for (size_t i = 0; i < 2; i++) {
        twx_plot plot = text->plot;
        plot.id = text->ids[i];
        plot.title = TABLES[text->sheet].caption;
        plot.width = i ? TWX_PLOT_NARROW : TWX_PLOT_WIDE;
        twx_markup_put(h, "<div class=\"plot %s\">", i ? "narrow" : "wide");
        twx_plot_columns(h, &plot, bars, rows->n - text->left_out);
        twx_markup_raw(h, "</div>\n");
    }
    twx_markup_raw(h, NUMBERS("The numbers"));
    twx_table_write(h, &TABLES[text->sheet], rows);
    twx_markup_raw(h, "</details>\n");
    twx_source_note(h, &p->figures, &text->source);
    twx_markup_raw(h, "</figure>\n");
}

void twx_section_sizes(twx_markup *h, const twx_report_page *p) {
    const histogram_text sizes = {
        .sheet = TWINDEX_SHEET_SIZES,
        .plot = {.x = "documents in the cluster", .y = "clusters"},
        .ids = {"sizes-w", "sizes-n"},
        .lead = "<b>Sizes of the clusters.</b> Each class is twice as wide as the one before it.",
        .source = {.sql = twx_display_sizes, .note = "Sizes are summed up in classes."}};
    char mark[LABEL_BYTES], number[TWX_NUMBER_BYTES];
    twx_page_rows rows;
    if (list_rows(h, p, sizes.sheet, &rows))
        write_histogram(h, p, &rows, &sizes);
    else
        twx_markup_raw(h, TWX_NO_CLUSTERS);
    twx_page_rows_done(&rows);
    const size_t n = list_rows(h, p, TWINDEX_SHEET_SIMILARITIES, &rows);
    snprintf(mark, sizeof mark, "threshold %.8s %%",
             twx_short_number((double)p->threshold_ppm / 1e4, number));
    const histogram_text similarities = {
        .sheet = TWINDEX_SHEET_SIMILARITIES,
        .plot = {.x = "similarity to the representative (%)",
                 .y = "documents",
                 .mark = (double)p->threshold_ppm / 1e4 - (101.0 - (double)n),
                 .mark_text = p->threshold_ppm ? mark : NULL},
        .ids = {"similarities-w", "similarities-n"},
        .lead = "<b>Similarity of near-duplicates</b> to the representative of their group; 97 "
                "stands for 97 to below 98 %. Equal texts (100 %) are in the table only. Many "
                "documents close to the configured threshold are a reason to look at some of "
                "them: <code>twindex sweep</code>.",
        .left_out = 1,
        .source = {.sql = twx_display_similarities}};
    if (n)
        write_histogram(h, p, &rows, &similarities);
    else
        twx_markup_raw(h, "<p class=\"none\">No near-duplicates: either no near detector is "
                          "configured, or it found none.</p>\n");
    twx_page_rows_done(&rows);
}

/* One line of the plot: the runs, the oldest first. */
static void points_of(const twx_page_rows *rows, size_t which, double ret_points[POINTS]) {
    for (size_t i = 0; i < rows->n && i < POINTS; i++)
        ret_points[i] = (double)rows->at[rows->n - 1 - i].n[which];
}

void twx_section_runs(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "report", .options = " --json"};
    double documents[POINTS], shown[POINTS], hidden[POINTS];
    const twx_plot_line lines[] = {
        {"documents", "l-all", documents}, {"hidden", "l-hid", hidden}, {"shown", "l-rep", shown}};
    char labels[POINTS][TWX_NUMBER_BYTES];
    twx_page_rows rows;
    const size_t n = list_rows(h, p, TWINDEX_SHEET_RUNS, &rows);
    points_of(&rows, 2, documents);
    points_of(&rows, 3, shown);
    points_of(&rows, 4, hidden);
    for (size_t i = 0; i < n; i++) {
        const long long run = rows.at[n - 1 - i].n[0];
        snprintf(labels[i], TWX_NUMBER_BYTES, "run %lld", run);
        if (run < 0) snprintf(labels[i], TWX_NUMBER_BYTES, "stopped");
    }
    twx_markup_raw(h, "<figure>");
    if (n < 2) twx_markup_raw(h, "<p class=\"none\">One run so far; a curve needs two.</p>\n");
    if (n > 1)
        twx_markup_raw(h, "<p class=\"legend\"><span><i class=\"sw all\"></i>documents</span> "
                          "<span><i class=\"sw hid\"></i>hidden</span> <span><i class=\"sw rep\">"
                          "</i>shown</span></p>\n");
    for (size_t i = 0; n > 1 && i < 2; i++) {
        const twx_plot plot = {.id = i ? "runs-n" : "runs-w",
                               .title = "Documents by run; the numbers are below",
                               .x = "runs, the oldest first",
                               .y = "documents",
                               .width = i ? TWX_PLOT_NARROW : TWX_PLOT_WIDE};
        twx_markup_put(h, "<div class=\"plot %s\">", i ? "narrow" : "wide");
        twx_plot_lines(h, &plot, lines, TWX_COUNTOF(lines), (const char(*)[TWX_NUMBER_BYTES])labels,
                       n);
        twx_markup_raw(h, "</div>\n");
    }
    twx_table_write(h, &TABLES[TWINDEX_SHEET_RUNS], &rows);
    twx_page_rows_done(&rows);
    if (p->figures.runs.n == TWX_PAGE_RUNS)
        twx_markup_put(h,
                       "<p class=\"cut\">Only the last %d runs are listed; <code>--csv</code> "
                       "writes all.</p>\n",
                       TWX_PAGE_RUNS);
    twx_source_note(h, &p->figures, &source);
    twx_markup_raw(h, "</figure>\n");
}
