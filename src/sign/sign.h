/* sign/sign.h: one document into keys and payloads: what a method is, and the methods that flags
 * are made of. */
#ifndef TWX_SIGN_SIGN_H
#define TWX_SIGN_SIGN_H

#include "group/group.h"
#include "rows.h"
#include "text/text.h"
#include "twindex/twindex.h"
#include "url/url.h"

/* params: the parameters of the detectors, taken from the settings (run/sign_store.c). */

struct twx_collection;

enum { TWX_DETECTOR_IDS = 64, TWX_METHOD_SETTINGS_MAX = 4 };

/* Values of the settings that methods have (twx_detector.settings): by the detector's id, then in
 * the order of its settings. */
typedef struct twx_method_values {
    uint32_t of[TWX_DETECTOR_IDS][TWX_METHOD_SETTINGS_MAX];
} twx_method_values;

typedef struct twx_params {
    twx_url_options url;
    /* near.min_words: texts with fewer words get no keys of near detectors; default 20 */
    uint32_t near_min_words;
    /* near.text = main: near-duplicate methods get the content area of a document */
    bool near_main;
    /* The text of the setting `hosts` (url/url_host.c); NULL: none. Borrowed */
    const char *hosts;
    /* text.sentence_end: PCRE2 pattern of what ends a sentence; NULL: the default. Borrowed */
    const char *sentence_end;
    twx_method_values methods;
    /* Documents of the store, which decide by which keys candidates are found
     * (group/band_search.c); 0: a small store. Signatures do not depend on it. */
    uint64_t documents;
    /* Statistics of the collection, for detectors with needs; NULL when no detector has any.
     * Borrowed, read-only. */
    const struct twx_collection *collection;
} twx_params;

/* statistics: the statistics of the whole collection that global methods use, computed in
 * one pass over its documents. Which parts exist depends on the needs of the methods
 * (twx_detector_need), and only the methods look into them; how they are computed comes with the
 * methods' rows (twx_detector.collecting).
 * Memory: owned struct; twx_collection_done(). Read-only and shared by all threads once made. */

struct twx_workspace;
struct twx_document;
struct twx_collecting;

typedef struct twx_collection {
    struct twx_lexicon *lexicon;               /* TWX_NEED_LEXICON */
    struct twx_term_selection *term_selection; /* TWX_NEED_TERM_SELECTION */
    struct twx_link_scores *link_scores;       /* TWX_NEED_LINK_SCORES */
    struct twx_boilerplate *boilerplate;       /* TWX_NEED_BOILERPLATE */
    size_t n_links;                            /* of link_scores */
    uint64_t fingerprint;                      /* of all parts */
    const struct twx_collecting *by;           /* NULL: it is empty */
} twx_collection;

typedef struct twx_collection_maker twx_collection_maker;

typedef struct twx_collecting {
    /* needs: bits of twx_detector_need. max_bytes: memory limit, shared by the parts. */
    TWX_CHECK twx_rc (*open)(twx_ctx *cx, unsigned needs, size_t max_bytes,
                             twx_collection_maker **ret_maker);
    /* Adds one document. Uses the workspace's scratch without resetting it. */
    TWX_CHECK twx_rc (*add)(twx_collection_maker *m, struct twx_workspace *w,
                            const struct twx_document *doc);
    /* Adds one link of the collection, with normal URLs. Only with TWX_NEED_LINK_SCORES. */
    TWX_CHECK twx_rc (*add_link)(twx_collection_maker *m, twx_slice from_url, twx_slice to_url);
    /* Ends adding. */
    TWX_CHECK twx_rc (*make)(twx_collection_maker *m, twx_collection *ret_collection);
    void (*close)(twx_collection_maker *m);
    void (*done)(twx_collection *c);
} twx_collecting;

void twx_collection_done(twx_collection *c);

/* workspace (sign_document.c): the state that a signing thread keeps between documents: digest
 * contexts (fetched once), scratch memory, token tables. One thread uses it at a time.
 * Memory: twx_workspace_open/_close own it; the caller resets scratch after each document. */

enum { TWX_MD5_BYTES = 16, TWX_SHA256_BYTES = 32, TWX_TAG_BYTES = 16 };

typedef struct twx_workspace twx_workspace;

/* Errors TWX_E_NOMEM, TWX_E_CONFIG (OpenSSL does not provide SHA-256). */
TWX_CHECK twx_rc twx_workspace_open(twx_ctx *cx, const twx_params *params,
                                    twx_workspace **ret_workspace);
void twx_workspace_close(twx_workspace *w);
twx_arena *twx_workspace_scratch(twx_workspace *w);
twx_word_counts *twx_workspace_words(twx_workspace *w);
/* Counts the words of a text as twx_word_counts_of() does. The words of a noted text are counted
 * once for all callers with the same min_units. Borrowed until the next text is counted. */
TWX_CHECK twx_rc twx_workspace_count(twx_ctx *cx, twx_workspace *w, twx_slice text,
                                     size_t min_units, const twx_word_counts **ret_counts);
/* The splitter for params->sentence_end, created on first use. Errors TWX_E_CONFIG (invalid
 * pattern), TWX_E_NOMEM */
TWX_CHECK twx_rc twx_workspace_sentences(twx_ctx *cx, twx_workspace *w,
                                         twx_sentences **ret_sentences);
/* Ends a document: releases scratch memory and forgets the noted text. */
void twx_workspace_reset(twx_workspace *w);

/* Errors TWX_E_INTERNAL (OpenSSL failed). An absent slice counts as empty. */
TWX_CHECK twx_rc twx_sha256(twx_ctx *cx, twx_workspace *w, twx_slice data,
                            unsigned char ret_digest[TWX_SHA256_BYTES]);
/* Errors TWX_E_CONFIG: OpenSSL does not provide it. */
TWX_CHECK twx_rc twx_md5(twx_ctx *cx, twx_workspace *w, twx_slice data,
                         unsigned char ret_digest[TWX_MD5_BYTES]);

/* GMAC of data under a key of TWX_TAG_BYTES, for tables in memory (memo). Errors TWX_E_CONFIG:
 * OpenSSL does not provide AES-128-GCM. */
TWX_CHECK twx_rc twx_text_tag(twx_ctx *cx, twx_workspace *w, const unsigned char *key,
                              twx_slice data, unsigned char ret_tag[TWX_TAG_BYTES]);

/* SHA-256 of a text that several detectors ask for. note_text declares that the bytes of `text`
 * stay unchanged until the next one or reset, so that they are hashed once; a text that was not
 * noted is hashed each time. */
void twx_workspace_note_text(twx_workspace *w, twx_slice text);
TWX_CHECK twx_rc twx_text_sha256(twx_ctx *cx, twx_workspace *w, twx_slice text,
                                 unsigned char ret_digest[TWX_SHA256_BYTES]);

/* detector_row (detectors.c): the interface of a detector. A new one is one file and one row in
 * sign/detectors.c.
 *
 * A detector computes keys of a document.
 * [R1] The keys depend on the input that its basis names and on its parameters, and on nothing
 * else.
 * [R2] Equal texts (titles, URLs) have equal keys.
 * [R3] A document without a key is no duplicate of any other. Documents that share a key (and its
 * check) are candidates; `verify`, where there is one, decides about each pair.
 * [R4] verify is symmetric, and gives 1000000 for a payload with itself.
 * [R5] Two payloads that verify share a candidate key, always or as often as the detector's file
 * states. */

/* Shape the parts of a document that detectors see. Texts are as stored: absent (NULL), empty, or
 * any bytes.
 * Memory borrowed for the call. */
typedef struct twx_document {
    const twx_url *url; /* normal form; NULL or with a url->fault: not usable */
    twx_slice text, title, description;
    twx_slice main;     /* the content area of the text; absent or empty: all of it */
    twx_slice headings; /* texts of the level-1 headings, one a line */
    twx_slice names;    /* alt texts and names of structured data, one a line */
} twx_document;

typedef struct twx_key {
    uint64_t key;
    uint64_t check; /* the next 64 bits of the digest; 0 when it has no more bits */
} twx_key;

/* The result of a detector for one document. n == 0: no signature.
 * Memory: owned by the caller, who clears it before each sign(). The payload, for verify(), is
 * borrowed from the workspace's arena. */
typedef struct twx_signature {
    TWX_VEC(twx_key) keys;
    twx_slice payload;
} twx_signature;

/* The input that the keys depend on: detectors with the same input share work. */
typedef enum twx_basis {
    TWX_BASIS_URL,
    TWX_BASIS_TEXT,
    TWX_BASIS_TITLE,
    TWX_BASIS_DESCRIPTION,
    TWX_BASIS_PAGE, /* URL and text */
    TWX_BASIS_NAME  /* URL, title, headings and names */
} twx_basis;

/* The statistics of the collection that sign() needs (params->collection); 0: none, it is local. */
typedef enum twx_detector_need {
    TWX_NEED_LEXICON = 1,
    TWX_NEED_TERM_SELECTION = 2,
    TWX_NEED_LINK_SCORES = 4,
    TWX_NEED_BOILERPLATE = 8
} twx_detector_need;

enum { TWX_CANDIDATE_KEYS_MAX = 1536 };

/* The stored signature of a document, from which candidate keys are made. Memory: borrowed. */
typedef struct twx_signed {
    twx_key first; /* its first key */
    twx_slice payload;
} twx_signed;

typedef enum twx_method_kind {
    TWX_METHOD_COUNT,
    TWX_METHOD_SHARE,  /* in millionths */
    TWX_METHOD_SWITCH, /* 0 or 1 */
    TWX_METHOD_CHOICE  /* the place of the word among its values, "md5|sha256"; the default is 0 */
} twx_method_kind;

/* A setting that only one method has, kept in twx_params.methods. */
typedef struct twx_method_setting {
    twindex_setting shown;
    twx_method_kind kind;
    bool is_threshold;
    /* Of a threshold: with this value verify() rejects no pair, so that its similarity is known */
    uint32_t every_pair;
    unsigned need; /* without this switch the method has no such need; bits of twx_detector_need */
} twx_method_setting;

typedef struct twx_detector {
    const char *name;    /* lower-case; the relation's name in verdict.relations */
    const char *summary; /* what it compares, one line */
    const char *source;  /* paper or system, section */
    uint8_t id;          /* stored in records: never reused */
    uint16_t version;    /* of the algorithm: bumped when its output changes */
    twx_basis basis;
    /* documents of one hreflang group are kept separate (docs/internals.md) */
    bool translations_separate;
    /* may be configured as the near detector; texts of few words (near.min_words) then get no
     * keys */
    bool near;
    /* extracts the name of a document for the relation copy (judge/names.c); it has no keys and
     * makes no groups */
    bool describes_name;
    unsigned needs;                     /* bits of twx_detector_need */
    const twx_collecting *collecting;   /* with needs: computes what they are */
    const twx_method_setting *settings; /* n_settings of them, at most TWX_METHOD_SETTINGS_MAX */
    size_t n_settings;
    /* Fingerprint of the parameters that affect the keys; NULL: there are none. */
    uint64_t (*fingerprint)(const twx_params *params);
    TWX_CHECK twx_rc (*sign)(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                             const twx_document *doc, twx_signature *ret_signature);
    /* Writes the keys under which candidates are found, computed from the stored signature, to
     * ret_keys and returns their number, 1..TWX_CANDIDATE_KEYS_MAX; 0 for a payload of another
     * format, which verify() refuses. NULL: the stored keys. So a record need not store the bands
     * of a sketch in addition to the sketch. */
    size_t (*candidates)(const twx_params *params, const twx_signed *from, twx_key *ret_keys);
    /* Writes masks to ret_masks, which has room for TWX_CANDIDATE_KEYS_MAX, and returns their
     * number: two documents share a candidate key when their first keys are equal in the bits of
     * one of them. NULL: candidates() is not of this kind. */
    size_t (*masks)(const twx_params *params, uint64_t *ret_masks);
    /* Similarity of two payloads in millionths, or -1: not a pair. NULL: equal keys suffice. */
    int32_t (*verify)(const twx_params *params, twx_slice a, twx_slice b);
    /* The sketch of 128 bytes whose bands (group/band_search.c) are the keys that candidates()
     * computes: a search by bands needs no keys. It is a part of the payload, or made of it in
     * `room`. Returns NULL for a payload of another format. NULL: the keys are not bands. */
    const unsigned char *(*sketch)(twx_slice payload, unsigned char room[128], bool *ret_is_short);
    /* Fills a summary of TWX_DETECTOR_SUMMARY bytes, all of them, from which may_verify() sees that
     * verify() would refuse most pairs that are not similar; it never says so of others. NULL:
     * there is none. */
    void (*summarize)(twx_slice payload, unsigned char *ret_summary);
    bool (*may_verify)(const twx_params *params, const unsigned char *a, const unsigned char *b);
} twx_detector;

enum { TWX_DETECTOR_SUMMARY = 64 };

/* The value of the detector's setting i. */
static inline uint32_t twx_method_value(const twx_params *params, const twx_detector *d, size_t i) {
    return params->methods.of[d->id][i];
}

/* The result of verify() for a similarity, -1 or more: the similarity if it reaches the threshold,
 * which is the detector's setting i; else -1. */
static inline int32_t twx_method_accept(const twx_params *params, const twx_detector *d, size_t i,
                                        int32_t similarity) {
    return similarity >= (int64_t)twx_method_value(params, d, i) ? similarity : -1;
}

/* For the rows: a threshold among the settings, and what the rows of most methods for
 * near-duplicate texts have in common. */
#define TWX_THRESHOLD(name, default_value, values, help) \
    { .shown = {name, default_value, values, help}, .kind = TWX_METHOD_SHARE, .is_threshold = true }
#define TWX_TEXT_ROW .basis = TWX_BASIS_TEXT, .translations_separate = true, .near = true
#define TWX_NEAR_TEXT_ROW                                                                  \
    TWX_TEXT_ROW, .settings = SETTINGS, .n_settings = TWX_COUNTOF(SETTINGS), .sign = sign, \
                  .candidates = candidates, .verify = verify

/* The needs that apply with these parameters: bits of twx_detector_need. */
unsigned twx_detector_needs(const twx_detector *d, const twx_params *params);

/* For the rows (record.c): add one more key. Of a digest, the first 8 bytes big endian are the key,
 * the next 8 the check.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_signature_add(twx_ctx *cx, twx_key key, twx_signature *signature);
TWX_CHECK twx_rc twx_signature_add_digest(twx_ctx *cx, const unsigned char digest[16],
                                          twx_signature *signature);
/* The same: set the payload, whose hash is the key, so that a record need not store that. */
TWX_CHECK twx_rc twx_signature_set_payload(twx_ctx *cx, twx_slice payload,
                                           twx_signature *signature);

/* detectors.c: the table of detectors: the rows of methods.rows and of the wings. A new method
 * is one file and one row. Several rows are in one file: SCHEME and WWW in scheme_www.c, EXACT,
 * TITLE and DESCRIPTION in title.c, SIMHASH and SIMHASH32 in simhash.c. */

/* In order of id; NULL after the last. */
const twx_detector *twx_detector_at(size_t i);
const twx_detector *twx_detector_find(const char *name); /* NULL when unknown */
/* Fingerprint of id, version and parameters: a stored key with another fingerprint is stale. */
uint64_t twx_detector_fingerprint(const twx_detector *d, const twx_params *params);
#define TWX_DETECTOR_DECLARE(name) extern const twx_detector TWX_DETECTOR_##name;
TWX_METHOD_ROWS(TWX_DETECTOR_DECLARE)

/* page_class (page_class.c): pages without content of their own, such as the page of a firewall
 * that checks the browser, or an error that was answered with status 200: what a short text with
 * its title says of itself, by patterns (share/patterns/pages.tsv, docs/page-classes.md).
 * [R1] A text of more than TWX_PAGE_WORDS words is a page, whatever it says, and so is one with
 * more words than a pattern permits: articles about such pages are longer.
 * [R2] Patterns see words, lower-cased and with one blank between them. The first pattern whose
 * title and text match decides. */

enum { TWX_PAGE_VERSION = 2, TWX_PAGE_WORDS = 250 };

/* Stored in the facts and flags. */
typedef enum twx_page_class {
    TWX_PAGE_PAGE,
    TWX_PAGE_ERROR,
    TWX_PAGE_CHALLENGE,
    TWX_PAGE_LOGIN,
    TWX_PAGE_CONSENT,
    TWX_PAGE_LISTING, /* these and those that follow are pages, of a kind */
    TWX_PAGE_EMPTY,
    TWX_PAGE_CLASSES
} twx_page_class;
static inline bool twx_is_no_page(int64_t class) {
    return class >= TWX_PAGE_ERROR && class <= TWX_PAGE_CONSENT;
}

/* "challenge", by class; NULL after the last */
extern const char *const TWX_PAGE_NAMES[TWX_PAGE_CLASSES + 1];
/* A list of the first four after page, as bits 1 << class. Errors TWX_E_CONFIG */
TWX_CHECK twx_rc twx_page_classes_parse(twx_ctx *cx, twx_slice list, unsigned *ret_classes);

typedef struct twx_page_file {
    const char *name; /* for messages */
    twx_slice text;
} twx_page_file;

enum { TWX_PAGE_FILES_MAX = 2 };

/* Memory: owned handle; any thread may use it. */
typedef struct twx_page_patterns twx_page_patterns;

/* Patterns of the files, in this order, at most TWX_PAGE_FILES_MAX, which are borrowed until they
 * are made. Those that a page needs are made when it comes. */
TWX_CHECK twx_rc twx_page_patterns_open(twx_ctx *cx, const twx_page_file *files, size_t n,
                                        twx_page_patterns **ret_patterns);
/* Makes all of them. Errors TWX_E_CONFIG, naming file and line */
TWX_CHECK twx_rc twx_page_patterns_make(twx_ctx *cx, twx_page_patterns *p);
void twx_page_patterns_close(twx_page_patterns *p);
uint64_t twx_page_patterns_fingerprint(const twx_page_patterns *p); /* 0 for NULL */

typedef struct twx_page_finding {
    uint8_t class;    /* twx_page_class */
    bool is_short;    /* it has a title and a short text, and a URL */
    bool is_echoed;   /* a word of the title is in the path of the URL [R1] */
    twx_slice system; /* of the pattern, borrowed from the patterns; empty: no pattern decided */
} twx_page_finding;

/* What was found of titles and texts, for texts that occur again, and which patterns can begin with
 * some bytes. seed: random, so that no one can construct two pages with equal keys. */
enum {
    TWX_PAGES_REMEMBERED = 1 << 13,
    TWX_PAGE_BEGINNINGS_LOG2 = 13,
    TWX_PAGE_PATTERNS_MAX = 256,
    TWX_CLASS_BITS = TWX_PAGE_PATTERNS_MAX / 64 + 1 /* words of bits: patterns, lists of words */
};

typedef struct twx_class_memo {
    uint64_t seed;
    const void *of; /* the patterns that `beginnings` is about */
    struct twx_remembered_page {
        uint64_t key;
        twx_page_finding found;
        bool is_set;
    } at[TWX_PAGES_REMEMBERED];
    struct twx_page_beginning {
        uint32_t key, n; /* n: 0 if it is not set */
        uint64_t may[TWX_CLASS_BITS];
    } beginnings[1 << TWX_PAGE_BEGINNINGS_LOG2][2];
} twx_class_memo;

/* Of title, text and URL. p NULL: all are pages. memo: of one thread and these patterns, zeroed. */
TWX_CHECK twx_rc twx_page_class_of(twx_ctx *cx, twx_page_patterns *p, twx_class_memo *memo,
                                   const twx_document *doc, twx_page_finding *ret_kind);

/* method_settings (detectors.c): the settings of all methods, and parameters at their defaults. */

twx_params twx_params_default(void);
/* The same parameters with thresholds that every pair reaches, so that verification returns the
 * similarity of any pair. */
twx_params twx_params_without_thresholds(const twx_params *params);
/* The same parameters with those thresholds of the method that are shares lowered by a margin. */
twx_params twx_params_with_margin(const twx_params *params, const twx_detector *method,
                                  uint32_t margin_ppm);
/* Sets those thresholds of the method that are shares. */
void twx_params_set_threshold(twx_params *params, const twx_detector *method, uint32_t ppm);
/* The same parameters with options under which a method needs no statistics of the collection, if
 * it has such options. */
twx_params twx_params_without_needs(const twx_params *params);

/* memo (sign_document.c): a cache of signed texts: tag of a text -> what was computed from the text
 * alone (sign_document.c). All threads of a run share one.
 *
 * The tag is a GMAC (NIST SP 800-38D) under a random key of the memo, twx_text_tag(), which takes a
 * sixth of the time of SHA-256. Two texts with one tag cannot be constructed without the key: any
 * two texts of n bytes have the same tag with a probability of at most (n / 16 + 2) / 2^128.
 * [R1] It never affects a result: after a miss the caller computes the same entries.
 * [R2] It uses at most max_bytes; when full it stores nothing more.
 * A memo is valid for one list of detectors with one set of parameters.
 * Memory: owned handle. Any thread may call get and put at any time. */

typedef struct twx_memo twx_memo;

TWX_CHECK twx_rc twx_memo_open(twx_ctx *cx, size_t max_bytes, twx_memo **ret_memo);
void twx_memo_close(twx_memo *m);
/* Appends the entries to `out`. TWX_DONE: not known. Errors TWX_E_NOMEM, TWX_E_LIMIT */
TWX_CHECK twx_rc twx_memo_get(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                              twx_buf *out);
/* Stores the entries unless they are known or there is no room. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_memo_put(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                              twx_slice entries);

/* bag.c: the content words of a text with their counts: runs of letters and digits,
 * lower-cased, of four or more characters, without stop words (Zelenkov and Segalovich 2007,
 * section 4). Most methods of that study start from them.
 * Memory: in the workspace's scratch. */

typedef struct twx_bag_word {
    twx_slice text;
    uint64_t hash; /* twx_bag_hash(text): its key in the lexicon */
    uint32_t tf;   /* occurrences */
} twx_bag_word;

/* Shape at[0..n) in byte order of the words, without repeats */
typedef struct twx_bag {
    twx_bag_word *at;
    size_t n;
    uint32_t tf_max;
    uint64_t length; /* dl: sum of tf */
} twx_bag;

uint64_t twx_bag_hash(twx_slice word);
/* Does a lower-cased word count? It must have at least four characters and not be a stop word. */
bool twx_bag_takes(twx_slice word);
/* [R1] Depends on the text alone. A text longer than TWX_WORD_COUNTS_TEXT_MAX gives an empty bag.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_bag_of(twx_ctx *cx, twx_workspace *w, twx_slice text, twx_bag *ret_bag);
/* The key of a list of strings: they are sorted, joined by one space, and hashed: CRC32 (zlib) in
 * the upper half, a seeded hash in the lower half and in check. parts[0..n) is reordered. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_key_of_parts(twx_ctx *cx, twx_workspace *w, twx_slice *parts, size_t n,
                                  twx_key *ret_key);

/* profile (bag.c): the text from which the text profile is computed (docs/signatures.md,
 * "profile"), for tests and for tools that show why two texts have the same profile. */

/* The settings of the row profile, in order. */
enum { TWX_PROFILE_MIN_TOKEN_LEN, TWX_PROFILE_QUANT_RATE, TWX_PROFILE_DIGEST };

/* The quantum: counts are rounded down to a multiple of it. It is rate (millionths) of the largest
 * count, a half rounded up, but at least 2, or 1 where no word occurs twice. Never 0. */
uint32_t twx_profile_quant(uint32_t largest_count, uint32_t rate_ppm);
/* "word count LF word count ..."; empty when no word remains.
 * Memory: borrowed from the workspace's scratch. Errors TWX_E_NOMEM, TWX_E_LIMIT (word_counts) */
TWX_CHECK twx_rc twx_profile_text(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                                  twx_slice text, twx_slice *ret_profile);

/* simhash.c: the simhash of a bag of hashes, a fingerprint of which similar bags have nearly
 * all bits in common, and the keys by which all fingerprints within a few bits are found.
 * Bit i of the fingerprint is 1 when the hashes with bit i set outweigh those without; 0 otherwise.
 * [R1] The order of the hashes does not matter.
 * [R2] Bits are independent: the low 32 bits are the simhash of the low 32 bits.
 * [R3] Two fingerprints within `distance` bits always share a key.
 * Pure functions: no allocation, any thread.
 * Source: Charikar, STOC 2002, section 3; Manku, Jain, Das Sarma, WWW 2007, sections 2 and 3. */

enum { TWX_SIMHASH_DISTANCE_MAX = 6, TWX_SIMHASH_PLANES = 64 };

/* A simhash under construction, zeroed at the start. The counter of bit i is bit i of planes[0],
 * planes[1], ..., lowest first. */
typedef struct twx_simhash {
    uint64_t planes[TWX_SIMHASH_PLANES];
    uint64_t added; /* hashes; below 2^63 */
} twx_simhash;

/* Adds h[0..n). Batches of sixteen are fastest. */
void twx_simhash_add(twx_simhash *s, const uint64_t *h, size_t n);
uint64_t twx_simhash_of(const twx_simhash *s);       /* 0 of nothing */
uint64_t twx_simhash64(const uint64_t *h, size_t n); /* the same in one call */

unsigned twx_hamming64(uint64_t a, uint64_t b); /* bits that differ, 0..64 */
/* Shape bits: of the fingerprint, 64 or 32 (the low ones); distance: at most
 * TWX_SIMHASH_DISTANCE_MAX, larger values are clipped; ret_keys has room for
 * TWX_CANDIDATE_KEYS_MAX. Returns the number of keys, which is the same for any fingerprint. */
size_t twx_simhash_keys(uint64_t fingerprint, unsigned bits, uint32_t distance, twx_key *ret_keys);

/* name_lines (name.c): the short lines of a text, where headings and labelled values are found. If
 * titles are uninformative ("My shop"), the lines immediately before the body name the subject; the
 * menu of a frame may come long before and differs from view to view.
 *
 * A line is represented by a hash of its words, without session ids. A line with a date, a time, a
 * price or a counter ("Visitors: 4711") is not a name, because it differs between retrievals of the
 * page.
 * [R1] The lines depend on the text alone. Time is linear in the part of the text that is
 * searched. */

/* The hash of a line, as name_words stores it; *ret_is: the line may be a name. */
TWX_CHECK twx_rc twx_name_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, uint32_t *ret_line,
                               bool *ret_is);
/* The lines of a text, at most `most` of them: first the short lines before the body, nearest
 * first, then labelled values after it ("Colour: red"). For a text without a body, its first short
 * lines; for a text with markup (markup_words), only its first heading. */
TWX_CHECK twx_rc twx_name_lines(twx_ctx *cx, twx_tokens *tokens, twx_slice text, size_t most,
                                uint32_t *ret_lines, uint8_t *ret_n);

/* plain_words (name.c): words that never belong to a name, whatever the document is about: dates,
 * and randomly generated words. Words are lower-case (text/tokens.c). */

/* Is a word in a list that is sorted by bytes and has no empty word? */
bool twx_in_sorted(twx_slice word, const char *const *words, size_t n);
bool twx_has_digit_and_letter(twx_slice word);
/* Is the word like a session id or a digest? Such words change while the page stays the same. */
bool twx_looks_like_id(twx_slice word);
/* The names of months and weekdays, long and short; English, German, French, Spanish, Italian,
 * Dutch. */
bool twx_is_calendar_word(twx_slice word);
/* The hash of a sentence that says when pages were made, without its dates, of a day each; other
 * numbers count. 0: it does not say that. */
uint64_t twx_dated_form(twx_slice sentence);

/* name_words.c: the words of a document's own name, packed into at most 128 bytes.
 *
 * Near-duplicates with different names are siblings, not copies: one template that describes
 * different things. Whether the name of a document is contained in another document is decided on
 * these words (judge/names.c), so the payloads keep both the words that a name demands and the
 * words that a document offers. A word is its lower-cased letters and digits (text/tokens.c),
 * stored as 24 bits of its hash: two different words are equal by chance once in 16 million pairs.
 *
 * There are two payloads, because texts repeat across documents and titles do not:
 *   name      depends on title, headings, names and URL
 *             u8 title << 4 | has shown << 3 | versions, u8 headings << 4 | (url + has shown),
 *             u48 version, u24 tail, words, u24 shown if it is not 0
 *   repeated  depends on the text
 *             u8 repeated << 4 | proper, u8 lead << 4 | numbers, u8 quantity << 4 | codes, words
 * Numbers are big-endian. A word takes 3 bytes, in `lead`, `numbers` and `codes` 2; of a repeated
 * word these are 20 bits of the hash and 4 of its weight. Words, in this order:
 *   title     its words in order, repeats included, the versions among them last. Numbers joined by
 *             dots are one word. The last place before the versions stands for all words that do
 *             not fit.
 *   headings  words of the first level-1 headings that are not in the title, read like the title
 *   url       words of the last path segment that has any: three letters or more, no digits, no
 *             file extension, no generic word (index, print, ...)
 *   repeated  words that the text repeats, most frequent first, ties by hash; no stop words, no
 *             numbers, nothing that looks like a session id, no markup of reStructuredText. First
 *             the proper ones, at most TWX_NAME_PROPER_MAX: codes (letters and digits), at most
 *             TWX_NAME_REPEATED_CODES_MAX, then words that always have a capital or are of a
 *             script without capitals. Then others. The weight of the last word of a full list
 *             says which words of the text the list may lack.
 *   lead      short lines, one hash each (sign/name.c), those nearest to the body first
 *   numbers   the first numbers that follow a word with a capital ("Article 17"), at the beginning
 *             of the text or in a short line, neither dates nor times; last, when quantity is 1,
 *             one word for all numbers with a unit ("350 MB")
 *   codes     words of a letter and more letters and digits ("i386") that are not among the
 *             repeated ones: those with the smallest hashes, ascending
 * The tail is the hash of the last path segment that is not an index page (of a URL whose query has
 * numbers only the very last one), and of the numbers of the query ("?id=17"): it distinguishes
 * documents with the same title.
 * Shown is the hash of the column `names`: alt texts and names in structured data. It is compared
 * as a whole, and distinguishes documents with the same text.
 * [R1] Payloads depend on their basis alone.
 * [R2] Any bytes can be unpacked: an invalid payload unpacks to no words. */

enum {
    TWX_NAME_TITLE_MAX = 10,
    TWX_NAME_HEADING_MAX = 5,
    TWX_NAME_URL_MAX = 3,
    TWX_NAME_VERSIONS_MAX = 3,
    TWX_NAME_REPEATED_MAX = 10,
    TWX_NAME_PROPER_MAX = 7,
    TWX_NAME_REPEATED_CODES_MAX = 4,
    TWX_NAME_LEAD_MAX = 12,
    TWX_NAME_NUMBERS_MAX = 4,
    TWX_NAME_CODES_MAX = 3,
    TWX_NAME_SHORTS_MAX = 13, /* lead, numbers and codes together: lead has what the others leave */
    TWX_NAME_BYTES = 11 + 3 * (TWX_NAME_TITLE_MAX + TWX_NAME_HEADING_MAX + TWX_NAME_URL_MAX + 1),
    TWX_REPEATED_BYTES = 3 + 3 * TWX_NAME_REPEATED_MAX + 2 * TWX_NAME_SHORTS_MAX
};
_Static_assert(TWX_NAME_BYTES + TWX_REPEATED_BYTES <= 128, "a name takes 128 bytes");

/* The part of a document that a word of a name comes from. */
typedef enum twx_name_part {
    TWX_NAME_TITLE,
    TWX_NAME_HEADING,
    TWX_NAME_URL,
    TWX_NAME_REPEATED,
    TWX_NAME_LEAD,
    TWX_NAME_NUMBER,
    TWX_NAME_CODE,
    TWX_NAME_PARTS
} twx_name_part;

const char *twx_name_part_text(twx_name_part part); /* "in its title" */

/* Shape each part [0..n[part]): 24 bits of a word's hash; the low 20 of them in repeated, the low
 * 16 in lead, number and code.
 * weight: of the repeated words, twx_name_weight(); version: of the title, 0: none; versions: how
 * many of the title's words, the last ones, are versions; proper: how many of the repeated words,
 * the first ones, are proper; tail, shown: 24 bits, 0: none
 * Memory about 200 bytes, no pointers */
typedef struct twx_name_words {
    uint32_t title[TWX_NAME_TITLE_MAX];
    uint32_t heading[TWX_NAME_HEADING_MAX];
    uint32_t url[TWX_NAME_URL_MAX];
    uint32_t repeated[TWX_NAME_REPEATED_MAX];
    uint32_t lead[TWX_NAME_LEAD_MAX];
    uint32_t number[TWX_NAME_NUMBERS_MAX];
    uint32_t code[TWX_NAME_CODES_MAX];
    uint8_t weight[TWX_NAME_REPEATED_MAX];
    uint8_t n[TWX_NAME_PARTS];
    uint8_t versions, proper;
    bool has_quantity; /* the last number represents all numbers with a unit */
    uint32_t tail, shown;
    uint64_t version;
} twx_name_words;

/* The words of a part. */
const uint32_t *twx_name_words_of(const twx_name_words *w, twx_name_part part);

/* 24 bits of the hash of a lower-cased word. */
uint32_t twx_name_word(twx_slice lower);
bool twx_has_name_word(const uint32_t *words, size_t n, uint32_t word);
/* The bits of a word that a part keeps. */
uint32_t twx_name_word_in(twx_name_part part, uint32_t word);
/* The rank of a word among the repeated ones, 0..15: codes before others, then by count. */
uint8_t twx_name_weight(bool is_code, uint32_t count);
/* May the text with the list of repeated words `w` repeat the word although it is not in the list?
 * True if the list for words of this kind is full and ends before the word's place. */
bool twx_name_may_repeat(const twx_name_words *w, bool proper, uint32_t word, uint8_t weight);
/* The same for codes. */
bool twx_name_may_have_code(const twx_name_words *w, uint32_t code);
/* Does `offered` of one part match `wanted` of another? They are compared by the bits that both
 * keep; a line matches lines only. */
bool twx_name_word_meets(twx_name_part wanted_part, uint32_t wanted, twx_name_part offered_part,
                         uint32_t offered);

/* Write a payload to out, which has room for TWX_NAME_BYTES or TWX_REPEATED_BYTES; return its
 * length. */
size_t twx_name_pack(const twx_name_words *w, unsigned char *out);
size_t twx_repeated_pack(const twx_name_words *w, unsigned char *out);
/* Set the parts that the payload holds and leave the others unchanged. [R2] */
void twx_name_unpack(twx_slice payload, twx_name_words *w);
void twx_repeated_unpack(twx_slice payload, twx_name_words *w);

/* minhash_sketch (sketch.c): a sketch of 128 bytes from which the share of common shingles of two
 * texts is estimated.
 *
 * The set of 64-bit shingle hashes is divided into 128 bins by the top 7 bits, and each bin keeps
 * its smallest hash: one hash a shingle instead of 128 (one-permutation hashing: Li, Owen, Zhang,
 * NIPS 2012). A text of fewer than about 1 000 shingles leaves bins empty: these take part in
 * further rounds, each with new hashes of all shingles, until none is empty (Dahlgaard, Knudsen,
 * Thorup, Fast similarity sketching, FOCS 2017). Filling an empty bin from another one (optimal
 * densification: Shrivastava, ICML 2017) is cheaper, but its standard deviation was measured to be
 * 1.2 to 1.4 times as large on short texts. The low byte of each smallest hash is stored (b-bit
 * minwise hashing: Li and Konig, WWW 2010).
 *
 * Two bins hold the same shingle with probability J (Jaccard: common shingles / shingles of
 * either), and two bytes agree with probability J + (1 - J) / 256. So m equal bytes of 128 give the
 * estimate J = (2 m - 1) / 255, which is unbiased with a standard deviation of about sqrt(J (1 - J)
 * / 128): .027 at .9, .044 at .5, and .7 of that for texts of fewer than 200 shingles.
 * [R1] Order and repetition of shingles do not matter.
 * [R2] The estimate is symmetric, and 1000000 for a sketch with itself.
 * [R3] Two sketches whose estimate reaches the threshold always share a band: if at most d bytes
 * differ, one of d + 1 bands is unaffected. Bands are runs of bytes of about equal length.
 *
 *     threshold   equal bytes   bands   bytes each   P(a pair of J = .3, .5, .7 shares a band)
 *        .95          122          7      18-19        .00  .00  .01
 *        .90          116         13      9-10         .00  .02  .33
 *        .85          109         20      6-7          .01  .23  .89
 *        .80          103         26      4-5          .08  .60  .99
 *        .70           90         39      3-4          .59  .99  1
 *        .50           65         64      2            1    1    1 */

enum { TWX_MINHASH_BYTES = 128 };

/* Sketch of a set of hashes. Shape shingles[0..n), n >= 1. Takes up to 129 n steps when few are
 * distinct; about n when n is 1 000 or more, and about 1 000 when it is less. */
void twx_minhash_of(const uint64_t *shingles, size_t n,
                    unsigned char ret_sketch[TWX_MINHASH_BYTES]);
/* The same of the shingles of a text, n >= 1, which it may sort. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_minhash_shingles(twx_ctx *cx, twx_arena *scratch, twx_shingles *shingles,
                                      unsigned char ret_sketch[TWX_MINHASH_BYTES]);
/* Number of equal bytes of two sketches. */
size_t twx_minhash_equal(const unsigned char a[TWX_MINHASH_BYTES],
                         const unsigned char b[TWX_MINHASH_BYTES]);
/* Estimate of Jaccard in millionths, 0..1000000; -1: one of them is not a sketch (wrong length). */
int32_t twx_minhash_estimate(twx_slice a, twx_slice b);
/* Number of bands for a threshold in millionths, 1..TWX_MINHASH_BYTES; [R3]. */
size_t twx_minhash_bands(uint32_t threshold_ppm);

/* shingle_sketch (sketch.c): resemblance and containment of texts, estimated from a sample of their
 * 5-word shingles. A sketch holds the smallest distinct 40-bit fingerprints of a text's shingles,
 * at most 200, ascending, 5 bytes each, big-endian: at most 1 000 bytes. A sketch of fewer than 200
 * holds all of them.
 * [R1] A sketch depends on the set of shingles alone: not on their order or repetition.
 * [R2] Resemblance is symmetric; comparing a sketch with itself gives 1000000 for all three values.
 * [R3] Two texts of fewer than 200 shingles each are compared exactly.
 * Source: Broder, On the resemblance and containment of documents, 1997. */

enum {
    TWX_SHINGLE_SKETCH_WORDS = 5,
    TWX_SHINGLE_SKETCH_MAX = 200, /* s, fingerprints */
    TWX_SHINGLE_SKETCH_BYTES = 5  /* of a fingerprint */
};

/* Shares in millionths, 0..1000000. A(X): the shingles of X. */
typedef struct twx_resemblance {
    int32_t resemblance; /* common shingles of A(a) and A(b) / shingles of either */
    int32_t a_in_b;      /* containment: common / in A(a); -1: the sample holds nothing of a */
    int32_t b_in_a;
} twx_resemblance;

/* An empty slice: the text has no words. Memory: in scratch. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_shingle_sketch_of(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                                       twx_slice *ret_sketch);
/* false: one of them is empty or not a sketch. Linear, no allocation. The comparison uses the 200
 * smallest fingerprints of both sketches together, which are a fair sample of a, of b, and of what
 * they share. */
bool twx_shingle_sketch_compare(twx_slice a, twx_slice b, twx_resemblance *ret_resemblance);
size_t twx_shingle_sketch_size(twx_slice sketch);           /* fingerprints */
uint64_t twx_shingle_sketch_at(twx_slice sketch, size_t i); /* i < size */

/* alignment.c: estimates the similarity of two texts from a few hundred bytes of each.
 *
 * Near-duplicates are defined by 2 * LCS / (a + b) on characters (Perl's String::Similarity); LCS
 * is the length of a longest common subsequence. Here the LCS is computed on a sample of words.
 * Each word is represented by a byte of its hash. Of a long text only the words whose hash ends in
 * `level` zero bits are kept, so that the same words are kept of any two texts, in their order. Two
 * texts sampled at different levels are compared at the coarser one. Letters (ASCII letters and
 * digits, and all characters beyond ASCII) and the other characters (white space, punctuation,
 * markup), in 15 classes, are counted.
 *
 * Let a be the characters of both texts, l the letters of the text that has fewer of them, n its
 * kept words, k <= l the smaller count of ASCII letters plus that of letters beyond ASCII, o the
 * other characters of the text that has fewer of them, and m <= o the sum over the classes of the
 * smaller count.
 *   r = 2 (k + m) / a                               upper bound from the counts
 *   x = 2 (o - m) / a                               other characters that the counts exclude
 *   d = 2 (l (1 - LCS / n) - (l - k)) / a           words that are not aligned, at least 0
 * The estimate is r - 2 x - .65 d - 1.2 min(d, .22)^2. Two different words share letters, so a
 * small d costs less than d; where much differs, more is out of order. Words of another script
 * share none: they are not in k, and are not counted twice.
 * For a sample, n is random: it is averaged with n' l / l', the number that the other text's words
 * predict; and the sketch provides a second estimate. Let c be the share of its pairs of
 * neighbouring words that the text with fewer letters has in common with the other. A changed word
 * breaks at most two pairs, so with b = (1 - c) / 2 the share 1 - LCS / n is replaced by max(1 -
 * LCS / n, b) + b / 10; and the estimate is lowered by x / 2 and .3 (1 - r). A document that is
 * hidden because an estimate was too high is lost, so the weights are conservative. They were
 * fitted on 40 000 pairs of three crawls and three labelled sets (docs/detectors.md).
 *
  * Candidates come from the sketch of the text's pairs of neighbouring words (pair_sketch), by
  * bands whose number and length depend on the number of documents (group/band_search.c, which says
  * how many pairs are found). Texts at the threshold share .4 to .7 of their pairs. Short texts at
  * the threshold share fewer, down to .32, because a changed word breaks two of few pairs: texts of
  * at most 100 words have more bands, and payloads without the sketch, which is made of their
  * words. Payload: characters of the text u32 | its letters u32 | level u8 | letters beyond ASCII,
  * in 255ths of the letters u8 | the classes, in 255ths of the other characters 15 | a byte for
  * each word kept, at most 256 | the sketch 128, or, of at most 100 words, bits 8 and 9 of the hash
  * of each word, four words a byte, low bits first. Little-endian.
 * [R1] Symmetric.
 * [R2] 1000000 for equal payloads. */

enum {
    TWX_ALIGNMENT_WORDS = 256,
    TWX_ALIGNMENT_CLASSES = 15,
    TWX_ALIGNMENT_BYTES = 9 + 1 + TWX_ALIGNMENT_CLASSES + TWX_ALIGNMENT_WORDS + TWX_SKETCH_BYTES
};

/* A text as its words' hashes and its numbers of characters.
 * Shape words[0..n), n >= 1; wide: the letters beyond ASCII; others: the characters that are not
 * letters, by class */
typedef struct twx_worded {
    const uint64_t *words;
    size_t n, letters, wide;
    uint64_t others[TWX_ALIGNMENT_CLASSES];
} twx_worded;

/* Writes the payload and returns its length. `pairs` has room for n hashes and is overwritten. */
size_t twx_alignment_of(const twx_worded *text, uint64_t *pairs,
                        unsigned char ret_payload[TWX_ALIGNMENT_BYTES]);
/* The estimate in millionths; -1: less than least_ppm, or a payload of another format. */
int32_t twx_alignment_similarity(twx_slice a, twx_slice b, uint32_t least_ppm);

enum { TWX_ALIGNMENT_SUMMARY = 64 };
/* Fills TWX_ALIGNMENT_SUMMARY bytes, one cache line, from a payload. */
void twx_alignment_summarize(twx_slice payload, unsigned char *ret_summary);
/* Whether the estimate of two payloads may reach least_ppm, by their summaries: an upper bound.
 * [R3] true if twx_alignment_similarity() is not -1. */
bool twx_alignment_may_reach(const unsigned char *a, const unsigned char *b, uint32_t least_ppm);

/* record (record.c): the signatures of one document, packed once, as twindex_signature has them; at
 * most one entry a detector, in ascending order of their ids. What the entries of usual documents
 * have in common takes no bytes. A detector without key and payload has no entry. Stored records
 * have no entries of URL twins (judge/eligible.c). A change of the layout, which docs/signatures.md
 * describes, bumps TWX_RECORD_VERSION.
 * [R1] Reading a packed record gives the same signatures.
 * [R2] Bytes may come from anywhere: anything but a whole record with ascending ids is
 * TWX_E_CORRUPT, as is an entry that stands by itself and is not in its shortest form; and no byte
 * after the end is read. */

enum {
    TWX_RECORD_VERSION = 3,
    TWX_RECORD_KEYS_MAX = UINT16_MAX,
    /* alignment; repeated and name with as many words as their heads can say */
    TWX_RECORD_PAYLOADS = TWX_ALIGNMENT_BYTES + (3 + 9 * 15) + (11 + 9 * 15)
};

/* One detector's entry. Memory: borrowed from the record. */
typedef struct twx_record_entry {
    uint8_t id, shape;
    uint16_t n_keys;
    const char *keys; /* packed: twx_record_key() */
    twx_slice payload;
} twx_record_entry;

/* Memory: borrowed from the bytes; payloads that these do not have in one piece are in the struct
 * itself, so it must not be moved. About 3 KB */
typedef struct twx_record {
    size_t n;
    twx_record_entry at[TWX_DETECTOR_IDS];
    char payloads[TWX_RECORD_PAYLOADS];
} twx_record;

/* Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_record_read(twx_ctx *cx, twx_slice bytes, twx_record *ret_record);
/* The entry of one detector; NULL: none. */
const twx_record_entry *twx_record_find(const twx_record *record, uint8_t id);
twx_key twx_record_key(const twx_record_entry *entry, size_t i); /* i < n_keys */

/* sign_document.c: runs detectors on a document and packs their signatures (record). */

/* What all documents of a run are signed with. Memory: everything is borrowed.
 * Shape detectors[0..n) in order of id; memo NULL: none */
typedef struct twx_signing {
    const twx_params *params;
    const twx_detector *const *detectors;
    size_t n;
    twx_memo *memo;
    bool without_url; /* leaves out the detectors whose basis is the URL alone */
    bool *ret_valid;  /* gets whether the text is valid UTF-8; NULL: not wanted */
} twx_signing;

/* [R3] Near-duplicate methods whose basis is the text get this: all of it, or its content area, as
 * near.text says, of the document's host if a section of `hosts` has it. */
twx_slice twx_near_text_of(const twx_params *params, const twx_document *doc);

/* [R1] The record depends on document, detectors and parameters alone, not on the memo.
 * [R2] With a memo a text that was signed before is tagged and not examined again.
 * ret_record is cleared first; on failure its content is undefined. The caller resets the workspace
 * afterwards, because doc->url may be in its scratch.
 * Errors TWX_E_NOMEM, TWX_E_LIMIT (ret_record's max), TWX_E_INTERNAL (OpenSSL failed) */
TWX_CHECK twx_rc twx_sign_document(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                                   const twx_document *doc, twx_buf *ret_record);

#endif
