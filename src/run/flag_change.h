/* run/flag_change.h: compares what was judged with a generation of stored flags, row by row, in
 * order of doc. */
#ifndef TWX_RUN_FLAG_CHANGE_H
#define TWX_RUN_FLAG_CHANGE_H

#include "judge/judge.h"
#include "store/generations.h"

/* What was judged, in order of doc. Memory: by_doc owned. */
typedef struct twx_judged {
    const twx_judgement *j;
    const twx_judge_options *options;
    uint32_t *by_doc; /* indexes in order of doc; NULL: they are in it already */
} twx_judged;

TWX_CHECK twx_rc twx_judged_order(twx_ctx *cx, const twx_judgement *j,
                                  const twx_judge_options *options, twx_judged *ret_judged);
void twx_judged_done(twx_judged *judged);

/* Called for each document whose flags differ. stored NULL: it has none yet; fresh NULL: the
 * document is gone. index: of fresh. */
typedef twx_rc twx_flag_change_fn(void *arg, const twx_flag_row *stored, const twx_flag_row *fresh,
                                  uint32_t index);
/* Called between batches, when no statement is open: the place to write. */
typedef twx_rc twx_pause_fn(void *arg, bool last);
typedef struct twx_flag_change_sink {
    twx_flag_change_fn *differs;
    twx_pause_fn *pause; /* NULL: none */
    void *arg;
} twx_flag_change_sink;

/* generation 0: there are no stored flags. g may be NULL then. */
TWX_CHECK twx_rc twx_flag_changes_compare(twx_ctx *cx, const twx_judged *judged, twx_generations *g,
                                          char generation, const twx_flag_change_sink *eyes);

#endif
