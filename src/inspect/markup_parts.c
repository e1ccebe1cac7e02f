#include "inspect/markup_parts.h"

#include <string.h>
#include <time.h>

void twx_table_begin(twx_markup *h, const twx_markup_table *t) {
    twx_markup_put(h,
                   "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
                   "<table%s%s%s%s><caption>%s</caption><thead><tr>",
                   t->caption, t->id ? " id=\"" : "", t->id ? t->id : "", t->id ? "\"" : "",
                   t->sortable ? " class=\"sort\"" : "", t->caption);
    for (size_t i = 0; i < t->n; i++)
        twx_markup_put(h, "<th scope=\"col\"%s>%s</th>", t->columns[i].number ? " class=\"n\"" : "",
                       t->columns[i].name);
    twx_markup_raw(h, "</tr></thead><tbody>\n");
}

void twx_table_end(twx_markup *h) {
    twx_markup_raw(h, "</tbody></table></div>\n");
}

void twx_count_cell(twx_markup *h, uint64_t n) {
    twx_markup_raw(h, "<td class=\"n\">");
    twx_markup_number(h, n);
    twx_markup_raw(h, "</td>");
}

void twx_numbers_begin(twx_markup *h, const char *summary) {
    twx_markup_put(h, "<details class=\"numbers\"><summary>%s</summary>\n", summary);
}

void twx_numbers_end(twx_markup *h) {
    twx_markup_raw(h, "</details>\n");
}

/* ---- sources ---------------------------------------------------------------- */

static bool is_plain(char c) {
    return twx_is_alpha((unsigned char)c) || twx_is_digit((unsigned char)c) ||
           (c && strchr("_./+-=:,", c));
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

/* Skips the lines of comment at the beginning of a statement. */
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

const char *twx_minute_text(int64_t seconds, char room[TWX_TIME_BYTES]) {
    time_t when = (time_t)seconds;
    struct tm tm;
    if (!gmtime_r(&when, &tm) || !strftime(room, TWX_TIME_BYTES, "%Y-%m-%d %H:%M", &tm))
        room[0] = '\0';
    return room;
}
