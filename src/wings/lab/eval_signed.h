/* lab/eval_signed.h: the signatures that one detector computes for all texts of a store, and
 * the comparison of two texts by them.
 * Memory: embedded struct; keys and payloads of one detector, at most run.memory. */
#ifndef TWX_LAB_EVAL_SIGNED_H
#define TWX_LAB_EVAL_SIGNED_H

#include "group/grouper.h"
#include "lab/eval_texts.h"
#include "sign/detector_row.h"

typedef struct twx_eval_signed {
    const twx_detector *detector;
    const twx_params *params;
    TWX_VEC(twx_key) keys;
    TWX_VEC(uint64_t) keys_from; /* index of the keys of text i in keys; one more at the end */
    twx_buf payloads;
    TWX_VEC(uint64_t) payload_from; /* offset of text i's payload; one more at the end */
    double seconds;                 /* spent in sign(), on one thread */
} twx_eval_signed;

/* params are borrowed until _done. TWX_E_LIMIT without a message: keys and payloads exceed
 * run.memory. */
TWX_CHECK twx_rc twx_eval_sign(const twx_job *job, twx_opened *o, const twx_eval_texts *texts,
                               const twx_params *params, const twx_detector *detector,
                               twx_eval_signed *ret_signed);
void twx_eval_signed_done(twx_eval_signed *s);

/* Does text i have a key? A text without one is in no pair. */
bool twx_eval_has_key(const twx_eval_signed *s, uint32_t i);
/* The payload that verification compares; borrowed. */
twx_slice twx_eval_payload(const twx_eval_signed *s, uint32_t i);
/* The keys by which candidates of text i are found: ret_n keys, stored in room if they must be
 * computed. */
const twx_key *twx_eval_candidate_keys(const twx_eval_signed *s, uint32_t i,
                                       twx_key room[TWX_CANDIDATE_KEYS_MAX], size_t *ret_n);
/* The similarity that verification computes for two texts that share a key, in millionths; -1: not
 * a pair. */
int32_t twx_eval_alike(const twx_eval_signed *s, uint32_t a, uint32_t b);
/* Are the two texts a pair: do they share a candidate key and pass verification? */
bool twx_eval_is_pair(const twx_eval_signed *s, uint32_t a, uint32_t b);
/* Adds the candidate keys of all texts to a grouper. */
TWX_CHECK twx_rc twx_eval_give_keys(const twx_eval_signed *s, twx_grouper *grouper);

#endif
