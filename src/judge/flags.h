/* judge/flags.h: the flags that users see (base/flag_table.h), as functions of the stored row: what
 * the view document_flags computes in SQL, for diff, dry runs and explain (tests/sql compares the
 * two). */
#ifndef TWX_JUDGE_FLAGS_H
#define TWX_JUDGE_FLAGS_H

#include <stddef.h>

#include "base/flag_row.h"

typedef enum twx_flag_kind {
    TWX_FLAG_IS_BOOL,
    TWX_FLAG_IS_COUNT,
    TWX_FLAG_IS_SIGNATURE,
    TWX_FLAG_IS_TYPE,
    TWX_FLAG_IS_DOC
} twx_flag_kind;

typedef struct twx_flag {
    const char *name; /* of the column of document_flags */
    twx_flag_kind kind;
    twx_flag_column column; /* the stored column it is computed from */
    /* private to flags.c */
    int rule;
    twx_flag_column beside;
} twx_flag;

#define TWX_FLAG_ONE(name, kind, column, rule, beside) +1
enum { TWX_FLAGS = 0 TWX_SHOWN_FLAG_TABLE(TWX_FLAG_ONE) };
#undef TWX_FLAG_ONE

const twx_flag *twx_flag_at(size_t i); /* in order of the view; NULL after the last */
/* The flag's value in a row; false: NULL. A doc is a document number. */
bool twx_flag_value(const twx_flag *flag, const twx_flag_row *row, int64_t *ret_value);
/* Has a flag one value in a and another one, or NULL, in b? A row that is NULL has no values. */
bool twx_flag_differs(const twx_flag *flag, const twx_flag_row *a, const twx_flag_row *b);
const char *twx_duplicate_type_name(int64_t type); /* "full-layout"; "?" when unknown */

#endif
