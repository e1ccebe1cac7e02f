/* report/replay_table.h: what prediction would have saved and lost, for each threshold. */
#ifndef TWX_REPORT_REPLAY_TABLE_H
#define TWX_REPORT_REPLAY_TABLE_H

#include "report/out.h"

enum { TWX_REPLAY_ROWS = 9 };

/* The result of one replay. */
typedef struct twx_replay_row {
    double threshold;
    uint64_t saved, wrong /* saved, but not a duplicate of a fetched document */, lost;
} twx_replay_row;

typedef struct twx_replay_table {
    size_t learned_from, predicted; /* documents */
    uint64_t unique, unique_rest; /* content classes: of all documents, of those only in the rest */
    double exploration;
    bool by_near;
    twx_replay_row rows[TWX_REPLAY_ROWS];
} twx_replay_table;

TWX_CHECK twx_rc twx_replay_table_write(const twx_out *out, const twx_replay_table *t);

#endif
