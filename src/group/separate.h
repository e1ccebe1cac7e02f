/* group/separate.h: keeps translations apart within a group (docs/internals.md, "Translations").
 * [R1] Two different texts of one hreflang group never share a subgroup. [R2] Equal texts always
 * do. [R3] Without hreflang everything stays together. [R4] Decided in the order of the members, so
 * a total order in gives one result out. */
#ifndef TWX_GROUP_SEPARATE_H
#define TWX_GROUP_SEPARATE_H

#include <stddef.h>

#include "base/ctx.h"

/* Shape  members[0..n) in the order that decides; text and hreflang are indexed by member (0: no
 * hreflang group). ret_subgroup[0..n), 0-based, belongs to members[i]. */
TWX_CHECK twx_rc twx_keep_separate(twx_ctx *cx, const uint32_t *members, size_t n,
                                   const uint64_t *text, const uint64_t *hreflang,
                                   uint32_t *ret_subgroup);

#endif
