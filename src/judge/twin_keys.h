/* judge/twin_keys.h: the keys of URL twins (the relations scheme and www). Stored facts contain the
 * URL, unless it is very long, so these keys are computed when facts are read, and records have no
 * entries for them (docs/signatures.md).
 * [R1] They are the keys that the detectors of the relations sign. */
#ifndef TWX_JUDGE_TWIN_KEYS_H
#define TWX_JUDGE_TWIN_KEYS_H

#include "detect/detector_row.h"
#include "judge/facts.h"
#include "judge/relations.h"

/* Does the record of a document with these facts contain no entries of URL twins? Those that it
 * has nevertheless do not count. */
static inline bool twx_twins_are_in_facts(const twx_facts *facts) {
    return facts->url_length <= TWX_FACTS_URL_MAX;
}

static inline bool twx_relation_is_of_url(twx_relation_id relation) {
    return relation == TWX_RELATION_SCHEME || relation == TWX_RELATION_WWW;
}

/* url: the stored bytes of the URL (twx_facts_unpack_all). relation: one of the two. false: the
 * URL has no such key, or the record has it. */
bool twx_twin_key(const twx_facts *facts, twx_slice url, twx_relation_id relation,
                  twx_key *ret_key);

#endif
