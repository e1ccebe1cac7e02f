/* method/detectors.h: the table of detectors. A new method is one file in this folder and one row
 * in detectors.c. */
#ifndef TWX_METHOD_DETECTORS_H
#define TWX_METHOD_DETECTORS_H

#include "detect/detector.h"

/* In order of id; NULL after the last. */
const twx_detector *twx_detector_at(size_t i);
const twx_detector *twx_detector_find(const char *name); /* NULL when unknown */
const twx_detector *twx_detector_by_id(uint8_t id);      /* NULL when unknown */
/* Fingerprint of id, version and parameters: a stored key with another fingerprint is stale. */
uint64_t twx_detector_fingerprint(const twx_detector *d, const twx_params *params);
/* Does it extract the name of a document for the relation copy (judge/names.h)? Such a detector has
 * no keys and makes no groups. */
bool twx_detector_describes_name(const twx_detector *d);
/* The rows, each in the file of its name unless noted. */
extern const twx_detector TWX_DETECTOR_SCHEME, TWX_DETECTOR_WWW;        /* url_twins.c */
extern const twx_detector TWX_DETECTOR_EXACT;                           /* exact.c */
extern const twx_detector TWX_DETECTOR_PROFILE;                         /* profile.c */
extern const twx_detector TWX_DETECTOR_TITLE, TWX_DETECTOR_DESCRIPTION; /* title.c */
extern const twx_detector TWX_DETECTOR_TF;                              /* six_words.c */
extern const twx_detector TWX_DETECTOR_TFIDF;                           /* six_words.c */
extern const twx_detector TWX_DETECTOR_TFRIDF;                          /* six_words.c */
extern const twx_detector TWX_DETECTOR_LONG_SENTENCE;                   /* long_sentence.c */
extern const twx_detector TWX_DETECTOR_HEAVY_SENTENCE;                  /* heavy_sentence.c */
extern const twx_detector TWX_DETECTOR_MEGASHINGLES;                    /* supershingles.c */
extern const twx_detector TWX_DETECTOR_LEXRAND;                         /* lexrand.c */
extern const twx_detector TWX_DETECTOR_IMATCH;                          /* imatch.c */
extern const twx_detector TWX_DETECTOR_LOG_SHINGLES;                    /* log_shingles.c */
extern const twx_detector TWX_DETECTOR_OPT_FREQ;                        /* six_words.c */
extern const twx_detector TWX_DETECTOR_DECOMPOSITION;                   /* decomposition.c */
extern const twx_detector TWX_DETECTOR_THREE_PLUS_FIVE;                 /* three_plus_five.c */
extern const twx_detector TWX_DETECTOR_SIMHASH;                         /* simhash.c */
extern const twx_detector TWX_DETECTOR_SIMHASH32;                       /* simhash.c */
extern const twx_detector TWX_DETECTOR_MINHASH;                         /* minhash.c */
extern const twx_detector TWX_DETECTOR_SHINGLES;                        /* shingles_broder.c */
extern const twx_detector TWX_DETECTOR_SUPERSHINGLES;                   /* supershingles.c */
extern const twx_detector TWX_DETECTOR_WORD_LISTS;                      /* word_lists.c */
extern const twx_detector TWX_DETECTOR_CHUNKS;                          /* shared_chunks.c */
extern const twx_detector TWX_DETECTOR_BLOOM;                           /* bloom.c */
extern const twx_detector TWX_DETECTOR_DESCRIPTIVE_WORDS;               /* descriptive_words.c */
extern const twx_detector TWX_DETECTOR_CONTENT_LINKS;                   /* content_links.c */
extern const twx_detector TWX_DETECTOR_ALIGNMENT;                       /* alignment.c */
extern const twx_detector TWX_DETECTOR_REPEATED;                        /* repeated.c */
extern const twx_detector TWX_DETECTOR_NAME;                            /* name.c */

#endif
