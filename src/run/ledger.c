#include "run/ledger.h"

#include <inttypes.h>
#include <stdio.h>

#include "run/out.h"
#include "sign/detectors.h"
#include "sign/profile.h"

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
