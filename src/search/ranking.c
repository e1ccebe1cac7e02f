#include "search/ranking.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "judge/flags.h"

enum { CHUNK = 1 << 16 };

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
    f->fields = (twx_rule_fields){.at = f->at,
                                  .n = TWX_FLAGS,
                                  .columns = f->columns,
                                  .n_columns = TWX_TEXT_WEIGHTS,
                                  .properties = true};
    *ret_fields = f;
    return TWX_OK;
}

/* ---- loading ------------------------------------------------------------ */

twx_rc twx_ranking_rules_compile(twx_ctx *cx, twx_slice text, twx_ranking_rules *r) {
    twx_rc rc = list_fields(cx, &r->fields);
    if (rc == TWX_OK) {
        r->fields->fields.numbers = r->numbers;
        r->fields->fields.n_numbers = r->n_numbers;
    }
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
    if (rc == TWX_OK) rc = twx_ranking_rules_compile(cx, twx_buf_slice(&bytes), &r);
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
