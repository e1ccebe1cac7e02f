/* predict/learner.h: learns a model from URLs and the content classes of their documents, in one
 * linear pass over sorted keys.
 *
 * Every URL gives its variants (hypotheses.h); sorting brings equal group keys together, the
 * counterpart among them. The k URLs of a group give k - 1 trials, each URL with the next one in
 * the order of the URLs' hashes; a trial is a duplicate when both are of one content class. So a
 * URL is compared with one counterpart, in effect a random one, as a crawler would encounter it: a
 * group of ten thousand weighs as much as ten thousand groups of two, not as fifty million pairs,
 * and the expected share of duplicates is that of all pairs.
 * What many pairs of one page, one path or one value say of others is little, so duplicates of each
 * of them are limited (twx_hypothesis.each); pairs that are no duplicates all count.
 * Of a path (1), a pair of duplicates counts when the second URL has a parameter that none before
 * had, because the hypothesis is about any parameter.
 * Hypotheses about an added part compare a URL that has it with the URL that does not: one trial
 * for each such pair. Pairs (8): neighbours that differ in one of the two parameters only are not a
 * trial, because that is hypothesis 2. Origins (10): each of the URLs of one path and query at
 * different origins is compared with up to TWX_ORIGINS_PAIRED that follow.
 *
 * At last the rules that would follow are applied to all URLs (rule_check.h).
 *
 * [R1] The model is a function of the set of (URL, class): neither the order of adding nor the
 * number of sessions affects it. A URL that is added again with another class counts with the
 * smaller class.
 * [R2] The memory limit covers URLs and sort buffers. When it is reached, half of the paths are
 * dropped, by a hash of the path without its origin, and so on; paths are kept or dropped as a
 * whole, so that counterparts stay together.
 * [R3] URLs longer than TWX_LEARN_URL_MAX are left out.
 * Memory: owned handle. */
#ifndef TWX_PREDICT_LEARNER_H
#define TWX_PREDICT_LEARNER_H

#include "predict/model.h"

enum { TWX_LEARN_URL_MAX = 8 << 10, TWX_ORIGINS_PAIRED = 8 };

typedef struct twx_learner twx_learner;

/* folder: of temporary files, borrowed; NULL: $TMPDIR or /tmp. */
TWX_CHECK twx_rc twx_learner_open(twx_ctx *cx, size_t bytes, const char *folder,
                                  twx_learner **ret_learner);
void twx_learner_close(twx_learner *l);
/* url: in normal form; borrowed for the call. content: equal for duplicates. */
TWX_CHECK twx_rc twx_learner_add(twx_learner *l, twx_slice url, uint64_t content);
/* One of this many paths is learned from [R2]. */
uint64_t twx_learner_share(const twx_learner *l);
uint64_t twx_learner_urls(const twx_learner *l); /* distinct ones; valid after making */
/* Ends adding. ret_model: initialised, empty; gets contexts and seen keys. */
TWX_CHECK twx_rc twx_learner_make(twx_learner *l, twx_model *ret_model);

#endif
