/* text/text.h: characters, tokens, terms, sentences, shingles, similarity, and the differences of
 * two texts. */
#ifndef TWX_TEXT_TEXT_H
#define TWX_TEXT_TEXT_H

#include "base/base.h"

/* char_class (tokens.c): which characters form words, and their lower case, by the rules that Java
 * 17 (Unicode 13) applies to UTF-16 code units.
 * [R1] Letters and digits: Character.isLetterOrDigit(char).
 * [R2] Lower case, one unit for one unit: Character.toLowerCase(char).
 * [R3] Surrogates, and so all code points from U+10000, are neither letters nor digits.
 * Source: share/tables/char_class.tsv.
 * Memory: none. Any thread may call these; nothing can fail. */

enum {
    TWX_CHAR_CLASS_VERSION = 13
}; /* of Unicode; part of the fingerprint that makes stored profiles stale */

/* What a byte of UTF-8 means to a scanner of words: a set of bits. 0: it separates words. */
enum {
    TWX_BYTE_WORD = 1,  /* ASCII letter or digit */
    TWX_BYTE_UPPER = 2, /* A-Z, besides TWX_BYTE_WORD */
    TWX_BYTE_WIDE = 4   /* >= 0x80: decode it */
};
extern const unsigned char TWX_BYTE_CLASS[256];

bool twx_is_letter_or_digit(uint32_t code_point);
uint32_t twx_to_lower(uint32_t code_point); /* the code point itself when it has no lower case */

/* How often each byte occurs in a text. */
void twx_count_bytes(twx_slice text, uint64_t counts[0x100]);

/* chunking (shingling.c): content-defined chunking: chunk boundaries depend on the content, so an
 * insertion changes only the chunks around it and two texts have the chunks of their common parts
 * in common.
 * A chunk ends after the first place, at least TWX_CHUNK_MIN bytes after its start, where the hash
 * of the last TWX_CHUNK_WINDOW bytes has its top 6 bits 0 (one place in 64). When there is none
 * within TWX_CHUNK_MAX bytes, it ends at the last place where the top 5 bits are 0, otherwise after
 * TWX_CHUNK_MAX bytes. The average is about 95 bytes, a line or two.
 * [R1] The chunks of a text are the text, in order and without gaps.
 * [R2] The end of a chunk depends only on the bytes from its start on. Time is linear for any
 * input.
 * Source: Eshghi and Tang, HPL-2005-30 (TTTD: two thresholds, two divisors); Forman, Eshghi,
 * Chiocchetti, KDD 2005. */

enum { TWX_CHUNK_MIN = 32, TWX_CHUNK_MAX = 256, TWX_CHUNK_WINDOW = 16, TWX_CHUNK_LENGTH_BITS = 16 };

/* Length of the chunk at the start of the text, TWX_CHUNK_MIN..TWX_CHUNK_MAX bytes; less at the end
 * of the text; 0 for an empty text. */
size_t twx_chunk_length(twx_slice text);

/* Shape at[0..n) ascending, without repeats: 48 bits of the chunk's hash above 16 bits of its
 * length */
typedef struct twx_chunks {
    const uint64_t *at;
    size_t n;
    size_t all; /* distinct chunks of the text; n unless some were left out */
} twx_chunks;

/* The distinct chunks of a text. Of more than `most` the ones with the smallest hashes are kept, so
 * that two texts sample the same chunks.
 * Memory: in scratch, up to 16 bytes for each TWX_CHUNK_MIN bytes of text. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_chunks_of(twx_ctx *cx, twx_arena *scratch, twx_slice text, size_t most,
                               twx_chunks *ret_chunks);

/* sentence_units (sentences.c): lines and sentences of texts, and which of them two texts have in
 * common: the first two levels of a difference (text/difference.c).
 * [R1] A sentence ends with its line, and after a full stop (of no number), an exclamation or
 * question mark that white space follows, or one of their ideographic forms or a danda. */

/* A line or sentence, without white space at its ends. */
typedef struct twx_unit {
    twx_slice text;
    uint64_t hash;    /* set by twx_units_match(); 0: not computed yet */
    uint64_t form;    /* twx_sentence_form(); 0: not computed yet */
    uint64_t other;   /* of twx_unit_exchanged_fn, if is_asked */
    uint32_t mate;    /* its place in the other text plus 1; 0: none */
    uint16_t segment; /* of the text: only units of one segment can be in the same order */
    bool is_anchor;   /* matched, and in the same order as the other anchors */
    bool is_asked;
} twx_unit;

typedef struct twx_unit_list {
    TWX_VEC(twx_unit) at;
} twx_unit_list;

/* Append the lines of two texts, the sentences of one line, or those of a text. Units are borrowed
 * from the text; empty ones are left out.
 * Long parts that two texts have in common, in the same order, are one unit each: the texts of
 * copies are mostly such parts. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_unit_lines(twx_ctx *cx, twx_slice a, twx_slice b,
                                twx_unit_list *const ret_lists[2]);
TWX_CHECK twx_rc twx_unit_sentences(twx_ctx *cx, twx_slice line, twx_unit_list *list);
TWX_CHECK twx_rc twx_units_of(twx_ctx *cx, twx_slice text, twx_unit_list *units);
/* The hash of a sentence that does not depend on its numbers: "Viewed 36 times". Not 0. */
uint64_t twx_sentence_form(twx_slice sentence);

/* Scratch; embedded struct, zeroed, released by twx_unit_matcher_done(). */
typedef struct twx_unit_matcher {
    TWX_VEC(uint32_t) slot, next, tail, before;
} twx_unit_matcher;

/* Sets mate and is_anchor of the units of two texts, which are zero. Units are matched wherever
 * they stand, except at most four that stand in each other's places. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_units_match(twx_ctx *cx, twx_unit_matcher *m, twx_unit_list *a,
                                 twx_unit_list *b);
void twx_unit_matcher_done(twx_unit_matcher *m);

/* written_words (difference.c): the words of a text as a difference compares them
 * (text/difference.c). Words are runs of letters and digits in lower case; a character of a script
 * without spaces between words, a mathematical or currency sign, and a fraction or power are words
 * of their own. Other punctuation separates words.
 * [R1] Numbers are as written: "1,500" is the words "1," and "500", "-7" and ".5" are one each.
 * Dashes and apostrophes are one mark each, however they are typeset.
 * [R2] Case tells words apart inside a sentence ("US", "us"), not where it is typography: at the
 * beginning, in headings, in capitals. */

typedef struct twx_text_word {
    uint64_t hash;
    twx_slice text; /* borrowed */
    uint32_t unit;  /* number of its sentence */
    uint32_t mate;  /* place in the other text of the word aligned with it, plus 1; 0: none */
    bool is_number; /* digits, and marks as in a number, alone */
} twx_text_word;

/* Zeroed, with the text as rest. */
typedef struct twx_word_reader {
    twx_slice rest;
    bool after_letter;
} twx_word_reader;

/* Sets hash, text and is_number, and the others to 0; false: there are no more words. */
bool twx_written_word_next(twx_word_reader *reader, twx_text_word *ret_word);

/* difference.c: the words in which two texts differ, as evidence for or against their being
 * copies of one page. Captures of one page differ by what stands around its text; pages of one form
 * that describe different things differ by words substituted inside it.
 *
 * Texts are compared in three levels: lines, the sentences of the lines that differ, the words of
 * the sentences that differ. Lines and sentences that both texts have are matched wherever they
 * stand, so a list in another order is no difference. Words are those of text/difference.c.
 * At most four lines (or sentences) that stand in each other's places are different, not moved.
 * [R1] Equal texts have no blocks.
 * [R2] Exchanging the texts exchanges a and b of the blocks, and changes nothing else, except where
 * several longest alignments exist.
 * [R3] Time is linear in the texts, plus the square of the words in which two sentences differ, at
 * most TWX_DIFFERENCE_EDITS of them: beyond that all words between the first and the last
 * difference are one block. */

enum { TWX_DIFFERENCE_EDITS = 128 };

typedef enum twx_block_kind {
    TWX_BLOCK_ADDED,      /* one text has whole sentences that the other has not */
    TWX_BLOCK_INSIDE,     /* one text has more words in a sentence of the other */
    TWX_BLOCK_SUBSTITUTED /* both have words, different ones, between the same neighbours */
} twx_block_kind;

/* Where a block stands, by hashes; 0: not known. */
typedef enum twx_block_place {
    TWX_PLACE_AROUND,   /* the last common word before the block and the first one after it */
    TWX_PLACE_AFTER,    /* the two words before it in its sentence */
    TWX_PLACE_BEFORE,   /* the two words after it in its sentence */
    TWX_PLACE_BEGINS_A, /* its own first two words in a, if they begin a sentence */
    TWX_PLACE_BEGINS_B,
    TWX_PLACES
} twx_block_place;

/* Shape words_a or words_b is 0 unless the kind is TWX_BLOCK_SUBSTITUTED
 * Memory a and b, from the first to the last word of the block, are borrowed from the texts */
typedef struct twx_block {
    twx_block_kind kind;
    bool is_between; /* both texts have words before and after it */
    uint32_t words_a, words_b;
    twx_slice a, b;
    uint64_t place[TWX_PLACES];
} twx_block;

/* What may happen to a sentence that only one text has. */
typedef enum twx_unit_use {
    TWX_UNIT_COMPARED,
    TWX_UNIT_IGNORED,
    TWX_UNIT_ANNOUNCED /* left out, but what the other text has in its place is a substitution */
} twx_unit_use;

/* in_a: it is in the text a; before, unit, after: the forms of the sentence and of its neighbours
 * in the same passage that only this text has; 0: there is none. */
typedef twx_unit_use twx_unit_ignored_fn(const void *arg, bool in_a, uint64_t before, uint64_t unit,
                                         uint64_t after);

/* What a sentence of a or b becomes without what may be exchanged in it; 0: nothing may be. */
typedef uint64_t twx_unit_exchanged_fn(const void *arg, bool in_a, twx_slice sentence);

/* Is a block enough to know? Then the comparison ends with it. */
typedef bool twx_block_enough_fn(const void *arg, const twx_block *block);

/* How texts are compared; all functions get arg. */
typedef struct twx_difference_rules {
    twx_unit_ignored_fn *ignored;     /* NULL: nothing is left out */
    twx_unit_exchanged_fn *exchanged; /* equal values: sentences that are no difference; or NULL */
    twx_block_enough_fn *enough;      /* NULL: all blocks are listed */
    const void *arg;
} twx_difference_rules;

/* Myers' table of two lists of n and m pieces (text/internal.h). */
typedef struct twx_edits {
    TWX_VEC(int32_t) reach;
    int32_t n, m;
    int64_t steps; /* comparisons of two pieces */
} twx_edits;

/* Memory: embedded struct, zeroed; its memory is reused by each comparison and released by
 * twx_difference_done(). */
typedef struct twx_difference {
    TWX_VEC(twx_block) at;
    /* Bytes of a and of b: of the words in blocks, and of the sentences that were left out */
    size_t differ[2], ignored[2];
    bool announced[2]; /* of the current passage, by side */
    size_t looked;     /* sentences of it that were looked at to leave others out */
    /* Scratch */
    twx_unit_list lines[2], sentences[2];
    struct {
        TWX_VEC(twx_text_word) at;
    } words[2], kept[2];
    twx_unit_matcher matcher;
    twx_edits edits;
} twx_difference;

/* Overwrites d->at. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_difference_of(twx_ctx *cx, twx_slice a, twx_slice b,
                                   const twx_difference_rules *rules, twx_difference *d);
void twx_difference_done(twx_difference *d);

/* stem_language (terms.c): the languages that Snowball can stem, and how stores name them.
 * [R1] The numbers are stored in text indexes: a new language gets a new number at the end. */

enum { TWX_LANGUAGES = 28, TWX_LANGUAGE_NONE = 0 }; /* numbers 1..TWX_LANGUAGES */

/* From a tag such as "de", "en-US", "pt_BR" or "deu", or the English name; TWX_LANGUAGE_NONE: it is
 * empty, unknown, or a language without a stemmer. */
unsigned twx_stem_language(twx_slice declared);
/* The English name, which is also that of Snowball's algorithm; NULL: no such number. */
const char *twx_stem_language_name(unsigned language);

/* terms.c: the terms under which a text is indexed and a query looked up.
 * [R1] A word of a document with a language (text/terms.c) is indexed as its stem, folded,
 * followed by a byte that is the number of the language; also as the stem of the folded word if
 * that is another, so that a query without accents finds it. A word of a document without a
 * language, and a number, is indexed as it is, folded. A word of more than 64 bytes is not stemmed,
 * but has the byte of the language.
 * [R2] A word of a query is looked up as it is, and as the stems that it has in each language of
 * the index. Stems of different languages are never equal, because of that byte.
 * [R3] A Chinese, Japanese or Korean character is indexed alone and together with the next one; in
 * a query, characters that follow each other are looked up in such pairs, the last one alone.
 * [R4] A word before "++" or "#" is also indexed with it (C++, C#), and in a query looked up with
 * it.
 * [R5] All terms of a word have one position; a query and a text with the same words have the same
 * number of positions.
 * Memory: owned handle. One thread at a time. */

typedef struct twx_terms twx_terms;

/* Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_terms_open(twx_ctx *cx, twx_terms **ret_terms);
void twx_terms_close(twx_terms *terms);

/* The language of the texts that follow. */
void twx_terms_set_language(twx_terms *terms, unsigned language);
/* The languages in which words of queries are stemmed: bit n for number n. */
enum { TWX_LANGUAGES_ALL = (1 << (TWX_LANGUAGES + 1)) - 2 };
void twx_terms_set_languages(twx_terms *terms, uint32_t languages);
uint32_t twx_terms_languages(const twx_terms *terms);

/* text: borrowed for the call. [from, to): the bytes it stands for. */
typedef struct twx_term {
    twx_slice text;
    size_t from, to;
    bool same_place; /* has the position of the term before it */
} twx_term;

/* Anything but TWX_OK ends the call of twx_terms_each(), which returns it. */
typedef twx_rc twx_term_fn(void *arg, const twx_term *term);
/* The terms of a text or of a part of a query. Errors TWX_E_NOMEM without a message, because FTS5
 * passes on only a number and the terms have no context: a caller with a context adds the message;
 * what fn returns. */
TWX_CHECK twx_rc twx_terms_each(twx_terms *terms, twx_slice text, bool is_query, twx_term_fn *fn,
                                void *arg);

/* Identifies the terms that this program makes: the version, the tables of Unicode, and what the
 * stemmers make of sample words, because libstemmer has no version. Errors TWX_E_NOMEM without a
 * message. */
enum { TWX_TERMS_FINGERPRINT = 48 };
TWX_CHECK twx_rc twx_terms_fingerprint(twx_terms *terms, char ret_text[TWX_TERMS_FINGERPRINT]);

/* plain_query.c: the query language for people, translated to an expression of FTS5.
 *
 *     some words      all of them have to occur
 *     "some words"    the words next to each other, in this order; “ ” « » „ “ are quotes, too
 *     -word -"..."    the word or phrase must not occur
 *     a OR b          at least one side has to match; words without OR bind more tightly
 *     wor*            any word that begins with these letters
 *     title:word      the word has to occur in the title; text:word: in the text
 *
 * [R1] There is no syntax error: any other character separates words, and a quote that is not
 * closed is such a character. [R2] A query without a word that has to occur matches nothing.
 * Replaces *out by the expression. any: by one with the same phrases in the same order, which
 * matches every document that has any of them, also excluded ones. */
TWX_CHECK twx_rc twx_plain_query(twx_ctx *cx, twx_terms *terms, twx_slice query, bool any,
                                 twx_buf *out);

/* sentences.c: splits a text into sentences. A sentence ends where a pattern matches, by
 * default at runs of . ! ? and line breaks.
 * [R1] The text may hold any bytes.
 * [R2] Sentences are slices of the text in its order, trimmed of ASCII white space, never empty.
 * Only white space and sentence ends lie between and around them.
 * [R3] Time is linear in the length of the text. The default is a plain scan. A pattern is matched
 * within windows of TWX_SENTENCE_WINDOW bytes; a match may begin anywhere in a window except in
 * its last TWX_SENTENCE_END_MAX bytes. So every match that, with its lookahead, is no longer than
 * that is found.
 * [R4] A text cannot fail a run: where a pattern exceeds PCRE2's limits, the default splits the
 * rest of that text.
 *
 * Patterns are PCRE2 in UTF mode: [.\x{3002}] and a literal U+3002 match that character, and
 * invalid UTF-8 matches nothing. \s, \w and \d are ASCII, a line ends at LF, an empty match is
 * ignored, lookbehinds see all of the preceding text.
 * Memory: owned handle, used by one thread at a time; sentences are borrowed from the text. */

enum { TWX_SENTENCE_PATTERN_MAX = 4096, TWX_SENTENCE_WINDOW = 4096, TWX_SENTENCE_END_MAX = 1024 };

typedef struct twx_sentences twx_sentences;

/* pattern NULL or "": the default. Errors TWX_E_CONFIG (text.sentence_end, with the offset and
 * PCRE2's reason; longer than TWX_SENTENCE_PATTERN_MAX; begins with "(*"), TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_sentences_open(twx_ctx *cx, const char *pattern,
                                    twx_sentences **ret_sentences);
void twx_sentences_close(twx_sentences *s);
void twx_sentences_start(twx_sentences *s, twx_slice text);
/* TWX_DONE after the last one. Errors TWX_E_NOMEM (with a pattern only). */
TWX_CHECK twx_rc twx_sentences_next(twx_ctx *cx, twx_sentences *s, twx_slice *ret_sentence);
/* Fingerprint of the pattern text; NULL, "" and the default pattern have the same one. */
uint64_t twx_sentences_fingerprint(const char *pattern);

/* tokens.c: splits a text into words: maximal runs of letters and digits, lower-cased (char_class).
 * [R1] The text may hold any bytes: NUL, invalid UTF-8 and code points from U+10000 separate words.
 * [R2] A word that is already lower-case ASCII is a slice of the text; others are written to
 * `lower`. Time is linear in the length of the text. */

enum {
    TWX_TOKENS_AHEAD = 4,  /* blocks that are read ahead */
    TWX_TOKENS_CHUNK = 12, /* values that are written at once */
    /* at most every second byte begins a word */
    TWX_TOKENS_MAX = TWX_TOKENS_AHEAD * TWX_BYTE_BLOCK / 2 + 1
};

/* Memory: embedded struct. text is borrowed; lower is owned and reused: init once, then start for
 * each text. */
typedef struct twx_tokens {
    const char *begin, *end; /* of the text */
    const char *at;          /* the end of the word returned last */
    const char *block;       /* the block to be classified next */
    const char *decoded;     /* the end of the character beyond ASCII that was decoded last */
    bool decoded_word;       /* that character is a letter or a digit */
    bool wide;               /* the words read ahead may not be all ASCII */
    uint64_t open;           /* 1: starts[n] is a word that did not end yet */
    size_t next, n;          /* words read ahead: starts[next..n), ends[next..n) */
    size_t starts[TWX_TOKENS_MAX + TWX_TOKENS_CHUNK]; /* offsets in the text */
    size_t ends[TWX_TOKENS_MAX + TWX_TOKENS_CHUNK];
    twx_buf lower;
} twx_tokens;

typedef enum twx_token_kind {
    TWX_TOKEN_PLAIN,  /* lower-case ASCII, a slice of the text */
    TWX_TOKEN_ASCII,  /* ASCII, a slice of the text that may have capitals */
    TWX_TOKEN_LOWERED /* in tokens->lower, until the next call */
} twx_token_kind;

/* Shape text is never empty. units: its length in UTF-16 code units
 * Memory borrowed, as kind states */
typedef struct twx_token {
    twx_slice text;
    size_t units;
    twx_token_kind kind;
    const char *start; /* the word as written in the text */
} twx_token;

void twx_tokens_init(twx_tokens *t);
void twx_tokens_done(twx_tokens *t);
void twx_tokens_start(twx_tokens *t, twx_slice text);
/* TWX_DONE after the last one. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tokens_next(twx_ctx *cx, twx_tokens *t, twx_token *ret_token);
/* For callers with a faster way to lower-case ASCII: may also return TWX_TOKEN_ASCII, which lower()
 * converts into one of the other kinds. [R3] A word before a byte beyond ASCII is lower-cased too:
 * stored signatures of callers that keep capitals depend on it. */
TWX_CHECK twx_rc twx_tokens_next_raw(twx_ctx *cx, twx_tokens *t, twx_token *ret_token);

/* For callers that take many words at once: reads words ahead, and forgets those that were read
 * before. false: there are no more. */
bool twx_tokens_read_ahead(twx_tokens *t);
/* A word that was read ahead, as written; i < t->n. It may not be all ASCII, if t->wide. */
static inline twx_slice twx_tokens_word(const twx_tokens *t, size_t i) {
    return (twx_slice){t->begin + t->starts[i], t->ends[i] - t->starts[i]};
}
/* The lower case of such a word, as TWX_TOKEN_LOWERED. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tokens_lower_wide(twx_ctx *cx, twx_tokens *t, twx_slice word,
                                       twx_token *ret_token);

/* shingling.c: the hashes of all runs of k consecutive words of a text (Broder 1997).
 * Words are those of tokens.
 * [R1] The result depends on the text alone.
 * [R2] A text with fewer than k words has one shingle of all its words; a text without words has
 * none. Time is linear in the text.
 * Memory: hashes are in the arena, 8 bytes each. */

enum { TWX_SHINGLE_WORDS_MAX = 16 };

typedef struct twx_shingling {
    uint32_t words;    /* k, 1..TWX_SHINGLE_WORDS_MAX */
    bool within_lines; /* no shingle crosses a line feed; [R2] then applies to each line */
    bool keep_case;    /* ASCII capitals are kept; other letters are still lower-cased */
    /* the text is a ring, so there are as many shingles as words */
    bool wrap;
} twx_shingling;

/* Shape at[0..n) in order of the text, repeats included */
typedef struct twx_shingles {
    uint64_t *at;
    size_t n;
    size_t words;      /* of the text */
    size_t word_chars; /* their length in UTF-16 code units */
} twx_shingles;

/* Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_shingles_of(twx_ctx *cx, twx_arena *scratch, const twx_shingling *how,
                                 twx_slice text, twx_shingles *ret_shingles);
/* The shingles of one word each, faster: what twx_shingles_of() gives for {.words = 1} and this
 * keep_case; its word_chars are not counted. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_word_shingles(twx_ctx *cx, twx_arena *scratch, bool keep_case, twx_slice text,
                                   twx_shingles *ret_shingles);
/* Sorts ascending and drops repeats (radix sort). */
TWX_CHECK twx_rc twx_shingles_unique(twx_ctx *cx, twx_arena *scratch, twx_shingles *shingles);
/* Of sorted ones: adds to *fresh those of `own` that `before` has not, and to *kept those of them
 * that `after` has. */
void twx_shingles_kept(const twx_shingles *before, const twx_shingles *own,
                       const twx_shingles *after, uint64_t *fresh, uint64_t *kept);

/* similarity.c: the similarity of two texts: 2 * LCS / (|a| + |b|) on characters, the measure
 * of Perl's String::Similarity; LCS is the length of a longest common subsequence. Bit-parallel
 * (Hyyro 2004): |a| * |b| / 64 steps after the common prefix and suffix are removed. Pairs that
 * cannot reach least_ppm are abandoned early.
 * [R1] Symmetric.
 * [R2] 1000000 for equal texts (two empty texts are equal).
 * [R3] A byte of invalid UTF-8 counts as one character.
 * Memory: the handle reuses its buffers; one thread at a time. */

typedef struct twx_similarity twx_similarity;

TWX_CHECK twx_rc twx_similarity_open(twx_ctx *cx, twx_similarity **ret_similarity);
void twx_similarity_close(twx_similarity *s);
/* The most cells (characters times characters) that one comparison may compute; 0: any number.
 * Similar texts need few. */
void twx_similarity_limit(twx_similarity *s, double cells);
/* Millionths, rounded down; -1: less than least_ppm, which never happens when that is 0.
 * TWX_DONE: it would take more cells than the limit; *ret_ppm is untouched. Errors TWX_E_NOMEM,
 * those of twx_cancelled() */
TWX_CHECK twx_rc twx_similarity_of(twx_ctx *cx, twx_similarity *s, twx_slice a, twx_slice b,
                                   int32_t least_ppm, int32_t *ret_ppm);

/* stop_words (word_counts.c): stop words of English, German, French, Spanish, Italian and
 * Portuguese: words too common to characterise a text. Only words of four or more characters,
 * because the callers ignore shorter words.
 * [R1] The table is sorted, without repeats, and has no word of fewer than four characters.
 * Source: written for this project: articles, pronouns, prepositions, conjunctions, auxiliary
 * verbs, common adverbs.
 * Memory: none. Any thread may call these. */

/* Version of the list. Keys made of words depend on it, so a change of the list is a new
 * version. */
enum { TWX_STOP_WORDS_VERSION = 1 };

bool twx_is_stop_word(twx_slice word); /* lower-cased (text/tokens.c) */

/* text_diff.c: the differences of two texts, as a list of passages in the order of the texts:
 * in both, only in a, or only in b. Sentences (sentences, the default ends) are matched first,
 * then words within the sentences that differ. A word is a run of non-white-space, cut after
 * punctuation marks; from U+2E80 on each character is a word, because Chinese and Japanese put no
 * blanks between words.
 * [R1] The `a` of all passages, concatenated, are the text a; the same holds for b.
 * [R2] In a passage of both texts the words are equal byte for byte; white space between words is
 * not compared.
 * [R3] Neighbouring passages are of different kinds, and what is only in a precedes what is only in
 * b at the same place.
 * [R4] The longest match is not guaranteed. Sentences (words) that occur once in each text are
 * matched first, as in patience diff (Cohen), and the gaps between them by Myers' O(ND) algorithm,
 * 1986.
 * [R5] Texts that differ too much for the limits below get a coarse result: parts of both that may
 * have something in common become passages of one text only, and `coarse` is set.
 * Time is linear, plus at most 2^28 comparisons. Memory: at most about 100 bytes for each sentence
 * and word, 8 MiB, and the passages. */

typedef enum twx_passage_kind {
    TWX_PASSAGE_BOTH,
    TWX_PASSAGE_ONLY_A,
    TWX_PASSAGE_ONLY_B
} twx_passage_kind;

/* Shape in a passage that is only in b, a is empty but still points to its place in the text; the
 * same holds for b in a passage that is only in a.
 * Memory borrowed from the texts. */
typedef struct twx_passage {
    twx_passage_kind kind;
    twx_slice a, b;
} twx_passage;

typedef struct twx_text_diff {
    TWX_VEC(twx_passage) at;
    bool coarse;
} twx_text_diff;

/* Overwrites ret_diff; the caller calls twx_text_diff_done() at the end. Errors TWX_E_NOMEM, those
 * of twx_cancelled() */
TWX_CHECK twx_rc twx_text_diff_of(twx_ctx *cx, twx_slice a, twx_slice b, twx_text_diff *ret_diff);
void twx_text_diff_done(twx_text_diff *p);

/* word_counts.c: counts how often each word of a text occurs.
 * [R1] The counts depend on the text and min_units alone. The seed protects against crafted
 * collisions and cannot affect a result, because the tables have no defined order.
 *
 * A word of up to 8 bytes, which covers most, is its own key. The key of a longer word is a 64-bit
 * hash; the word itself is in the text, or in `copies` when it has capitals or is not ASCII. Both
 * kinds have a table of their own with open addressing, which is reused from text to text.
 * Memory: embedded struct. At most 3 slots of 16 bytes for each distinct word (4.5 while growing),
 * 4 bytes in `used`, and 8 bytes more for a long one. Before the next text, memory beyond
 * TWX_WORD_COUNTS_KEEP slots of a table and 1 MiB of copies is released. */

enum {
    TWX_WORD_COUNTS_KEEP = 1 << 16,
    TWX_WORD_COUNTS_TEXT_MAX = 1 << 30, /* bytes */
    TWX_WORD_SHORT = 8                  /* bytes of a word that is its own key */
};

typedef struct twx_word_table {
    struct twx_word_slot *slots;
    size_t mask; /* slots in use - 1 */
    size_t room; /* slots allocated */
    /* slots with a word: most slots are free, and a loop over all of them would spend its time on
     * mispredicted branches */
    TWX_VEC(uint32_t) used;
} twx_word_table;

typedef struct twx_word_counts {
    twx_tokens tokens;
    twx_slice text;
    twx_word_table table[2]; /* of short words; of long ones */
    TWX_VEC(struct twx_long_word) longs;
    twx_buf copies;
    uint32_t most; /* the largest count */
    uint64_t seed;
} twx_word_counts;

/* Shape head: the first 8 bytes, big endian, padded with zeros. No word holds NUL, so heads
 * compare as the words do, and a short word equals its head.
 * Memory long_text is borrowed from the counts. */
typedef struct twx_word {
    uint64_t head;
    /* absent: a short word */
    twx_slice long_text;
    uint32_t count;
    bool capital; /* every occurrence begins with a capital letter */
} twx_word;

void twx_word_counts_init(twx_word_counts *c, uint64_t seed);
void twx_word_counts_done(twx_word_counts *c);
/* Counts the words of a text that have more than min_units UTF-16 code units. The text is borrowed
 * until the next call. Errors TWX_E_NOMEM, TWX_E_LIMIT (text > TWX_WORD_COUNTS_TEXT_MAX). */
TWX_CHECK twx_rc twx_word_counts_of(twx_ctx *cx, twx_word_counts *c, twx_slice text,
                                    size_t min_units);
/* The number of words with at least min_count occurrences. */
size_t twx_word_counts_distinct(const twx_word_counts *c, uint32_t min_count);
/* The next word with at least min_count occurrences, in no particular order; *at is 0 for the first
 * call. false: there are no more. */
bool twx_word_counts_next(const twx_word_counts *c, uint32_t min_count, size_t *at,
                          twx_word *ret_word);
size_t twx_word_length(const twx_word *word); /* bytes */
/* Writes the word to out; returns the end of it. A short word also overwrites what follows it, up
 * to out[TWX_WORD_SHORT). */
char *twx_word_put(const twx_word *word, char *out);
/* Compares by bytes, which is also the order of their UTF-16 code units: <0, 0, >0. */
int twx_word_cmp(const twx_word *a, const twx_word *b);

/* width (tokens.c): the columns that a text takes on a terminal, and how many of its bytes fit:
 * all, or as many as leave a column for an ellipsis. */
size_t twx_text_columns(twx_slice text);
size_t twx_text_fitting(twx_slice text, size_t columns);

/* fts_terms (terms.c): the terms as a tokenizer of SQLite's FTS5, named "twindex". It calls no
 * function of SQLite, so a loadable extension can use it, too.
 * Source: sqlite.org/fts5.html, "Custom Tokenizers".
 * Registers it with the connection of api; all tables of the connection share `terms`, which is
 * closed with it, also on failure. Returns an SQLite result code. */
struct fts5_api;
int twx_fts_terms_register(struct fts5_api *api, twx_terms *terms);

#endif
