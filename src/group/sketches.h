/* group/sketches.h: the sketches of many texts by columns: byte i of 4096 texts, then byte i + 1 of
 * the same texts. A search for equal bands reads a few columns of all texts.
 * Memory: embedded struct; 129 bytes a text. */
#ifndef TWX_GROUP_SKETCHES_H
#define TWX_GROUP_SKETCHES_H

#include "base/ctx.h"
#include "base/vec.h"
#include "group/bands.h"

enum { TWX_SKETCH_ROWS = 4096 };

typedef enum twx_sketch_kind { TWX_SKETCH_NONE, TWX_SKETCH_LONG, TWX_SKETCH_SHORT } twx_sketch_kind;

typedef struct twx_sketch_block {
    unsigned char column[TWX_SKETCH_BYTES][TWX_SKETCH_ROWS];
    uint8_t kind[TWX_SKETCH_ROWS]; /* twx_sketch_kind */
} twx_sketch_block;

typedef struct twx_sketches {
    TWX_VEC(twx_sketch_block *) blocks;
    size_t n;
} twx_sketches;

void twx_sketches_done(twx_sketches *s);
/* Adds a copy of the sketch of the next text; NULL: it has none. Errors TWX_E_NOMEM; s is
 * unchanged. */
TWX_CHECK twx_rc twx_sketches_add(twx_ctx *cx, twx_sketches *s, const unsigned char *sketch,
                                  bool is_short);

static inline unsigned char twx_sketches_byte(const twx_sketches *s, uint32_t text, size_t place) {
    return s->blocks.at[text / TWX_SKETCH_ROWS]->column[place][text % TWX_SKETCH_ROWS];
}

#endif
