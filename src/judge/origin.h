/* judge/origin.h: whose texts are copied: a domain that has many texts which no other domain has is
 * more likely to be the origin of one that several have.
 * [R1] The origin of a registrable domain is 0 if all its texts are found elsewhere, too; otherwise
 * 1 + floor(log2(texts that no other domain has)): in powers of two, so that the order of documents
 * seldom changes. Texts are exact digests of documents that take part; each counts once. */
#ifndef TWX_JUDGE_ORIGIN_H
#define TWX_JUDGE_ORIGIN_H

#include "judge/judgement.h"

uint8_t twx_origin_of(uint64_t texts); /* 0, 1, 2, 3, 4 -> 0, 1, 2, 2, 3 */
/* Sets twx_host.origin of all hosts. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_find_origins(twx_ctx *cx, twx_judgement *j);

#endif
