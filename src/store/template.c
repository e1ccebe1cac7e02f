#include "store/template.h"

#include <string.h>

#include "base/flag_table.h"
#include "sql_text.h"

/* ---- lists made from the table of flags ----------------------------------- */

#define COLUMN(name) #name,
static const char *const COLUMNS[] = {TWX_FLAG_TABLE(COLUMN)};
#undef COLUMN

#define SHOWN(name, kind, column, rule, beside) {#name, TWX_SQL_PART_FLAG_##rule, #column, #beside},
static const struct {
    const char *name, *sql, *column, *beside;
} SHOWN_FLAGS[] = {TWX_SHOWN_FLAG_TABLE(SHOWN)};
#undef SHOWN

static twx_rc add_columns(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = TWX_OK;
    (void)t;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(COLUMNS); i++)
        rc = twx_buf_printf(cx, out, ", %s", COLUMNS[i]);
    return rc;
}

static twx_rc add_parameters(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = TWX_OK;
    (void)t;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(COLUMNS); i++)
        rc = twx_buf_printf(cx, out, ", ?%zu", i + 2);
    return rc;
}

static twx_rc add_flags(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(SHOWN_FLAGS); i++) {
        twx_template one = *t;
        one.column = SHOWN_FLAGS[i].column;
        one.beside = SHOWN_FLAGS[i].beside;
        one.flag = SHOWN_FLAGS[i].name;
        rc = twx_buf_add_text(cx, out, i ? "    , " : ", ");
        if (rc == TWX_OK) rc = twx_template_fill(cx, out, SHOWN_FLAGS[i].sql, &one);
    }
    return rc;
}

static twx_rc add_flag_names(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = TWX_OK;
    (void)t;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(SHOWN_FLAGS); i++)
        rc = twx_buf_printf(cx, out, ", f.%s", SHOWN_FLAGS[i].name);
    return rc;
}

/* {rows}: those of the generation. */
static twx_rc add_rows(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    return twx_template_fill(cx, out, TWX_SQL_PART_FLAGS_OF, t);
}

/* {f}: the flags of the generation, as f. */
static twx_rc add_from(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    twx_rc rc = t->direct ? TWX_OK : twx_buf_add_text(cx, out, "twindex_document AS d JOIN ");
    if (rc == TWX_OK) rc = add_rows(cx, out, t);
    return rc == TWX_OK ? twx_buf_add_text(cx, out, t->direct ? " AS f" : " AS f ON f.doc = d.doc")
                        : rc;
}

/* {representative}, {shard}, {alternates} */
static twx_rc add_representative(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    return twx_template_fill(cx, out, t->remotes ? TWX_SQL_PART_REMOTE_ID : TWX_SQL_PART_LOCAL_ID,
                             t);
}

static twx_rc add_shard(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    return twx_template_fill(cx, out, t->remotes ? TWX_SQL_PART_REMOTE_SHARD : "NULL", t);
}

static twx_rc add_alternates(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    return twx_template_fill(cx, out, t->remotes ? TWX_SQL_PART_REMOTE_ALTERNATES : "", t);
}

static twx_rc add_groups(twx_ctx *cx, twx_buf *out, const twx_template *t) {
    static const struct {
        const char *relation, *representative, *similarity;
    } GROUPS[] = {
#define GROUP(relation, similarity) {#relation, #relation "_rep", similarity},
        TWX_GROUP_TABLE(GROUP)
#undef GROUP
    };
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(GROUPS); i++) {
        twx_template one = *t;
        one.relation = GROUPS[i].relation;
        one.column = GROUPS[i].representative;
        one.similarity = GROUPS[i].similarity;
        rc = twx_template_fill(cx, out, TWX_SQL_PART_RELATION_GROUPS, &one);
    }
    return rc;
}

/* ---- filling ------------------------------------------------------------ */

typedef twx_rc add_fn(twx_ctx *cx, twx_buf *out, const twx_template *t);

twx_rc twx_template_fill(twx_ctx *cx, twx_buf *out, const char *sql, const twx_template *t) {
    const char generation[2] = {t->generation, '\0'};
    const char *const own = t->generation == 'b' ? "2"
                            : t->generation      ? "1"
                                                 : "0",
                      *other = t->generation == 'b' ? "1" : "2";
    const struct {
        const char *name;
        const char *text; /* NULL: appended by `add`, or none */
        add_fn *add;
    } places[] = {
        {"{g}", generation, NULL},
        {"{own}", own, NULL},
        {"{other}", other, NULL},
        {"{rows}", NULL, add_rows},
        {"{temp}", t->temporary ? " TEMP" : "", NULL},
        {"{id}", t->direct ? "f.doc" : "d.id", NULL},
        {"{<}", t->direct ? "" : TWX_SQL_PART_SOURCE_ID, NULL},
        {"{>}", t->direct ? "" : ")", NULL},
        {"{f}", NULL, add_from},
        {"{representative}", NULL, add_representative},
        {"{shard}", NULL, add_shard},
        {"{alternates}", NULL, add_alternates},
        {"{select}", t->select, NULL},
        {"{filter}", t->filter, NULL},
        {"{score}", t->score, NULL},
        {"{weights}", t->weights, NULL},
        {"{whole}", t->whole, NULL},
        {"{parts}", t->parts, NULL},
        {"{sum}", t->sum, NULL},
        {"{names}", t->names, NULL},
        {"{flag}", t->flag, NULL},
        {"{column}", t->column, NULL},
        {"{beside}", t->beside, NULL},
        {"{relation}", t->relation, NULL},
        {"{similarity}", t->similarity, NULL},
        {"{groups}", NULL, add_groups},
        {"{columns}", NULL, add_columns},
        {"{parameters}", NULL, add_parameters},
        {"{flags}", NULL, add_flags},
        {"{flag_names}", NULL, add_flag_names},
    };
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && *sql) {
        const char *brace = strchr(sql, '{');
        size_t plain = brace ? (size_t)(brace - sql) : strlen(sql);
        rc = twx_buf_add(cx, out, sql, plain);
        sql += plain;
        if (rc != TWX_OK || !brace) break;
        size_t i = 0;
        while (i < TWX_COUNTOF(places) && strncmp(sql, places[i].name, strlen(places[i].name)) != 0)
            i++;
        if (i == TWX_COUNTOF(places))
            return twx_fail(cx, TWX_E_INTERNAL, "unknown place in a template: %.20s", sql);
        sql += strlen(places[i].name);
        rc = places[i].add ? places[i].add(cx, out, t)
                           : twx_buf_add_text(cx, out, places[i].text ? places[i].text : "");
    }
    return rc;
}
