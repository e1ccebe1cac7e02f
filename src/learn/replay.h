/* learn/replay.h: replays the crawl to measure how many downloads prediction would have saved, and
 * how many pages it would have lost: the documents are ordered by fetched_at, then number; the
 * first part is learned from, the rest is predicted.
 *
 * In the rest, a URL whose probability reaches the threshold is skipped (unless exploration selects
 * it); the others are fetched and count as seen. A skipped URL is a saved download. A unique page
 * is lost when a URL is skipped whose content class no fetched document had before; each class is
 * lost at most once, even if it is fetched later. Each threshold is a separate replay, because
 * skipped URLs are not seen. Nothing is written. */
#ifndef TWX_LEARN_REPLAY_H
#define TWX_LEARN_REPLAY_H

#include "learn/learn_documents.h"
#include "report/replay_table.h"

TWX_CHECK twx_rc twx_replay(const twx_job *job, twx_opened *o, const twx_learn_normalizer *urls,
                            const twindex_predict_options *options, const twx_out *out);

#endif
