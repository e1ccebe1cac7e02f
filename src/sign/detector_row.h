/* sign/detector_row.h: the interface of a detector. A new one is one file and one row in
 * sign/detectors.h.
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
#ifndef TWX_SIGN_DETECTOR_ROW_H
#define TWX_SIGN_DETECTOR_ROW_H

#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"
#include "sign/params.h"
#include "sign/statistics.h"
#include "sign/workspace.h"
#include "twindex/twindex.h"
#include "url/url_norm.h"

/* Shape  the parts of a document that detectors see. Texts are as stored: absent (NULL), empty, or
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

/* The statistics of the whole collection that sign() needs (params->collection); 0: none, a local
 * detector. */
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
    /* extracts the name of a document for the relation copy (judge/names.h); it has no keys and
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
     * ret_keys and returns their number, 1..TWX_CANDIDATE_KEYS_MAX, or 0, or any key, for a
     * payload of another format, which verify() refuses. NULL: the stored keys. So a record need
     * not store the bands of a sketch in addition to the sketch. */
    size_t (*candidates)(const twx_params *params, const twx_signed *from, twx_key *ret_keys);
    /* Writes masks to ret_masks, which has room for TWX_CANDIDATE_KEYS_MAX, and returns their
     * number: two documents share a candidate key when their first keys are equal in the bits of
     * one of them. NULL: candidates() is not of this kind. */
    size_t (*masks)(const twx_params *params, uint64_t *ret_masks);
    /* Similarity of two payloads in 0..1000000 (millionths), or -1: not a pair. NULL: equal keys
     * suffice. */
    int32_t (*verify)(const twx_params *params, twx_slice a, twx_slice b);
    /* The sketch of 128 bytes whose bands (group/bands.h) are the keys that candidates() computes:
     * a search by bands needs no keys. It is a part of the payload, or made of it in `room`.
     * Returns NULL for a payload of another format. NULL: the keys are not bands. */
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
#define TWX_NEAR_TEXT_ROW                                                                       \
    .basis = TWX_BASIS_TEXT, .translations_separate = true, .near = true, .settings = SETTINGS, \
    .n_settings = TWX_COUNTOF(SETTINGS), .sign = sign, .candidates = candidates, .verify = verify

/* The needs that apply with these parameters: bits of twx_detector_need. */
unsigned twx_detector_needs(const twx_detector *d, const twx_params *params);

/* For the rows: add one more key. Of a digest, the first 8 bytes big endian are the key, the next 8
 * the check.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_signature_add(twx_ctx *cx, twx_key key, twx_signature *signature);
TWX_CHECK twx_rc twx_signature_add_digest(twx_ctx *cx, const unsigned char digest[16],
                                          twx_signature *signature);

#endif
