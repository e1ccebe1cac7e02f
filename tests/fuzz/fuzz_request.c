/* wings: serve */
/* A request to the workbench: method and target, lines of header, an empty line, a body. It is
 * answered by the functions of src/serve with a small store, without a socket. Laws: the status is
 * one that the interface names, and no internal error; an answer is JSON, and a refusal says why;
 * without the token nothing below /api/ is answered; only files named at start are written, and
 * pins keep what they had; the store stays as it is. */
#include "exact_copy.h"

#include <sys/stat.h>

#include "../support/serve_store.h"
#include "serve/serve.h"

static const char TOKEN[] = "0123456789abcdef0123456789abcdef",
                  PINS[] = "keep http://a.example/1\n";

static char folder[] = "/tmp/fuzz-request-XXXXXX", store[64], rules[64], pins[64];
static const char *const RULES[] = {rules};
static struct stat made;
static twx_serve_options options;
static twx_server server;

/* ---- the store ---------------------------------------------------------------- */

/* A file is not written, but what would be is checked. */
static twx_rc save(twx_ctx *cx, const char *path, twx_slice bytes) {
    (void)cx;
    law(path == rules || strcmp(path, pins) == 0);
    law(path == rules || twx_slice_starts(bytes, twx_slice_of(PINS)));
    return TWX_OK;
}

static void remove_all(void) {
    static const char *const NAMES[] = {"s.db",    "s.db-wal", "s.db-shm", "s.db-twindex-lock",
                                        "a.rules", "pins"};
    char path[96];
    for (size_t i = 0; i < TWX_COUNTOF(NAMES); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, NAMES[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void start(void) {
    twx_ctx cx = {0};
    twindex *t = twindex_new();
    law(t && mkdtemp(folder) && atexit(remove_all) == 0);
    snprintf(store, sizeof store, "%s/s.db", folder);
    snprintf(rules, sizeof rules, "%s/a.rules", folder);
    snprintf(pins, sizeof pins, "%s/pins", folder);
    law(serve_store_write(rules, "[boost]\nrepresentative_b:true^10\n"));
    law(serve_store_write(pins, PINS));
    law(twindex_set(t, "run.jobs", "1") == TWINDEX_OK && serve_store_make(t, folder, store));
    law(twindex_set(t, "verdict.pins", pins) == TWINDEX_OK && stat(store, &made) == 0);
    options = (twx_serve_options){.rules = RULES, .n_rules = 1, .save = save};
    server = (twx_server){.t = t, .options = &options, .port = 8040};
    memcpy(server.token, TOKEN, sizeof TOKEN);
    pthread_mutex_init(&server.writing, NULL);
    law(twx_pool_open(&cx, &server, &server.pool) == TWX_OK);
}

/* ---- a request ---------------------------------------------------------------- */

/* The text up to a byte, which is taken out of the rest. */
static twx_slice next(twx_slice *rest, char end) {
    const size_t to = twx_slice_find(*rest, end, 0);
    const twx_slice part = twx_slice_sub(*rest, 0, to);
    *rest = twx_slice_sub(*rest, to < rest->n ? to + 1 : to, rest->n);
    return part;
}

static void read_field(twx_slice line, twx_request *r) {
    const struct {
        const char *name;
        twx_slice *field;
    } fields[] = {{"Host", &r->host},         {"Origin", &r->origin},
                  {"Site", &r->fetch_site},   {"Token", &r->token},
                  {"Type", &r->content_type}, {"Length", &r->content_length},
                  {"Coding", &r->coding},     {"Prefer", &r->prefer}};
    const twx_slice name = next(&line, ':');
    for (size_t i = 0; i < TWX_COUNTOF(fields); i++)
        if (twx_slice_eq(name, twx_slice_of(fields[i].name))) {
            *fields[i].field = twx_slice_trim(line);
            r->hosts += i == 0;
        }
}

static twx_request request_of(twx_slice input) {
    twx_request r = {.method = next(&input, ' '), .target = next(&input, '\n')};
    for (twx_slice line = next(&input, '\n'); line.n; line = next(&input, '\n'))
        read_field(line, &r);
    r.body = input;
    return r;
}

static bool is_status(unsigned status) {
    static const unsigned STATUS[] = {200, 400, 401, 403, 404, 405, 409, 411, 413, 415, 421, 422};
    for (size_t i = 0; i < TWX_COUNTOF(STATUS); i++)
        if (STATUS[i] == status) return true;
    return false;
}

static void check(const twx_request *r, const twx_answer *a) {
    const bool api = twx_slice_starts(twx_request_path(r), TWX_SLICE_LIT("/api/"));
    law(is_status(a->status));
    law(a->status != TWX_HTTP_OK || !api || twx_slice_eq(r->token, twx_slice_of(TOKEN)));
    if (a->content != TWX_ANSWER_JSON) return;
    json_t *value = json_loadb(a->body.p ? a->body.p : "", a->body.n, 0, NULL);
    law(value != NULL);
    law(a->status == TWX_HTTP_OK || json_is_string(json_object_get(value, "error")));
    json_decref(value);
}

static void answer(const twx_request *r, twx_answer *a) {
    const twx_route *route = NULL;
    if (!twx_request_allowed(&server, r, a)) return;
    if (twx_route_find(&server, r, a, &route) == TWX_VERDICT_ANSWERED) return;
    twindex *t = twindex_copy(server.t);
    law(t != NULL);
    twx_route_run(&server, route, r, t, a);
    twindex_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct stat now;
    twx_answer a;
    if (!server.t) start();
    const twx_slice input = exact_copy(data, size);
    const twx_request r = request_of(input);
    twx_answer_init(&a);
    answer(&r, &a);
    check(&r, &a);
    law(stat(store, &now) == 0 && now.st_mtim.tv_sec == made.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == made.st_mtim.tv_nsec && now.st_size == made.st_size);
    twx_answer_done(&a);
    return exact_end();
}
