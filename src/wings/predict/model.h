/* predict/model.h: the learned model: tables of keys with counts, and the probability of a URL. */
#ifndef TWX_PREDICT_MODEL_H
#define TWX_PREDICT_MODEL_H

#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/vec.h"
#include "predict/hypotheses.h"

/* A table from 64-bit hashes to 64-bit values with open addressing, for
 * millions of lookups a second. Unlike base/map64.h, its keys are hashes already (no seed), its
 * size is bounded and its content can be listed.
 * [R1] The order of adding does not affect the list, which is sorted.
 * Memory: embedded struct, zeroed at the start, owned; 16 bytes a slot, at most 3/4 full. One
 * writer or many readers. */
typedef struct twx_key_slot {
    uint64_t key, value; /* key 0: free; the key 0 is stored as 1 */
} twx_key_slot;

typedef struct twx_key_table {
    twx_key_slot *slots;
    size_t mask, n;
    size_t bytes_most; /* 0: no limit */
} twx_key_table;

void twx_key_table_done(twx_key_table *t);
/* The place of the value; a new key is added with `value` (and *ret_fresh set). NULL without an
 * error: the key is new and the limit is reached. Borrowed until the next call. */
TWX_CHECK twx_rc twx_key_table_place(twx_ctx *cx, twx_key_table *t, uint64_t key, uint64_t value,
                                     uint64_t **ret_at, bool *ret_fresh);
/* NULL: absent. */
const uint64_t *twx_key_table_get(const twx_key_table *t, uint64_t key);
/* All slots in order of the key as a signed number, the order of a database; owned by the caller,
 * twx_free(). NULL when there are none. */
TWX_CHECK twx_rc twx_key_table_list(twx_ctx *cx, const twx_key_table *t, twx_key_slot **ret_slots);

/* A learned model, contexts with their trials and the keys of the URLs that were
 * seen, and its predictions.
 * [R1] A context with (dup, nodup) trials has the probability p - 1.96 sqrt(p q / n), p = (dup + 1)
 * / n, q = 1 - p, n = dup + nodup + 2: the lower end of the 95 % interval. It is 0 with fewer than
 * TWX_TRIALS_LEAST trials, and when it is contradicted: by more than one nodup in
 * TWX_DUPLICATES_FOR_ONE dup, except of origins, where pages that show their host and pages that
 * changed in between are common. The probability of a URL is the largest one of the hypotheses that
 * apply; where one that speaks of fewer URLs is contradicted (a parameter of this path), those that
 * speak of more (the parameter of the folder) do not apply.
 * [R2] A hypothesis applies to a URL when another URL was seen that differs from it as stated,
 * whichever of the two has the part that may not matter.
 * [R3] The order in which contexts are added and URLs are seen does not affect predictions, as long
 * as no limit is reached.
 * [R4] About 30 bytes a seen key. A key whose context cannot reach a probability of TWX_LIKELY is
 * not kept, so where a part of a URL matters, memory does not grow with its values. At its limit a
 * table of seen keys takes no more: URLs that were not recorded are fetched.
 * Memory: embedded structs, owned. Any number of threads may ask at once. */
enum { TWX_TRIALS_LEAST = 5, TWX_DUPLICATES_FOR_ONE = 500, TWX_MODEL_VERSION = 2 };
#define TWX_LIKELY 0.5

/* Texts are absent where the hypothesis does not use them. Of origins (10): path and value are the
 * two origins, name is the query of a URL with such parameters (absent: without a query), second
 * the folder. Path is the site or area where there is no path; of a session segment (9), the site
 * and what precedes the segment. */
typedef struct twx_context {
    uint64_t key;
    uint32_t row;        /* of TWX_HYPOTHESIS */
    uint32_t dup, nodup; /* they stop growing at UINT32_MAX */
    double probability;  /* set by the model */
    twx_slice path, name, second, value;
} twx_context;

typedef struct twx_partner {
    uint64_t key;   /* of an origin and the shape of a query */
    uint64_t other; /* origin */
    const twx_context *why;
} twx_partner;

typedef struct twx_model {
    TWX_VEC(twx_context) contexts;
    twx_key_table by_key;           /* context key -> index */
    TWX_VEC(twx_partner) partners;  /* by key, most likely first */
    twx_key_table partners_of;      /* partner's key -> index of the first */
    double best[TWX_VARIANT_KINDS]; /* the largest probability of any context of each kind */
    twx_key_table seen;             /* keys of the documents that the model was learned from */
    twx_arena texts;
} twx_model;

typedef struct twx_prediction {
    double probability;     /* 0 when no hypothesis applies */
    const twx_context *why; /* NULL in that case */
} twx_prediction;

double twx_trial_probability(uint64_t dup, uint64_t nodup); /* [R1], without contradictions */
/* Of a model, as it is stored: of this version, and of URLs normalised in one way, of which `urls`
 * is a fingerprint. */
uint64_t twx_model_fingerprint(uint64_t urls);
/* A model of an earlier version is not to be used. */
bool twx_model_is_current(uint64_t fingerprint);

void twx_model_init(twx_model *m);
void twx_model_done(twx_model *m);
/* Copies the texts; the probability is computed. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_model_add_context(twx_ctx *cx, twx_model *m, const twx_context *context);
/* Called after the last context and before the first URL is seen or asked for. */
TWX_CHECK twx_rc twx_model_ready(twx_ctx *cx, twx_model *m);
const twx_context *twx_model_context(const twx_model *m, uint64_t key); /* NULL: none */
/* Counts one more pair that is evidence against it. */
void twx_model_contradict(twx_model *m, const twx_context *c);
/* Records that the document of this URL was fetched. `seen`: m->seen, or a table of the caller
 * besides it. */
TWX_CHECK twx_rc twx_model_add_seen(twx_ctx *cx, const twx_model *m, const twx_url_variants *page,
                                    twx_key_table *seen);
/* also: URLs seen besides; NULL: none. */
twx_prediction twx_model_predict(const twx_model *m, const twx_key_table *also,
                                 const twx_url_variants *page);
/* Is a likely duplicate fetched all the same? True for the given share of URLs, chosen by a hash.
 * url: in normal form. */
bool twx_explores(twx_slice url, double share);

#endif
