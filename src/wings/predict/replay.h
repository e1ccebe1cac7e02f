/* predict/replay.h: replays the crawl to measure how many downloads prediction would have saved,
 * and how many pages it would have lost.
 *
 * The documents are ordered by fetched_at, then number; the first part is learned from, the rest
 * is predicted. After each twentieth of the documents, what was fetched so far is learned from
 * again, as runs during a crawl do. In the rest, a URL whose probability reaches the threshold is
 * skipped (unless exploration selects it); the others are fetched and count as seen. A skipped URL
 * is a saved download; it is wrong when no document fetched before was its copy. A page is lost
 * when a URL was skipped and no document that was fetched, before or after, is its copy. Documents
 * without a class (predict/learn_documents.h) are neither copies nor lost.
 * Since what was fetched first and what is fetched later are often the same pages, this does not
 * show what happens to pages that are new. So there is a second replay: of a half of all *pages*,
 * chosen by a hash, every document is learned from, once, and those of the other half are
 * predicted.
 * Each threshold is a separate replay, because skipped URLs are not seen. Nothing is written. */
#ifndef TWX_PREDICT_REPLAY_H
#define TWX_PREDICT_REPLAY_H

#include "predict/learn_documents.h"
#include "predict/replay_table.h"

TWX_CHECK twx_rc twx_replay(const twx_job *job, twx_opened *o, const twx_learn_normalizer *urls,
                            const twindex_predict_options *options, const twx_out *out);

#endif
