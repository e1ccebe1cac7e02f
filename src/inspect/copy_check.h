/* inspect/copy_check.h: decides whether a document is a copy of another (judge/names.h,
 * judge/proof.h) and gives the reason, for commands that explain decisions. Names are stored as
 * hashes, so the words are looked up in the document itself. The words that a site uses everywhere
 * are known from the signatures of the last run, which are loaded for the first question.
 * twx_copy_check_pair() works without them, for documents that have not been signed.
 * Memory: owned handle. */
#ifndef TWX_INSPECT_COPY_CHECK_H
#define TWX_INSPECT_COPY_CHECK_H

#include "judge/names.h"
#include "run/load.h"

typedef struct twx_copy_check twx_copy_check;

/* The fields from which a name is spelled. Memory: borrowed. */
typedef struct twx_copy_document {
    twx_slice url, title, headings, names, description, text, main;
} twx_copy_document;

/* May the document be represented by the other one?
 * contained: the other has its name, and harmless: their texts differ in nothing that makes them
 * different pages; a copy needs both, and a similarity
 * similarity: millionths, as estimated by the near-duplicate method; -1: not a pair
 * demands: the words of the document's name that were asked for; missing: the first of them that
 * the other document lacks
 * difference: the words that make the texts different pages, as a phrase; borrowed until the next
 * question */
typedef struct twx_copy_answer {
    /* false: the near-duplicate method that is configured verifies no pairs, names alone decide and
     * there is none, or one of the documents has no signature */
    bool known;
    bool contained, harmless, unlimited;
    bool equal_texts;
    bool described_otherwise; /* equal texts, which have different descriptions */
    bool named_otherwise;     /* only the URLs have names, and these are different */
    bool shown_otherwise;     /* their images or structured data have other names */
    int32_t similarity;
    twx_demand missing;
    twx_demands demands;
    twx_slice difference;
} twx_copy_answer;

static inline bool twx_is_copy(const twx_copy_answer *answer) {
    return answer->similarity >= 0 && answer->contained && answer->harmless;
}

/* stores[0..n): in the order of a judgement (run/load.h); borrowed with what they point to. Reads
 * nothing yet. */
TWX_CHECK twx_rc twx_copy_check_open(const twx_load_store *stores, size_t n,
                                     twx_copy_check **ret_check);
void twx_copy_check_close(twx_copy_check *check);

/* A document by its number, and the place of its store in the list. */
typedef struct twx_copy_place {
    uint32_t store;
    int64_t doc;
} twx_copy_place;

/* With the words learned from the signatures of all stores. !ret_answer->known: the
 * signatures of one of the two are missing or were made with other settings. Considers the
 * documents' own names and those of documents with the same text. */
TWX_CHECK twx_rc twx_copy_check_stored(twx_copy_check *check, twx_copy_place document,
                                       twx_copy_place other, twx_copy_answer *ret_answer);
/* Compares two documents alone; no word is excluded as common. */
TWX_CHECK twx_rc twx_copy_check_pair(twx_copy_check *check, const twx_copy_document *document,
                                     const twx_copy_document *other, twx_copy_answer *ret_answer);

/* The sentences of a text that are known as boilerplate of the document's host, after
 * twx_copy_check_stored() has answered; none if texts are not compared. */
TWX_CHECK twx_rc twx_copy_check_boilerplate(twx_copy_check *check, twx_copy_place document,
                                            twx_slice text, twx_unit_list *ret_units);

/* Appends a word of the document's name as the document spells it, in quotes, with the part in
 * which it occurs: "'vsrc' in its title". */
TWX_CHECK twx_rc twx_copy_spell(twx_copy_check *check, const twx_copy_document *document,
                                const twx_demand *word, twx_buf *out);
/* Appends the reason: "'vsrc' in its title is not in the other", "its name is there: 'llvm',
 * 'project'". */
TWX_CHECK twx_rc twx_copy_reason(twx_copy_check *check, const twx_copy_document *document,
                                 const twx_copy_answer *answer, twx_buf *out);

#endif
