#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { KEYS = 600 };

test_world *test_world_new(uint64_t seed, test_shape shape) {
    test_world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->seed = seed;
    w->rng = test_rng_seed(seed * 2654435761 + shape);
    w->shape = shape;
    w->hosts = 1 + test_world_below(w, TEST_HOSTS);
    w->paths = 2 + test_world_below(w, TEST_PATHS - 1);
    w->texts = 2 + test_world_below(w, 12);
    w->collapse_host = test_world_percent(w, 20) ? (int)test_world_below(w, w->hosts) : -1;
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
        int64_t key = (int64_t)test_world_below(w, KEYS) - 20;
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
    for (int c = 0; c < TEST_COLUMNS; c++) test_draw_column(w, p, (test_column)c);
    return p;
}

void test_world_grow(test_world *w, size_t pages) {
    for (size_t i = 0; i < pages; i++) (void)add_page(w);
}

/* A page takes the URL of another one, which INSERT OR REPLACE removes from our own table. */
static void push_out(test_world *w, test_page *p) {
    test_page *other = &w->page[test_world_below(w, w->n)];
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
    test_draw_links(w, p); /* relative ones have another meaning now */
    other->alive = false;
    other->pushed = true;
    p->dirty = p->replaces = true;
}

static void change_page(test_world *w, test_page *p) {
    const test_column column = (test_column)test_world_below(w, TEST_COLUMNS);
    test_draw_column(w, p, column);
    if (column == TEST_URL) test_draw_column(w, p, TEST_CANONICAL);
    p->dirty = true;
}

void test_world_change(test_world *w, size_t changes) {
    for (size_t i = 0; i < changes; i++) {
        test_page *p = &w->page[test_world_below(w, w->n)];
        size_t kind = test_world_below(w, 20);
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
    if (test_integer_keys(w->shape)) return (x->key > y->key) - (x->key < y->key);
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
