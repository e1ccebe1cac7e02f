#include "group/sketches.h"

void twx_sketches_done(twx_sketches *s) {
    if (!s) return;
    for (size_t i = 0; i < s->blocks.n; i++) twx_free(s->blocks.at[i]);
    TWX_VEC_DONE(&s->blocks);
    s->n = 0;
}

twx_rc twx_sketches_add(twx_ctx *cx, twx_sketches *s, const unsigned char *sketch, bool is_short) {
    const size_t row = s->n % TWX_SKETCH_ROWS;
    if (row == 0) {
        twx_sketch_block *fresh = twx_calloc(cx, 1, sizeof *fresh);
        if (!fresh) return TWX_E_NOMEM;
        if (!TWX_VEC_PUSH(cx, &s->blocks, fresh)) {
            twx_free(fresh);
            return TWX_E_NOMEM;
        }
    }
    twx_sketch_block *block = s->blocks.at[s->blocks.n - 1];
    block->kind[row] = !sketch ? TWX_SKETCH_NONE : is_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
    for (size_t i = 0; i < TWX_SKETCH_BYTES; i++) block->column[i][row] = sketch ? sketch[i] : 0;
    s->n++;
    return TWX_OK;
}
