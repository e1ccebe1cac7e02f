/* judge/elsewhere.h: documents that documents of other stores refer to in their flags: as
 * representatives of their groups and clusters, or as targets of their links. In the rows of the
 * other stores they have numbers of their own (twx_elsewhere), because their doc is one of another
 * store. */
#ifndef TWX_JUDGE_ELSEWHERE_H
#define TWX_JUDGE_ELSEWHERE_H

#include "judge/judgement.h"

/* Lists them in j->elsewhere, without numbers; repeated after documents were withdrawn. */
TWX_CHECK twx_rc twx_find_elsewhere(twx_ctx *cx, twx_judgement *j);
/* Marks those to which document i refers: used[0..j->elsewhere.n), by position in j->elsewhere. */
void twx_mark_elsewhere(const twx_judgement *j, uint32_t i, uint8_t *used);
/* The number of document `index`, which is in j->elsewhere. */
int64_t twx_elsewhere_number(const twx_judgement *j, uint32_t index);

#endif
