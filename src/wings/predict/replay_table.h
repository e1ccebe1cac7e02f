/* predict/replay_table.h: what prediction would have saved and lost, for each threshold. */
#ifndef TWX_PREDICT_REPLAY_TABLE_H
#define TWX_PREDICT_REPLAY_TABLE_H

#include "run/out.h"

enum { TWX_REPLAY_ROWS = 9 };

/* The result of one replay. */
typedef struct twx_replay_row {
    double threshold;
    uint64_t saved, copies /* saved, and a copy of a fetched document */;
    uint64_t wrong /* saved, but not a copy of a document fetched before */, lost;
} twx_replay_row;

/* What one model was learned from, and what it was asked for. */
typedef struct twx_replay_part {
    size_t learned_from, predicted; /* documents */
    uint64_t unique, unique_rest;   /* pages: of all documents, of those only among the predicted */
    uint64_t copies;                /* among the predicted: copies of earlier documents */
    twx_replay_row rows[TWX_REPLAY_ROWS];
} twx_replay_part;

typedef struct twx_replay_table {
    double exploration;
    twx_replay_part by_time, by_page;
} twx_replay_table;

TWX_CHECK twx_rc twx_replay_table_write(const twx_out *out, const twx_replay_table *t);

#endif
