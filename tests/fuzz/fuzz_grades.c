/* A file of relevance judgements. Laws: it is read or refused with its name and a line that it has;
 * what was read consists of parts of the file, and reading it again from its own fields gives the
 * same grades. */
#include "exact_copy.h"
#include "search/search.h"

static void check_again(twx_ctx *cx, const twx_grades *grades) {
    twx_grades again = {0};
    twx_buf text = {.max = 1 << 22};
    /* after an empty line, so that a byte order mark is a part of the query as before */
    law(twx_buf_add_char(cx, &text, '\n') == TWX_OK);
    for (size_t i = 0; i < grades->n; i++) {
        const twx_grade *g = &grades->at[i];
        law(twx_buf_add_slice(cx, &text, g->query) == TWX_OK);
        law(twx_buf_add_char(cx, &text, '\t') == TWX_OK);
        law(twx_buf_add_slice(cx, &text, g->url) == TWX_OK);
        law(twx_buf_printf(cx, &text, "\t%u\n", (unsigned)g->grade) == TWX_OK);
    }
    law(twx_grades_parse(cx, "again", twx_buf_slice(&text), &again) == TWX_OK);
    law(again.n == grades->n);
    for (size_t i = 0; i < again.n; i++) {
        law(twx_slice_eq(again.at[i].query, grades->at[i].query));
        law(twx_slice_eq(again.at[i].url, grades->at[i].url));
        law(again.at[i].grade == grades->at[i].grade && again.at[i].grade <= TWX_GRADE_MAX);
    }
    TWX_VEC_DONE(&again);
    twx_buf_done(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice text = exact_copy(data, size);
    twx_grades grades = {0};
    twx_ctx cx = {0};
    const twx_rc rc = twx_grades_parse(&cx, "grades", text, &grades);
    law(rc == TWX_OK || (rc == TWX_E_DATA && strncmp(cx.message, "grades:", 7) == 0));
    if (rc == TWX_OK) check_again(&cx, &grades);
    TWX_VEC_DONE(&grades);
    return exact_end();
}
