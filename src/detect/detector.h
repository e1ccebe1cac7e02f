/* detect/detector.h: what a detector is. A new one is one file and one row in detectors.c.
 *
 * A detector turns a document into keys. [R1] Its keys depend on what its basis names and on its
 * parameters, on nothing else. [R2] Equal texts (titles, URLs) have equal keys. [R3] No key means:
 * nobody's copy. Documents that share a key (and its check) are candidates; `verify`, where there
 * is one, has the last word on a pair.
 * [R4] verify is symmetric, and of a payload with itself 1000000. [R5] Two payloads that verify
 * share a candidate key, always or as often as the detector's file says. */
#ifndef TWX_DETECT_DETECTOR_H
#define TWX_DETECT_DETECTOR_H

#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"
#include "detect/params.h"
#include "detect/workspace.h"
#include "url/url_norm.h"

/* Shape  what a document is to a detector. Text fields are as stored: absent (NULL), empty, or any
 * bytes.
 * Memory borrowed for the call. */
typedef struct twx_document {
    const twx_url *url; /* normal form; NULL or a url->fault: not usable */
    twx_slice text, title, description;
    twx_slice headings; /* texts of the level-1 headings, one a line */
} twx_document;

typedef struct twx_key {
    uint64_t key;
    uint64_t check; /* the digest's next 64 bits; 0 when the key is all there is */
} twx_key;

/* What a detector makes of one document. n == 0: no signature. Memory: owned by whoever made it;
 * cleared by the caller before each sign(). The payload, for verify(), is borrowed from the
 * workspace's arena. */
typedef struct twx_signature {
    TWX_VEC(twx_key) keys;
    twx_slice payload;
} twx_signature;

/* What the keys depend on: work for the same input is done once. */
typedef enum twx_basis {
    TWX_BASIS_URL,
    TWX_BASIS_TEXT,
    TWX_BASIS_TITLE,
    TWX_BASIS_DESCRIPTION,
    TWX_BASIS_PAGE, /* URL and text */
    TWX_BASIS_NAME  /* URL, title and headings */
} twx_basis;

/* What sign() needs of the whole collection (params->collection); 0: the document alone, a local
 * detector. */
typedef enum twx_detector_need {
    TWX_NEED_LEXICON = 1,
    TWX_NEED_TERM_SELECTION = 2,
    TWX_NEED_LINK_SCORES = 4,
    TWX_NEED_BOILERPLATE = 8
} twx_detector_need;

enum { TWX_CANDIDATE_KEYS_MAX = 256 };

/* What is stored of a document, for those who look for its candidates. Memory: borrowed. */
typedef struct twx_signed {
    twx_key first; /* its first key */
    twx_slice payload;
} twx_signed;

typedef struct twx_detector {
    const char *name;    /* lower-case; names the relation in verdict.relations */
    const char *summary; /* what it sees, one line */
    const char *source;  /* paper or system, section */
    uint8_t id;          /* stored in records: never reused */
    uint16_t version;    /* of the algorithm: bumped when its output changes */
    twx_basis basis;
    bool translations_separate; /* pages of one hreflang group are not joined (docs/internals.md) */
    /* may be the configured near detector; texts of few words (near.min_words) get no keys */
    bool near;
    unsigned needs; /* bits of twx_detector_need */
    /* Fingerprint of the parameters that shape the keys; NULL: it has none. */
    uint64_t (*fingerprint)(const twx_params *params);
    TWX_CHECK twx_rc (*sign)(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                             const twx_document *doc, twx_signature *ret_signature);
    /* The keys by which candidates are found, made of what is stored: 1..TWX_CANDIDATE_KEYS_MAX
     * into ret_keys, returns how many; perhaps none of a payload that is not its own. NULL: the
     * stored keys. So a record need not hold the bands of a sketch besides the sketch. */
    size_t (*candidates)(const twx_params *params, const twx_signed *from, twx_key *ret_keys);
    /* Similarity of two payloads in 0..1000000 (millionths), or -1: not a pair. NULL: equal keys
     * suffice. */
    int32_t (*verify)(const twx_params *params, twx_slice a, twx_slice b);
} twx_detector;

/* What of its needs the parameters ask for: bits of twx_detector_need. */
unsigned twx_detector_needs(const twx_detector *d, const twx_params *params);

/* For the rows: puts one more key; of a digest, the first 8 bytes big endian are the key, the next
 * 8 the check.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_signature_add(twx_ctx *cx, twx_key key, twx_signature *signature);
TWX_CHECK twx_rc twx_signature_add_digest(twx_ctx *cx, const unsigned char digest[16],
                                          twx_signature *signature);

#endif
