/* judge/near_payloads.h: the payloads of texts in memory, by node, and their sketches by columns.
 * The payload of a short text is kept without its sketch, which is in the columns anyway: comparing
 * two short texts needs none (detect/detector_row.h, sketch).
 * [R1] Similarities and summaries are those of the payloads that were added.
 * Memory: embedded struct; twx_near_payloads_done(). */
#ifndef TWX_JUDGE_NEAR_PAYLOADS_H
#define TWX_JUDGE_NEAR_PAYLOADS_H

#include "base/buf.h"
#include "detect/detector_row.h"
#include "group/sketches.h"

typedef struct twx_near_payloads {
    TWX_VEC(uint64_t) ends; /* of each node's bytes, times 2, plus 1 if its sketch is left out */
    twx_buf bytes;
    twx_sketches sketches; /* of a detector with sketches */
    size_t sketch_at;      /* the place of the sketch in a payload that lacks it */
    size_t whole;          /* payloads that contain their sketch */
} twx_near_payloads;

void twx_near_payloads_init(twx_near_payloads *p);
void twx_near_payloads_done(twx_near_payloads *p);
/* Adds the payload of the next node. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_payloads_add(twx_ctx *cx, twx_near_payloads *p, const twx_detector *d,
                                       twx_slice payload);
/* Ends the search of bands: releases the sketches if no comparison needs them. */
void twx_near_payloads_searched(twx_near_payloads *p);
/* The result of d->verify() for two nodes. */
int32_t twx_near_payloads_verify(const twx_near_payloads *p, const twx_detector *d,
                                 const twx_params *params, uint32_t a, uint32_t b);
/* The result of d->summarize(). */
void twx_near_payloads_summarize(const twx_near_payloads *p, const twx_detector *d, uint32_t node,
                                 unsigned char *ret_summary);

#endif
