/* inspect/detector_list.h: the table of the detectors. */
#ifndef TWX_INSPECT_DETECTOR_LIST_H
#define TWX_INSPECT_DETECTOR_LIST_H

#include "run/out.h"
#include "sign/detector_row.h"

/* at(i): the rows; NULL after the last. */
TWX_CHECK twx_rc twx_detector_list_write(const twx_out *out, const twx_detector *(*at)(size_t i));

#endif
