#include "store_maker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGES_MAX = 512, KEYS = 600, SQL_MAX = 2048, USED_MAX = 8192 };

struct test_world {
    uint64_t seed;
    test_rng rng;
    test_shape shape;
    /* pages; how many hosts, paths and texts to draw from */
    size_t n, hosts, paths, texts;
    int collapse_host; /* all its pages link to one target; -1: none */
    int64_t version;   /* of the newest change, for the mapped column `changed` */
    test_page page[PAGES_MAX];
    const test_page *sorted[PAGES_MAX];
    /* hashes of the URLs stored so far: our own table has each URL once */
    uint64_t used[USED_MAX];
    size_t used_n;
};

/* ---- vocabulary --------------------------------------------------------- */

static const struct {
    const char *name, *domain;
    bool www; /* it has a www. form */
} HOSTS[] = {
    {"example.com", "example.com", true}, {"shop.example.com", "example.com", true},
    {"example.org", "example.org", true}, {"192.0.2.7", "192.0.2.7", false},
    {"www.com", "www.com", true},         {"a.co.uk", "a.co.uk", true},
};
static const char *const PATHS[] = {"/", "/a", "/b", "/a/c", "/q?x=1&y=2", "/p%C3%A9", "/long/way"};
static const char *const BAD_URLS[] = {"", "/relative", "http://", "no url", "//example.com/a"};
static const char *const WORDS[] = {"river", "stone", "cloud", "Apple",
                                    "night", "green", "über",  "x1"};
static const char *const TITLES[] = {"One", "Two words", "A longer title", "Tïtle"};

enum { HOSTS_N = 6, PATHS_N = 7, BAD_N = 5, WORDS_N = 8, TITLES_N = 4 };

static size_t below(test_world *w, size_t limit) {
    return test_rng_below(&w->rng, limit);
}

static bool percent(test_world *w, size_t share) {
    return below(w, 100) < share;
}

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

static bool integer_keys(test_shape shape) {
    return shape == TEST_OWN || shape == TEST_PAGES || shape == TEST_NARROW;
}

/* ---- URLs --------------------------------------------------------------- */

typedef struct parts {
    const char *scheme, *name, *domain, *path;
    bool www, port; /* port: 8080 */
} parts;

static parts draw_parts(test_world *w) {
    static const char *const SCHEMES[] = {"http", "https"};
    size_t host = below(w, w->hosts);
    bool ftp = percent(w, 4);
    return (parts){.scheme = ftp ? "ftp" : SCHEMES[below(w, 2)],
                   .name = HOSTS[host].name,
                   .domain = HOSTS[host].domain,
                   .www = HOSTS[host].www && percent(w, 45),
                   .path = PATHS[below(w, w->paths)],
                   .port = percent(w, 5)};
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
    switch (below(w, 12)) {
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

static uint64_t hash_bytes(const void *bytes, size_t n, uint64_t h) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * UINT64_C(0x100000001B3);
    return h ^ n;
}

/* Our own table holds each URL once: a fragment, which is not part of the normal form,
 * distinguishes the next one. */
static void make_unused(test_world *w, char url[TEST_CELL_BYTES]) {
    for (int serial = 0;; serial++) {
        uint64_t h = hash_bytes(url, strlen(url), 1);
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
    if (percent(w, 4)) {
        size_t bad = below(w, BAD_N + (w->shape != TEST_OWN)); /* ours is NOT NULL */
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
    const test_meaning *to = &w->page[below(w, w->n)].means;
    const size_t kind = below(w, 20);
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
        const char *path = PATHS[below(w, w->paths)];
        const char *port = strncmp(page->means.path, ":8080", 5) == 0 ? ":8080" : "";
        snprintf(ret_spelled, TEST_CELL_BYTES, "%s", path);
        snprintf(ret_target, TEST_URL_BYTES, "%s://%s%s%s", page->means.scheme, page->means.host,
                 port, path);
        return;
    }
    spell(w, ret_target, ret_spelled);
}

static void draw_links(test_world *w, test_page *page) {
    test_meaning *m = &page->means;
    char target[2][TEST_URL_BYTES], spelled[TEST_CELL_BYTES];
    const bool collapses = w->collapse_host >= 0 && m->usable &&
                           strcmp(m->host, HOSTS[w->collapse_host].name) == 0;
    m->linked = m->redirect = false;
    for (int redirect = 0; redirect < 2; redirect++) {
        test_cell *c = &page->cell[redirect ? TEST_REDIRECT : TEST_CANONICAL];
        set_null(c);
        if (percent(w, 5)) set_text(c, percent(w, 50) ? "" : " \t");
        if (!percent(w, redirect ? 12 : 30) && !(collapses && !redirect)) continue;
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
    test_rng rng = test_rng_seed(w->seed * 977 + below(w, w->texts));
    const char *word[24];
    const size_t n = 4 + test_rng_below(&rng, 16), way = below(w, 10);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) word[i] = WORDS[test_rng_below(&rng, WORDS_N)];
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(ret_text + at, TEST_CELL_BYTES - at, "%s%s",
                               i ? way == 7 ? ", " : " " : "", word[way == 6 ? n - 1 - i : i]);
    if (way == 8) upper(ret_text, at);
    if (way == 9) snprintf(ret_text + at, TEST_CELL_BYTES - at, " solo%zu", below(w, 4));
}

/* Texts of more than twenty words, each an edit of the one before: a word is replaced or left out.
 * So neighbours are more similar than the first and the last. */
static void draw_near_copy(test_world *w, char ret_text[TEST_CELL_BYTES]) {
    const size_t base = below(w, 1 + w->texts / 7), edit = below(w, 24), words = 17576;
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
    if (percent(w, 60))
        draw_near_copy(w, text);
    else
        draw_words(w, text);
    switch (below(w, 24)) {
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
        set_bytes(c, percent(w, 50) ? SQLITE_BLOB : SQLITE_TEXT, NUL, sizeof NUL - 1);
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
    static const char *const BEFORE[] = {"", "  ", "", "\t"}, *const BEHIND[] = {"", "", "\n", " "};
    char text[TEST_CELL_BYTES];
    size_t kind = below(w, 12), form = below(w, 4);
    snprintf(text, sizeof text, "%s%s%s", BEFORE[form], TITLES[below(w, TITLES_N)], BEHIND[form]);
    if (kind == 0)
        set_null(c);
    else
        set_text(c, kind == 1 ? "" : kind == 2 ? " \n " : text);
}

static void draw_status(test_world *w, test_cell *c, test_meaning *m) {
    static const int STATUS[] = {404, 301, 500, 204};
    m->status = 200;
    switch (below(w, 14)) {
    case 0: set_int(c, m->status = STATUS[below(w, 4)]); return;
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
    m->failed = percent(w, 5);
    if (m->failed)
        set_text(c, "timeout");
    else if (percent(w, 50))
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
    if (percent(w, 60)) return;
    if (percent(w, 70)) {
        size_t k = percent(w, 60) ? 0 : below(w, 11);
        set_text(c, TEXTS[k].text);
        m->noindex = TEXTS[k].noindex;
    } else {
        size_t k = percent(w, 50) ? 0 : below(w, 6);
        set_int(c, BITS[k].bits);
        m->noindex = BITS[k].noindex;
    }
}

static void draw_date(test_world *w, test_cell *c, test_meaning *m) {
    m->dated = true;
    switch (below(w, 8)) {
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
        set_int(c, m->fetched_at = percent(w, 20) ? 1714557630 : (int64_t)below(w, 4) * 100);
        return;
    }
}

static void draw_score(test_world *w, test_cell *c, test_meaning *m) {
    static const double REALS[] = {-1.5, 0.5, 1e300, -0.0, 2};
    m->scored = true;
    switch (below(w, 6)) {
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
        m->score = REALS[below(w, 5)];
        *c = (test_cell){.type = SQLITE_FLOAT, .r = m->score};
        return;
    default:
        set_int(c, (int64_t)below(w, 3));
        m->score = (double)c->i;
        return;
    }
}

/* One of a few names, or none. */
static void draw_name(test_world *w, test_cell *c, char ret_name[8], const char *prefix,
                      size_t share) {
    ret_name[0] = '\0';
    if (percent(w, share)) {
        snprintf(ret_name, 8, "%s%d", prefix, (int)below(w, 3));
        set_text(c, ret_name);
    } else if (percent(w, 20)) {
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

static void draw_column(test_world *w, test_page *p, test_column column) {
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
    case TEST_REDIRECT: draw_links(w, p); break;
    case TEST_HREFLANG: draw_name(w, c, p->means.hreflang, "h", 25); break;
    case TEST_FETCHED: draw_date(w, c, &p->means); break;
    case TEST_SCORE: draw_score(w, c, &p->means); break;
    case TEST_LAYOUT: draw_name(w, c, p->means.layout, "L", 50); break;
    default: break;
    }
}

/* ---- worlds ------------------------------------------------------------- */

test_world *test_world_new(uint64_t seed, test_shape shape) {
    test_world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->seed = seed;
    w->rng = test_rng_seed(seed * 2654435761 + shape);
    w->shape = shape;
    w->hosts = 1 + below(w, HOSTS_N);
    w->paths = 2 + below(w, PATHS_N - 1);
    w->texts = 2 + below(w, 12);
    w->collapse_host = percent(w, 20) ? (int)below(w, w->hosts) : -1;
    return w;
}

void test_world_free(test_world *w) {
    free(w);
}

test_rng *test_world_rng(test_world *w) {
    return &w->rng;
}

static int64_t draw_key(test_world *w) {
    for (;;) {
        int64_t key = (int64_t)below(w, KEYS) - 20;
        bool free_key = true;
        for (size_t i = 0; i < w->n; i++)
            if (w->page[i].alive || w->page[i].stored)
                free_key &= w->page[i].key != key && w->page[i].born != key;
        if (free_key) return key;
    }
}

static test_page *add_page(test_world *w) {
    size_t at = 0;
    while (at < w->n && (w->page[at].alive || w->page[at].stored)) at++;
    if (at == PAGES_MAX) return NULL;
    int64_t key = draw_key(w);
    if (at == w->n) w->n++;
    test_page *p = &w->page[at];
    *p = (test_page){.key = key, .born = key, .alive = true, .dirty = true};
    for (int c = 0; c < TEST_COLUMNS; c++) draw_column(w, p, (test_column)c);
    return p;
}

void test_world_grow(test_world *w, size_t pages) {
    for (size_t i = 0; i < pages; i++) (void)add_page(w);
}

/* A page takes the URL of another one, which INSERT OR REPLACE removes from our own table. */
static void push_out(test_world *w, test_page *p) {
    test_page *other = &w->page[below(w, w->n)];
    if (other == p || !other->alive || !other->stored || other->dirty) return;
    p->cell[TEST_URL] = other->cell[TEST_URL];
    const test_meaning *o = &other->means;
    test_meaning *m = &p->means;
    m->usable = o->usable;
    m->web = o->web;
    m->https = o->https;
    m->www = o->www;
    memcpy(m->url, o->url, sizeof m->url);
    memcpy(m->scheme, o->scheme, sizeof m->scheme);
    memcpy(m->host, o->host, sizeof m->host);
    memcpy(m->domain, o->domain, sizeof m->domain);
    memcpy(m->path, o->path, sizeof m->path);
    draw_links(w, p); /* relative ones have another meaning now */
    other->alive = false;
    other->pushed = true;
    p->dirty = p->replaces = true;
}

static void change_page(test_world *w, test_page *p) {
    const test_column column = (test_column)below(w, TEST_COLUMNS);
    draw_column(w, p, column);
    if (column == TEST_URL) draw_column(w, p, TEST_CANONICAL);
    p->dirty = true;
}

void test_world_change(test_world *w, size_t changes) {
    for (size_t i = 0; i < changes; i++) {
        test_page *p = &w->page[below(w, w->n)];
        size_t kind = below(w, 20);
        if (kind < 4) {
            p = add_page(w);
            if (p && kind == 0 && w->shape == TEST_OWN) push_out(w, p);
            continue;
        }
        if (!p->alive || p->replaces) continue;
        if (kind < 7)
            p->alive = false;
        else if (kind == 7 && p->stored)
            p->key = draw_key(w), p->dirty = true;
        else if (kind == 8 && w->shape == TEST_OWN)
            push_out(w, p);
        else
            change_page(w, p);
    }
}

static int by_id(const void *a, const void *b, void *arg) {
    const test_page *x = *(const test_page *const *)a, *y = *(const test_page *const *)b;
    const test_world *w = arg;
    char id[2][TEST_ID_BYTES];
    if (integer_keys(w->shape)) return (x->key > y->key) - (x->key < y->key);
    test_page_id(w->shape, x->key, id[0]);
    test_page_id(w->shape, y->key, id[1]);
    return strcmp(id[0], id[1]);
}

size_t test_world_pages(test_world *w, const test_page *const **ret_pages) {
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->page[i].alive) w->sorted[n++] = &w->page[i];
    qsort_r(w->sorted, n, sizeof w->sorted[0], by_id, w);
    *ret_pages = w->sorted;
    return n;
}

/* ---- stores ------------------------------------------------------------- */

static int64_t site_of(int64_t key) {
    return ((key % 3) + 3) % 3;
}

void test_page_id(test_shape shape, int64_t key, char ret_id[TEST_ID_BYTES]) {
    switch (shape) {
    case TEST_TEXT_KEYS: snprintf(ret_id, TEST_ID_BYTES, "k%" PRId64, key); return;
    case TEST_JSON: snprintf(ret_id, TEST_ID_BYTES, "j%" PRId64, key); return;
    case TEST_WITHOUT_ROWID:
        snprintf(ret_id, TEST_ID_BYTES, "s%" PRId64 "/%" PRId64, site_of(key), key);
        return;
    default: snprintf(ret_id, TEST_ID_BYTES, "%" PRId64, key); return;
    }
}

/* ?1, ?2: the key's columns; ?3: the version; ?4 and on: the cells. ?20, ?21: the current key. */
typedef struct shape_sql {
    const char *make, *insert, *update, *drop, *source;
} shape_sql;

static const shape_sql SQL[TEST_SHAPES] = {
    [TEST_OWN] = {.insert = "INSERT INTO documents(id, url, text, title, description, http_status, "
                            "failure, robots, canonical_url, redirect_url, hreflang_group, "
                            "fetched_at, score, layout_digest) VALUES (?1, ?4, ?5, ?6, ?7, ?8, ?9, "
                            "?10, ?11, ?12, ?13, ?14, ?15, ?16)",
                  .update = "UPDATE OR REPLACE documents SET id = ?1, url = ?4, text = ?5, title = "
                            "?6, description = ?7, http_status = ?8, failure = ?9, robots = ?10, "
                            "canonical_url = ?11, redirect_url = ?12, hreflang_group = ?13, "
                            "fetched_at = ?14, score = ?15, layout_digest = ?16 WHERE id = ?20",
                  .drop = "DELETE FROM documents WHERE id = ?20",
                  .source = "SELECT * FROM documents ORDER BY id"},
    [TEST_PAGES] =
        {.make = "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, title, content, status_code, "
                 "fetched_at, description, error, robots, canonical, redirect_url, "
                 "translation_group, inlinks, layout_digest, v);CREATE TABLE visits(id INTEGER "
                 "PRIMARY KEY, page, at); INSERT INTO visits(page, at) VALUES (1, 2);",
         .insert =
             "INSERT INTO pages(id, url, content, title, description, status_code, error, robots, "
             "canonical, redirect_url, translation_group, fetched_at, inlinks, layout_digest, v) "
             "VALUES (?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?3)",
         .update = "UPDATE pages SET id = ?1, url = ?4, content = ?5, title = ?6, description = "
                   "?7, status_code = ?8, error = ?9, robots = ?10, canonical = ?11, redirect_url "
                   "= ?12, translation_group = ?13, fetched_at = ?14, inlinks = ?15, layout_digest "
                   "= ?16, v = ?3 WHERE id = ?20",
         .drop = "DELETE FROM pages WHERE id = ?20",
         .source = "SELECT * FROM pages ORDER BY id"},
    [TEST_NARROW] = {.make = "CREATE TABLE pages(id INTEGER PRIMARY KEY, url TEXT, title TEXT, "
                             "content TEXT, status_code INTEGER, fetched_at TEXT)",
                     .insert = "INSERT INTO pages(id, url, content, title, status_code, "
                               "fetched_at) VALUES (?1, ?4, ?5, ?6, ?8, ?14)",
                     .update = "UPDATE pages SET id = ?1, url = ?4, content = ?5, title = ?6, "
                               "status_code = ?8, fetched_at = ?14 WHERE id = ?20",
                     .drop = "DELETE FROM pages WHERE id = ?20",
                     .source = "SELECT * FROM pages ORDER BY id"},
    [TEST_TEXT_KEYS] =
        {.make = "CREATE TABLE articles(name TEXT PRIMARY KEY, link, body, head, lead, code, "
                 "broken, meta, same_as, moved_to, family, seen, votes, markup, v)",
         .insert = "INSERT INTO articles VALUES (?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
                   "?14, ?15, ?16, ?3)",
         .update = "UPDATE articles SET name = ?1, link = ?4, body = ?5, head = ?6, lead = ?7, "
                   "code = ?8, broken = ?9, meta = ?10, same_as = ?11, moved_to = ?12, family = "
                   "?13, seen = ?14, votes = ?15, markup = ?16, v = ?3 WHERE name = ?20",
         .drop = "DELETE FROM articles WHERE name = ?20",
         .source = "SELECT rowid, * FROM articles ORDER BY name"},
    [TEST_WITHOUT_ROWID] =
        {.make = "CREATE TABLE items(site INTEGER, number INTEGER, link, body, head, lead, code, "
                 "broken, meta, same_as, moved_to, family, seen, votes, markup, v, PRIMARY "
                 "KEY(number, site)) WITHOUT ROWID",
         .insert = "INSERT INTO items VALUES (?1, ?2, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
                   "?14, ?15, ?16, ?3)",
         .update =
             "UPDATE items SET site = ?1, number = ?2, link = ?4, body = ?5, head = ?6, lead = ?7, "
             "code = ?8, broken = ?9, meta = ?10, same_as = ?11, moved_to = ?12, family = ?13, "
             "seen = ?14, votes = ?15, markup = ?16, v = ?3 WHERE site = ?20 AND number = ?21",
         .drop = "DELETE FROM items WHERE site = ?20 AND number = ?21",
         .source = "SELECT * FROM items ORDER BY number, site"},
    [TEST_JSON] =
        {.make = "CREATE TABLE docs(name TEXT PRIMARY KEY, body TEXT, v)",
         .insert = "INSERT INTO docs VALUES (?1, json_object('link', ?4, 'body', ?5, 'head', ?6, "
                   "'lead', ?7, 'code', ?8, 'broken', ?9, 'meta', ?10, 'same_as', ?11, 'moved_to', "
                   "?12, 'family', ?13, 'seen', ?14, 'votes', ?15, 'markup', ?16), ?3)",
         .update =
             "UPDATE docs SET name = ?1, body = json_object('link', ?4, 'body', ?5, 'head', ?6, "
             "'lead', ?7, 'code', ?8, 'broken', ?9, 'meta', ?10, 'same_as', ?11, 'moved_to', ?12, "
             "'family', ?13, 'seen', ?14, 'votes', ?15, 'markup', ?16), v = ?3 WHERE name = ?20",
         .drop = "DELETE FROM docs WHERE name = ?20",
         .source = "SELECT rowid, * FROM docs ORDER BY name"},
};

/* The columns of a shape whose names are its own, in the order of test_column. */
static const char *const OWN_NAMES[TEST_COLUMNS] = {
    "link",    "body",     "head",   "lead", "code",  "broken", "meta",
    "same_as", "moved_to", "family", "seen", "votes", "markup"};
static const char *const SETTINGS[TEST_COLUMNS] = {
    "store.url",           "store.text",           "store.title",      "store.description",
    "store.http_status",   "store.failure",        "store.robots",     "store.canonical_url",
    "store.redirect_url",  "store.hreflang_group", "store.fetched_at", "store.score",
    "store.layout_digest",
};

sqlite3 *test_open(const char *path) {
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK) fail_msg("open %s: %s", path, sqlite3_errmsg(db));
    sqlite3_busy_timeout(db, 10000);
    return db;
}

void test_exec(sqlite3 *db, const char *sql) {
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", message, sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    return stmt;
}

int64_t test_integer(sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = prepare(db, sql);
    if (sqlite3_step(stmt) != SQLITE_ROW) fail_msg("no row: %s: %s", sqlite3_errmsg(db), sql);
    int64_t value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

static void bind_key(sqlite3_stmt *stmt, test_shape shape, int64_t key, int at) {
    char id[TEST_ID_BYTES];
    if (at > sqlite3_bind_parameter_count(stmt)) return;
    test_page_id(shape, key, id);
    if (shape == TEST_WITHOUT_ROWID) {
        sqlite3_bind_int64(stmt, at, site_of(key));
        sqlite3_bind_int64(stmt, at + 1, key);
    } else if (integer_keys(shape)) {
        sqlite3_bind_int64(stmt, at, key);
    } else {
        sqlite3_bind_text(stmt, at, id, -1, SQLITE_TRANSIENT);
    }
}

static void bind_cell(sqlite3_stmt *stmt, int at, const test_cell *c) {
    switch (c->type) {
    case SQLITE_INTEGER: sqlite3_bind_int64(stmt, at, c->i); break;
    case SQLITE_FLOAT: sqlite3_bind_double(stmt, at, c->r); break;
    case SQLITE_TEXT: sqlite3_bind_text(stmt, at, c->bytes, (int)c->n, SQLITE_STATIC); break;
    case SQLITE_BLOB: sqlite3_bind_blob(stmt, at, c->bytes, (int)c->n, SQLITE_STATIC); break;
    default: sqlite3_bind_null(stmt, at); break;
    }
}

static void run_stmt(sqlite3 *db, sqlite3_stmt *stmt) {
    if (sqlite3_step(stmt) != SQLITE_DONE)
        fail_msg("%s: %s", sqlite3_errmsg(db), sqlite3_sql(stmt));
    sqlite3_finalize(stmt);
}

static void write_page(test_world *w, sqlite3 *db, const test_page *p, bool replace) {
    char insert[SQL_MAX];
    bool again = p->stored && !replace;
    snprintf(insert, sizeof insert, "INSERT%s %s", p->replaces || replace ? " OR REPLACE" : "",
             SQL[w->shape].insert + strlen("INSERT "));
    sqlite3_stmt *stmt = prepare(db, again ? SQL[w->shape].update : insert);
    bind_key(stmt, w->shape, p->key, 1);
    sqlite3_bind_int64(stmt, 3, ++w->version);
    for (int c = 0; c < TEST_COLUMNS; c++) bind_cell(stmt, 4 + c, &p->cell[c]);
    if (again) bind_key(stmt, w->shape, p->born, 20);
    run_stmt(db, stmt);
}

void test_store_make(const test_world *w, const char *path) {
    if (w->shape == TEST_OWN) {
        twindex *t = twindex_new();
        assert_non_null(t);
        if (twindex_init(t, path) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
        twindex_free(t);
        return;
    }
    sqlite3 *db = test_open(path);
    test_exec(db, w->seed % 2 ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=DELETE");
    test_exec(db, SQL[w->shape].make);
    sqlite3_close(db);
}

void test_store_sync(test_world *w, const char *path) {
    sqlite3 *db = test_open(path);
    test_exec(db, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE");
    for (size_t i = 0; i < w->n; i++) {
        test_page *p = &w->page[i];
        if (p->alive || !p->stored) continue;
        sqlite3_stmt *stmt = p->pushed ? NULL : prepare(db, SQL[w->shape].drop);
        if (stmt) bind_key(stmt, w->shape, p->born, 20);
        if (stmt) run_stmt(db, stmt);
        p->stored = p->pushed = false;
    }
    for (size_t i = 0; i < w->n; i++) {
        test_page *p = &w->page[i];
        if (!p->alive || !p->dirty) continue;
        write_page(w, db, p,
                   p->stored && p->born == p->key && integer_keys(w->shape) && percent(w, 30));
        p->born = p->key;
        p->stored = true;
        p->dirty = p->replaces = false;
    }
    test_exec(db, "COMMIT");
    sqlite3_close(db);
}

void test_store_fill(test_world *w, const char *path, uint64_t seed) {
    uint64_t order[PAGES_MAX];
    test_rng rng = test_rng_seed(seed);
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->page[i].alive) order[n++] = i;
    test_rng_shuffle(&rng, order, n);
    sqlite3 *db = test_open(path);
    test_exec(db, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE");
    for (size_t i = 0; i < n; i++) {
        test_page copy = w->page[order[i]];
        copy.stored = copy.replaces = false;
        write_page(w, db, &copy, false);
    }
    test_exec(db, "COMMIT");
    sqlite3_close(db);
}

/* ---- digests ------------------------------------------------------------ */

static uint64_t hash_rows(sqlite3 *db, const char *sql, uint64_t h) {
    sqlite3_stmt *stmt = prepare(db, sql);
    int rc = SQLITE_ROW;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
        for (int c = 0; c < sqlite3_column_count(stmt); c++) {
            int type = sqlite3_column_type(stmt, c);
            h = hash_bytes(&type, sizeof type, h);
            const void *bytes = sqlite3_column_blob(stmt, c);
            h = hash_bytes(bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, c), h);
        }
    if (rc != SQLITE_DONE) fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    sqlite3_finalize(stmt);
    return h;
}

uint64_t test_store_source(const test_world *w, const char *path) {
    sqlite3 *db = test_open(path);
    uint64_t h = hash_rows(db, SQL[w->shape].source, 7);
    h = hash_rows(db,
                  "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE "
                  "'twindex!_%' ESCAPE '!' AND name NOT LIKE 'sqlite!_autoindex!_twindex!_%' "
                  "ESCAPE '!' AND name NOT IN ('document_flags', 'flagged_documents', "
                  "'duplicate_groups', 'document_alternates', 'sqlite_sequence') ORDER BY name",
                  h);
    sqlite3_close(db);
    return h;
}

uint64_t test_store_content(const char *path) {
    if (access(path, F_OK) != 0) return 0;
    sqlite3 *db = test_open(path);
    uint64_t h = hash_rows(db, "SELECT * FROM sqlite_schema ORDER BY name", 3);
    sqlite3_stmt *tables = prepare(
        db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    while (sqlite3_step(tables) == SQLITE_ROW) {
        char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"",
                                    (const char *)sqlite3_column_text(tables, 0));
        h = hash_rows(db, sql, h);
        sqlite3_free(sql);
    }
    sqlite3_finalize(tables);
    sqlite3_close(db);
    return h;
}

/* ---- twindex ------------------------------------------------------------ */

void test_set(twindex *t, const char *name, const char *value) {
    if (twindex_set(t, name, value) != TWINDEX_OK)
        fail_msg("%s = %s: %s", name, value, twindex_message(t));
}

static void map_columns(const test_world *w, twindex *t) {
    static const char *const FROM[TEST_SHAPES] = {
        [TEST_TEXT_KEYS] = "articles", [TEST_WITHOUT_ROWID] = "items", [TEST_JSON] = "docs"};
    char expression[64];
    if (!FROM[w->shape]) return;
    test_set(t, "store.from", FROM[w->shape]);
    test_set(t, "store.id",
             w->shape == TEST_WITHOUT_ROWID ? "'s' || site || '/' || number" : "name");
    for (int c = 0; c < TEST_COLUMNS; c++) {
        snprintf(expression, sizeof expression,
                 w->shape == TEST_JSON ? "json_extract(body, '$.%s')" : "%s", OWN_NAMES[c]);
        test_set(t, SETTINGS[c], expression);
    }
}

twindex *test_twindex(const test_world *w, const char *store, const char *flags, bool changed) {
    twindex *t = twindex_new();
    assert_non_null(t);
    map_columns(w, t);
    test_set(t, "run.pause_ms", "0");
    test_set(t, "store.joined_view", "yes");
    if (flags) test_set(t, "store.flags", flags);
    if (changed) test_set(t, "store.changed", "v");
    if (twindex_open(t, store) != TWINDEX_OK) fail_msg("%s", twindex_message(t));
    return t;
}

static int discard(void *arg, const char *bytes, size_t n) {
    (void)arg, (void)bytes, (void)n;
    return 0;
}

void test_run(twindex *t, const twindex_run_options *options, int wanted) {
    const twindex_sink sink = {.write = discard, .format = TWINDEX_TEXT};
    const twindex_run_options plain = {0};
    int got = twindex_run(t, options ? options : &plain, &sink);
    if (got != wanted) fail_msg("run ended with %d, not %d: %s", got, wanted, twindex_message(t));
}

static int keep_digest(void *arg, const char *bytes, size_t n) {
    char *to = arg;
    size_t have = strlen(to);
    for (size_t i = 0; i < n && have < 32 && bytes[i] != '\n'; i++) to[have++] = bytes[i];
    to[have] = '\0';
    return 0;
}

void test_digest(twindex *t, char ret_digest[33]) {
    memset(ret_digest, 0, 33);
    const twindex_sink sink = {.write = keep_digest, .arg = ret_digest, .format = TWINDEX_TEXT};
    if (twindex_digest(t, &sink) != TWINDEX_OK) fail_msg("digest: %s", twindex_message(t));
    assert_int_equal(strlen(ret_digest), 32);
}

const char *test_file(const char *name) {
    static const char *const TAILS[] = {"", "-wal", "-shm", "-journal", "-twindex-lock"};
    static char paths[16][4300];
    static size_t next;
    char *path = paths[next++ % 16], other[4400];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
    for (size_t i = 0; i < sizeof TAILS / sizeof *TAILS; i++) {
        snprintf(other, sizeof other, "%s%s", path, TAILS[i]);
        unlink(other);
    }
    return path;
}
