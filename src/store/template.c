#include "store/template.h"

#include <string.h>

#include "sql_text.h"

twx_rc twx_template_fill(twx_ctx *cx, twx_buf *out, const char *sql, const twx_template *t) {
    const char generation[2] = {t->generation, '\0'};
    const struct {
        const char *name;
        const char *direct, *mapped;
    } places[] = {
        {"{g}", generation, generation},
        {"{id}", "f.doc", "d.id"},
        {"{<}", "", TWX_SQL_PART_SOURCE_ID},
        {"{>}", "", ")"},
        {"{select}", t->select, t->select},
        {"{filter}", t->filter, t->filter},
        {"{score}", t->score, t->score},
        {"{weights}", t->weights, t->weights},
        {"{whole}", t->whole, t->whole},
        {"{parts}", t->parts, t->parts},
        {"{sum}", t->sum, t->sum},
        {"{names}", t->names, t->names},
        {"{f}", NULL, NULL}, /* made of the others, below */
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
        const char *text = t->direct ? places[i].direct : places[i].mapped;
        if (i + 1 < TWX_COUNTOF(places))
            rc = twx_buf_add_text(cx, out, text ? text : "");
        else if (t->direct)
            rc = twx_buf_printf(cx, out, "twindex_flag_%s AS f", generation);
        else
            rc = twx_buf_printf(cx, out,
                                "twindex_document AS d JOIN twindex_flag_%s AS f ON f.doc = d.doc",
                                generation);
    }
    return rc;
}
