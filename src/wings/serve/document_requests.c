/* Documents found, explained and compared, and the report: what the commands of the same names
 * write. */
#include "serve/exchange.h"

enum { FOUND = 20, FOUND_MAX = 1000, PASSAGES = 200, PASSAGES_MAX = 100000 };

twx_rc twx_answer_documents(twx_exchange *x) {
    const char *words = NULL;
    size_t limit = FOUND;
    const twindex_sink sink = twx_answer_sink(x->answer);
    twx_rc rc = twx_request_needs(x->cx, x->request, "q", x->arena, &words);
    if (rc == TWX_OK) rc = twx_request_number(x->cx, x->request, "limit", FOUND_MAX, &limit);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_find(x->t, words, limit, &sink)) : rc;
}

/* "id", or "url" */
twx_rc twx_answer_explain(twx_exchange *x) {
    twx_slice id;
    const char *name = NULL;
    const twindex_sink sink = twx_answer_sink(x->answer);
    twx_rc rc = twx_request_param(x->cx, x->request, "id", x->arena, &id);
    if (rc == TWX_OK)
        rc = twx_request_needs(x->cx, x->request, id.n ? "id" : "url", x->arena, &name);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_explain(x->t, name, &sink)) : rc;
}

twx_rc twx_answer_compare(twx_exchange *x) {
    const char *a = NULL, *b = NULL;
    twindex_compare_options options = {.limit = PASSAGES};
    const twindex_sink sink = twx_answer_sink(x->answer);
    twx_rc rc = twx_request_needs(x->cx, x->request, "a", x->arena, &a);
    if (rc == TWX_OK) rc = twx_request_needs(x->cx, x->request, "b", x->arena, &b);
    if (rc == TWX_OK)
        rc = twx_request_number(x->cx, x->request, "limit", PASSAGES_MAX, &options.limit);
    return rc == TWX_OK ? twx_exchange_end(x, twindex_compare(x->t, a, b, &options, &sink)) : rc;
}

twx_rc twx_answer_report(twx_exchange *x) {
    const twindex_sink sink = twx_answer_sink(x->answer);
    x->answer->content = TWX_ANSWER_REPORT;
    return twx_exchange_end(x, twindex_report_page(x->t, &sink));
}
