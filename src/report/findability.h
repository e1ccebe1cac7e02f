/* report/findability.h: what becomes of a searcher's question under each method: are the names of
 * hidden documents still there, does a search for them end at the representative, and which copies
 * stay visible. evaluate/eval_findable.h says how it is measured.
 * Memory: plain data; strings are borrowed. */
#ifndef TWX_REPORT_FINDABILITY_H
#define TWX_REPORT_FINDABILITY_H

#include "report/estimate.h"
#include "report/out.h"

enum { TWX_FINDABLE_MAX = 48, TWX_FINDABLE_TOP = 10 };

/* One method, relation or verdict. */
typedef struct twx_findable {
    const char *name;
    bool relation;       /* as published by the last run; else a method */
    const char *missing; /* why it was not measured; NULL: it was */
    uint64_t
        hidden; /* documents with a text of their own that it hides, each text and title once */
    uint64_t sampled; /* of them, with a title */
    twx_measure lost,
        lost_words; /* share with a title word that the representative lacks; numbers not counted */
    uint64_t searched;
    twx_measure found; /* share of titles whose search has the representative in the first 10 */
    /* of the searched: titles that more than TWX_FINDABLE_TOP visible texts have */
    uint64_t shared;
    twx_measure shared_titles, others_found; /* share of them; found of the other titles */
    uint64_t
        /* visible documents drawn from those that share their title with another visible one */
        titled_sampled;
    twx_measure
        same_title; /* share of them of which another one with the same title is .9 similar */
    uint64_t
        /* known copies that were drawn: equal titles, other texts that are .9 similar */
        known_sampled;
    twx_measure
        known_visible; /* share of them that are not hidden behind the same representative */
} twx_findable;

typedef struct twx_findability {
    const char *store;
    uint64_t documents, not_taking_part;
    bool searchable; /* there is a text index */
    uint64_t known;  /* known copies in the store */
    size_t n;
    twx_findable at[TWX_FINDABLE_MAX];
} twx_findability;

/* Text or JSON, as the sink wants it. */
TWX_CHECK twx_rc twx_findability_write(const twx_out *out, const twx_findability *f);

#endif
