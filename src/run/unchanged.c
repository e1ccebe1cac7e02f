#include "run/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "judge/judge.h"
#include "sign/sign.h"
#include "store/store.h"

/* ==== ledger */

json_t *twx_ledger_settings(const twx_settings *s, const twx_judge_options *o) {
    json_t *scopes = json_object();
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        static const char *const NAMES[] = {"store", "domain", "host"};
        if (o->detectors[i])
            json_object_set_new(scopes, twx_relation_at(i)->name, json_string(NAMES[o->scope[i]]));
    }
    json_t *pins = json_null();
    if (o->pins) {
        char fingerprint[24];
        snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, twx_pins_fingerprint(o->pins));
        pins = json_pack("{s:o, s:s}", "file", twx_json_slice(twx_slice_of(twx_pins_path(o->pins))),
                         "fingerprint", fingerprint);
    }
    static const char *const WWW[] = {"no", "yes", "auto"};
    const uint32_t *profile = s->methods.of[TWX_DETECTOR_PROFILE.id];
    json_t *near = json_pack("{s:s, s:i, s:i, s:i}", "detector", s->near_detector, "min_words",
                             (int)s->near_min_words, "candidates", (int)s->near_candidates, "join",
                             (int)s->near_join);
    json_t *copy = json_pack("{s:s, s:i, s:i, s:i, s:o}", "versions",
                             s->copy_versions == TWX_VERSIONS_NEWEST ? "newest" : "separate",
                             "margin_ppm", (int)s->copy_margin_ppm, "common_ppm",
                             (int)s->copy_common_ppm, "site_ppm", (int)s->copy_site_ppm, "ignore",
                             twx_json_text(s->copy_ignore ? s->copy_ignore : ""));
    return json_pack("{s:s, s:o, s:s, s:b, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:o}",
                     "verdict.relations", s->verdict_relations, "verdict.pins", pins,
                     "verdict.order", s->verdict_order, "preferhttps", s->prefer_https,
                     "preferwwwprefix", WWW[s->prefer_www], "fuzzy.min_token_len",
                     (int)profile[TWX_PROFILE_MIN_TOKEN_LEN], "fuzzy.quant_rate_ppm",
                     (int)profile[TWX_PROFILE_QUANT_RATE], "url.steps", (int)s->url_steps,
                     "canonical.collapse_min", (int)s->canonical_collapse_min, "near", near, "copy",
                     copy, "scope", scopes);
}

/* ==== unchanged */

uint64_t twx_judged_fingerprint(const twx_members *members) {
    uint64_t f = twx_mix64(twx_hash64(twx_slice_of(TWINDEX_VERSION), 0), TWX_JUDGE_VERSION);
    for (size_t i = 0; i < members->at.n; i++) {
        const twx_member *m = members->at.at[i];
        if (m->shard.p) f = twx_mix64(f, twx_hash64(m->shard, 0));
        f = twx_mix64(f, m->sign.fingerprint);
    }
    return twx_mix64(f, twx_settings_fingerprint(members->job->settings));
}

bool twx_is_one_result(const twx_members *members) {
    const size_t n = members->at.n;
    int64_t run = 0;
    for (size_t i = 0; i < n; i++) {
        const twx_member *m = members->at.at[i];
        if (!m->state.generation) return false;
        const int64_t of = m->place.run[m->state.generation == 'b'];
        if (n > 1 && (of == 0 || (i > 0 && of != run))) return false;
        run = of;
    }
    return true;
}

/* ret_counts: of the ledger; none: they, or the fingerprint, are not known. */
static twx_rc read_judged(twx_generations *g, uint64_t *ret_stored, twx_buf *ret_counts) {
    twx_buf_clear(ret_counts);
    const twx_rc rc = twx_state_judged(g, ret_stored, ret_counts);
    if (rc == TWX_DONE) twx_buf_clear(ret_counts);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_is_judged(const twx_members *members, const twx_judge_plan *plan, uint64_t fingerprint,
                     bool *ret_judged, twx_summary *ret_summary) {
    twx_ctx *cx = members->job->cx;
    bool judged = !plan->pins && twx_is_one_result(members);
    twx_rc rc = TWX_OK;
    twx_buf counts;
    twx_buf_init(&counts, SIZE_MAX - 1);
    for (size_t i = 0; rc == TWX_OK && judged && i < members->at.n; i++) {
        uint64_t stored = 0;
        rc = read_judged(members->at.at[i]->o.generations, &stored, &counts);
        if (rc == TWX_OK) rc = twx_summary_unpack(cx, twx_buf_slice(&counts), ret_summary, &judged);
        judged = judged && stored == fingerprint;
    }
    twx_buf_done(&counts);
    *ret_judged = rc == TWX_OK && judged;
    return rc;
}

static twx_rc keep(const twx_member *m, uint64_t fingerprint, twx_slice counts) {
    uint64_t stored = 0;
    twx_buf published;
    twx_buf_init(&published, SIZE_MAX - 1);
    twx_rc rc = twx_turn_begin(m->o.writer);
    if (rc == TWX_OK) rc = read_judged(m->o.generations, &stored, &published);
    if (rc == TWX_OK && counts.n && twx_slice_eq(twx_buf_slice(&published), counts))
        rc = twx_state_set_judged(m->o.generations, &fingerprint);
    twx_buf_done(&published);
    return twx_turn_end(m->o.writer, rc, false);
}

twx_rc twx_keep_judged(const twx_members *members, uint64_t fingerprint,
                       const twx_summary *summary) {
    twx_buf counts;
    twx_buf_init(&counts, TWX_COUNTS_BYTES);
    twx_rc rc = twx_summary_pack(members->job->cx, summary, &counts);
    for (size_t i = 0; rc == TWX_OK && i < members->at.n; i++)
        rc = keep(members->at.at[i], fingerprint, twx_buf_slice(&counts));
    twx_buf_done(&counts);
    return rc;
}
