/* base/flag_row.h: the flags of one document as judge/ computes them and store/ stores them: a row
 * of integers that may be NULL, the first part of base/flag_table.h. *_rep and duplicate_of hold
 * doc numbers. */
#ifndef TWX_BASE_FLAG_ROW_H
#define TWX_BASE_FLAG_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/flag_table.h"

typedef enum twx_flag_column {
#define TWX_FLAG_ENUM(name) TWX_FLAG_##name,
    TWX_FLAG_TABLE(TWX_FLAG_ENUM)
#undef TWX_FLAG_ENUM
        TWX_FLAG_COLUMNS
} twx_flag_column;

typedef struct twx_flag_row {
    int64_t doc;
    uint64_t known;              /* bit c set: column c is not NULL */
    int64_t v[TWX_FLAG_COLUMNS]; /* 0 where NULL, so that rows can be compared as bytes */
} twx_flag_row;

_Static_assert(TWX_FLAG_COLUMNS <= 64, "twx_flag_row.known has 64 bits");

static inline bool twx_flag_known(const twx_flag_row *row, twx_flag_column c) {
    return (row->known >> c & 1u) != 0;
}

static inline void twx_flag_set(twx_flag_row *row, twx_flag_column c, int64_t v) {
    row->v[c] = v;
    row->known |= UINT64_C(1) << c;
}

/* What is stored of a column. Most clusters of copies are those of near-duplicates: then 0, which
 * takes no bytes, is stored as copy_sig. No cluster has the number 0, a hash, but by chance, and it
 * is then shown as that of near-duplicates. */
static inline int64_t twx_flag_stored(const twx_flag_row *row, twx_flag_column c) {
    const bool is_near = c == TWX_FLAG_copy_sig && twx_flag_known(row, TWX_FLAG_near_sig) &&
                         row->v[c] == row->v[TWX_FLAG_near_sig];
    return is_near ? 0 : row->v[c];
}

/* A row of stored values becomes the row that was stored. */
static inline void twx_flag_row_was_stored(twx_flag_row *row) {
    const bool is_near = twx_flag_known(row, TWX_FLAG_copy_sig) &&
                         twx_flag_known(row, TWX_FLAG_near_sig) && !row->v[TWX_FLAG_copy_sig];
    if (is_near) row->v[TWX_FLAG_copy_sig] = row->v[TWX_FLAG_near_sig];
}

/* Do the rows have the same document and the same flags? */
static inline bool twx_flag_row_eq(const twx_flag_row *a, const twx_flag_row *b) {
    if (a->doc != b->doc || a->known != b->known) return false;
    for (int c = 0; c < TWX_FLAG_COLUMNS; c++)
        if (a->v[c] != b->v[c]) return false;
    return true;
}

#endif
