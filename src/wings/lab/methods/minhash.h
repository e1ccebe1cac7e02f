/* lab/methods/minhash.h: the sketch of minhash (sign/minhash_sketch.h) of a text. */
#ifndef TWX_LAB_METHODS_MINHASH_H
#define TWX_LAB_METHODS_MINHASH_H

#include "lab/methods/boilerplate.h"
#include "sign/minhash_sketch.h"

/* Sketch of a text without the shingles of the boilerplate (NULL: with all), unless no others
 * exist. TWX_DONE: no words, no sketch. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_minhash_text(twx_ctx *cx, twx_arena *scratch,
                                  const twx_boilerplate *boilerplate, twx_slice text,
                                  unsigned char ret_sketch[TWX_MINHASH_BYTES]);

#endif
