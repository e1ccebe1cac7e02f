#include "group/sketches.h"

#include <string.h>
#include <unistd.h>

#include "group/temporary_file.h"

void twx_sketches_done(twx_sketches *s) {
    if (!s) return;
    for (size_t i = 0; i < s->blocks.n; i++) twx_free(s->blocks.at[i]);
    TWX_VEC_DONE(&s->blocks);
    TWX_VEC_DONE(&s->kind);
    if (s->written) close(s->fd);
    s->written = 0;
    s->n = 0;
}

static off_t place_of(size_t block) {
    return (off_t)(block * sizeof(twx_sketch_block));
}

/* Writes the blocks, all of them full, except that the last one's memory is kept for the next. */
static twx_rc write_blocks(twx_ctx *cx, twx_sketches *s) {
    twx_rc rc = s->written ? TWX_OK : twx_temporary_file_open(cx, NULL, &s->fd);
    const bool opened = rc == TWX_OK && !s->written;
    for (size_t i = 0; rc == TWX_OK && i < s->blocks.n; i++)
        rc = twx_temporary_file_write(cx, s->fd, s->blocks.at[i], sizeof(twx_sketch_block),
                                      place_of(s->written + i));
    if (rc != TWX_OK) {
        if (opened) close(s->fd);
        return rc;
    }
    s->written += s->blocks.n;
    while (s->blocks.n > 1) twx_free(s->blocks.at[--s->blocks.n]);
    return TWX_OK;
}

static twx_rc begin_block(twx_ctx *cx, twx_sketches *s) {
    const size_t fit = s->written ? 1 : s->limit / sizeof(twx_sketch_block);
    if (s->blocks.n && s->blocks.n >= fit) return write_blocks(cx, s);
    twx_sketch_block *fresh = twx_calloc(cx, 1, sizeof *fresh);
    if (fresh && TWX_VEC_PUSH(cx, &s->blocks, fresh)) return TWX_OK;
    twx_free(fresh);
    return TWX_E_NOMEM;
}

void twx_sketches_set(twx_sketches *s, size_t text, const unsigned char *sketch, bool is_short) {
    const size_t row = text % TWX_SKETCH_ROWS;
    twx_sketch_block *block = s->blocks.at[text / TWX_SKETCH_ROWS - s->written];
    s->kind.at[text] = !sketch ? TWX_SKETCH_NONE : is_short ? TWX_SKETCH_SHORT : TWX_SKETCH_LONG;
    for (size_t i = 0; i < TWX_SKETCH_BYTES; i++) block->column[i][row] = sketch ? sketch[i] : 0;
}

twx_rc twx_sketches_add(twx_ctx *cx, twx_sketches *s, const unsigned char *sketch, bool is_short) {
    const twx_rc rc = s->n % TWX_SKETCH_ROWS == 0 ? begin_block(cx, s) : TWX_OK;
    if (rc != TWX_OK) return rc;
    if (!TWX_VEC_PUSH(cx, &s->kind, TWX_SKETCH_NONE)) return TWX_E_NOMEM;
    twx_sketches_set(s, s->n++, sketch, is_short);
    return TWX_OK;
}

twx_rc twx_sketches_reserve(twx_ctx *cx, twx_sketches *s, size_t n) {
    if (n > s->limit / sizeof(twx_sketch_block) * TWX_SKETCH_ROWS) return TWX_DONE;
    if (!TWX_VEC_RESERVE(cx, &s->kind, n)) return TWX_E_NOMEM;
    for (size_t k = 0; k < n; k += TWX_SKETCH_ROWS) {
        const twx_rc rc = begin_block(cx, s);
        if (rc != TWX_OK) return rc;
    }
    if (n) memset(s->kind.at, TWX_SKETCH_NONE, n);
    s->kind.n = s->n = n;
    return TWX_OK;
}

twx_rc twx_sketches_get(twx_ctx *cx, const twx_sketches *s, size_t block, const twx_band *band,
                        twx_sketch_columns *ret_columns) {
    twx_sketch_columns *c = ret_columns;
    for (size_t b = 0; b < band->bytes; b++) {
        const size_t place = band->at[b];
        c->at[b] = c->room[b];
        if (block >= s->written) {
            c->at[b] = s->blocks.at[block - s->written]->column[place];
            continue;
        }
        const int error = twx_temporary_file_read(
            s->fd, c->room[b], TWX_SKETCH_ROWS, place_of(block) + (off_t)(place * TWX_SKETCH_ROWS));
        if (error) return twx_temporary_file_failed(cx, error);
    }
    return TWX_OK;
}
