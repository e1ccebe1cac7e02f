/* sign/detectors.h: the table of detectors: the rows of methods.rows and of the wings. A new method
 * is one file and one row. Several rows are in one file: SCHEME and WWW in scheme_www.c, TITLE and
 * DESCRIPTION in title.c, SIMHASH and SIMHASH32 in simhash.c. */
#ifndef TWX_SIGN_DETECTORS_H
#define TWX_SIGN_DETECTORS_H

#include "rows.h"
#include "sign/detector_row.h"

/* In order of id; NULL after the last. */
const twx_detector *twx_detector_at(size_t i);
const twx_detector *twx_detector_find(const char *name); /* NULL when unknown */
const twx_detector *twx_detector_by_id(uint8_t id);      /* NULL when unknown */
/* Fingerprint of id, version and parameters: a stored key with another fingerprint is stale. */
uint64_t twx_detector_fingerprint(const twx_detector *d, const twx_params *params);
#define TWX_DETECTOR_DECLARE(name) extern const twx_detector TWX_DETECTOR_##name;
TWX_METHOD_ROWS(TWX_DETECTOR_DECLARE)

#endif
