/* group/separate.h: keeps translations separate within a group (docs/internals.md, "Translations").
 * [R1] Two different texts of one hreflang group never share a subgroup.
 * [R2] Equal texts always share one.
 * [R3] Without hreflang all members stay together.
 * [R4] Members are processed in the given order, so a total order of the input determines the
 * result. */
#ifndef TWX_GROUP_SEPARATE_H
#define TWX_GROUP_SEPARATE_H

#include <stddef.h>

#include "base/ctx.h"

/* Shape  members[0..n) in the order that decides; text and hreflang are indexed by member (0: no
 * hreflang group). ret_subgroup[i], from 0, is that of members[i]. */
TWX_CHECK twx_rc twx_keep_separate(twx_ctx *cx, const uint32_t *members, size_t n,
                                   const uint64_t *text, const uint64_t *hreflang,
                                   uint32_t *ret_subgroup);

#endif
