#include "inspect/findings.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/plural.h"
#include "base/print.h"

void twx_findings_init(twx_ctx *cx, twx_findings *f) {
    *f = (twx_findings){.cx = cx};
    twx_arena_init(&f->arena, 0);
}

void twx_findings_done(twx_findings *f) {
    TWX_VEC_DONE(&f->rows);
    twx_arena_done(&f->arena);
}

static twx_rc add(twx_findings *f, const char *name, const char *text) {
    twx_finding row = {.advice = false};
    twx_rc rc = name ? twx_arena_copy(f->cx, &f->arena, twx_slice_of(name), &row.name) : TWX_OK;
    if (rc == TWX_OK) rc = twx_arena_copy(f->cx, &f->arena, twx_slice_of(text), &row.text);
    return rc == TWX_OK && !TWX_VEC_PUSH(f->cx, &f->rows, row) ? TWX_E_NOMEM : rc;
}

twx_rc twx_findings_fact(twx_findings *f, const char *name, const char *fmt, ...) {
    char text[TWX_FINDING_BYTES];
    va_list args;
    va_start(args, fmt);
    twx_vprint(text, sizeof text, fmt, args);
    va_end(args);
    return add(f, name, text);
}

twx_rc twx_findings_problem(twx_findings *f, const char *text) {
    for (size_t i = 0; i < f->rows.n; i++)
        if (!f->rows.at[i].name.p && !f->rows.at[i].advice &&
            twx_slice_eq(f->rows.at[i].text, twx_slice_of(text)))
            return TWX_OK;
    f->problems++;
    return add(f, NULL, text);
}

twx_rc twx_findings_advice(twx_findings *f, const char *fmt, ...) {
    char text[TWX_FINDING_BYTES];
    va_list args;
    va_start(args, fmt);
    twx_vprint(text, sizeof text, fmt, args);
    va_end(args);
    twx_rc rc = add(f, NULL, text);
    if (rc == TWX_OK) f->rows.at[f->rows.n - 1].advice = true;
    f->advice += rc == TWX_OK;
    return rc;
}

/* A name that several facts share has the list of their texts. */
static void add_fact(json_t *facts, const char *name, json_t *text) {
    json_t *before = json_object_get(facts, name);
    if (!before)
        json_object_set_new(facts, name, text);
    else if (json_is_array(before))
        json_array_append_new(before, text);
    else
        json_object_set_new(facts, name, json_pack("[O, o]", before, text));
}

static json_t *findings_json(const twx_findings *f) {
    json_t *facts = json_object(), *problems = json_array(), *advice = json_array();
    for (size_t i = 0; i < f->rows.n; i++) {
        const twx_finding *row = &f->rows.at[i];
        if (row->name.p)
            add_fact(facts, row->name.p, twx_json_slice(row->text));
        else
            json_array_append_new(row->advice ? advice : problems, twx_json_slice(row->text));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "store", twx_json_text(f->store), "facts", facts,
                     "problems", problems, "advice", advice);
}

twx_rc twx_findings_write(const twx_out *out, const twx_findings *f) {
    if (twx_out_is_json(out)) return twx_out_json(out, findings_json(f));
    twx_rc rc = twx_out_text(out, "%s\n", f->store);
    for (size_t i = 0; rc == TWX_OK && i < f->rows.n; i++) {
        const twx_finding *row = &f->rows.at[i];
        rc = row->name.p ? twx_out_text(out, "  %-18s ", row->name.p)
                         : twx_out_text(out, "  %-18s ", row->advice ? "faster" : "PROBLEM");
        if (rc == TWX_OK) rc = twx_out_line(out, row->text);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc != TWX_OK) return rc;
    return f->problems ? twx_out_text(out, "%" PRIu64 " %s\n", f->problems,
                                      twx_plural(f->problems, "problem", "problems"))
                       : twx_out_text(out, "no problems\n");
}

twx_rc twx_findings_list_write(const twx_out *out, const twx_findings *at, size_t n) {
    json_t *all = twx_out_is_json(out) ? json_array() : NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        if (all)
            json_array_append_new(all, findings_json(&at[i]));
        else
            rc = twx_findings_write(out, &at[i]);
    }
    return all ? twx_out_json(out, all) : rc;
}
