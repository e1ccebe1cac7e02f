/* search/find.h: finds documents by words, and lists them. */
#ifndef TWX_SEARCH_FIND_H
#define TWX_SEARCH_FIND_H

#include "base/vec.h"
#include "inspect/explain_print.h"
#include "run/job.h"

/* Documents found by a part of their URL or by words, for the workbench. JSON
 * only.
 * Memory: embedded struct; twx_found_list_init(), _done(). Bytes are in the arena. */
typedef struct twx_found {
    twx_listed_document document;
    twx_slice title;
    bool judged;     /* a run has seen it */
    bool takes_part; /* in the judgement (judge/eligible.h) */
    bool hidden;     /* another document represents it: `survivor` */
    twx_listed_document survivor;
} twx_found;

typedef struct twx_found_list {
    twx_arena arena;
    const char *by; /* "name": by id or URL; "part of the URL"; "words" */
    TWX_VEC(twx_found) documents;
} twx_found_list;

void twx_found_list_init(twx_found_list *list);
void twx_found_list_done(twx_found_list *list);
TWX_CHECK twx_rc twx_found_list_write(const twx_out *out, const twx_found_list *list);

/* Finds documents for the workbench: by id or URL, by a part of the URL, or by words
 * of the text index. */

/* [R1] An id or a whole URL is found as explain finds it. [R2] What contains a slash, or a full
 * stop and no white space, is searched for in the URLs, which are read once; case does not count.
 * [R3] Anything else are words for the text index.
 * limit: documents listed; 0: all. Errors TWX_E_DATA: words, and no text index. */
TWX_CHECK twx_rc twx_find(const twx_job *job, const char *words, size_t limit,
                          twx_found_list *ret_list);

#endif
