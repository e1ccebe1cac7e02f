/* run/list_changes.h: lists the documents that one result shows and another does not, by URL and
 * with the reason (report/change_list.h). A document without flags counts as shown unless it does
 * not take part. */
#ifndef TWX_RUN_LIST_CHANGES_H
#define TWX_RUN_LIST_CHANGES_H

#include "base/flag_row.h"
#include "job/open_store.h"
#include "judge/pins.h"
#include "report/change_list.h"

/* What is noted of a document until its URL is looked up. */
typedef struct twx_noted_change {
    int64_t doc, before, after; /* before, after: the representative */
    bool has_before, has_after, is_new;
    uint8_t was, is; /* twx_eligibility */
    /* 1 << slot: relations of the verdict to the representative */
    uint32_t relations;
} twx_noted_change;

typedef struct twx_change_notes {
    twx_ctx *cx;
    uint32_t relations; /* relations of the verdict: 1 << slot */
    size_t limit;       /* of each kind; 0: all */
    uint64_t documents[TWX_CHANGE_KINDS];
    TWX_VEC(twx_noted_change) noted[TWX_CHANGE_KINDS];
} twx_change_notes;

/* was NULL: the document is new; is NULL: it is gone. */
TWX_CHECK twx_rc twx_change_note(twx_change_notes *notes, const twx_flag_row *was,
                                 const twx_flag_row *is);
void twx_change_notes_done(twx_change_notes *notes);
/* Looks up URLs and reasons. o: with source and signatures. pins NULL: none. */
TWX_CHECK twx_rc twx_change_notes_list(const twx_change_notes *notes, twx_opened *o,
                                       const twx_pins *pins, twx_change_list *ret_list);

#endif
