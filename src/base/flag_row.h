/* base/flag_row.h: the flags of one document as judge/ computes them and store/ stores them: a row
 * of integers that may be NULL. Names and order are those of the columns of twindex_flag_a/_b after
 * doc (sql/schema/0002_twindex.sql explains each; tests/sql compares the two). *_rep and
 * duplicate_of hold doc numbers. */
#ifndef TWX_BASE_FLAG_ROW_H
#define TWX_BASE_FLAG_ROW_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define TWX_FLAG_TABLE(X)                                                                  \
    X(eligibility) X(link_state) X(link_doc) X(http_unique) X(www_unique)                  \
    X(scheme_count) X(scheme_rep) X(www_count) X(www_rep)                                  \
    X(exact_sig) X(exact_count) X(exact_rep)                                               \
    X(fuzzy_sig) X(fuzzy_count) X(fuzzy_rep)                                               \
    X(title_sig) X(title_count) X(title_rep)                                               \
    X(description_sig) X(description_count) X(description_rep)                             \
    X(near_sig) X(near_count) X(near_rep) X(near_similarity)                               \
    X(duplicate_type) X(cluster_count) X(duplicate_of)                                     \
    X(copy_sig) X(copy_count) X(copy_rep) X(sibling_count)
/* clang-format on */

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

/* Do the rows have the same document and the same flags? */
static inline bool twx_flag_row_eq(const twx_flag_row *a, const twx_flag_row *b) {
    if (a->doc != b->doc || a->known != b->known) return false;
    for (int c = 0; c < TWX_FLAG_COLUMNS; c++)
        if (a->v[c] != b->v[c]) return false;
    return true;
}

#endif
