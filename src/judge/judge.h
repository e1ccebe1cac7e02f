/* judge/judge.h: from groups to flags: the whole judgement of a run in memory, and the row it gives
 * each document.
 * [R1] It depends on the documents and the parameters alone. [R2] One representative a group, one
 * survivor a cluster, and the survivor passes every filter on the relations that were joined. [R3]
 * Documents that do not take part have no judgement but `duplicate_of`, when their link leads to a
 * survivor.
 * Memory: owned struct; twx_judgement_done(). */
#ifndef TWX_JUDGE_JUDGE_H
#define TWX_JUDGE_JUDGE_H

#include "judge/groups.h"
#include "judge/near.h"
#include "judge/order.h"
#include "judge/pins.h"
#include "judge/relations.h"

enum { TWX_JOIN_CANONICAL = 1 << TWX_RELATIONS, TWX_JOIN_REDIRECT = 2 << TWX_RELATIONS };

typedef struct twx_judge_options {
    twx_preference preference;
    uint32_t collapse_min;
    uint32_t relations;   /* bits: 1 << slot, and the two above */
    uint32_t separate;    /* slots that keep translations apart: 1 << slot */
    const twx_pins *pins; /* NULL: none; docs.pinned says which documents they are about */
} twx_judge_options;

/* Bits of a blank-separated list of relations. Errors TWX_E_CONFIG, naming the word. */
TWX_CHECK twx_rc twx_relations_parse(twx_ctx *cx, twx_slice list, uint32_t *ret_relations);
/* Criteria of a blank-separated list. Errors TWX_E_CONFIG. */
TWX_CHECK twx_rc twx_criteria_parse(twx_ctx *cx, twx_slice list,
                                    twx_criterion ret_criteria[TWX_CRITERIA]);

typedef struct twx_judgement {
    twx_doc_table docs;
    uint64_t *sig[TWX_RELATIONS];        /* by index, with known_sig; NULL: the slot has none */
    uint8_t *known_sig;                  /* bit slot: the document has this signature */
    twx_grouper *grouper[TWX_RELATIONS]; /* entries until judged; NULL: the slot is not used */
    twx_near near; /* of TWX_RELATION_NEAR, whose grouper has nodes for indexes */
    /* bit slot: a pin gave the document another representative; NULL: there are no pins */
    uint8_t *divided;
    uint8_t *shared_layout; /* bit slot: another document of its group has the same markup */
    uint32_t *rank;
    twx_links links;
    twx_groups groups[TWX_RELATIONS];
    twx_groups clusters; /* of the verdict */
} twx_judgement;

void twx_judgement_init(twx_judgement *j);
void twx_judgement_done(twx_judgement *j);
/* Judges what was loaded: docs, signatures and the groupers' entries. */
TWX_CHECK twx_rc twx_judge(twx_ctx *cx, twx_judgement *j, const twx_judge_options *options);
/* The flags of document i (by index). */
void twx_judged_row(const twx_judgement *j, const twx_judge_options *options, uint32_t i,
                    twx_flag_row *ret_row);
/* Does the verdict hide document i: does another document of its cluster stand for it? */
bool twx_is_hidden(const twx_judgement *j, uint32_t i);

#endif
