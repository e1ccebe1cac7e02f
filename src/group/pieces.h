/* group/pieces.h: many short byte strings, numbered in the order in which they are added. Up to a
 * limit they are in memory; beyond it they are in a temporary file, from which each is read when it
 * is wanted.
 * [R1] A piece is got as it was added, whatever the limit.
 * [R2] A piece that cannot be read is empty, and twx_pieces_error() returns the error: callers that
 * only compare pieces need not handle it one by one.
 * Memory: embedded struct; 2.2 bytes a piece, and `limit` bytes for the pieces themselves; those
 * longer than TWX_PIECE_MAX bytes are always in memory. */
#ifndef TWX_GROUP_PIECES_H
#define TWX_GROUP_PIECES_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/vec.h"

enum { TWX_PIECE_MAX = 1023 };

typedef struct twx_long_piece {
    uint64_t number, end; /* in long_bytes */
} twx_long_piece;

typedef struct twx_pieces {
    size_t limit;
    size_t n;
    TWX_VEC(uint64_t) starts; /* of every 64th piece */
    TWX_VEC(uint16_t) ends;   /* of each piece, from the last of `starts` on */
    twx_buf bytes;            /* of the pieces, from byte `written` on */
    uint64_t written;         /* bytes in the file */
    int fd;                   /* -1: there is no file */
    TWX_VEC(twx_long_piece) longs;
    twx_buf long_bytes;
    atomic_int *error; /* errno of a read that failed; 0: none */
} twx_pieces;

/* limit: bytes. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_pieces_init(twx_ctx *cx, twx_pieces *p, size_t limit);
/* A struct of zeros is fine, too. */
void twx_pieces_done(twx_pieces *p);
/* Adds the next piece. Errors TWX_E_NOMEM, TWX_E_CREATE, TWX_E_FULL, TWX_E_IO; after an error no
 * more pieces may be added. */
TWX_CHECK twx_rc twx_pieces_add(twx_ctx *cx, twx_pieces *p, twx_slice piece);
/* The bytes of piece i, none if there is no such piece: in p, or in room of TWX_PIECE_MAX bytes.
 * Borrowed until either changes. Any thread may call it while no piece is added. */
twx_slice twx_pieces_get(const twx_pieces *p, size_t i, char *room);
/* Its length. */
size_t twx_pieces_length(const twx_pieces *p, size_t i);
/* Errors TWX_E_IO: a piece could not be read. */
TWX_CHECK twx_rc twx_pieces_error(twx_ctx *cx, const twx_pieces *p);

#endif
