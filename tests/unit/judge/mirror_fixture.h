/* Cases of judge/mirrors.c, built host by host, and their results as text. */
#ifndef TWINDEX_TEST_MIRROR_FIXTURE_H
#define TWINDEX_TEST_MIRROR_FIXTURE_H

#include "judge/internal.h"
#include "support.h"

enum { DOCUMENTS_MAX = 4000, HOSTS_MAX = 300, NAME_BYTES = 24 };

static const char *const NO_GROUP = "";

/* A case under construction. */
typedef struct world {
    twx_mirror_document documents[DOCUMENTS_MAX];
    char names[HOSTS_MAX][NAME_BYTES];
    twx_slice hosts[HOSTS_MAX];
    twx_mirror_case in;
} world;

static inline world *fresh(void) {
    static world w;
    w.in = (twx_mirror_case){.documents = w.documents,
                             .hosts = w.hosts,
                             .ratio_ppm = 800000,
                             .min_documents = 1,
                             .group_hosts = 200};
    return &w;
}

static inline uint32_t host(world *w, const char *name) {
    for (uint32_t h = 0; h < w->in.hosts_n; h++)
        if (strcmp(w->names[h], name) == 0) return h;
    assert_true(w->in.hosts_n < HOSTS_MAX && strlen(name) < NAME_BYTES);
    snprintf(w->names[w->in.hosts_n], NAME_BYTES, "%s", name);
    w->hosts[w->in.hosts_n] = twx_slice_of(w->names[w->in.hosts_n]);
    return w->in.hosts_n++;
}

static inline void add(world *w, uint32_t h, uint32_t exact, uint32_t near, bool survives) {
    assert_true(w->in.n < DOCUMENTS_MAX);
    w->documents[w->in.n++] = (twx_mirror_document){
        .host = h, .exact = exact, .near = near, .survives = survives};
    if (exact != TWX_NO_DOCUMENT && exact >= w->in.exact_groups) w->in.exact_groups = exact + 1;
    if (near != TWX_NO_DOCUMENT && near >= w->in.near_groups) w->in.near_groups = near + 1;
}

/* A host whose documents are the exact groups first..last; a document each. */
static inline void has_exact(world *w, const char *name, uint32_t first, uint32_t last) {
    for (uint32_t group = first; group <= last; group++)
        add(w, host(w, name), group, TWX_NO_DOCUMENT, false);
}

static inline void has_near(world *w, const char *name, uint32_t first, uint32_t last) {
    for (uint32_t group = first; group <= last; group++)
        add(w, host(w, name), TWX_NO_DOCUMENT, group, false);
}

static inline void has_own(world *w, const char *name, size_t n, bool survive) {
    while (n--) add(w, host(w, name), TWX_NO_DOCUMENT, TWX_NO_DOCUMENT, survive);
}

static inline twx_mirrors find(const world *w) {
    twx_ctx cx = {0};
    twx_mirrors m = {0};
    if (twx_mirrors_find(&cx, &w->in, &m) != TWX_OK) fail_msg("%s", cx.message);
    return m;
}

/* "b>a exact 8/10, " for each row. */
static inline void print_rows(const world *w, const twx_mirrors *m, size_t room, char *ret_text) {
    size_t n = 0;
    ret_text[0] = '\0';
    for (size_t i = 0; i < m->rows.n && n < room; i++) {
        const twx_mirror *row = &m->rows.at[i];
        n += (size_t)snprintf(ret_text + n, room - n, "%s>%s %s %" PRIu64 "/%" PRIu64 ", ",
                              w->names[row->host], w->names[row->mirror_of],
                              twx_mirror_level_name(row->level), row->shared, row->documents);
    }
}

static inline void expect(const world *w, const char *wanted) {
    char got[1024];
    twx_mirrors m = find(w);
    print_rows(w, &m, sizeof got, got);
    assert_string_equal(got, wanted);
    twx_mirrors_done(&m);
}

#endif
