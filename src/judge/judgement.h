/* judge/judgement.h: the data about all documents of a run while they are judged, filled from
 * stored records, one document at a time.
 * [R1] Documents are added in order of the source's id, and of the store's name where ids are
 * equal.
 * [R2] Facts and records may come from anywhere: anything but a whole record is TWX_E_CORRUPT.
 * Memory: owned struct; twx_judgement_done(). */
#ifndef TWX_JUDGE_JUDGEMENT_H
#define TWX_JUDGE_JUDGEMENT_H

#include "group/pieces.h"
#include "judge/groups.h"
#include "judge/near.h"
#include "judge/order.h"
#include "judge/pins.h"
#include "judge/relations.h"

typedef struct twx_judge_options {
    /* What records hold, for adding them */
    const twx_detector *detectors[TWX_RELATIONS]; /* NULL: the relation is not used */
    const twx_detector *name; /* names of documents, for the relation copy; NULL: not used */
    const twx_params *params; /* of the detectors */
    const twx_params *named;  /* of the near-duplicate detector for documents with equal names;
                               * NULL: the same */
    twx_relation_scope scope[TWX_RELATIONS];
    /* The settings of hosts (url/host_patterns.h); NULL: none. Borrowed. */
    const char *hosts;
    const uint32_t *thresholds; /* twx_near.thresholds */
    uint32_t margin;            /* twx_near.margin */
    twx_join join;
    uint32_t candidates; /* representatives a text is compared with, a key */
    size_t threads;      /* they never change the result */
    twx_name_rules names;
    /* where the texts of copies are read, for proof.h; its `read` gets indexes of the judgement.
     * NULL: names alone prove that near-duplicates are copies, and equal texts are copies */
    const twx_text_source *texts;
    const twx_pins *pins; /* NULL: none */
    /* How groups become flags */
    twx_preference preference;
    uint32_t collapse_min;
    uint32_t relations; /* of the verdict: 1 << relation, TWX_JOIN_CANONICAL, TWX_JOIN_REDIRECT */
    uint32_t separate;  /* 1 << relation: translations are kept separate */
} twx_judge_options;

enum { TWX_JOIN_CANONICAL = 1 << TWX_RELATIONS, TWX_JOIN_REDIRECT = 2 << TWX_RELATIONS };

/* A document that documents of other stores refer to, and its number there. */
typedef struct twx_elsewhere {
    uint32_t index;
    int64_t number;
} twx_elsewhere;

typedef struct twx_judgement {
    const twx_judge_options *options; /* borrowed */
    twx_doc_table docs;
    twx_pieces signed_as; /* by index: twx_signed_as, packed; the caller adds one per document */
    /* entries until judged; NULL: the relation is not used */
    twx_grouper *grouper[TWX_RELATIONS];
    twx_near near;   /* of TWX_RELATION_NEAR, whose grouper has nodes for indexes */
    size_t capacity; /* documents that there is room for */
    /* Made by twx_judge() */
    /* bit relation: a pin gave the document another representative; NULL: there are no pins */
    uint8_t *divided;
    uint8_t *withdrawn;     /* by index: 1 for withdrawn documents (withdraw.h); NULL: none */
    uint8_t *shared_layout; /* bit relation: another document of its group has the same markup */
    uint32_t *rank;
    twx_links links;
    twx_groups groups[TWX_RELATIONS];
    twx_groups clusters; /* of the verdict */
    /* Made by twx_find_elsewhere(), in order of index; none in a run of one store. The caller sets
     * the numbers before rows are made. */
    TWX_VEC(twx_elsewhere) elsewhere;
} twx_judgement;

void twx_judgement_init(twx_judgement *j);
void twx_judgement_done(twx_judgement *j);
/* Makes room for `documents` documents. memory: bytes for sorting keys. options are borrowed. */
TWX_CHECK twx_rc twx_judgement_begin(twx_ctx *cx, twx_judgement *j,
                                     const twx_judge_options *options, size_t documents,
                                     size_t memory);
/* A document: its store, and its number, facts (facts.h) and record of signatures (sign/record.h)
 * there. */
typedef struct twx_judged_document {
    uint16_t member;
    int64_t doc;
    twx_slice facts, record;
} twx_judged_document;
/* Adds the next document.
 * Errors TWX_E_CORRUPT, TWX_E_LIMIT (there is no room for it) */
TWX_CHECK twx_rc twx_judgement_add(twx_ctx *cx, twx_judgement *j, const twx_judged_document *doc);
/* Hash of facts and record, as twx_signed_as.made has it. */
uint64_t twx_judgement_hash(twx_slice facts, twx_slice record);

/* What is only needed of a document when its flags are made, and when it may have changed. */
typedef struct twx_signed_as {
    uint64_t made;               /* hash of facts and record, to detect changes */
    uint8_t known;               /* bit relation: the document has this signature */
    uint64_t sig[TWX_RELATIONS]; /* its first key */
} twx_signed_as;

/* Adds that of the next document. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_signed_as_add(twx_ctx *cx, twx_judgement *j, const twx_signed_as *s);
/* That of document i; empty if it could not be read, which twx_judgement_error() reports. */
twx_signed_as twx_signed_as_of(const twx_judgement *j, uint32_t i);
/* Errors TWX_E_IO: something could not be read, so flags may be wrong. */
TWX_CHECK twx_rc twx_judgement_error(twx_ctx *cx, const twx_judgement *j);

#endif
