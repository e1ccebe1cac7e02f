/* lab/findability.h: how each method affects a search: whether the words of hidden titles
 * still occur, whether a search for such a title finds the representative, and which copies stay
 * visible. lab/eval_findable.h describes the measurement.
 * Memory: plain data; strings are borrowed. */
#ifndef TWX_LAB_FINDABILITY_H
#define TWX_LAB_FINDABILITY_H

#include "run/estimate.h"
#include "run/out.h"

enum { TWX_FINDABLE_MAX = 48, TWX_FINDABLE_TOP = 10 };

/* One method, relation or verdict. */
typedef struct twx_findable {
    const char *name;
    bool relation;       /* a relation as published by the last run; else a method */
    const char *missing; /* why it was not measured; NULL: it was */
    uint64_t
        /* hidden documents whose text no visible document has, each text and title counted once */
        hidden;
    uint64_t sampled; /* of them, with a title */
    twx_measure lost,
        /* share with a title word that the representative lacks; numbers do not count */
        lost_words, lost_headings; /* with a heading word that it lacks; unknown without headings */
    uint64_t compared;             /* texts of hidden documents, with or without a title */
    /* share of them that have other words or numbers in the place of the representative's; other
     * words; more words than the representative, which has none that they lack */
    twx_measure substitutes, things, one_way;
    uint64_t substitutions; /* places with other words, in all texts compared */
    uint64_t searched;
    /* share of titles whose search finds the representative in the first 10 hits */
    twx_measure found;
    /* the same, but each different title counts once, not once for each hidden document */
    twx_measure titles_found;
    /* searched titles that more than TWX_FINDABLE_TOP visible texts have */
    uint64_t shared;
    twx_measure shared_titles, others_found; /* share of these; share found of the other titles */
    uint64_t
        /* sample of the visible documents that share their title with another visible document */
        titled_sampled;
    twx_measure
        same_title; /* share of them for which another document with the same title is .9 similar */
    uint64_t
        /* sample of the known copies: equal titles, different texts that are .9 similar */
        known_sampled;
    twx_measure known_visible; /* share of them that do not have the same representative */
} twx_findable;

typedef struct twx_findability {
    const char *store;
    uint64_t documents, not_taking_part;
    bool searchable; /* there is a text index */
    uint64_t known;  /* known copies in the store */
    size_t n;
    twx_findable at[TWX_FINDABLE_MAX];
} twx_findability;

/* Writes text or JSON, as the sink requires. */
TWX_CHECK twx_rc twx_findability_write(const twx_out *out, const twx_findability *f);

#endif
