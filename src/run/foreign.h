/* run/foreign.h: the documents of other stores that flags refer to (judge/elsewhere.h): their
 * numbers, and their rows in twindex_remote. */
#ifndef TWX_RUN_FOREIGN_H
#define TWX_RUN_FOREIGN_H

#include "judge/elsewhere.h"
#include "run/members.h"
#include "run/remote_changes.h"

/* Finds and numbers them; again after documents were withdrawn. Nothing to do for one store. */
TWX_CHECK twx_rc twx_foreign_find(const twx_members *members, twx_judgement *j);

/* Those that the documents of one member refer to. Memory: embedded struct; twx_foreign_done(). */
typedef struct twx_foreign {
    const twx_members *members;
    const twx_judgement *j;
    const twx_member *of;
    TWX_VEC(twx_elsewhere) used; /* in order of number */
    size_t at;
    twx_arena bytes; /* of the row that was returned last */
} twx_foreign;

void twx_foreign_init(const twx_members *members, const twx_judgement *j, const twx_member *of,
                      twx_foreign *ret_foreign);
void twx_foreign_done(twx_foreign *f);
twx_remote_rows twx_foreign_rows(twx_foreign *f);
/* Whether the rows are those of the published generation. */
TWX_CHECK twx_rc twx_foreign_is_published(twx_foreign *f, bool *ret_published);

#endif
