/* run/losses.h: the input of the guard against losses: how many documents of each site take part in
 * the published result and in a judgement (judge/guard.h, store/site_counts.h). */
#ifndef TWX_RUN_LOSSES_H
#define TWX_RUN_LOSSES_H

#include "judge/guard.h"
#include "run/flag_changes.h"
#include "store/generations.h"

/* Memory: embedded struct, names and rows owned; twx_losses_done(). */
typedef struct twx_losses {
    TWX_VEC(twx_site_before) before;
    TWX_VEC(twx_site_count) now; /* its names are borrowed from the judgement */
} twx_losses;

/* Reads the counts of the published generation; none when generation is 0. */
TWX_CHECK twx_rc twx_losses_read(twx_ctx *cx, twx_generations *g, char generation,
                                 twx_losses *losses);
/* Adds the counts of another store's published result to those of `losses`. */
TWX_CHECK twx_rc twx_losses_add(twx_ctx *cx, twx_losses *losses, const twx_losses *other);
/* Counts the documents of one store in the judgement: all of them, and those of each site that has
 * min_documents or more in all stores of the judgement. */
TWX_CHECK twx_rc twx_losses_count(twx_ctx *cx, const twx_judged *judged, uint32_t min_documents,
                                  twx_losses *losses);
void twx_losses_done(twx_losses *losses);

#endif
