/* predict/replay.h: how much a crawl would have saved, and at what loss: the replay and its table.
 * */
#ifndef TWX_PREDICT_REPLAY_H
#define TWX_PREDICT_REPLAY_H

#include "predict/learn_urls.h"
#include "run/out.h"

/* What prediction would have saved and lost, for each threshold. */
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

/* Replays the crawl to measure how many downloads prediction would have saved,
 * and how many pages it would have lost.
 *
 * The documents are ordered by fetched_at, then number; the first part is learned from, the rest
 * is predicted. After each twentieth of the documents, what was fetched so far is learned from
 * again, as runs during a crawl do. In the rest, a URL whose probability reaches the threshold is
 * skipped (unless exploration selects it); the others are fetched and count as seen. A skipped URL
 * is a saved download; it is wrong when no document fetched before was its copy. A page is lost
 * when a URL was skipped and no document that was fetched, before or after, is its copy. Documents
 * without a class (predict/learn_urls.h) are neither copies nor lost.
 * Since what was fetched first and what is fetched later are often the same pages, this does not
 * show what happens to pages that are new. So there is a second replay: of a half of all *pages*,
 * chosen by a hash, every document is learned from, once, and those of the other half are
 * predicted.
 * Each threshold is a separate replay, because skipped URLs are not seen. Nothing is written. */
TWX_CHECK twx_rc twx_replay(const twx_job *job, twx_opened *o, const twx_learn_normalizer *urls,
                            const twindex_predict_options *options, const twx_out *out);

#endif
