/* The sections that show documents: the largest groups, suspects, and changes. */

#include "inspect/internal.h"

enum {
    TITLE_SHOWN = 120,
    CONTEXT_SHOWN = 60,
    PASSAGE_SHOWN = 400,
    CAUSE_SHOWN = 600,
    RULES_SHOWN = 24 << 10
};

static void put_title(twx_markup *h, twx_slice title) {
    twx_markup_excerpt(h, title.n ? title : TWX_SLICE_LIT("(no title)"), TITLE_SHOWN);
}

static void put_element(twx_markup *h, const char *begin, twx_slice text, size_t most,
                        const char *end) {
    twx_markup_raw(h, begin);
    twx_markup_excerpt(h, text, most);
    twx_markup_raw(h, end);
}

static void document_line(twx_markup *h, const twx_page_document *d) {
    twx_markup_raw(h, "<span class=\"ti\">");
    put_title(h, d->title);
    put_element(h, "</span> <span class=\"id\">", d->id, 40, "");
    if (d->store.p) put_element(h, " in ", d->store, TITLE_SHOWN, "");
    twx_markup_raw(h, "</span><br>");
    twx_markup_url(h, d->url);
}

static void write_passage(twx_markup *h, const twx_compared_passage *c) {
    twx_buf context = {.max = 1 << 12};
    if (h->rc != TWX_OK) return;
    h->rc = twx_excerpt_end(h->out->cx, c->before, CONTEXT_SHOWN, &context);
    twx_markup_raw(h, "<p class=\"diff\"><span class=\"ctx\">");
    if (h->rc == TWX_OK) twx_markup_text(h, twx_buf_slice(&context));
    twx_markup_raw(h, "</span> ");
    if (c->a.n) put_element(h, "<del>", c->a, PASSAGE_SHOWN, "</del> ");
    if (c->b.n) put_element(h, "<ins>", c->b, PASSAGE_SHOWN, "</ins>");
    twx_markup_raw(h, "</p>\n");
    twx_buf_done(&context);
}

static void write_differences(twx_markup *h, const twx_page_group *g) {
    static const char *const WHY_NOT[] = {
        [TWX_TEXTS_EQUAL] = "The texts of all its documents are equal, byte for byte.",
        [TWX_TEXTS_TOO_LONG] = "The texts are too long to be compared here; <code>twindex "
                               "compare</code> does it.",
        [TWX_TEXTS_UNREADABLE] = "A document is no longer in the store, or its row is longer than "
                                 "run.row_bytes, so the texts cannot be compared."};
    if (g->texts != TWX_TEXTS_COMPARED) {
        twx_markup_put(h, "<p class=\"none\">%s</p>\n", WHY_NOT[g->texts]);
        return;
    }
    char ppm[TWX_PPM_BYTES];
    twx_markup_put(
        h,
        "<h3 class=\"dh\">Differences of document 1 and document %zu</h3>\n<p>%zu %s%s%s%s. "
        "<del>Only in 1</del>, <ins>only in %zu</ins>.</p>\n",
        g->other + 1, g->differences, g->differences == 1 ? "passage" : "passages",
        g->coarse ? " (coarse: too much differs)" : "", g->similarity >= 0 ? "; similarity " : "",
        g->similarity >= 0 ? twx_ppm_text(g->similarity, ppm) : "", g->other + 1);
    for (size_t i = 0; i < g->passages.n; i++) write_passage(h, &g->passages.at[i]);
    if (g->passages.n < g->differences)
        twx_markup_put(h, "<p class=\"cut\">The first %zu passages are shown.</p>\n",
                       g->passages.n);
}

static void write_group(twx_markup *h, const twx_page_group *g, size_t number) {
    const size_t listed = g->members.n;
    twx_markup_put(
        h, "<details class=\"group\"%s><summary><span class=\"gn\">%s</span> <span class=\"gt\">",
        number == 0 ? " open" : "", TWX_COMMAS(g->documents));
    put_title(h, listed ? g->members.at[0].title : (twx_slice){NULL, 0});
    twx_markup_raw(h, "</span></summary>\n<ol>\n");
    for (size_t i = 0; i < listed; i++) {
        twx_markup_put(h, "<li%s>", i == 0 ? " class=\"rep\"" : "");
        document_line(h, &g->members.at[i]);
        twx_markup_raw(h, i == 0 ? " <b class=\"badge\">representative</b></li>\n" : "</li>\n");
    }
    twx_markup_raw(h, "</ol>\n");
    if ((uint64_t)g->documents > listed)
        twx_markup_put(h, "<p class=\"cut\">and %s more</p>\n",
                       TWX_COMMAS((uint64_t)g->documents - listed));
    write_differences(h, g);
    twx_markup_raw(h, "</details>\n");
}

void twx_section_groups(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {
        .command = "groups", .limit = TWX_PAGE_GROUPS, .sql = twx_display_largest};
    twx_markup_put(h,
                   "<p>The %d largest clusters of the verdict, with up to %d members each. Check "
                   "very large clusters: a soft 404, a login page or a template can be the reason "
                   "that different documents count as duplicates.</p>\n",
                   TWX_PAGE_GROUPS, TWX_PAGE_MEMBERS);
    for (size_t i = 0; i < p->groups.n; i++) write_group(h, &p->groups.at[i], i);
    if (p->groups.n == 0) twx_markup_raw(h, TWX_NO_CLUSTERS);
    twx_source_note(h, &p->figures, &source);
}

void twx_section_editions(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "groups", .options = " --detector edition"};
    if (p->editions.n == 0) {
        twx_markup_raw(h, "<p class=\"none\">No editions of pages were found.</p>\n");
        return;
    }
    twx_markup_raw(h, "<p>Pages that a site keeps in several editions. A line with another order, "
                      "in the file of pins, corrects it.</p>\n");
    twx_section_table(h, p, TWINDEX_SHEET_EDITIONS, 0, &source);
}

static void no_pages(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.sql = twx_display_no_pages};
    twx_markup_raw(h, "<h3>Pages without content</h3>\n<p>Error pages, checks for robots, logins "
                      "and questions for consent that were served with status 200.</p>\n");
    twx_section_table(h, p, TWINDEX_SHEET_NO_PAGES, p->no_pages_n, &source);
}

static void parameters(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "learn"},
                            rules = {.command = "predict", .options = " --rules"};
    twx_markup_raw(h, "<h3>Parameters that never matter</h3>\n");
    if (p->no_rules) {
        put_element(h, "<p class=\"none\">", twx_slice_of(p->no_rules), 300, "</p>\n");
        twx_source_note(h, &p->figures, &source);
        return;
    }
    twx_markup_raw(h, "<p>Parameters of URLs without influence on the page, as learned from the "
                      "store, with the rules that drop them: a file for the setting "
                      "<code>url.rules</code>.</p>\n<pre class=\"rules\" tabindex=\"0\"><code>");
    size_t shown = p->rules.n;
    if (shown > RULES_SHOWN) {
        shown = RULES_SHOWN;
        while (shown && p->rules.p[shown - 1] != '\n') shown--;
    }
    for (twx_slice rest = twx_slice_sub(p->rules, 0, shown); rest.n;)
        put_element(h, "", twx_slice_next_line(&rest), 2000, "\n");
    twx_markup_raw(h, "</code></pre>\n");
    if (shown < p->rules.n)
        twx_markup_raw(h, "<p class=\"cut\">This is the beginning of the file.</p>\n");
    twx_source_note(h, &p->figures, &rules);
}

void twx_section_suspects(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source titles = {.sql = twx_display_titles, .limit = TWX_PAGE_TITLES_LEAST};
    no_pages(h, p);
    twx_markup_raw(h,
                   "<h3>One title on many pages</h3>\n<p>Visible documents whose "
                   "texts differ but whose titles are equal: a list of results does not show which "
                   "is which.</p>\n");
    twx_section_table(h, p, TWINDEX_SHEET_SAME_TITLE, p->same_title_n, &titles);
    parameters(h, p);
}

static void changed_document(twx_markup *h, const twx_listed_change *row) {
    const struct {
        const char *label, *url;
    } parts[] = {{row->before && row->after ? "now by " : "by ", row->after},
                 {row->after ? "before by " : "was hidden by ", row->before}};
    twx_markup_raw(h, "<li>");
    twx_markup_url(h, twx_slice_of(row->url));
    for (size_t i = 0; i < TWX_COUNTOF(parts); i++) {
        if (!parts[i].url || !parts[i].url[0]) continue;
        twx_markup_put(h, "<br><span class=\"by\">%s</span>", parts[i].label);
        twx_markup_url(h, twx_slice_of(parts[i].url));
    }
    if (row->why && row->why[0])
        put_element(h, "<br><span class=\"why\">", twx_slice_of(row->why), 300, "</span>");
    twx_markup_raw(h, "</li>\n");
}

/* A list of what is new, which the caller writes and ends. */
static void news_begin(twx_markup *h, uint64_t n, const char *what, bool open) {
    twx_markup_put(h,
                   "<details class=\"group\"%s><summary><span class=\"gn\">%s</span> <span "
                   "class=\"gt\">%s</span></summary>\n<ul class=\"changes\">\n",
                   open ? " open" : "", TWX_COMMAS(n), what);
}

static void news_end(twx_markup *h, uint64_t rest) {
    twx_markup_raw(h, "</ul>\n");
    if (rest) twx_markup_put(h, "<p class=\"cut\">and %s more</p>\n", TWX_COMMAS(rest));
    twx_markup_raw(h, "</details>\n");
}

static void new_no_pages(twx_markup *h, const twx_report_page *p) {
    uint64_t rest = p->no_pages_fresh;
    news_begin(h, p->no_pages_fresh, "new error pages, logins and other pages without content",
               false);
    for (size_t i = 0; i < p->no_pages.n; i++) {
        const twx_page_suspect *s = &p->no_pages.at[i];
        if (s->fresh == 0) continue;
        put_element(h, "<li>", s->host, TITLE_SHOWN, "");
        twx_markup_put(h, ": %s %s of class %s</li>\n", TWX_COMMAS(s->fresh),
                       twx_plural(s->fresh, "document", "documents"), TWX_PAGE_NAMES[s->class]);
        rest -= s->fresh;
    }
    news_end(h, rest);
}

static void compared_runs(twx_markup *h, const twx_report_page *p) {
    const twx_result_diff *d = &p->diff;
    char when[2][TWX_TIME_BYTES];
    twx_markup_put(h, "<p>Run %lld, of %s UTC, compared with run %lld, of %s UTC",
                   (long long)d->runs[1], twx_minute_text(d->started_at[1], when[1]),
                   (long long)d->runs[0], twx_minute_text(d->started_at[0], when[0]));
    if (p->figures.last.unchanged_at)
        twx_markup_put(h, "; the last run, at %s UTC, changed nothing",
                       twx_minute_text(p->figures.last.unchanged_at, when[0]));
    if (d->runs[1] < d->runs[0])
        twx_markup_put(h, ", which was undone: the flags are again those of run %lld",
                       (long long)d->runs[1]);
    twx_markup_put(h, ". The flags of %s %s.</p>\n", TWX_COMMAS(d->documents),
                   twx_plural(d->documents, "document differ", "documents differ"));
    if (d->causes.n) twx_markup_raw(h, "<p class=\"causes\">What caused it:</p>\n<ul>\n");
    for (size_t i = 0; i < d->causes.n; i++)
        put_element(h, "<li>", d->causes.at[i], CAUSE_SHOWN, "</li>\n");
    if (d->causes.n) twx_markup_raw(h, "</ul>\n");
}

void twx_section_since(twx_markup *h, const twx_report_page *p) {
    const twx_markup_source source = {.command = "diff"};
    const twx_result_diff *d = &p->diff;
    const twx_change_list *list = &d->changes;
    const uint64_t mirrors = twx_new_mirrors(NULL, p);
    const struct {
        const char *class, *text;
        uint64_t n;
    } tiles[] = {
        {"hid", "Newly hidden", list->documents[TWX_NEWLY_HIDDEN]},
        {"alone", "Newly shown", list->documents[TWX_NEWLY_SHOWN]},
        {"all", "Hidden by another", list->documents[TWX_MOVED]},
        {"all", "New error pages", p->no_pages_fresh},
        {"all", "New mirrors", mirrors},
    };
    if (p->figures.last.stopped_at) {
        twx_markup_put(h, "<p>The last run, at %s UTC, was stopped by a guard: ",
                       twx_minute_text(p->figures.last.stopped_at, (char[TWX_TIME_BYTES]){0}));
        put_element(h, "", twx_slice_of(p->figures.last.stopped), CAUSE_SHOWN, "</p>\n");
    }
    if (!p->has_diff) {
        twx_markup_raw(h, "<p class=\"none\">This is the first complete result of the store, so "
                          "there is none to compare it with. After the next run that changes "
                          "something, this part says what it hid and showed, and why.</p>\n");
        return;
    }
    compared_runs(h, p);
    twx_markup_raw(h, "<dl class=\"tiles since-tiles\">\n");
    for (size_t i = 0; i < TWX_COUNTOF(tiles); i++)
        twx_markup_put(h, "<div class=\"tile %s\"><dt>%s</dt><dd><b>%s</b></dd></div>\n",
                       tiles[i].class, tiles[i].text, TWX_COMMAS(tiles[i].n));
    twx_markup_raw(h, "</dl>\n");
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++) {
        if (list->documents[k] == 0) continue;
        news_begin(h, list->documents[k], twx_change_kind_text((twx_change_kind)k), k == 0);
        for (size_t i = 0; i < list->rows[k].n; i++) changed_document(h, &list->rows[k].at[i]);
        news_end(h, list->documents[k] - list->rows[k].n);
    }
    if (p->no_pages_fresh) new_no_pages(h, p);
    if (mirrors) {
        news_begin(h, mirrors, twx_plural(mirrors, "new mirror", "new mirrors"), false);
        news_end(h, mirrors - twx_new_mirrors(h, p));
    }
    twx_source_note(h, &p->figures, &source);
}
