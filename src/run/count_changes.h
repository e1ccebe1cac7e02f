/* run/count_changes.h: counts what a judgement would change in the published results, for the
 * summary. */
#ifndef TWX_RUN_COUNT_CHANGES_H
#define TWX_RUN_COUNT_CHANGES_H

#include "run/members.h"

/* Fills in changed, changed_flags, hosts and changes of the summary, and `changed` of each
 * member. */
TWX_CHECK twx_rc twx_count_changes(twx_members *members, const twx_judgement *j,
                                   const twx_judge_options *how, twx_summary *ret_summary);

#endif
