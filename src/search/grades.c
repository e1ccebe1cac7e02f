#include "search/grades.h"

#include "base/hash64.h"
#include "base/map64.h"
#include "base/read_number.h"

enum { FIELDS = 3 };

typedef struct reading {
    twx_ctx *cx;
    const char *name;
    size_t line;
    twx_map64 known; /* hash of query and URL -> index of the grade */
} reading;

static twx_rc fail_line(const reading *r, const char *reason) {
    return twx_fail(r->cx, TWX_E_DATA, "%.300s:%zu: %s", r->name, r->line, reason);
}

/* Splits a line at its tabs. */
static twx_rc split(const reading *r, twx_slice line, twx_slice *ret_fields) {
    size_t n = 0;
    for (size_t from = 0, to; from <= line.n; from = to + 1) {
        to = twx_slice_find(line, '\t', from);
        if (n == FIELDS)
            return fail_line(r, "more than two tabs: a line is query TAB URL TAB grade");
        ret_fields[n++] = twx_slice_trim(twx_slice_sub(line, from, to));
    }
    if (n < FIELDS) return fail_line(r, "a line is query TAB URL TAB grade");
    if (!ret_fields[0].n) return fail_line(r, "the query is empty");
    return ret_fields[1].n ? TWX_OK : fail_line(r, "the URL is empty");
}

static twx_rc add(reading *r, const twx_grade *grade, twx_grades *grades) {
    uint64_t at = 0;
    twx_rc rc = twx_map64_add(r->cx, &r->known,
                              twx_mix64(twx_hash64(grade->query, 1), twx_hash64(grade->url, 2)),
                              grades->n, &at);
    if (rc != TWX_OK) return rc;
    if (at == grades->n) return TWX_VEC_PUSH(r->cx, grades, *grade) ? TWX_OK : TWX_E_NOMEM;
    if (grades->at[at].grade == grade->grade) return TWX_OK;
    return twx_fail(r->cx, TWX_E_DATA,
                    "%.300s:%zu: line %zu gives this URL another grade for the same query", r->name,
                    r->line, grades->at[at].line);
}

static twx_rc read_line(reading *r, twx_slice line, twx_grades *grades) {
    twx_slice fields[FIELDS];
    uint64_t number = 0;
    twx_rc rc = split(r, line, fields);
    if (rc != TWX_OK) return rc;
    if (!twx_read_count(fields[2], &number) || number > TWX_GRADE_MAX)
        return fail_line(r, "the grade is not a whole number from 0 to 100");
    const twx_grade grade = {
        .query = fields[0], .url = fields[1], .grade = (uint32_t)number, .line = r->line};
    return add(r, &grade, grades);
}

twx_rc twx_grades_parse(twx_ctx *cx, const char *name, twx_slice text, twx_grades *ret_grades) {
    static const char MARK[] = "\xEF\xBB\xBF"; /* some editors write it at the beginning */
    reading r = {.cx = cx, .name = name};
    twx_rc rc = TWX_OK;
    twx_map64_init(&r.known, 0);
    if (twx_slice_starts(text, TWX_SLICE_LIT(MARK)))
        text = twx_slice_sub(text, sizeof MARK - 1, text.n);
    for (size_t from = 0, to; rc == TWX_OK && from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        const twx_slice line = twx_slice_sub(text, from, to), trimmed = twx_slice_trim(line);
        r.line++;
        if (trimmed.n && trimmed.p[0] != '#') rc = read_line(&r, line, ret_grades);
    }
    twx_map64_done(&r.known);
    return rc;
}
