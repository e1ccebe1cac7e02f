#include "job/detector_params.h"

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
    p.fuzzy_min_token_len = s->fuzzy_min_token_len;
    p.fuzzy_quant_rate_ppm = s->fuzzy_quant_rate_ppm;
    p.fuzzy_digest = s->fuzzy_digest;
    p.near_min_words = s->near_min_words;
    p.sentence_end = s->sentence_end;
    p.simhash_distance = s->simhash_distance;
    p.minhash_threshold_ppm = s->minhash_threshold_ppm;
    p.shingles_threshold_ppm = s->shingles_threshold_ppm;
    p.decomposition_threshold_ppm = s->decomposition_threshold_ppm;
    p.chunks_threshold_ppm = s->chunks_threshold_ppm;
    p.bloom_threshold_ppm = s->bloom_threshold_ppm;
    p.alignment_threshold_ppm = s->alignment_threshold_ppm;
    p.minhash_boilerplate = s->minhash_boilerplate;
    p.content_links_tolerance_ppm = s->content_links_tolerance_ppm;
    *ret_params = p;
    *ret_rules = rules;
    return TWX_OK;
}
