/* inspect/comparison.h: two documents compared: their texts, what each detector finds, whether one
 * may represent the other, and the passages that differ.
 * Memory: embedded struct; twx_comparison_init(), _done(). Bytes are in the arena. */
#ifndef TWX_INSPECT_COMPARISON_H
#define TWX_INSPECT_COMPARISON_H

#include "base/vec.h"
#include "inspect/explain_print.h"

/* The result of one detector. */
typedef struct twx_compared_keys {
    const char *detector;
    bool pair;
    int32_t similarity;     /* millionths; -1: unknown */
    size_t keys[2], shared; /* of both documents; in common */
} twx_compared_keys;

/* May one document be represented by the other? */
typedef struct twx_compared_copy {
    const char *which; /* "a behind b" */
    bool copy, name_contained;
    twx_slice reason;
} twx_compared_copy;

/* Text of one of the documents that the comparison did not take as its content. */
typedef struct twx_set_aside {
    int side;        /* 0: a */
    const char *why; /* "outside of the content area" */
    size_t blocks, words;
    twx_slice first; /* how the blocks begin, separated by " | " */
} twx_set_aside;

/* One or two passages between two common passages. */
typedef struct twx_compared_passage {
    twx_slice before; /* the common passage before it */
    twx_slice a, b;   /* n == 0: this text has nothing there */
} twx_compared_passage;
typedef TWX_VEC(twx_compared_passage) twx_compared_passages;

typedef struct twx_comparison {
    twx_arena arena;
    twx_listed_document document[2];
    size_t bytes[2]; /* of their texts */
    int32_t similarity;
    bool at_least; /* it is that of the passages: the texts are too long for more */
    bool same_bytes;
    TWX_VEC(twx_compared_keys) detectors;
    TWX_VEC(const char *) left_out; /* detectors that must read the whole store */
    TWX_VEC(twx_compared_copy) copies;
    bool copies_known, copies_learned; /* learned: with what the last run knows of the site */
    TWX_VEC(twx_set_aside) set_aside;
    const char *near_detector;      /* as configured */
    size_t differences;             /* number of all differing passages */
    bool coarse;                    /* too much differs to find every difference */
    twx_compared_passages passages; /* the first of them */
    twx_slice after; /* the common passage after the last difference, if all are listed */
} twx_comparison;

void twx_comparison_init(twx_comparison *c);
void twx_comparison_done(twx_comparison *c);
TWX_CHECK twx_rc twx_comparison_write(const twx_out *out, const twx_comparison *c);

#endif
