/* run/flag_changes.h: the differences between a result and a generation of stored flags, one at a
 * time, in order of doc. The result is a judgement, or rows from elsewhere. The caller may write to
 * the generation between two differences: rows up to the last one are not read again. */
#ifndef TWX_RUN_FLAG_CHANGES_H
#define TWX_RUN_FLAG_CHANGES_H

#include "judge/judge.h"
#include "store/flags_cursor.h"

/* The rows of a result, in order of doc. Memory: the caller owns what arg points to. */
typedef struct twx_flag_rows {
    void *arg;
    /* The next row is the first again. */
    twx_rc (*rewind)(void *arg);
    /* TWX_DONE after the last one. ret_index: of the document in the judgement, if there is one */
    twx_rc (*next)(void *arg, twx_flag_row *ret_row, uint32_t *ret_index);
    /* The row of a document after the rows that were returned since rewind; the next row is the one
     * after it. TWX_DONE: it has none. NULL: rows can only be read one after the other. */
    twx_rc (*find)(void *arg, int64_t doc, twx_flag_row *ret_row);
} twx_flag_rows;

/* The judgement of one store's documents, in order of doc. Memory: by_doc owned. */
typedef struct twx_judged {
    const twx_judgement *j;
    const twx_judge_options *options;
    size_t n;         /* its documents */
    uint32_t *by_doc; /* their indexes in order of doc; NULL: these are 0, 1, ... */
    size_t at;        /* of the next row */
} twx_judged;

/* The documents of each of n stores: ret_judged[0..n), zeroed by the caller, who calls
 * twx_judged_done() for each also after an error. */
TWX_CHECK twx_rc twx_judged_order(twx_ctx *cx, const twx_judgement *j,
                                  const twx_judge_options *options, twx_judged *const *ret_judged,
                                  size_t n);
void twx_judged_done(twx_judged *judged);
static inline uint32_t twx_judged_index(const twx_judged *judged, size_t at) {
    return judged->by_doc ? judged->by_doc[at] : (uint32_t)at;
}
/* The flags of the documents, without those that were withdrawn. judged is borrowed; of its rows,
 * only one reader at a time. */
twx_flag_rows twx_judged_rows(twx_judged *judged);

/* A document whose flags differ. Memory: rows are borrowed until the next call. */
typedef struct twx_flag_change {
    const twx_flag_row *stored; /* NULL: the document has no flags yet */
    const twx_flag_row *fresh;  /* NULL: the document is gone */
    uint32_t index;             /* index of fresh; TWX_NO_DOCUMENT if fresh is NULL */
} twx_flag_change;

/* Memory: embedded struct; twx_flag_changes_done(). What rows point to, and g, are borrowed. */
typedef struct twx_flag_changes {
    twx_ctx *cx;
    twx_flag_rows rows;
    twx_flags_cursor stored;
    twx_flag_row fresh, given; /* the next row, and the one that was returned last */
    uint32_t index;            /* of fresh */
    bool waits;                /* fresh was read and not yet returned */
    bool end;
    uint64_t n_read;
} twx_flag_changes;

/* generation 0: there are no stored flags, and g may be NULL. */
TWX_CHECK twx_rc twx_flag_changes_init(twx_ctx *cx, const twx_flag_rows *rows, twx_generations *g,
                                       char generation, twx_flag_changes *ret_changes);
void twx_flag_changes_done(twx_flag_changes *changes);
/* TWX_DONE after the last one. Errors TWX_E_CANCELLED and those of reading */
TWX_CHECK twx_rc twx_flag_changes_next(twx_flag_changes *changes, twx_flag_change *ret_change);

#endif
