/* text/sentence_units.h: lines and sentences of texts, and which of them two texts have in common:
 * the first two levels of a difference (text/difference.h).
 * [R1] A sentence ends with its line, and after a full stop (of no number), an exclamation or
 * question mark that white space follows, or one of their ideographic forms or a danda. */
#ifndef TWX_TEXT_SENTENCE_UNITS_H
#define TWX_TEXT_SENTENCE_UNITS_H

#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"

/* A line or sentence, without white space at its ends. */
typedef struct twx_unit {
    twx_slice text;
    uint64_t hash;    /* set by twx_units_match(); 0: not computed yet */
    uint64_t form;    /* twx_sentence_form(); 0: not computed yet */
    uint32_t mate;    /* its place in the other text plus 1; 0: none */
    uint16_t segment; /* of the text: only units of one segment can be in the same order */
    bool is_anchor;   /* matched, and in the same order as the other anchors */
} twx_unit;

typedef struct twx_unit_list {
    TWX_VEC(twx_unit) at;
} twx_unit_list;

/* Append the lines of two texts, the sentences of one line, or those of a text. Units are borrowed
 * from the text; empty ones are left out.
 * Long parts that two texts have in common, in the same order, are one unit each: the texts of
 * copies are mostly such parts. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_unit_lines(twx_ctx *cx, twx_slice a, twx_slice b,
                                twx_unit_list *const ret_lists[2]);
TWX_CHECK twx_rc twx_unit_sentences(twx_ctx *cx, twx_slice line, twx_unit_list *list);
TWX_CHECK twx_rc twx_units_of(twx_ctx *cx, twx_slice text, twx_unit_list *units);
/* The hash of a sentence that does not depend on its numbers: "Viewed 36 times". Not 0. */
uint64_t twx_sentence_form(twx_slice sentence);

/* Scratch; embedded struct, zeroed, released by twx_unit_matcher_done(). */
typedef struct twx_unit_matcher {
    TWX_VEC(uint32_t) slot, next, tail, before;
} twx_unit_matcher;

/* Sets mate and is_anchor of the units of two texts, which are zero. Units are matched wherever
 * they stand, except at most four that stand in each other's places. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_units_match(twx_ctx *cx, twx_unit_matcher *m, twx_unit_list *a,
                                 twx_unit_list *b);
void twx_unit_matcher_done(twx_unit_matcher *m);

#endif
