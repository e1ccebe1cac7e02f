/* group/sketches.h: the sketches of many texts by columns: byte i of 4096 texts, then byte i + 1 of
 * the same texts. A search for equal bands reads a few columns of all texts. Up to a limit the
 * columns are in memory, beyond it in a temporary file.
 * Memory: embedded struct, initialized by {.limit = bytes}; `limit` bytes, and 1 byte a text. */
#ifndef TWX_GROUP_SKETCHES_H
#define TWX_GROUP_SKETCHES_H

#include "base/ctx.h"
#include "base/vec.h"
#include "group/bands.h"

enum { TWX_SKETCH_ROWS = 4096 };

typedef enum twx_sketch_kind { TWX_SKETCH_NONE, TWX_SKETCH_LONG, TWX_SKETCH_SHORT } twx_sketch_kind;

typedef struct twx_sketch_block {
    unsigned char column[TWX_SKETCH_BYTES][TWX_SKETCH_ROWS];
} twx_sketch_block;

typedef struct twx_sketches {
    size_t limit;
    size_t n;
    TWX_VEC(uint8_t) kind;              /* twx_sketch_kind */
    TWX_VEC(twx_sketch_block *) blocks; /* those after the written ones; the last may be partial */
    size_t written;                     /* blocks in the file */
    int fd;                             /* valid if there are any */
} twx_sketches;

void twx_sketches_done(twx_sketches *s);
/* Adds a copy of the sketch of the next text; NULL: it has none. Errors TWX_E_NOMEM, TWX_E_CREATE,
 * TWX_E_FULL, TWX_E_IO; after an error no more sketches may be added. */
TWX_CHECK twx_rc twx_sketches_add(twx_ctx *cx, twx_sketches *s, const unsigned char *sketch,
                                  bool is_short);
/* Makes room for the sketches of n texts, to be set in any order, each by one thread; no sketch was
 * added before. TWX_DONE: they do not fit into memory and must be added one after the other. */
TWX_CHECK twx_rc twx_sketches_reserve(twx_ctx *cx, twx_sketches *s, size_t n);
void twx_sketches_set(twx_sketches *s, size_t text, const unsigned char *sketch, bool is_short);

/* Columns of a block, at most as many as a band has bytes. */
typedef struct twx_sketch_columns {
    const unsigned char *at[TWX_BAND_BYTES_MAX]; /* of each: in the sketches, or in room */
    unsigned char room[TWX_BAND_BYTES_MAX][TWX_SKETCH_ROWS];
} twx_sketch_columns;

/* Gets the columns of the band's bytes of the texts from block * TWX_SKETCH_ROWS on. What is beyond
 * the last text has any values. Any thread may call it while no sketch is added. Errors TWX_E_IO */
TWX_CHECK twx_rc twx_sketches_get(twx_ctx *cx, const twx_sketches *s, size_t block,
                                  const twx_band *band, twx_sketch_columns *ret_columns);

#endif
