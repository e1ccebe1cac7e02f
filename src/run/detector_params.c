#include "run/detector_params.h"

#include "sign/method_settings.h"
#include "store/signatures.h"

twx_rc twx_params_make(const twx_job *job, twx_params *ret_params, twx_url_rules **ret_rules) {
    const twx_settings *s = job->settings;
    twx_params p = twx_params_default();
    twx_url_rules *rules = NULL;
    twx_rc rc = TWX_OK;
    if (s->url_rules_file && s->url_rules_file[0])
        rc = twx_url_rules_load(job->cx, s->url_rules_file, &rules);
    if (rc != TWX_OK) return rc;
    p.url.steps = s->url_steps;
    p.url.rules = rules;
    p.near_min_words = s->near_min_words;
    p.near_main = s->near_text == TWX_SIGNED_MAIN;
    p.hosts = s->hosts;
    p.sentence_end = s->sentence_end;
    p.methods = s->methods;
    *ret_params = p;
    *ret_rules = rules;
    return TWX_OK;
}

twx_rc twx_params_count_documents(twx_opened *o, twx_params *params) {
    return o->signatures ? twx_signatures_count(o->signatures, &params->documents) : TWX_OK;
}
