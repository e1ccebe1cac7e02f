/* store/template.h: private to store/: SQL whose names depend on the generation and on the kind of
 * ids. {g} is the generation. {temp} is TEMP for views of one connection.
 * {f} is the FROM clause that has the flags of generation {g} as f, and
 * {id} the source's id in it. {<}x{>} is the source's id of document number x. {select} is the
 * source's SELECT. {filter} and {score} are expressions of rules; {weights}, {parts}, {sum} and
 * {names} lists that each item of begins with ", ", or with " + " ({sum}).
 * Of the table of flags (base/flag_table.h), with ", " before each item: {columns} are the stored
 * columns, NULL for those that schema version `schema` does not have yet; {missing}
 * those columns as NULLs;
 * {parameters} are ?2, ?3,
 * ... for them; {flags} the columns of document_flags, {flag_names} their names. {flag} is one
 * flag, {column} and {beside} are the stored columns it is made of. */
#ifndef TWX_STORE_TEMPLATE_H
#define TWX_STORE_TEMPLATE_H

#include "base/buf.h"

typedef struct twx_template {
    char generation;    /* 'a' or 'b' */
    bool direct;        /* document numbers are the ids */
    const char *select; /* these are NULL where they do not occur */
    const char *filter, *score, *weights, *whole, *parts, *sum, *names;
    const char *flag, *column, *beside;
    int64_t schema; /* 0: the present one */
    bool temporary;
} twx_template;

TWX_CHECK twx_rc twx_template_fill(twx_ctx *cx, twx_buf *out, const char *sql,
                                   const twx_template *t);

#endif
