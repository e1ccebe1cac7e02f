/* search/found_list.h: documents found by a part of their URL or by words, for the workbench. JSON
 * only.
 * Memory: embedded struct; twx_found_list_init(), _done(). Bytes are in the arena. */
#ifndef TWX_SEARCH_FOUND_LIST_H
#define TWX_SEARCH_FOUND_LIST_H

#include "base/vec.h"
#include "inspect/listed_document.h"

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

#endif
