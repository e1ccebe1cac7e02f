/* inspect/add_pin.h: a line for the file of pins (judge/pins.h) about documents of the store. */
#ifndef TWX_INSPECT_ADD_PIN_H
#define TWX_INSPECT_ADD_PIN_H

#include "run/job.h"
#include "run/out.h"

/* Writes {"line": ..., "added": ...}: the line with the normal URLs of the documents, and what has
 * to be appended to pin->text so that the line is in it; "" if it is there already. The text itself
 * is not written: its comments may be in any encoding, and JSON is UTF-8.
 * Errors TWX_E_USAGE: no such kind, or a document too few or too many; TWX_E_NOTFOUND;
 * TWX_E_DATA: a document without a usable URL; TWX_E_CONFIG: the text as it is has an error. */
TWX_CHECK twx_rc twx_add_pin(const twx_job *job, const twindex_pin *pin, const twx_out *out);

#endif
