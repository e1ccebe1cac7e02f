#include "text/fts_terms.h"

#include <limits.h>

typedef int token_fn(void *arg, int flags, const char *token, int n, int from, int to);

typedef struct passing {
    token_fn *fn;
    void *arg;
    int code; /* what fn returned */
} passing;

static twx_rc pass(void *arg, const twx_term *term) {
    passing *p = arg;
    p->code = p->fn(p->arg, term->same_place ? FTS5_TOKEN_COLOCATED : 0, term->text.p,
                    (int)term->text.n, (int)term->from, (int)term->to);
    return p->code == SQLITE_OK ? TWX_OK : TWX_DONE;
}

static int tokenize(Fts5Tokenizer *tokenizer, void *arg, int flags, const char *text, int n,
                    token_fn *fn) {
    passing p = {fn, arg, SQLITE_OK};
    const twx_slice slice = {text ? text : "", text && n > 0 ? (size_t)n : 0};
    const twx_rc rc = twx_terms_each((twx_terms *)tokenizer, slice, flags & FTS5_TOKENIZE_QUERY,
                                     pass, &p);
    if (rc == TWX_E_NOMEM) return SQLITE_NOMEM;
    return p.code;
}

/* All tables of a connection share its tokenizer. */
static int create(void *terms, const char **arguments, int n, Fts5Tokenizer **ret_tokenizer) {
    (void)arguments;
    if (n > 0) return SQLITE_ERROR;
    *ret_tokenizer = terms;
    return SQLITE_OK;
}

static void delete (Fts5Tokenizer *tokenizer) {
    (void)tokenizer;
}

static void close(void *terms) {
    twx_terms_close(terms);
}

int twx_fts_terms_register(fts5_api *api, twx_terms *terms) {
    fts5_tokenizer functions = {.xCreate = create, .xDelete = delete, .xTokenize = tokenize};
    const int rc = api->xCreateTokenizer(api, "twindex", terms, &functions, close);
    if (rc != SQLITE_OK) twx_terms_close(terms);
    return rc;
}
