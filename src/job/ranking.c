#include "job/ranking.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "judge/flags.h"

enum { CHUNK = 1 << 16, STATEMENT_BYTES = 1 << 20 };

twx_rc twx_read_file(twx_ctx *cx, const char *path, size_t limit, twx_buf *ret_bytes) {
    FILE *file = fopen(path, "rbe");
    if (!file) return twx_fail(cx, TWX_E_NOTFOUND, "%.300s: %s", path, strerror(errno));
    twx_rc rc = TWX_OK;
    twx_buf_init(ret_bytes, limit);
    while (rc == TWX_OK) {
        char chunk[CHUNK];
        const size_t n = fread(chunk, 1, sizeof chunk, file);
        if (ret_bytes->n + n > limit)
            rc = twx_fail(cx, TWX_E_CONFIG, "%.300s: longer than %zu KiB", path, limit >> 10);
        if (rc == TWX_OK) rc = twx_buf_add(cx, ret_bytes, chunk, n);
        if (n < sizeof chunk) break;
    }
    if (rc == TWX_OK && ferror(file))
        rc = twx_fail(cx, TWX_E_CONFIG, "%.300s: %s", path, strerror(errno));
    fclose(file);
    return rc;
}

/* ---- the flags as fields of rules --------------------------------------- */

struct twx_flag_fields {
    twx_rule_field at[TWX_FLAGS];
    twx_rule_column columns[TWX_TEXT_WEIGHTS];
    twx_rule_fields fields;
};

static twx_rule_kind kind_of(twx_flag_kind kind) {
    switch (kind) {
    case TWX_FLAG_IS_BOOL: return TWX_RULE_BOOL;
    case TWX_FLAG_IS_TYPE: return TWX_RULE_NAME;
    case TWX_FLAG_IS_DOC: return TWX_RULE_ID;
    default: return TWX_RULE_NUMBER;
    }
}

static twx_rc list_fields(twx_ctx *cx, struct twx_flag_fields **ret_fields) {
    static const char *const TYPES[] = {"full-layout",     "full-content", "partial-layout",
                                        "partial-content", "sibling",      NULL};
    struct twx_flag_fields *f = twx_calloc(cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        f->columns[i] = (twx_rule_column){twx_text_weight_name(i), twx_text_weight_default(i)};
    for (size_t i = 0; i < TWX_FLAGS; i++)
        f->at[i] = (twx_rule_field){twx_flag_at(i)->name, kind_of(twx_flag_at(i)->kind), TYPES};
    f->fields = (twx_rule_fields){f->at, TWX_FLAGS, f->columns, TWX_TEXT_WEIGHTS};
    *ret_fields = f;
    return TWX_OK;
}

/* ---- loading ------------------------------------------------------------ */

static twx_rc compile(twx_ctx *cx, twx_slice text, twx_ranking_rules *r) {
    twx_rc rc = list_fields(cx, &r->fields);
    if (rc == TWX_OK)
        rc = twx_rules_parse(cx, r->path ? r->path : "rules", text, &r->fields->fields, &r->rules);
    if (rc == TWX_OK) rc = twx_rule_sql_make(cx, r->path ? r->path : "rules", r->rules, &r->sql);
    if (rc != TWX_OK) return rc;
    r->ranking = (twx_ranking){.filter = r->sql.filter,
                               .parts = (const char *const *)r->sql.parts,
                               .n_parts = r->sql.n_parts};
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        r->ranking.weight[i] = twx_rules_column(r->rules, i);
    return TWX_OK;
}

twx_rc twx_ranking_rules_load(twx_ctx *cx, const char *path, twx_ranking_rules *ret_rules) {
    twx_ranking_rules r = {.path = path};
    twx_buf bytes = {0};
    twx_rc rc = path ? twx_read_file(cx, path, TWX_RULES_BYTES, &bytes) : TWX_OK;
    if (rc == TWX_OK) rc = compile(cx, twx_buf_slice(&bytes), &r);
    twx_buf_done(&bytes);
    if (rc == TWX_OK)
        *ret_rules = r;
    else
        twx_ranking_rules_done(&r);
    return rc;
}

void twx_ranking_rules_done(twx_ranking_rules *r) {
    if (!r) return;
    twx_rules_close(r->rules);
    twx_rule_sql_done(&r->sql);
    twx_free(r->fields);
    *r = (twx_ranking_rules){0};
}

twx_slice twx_ranking_part_text(const twx_ranking_rules *r, size_t i) {
    const twx_rule_list boosts = twx_rules_boosts(r->rules),
                        functions = twx_rules_functions(r->rules);
    return i < boosts.n ? boosts.at[i].text : functions.at[i - boosts.n].text;
}

/* ---- the command -------------------------------------------------------- */

static twx_rc tell_list(const twx_out *out, const char *title, twx_rule_list list) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < list.n; i++) {
        rc = twx_out_text(out, "%-9s %4zu  ", title, list.at[i].line);
        if (rc == TWX_OK) rc = twx_out_bytes(out, list.at[i].text);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

static twx_rc tell_rules(const twx_out *out, const twx_ranking_rules *r) {
    twx_rc rc = twx_out_text(out, "%-9s %4s\n", "section", "line");
    if (rc == TWX_OK) rc = tell_list(out, "filter", twx_rules_filters(r->rules));
    if (rc == TWX_OK) rc = tell_list(out, "boost", twx_rules_boosts(r->rules));
    if (rc == TWX_OK) rc = tell_list(out, "function", twx_rules_functions(r->rules));
    for (size_t i = 0; rc == TWX_OK && i < TWX_TEXT_WEIGHTS; i++)
        rc = twx_out_text(out, "%-9s       %s^%g\n", "fields", twx_text_weight_name(i),
                          r->ranking.weight[i]);
    return rc;
}

static json_t *list_json(twx_rule_list list) {
    json_t *all = json_array();
    for (size_t i = 0; i < list.n; i++)
        json_array_append_new(all, json_pack("{s:I, s:o}", "line", (json_int_t)list.at[i].line,
                                             "text", twx_json_slice(list.at[i].text)));
    return all;
}

static twx_rc tell_json(const twx_out *out, const twx_ranking_rules *r, twx_slice statement) {
    json_t *fields = json_object(), *parts = json_array();
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        json_object_set_new(fields, twx_text_weight_name(i), json_real(r->ranking.weight[i]));
    for (size_t i = 0; i < r->sql.n_parts; i++)
        json_array_append_new(parts, json_string(r->sql.parts[i]));
    return twx_out_json(out, json_pack("{s:o, s:o, s:o, s:o, s:{s:s, s:o, s:o}}", "filter",
                                       list_json(twx_rules_filters(r->rules)), "boost",
                                       list_json(twx_rules_boosts(r->rules)), "function",
                                       list_json(twx_rules_functions(r->rules)), "fields", fields,
                                       "sql", "filter", r->sql.filter, "parts", parts, "statement",
                                       twx_json_slice(statement)));
}

/* Shows the line that a message "path:line:column: ..." refers to, with a caret below the
 * column. */
static twx_rc show_place(const twx_ctx *said, const char *path, twx_slice text,
                         const twx_out *out) {
    const size_t prefix = strlen(path);
    unsigned line = 0, column = 0;
    if (prefix > 300 || strncmp(said->message, path, prefix) != 0) return TWX_OK;
    if (sscanf(said->message + prefix, ":%u:%u:", &line, &column) != 2 || line == 0 || column == 0)
        return TWX_OK;
    size_t from = 0;
    for (unsigned i = 1; i < line && from < text.n; i++)
        from = twx_slice_find(text, '\n', from) + 1;
    const twx_slice shown = twx_slice_sub(
        text, from, twx_slice_find(text, '\n', from < text.n ? from : text.n));
    twx_rc rc = TWX_OK;
    for (const char *p = shown.p, *end = shown.p + shown.n; rc == TWX_OK && p < end;) {
        uint32_t code = 0;
        char bytes[4];
        p += twx_utf8_next(p, end, &code);
        /* a tab would misplace the caret */
        if (code < 0x20 || (code >= 0x7F && code < 0xA0)) code = ' ';
        rc = twx_out_bytes(out, (twx_slice){bytes, twx_utf8_put(code, bytes)});
    }
    return rc == TWX_OK ? twx_out_text(out, "\n%*s\n", (int)(column < 10000 ? column : 10000), "^")
                        : rc;
}

twx_rc twx_check_rules(twx_ctx *cx, const char *path, bool sql, const twx_out *out) {
    twx_ranking_rules r = {.path = path};
    twx_buf bytes = {0}, statement;
    twx_buf_init(&statement, STATEMENT_BYTES);
    twx_rc rc = twx_read_file(cx, path, TWX_RULES_BYTES, &bytes);
    const bool read = rc == TWX_OK;
    if (rc == TWX_OK) rc = compile(cx, twx_buf_slice(&bytes), &r);
    if (rc == TWX_OK) rc = twx_search_statement(cx, r.sql.filter, r.sql.score, &statement);
    if (rc == TWX_E_CONFIG && read && !twx_out_is_json(out)) {
        twx_ctx said = *cx;
        twx_ctx_clear(cx);
        twx_rc shown = show_place(&said, path, twx_buf_slice(&bytes), out);
        if (shown == TWX_OK)
            *cx = said;
        else
            rc = shown;
    } else if (rc == TWX_OK && twx_out_is_json(out)) {
        rc = tell_json(out, &r, twx_buf_slice(&statement));
    } else if (rc == TWX_OK) {
        rc = sql ? twx_out_bytes(out, twx_buf_slice(&statement)) : tell_rules(out, &r);
    }
    twx_ranking_rules_done(&r);
    twx_buf_done(&statement);
    twx_buf_done(&bytes);
    return rc;
}
