#include "ext/ext.h"

#include "function_rows.h"
#include "sql_text.h"

/* ==== ext_about */

enum { HELP_MAX = 1 << 16 };

static twx_rc allow_indirect(twx_ext_call *call) {
    twx_ext *x = call->ext;
    int64_t wanted = 0;
    twx_rc rc = twx_ext_integer(call, 1, &wanted);
    if (rc != TWX_OK) return rc;
    if (wanted != 0 && wanted != 1)
        return twx_fail(&x->cx, TWX_E_USAGE, "indirect is %lld: give 0 or 1", (long long)wanted);
    if (!wanted && x->indirect)
        return twx_fail(&x->cx, TWX_E_USAGE, "indirect stays on until the connection is closed");
    if (!wanted) return TWX_OK;
    const int code = twx_ext_allow_indirect(x);
    if (code == SQLITE_OK) return TWX_OK;
    return twx_fail(&x->cx, code == SQLITE_NOMEM ? TWX_E_NOMEM : TWX_E_INTERNAL,
                    "cannot register the functions: %s", sqlite3_errstr(code));
}

/* twindex_config('indirect'[, 1]): sets the option if a value is given, and returns it. */
static twx_rc config(twx_ext_call *call) {
    twx_slice name;
    twx_rc rc = twx_ext_bytes(call, 0, &name);
    if (rc == TWX_OK && !twx_slice_eq(name, TWX_SLICE_LIT("indirect")))
        rc = twx_fail(&call->ext->cx, TWX_E_USAGE,
                      "no setting '" TWX_SLICE_FMT "': there is 'indirect'", TWX_SLICE_ARG(name));
    if (rc == TWX_OK && call->n > 1) rc = allow_indirect(call);
    return rc == TWX_OK ? twx_ext_give_integer(call, call->ext->indirect) : rc;
}

/* ---- twindex_help, twindex_version -------------------------------------- */

/* One line for each function, or the line of one. */
static twx_rc help(twx_ext_call *call) {
    twx_ctx *cx = &call->ext->cx;
    const twx_ext_function *f = NULL;
    twx_slice name = {NULL, 0};
    twx_buf text = {.max = HELP_MAX};
    twx_rc rc = call->n > 0 ? twx_ext_bytes(call, 0, &name) : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && (f = call->ext->function_at(i)); i++)
        if (!name.p || twx_slice_eq_nocase(name, twx_slice_of(f->name)))
            rc = twx_buf_printf(cx, &text, "%s%s(%s): %s", text.n ? "\n" : "", f->name,
                                f->arguments, f->help);
    if (rc == TWX_OK && text.n == 0)
        rc = twx_fail(cx, TWX_E_USAGE, "no function '" TWX_SLICE_FMT "': twindex_help() lists them",
                      TWX_SLICE_ARG(name));
    if (rc == TWX_OK) rc = twx_ext_give_text(call, twx_buf_slice(&text));
    twx_buf_done(&text);
    return rc;
}

static twx_rc version(twx_ext_call *call) {
    return twx_ext_give_text(call, TWX_SLICE_LIT(TWINDEX_VERSION));
}

/* ==== ext_compare */

/* SQLite before 3.41 does not inform a function that its statement was interrupted, so no call may
 * take long: bytes times bytes that take a few seconds. */
static const double CELLS_MOST = 1e11;
enum {
    KEEP = 1 << 20 /* bytes of text: the handle grows with them and is released after larger ones */
};

static twx_rc two_texts(twx_ext_call *call, twx_slice *ret_a, twx_slice *ret_b) {
    twx_rc rc = twx_ext_bytes(call, 0, ret_a);
    return rc == TWX_OK ? twx_ext_bytes(call, 1, ret_b) : rc;
}

static twx_rc hamming(twx_ext_call *call) {
    int64_t a = 0, b = 0;
    twx_rc rc = twx_ext_integer(call, 0, &a);
    if (rc == TWX_OK) rc = twx_ext_integer(call, 1, &b);
    return rc == TWX_OK ? twx_ext_give_integer(call, twx_hamming64((uint64_t)a, (uint64_t)b)) : rc;
}

static twx_rc resemblance_of(twx_ext_call *call, twx_resemblance *ret_resemblance) {
    twx_ext *x = call->ext;
    twx_slice a, b;
    twx_rc rc = two_texts(call, &a, &b);
    if (rc == TWX_OK) rc = twx_shingle_sketch_of(&x->cx, &x->scratch, a, &a);
    if (rc == TWX_OK) rc = twx_shingle_sketch_of(&x->cx, &x->scratch, b, &b);
    if (rc != TWX_OK) return rc;
    return twx_shingle_sketch_compare(a, b, ret_resemblance) ? TWX_OK : TWX_DONE;
}

static twx_rc give_if_known(twx_ext_call *call, int32_t ppm) {
    return ppm < 0 ? TWX_DONE : twx_ext_give_ppm(call, ppm);
}

static twx_rc shingle_resemblance(twx_ext_call *call) {
    twx_resemblance found;
    twx_rc rc = resemblance_of(call, &found);
    return rc == TWX_OK ? give_if_known(call, found.resemblance) : rc;
}

static twx_rc shingle_containment(twx_ext_call *call) {
    twx_resemblance found;
    twx_rc rc = resemblance_of(call, &found);
    return rc == TWX_OK ? give_if_known(call, found.a_in_b) : rc;
}

static twx_rc alignment_similarity(twx_ext_call *call) {
    const twx_detector *d = call->function->detector;
    twx_ext *x = call->ext;
    twx_slice a, b, of_a, of_b;
    twx_key key;
    twx_rc rc = two_texts(call, &a, &b);
    if (rc == TWX_OK) rc = twx_ext_sign(x, d, &x->params, a, &key, &of_a);
    if (rc == TWX_OK) rc = twx_ext_sign(x, d, &x->params, b, &key, &of_b);
    if (rc != TWX_OK) return rc;
    const int32_t ppm = twx_alignment_similarity(of_a, of_b, 0);
    /* -1: one is hundreds of times as long as the other */
    return twx_ext_give_ppm(call, ppm < 0 ? 0 : ppm);
}

/* The common prefix and suffix cost nothing. */
static twx_rc check_size(twx_ext_call *call, twx_slice a, twx_slice b) {
    const size_t least = a.n < b.n ? a.n : b.n;
    size_t head = 0, tail = 0;
    while (head < least && a.p[head] == b.p[head]) head++;
    while (tail < least - head && a.p[a.n - 1 - tail] == b.p[b.n - 1 - tail]) tail++;
    if ((double)(a.n - head - tail) * (double)(b.n - head - tail) <= CELLS_MOST) return TWX_OK;
    return twx_fail(
        &call->ext->cx, TWX_E_LIMIT,
        "texts of %zu and %zu bytes take too long to compare: alignment_similarity() estimates it",
        a.n, b.n);
}

static twx_rc text_similarity(twx_ext_call *call) {
    twx_ext *x = call->ext;
    twx_slice a, b;
    int32_t ppm = 0;
    twx_rc rc = two_texts(call, &a, &b);
    if (rc == TWX_OK) rc = check_size(call, a, b);
    if (rc == TWX_OK && !x->similarity) rc = twx_similarity_open(&x->cx, &x->similarity);
    if (rc == TWX_OK) rc = twx_similarity_of(&x->cx, x->similarity, a, b, 0, &ppm);
    if (rc != TWX_OK || a.n + b.n > KEEP) {
        twx_similarity_close(x->similarity);
        x->similarity = NULL;
    }
    return rc == TWX_OK ? twx_ext_give_ppm(call, ppm) : rc;
}

/* ==== ext_pages */

enum { RESULT_BYTES = 64 << 20 };

static twx_rc page_value(twx_ext_call *call) {
    const twx_page_function *f = twx_page_function_find(call->function->name);
    twx_page_argument arguments[TWX_PAGE_ARGUMENTS_MAX];
    const twx_page_call page = {&call->ext->page, arguments, (size_t)call->n};
    twx_page_kind kind = TWX_PAGE_NONE;
    twx_buf out = {.max = RESULT_BYTES};
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < call->n; i++) {
        arguments[i].blob = twx_ext_is_blob(call, i);
        rc = twx_ext_bytes(call, i, &arguments[i].bytes);
    }
    if (rc != TWX_OK) return rc;
    rc = f->call(&call->ext->cx, f, &page, &out, &kind);
    if (rc == TWX_OK && kind == TWX_PAGE_TEXT) rc = twx_ext_give_text(call, twx_buf_slice(&out));
    if (rc == TWX_OK && kind == TWX_PAGE_BLOB) rc = twx_ext_give_blob(call, twx_buf_slice(&out));
    twx_buf_done(&out);
    return rc == TWX_OK && kind == TWX_PAGE_NONE ? TWX_DONE : rc;
}

/* ==== ext_signatures */

/* Signatures of one text, computed by the detectors of a run, so the values cannot differ. */

enum { MIN_TOKEN_LEN_MAX = 1000 /* as the setting fuzzy.min_token_len */ };

twx_rc twx_ext_sign(twx_ext *x, const twx_detector *d, const twx_params *params, twx_slice text,
                    twx_key *ret_key, twx_slice *ret_payload) {
    const twx_document doc = {.text = text};
    twx_signature signature = {0};
    twx_workspace *w = NULL;
    twx_rc rc = twx_ext_workspace(x, &w);
    if (rc == TWX_OK) rc = d->sign(&x->cx, w, params, &doc, &signature);
    if (rc == TWX_OK && signature.keys.n == 0) rc = TWX_DONE;
    if (rc == TWX_OK) {
        *ret_key = signature.keys.at[0];
        *ret_payload = signature.payload;
    }
    TWX_VEC_DONE(&signature.keys);
    return rc;
}

static twx_rc sign_first(twx_ext_call *call, const twx_params *params, twx_key *ret_key,
                         twx_slice *ret_payload) {
    twx_slice text;
    twx_rc rc = twx_ext_bytes(call, 0, &text);
    if (rc != TWX_OK) return rc;
    return twx_ext_sign(call->ext, call->function->detector, params, text, ret_key, ret_payload);
}

static twx_rc give_key(twx_ext_call *call, const twx_params *params) {
    twx_slice payload;
    twx_key key;
    twx_rc rc = sign_first(call, params, &key, &payload);
    return rc == TWX_OK ? twx_ext_give_integer(call, (int64_t)key.key) : rc;
}

static twx_rc signature_key(twx_ext_call *call) {
    return give_key(call, &call->ext->params);
}

twx_rc twx_ext_payload(twx_ext_call *call) {
    twx_slice payload;
    twx_key key;
    twx_rc rc = sign_first(call, &call->ext->params, &key, &payload);
    return rc == TWX_OK ? twx_ext_give_blob(call, payload) : rc;
}

/* The defaults, or the values of the second and third argument. */
static twx_rc fuzzy_params(twx_ext_call *call, twx_params *ret_params) {
    twx_params params = call->ext->params;
    uint32_t *settings = params.methods.of[TWX_DETECTOR_PROFILE.id];
    int64_t units = settings[TWX_PROFILE_MIN_TOKEN_LEN];
    twx_rc rc = call->n > 1 ? twx_ext_integer(call, 1, &units) : TWX_OK;
    if (rc == TWX_OK && (units < 0 || units > MIN_TOKEN_LEN_MAX))
        rc = twx_fail(&call->ext->cx, TWX_E_USAGE, "min_token_len is %lld: give 0 to %d",
                      (long long)units, MIN_TOKEN_LEN_MAX);
    if (rc == TWX_OK && call->n > 2) rc = twx_ext_share(call, 2, &settings[TWX_PROFILE_QUANT_RATE]);
    if (rc != TWX_OK) return rc;
    settings[TWX_PROFILE_MIN_TOKEN_LEN] = (uint32_t)units;
    *ret_params = params;
    return TWX_OK;
}

static twx_rc fuzzy_signature(twx_ext_call *call) {
    twx_params params;
    twx_rc rc = fuzzy_params(call, &params);
    return rc == TWX_OK ? give_key(call, &params) : rc;
}

static twx_rc fuzzy_profile(twx_ext_call *call) {
    twx_params params;
    twx_slice text, profile;
    twx_workspace *w = NULL;
    twx_rc rc = fuzzy_params(call, &params);
    if (rc == TWX_OK) rc = twx_ext_bytes(call, 0, &text);
    if (rc == TWX_OK) rc = twx_ext_workspace(call->ext, &w);
    if (rc == TWX_OK) rc = twx_profile_text(&call->ext->cx, w, &params, text, &profile);
    return rc == TWX_OK ? twx_ext_give_text(call, profile) : rc;
}

/* ==== ext_terms */

/* The language of the queries of the text index. */

typedef struct listing {
    twx_ctx *cx;
    twx_buf out;
} listing;

/* "house/english": the byte of the language as its name. */
static twx_rc list_term(void *arg, const twx_term *term) {
    listing *l = arg;
    twx_slice text = term->text;
    const char *language = text.n > 1 ? twx_stem_language_name((unsigned char)text.p[text.n - 1])
                                      : NULL;
    twx_rc rc = l->out.n == 0 ? TWX_OK
                              : twx_buf_add_char(l->cx, &l->out, term->same_place ? ' ' : '\n');
    if (language) text.n--;
    if (rc == TWX_OK) rc = twx_buf_add_slice(l->cx, &l->out, text);
    return rc == TWX_OK && language ? twx_buf_printf(l->cx, &l->out, "/%s", language) : rc;
}

static twx_rc search_terms(twx_ext_call *call) {
    listing l = {.cx = &call->ext->cx, .out = {.max = SIZE_MAX / 4}};
    twx_terms *terms = NULL;
    twx_slice text = {NULL, 0}, language = {NULL, 0};
    twx_rc rc = twx_ext_bytes(call, 0, &text);
    if (rc == TWX_OK && call->n > 1) rc = twx_ext_bytes(call, 1, &language);
    if (rc == TWX_OK) rc = twx_terms_open(l.cx, &terms);
    if (rc != TWX_OK) return rc;
    twx_terms_set_language(terms, twx_stem_language(language));
    rc = twx_terms_each(terms, text, false, list_term, &l);
    if (rc == TWX_E_NOMEM) rc = twx_fail(l.cx, rc, "out of memory for stemmers");
    if (rc == TWX_OK) rc = twx_ext_give_text(call, twx_buf_slice(&l.out));
    twx_buf_done(&l.out);
    twx_terms_close(terms);
    return rc;
}

static twx_rc search_expression(twx_ext_call *call) {
    twx_terms *terms = NULL;
    twx_buf out = {.max = SIZE_MAX / 4};
    twx_slice query = {NULL, 0};
    twx_rc rc = twx_ext_bytes(call, 0, &query);
    if (rc == TWX_OK) rc = twx_terms_open(&call->ext->cx, &terms);
    if (rc != TWX_OK) return rc;
    rc = twx_plain_query(&call->ext->cx, terms, query, false, &out);
    if (rc == TWX_OK) rc = twx_ext_give_text(call, twx_buf_slice(&out));
    twx_buf_done(&out);
    twx_terms_close(terms);
    return rc;
}

/* ==== ext_urls */

/* The normal form of URLs and parts of it, as in a run without url.* settings. */

/* TWX_DONE: the URL is not usable. */
static twx_rc normal_url(twx_ext_call *call, twx_url *ret_url) {
    twx_ext *x = call->ext;
    twx_slice text;
    twx_rc rc = twx_ext_bytes(call, 0, &text);
    if (rc == TWX_OK) rc = twx_url_normalize(&x->cx, &x->scratch, &x->params.url, text, ret_url);
    if (rc != TWX_OK) return rc;
    return ret_url->fault == TWX_URL_OK ? TWX_OK : TWX_DONE;
}

static twx_rc url_normalize(twx_ext_call *call) {
    twx_url url;
    twx_rc rc = normal_url(call, &url);
    return rc == TWX_OK ? twx_ext_give_text(call, url.whole) : rc;
}

/* The URL without www. and without its scheme: "//host/path". */
static twx_rc url_twin_key(twx_ext_call *call) {
    twx_url url;
    twx_rc rc = normal_url(call, &url);
    if (rc != TWX_OK) return rc;
    char *room = twx_arena_alloc(&call->ext->cx, &call->ext->scratch, url.whole.n, 1);
    if (!room) return TWX_E_NOMEM;
    const twx_slice twin = twx_url_forms_twin(&url, room);
    return twin.p ? twx_ext_give_text(call, twin) : TWX_DONE;
}

static twx_rc url_host(twx_ext_call *call) {
    twx_url url;
    twx_rc rc = normal_url(call, &url);
    return rc == TWX_OK ? twx_ext_give_text(call, url.host) : rc;
}

static twx_rc url_domain(twx_ext_call *call) {
    twx_url url;
    twx_rc rc = normal_url(call, &url);
    if (rc != TWX_OK) return rc;
    return url.host.p ? twx_ext_give_text(call, twx_registrable_domain(url.host)) : TWX_DONE;
}

/* ==== ext_table */

#define WINGS_FUNCTIONS(name) extern const twx_ext_functions TWX_FUNCTIONS_##name;
TWX_FUNCTIONS_ROWS(WINGS_FUNCTIONS)

static const twx_ext_function FUNCTIONS[] = {TWX_FIRST_FUNCTIONS}, ABOUT[] = {TWX_LAST_FUNCTIONS};

static const twx_ext_functions FIRST = {FUNCTIONS, TWX_COUNTOF(FUNCTIONS)},
                               LAST = {ABOUT, TWX_COUNTOF(ABOUT)};

#define ADDRESS(name) &TWX_FUNCTIONS_##name,
static const twx_ext_functions *const LISTS[] = {&FIRST, TWX_FUNCTIONS_ROWS(ADDRESS) & LAST};

const twx_ext_function *twx_ext_function_at(size_t i) {
    for (size_t list = 0; list < TWX_COUNTOF(LISTS); i -= LISTS[list++]->n)
        if (i < LISTS[list]->n) return &LISTS[list]->at[i];
    return NULL;
}

int twx_ext_register(sqlite3 *db, twx_faults *faults) {
    twx_ctx cx;
    twx_terms *terms = NULL;
    fts5_api *api = NULL;
    sqlite3_stmt *stmt = NULL;
    const int code = twx_ext_bind_all(db, twx_ext_function_at, faults);
    if (code != SQLITE_OK) return code;
    /* the tokenizer of the text index, so that a connection of another program can query it */
    if (sqlite3_prepare_v2(db, TWX_SQL_QUERY_TEXT_API, -1, &stmt, NULL) == SQLITE_OK) {
        sqlite3_bind_pointer(stmt, 1, (void *)&api, "fts5_api_ptr", NULL);
        sqlite3_step(stmt);
    }
    sqlite3_finalize(stmt);
    if (!api) return SQLITE_OK; /* without FTS5 there can be no text index */
    twx_ctx_init(&cx);
    cx.faults = faults;
    if (twx_terms_open(&cx, &terms) != TWX_OK) return SQLITE_NOMEM;
    twx_terms_set_languages(terms, TWX_LANGUAGES_ALL);
    return twx_fts_terms_register(api, terms);
}
