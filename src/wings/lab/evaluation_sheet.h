/* lab/evaluation_sheet.h: an evaluation as tables of text or HTML, or as JSON. */
#ifndef TWX_LAB_EVALUATION_SHEET_H
#define TWX_LAB_EVALUATION_SHEET_H

#include "lab/evaluation.h"

/* The first writes text or JSON, as the sink requires; the second a self-contained HTML page. */
TWX_CHECK twx_rc twx_evaluation_write(const twx_out *out, const twx_evaluation *e);
TWX_CHECK twx_rc twx_evaluation_write_html(const twx_out *out, const twx_evaluation *e);

#endif
