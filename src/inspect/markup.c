#include "inspect/internal.h"

#include <time.h>

/* ==== markup */

enum {
    LINK_BYTES = 1 << 13, /* what web servers accept */
    TEXT_SHOWN = 200,
    URL_SHOWN = 200,
    URL_END = 70,
    EXCERPT_BYTES = 1 << 24,
    PUT_BYTES = 1 << 11
};

void twx_markup_raw(twx_markup *h, const char *markup) {
    if (h->rc == TWX_OK) h->rc = twx_out_bytes(h->out, twx_slice_of(markup));
}

void twx_markup_put(twx_markup *h, const char *fmt, ...) {
    char text[PUT_BYTES];
    va_list args;
    if (h->rc != TWX_OK) return;
    va_start(args, fmt);
    const int n = twx_vprint(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof text)
        h->rc = twx_fail(h->out->cx, TWX_E_INTERNAL, "cannot format '%.80s'", fmt);
    else
        h->rc = twx_out_bytes(h->out, (twx_slice){text, (size_t)n});
}

static const char *escape_of(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\0': return "\xEF\xBF\xBD"; /* U+FFFD */
    default: return NULL;
    }
}

void twx_markup_text(twx_markup *h, twx_slice text) {
    size_t from = 0;
    for (size_t i = 0; h->rc == TWX_OK && i < text.n; i++) {
        const char *as = escape_of(text.p[i]);
        if (!as) continue;
        h->rc = twx_out_bytes(h->out, twx_slice_sub(text, from, i));
        from = i + 1;
        twx_markup_raw(h, as);
    }
    if (h->rc == TWX_OK) h->rc = twx_out_bytes(h->out, twx_slice_sub(text, from, text.n));
}

void twx_markup_excerpt(twx_markup *h, twx_slice text, size_t most) {
    twx_buf shown = {.max = EXCERPT_BYTES};
    if (h->rc != TWX_OK) return;
    h->rc = twx_excerpt(h->out->cx, text, most, &shown);
    if (h->rc == TWX_OK) twx_markup_text(h, twx_buf_slice(&shown));
    twx_buf_done(&shown);
}

/* Can the URL be the target of a link? A browser would read around control characters. */
static bool is_linkable(twx_slice url) {
    if (!twx_is_web_url(url) || url.n > LINK_BYTES || !twx_utf8_valid(url)) return false;
    for (size_t i = 0; i < url.n; i++)
        if ((unsigned char)url.p[i] <= ' ' || url.p[i] == 0x7f) return false;
    return true;
}

/* Without the middle of a long URL: long URLs of one site differ mostly at their end. */
static void shortened_url(twx_markup *h, twx_slice url) {
    size_t head = url.n, tail = url.n;
    if (url.n > URL_SHOWN) { /* characters stay whole */
        head = twx_utf8_cut(url, URL_SHOWN - URL_END).n;
        for (tail = url.n - URL_END; tail < url.n && (url.p[tail] & 0xC0) == 0x80;) tail++;
    }
    twx_markup_excerpt(h, twx_slice_sub(url, 0, head), url.n);
    if (head < url.n) twx_markup_raw(h, "...");
    twx_markup_excerpt(h, twx_slice_sub(url, tail, url.n), url.n);
}

void twx_markup_url(twx_markup *h, twx_slice url) {
    const bool linked = is_linkable(url);
    if (linked) {
        twx_markup_raw(h, "<a class=\"u\" rel=\"noopener noreferrer\" href=\"");
        twx_markup_text(h, url);
    } else {
        twx_markup_raw(h, "<span class=\"u\" title=\"");
        twx_markup_excerpt(h, url, LINK_BYTES);
    }
    twx_markup_raw(h, "\">");
    if (url.n)
        shortened_url(h, url);
    else
        twx_markup_raw(h, "(no URL)");
    twx_markup_raw(h, linked ? "</a>" : "</span>");
}

const char *twx_short_number(double v, char room[TWX_NUMBER_BYTES]) {
    static const struct {
        double unit;
        const char *suffix;
    } UNITS[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; i < TWX_COUNTOF(UNITS); i++)
        if (v >= UNITS[i].unit) {
            twx_print(room, TWX_NUMBER_BYTES, "%.4g%s", v / UNITS[i].unit, UNITS[i].suffix);
            return room;
        }
    twx_print(room, TWX_NUMBER_BYTES, "%.4g", v);
    return room;
}

void twx_markup_share(twx_markup *h, double share) {
    if (share < 0)
        twx_markup_raw(h, "\xE2\x80\x93");
    else if (share > 0 && share < 0.0005)
        twx_markup_raw(h, "&lt;0.1&nbsp;%");
    else if (share < 1 && share > 0.9995)
        twx_markup_raw(h, "&gt;99.9&nbsp;%");
    else
        twx_markup_put(h, "%.1f&nbsp;%%", 100 * share);
}

/* ==== markup_parts */

static void share_cell(twx_markup *h, const twx_page_row *row) {
    twx_markup_put(h,
                   "<td class=\"share\" data-v=\"%.6f\"><svg class=\"bar\" viewBox=\"0 0 100 10\" "
                   "width=\"100\" height=\"10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                   "<rect class=\"bg\" width=\"100\" height=\"10\"/><rect class=\"%s\" "
                   "width=\"%.1f\" height=\"10\"/></svg> <span>",
                   row->share, row->class, row->share < 0 ? 0 : row->share * 100);
    twx_markup_share(h, row->share);
    twx_markup_raw(h, "</span></td>");
}

void twx_markup_host(twx_markup *h, twx_slice name, size_t most) {
    for (size_t from = 0; from < name.n && from < most;) {
        size_t dot = twx_slice_find(name, '.', from);
        if (dot + 1 >= name.n || dot >= most) dot = name.n;
        twx_markup_excerpt(h, twx_slice_sub(name, from, dot), most - from);
        if (dot < name.n) twx_markup_raw(h, ".<wbr>");
        from = dot + 1;
    }
}

static void text_cell(twx_markup *h, const twx_field *f, twx_slice text) {
    if (f->width == TWX_LOOK_CODE) twx_markup_raw(h, "<code>");
    if (twx_is_web_url(text))
        twx_markup_url(h, text);
    else if (f->width == TWX_LOOK_NAME)
        twx_markup_host(h, text, TEXT_SHOWN);
    else
        twx_markup_excerpt(h, text, TEXT_SHOWN);
    if (f->width == TWX_LOOK_CODE) twx_markup_raw(h, "</code>");
}

/* The first cell of a row is its heading. */
static void cell(twx_markup *h, const twx_field *f, const twx_page_row *row, bool first) {
    static const char *const LOOK[] = {[TWX_LOOK_PLAIN] = "",
                                       [TWX_LOOK_NUMBER] = " class=\"n\"",
                                       [TWX_LOOK_NAME] = " class=\"host\"",
                                       [TWX_LOOK_WIDE] = " class=\"wide\"",
                                       [TWX_LOOK_CODE] = " class=\"wide\""};
    char room[TWX_CELL_BYTES];
    if (f->kind == TWX_FIELD_SHARE) {
        share_cell(h, row);
        return;
    }
    const bool text = f->kind == TWX_FIELD_SLICE;
    twx_markup_put(h, "<%s%s>", first ? "th scope=\"row\"" : "td",
                   LOOK[text ? f->width : TWX_LOOK_NUMBER]);
    const twx_slice value = twx_field_text(f, row, room);
    if (text)
        text_cell(h, f, value);
    else if (f->kind == TWX_FIELD_KNOWN && *(const int64_t *)((const char *)row + f->offset) >= 0)
        twx_markup_raw(h, TWX_COMMAS(*(const int64_t *)((const char *)row + f->offset)));
    else
        twx_markup_raw(h, f->kind == TWX_FIELD_KNOWN ? "\xE2\x80\x93" : value.p);
    twx_markup_put(h, "</%s>", first ? "th" : "td");
}

void twx_table_write(twx_markup *h, const twx_page_table *t, const twx_page_rows *rows) {
    const twx_field *end = t->fields + t->n_fields;
    twx_markup_put(h,
                   "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
                   "<table id=\"%s-table\"%s><caption>%s</caption><thead><tr>",
                   t->caption, t->name, t->sortable ? " class=\"sort\"" : "", t->caption);
    for (const twx_field *f = t->fields; f < end; f++)
        twx_markup_put(h, "<th scope=\"col\"%s>%s</th>",
                       f->kind == TWX_FIELD_KNOWN || f->kind == TWX_FIELD_RATIO ||
                               f->width == TWX_LOOK_NUMBER
                           ? " class=\"n\""
                           : "",
                       f->head);
    twx_markup_raw(h, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < rows->n && (t->most == 0 || i < t->most); i++) {
        const twx_page_row *row = &rows->at[i];
        const bool sum = row->class && strcmp(row->class, TWX_ROW_OF_SUMS) == 0;
        twx_markup_raw(h, sum ? "<tr class=\"sum\">" : "<tr>");
        for (const twx_field *f = t->fields; f < end; f++) cell(h, f, row, f == t->fields);
        twx_markup_raw(h, "</tr>\n");
    }
    twx_markup_raw(h, "</tbody></table></div>\n");
}

static bool is_plain(char c) {
    return twx_is_alphanumeric((unsigned char)c) || (c && strchr("_./+-=:,", c));
}

/* A path as an argument for a shell. */
static void shell_word(twx_markup *h, twx_slice path) {
    bool plain = path.n > 0 && path.p[0] != '-';
    for (size_t i = 0; i < path.n; i++) plain = plain && is_plain(path.p[i]);
    if (plain) {
        twx_markup_text(h, path);
        return;
    }
    twx_markup_raw(h, "&#39;");
    for (size_t from = 0; from <= path.n;) {
        const size_t quote = twx_slice_find(path, '\'', from);
        twx_markup_excerpt(h, twx_slice_sub(path, from, quote), path.n);
        if (quote < path.n) twx_markup_raw(h, "&#39;\\&#39;&#39;");
        from = quote + 1;
    }
    twx_markup_raw(h, "&#39;");
}

static twx_slice without_comments(const char *sql) {
    twx_slice rest = twx_slice_of(sql);
    while (twx_slice_starts(rest, TWX_SLICE_LIT("--"))) (void)twx_slice_next_line(&rest);
    return twx_slice_trim(rest);
}

static void statement(twx_markup *h, twx_slice sql, int limit) {
    for (size_t from = 0; from < sql.n;) {
        const size_t mark = limit ? twx_slice_find(sql, '?', from) : sql.n;
        twx_markup_text(h, twx_slice_sub(sql, from, mark));
        if (mark < sql.n) twx_markup_put(h, "%d", limit);
        from = mark + 2;
    }
}

void twx_source_note(twx_markup *h, const twx_store_report *r, const twx_markup_source *source) {
    twx_markup_raw(h, "<details class=\"how\"><summary>Where this comes from</summary>");
    if (source->note) twx_markup_put(h, "<p>%s</p>", source->note);
    twx_markup_raw(h, "<pre tabindex=\"0\"><code>");
    if (source->command) {
        twx_markup_put(h, "twindex %s%s ", source->command, source->options ? source->options : "");
        if (source->limit) twx_markup_put(h, "--limit %d ", source->limit);
        for (size_t i = 0; i < r->n_stores; i++) {
            if (i > 0) twx_markup_raw(h, " ");
            shell_word(h, twx_slice_of(r->stores[i]));
        }
        twx_markup_raw(h, "\n");
    }
    if (source->sql) {
        twx_markup_raw(h, "<span class=\"sql\">");
        statement(h, without_comments(source->sql), source->limit);
        twx_markup_raw(h, ";</span>\n");
    }
    twx_markup_raw(h, "</code></pre></details>\n");
}

const char *twx_second_text(int64_t seconds, char room[TWX_TIME_BYTES]) {
    time_t when = (time_t)seconds;
    struct tm tm;
    if (!gmtime_r(&when, &tm) || !strftime(room, TWX_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &tm))
        room[0] = '\0';
    return room;
}

const char *twx_minute_text(int64_t seconds, char room[TWX_TIME_BYTES]) {
    twx_second_text(seconds, room);
    char *clock = strchr(room, 'T');
    if (!clock) return room;
    clock[0] = ' ';
    clock[sizeof " 00:00" - 1] = '\0';
    return room;
}

/* ==== fit_lines */

typedef struct twx_fit_link {
    size_t from, to, url, url_end; /* in the line; in urls */
} twx_fit_link;

#define ELLIPSIS "\xE2\x80\xA6"

enum { LEAST_COLUMNS = 20 };

/* Writes a part of the line with the links that lie in it. */
static twx_rc put(const twx_fit_lines *f, twx_slice part) {
    const twx_slice line = twx_buf_slice(&f->line), urls = twx_buf_slice(&f->urls);
    size_t from = (size_t)(part.p - line.p);
    const size_t to = from + part.n;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < f->links.n; i++) {
        const twx_fit_link *l = &f->links.at[i];
        const size_t begin = l->from > from ? l->from : from, end = l->to < to ? l->to : to;
        if (begin >= end) continue;
        rc = twx_out_bytes(f->outer, twx_slice_sub(line, from, begin));
        if (rc == TWX_OK) rc = twx_out_link(f->outer, twx_slice_sub(urls, l->url, l->url_end));
        if (rc == TWX_OK) rc = twx_out_bytes(f->outer, twx_slice_sub(line, begin, end));
        if (rc == TWX_OK) rc = twx_out_link(f->outer, TWX_SLICE_LIT(""));
        from = end;
    }
    return rc == TWX_OK ? twx_out_bytes(f->outer, twx_slice_sub(line, from, to)) : rc;
}

/* A line that begins with a letter and has no columns is prose, which is continued at a blank. */
static twx_rc flush(twx_fit_lines *f, const char *end) {
    const unsigned columns = f->outer->sink->columns;
    twx_slice line = twx_buf_slice(&f->line);
    const bool prose = line.n && twx_is_alpha((unsigned char)line.p[0]) && !strstr(line.p, "  ");
    const size_t all = columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns,
                 indent = !prose && f->hanging + LEAST_COLUMNS < all ? f->hanging : 2;
    size_t room = all, n = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && (n = twx_text_fitting(line, room)) < line.n && (prose || f->hanging)) {
        size_t blank = n + 1;
        while (blank > 0 && line.p[blank - 1] != ' ') blank--;
        if (twx_slice_trim(twx_slice_sub(line, 0, blank)).n == 0) break;
        rc = put(f, twx_slice_sub(line, 0, blank - 1));
        if (rc == TWX_OK) rc = twx_out_text(f->outer, "\n%*s", (int)indent, "");
        line = twx_slice_sub(line, blank, line.n);
        room = all - indent;
    }
    if (rc == TWX_OK && line.n) rc = put(f, twx_slice_sub(line, 0, n));
    if (rc == TWX_OK) rc = twx_out_text(f->outer, "%s%s", n < line.n ? ELLIPSIS : "", end);
    twx_buf_clear(&f->line);
    twx_buf_clear(&f->urls);
    f->links.n = 0;
    return rc;
}

static int take(void *arg, const char *bytes, size_t n) {
    twx_fit_lines *f = arg;
    const twx_slice all = {bytes, n};
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to + 1) {
        to = twx_slice_find(all, '\n', from);
        rc = twx_buf_add_slice(f->outer->cx, &f->line, twx_slice_sub(all, from, to));
        if (rc == TWX_OK && to < n) rc = flush(f, "\n");
    }
    return rc != TWX_OK;
}

static int take_link(void *arg, const char *url, size_t n) {
    twx_fit_lines *f = arg;
    twx_ctx *cx = f->outer->cx;
    const twx_fit_link link = {f->line.n, SIZE_MAX, f->urls.n, f->urls.n + n};
    if (n == 0 && f->links.n) f->links.at[f->links.n - 1].to = f->line.n;
    return n && (twx_buf_add(cx, &f->urls, url, n) != TWX_OK || !TWX_VEC_PUSH(cx, &f->links, link));
}

static int pass_link(void *arg, const char *url, size_t n) {
    const twx_fit_lines *f = arg;
    return twx_out_link(f->outer, (twx_slice){url, n}) != TWX_OK;
}

static int pass(void *arg, const char *bytes, size_t n) {
    const twx_fit_lines *f = arg;
    return twx_out_bytes(f->outer, (twx_slice){bytes, n}) != TWX_OK;
}

void twx_fit_lines_init(twx_fit_lines *f, const twx_out *outer) {
    const bool fits = outer->sink->columns && !twx_out_is_json(outer) && !twx_out_is_csv(outer);
    *f = (twx_fit_lines){
        .outer = outer, .sink = *outer->sink, .out = {outer->cx, &f->sink, NULL, f}};
    f->sink.write = fits ? take : pass;
    f->out.link = !outer->link ? NULL : fits ? take_link : pass_link;
    f->sink.arg = f;
    twx_buf_init(&f->line, SIZE_MAX / 4);
    twx_buf_init(&f->urls, SIZE_MAX / 4);
}

twx_rc twx_fit_lines_end(twx_fit_lines *f) {
    return f->line.n ? flush(f, "") : TWX_OK;
}

void twx_fit_lines_done(twx_fit_lines *f) {
    twx_buf_done(&f->line);
    twx_buf_done(&f->urls);
    TWX_VEC_DONE(&f->links);
}
