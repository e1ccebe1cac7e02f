/* sign/profile.h: the text from which the text profile is computed (docs/signatures.md,
 * "profile"), for tests and for tools that show why two texts have the same profile. */
#ifndef TWX_SIGN_PROFILE_H
#define TWX_SIGN_PROFILE_H

#include "sign/workspace.h"

/* The settings of the row profile, in order. */
enum { TWX_PROFILE_MIN_TOKEN_LEN, TWX_PROFILE_QUANT_RATE, TWX_PROFILE_DIGEST };

/* The quantum: counts are rounded down to a multiple of it. It is rate (millionths) of the largest
 * count, a half rounded up, but at least 2, or 1 where no word occurs twice. Never 0. */
uint32_t twx_profile_quant(uint32_t largest_count, uint32_t rate_ppm);
/* "word count LF word count ..."; empty when no word remains.
 * Memory: borrowed from the workspace's scratch. Errors TWX_E_NOMEM, TWX_E_LIMIT (word_counts.h) */
TWX_CHECK twx_rc twx_profile_text(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                                  twx_slice text, twx_slice *ret_profile);

#endif
