/* judge/near.h: groups of near-duplicate texts, by the configured detector, and among them groups
 * of copies. Texts are compared, not documents: documents with one text (in one scope) are one
 * node, so exact copies cost nothing.
 * [R1] Equal texts are always in one group. (A detector that examines more than the text has a node
 * for each distinct input.)
 * [R2] Nodes are grouped around representatives (group/leaders.h), best-ranked first, so the
 * representative of a group is the best in the total order.
 * [R3] Two texts of one hreflang group are translations of each other and never share a group.
 * [R4] A text is a *copy* of a representative only if the representative contains its documents'
 * names (names.h), and their difference is harmless (proof.h); other near-duplicates are siblings.
 * For documents with equal titled names (twx_names_key_of) less similarity is enough, because the
 * name is evidence, too.
 * [R5] With `texts`, equal texts are proof of equal texts only: documents with one text are copies
 * if their names agree. Each set of documents with one text and one name (twx_names_identity) is an
 * item of its own for the relation of copies, also if the text has too few words for
 * near-duplicates, or there is no detector.
 * [R6] With thresholds of hosts, two texts are similar if they reach the higher one of both; a
 * text on several hosts has the highest of theirs (of documents that take part).
 * Candidates are texts that share a key: those that were added to the grouper, or the bands of the
 * detector's sketches (group/band_search.h). Pairs that cannot be similar by their summaries are
 * rejected before they are compared.
 * Memory: embedded struct; twx_near_done(). What `memory` does not hold of payloads, sketches and
 * summaries is in temporary files, or is computed again. */
#ifndef TWX_JUDGE_NEAR_H
#define TWX_JUDGE_NEAR_H

#include "group/leaders.h"
#include "group/pieces.h"
#include "judge/groups.h"
#include "judge/names.h"
#include "judge/proof.h"
#include "sign/detector_row.h"
#include "url/url_form.h"

typedef struct twx_near {
    /* Set before loading; detector NULL: there is none. Borrowed. */
    const twx_detector *detector;
    const twx_params *params, *named; /* named: for equal names, NULL: the same */
    twx_join join;
    uint32_t candidates;
    bool copies; /* compute copies as well */
    /* where the texts of copies are read; NULL: names alone decide (copy.proof = names) */
    const twx_text_source *texts;
    bool scoped; /* texts have scopes */
    /* By section of hosts (twx_host.section), 0: the store: the least similarity of its texts;
     * NULL: that of the parameters, which is the lowest of them. Borrowed. */
    const uint32_t *thresholds;
    uint32_t margin;    /* by which those of `named` are lower */
    uint64_t documents; /* of the store, which decide by which bands candidates are found */
    size_t threads;     /* for sketches, and searching candidates */
    /* Bytes: a quarter each for payloads, names, summaries; while candidates are searched, the same
     * once more, a quarter for sketches and the rest for tables */
    size_t memory;
    /* Filled while loading */
    uint32_t *node;               /* by document: TWX_NO_DOCUMENT: it has no keys */
    twx_pieces payloads;          /* by node */
    TWX_VEC(bool) compared_nodes; /* by node: its text can have near-duplicates */
    TWX_VEC(uint64_t) form;       /* by document, with texts: twx_url_form_of() */
    TWX_VEC(uint32_t) described;  /* by document, with texts: of its description; 0: it has none */
    TWX_VEC(twx_url_names) urls;  /* by document, with texts */
    twx_map64 nodes;              /* hash of a text in its scope -> node; freed when loading ends */
    TWX_VEC(uint64_t) scopes;     /* by node, if texts have scopes */
    twx_names names;              /* when copies are wanted */
    /* Made by judging */
    uint32_t *least; /* by node, with thresholds: the strictest of its documents that take part */
    /* by node (of copies: by item), to its representative; for copies NULL unless computed */
    int32_t *similarity[TWX_LIKENESSES];
    /* by document: groups of copies among its near-duplicates, except its own; NULL unless copies
     * are computed */
    uint32_t *siblings;
    uint64_t compared, capped; /* twx_leaders */
    uint64_t read;             /* pairs of texts compared for proof */
    uint64_t unread;           /* twx_proof.unread */
} twx_near;

TWX_CHECK twx_rc twx_near_init(twx_ctx *cx, twx_near *near, size_t documents);
void twx_near_done(twx_near *near);
/* What is known of the text of a document. */
typedef struct twx_near_text {
    uint64_t text; /* its identity, in its scope */
    uint64_t scope;
    twx_slice payload;
    bool is_compared; /* it can have near-duplicates */
} twx_near_text;

/* Has the document a text that can have near-duplicates? */
bool twx_near_has(const twx_near *near, uint32_t document);
/* Has it a node, and does it take part? */
bool twx_near_counts(const twx_near *near, const twx_grouping *how, uint32_t document);

/* The node of a document's text. *ret_is_new: it is new, and its keys must be added to the grouper,
 * with the node as index, unless the detector has sketches. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_add(twx_ctx *cx, twx_near *near, uint32_t document,
                              const twx_near_text *text, bool *ret_is_new);
/* Ends loading: releases what only twx_near_add() and twx_names_add() need. */
void twx_near_loaded(twx_near *near);
/* Ends loading, and adding to the groupers, and makes the groups, and those of copies if requested.
 * named: keys of names (twx_names_add) with nodes as indexes, NULL without copies. how->text !=
 * NULL: translations are kept separate. */
TWX_CHECK twx_rc twx_near_groups(twx_ctx *cx, twx_near *near, const twx_grouping *how,
                                 twx_grouper *grouper, twx_grouper *named, twx_groups *ret_near,
                                 twx_groups *ret_copies);
/* Makes near->siblings of the n documents, from their groups; also after these have changed. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_count_siblings(twx_ctx *cx, twx_near *near, size_t n,
                                         const twx_groups *similar, const twx_groups *copies);

/* Similarity of two nodes for copies: by the detector, with equal keys of names by its parameters
 * `named`; -1: they are not a pair. An error of reading is returned by twx_near_error(). */
int32_t twx_near_similarity(const twx_near *near, uint32_t a, uint32_t b, bool equal_names);
/* Have documents a and b descriptions that tell them apart? They do so if the texts are equal, or
 * the title says nothing. */
bool twx_near_is_described_otherwise(const twx_near *near, const twx_doc_table *p, uint32_t a,
                                     uint32_t b);
/* Do their images and structured data state other names, under the same conditions? Not if the URLs
 * are forms of one page. */
bool twx_near_is_shown_otherwise(const twx_near *near, const twx_doc_table *p, uint32_t a,
                                 uint32_t b);
/* Do two documents have a title, and one name? With near->texts words for the form in which a page
 * is shown do not count. */
bool twx_near_equal_names(const twx_near *near, uint32_t a, uint32_t b);
/* May document a be hidden by b as far as their URLs name them? */
bool twx_near_urls_agree(const twx_near *near, uint32_t a, uint32_t b);
/* Learns what twx_names_learn() does. */
TWX_CHECK twx_rc twx_near_learn(twx_ctx *cx, twx_near *near, const twx_doc_table *p,
                                const uint8_t *eligibility);
/* Initialises the proofs of a table's documents, after twx_near_learn(); without near->texts it
 * proves nothing. Borrows its arguments. */
void twx_near_proof(const twx_near *near, const twx_doc_table *p, const uint8_t *eligibility,
                    twx_proof *ret_proof);
/* What a document with a text demands of those that may hide it. */
void twx_near_demands(const twx_near *near, const twx_doc_table *p, uint32_t document,
                      twx_demands *ret_demands);
/* Could all payloads and names be read? Errors TWX_E_IO */
TWX_CHECK twx_rc twx_near_error(twx_ctx *cx, const twx_near *near);

#endif
