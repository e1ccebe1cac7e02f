/* run/store_set.h: the stores of a job, opened together, so that their published results are read
 * as those of one collection. One store is a set of one.
 * [R1] Several stores must hold the results of one run over all of them.
 * [R2] The order of the members is that of their names in that run, whatever the order in which the
 * stores were given.
 * Memory: embedded struct, which must not move; twx_store_set_done(). */
#ifndef TWX_RUN_STORE_SET_H
#define TWX_RUN_STORE_SET_H

#include "base/map64.h"
#include "base/vec.h"
#include "run/open_store.h"
#include "store/display.h"

typedef struct twx_set_member {
    twx_job job; /* of this store */
    twx_opened o;
    twx_state state;
    twx_membership place;
    twx_slice shard; /* its name; absent: the set has no other store */
} twx_set_member;

/* A document, whichever store refers to it. */
typedef struct twx_set_document {
    int64_t doc;     /* its number in the member; outside: its number in flags */
    uint32_t member; /* TWX_SET_OUTSIDE: its store is not in the set, or it is gone */
} twx_set_document;
#define TWX_SET_OUTSIDE UINT32_MAX

typedef struct twx_store_set {
    const twx_job *job;
    twx_set_member *at;
    size_t n;
    twx_arena names;
    twx_map64 known; /* representatives in other stores -> index into `resolved` */
    TWX_VEC(twx_set_document) resolved;
} twx_store_set;

/* needs: as of twx_open_store(); TWX_NEED_RESULTS is added.
 * Errors TWX_E_DATA: a store has no result, or their results are of different runs */
TWX_CHECK twx_rc twx_store_set_open(const twx_job *job, unsigned needs, twx_store_set *ret_set);
void twx_store_set_done(twx_store_set *s);
/* From here on all reads of Twindex's tables see one state of each store. */
TWX_CHECK twx_rc twx_store_set_pin(twx_store_set *s);
/* twx_result_kept() for each store. */
TWX_CHECK twx_rc twx_store_set_kept(const twx_store_set *s);

/* Whether each store has a complete result besides the published one. */
bool twx_store_set_has_earlier(const twx_store_set *s);

/* Calls fn for each store that is not in the set and has representatives of documents of a member:
 * the set is a part of the collection. TWX_DONE from fn ends the calls. */
typedef twx_rc twx_missing_fn(void *arg, uint32_t member, twx_slice shard, int64_t documents);
TWX_CHECK twx_rc twx_store_set_missing(const twx_store_set *s, twx_missing_fn *fn, void *arg);

/* Warns if there is one: figures leave out its documents. */
TWX_CHECK twx_rc twx_store_set_warn(const twx_store_set *s);

/* The member with this name; TWX_SET_OUTSIDE: none. An absent name is that of `own`. */
uint32_t twx_store_set_find(const twx_store_set *s, twx_slice shard, uint32_t own);
/* The document that a number in the flags of a member stands for. */
TWX_CHECK twx_rc twx_store_set_resolve(twx_store_set *s, uint32_t member, int64_t doc,
                                       twx_set_document *ret_document);
/* For maps; equal for equal documents. In a set of one it is the number. */
uint64_t twx_store_set_key(const twx_store_set *s, twx_set_document document);
/* Appends "ID URL" for a document that flags of a member refer to, and " in STORE" if it lies in
 * another one. */
TWX_CHECK twx_rc twx_store_set_add_document(twx_store_set *s, uint32_t member, int64_t doc,
                                            twx_buf *line);

/* A statement for display (store/display.h), whose rows come from all members, merged. */
typedef struct twx_set_query {
    twx_display_query display;
    bool named; /* one more value is bound: the name of the member; NULL in a set of one */
    /* The order of the rows of each member: columns from 1, negative: descending; 0 ends. Rows that
     * are equal by them come in order of the members. */
    const int *order;
} twx_set_query;

typedef twx_rc twx_set_row_fn(void *arg, uint32_t member, const twx_value *columns, size_t n);
TWX_CHECK twx_rc twx_store_set_display(twx_store_set *s, const twx_set_query *query,
                                       twx_set_row_fn *fn, void *arg);

#endif
