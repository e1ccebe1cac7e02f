/* sign/detectors.h: the table of detectors. A new method is one file in this folder and one row
 * below. */
#ifndef TWX_SIGN_DETECTORS_H
#define TWX_SIGN_DETECTORS_H

#include "sign/detector_row.h"

/* In order of id; NULL after the last. */
const twx_detector *twx_detector_at(size_t i);
const twx_detector *twx_detector_find(const char *name); /* NULL when unknown */
const twx_detector *twx_detector_by_id(uint8_t id);      /* NULL when unknown */
/* Fingerprint of id, version and parameters: a stored key with another fingerprint is stale. */
uint64_t twx_detector_fingerprint(const twx_detector *d, const twx_params *params);
/* The rows TWX_DETECTOR_<name> in order of id, each in the file of its name unless noted. */
/* clang-format off */
#define TWX_DETECTORS(ROW) \
    ROW(SCHEME) /* scheme_www.c */           \
    ROW(WWW) /* scheme_www.c */              \
    ROW(EXACT)                              \
    ROW(PROFILE)                            \
    ROW(TITLE)                              \
    ROW(DESCRIPTION) /* title.c */          \
    ROW(TF) /* six_words.c */               \
    ROW(TFIDF) /* six_words.c */            \
    ROW(TFRIDF) /* six_words.c */           \
    ROW(LONG_SENTENCE)                      \
    ROW(HEAVY_SENTENCE)                     \
    ROW(MEGASHINGLES) /* supershingles.c */ \
    ROW(LEXRAND)                            \
    ROW(IMATCH)                             \
    ROW(LOG_SHINGLES)                       \
    ROW(DESCRIPTIVE_WORDS)                  \
    ROW(OPT_FREQ) /* six_words.c */         \
    ROW(DECOMPOSITION)                      \
    ROW(THREE_PLUS_FIVE)                    \
    ROW(SIMHASH)                            \
    ROW(SIMHASH32) /* simhash.c */          \
    ROW(MINHASH)                            \
    ROW(SHINGLES)                           \
    ROW(SUPERSHINGLES)                      \
    ROW(WORD_LISTS)                         \
    ROW(CHUNKS)                             \
    ROW(BLOOM)                              \
    ROW(CONTENT_LINKS)                      \
    ROW(ALIGNMENT)                          \
    ROW(REPEATED)                           \
    ROW(NAME)
/* clang-format on */

#define TWX_DETECTOR_DECLARE(name) extern const twx_detector TWX_DETECTOR_##name;
TWX_DETECTORS(TWX_DETECTOR_DECLARE)

#endif
