/* learn/replay.h: what prediction would have saved, and lost, had the crawl been made with it: the
 * documents in order of fetched_at, then number; the first part is learned from, the rest is
 * predicted.
 *
 * In the rest, a URL whose probability reaches the threshold is skipped (unless exploration lets it
 * through); the others are fetched and count as seen. A skipped URL is a download saved. A unique
 * page is lost when a URL is skipped whose content class nothing that was fetched before has had;
 * each class is lost once, also when it is fetched later. Each threshold is a replay of its own,
 * because what is skipped is not seen. Nothing is written. */
#ifndef TWX_LEARN_REPLAY_H
#define TWX_LEARN_REPLAY_H

#include "learn/learn_documents.h"
#include "report/out.h"

TWX_CHECK twx_rc twx_replay(const twx_job *job, twx_opened *o, const twx_page_urls *urls,
                            const twindex_predict_options *options, const twx_out *out);

#endif
