#include "run/judge_plan.h"

#include <string.h>

#include "run/host_settings.h"
#include "run/pins_file.h"
#include "sign/method_settings.h"
#include "text/tokens.h"

/* Reads copy.ignore, whose words are normalized like those of titles. */
static twx_rc read_ignored(twx_ctx *cx, const char *list, twx_judge_plan *plan) {
    twx_tokens tokens;
    twx_token token;
    twx_rc rc = TWX_OK;
    twx_tokens_init(&tokens);
    twx_tokens_start(&tokens, twx_slice_of(list));
    while ((rc = twx_tokens_next(cx, &tokens, &token)) == TWX_OK) {
        if (plan->n_ignored == TWX_COPY_IGNORED_MAX) {
            rc = twx_fail(cx, TWX_E_CONFIG, "copy.ignore: more than %d words",
                          TWX_COPY_IGNORED_MAX);
            break;
        }
        plan->ignored[plan->n_ignored++] = twx_name_word(token.text);
    }
    twx_tokens_done(&tokens);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_judge_options options_of(const twx_settings *s, const twx_sign_plan *sign) {
    twx_judge_options o = {.name = sign->name,
                           .params = &sign->params,
                           .scope = {[TWX_RELATION_EXACT] = s->exact_scope,
                                     [TWX_RELATION_FUZZY] = s->fuzzy_scope,
                                     [TWX_RELATION_TITLE] = s->title_scope,
                                     [TWX_RELATION_DESCRIPTION] = s->description_scope,
                                     [TWX_RELATION_NEAR] = s->near_scope,
                                     [TWX_RELATION_COPY] = s->near_scope},
                           .hosts = s->hosts,
                           .join = s->near_join,
                           .candidates = s->near_candidates,
                           .threads = twx_job_threads(s),
                           .names = {.versions = s->copy_versions,
                                     .common_ppm = s->copy_common_ppm,
                                     .site_ppm = s->copy_site_ppm},
                           .collapse_min = s->canonical_collapse_min};
    memcpy(o.detectors, sign->detectors, sizeof o.detectors);
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        if (o.detectors[r] && o.detectors[r]->translations_separate) o.separate |= 1u << r;
    return o;
}

/* The parameters with the lowest threshold of any host: pairs that reach it are compared, and
 * judge/near.h rejects those that their hosts reject. */
static void set_thresholds(const twx_settings *s, const twx_params *params,
                           const twx_detector *near, twx_judge_plan *plan) {
    uint32_t lowest = UINT32_MAX;
    plan->lowest = *params;
    plan->options.thresholds = NULL;
    if (twx_host_thresholds(s, near, plan->thresholds)) {
        for (size_t i = 0; i < TWX_COUNTOF(plan->thresholds); i++)
            if (plan->thresholds[i] < lowest) lowest = plan->thresholds[i];
        twx_params_set_threshold(&plan->lowest, near, lowest);
        plan->options.thresholds = plan->thresholds;
        plan->options.params = &plan->lowest;
    }
    if (!near || !s->copy_margin_ppm) return;
    plan->named = twx_params_with_margin(plan->options.params, near, s->copy_margin_ppm);
    plan->options.named = &plan->named;
    plan->options.margin = s->copy_margin_ppm;
}

twx_rc twx_judge_plan_make(const twx_job *job, const twx_sign_plan *sign,
                           twx_judge_plan *ret_plan) {
    const twx_settings *s = job->settings;
    twx_judge_plan plan = {.options = options_of(s, sign),
                           .guard = {.max_hidden_ppm = s->guard_max_hidden_ppm,
                                     .max_lost_ppm = s->guard_max_lost_ppm,
                                     .min_documents = s->guard_min_documents,
                                     .max_group = s->guard_max_group}};
    const twx_detector *near = sign->detectors[TWX_RELATION_NEAR];
    twx_rc rc = twx_relations_parse(job->cx, twx_slice_of(s->verdict_relations),
                                    &plan.options.relations);
    if (!near || !near->verify) { /* pairs that are not verified hide nothing */
        plan.options.relations &= ~(1u << TWX_RELATION_NEAR);
        if (s->copy_proof == TWX_PROOF_NAMES) plan.options.relations &= ~(1u << TWX_RELATION_COPY);
    }
    if (rc == TWX_OK) rc = twx_preference_of(job->cx, s, &plan.options.preference);
    if (rc == TWX_OK) rc = read_ignored(job->cx, s->copy_ignore, &plan);
    if (rc == TWX_OK) rc = twx_pins_load(job, &sign->params.url, &plan.pins);
    if (rc != TWX_OK) return rc;
    *ret_plan = plan;
    set_thresholds(s, &sign->params, near, ret_plan);
    ret_plan->options.pins = plan.pins;
    ret_plan->options.names.ignored = ret_plan->ignored;
    ret_plan->options.names.n_ignored = plan.n_ignored;
    return TWX_OK;
}

void twx_judge_plan_done(twx_judge_plan *plan) {
    twx_pins_close(plan->pins);
    plan->pins = NULL;
}
