/* lab/methods/term_rounds.h: private to the term selection: which of the candidate words are taken,
 * with which thresholds. term_selection.c describes the rounds.
 * Memory: embedded struct; twx_term_choice_done(). */
#ifndef TWX_LAB_METHODS_TERM_ROUNDS_H
#define TWX_LAB_METHODS_TERM_ROUNDS_H

#include "base/vec.h"
#include "group/sort_entries.h"

enum {
    TWX_TERM_LEVELS = 16, /* thresholds a word may have */
    TWX_TERM_ROUNDS = 5,
    TWX_TERM_NO_LEVEL = TWX_TERM_LEVELS,
    TWX_TERM_WORDS_MAX = 4096
};

/* Half octaves from 1/2000 on, in millionths of tf / dl. A word below the lowest is noise in a
 * long text. */
extern const uint32_t TWX_TERM_THRESHOLDS[TWX_TERM_LEVELS];

typedef struct twx_term_sample_word {
    uint64_t word;
    uint32_t ppm;
} twx_term_sample_word;

/* The words of a document of the sample. */
typedef struct twx_term_sample {
    uint64_t hash; /* of the bag */
    twx_term_sample_word *at;
    size_t n;
} twx_term_sample;

/* level[r]: the threshold for round r; TWX_TERM_NO_LEVEL: none is good enough. */
typedef struct twx_term_candidate {
    uint64_t word;
    uint32_t quality, safe; /* of its best threshold */
    uint32_t from, n;       /* postings in the sample */
    uint8_t level[TWX_TERM_ROUNDS];
    uint8_t taken; /* level + 1; 0: not taken */
    bool dropped;  /* it turned out to be unnecessary */
} twx_term_candidate;

typedef TWX_VEC(twx_term_candidate) twx_term_candidates;

/* The postings of the candidates in the sample, sorted by word: key is the word, check is document
 * << 32 | millionths. */
typedef struct twx_term_choice {
    twx_term_candidates all; /* best words first */
    twx_entry *postings, *scratch;
    size_t n;
    uint16_t *bits; /* of each document of the sample */
    size_t documents;
    uint64_t missing; /* bits that documents still need */
    size_t taken;
} twx_term_choice;

/* Sets `taken` of the candidates c->all. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_term_choose(twx_ctx *cx, const twx_term_sample *samples, size_t n,
                                 twx_term_choice *c);
void twx_term_choice_done(twx_term_choice *c);

#endif
