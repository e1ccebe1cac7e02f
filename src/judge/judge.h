/* judge/judge.h: turns groups into flags: the whole judgement of a run in memory, and the flag row
 * of each document.
 * [R1] It depends on the documents and the parameters alone.
 * [R2] A group has one representative, a cluster has one survivor, and the survivor passes every
 * filter on the joined relations.
 * [R3] Documents that do not take part have no judgement except `duplicate_of`, when their link
 * leads to a survivor.
 * Memory: owned struct; twx_judgement_done(). */
#ifndef TWX_JUDGE_JUDGE_H
#define TWX_JUDGE_JUDGE_H

#include "judge/judgement.h"

/* Bumped by every change of what is computed from the same signatures and settings: the next run
 * then judges again even if no document has changed. */
enum { TWX_JUDGE_VERSION = 4 };

/* The bits of a blank-separated list of relations. Errors TWX_E_CONFIG, naming the word. */
TWX_CHECK twx_rc twx_relations_parse(twx_ctx *cx, twx_slice list, uint32_t *ret_relations);
/* The criteria of a blank-separated list, after those that precede every list (order.h). Errors
 * TWX_E_CONFIG. */
TWX_CHECK twx_rc twx_criteria_parse(twx_ctx *cx, twx_slice list,
                                    twx_criterion ret_criteria[TWX_CRITERIA]);

/* Judges the documents that were added. */
TWX_CHECK twx_rc twx_judge(twx_ctx *cx, twx_judgement *j, const twx_judge_options *options);
/* The flags of document i (by index). */
void twx_judged_row(const twx_judgement *j, const twx_judge_options *options, uint32_t i,
                    twx_flag_row *ret_row);
/* Is document i hidden by the verdict: is another document the survivor of its cluster? */
bool twx_is_hidden(const twx_judgement *j, uint32_t i);

#endif
