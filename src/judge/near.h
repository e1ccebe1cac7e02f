/* judge/near.h: groups of nearly equal texts, by the configured detector, and among them groups of
 * copies. What is compared is texts, not documents: documents with one text (in one scope) are one
 * node, so that copies cost nothing and equal texts are always together [R1]; only detectors that
 * look at more than the text have a node for each place of it. Nodes are grouped around
 * representatives (group/leaders.h), best-ranked first, so the representative of a group is the
 * best in the total order [R2]. A text is a *copy* of a representative only if that one contains
 * its documents' names (names.h) [R4]; near-duplicates with another name are siblings. Two texts of
 * one hreflang group are translations of each other and never share a group [R3].
 * Memory: embedded struct; twx_near_done(). Payloads are kept in memory. */
#ifndef TWX_JUDGE_NEAR_H
#define TWX_JUDGE_NEAR_H

#include "detect/detector.h"
#include "group/leaders.h"
#include "judge/groups.h"
#include "judge/names.h"

typedef struct twx_near {
    /* Set before loading; detector NULL: there is none. Borrowed. */
    const twx_detector *detector;
    const twx_params *params;
    twx_join join;
    uint32_t candidates;
    bool copies; /* are copies wanted? */
    /* Filled while loading */
    uint32_t *node;         /* by document: TWX_NO_DOCUMENT: it has no keys */
    TWX_VEC(uint64_t) ends; /* of each node's payload in `payloads` */
    twx_buf payloads;
    twx_map64 nodes; /* hash of a text in its scope -> node */
    twx_names names; /* when copies are wanted */
    /* Made by judging */
    /* by node, to its representative; of copies NULL unless wanted */
    int32_t *similarity[TWX_LIKENESSES];
    /* by document: other names among its near-duplicates; NULL unless copies are wanted */
    uint32_t *siblings;
    uint64_t compared, capped; /* twx_leaders */
} twx_near;

TWX_CHECK twx_rc twx_near_init(twx_ctx *cx, twx_near *near, size_t documents);
void twx_near_done(twx_near *near);
/* The node of a document's text. *ret_is_new: it was not seen before, and its keys have to be added
 * to the grouper, under the node's number. text: identity of the text in its scope. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_add(twx_ctx *cx, twx_near *near, uint32_t document, uint64_t text,
                              twx_slice payload, bool *ret_is_new);
/* Ends adding to the groupers and makes the groups, those of copies when they are wanted. named:
 * keys of names (twx_names_add) under the numbers of nodes, NULL without copies. how->text != NULL:
 * translations are kept separate. */
TWX_CHECK twx_rc twx_near_groups(twx_ctx *cx, twx_near *near, const twx_grouping *how,
                                 twx_grouper *grouper, twx_grouper *named, twx_groups *ret_near,
                                 twx_groups *ret_copies);

#endif
