/* judge/proof.h: whether the difference of two texts proves that they are copies of one page.
 *
 * The burden of proof lies with hiding. Captures of one page differ by what stands around the text
 * (navigation, banners) and by what machines put in (counters, dates of retrieval). Pages of one
 * form that describe different things differ by words substituted inside the text, or by a few
 * words more inside a sentence ("not permitted"). So
 * [R1] two texts are copies unless a block of their difference (text/difference.h) substitutes
 * words, adds a few words to a sentence, or is a passage that one of them lacks
 * (judge/objections.h);
 * [R2] such a block is harmless where machines put words in: at a place at which forms of at least
 * two pages (url/url_form.h) of one of the two hosts differ, and an eighth of the pairs that were
 * examined; and where both sides are session ids or digests;
 * [R3] boilerplate is left out: a sentence that at least BOILERPLATE_SHARE of the pages of the
 * host, or of the same first folder, have, and that follows (or precedes) its neighbour on every
 * page that has the neighbour. Both must be missing in the other text: "sold" in place of
 * "available" is no boilerplate, however common both are. Of two hosts, a sentence of some length
 * that most pages of one have may be alone;
 * [R4] URLs that are forms of one page need no proof if half of the first text is in the other;
 * [R5] texts that are no near-duplicates (`unlike`) must share most of what is no boilerplate.
 * Sentences that only the first text has are reported, so that its name may be looked for in
 * them.
 * What is learned of a host (places, boilerplate) is learned from its documents that take part now,
 * from a sample chosen by the hashes of their URLs: it does not depend on history, order or
 * threads. It is learned when a decision needs it, and texts are read then, from the store.
 * Memory: embedded struct; twx_proof_done(). Two texts, and of each host that was learned up to 64
 * pages as hashes of their sentences while it is learned. */
#ifndef TWX_JUDGE_PROOF_H
#define TWX_JUDGE_PROOF_H

#include "base/buf.h"
#include "judge/doc_table.h"
#include "text/difference.h"
#include "url/url_form.h"

/* How a judgement reads texts. Appends the text of document i to ret_text. TWX_DONE: the document
 * is gone, or its text is no longer the signed one: it is judged again in the next run, and is no
 * copy until then. */
typedef struct twx_text_source {
    twx_rc (*read)(void *arg, uint32_t i, twx_buf *ret_text);
    void *arg;
} twx_text_source;

typedef struct twx_proof {
    /* Set by the caller; borrowed */
    const twx_text_source *source;
    const twx_doc_table *p;
    const uint32_t *node;       /* by document: the number of its text */
    const uint64_t *form;       /* by document: twx_url_form_of() */
    const twx_url_names *urls;  /* by document */
    const uint8_t *eligibility; /* by document: twx_eligibility */
    /* The two texts that were read last */
    twx_buf text[2];
    uint32_t holds[2]; /* documents */
    twx_difference difference;
    /* Learned */
    bool indexed;
    uint32_t *by_host, *host_ends; /* documents that count, by host; where each host ends */
    uint32_t *by_form;             /* the same documents by form */
    size_t counted;
    uint8_t *learned;   /* by host: 1; 2: texts could not be read */
    twx_map64 places;   /* mix(host, place), of all kinds of twx_block_place */
    twx_map64 follows;  /* mix(host, section, mix(unit, next unit)) of boilerplate */
    twx_map64 sections; /* that were learned */
    uint64_t compared;  /* pairs of texts */
    /* Pairs that were decided without a text that could not be read as it was signed: their own, or
     * one from which something would have been learned of their hosts */
    uint64_t unread;
    uint64_t missed; /* such texts, so far */
} twx_proof;

void twx_proof_init(twx_proof *proof, const twx_text_source *source);
void twx_proof_done(twx_proof *proof);

/* The block that decides that a is no copy of b. Its words are borrowed from the texts that proof
 * holds. */
typedef struct twx_objection {
    bool found;
    bool unread; /* a text could not be read as it was signed */
    bool unlike; /* the texts have too little in common */
    bool adds;   /* not found, but only a has the words of the block */
    twx_block block;
} twx_objection;

/* Leaves in `units`, the sentences of the text of a document, those that are known as boilerplate
 * of its host. Learns what is needed. Errors TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_proof_boilerplate(twx_ctx *cx, twx_proof *proof, uint32_t document,
                                       twx_unit_list *units);
/* Are the URLs of two documents forms of one page? */
bool twx_proof_is_form(const twx_proof *proof, uint32_t a, uint32_t b);
/* May a be hidden by b? unlike: they are no near-duplicates by their signatures. Errors
 * TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_proof_of(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b, bool unlike,
                              twx_objection *ret_objection);
#endif
