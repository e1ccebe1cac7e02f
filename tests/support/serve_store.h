/* tests/support/serve_store.h: a small store for tests of the workbench (src/serve): three
 * documents, two of which are duplicates, flags and a text index. */
#ifndef TWINDEX_TEST_SERVE_STORE_H
#define TWINDEX_TEST_SERVE_STORE_H

#include <unistd.h>

#include "base/base.h"
#include "twindex/twindex.h"

static inline twx_rc save_nothing(twx_ctx *cx, const char *path, twx_slice bytes) {
    (void)cx, (void)path, (void)bytes;
    return TWX_OK;
}

static int serve_store_discard(void *arg, const char *bytes, size_t n) {
    (void)arg, (void)bytes, (void)n;
    return 0;
}

static bool serve_store_write(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

/* Makes `store` in `folder` and opens it. */
static bool serve_store_make(twindex *t, const char *folder, const char *store) {
    static const char CRAWL[] =
        "{\"url\":\"http://a.example/1\",\"title\":\"Rivers\",\"text\":\"rivers and stones\"}\n"
        "{\"url\":\"http://a.example/2\",\"title\":\"Rivers\",\"text\":\"rivers and stones\"}\n"
        "{\"url\":\"http://a.example/3\",\"title\":\"<b>\",\"text\":\"lakes, and no river\"}\n";
    const twindex_sink sink = {.write = serve_store_discard};
    const twindex_run_options run = {.force = true};
    char crawl[4400];
    const char *const files[] = {crawl};
    snprintf(crawl, sizeof crawl, "%s/crawl.jsonl", folder);
    return serve_store_write(crawl, CRAWL) && twindex_init(t, store) == TWINDEX_OK &&
           twindex_open(t, store) == TWINDEX_OK &&
           twindex_import(t, files, 1, &sink) == TWINDEX_OK &&
           twindex_run(t, &run, &sink) == TWINDEX_OK &&
           twindex_index(t, false, &sink) == TWINDEX_OK && unlink(crawl) == 0;
}

/* A request that is answered with status 200 when the store is open and a rules file "a.rules" and
 * a pins file are named. */
typedef struct serve_request {
    const char *method, *target, *body;
    bool timed; /* the answer contains times */
} serve_request;

static const serve_request SERVE_REQUESTS[] = {
    {"GET", "/api/about", "", false},
    {"GET", "/api/documents?q=rivers", "", false},
    {"GET", "/api/documents?q=a.example/", "", false},
    {"GET", "/api/explain?id=2", "", false},
    {"GET", "/api/compare?a=1&b=2", "", false},
    {"POST", "/api/search",
     "{\"query\": \"rivers\", \"rules\": [{\"name\": \"A\", \"text\": \"\"}, {\"name\": \"B\", "
     "\"text\": \"[boost]\\nhost:a.example^2\"}]}",
     false},
    {"POST", "/api/rules/check", "{\"text\": \"[boost]\\nx\"}", false},
    {"POST", "/api/rules/check", "{\"text\": \"[boost]\\nrepresentative_b:true\"}", false},
    {"GET", "/api/pins", "", false},
    {"POST", "/api/pins", "{\"kind\": \"keep\", \"a\": 1}", false},
    {"POST", "/api/dry-run", "{\"settings\": {}, \"pin\": {\"kind\": \"keep\", \"a\": 2}}", true},
    {"POST", "/api/report", "{}", true},
};
enum { SERVE_REQUESTS_N = sizeof SERVE_REQUESTS / sizeof SERVE_REQUESTS[0] };

#endif
