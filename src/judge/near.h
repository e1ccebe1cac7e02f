/* judge/near.h: groups of nearly equal texts, by the configured detector.
 * What is compared is texts, not documents: documents with one text (in one scope) are one node, so that copies cost nothing and
 * equal texts are always together [R1]; only detectors that look at more than the text have a node for each place of it. Nodes
 * are grouped around representatives (group/leaders.h), best-ranked first, so the
 * representative of a group is the best in the total order [R2]. Two texts of one hreflang group are translations of each
 * other and never share a group [R3].
 * Memory: embedded struct; twx_near_done(). Payloads are kept in memory. */
#ifndef TWX_JUDGE_NEAR_H
#define TWX_JUDGE_NEAR_H

#include "detect/detector.h"
#include "group/leaders.h"
#include "judge/groups.h"

typedef struct twx_near {
    /* Set before loading; detector NULL: there is none. Borrowed. */
    const twx_detector *detector;
    const twx_params *params;
    twx_join join;
    uint32_t candidates;
    /* Filled while loading */
    uint32_t *node;         /* by document: TWX_NOBODY: it has no keys */
    TWX_VEC(uint64_t) ends; /* of each node's payload in `payloads` */
    twx_buf payloads;
    twx_map64 nodes; /* hash of a text in its scope -> node */
    /* Made by judging */
    int32_t *similarity;       /* by node, to its representative */
    uint64_t compared, capped; /* twx_leaders */
} twx_near;

TWX_CHECK twx_rc twx_near_init(twx_ctx *cx, twx_near *near, size_t documents);
void twx_near_done(twx_near *near);
/* The node of a document's text. *ret_is_new: it was not seen before, and its keys have to be added to the grouper, under
 * the node's number. text: identity of the text in its scope. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_add(twx_ctx *cx, twx_near *near, uint32_t document, uint64_t text, twx_slice payload,
                              bool *ret_is_new);
/* Ends adding to the grouper and makes the groups. how->text != NULL: translations are kept apart. */
TWX_CHECK twx_rc twx_near_groups(twx_ctx *cx, twx_near *near, const twx_grouping *how, twx_grouper *grouper,
                                 twx_groups *ret_groups);

#endif
