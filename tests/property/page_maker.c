#include "world.h"

#include <stdio.h>
#include <string.h>

/* ---- vocabulary --------------------------------------------------------- */

static const struct {
    const char *name, *domain;
    bool www; /* it has a www. form */
} HOSTS[TEST_HOSTS] = {
    {"example.com", "example.com", true}, {"shop.example.com", "example.com", true},
    {"example.org", "example.org", true}, {"192.0.2.7", "192.0.2.7", false},
    {"www.com", "www.com", true},         {"a.co.uk", "a.co.uk", true},
};
static const char *const PATHS[TEST_PATHS] = {
    "/", "/a", "/b", "/a/c", "/q?x=1&sid=4f0c9e2a17", "/p%C3%A9", "/print/way"};
static const char *const BAD_URLS[] = {"", "/relative", "http://", "no url", "//example.com/a"};
static const char *const WORDS[] = {"river", "stone", "cloud", "Apple",
                                    "night", "green", "über",  "x1"};
static const char *const TITLES[] = {"One", "Two words", "A longer title", "Tïtle"};

enum { BAD_N = 5, WORDS_N = 8, TITLES_N = 4 };

static void set_null(test_cell *c) {
    *c = (test_cell){.type = SQLITE_NULL};
}

static void set_int(test_cell *c, int64_t i) {
    *c = (test_cell){.type = SQLITE_INTEGER, .i = i};
}

static void set_bytes(test_cell *c, int type, const char *bytes, size_t n) {
    *c = (test_cell){.type = type, .n = n < TEST_CELL_BYTES ? n : TEST_CELL_BYTES - 1};
    memcpy(c->bytes, bytes, c->n);
}

static void set_text(test_cell *c, const char *text) {
    set_bytes(c, SQLITE_TEXT, text, strlen(text));
}

/* JSON holds valid text and no blobs. */
static bool only_valid(const test_world *w) {
    return w->shape == TEST_JSON;
}

/* ---- URLs --------------------------------------------------------------- */

typedef struct parts {
    const char *scheme, *name, *domain, *path;
    bool www, port; /* port: 8080 */
} parts;

static parts draw_parts(test_world *w) {
    static const char *const SCHEMES[] = {"http", "https"};
    size_t host = test_world_below(w, w->hosts);
    bool ftp = test_world_percent(w, 4);
    return (parts){.scheme = ftp ? "ftp" : SCHEMES[test_world_below(w, 2)],
                   .name = HOSTS[host].name,
                   .domain = HOSTS[host].domain,
                   .www = HOSTS[host].www && test_world_percent(w, 45),
                   .path = PATHS[test_world_below(w, w->paths)],
                   .port = test_world_percent(w, 5)};
}

static void normal_url(const parts *p, char ret_url[TEST_URL_BYTES]) {
    snprintf(ret_url, TEST_URL_BYTES, "%s://%s%s%s%s", p->scheme, p->www ? "www." : "", p->name,
             p->port ? ":8080" : "", p->path);
}

static void upper(char *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i] >= 'a' && p[i] <= 'z') p[i] = (char)(p[i] - 'a' + 'A');
}

/* One of the many ways to write a normal URL. */
static void spell(test_world *w, const char *url, char ret_url[TEST_CELL_BYTES]) {
    const char *host = strstr(url, "://") + 3, *path = strchr(host, '/');
    const int head = (int)(path - url);
    const bool port = strchr(host, ':') != NULL;
    const char *standard = strncmp(url, "https", 5) == 0 ? ":443" : url[0] == 'f' ? ":21" : ":80";
    switch (test_world_below(w, 12)) {
    case 0:
        snprintf(ret_url, TEST_CELL_BYTES, "%s", url);
        upper(ret_url, (size_t)head);
        return;
    case 1:
        snprintf(ret_url, TEST_CELL_BYTES, "%.*s%s%s", head, url, port ? "" : standard, path);
        return;
    case 2: snprintf(ret_url, TEST_CELL_BYTES, "%.*s/x/..%s", head, url, path); return;
    case 3: snprintf(ret_url, TEST_CELL_BYTES, "%s#part", url); return;
    case 4: snprintf(ret_url, TEST_CELL_BYTES, " \t%s\n", url); return;
    case 5:
        snprintf(ret_url, TEST_CELL_BYTES, strcmp(path, "/a") == 0 ? "%.*s/%%61" : "%.*s%s", head,
                 url, path);
        return;
    default: snprintf(ret_url, TEST_CELL_BYTES, "%s", url); return;
    }
}

/* Our own table holds each URL once: a fragment, which is not part of the normal form,
 * distinguishes the next one. */
static void make_unused(test_world *w, char url[TEST_CELL_BYTES]) {
    for (int serial = 0;; serial++) {
        uint64_t h = test_hash_bytes(url, strlen(url), 1);
        bool used = false;
        for (size_t i = 0; i < w->used_n; i++) used |= w->used[i] == h;
        if (!used && w->used_n < USED_MAX) {
            w->used[w->used_n++] = h;
            return;
        }
        char *hash = strchr(url, '#');
        size_t n = hash ? (size_t)(hash - url) : strlen(url);
        snprintf(url + n, TEST_CELL_BYTES - n, "#%d", serial);
    }
}

static void mean_url(test_meaning *m, const parts *p) {
    m->usable = true;
    m->https = strcmp(p->scheme, "https") == 0;
    m->web = m->https || strcmp(p->scheme, "http") == 0;
    m->www = m->web && p->www;
    m->session = m->web && strstr(p->path, "sid=") != NULL;
    m->print = m->web && strstr(p->path, "/print/") != NULL;
    normal_url(p, m->url);
    snprintf(m->scheme, sizeof m->scheme, "%s", p->scheme);
    snprintf(m->host, sizeof m->host, "%s%s", p->www ? "www." : "", p->name);
    snprintf(m->domain, sizeof m->domain, "%s", p->domain);
    snprintf(m->path, sizeof m->path, "%s%s", p->port ? ":8080" : "", p->path);
}

static void draw_url(test_world *w, test_page *page) {
    char url[TEST_CELL_BYTES];
    test_meaning *m = &page->means;
    m->usable = m->web = m->https = m->www = false;
    m->url[0] = m->host[0] = m->domain[0] = m->path[0] = m->scheme[0] = '\0';
    if (test_world_percent(w, 4)) {
        size_t bad = test_world_below(w, BAD_N + (w->shape != TEST_OWN)); /* ours is NOT NULL */
        if (bad == BAD_N) {
            set_null(&page->cell[TEST_URL]);
            return;
        }
        snprintf(url, sizeof url, "%s", BAD_URLS[bad]);
    } else {
        const parts p = draw_parts(w);
        mean_url(m, &p);
        spell(w, m->url, url);
    }
    if (w->shape == TEST_OWN) make_unused(w, url);
    set_text(&page->cell[TEST_URL], url);
}

/* ---- links -------------------------------------------------------------- */

/* The target of a link as a normal URL, and its spelling in the cell. */
static void draw_target(test_world *w, const test_page *page, char ret_target[TEST_URL_BYTES],
                        char ret_spelled[TEST_CELL_BYTES]) {
    const test_meaning *to = &w->page[test_world_below(w, w->n)].means;
    const size_t kind = test_world_below(w, 20);
    parts p = draw_parts(w);
    for (size_t i = 0; kind > 14 && i < w->n; i++) /* back to a page that links here: loops */
        if (w->page[i].means.linked && strcmp(w->page[i].means.link, page->means.url) == 0)
            to = &w->page[i].means;
    snprintf(ret_target, TEST_URL_BYTES, "?");
    if (kind == 0) { /* no URL */
        snprintf(ret_spelled, TEST_CELL_BYTES, "http://");
        return;
    }
    if (kind == 1) p.path = "/nowhere";
    normal_url(&p, ret_target);
    if (kind == 2 && page->means.usable)
        snprintf(ret_target, TEST_URL_BYTES, "%s", page->means.url);
    if (kind > 3 && to->usable) snprintf(ret_target, TEST_URL_BYTES, "%s", to->url);
    if (kind == 3) { /* relative to the page */
        const char *path = PATHS[test_world_below(w, w->paths)];
        const char *port = strncmp(page->means.path, ":8080", 5) == 0 ? ":8080" : "";
        snprintf(ret_spelled, TEST_CELL_BYTES, "%s", path);
        snprintf(ret_target, TEST_URL_BYTES, "%s://%s%s%s", page->means.scheme, page->means.host,
                 port, path);
        return;
    }
    spell(w, ret_target, ret_spelled);
}

void test_draw_links(test_world *w, test_page *page) {
    test_meaning *m = &page->means;
    char target[2][TEST_URL_BYTES], spelled[TEST_CELL_BYTES];
    const bool collapses = w->collapse_host >= 0 && m->usable &&
                           strcmp(m->host, HOSTS[w->collapse_host].name) == 0;
    m->linked = m->redirect = false;
    for (int redirect = 0; redirect < 2; redirect++) {
        test_cell *c = &page->cell[redirect ? TEST_REDIRECT : TEST_CANONICAL];
        set_null(c);
        if (test_world_percent(w, 5)) set_text(c, test_world_percent(w, 50) ? "" : " \t");
        if (!test_world_percent(w, redirect ? 12 : 30) && !(collapses && !redirect)) continue;
        draw_target(w, page, target[redirect], spelled);
        if (collapses && !redirect) {
            snprintf(target[0], TEST_URL_BYTES, "http://%s/", m->host);
            snprintf(spelled, sizeof spelled, "%s", target[0]);
        }
        set_text(c, spelled);
        if (!m->usable) continue;
        m->linked = true;
        m->redirect = redirect;
        memcpy(m->link, target[redirect], TEST_URL_BYTES);
    }
}

/* ---- the other columns -------------------------------------------------- */

static void draw_words(test_world *w, char ret_text[TEST_CELL_BYTES]) {
    test_rng rng = test_rng_seed(w->seed * 977 + test_world_below(w, w->texts));
    const char *word[24];
    const size_t n = 4 + test_rng_below(&rng, 16), way = test_world_below(w, 10);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) word[i] = WORDS[test_rng_below(&rng, WORDS_N)];
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(ret_text + at, TEST_CELL_BYTES - at, "%s%s",
                               i ? way == 7 ? ", " : " " : "", word[way == 6 ? n - 1 - i : i]);
    if (way == 8) upper(ret_text, at);
    if (way == 9) snprintf(ret_text + at, TEST_CELL_BYTES - at, " solo%zu", test_world_below(w, 4));
}

/* Texts of more than twenty words, each an edit of the one before: a word is replaced or left out.
 * So neighbours are more similar than the first and the last. */
static void draw_near_copy(test_world *w, char ret_text[TEST_CELL_BYTES]) {
    const size_t base = test_world_below(w, 1 + w->texts / 7), edit = test_world_below(w, 24),
                 words = 17576;
    test_rng rng = test_rng_seed(w->seed * 613 + base);
    const size_t n = 22 + test_rng_below(&rng, 14);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t first = test_rng_below(&rng, words), then = test_rng_below(&rng, words);
        const bool edited = test_rng_below(&rng, 24) < edit;
        const size_t word = edited ? then : first;
        if (edited && then % 4 == 0) continue;
        at += (size_t)snprintf(ret_text + at, TEST_CELL_BYTES - at, "%s%c%c%c%s", at ? " " : "",
                               (char)('a' + word / 676), (char)('a' + word / 26 % 26),
                               (char)('a' + word % 26), word % 5 == 0 ? "." : "");
    }
}

static void draw_text(test_world *w, test_cell *c) {
    static const char BAD[] = "bad \xff\xfe bytes \xe2\x28 here here", NUL[] = "zero\0zero\0one";
    char text[TEST_CELL_BYTES];
    if (test_world_percent(w, 60))
        draw_near_copy(w, text);
    else
        draw_words(w, text);
    switch (test_world_below(w, 24)) {
    case 0: set_null(c); return;
    case 1: set_text(c, ""); return;
    case 2: set_text(c, "  "); return;
    case 3: set_text(c, "!? ..."); return; /* no words */
    case 4:
        if (only_valid(w)) break;
        set_bytes(c, SQLITE_TEXT, BAD, sizeof BAD - 1);
        return;
    case 5:
        if (only_valid(w)) break;
        set_bytes(c, test_world_percent(w, 50) ? SQLITE_BLOB : SQLITE_TEXT, NUL, sizeof NUL - 1);
        return;
    case 6:
        if (only_valid(w)) break;
        set_bytes(c, SQLITE_BLOB, text, strlen(text)); /* the same bytes as a text */
        return;
    default: break;
    }
    set_text(c, text);
}

static void draw_title(test_world *w, test_cell *c) {
    static const char *const BEFORE[] = {"", "  ", "", "\t"}, *const AFTER[] = {"", "", "\n", " "};
    char text[TEST_CELL_BYTES];
    size_t kind = test_world_below(w, 12), form = test_world_below(w, 4);
    snprintf(text, sizeof text, "%s%s%s", BEFORE[form], TITLES[test_world_below(w, TITLES_N)],
             AFTER[form]);
    if (kind == 0)
        set_null(c);
    else
        set_text(c, kind == 1 ? "" : kind == 2 ? " \n " : text);
}

static void draw_status(test_world *w, test_cell *c, test_meaning *m) {
    static const int STATUS[] = {404, 301, 500, 204};
    m->status = 200;
    switch (test_world_below(w, 14)) {
    case 0: set_int(c, m->status = STATUS[test_world_below(w, 4)]); return;
    case 1:
        m->status = 0;
        set_text(c, "lost");
        return;
    case 2:
        m->status = 410;
        set_text(c, "410");
        return;
    case 3: set_text(c, "200"); return;
    case 4: set_text(c, " "); return;
    case 5:
    case 6: set_null(c); return;
    default: set_int(c, 200); return;
    }
}

static void draw_failure(test_world *w, test_cell *c, test_meaning *m) {
    m->failed = test_world_percent(w, 5);
    if (m->failed)
        set_text(c, "timeout");
    else if (test_world_percent(w, 50))
        set_text(c, "");
    else
        set_null(c);
}

static void draw_robots(test_world *w, test_cell *c, test_meaning *m) {
    static const struct {
        const char *text;
        bool noindex;
    } TEXTS[] = {{"index,follow", false},
                 {"NOINDEX, noarchive", true},
                 {"none", true},
                 {"nofollow", false},
                 {"max-image-preview: none", false},
                 {"520", true},
                 {"noindexer", false},
                 {"follow;noindex", true},
                 {"4", false},
                 {"", false},
                 {"unavailable_after: 2024 none", true}};
    static const struct {
        int64_t bits;
        bool noindex;
    } BITS[] = {{0, false}, {8, true}, {512, true}, {4, false}, {7, false}, {1 | 8, true}};
    set_null(c);
    m->noindex = false;
    if (test_world_percent(w, 60)) return;
    if (test_world_percent(w, 70)) {
        size_t k = test_world_percent(w, 60) ? 0 : test_world_below(w, 11);
        set_text(c, TEXTS[k].text);
        m->noindex = TEXTS[k].noindex;
    } else {
        size_t k = test_world_percent(w, 50) ? 0 : test_world_below(w, 6);
        set_int(c, BITS[k].bits);
        m->noindex = BITS[k].noindex;
    }
}

static void draw_date(test_world *w, test_cell *c, test_meaning *m) {
    m->dated = true;
    switch (test_world_below(w, 8)) {
    case 0:
        m->dated = false;
        set_null(c);
        return;
    case 1:
        m->dated = false;
        set_text(c, "yesterday");
        return;
    case 2:
        m->fetched_at = 1714557630;
        set_text(c, "2024-05-01T12:00:30+02:00");
        return;
    default:
        set_int(c, m->fetched_at = test_world_percent(w, 20)
                                       ? 1714557630
                                       : (int64_t)test_world_below(w, 4) * 100);
        return;
    }
}

static void draw_score(test_world *w, test_cell *c, test_meaning *m) {
    static const double REALS[] = {-1.5, 0.5, 1e300, -0.0, 2};
    m->scored = true;
    switch (test_world_below(w, 6)) {
    case 0:
    case 1:
        m->scored = false;
        set_null(c);
        return;
    case 2:
        m->scored = false;
        set_text(c, "high");
        return;
    case 3:
        m->score = REALS[test_world_below(w, 5)];
        *c = (test_cell){.type = SQLITE_FLOAT, .r = m->score};
        return;
    default:
        set_int(c, (int64_t)test_world_below(w, 3));
        m->score = (double)c->i;
        return;
    }
}

/* One of a few names, or none. */
static void draw_name(test_world *w, test_cell *c, char ret_name[8], const char *prefix,
                      size_t share) {
    ret_name[0] = '\0';
    if (test_world_percent(w, share)) {
        snprintf(ret_name, 8, "%s%d", prefix, (int)test_world_below(w, 3));
        set_text(c, ret_name);
    } else if (test_world_percent(w, 20)) {
        set_text(c, " ");
    } else {
        set_null(c);
    }
}

static void forget(test_page *p, test_column column) {
    test_meaning *m = &p->means;
    set_null(&p->cell[column]);
    switch (column) {
    case TEST_FAILURE: m->failed = false; break;
    case TEST_ROBOTS: m->noindex = false; break;
    case TEST_CANONICAL:
    case TEST_REDIRECT: m->linked = m->redirect = false; break;
    case TEST_HREFLANG: m->hreflang[0] = '\0'; break;
    case TEST_SCORE: m->scored = false; break;
    case TEST_LAYOUT: m->layout[0] = '\0'; break;
    default: break;
    }
}

/* The columns that a narrow store lacks. */
static bool is_wide(test_column column) {
    return column != TEST_URL && column != TEST_TEXT && column != TEST_TITLE &&
           column != TEST_STATUS && column != TEST_FETCHED;
}

void test_draw_column(test_world *w, test_page *p, test_column column) {
    test_cell *c = &p->cell[column];
    if (w->shape == TEST_NARROW && is_wide(column)) {
        forget(p, column);
        return;
    }
    switch (column) {
    case TEST_URL: draw_url(w, p); break;
    case TEST_TEXT: draw_text(w, c); break;
    case TEST_TITLE:
    case TEST_DESCRIPTION: draw_title(w, c); break;
    case TEST_STATUS: draw_status(w, c, &p->means); break;
    case TEST_FAILURE: draw_failure(w, c, &p->means); break;
    case TEST_ROBOTS: draw_robots(w, c, &p->means); break;
    case TEST_CANONICAL:
    case TEST_REDIRECT: test_draw_links(w, p); break;
    case TEST_HREFLANG: draw_name(w, c, p->means.hreflang, "h", 25); break;
    case TEST_FETCHED: draw_date(w, c, &p->means); break;
    case TEST_SCORE: draw_score(w, c, &p->means); break;
    case TEST_LAYOUT: draw_name(w, c, p->means.layout, "L", 50); break;
    default: break;
    }
}
