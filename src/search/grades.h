/* search/grades.h: reads a file of relevance judgements: which grade a person has given to a
 * document as an answer to a query.
 *
 * A line is `query TAB URL TAB grade`; the grade is a whole number, 0 for a document that is of no
 * use. Blanks around fields do not count. Empty lines and lines that begin with '#' are ignored.
 * [R1] Every error has the line. [R2] A query and a URL have one grade: another line with the same
 * grade is ignored, and one with another grade is an error. */
#ifndef TWX_SEARCH_GRADES_H
#define TWX_SEARCH_GRADES_H

#include "base/ctx.h"
#include "base/slice.h"
#include "base/vec.h"

enum { TWX_GRADES_BYTES = 16 << 20, TWX_GRADE_MAX = 100 };

typedef struct twx_grade {
    twx_slice query, url;
    uint32_t grade;
    size_t line;
} twx_grade;

typedef TWX_VEC(twx_grade) twx_grades;

/* name: of the file, for messages. Memory: slices point into `text`; TWX_VEC_DONE(ret_grades).
 * Errors TWX_E_DATA "name:line: reason"; ret_grades is then partly filled. */
TWX_CHECK twx_rc twx_grades_parse(twx_ctx *cx, const char *name, twx_slice text,
                                  twx_grades *ret_grades);

#endif
