/* run/list_changes.h: lists the documents that one result shows and another does not, by URL and
 * with the reason (run/change_list.h). A document without flags counts as shown unless it does
 * not take part. */
#ifndef TWX_RUN_LIST_CHANGES_H
#define TWX_RUN_LIST_CHANGES_H

#include "base/flag_row.h"
#include "judge/judgement.h"
#include "judge/pins.h"
#include "run/change_list.h"
#include "run/open_store.h"

/* What is noted of a document until its URL is looked up. */
typedef struct twx_noted_change {
    int64_t doc, before, after; /* before, after: the representative */
    uint16_t member;            /* whose document it is */
    bool has_before, has_after, is_new;
    uint8_t was, is; /* twx_eligibility */
    /* 1 << slot: relations of the verdict to the representative */
    uint32_t relations;
} twx_noted_change;

typedef struct twx_change_notes {
    twx_ctx *cx;
    uint32_t relations; /* relations of the verdict: 1 << slot */
    size_t limit;       /* of each kind; 0: all */
    uint16_t member;    /* whose documents are noted now */
    uint64_t documents[TWX_CHANGE_KINDS];
    TWX_VEC(twx_noted_change) noted[TWX_CHANGE_KINDS];
} twx_change_notes;

/* was NULL: the document is new; is NULL: it is gone. */
TWX_CHECK twx_rc twx_change_note(twx_change_notes *notes, const twx_flag_row *was,
                                 const twx_flag_row *is);
void twx_change_notes_done(twx_change_notes *notes);
/* Where documents of a store are looked up. */
typedef struct twx_listing_store {
    twx_opened *o;     /* with source and signatures */
    twx_db *published; /* has the published flags; NULL: there are none */
    twx_slice shard;   /* name of the store among others */
} twx_listing_store;
typedef struct twx_listing {
    const twx_listing_store *stores; /* by member */
    const twx_judgement *j; /* of these stores, whose `elsewhere` is numbered; NULL: none */
    const twx_pins *pins;   /* NULL: none */
} twx_listing;
/* Looks up URLs and reasons. */
TWX_CHECK twx_rc twx_change_notes_list(const twx_change_notes *notes, const twx_listing *where,
                                       twx_change_list *ret_list);

#endif
