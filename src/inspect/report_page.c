#include "inspect/report_page.h"

#include <openssl/evp.h>
#include <stdio.h>

#include "base/openssl_error.h"
#include "inspect/report_sections.h"
#include "page_text.h"

void twx_report_page_init(twx_report_page *p) {
    *p = (twx_report_page){0};
    twx_arena_init(&p->arena, 0);
    twx_store_report_init(&p->figures);
    twx_mirror_list_init(&p->mirrors);
    twx_result_diff_init(&p->diff, TWX_PAGE_CHANGES);
    p->figures.runs_most = TWX_PAGE_RUNS;
}

void twx_report_page_done(twx_report_page *p) {
    for (size_t i = 0; i < p->groups.n; i++) {
        TWX_VEC_DONE(&p->groups.at[i].members);
        TWX_VEC_DONE(&p->groups.at[i].passages);
    }
    TWX_VEC_DONE(&p->groups);
    TWX_VEC_DONE(&p->sizes);
    TWX_VEC_DONE(&p->similarities);
    TWX_VEC_DONE(&p->same_text);
    TWX_VEC_DONE(&p->same_title);
    twx_result_diff_done(&p->diff);
    twx_mirror_list_done(&p->mirrors);
    twx_store_report_done(&p->figures);
    twx_arena_done(&p->arena);
}

/* ---- head --------------------------------------------------------------------- */

enum { SHA256_BYTES = 32, BASE64_BYTES = 64 };

/* The source expression of the Content-Security-Policy for an inline element. */
static void put_hash(twx_markup *h, const char *text) {
    unsigned char digest[SHA256_BYTES], base64[BASE64_BYTES];
    const twx_slice s = twx_slice_of(text);
    if (h->rc != TWX_OK) return;
    if (!EVP_Digest(s.p, s.n, digest, NULL, EVP_sha256(), NULL)) {
        h->rc = twx_openssl_failed(h->out->cx, TWX_E_CONFIG, "OpenSSL provides no SHA-256");
        return;
    }
    EVP_EncodeBlock(base64, digest, SHA256_BYTES);
    twx_markup_put(h, "'sha256-%s'", (const char *)base64);
}

static void write_head(twx_markup *h, const twx_report_page *p) {
    twx_markup_raw(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src ");
    put_hash(h, TWX_PAGE_CSS);
    twx_markup_raw(h, "; script-src ");
    put_hash(h, TWX_PAGE_JS);
    twx_markup_raw(h, "; base-uri 'none'; form-action 'none'\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=\"referrer\" content=\"no-referrer\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Duplicates in ");
    twx_markup_excerpt(h, twx_slice_of(p->figures.store), 80);
    twx_markup_raw(h, "</title>\n<style>");
    twx_markup_raw(h, TWX_PAGE_CSS);
    twx_markup_raw(h, "</style>\n</head>\n<body>\n");
}

/* ---- body --------------------------------------------------------------------- */

static const struct {
    const char *id, *title;
    void (*write)(twx_markup *h, const twx_report_page *p);
} SECTIONS[] = {
    {"part", "What takes part", twx_section_flow},
    {"relations", "Duplicates by relation", twx_section_relations},
    {"sizes", "Sizes and similarities", twx_section_sizes},
    {"hosts", "Hosts", twx_section_hosts},
    {"mirrors", "Mirrors", twx_section_mirrors},
    {"groups", "Largest groups", twx_section_groups},
    {"suspects", "Suspects", twx_section_suspects},
    {"changes", "What the last run changed", twx_section_changes},
    {"runs", "Runs over time", twx_section_runs},
};

/* of: what the whole is; NULL: no share is shown. */
typedef struct tile {
    const char *class, *text;
    uint64_t n, whole;
    const char *of;
} tile;

static void write_tile(twx_markup *h, const tile *t) {
    twx_markup_put(h, "<div class=\"tile %s\"><dt>%s</dt><dd><b>", t->class, t->text);
    twx_markup_number(h, t->n);
    twx_markup_raw(h, "</b> ");
    if (t->of) {
        twx_markup_raw(h, "<span>");
        twx_markup_share(h, t->n, t->whole);
        twx_markup_put(h, " %s</span>", t->of);
    }
    twx_markup_raw(h, "</dd></div>\n");
}

static void write_tiles(twx_markup *h, const twx_report_page *p) {
    const twx_host_figures *all = &p->figures.all;
    const tile tiles[] = {
        {"all", "Documents", all->documents, 0, NULL},
        {"in", "Take part", all->indexable, all->documents, "of all"},
        {"hid", "Hidden", all->hidden, all->indexable, "of those"},
        {"alone", "Shown", all->indexable - all->hidden, all->indexable, "of those"},
        {"all", "Hosts", p->figures.hosts.n, 0, NULL},
    };
    twx_markup_raw(h, "<dl class=\"tiles\">\n");
    for (size_t i = 0; i < TWX_COUNTOF(tiles); i++) write_tile(h, &tiles[i]);
    twx_markup_raw(h, "</dl>\n");
}

static void write_header(twx_markup *h, const twx_report_page *p) {
    char when[TWX_TIME_BYTES];
    twx_markup_raw(h, "<a class=\"skip\" href=\"#main\">Skip to the figures</a>\n<header>\n"
                      "<p class=\"brand\">Twindex report</p>\n<h1>");
    twx_markup_excerpt(h, twx_slice_of(p->figures.store), 120);
    twx_markup_put(h, "</h1>\n<p class=\"made\">Made %s UTC by twindex %s",
                   twx_minute_text(p->made_at, when), TWINDEX_VERSION);
    if (p->figures.runs.n)
        twx_markup_put(h, "; last run %lld, started %s UTC", (long long)p->figures.runs.at[0].run,
                       twx_minute_text(p->figures.runs.at[0].started_at, when));
    twx_markup_raw(h, "</p>\n");
    write_tiles(h, p);
    twx_markup_raw(h, "</header>\n<nav aria-label=\"Sections\"><ul>\n");
    for (size_t i = 0; i < TWX_COUNTOF(SECTIONS); i++)
        twx_markup_put(h, "<li><a href=\"#%s\">%s</a></li>\n", SECTIONS[i].id, SECTIONS[i].title);
    twx_markup_raw(h, "</ul></nav>\n");
}

twx_rc twx_report_page_write(const twx_out *out, const twx_report_page *p) {
    twx_markup h = {.out = out};
    write_head(&h, p);
    write_header(&h, p);
    twx_markup_raw(&h, "<main id=\"main\" tabindex=\"-1\">\n");
    for (size_t i = 0; i < TWX_COUNTOF(SECTIONS); i++) {
        twx_markup_put(&h, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n",
                       SECTIONS[i].id, SECTIONS[i].id, SECTIONS[i].title);
        SECTIONS[i].write(&h, p);
        twx_markup_raw(&h, "</section>\n");
    }
    twx_markup_raw(&h, "</main>\n<footer><p>Numbers are of the result that was published when the "
                       "report was made. Times are UTC.</p></footer>\n<script>");
    twx_markup_raw(&h, TWX_PAGE_JS);
    twx_markup_raw(&h, "</script>\n</body>\n</html>\n");
    return h.rc;
}
