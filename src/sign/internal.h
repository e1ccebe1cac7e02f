/* sign/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include sign/sign.h. */
#ifndef TWX_SIGN_INTERNAL_H
#define TWX_SIGN_INTERNAL_H

#include "sign/sign.h"

/* markup_words (repeated.c): the words of a text that are markup of reStructuredText: roles
 * (":func:`open`"), directives (".. versionadded:: 3.2") and fields (":synopsis: ..."). The source
 * of a page repeats them; the rendered page has none.
 * Memory: value without pointers. */

enum { TWX_MARKUP_WORDS_MAX = 32 };

typedef struct twx_markup_words {
    uint32_t at[TWX_MARKUP_WORDS_MAX]; /* twx_name_word() */
    size_t n;
} twx_markup_words;

/* Is there a role or a directive near the beginning of the text? */
bool twx_has_markup(twx_slice text);
/* The first TWX_MARKUP_WORDS_MAX words of the markup. */
void twx_markup_words_of(twx_slice text, twx_markup_words *ret_words);

/* entries (record.c): signatures packed one after the other, of which a record is made. */

/* Appends an entry to `entries`, whose ids must be smaller; nothing if the signature is empty.
 * Errors TWX_E_NOMEM, TWX_E_LIMIT (more than TWX_RECORD_KEYS_MAX keys, a payload of 4 GiB or more,
 * the buffer's max) */
TWX_CHECK twx_rc twx_entry_add(twx_ctx *cx, uint8_t id, const twx_signature *signature,
                               twx_buf *entries);
/* Moves the first entry of `from` to `entries` if it has this id. */
TWX_CHECK twx_rc twx_entry_move(twx_ctx *cx, uint8_t id, twx_slice *from, twx_buf *entries);
/* Appends the record of these entries to `out`. Errors TWX_E_NOMEM, TWX_E_LIMIT (its max) */
TWX_CHECK twx_rc twx_record_pack(twx_ctx *cx, twx_slice entries, twx_buf *out);

/* pair_sketch (sketch.c): the sketch of a text's pairs of neighbouring words, made of ten bits of
 * each word, so that a payload which keeps these bits need not contain the sketch.
 *
  * A pair is a number of 20 bits. Pairs that are equal by chance make strangers candidates: two
  * texts of 40 words have such a pair once in 690, and share bands 1.1 times as often as with
  * longer numbers (group/band_search.c has the figures). With eight bits a word it would be once in
  * 43, and 2 to 4 times as often.
 *
 * The sketch is one of minhash: 128 bins, each with the smallest hash that falls into it. Bins
 * that remain empty take part in further rounds (Dahlgaard, Knudsen, Thorup, FOCS 2017), which are
 * cheaper here: a hash of 64 bits serves four rounds, each of which has 7 bits for the bin and 9
 * for the value. After TWX_PAIR_ROUNDS hashes, a bin that is still empty copies another one
 * (Shrivastava, ICML 2017); with 39 pairs that is one bin in 170.
 * [R1] Order and repetition of pairs do not matter. */

enum { TWX_PAIR_CODE_BITS = 10, TWX_PAIR_ROUNDS = 4 };

/* Shape pairs[0..n), n >= 1. Takes at most n (1 + TWX_PAIR_ROUNDS) steps. */
void twx_pair_sketch_of(const uint64_t *pairs, size_t n,
                        unsigned char ret_sketch[TWX_SKETCH_BYTES]);

/* page_patterns (page_patterns.c): what page_class.c asks of the patterns. */
/* The class and system of the first pattern that matches; otherwise those of *ret_kind stay. title,
 * text: words, lower-cased, one blank between them, the text of so many words in all. */
TWX_CHECK twx_rc twx_page_patterns_find(twx_ctx *cx, twx_page_patterns *p, twx_class_memo *memo,
                                        twx_slice title, twx_slice text, size_t words,
                                        twx_page_finding *ret_kind);

#endif
