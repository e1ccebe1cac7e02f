#include "search/rules.h"

#include "search/ranking.h"
#include "search/rule_listing.h"

enum { STATEMENT_BYTES = 1 << 20 };

static twx_rc write_rules(const twx_ranking_rules *r, twx_slice statement, const twx_out *out) {
    twx_rule_weight weights[TWX_TEXT_WEIGHTS];
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        weights[i] = (twx_rule_weight){twx_text_weight_name(i), r->ranking.weight[i]};
    const twx_rule_listing listing = {.rules = r->rules,
                                      .sql = &r->sql,
                                      .weights = weights,
                                      .n_weights = TWX_TEXT_WEIGHTS,
                                      .statement = statement};
    return twx_rule_listing_write(out, &listing);
}

/* Shows the place of the error that cx holds; the error remains. */
static twx_rc show_place(twx_ctx *cx, const char *path, twx_slice text, const twx_out *out) {
    twx_ctx error = *cx;
    twx_ctx_clear(cx);
    twx_rc rc = twx_rule_place_write(out, error.message, path, text);
    if (rc != TWX_OK) return rc;
    *cx = error;
    return TWX_E_CONFIG;
}

twx_rc twx_check_rules(twx_ctx *cx, const char *path, bool sql, const twx_out *out) {
    twx_ranking_rules r = {.path = path};
    twx_buf bytes = {0}, statement;
    const bool json = twx_out_is_json(out);
    twx_buf_init(&statement, STATEMENT_BYTES);
    twx_rc rc = twx_read_file(cx, path, TWX_RULES_BYTES, &bytes);
    const bool read = rc == TWX_OK;
    if (rc == TWX_OK) rc = twx_ranking_rules_compile(cx, twx_buf_slice(&bytes), &r);
    const bool only_here = rc == TWX_OK && twx_rules_ask_properties(r.rules);
    if (only_here && sql && !json)
        rc = twx_fail(
            cx, TWX_E_CONFIG,
            "%.300s: its rules ask for more than flags (host, fetched_at, ...), which only "
            "'twindex search' can do: there is no SQL of them",
            path);
    if (rc == TWX_OK && !only_here)
        rc = twx_search_statement(cx, r.sql.filter, r.sql.score, &statement);
    if (rc == TWX_E_CONFIG && read && !json)
        rc = show_place(cx, path, twx_buf_slice(&bytes), out);
    else if (rc == TWX_OK)
        rc = sql && !json ? twx_out_bytes(out, twx_buf_slice(&statement))
                          : write_rules(&r, twx_buf_slice(&statement), out);
    twx_ranking_rules_done(&r);
    twx_buf_done(&statement);
    twx_buf_done(&bytes);
    return rc;
}
