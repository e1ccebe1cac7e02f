#include "judge/guard_rules.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/print.h"

enum { LINES_MAX = 10, SMALL_STORE = 10 /* documents */ };

/* Adds a finding; those after the tenth are only counted. */
static twx_rc TWX_PRINTF(3, 4) stop(twx_ctx *cx, twx_guard_findings *says, const char *fmt, ...) {
    char line[TWX_MESSAGE_MAX];
    va_list args;
    if (says->n_stops++ >= LINES_MAX) return TWX_OK;
    va_start(args, fmt);
    twx_vprint(line, sizeof line, fmt, args);
    va_end(args);
    return twx_buf_printf(cx, says->stops, "%s\n", line);
}

/* ---- sites --------------------------------------------------------------- */

bool twx_guard_is_over(const twx_guard *guard, uint64_t documents, uint64_t lost) {
    return documents > 0 && documents >= guard->min_documents &&
           lost * 1000000 > documents * guard->max_hidden_ppm;
}

bool twx_guard_is_mirror(const twx_guard *guard, const twx_guard_site *site) {
    return !twx_guard_is_over(guard, site->documents, site->hidden - site->elsewhere);
}

static twx_rc note_mirror(twx_ctx *cx, const twx_guard_site *site, twx_guard_findings *says) {
    if (says->n_notes++ >= LINES_MAX) return TWX_OK;
    return twx_buf_printf(cx, says->notes,
                          "host " TWX_SLICE_FMT " is a mirror: %" PRIu64 " of its %" PRIu64
                          " documents are hidden, and their texts are shown by other hosts, most "
                          "of them by " TWX_SLICE_FMT "\n",
                          TWX_SLICE_ARG(site->name), site->hidden, site->documents,
                          TWX_SLICE_ARG(site->main_site));
}

twx_rc twx_guard_site_check(twx_ctx *cx, const twx_guard *guard, const twx_guard_site *site,
                            twx_guard_findings *says) {
    if (!twx_guard_is_over(guard, site->documents, site->hidden)) return TWX_OK;
    if (twx_guard_is_mirror(guard, site)) return note_mirror(cx, site, says);
    return stop(cx, says,
                "host " TWX_SLICE_FMT " would lose %" PRIu64 " of its %" PRIu64
                " documents (guard.max_hidden)",
                TWX_SLICE_ARG(site->name), site->hidden - site->elsewhere, site->documents);
}

/* ---- losses: what took part in the published result and does no more ---- */

/* Why most of the remaining documents take no part: "; of 40, the HTTP status is not 200"; "" when
 * none remains. */
static void describe_reasons(const uint64_t out[TWX_ELIGIBILITIES], char text[200]) {
    size_t most = TWX_ELIGIBLE;
    for (size_t e = 0; e < TWX_ELIGIBILITIES; e++)
        if (e != TWX_ELIGIBLE && out[e] > out[most]) most = e;
    text[0] = '\0';
    if (most != TWX_ELIGIBLE)
        snprintf(text, 200, "; of %" PRIu64 ", %s", out[most], twx_eligibility_text(most));
}

static bool is_lost(const twx_guard *guard, uint64_t before, uint64_t now) {
    return now < before && (before - now) * 1000000 > before * guard->max_lost_ppm;
}

/* [R4] A store of few documents may change a lot from one run to the next, but should not become
 * empty. */
static twx_rc check_store(twx_ctx *cx, const twx_guard *guard, const twx_guard_loss *l,
                          twx_guard_findings *says) {
    char reasons[200];
    if (!is_lost(guard, l->before, l->now) || (l->before < SMALL_STORE && l->now > 0))
        return TWX_OK;
    describe_reasons(l->out, reasons);
    return stop(cx, says,
                "the store would lose %" PRIu64 " of the %" PRIu64
                " documents that took part%s (guard.max_lost)",
                l->before - l->now, l->before, reasons);
}

twx_rc twx_guard_loss_check(twx_ctx *cx, const twx_guard *guard, const twx_guard_loss *l,
                            twx_guard_findings *says) {
    char reasons[200];
    if (twx_slice_eq(l->name, TWX_WHOLE_STORE)) return check_store(cx, guard, l, says);
    if (l->before < guard->min_documents || !is_lost(guard, l->before, l->now)) return TWX_OK;
    describe_reasons(l->out, reasons);
    return stop(cx, says,
                "host " TWX_SLICE_FMT " would lose %" PRIu64 " of its %" PRIu64
                " documents that took part%s (guard.max_lost)",
                TWX_SLICE_ARG(l->name), l->before - l->now, l->before, reasons);
}

/* [R5] */
twx_rc twx_guard_first_check(twx_ctx *cx, const twx_guard *guard,
                             const uint64_t documents[TWX_ELIGIBILITIES],
                             twx_guard_findings *says) {
    char reasons[200];
    uint64_t all = 0;
    for (size_t e = 0; e < TWX_ELIGIBILITIES; e++) all += documents[e];
    const uint64_t out = all - documents[TWX_ELIGIBLE];
    if (all < SMALL_STORE || out * 1000000 <= all * guard->max_hidden_ppm) return TWX_OK;
    describe_reasons(documents, reasons);
    return stop(cx, says,
                "%" PRIu64 " of the %" PRIu64
                " documents would not take part%s (guard.max_hidden): check the mapping",
                out, all, reasons);
}

/* ---- groups -------------------------------------------------------------- */

twx_rc twx_guard_group_check(twx_ctx *cx, const twx_guard *guard, size_t relation, uint64_t largest,
                             twx_guard_findings *says) {
    if (largest <= guard->max_group) return TWX_OK;
    return stop(cx, says, "a group of %s has %" PRIu64 " documents (guard.max_group)",
                twx_relation_at(relation)->name, largest);
}
