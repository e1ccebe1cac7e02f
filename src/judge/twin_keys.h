/* judge/twin_keys.h: the keys of URL twins (the relations scheme and www). Stored facts contain the
 * URL, unless it is very long, so these keys are computed when facts are read, and records have no
 * entries for them (docs/signatures.md).
 * [R1] They are the keys that the detectors of the relations sign.
 * [R2] The four forms of a URL, http and https with and without "www.", are one group of the
 * relation scheme: the preferred one may differ from the others in both. If the verdict joins only
 * one of the two relations, a group of scheme has the documents that differ in the scheme alone. */
#ifndef TWX_JUDGE_TWIN_KEYS_H
#define TWX_JUDGE_TWIN_KEYS_H

#include "judge/facts.h"
#include "judge/relations.h"
#include "sign/detector_row.h"

/* Does the record of a document with these facts contain no entries of URL twins? Those that it
 * has nevertheless do not count. */
static inline bool twx_twins_are_in_facts(const twx_facts *facts) {
    return facts->url_length <= TWX_FACTS_URL_MAX;
}

static inline bool twx_relation_is_of_url(twx_relation_id relation) {
    return relation == TWX_RELATION_SCHEME || relation == TWX_RELATION_WWW;
}

/* Are the four forms one group? relations: of the verdict [R2] */
static inline bool twx_twins_are_whole(uint32_t relations) {
    const uint32_t both = 1u << TWX_RELATION_SCHEME | 1u << TWX_RELATION_WWW;
    return (relations & both) == 0 || (relations & both) == both;
}

/* Which of the n keys of a stored entry counts. */
static inline size_t twx_twin_place(twx_relation_id relation, bool whole, size_t n) {
    return relation == TWX_RELATION_SCHEME && whole && n > 1 ? 1 : 0;
}

/* url: the stored bytes of the URL (twx_facts_unpack_all). relation: one of the two. whole:
 * twx_twins_are_whole(). false: the URL has no such key, or the record has it. */
bool twx_twin_key(const twx_facts *facts, twx_slice url, twx_relation_id relation, bool whole,
                  twx_key *ret_key);

#endif
