#include "run/host_settings.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/nearest.h"
#include "base/read_number.h"
#include "judge/judge.h"
#include "run/settings_table.h"
#include "sign/detectors.h"
#include "sign/method_settings.h"
#include "url/host_patterns.h"

enum { VALUES_BYTES = 1 << 12 };

/* The threshold with this name if hosts may have their own [R1]. */
static const twx_method_setting *threshold_of(const char *name, const twx_detector *only) {
    const twx_detector *d = NULL;
    for (size_t k = 0; (d = twx_detector_at(k)); k++)
        for (size_t i = 0; (!only || d == only) && i < d->n_settings; i++) {
            const twx_method_setting *s = &d->settings[i];
            const bool fits = s->is_threshold && s->kind == TWX_METHOD_SHARE;
            if (fits &&
                (!name || twx_slice_eq_nocase(twx_slice_of(s->shown.name), twx_slice_of(name))))
                return s;
        }
    return NULL;
}

static bool is_for_hosts(const char *name) {
    return strcmp(name, "near.text") == 0 || strcmp(name, "verdict.order") == 0 ||
           threshold_of(name, NULL);
}

/* ---- checking ------------------------------------------------------------ */

static twx_rc fail_setting(twx_ctx *cx, const char *name) {
    twx_setting_row row;
    twx_nearest nearest = twx_nearest_of(name);
    if (twx_setting_row_find(name, &row))
        return twx_fail(cx, TWX_E_CONFIG,
                        "%s cannot be set for a host: near.text, verdict.order and thresholds of "
                        "methods such as alignment.threshold can",
                        row.shown.name);
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++)
        if (is_for_hosts(row.shown.name)) twx_nearest_try(&nearest, row.shown.name);
    if (nearest.name)
        return twx_fail(cx, TWX_E_CONFIG, "no setting '%.100s' of a host; did you mean '%s'?", name,
                        nearest.name);
    return twx_fail(cx, TWX_E_CONFIG,
                    "no setting '%.100s' of a host: near.text, verdict.order and thresholds of "
                    "methods such as alignment.threshold can be set",
                    name);
}

/* A value is accepted if the setting of the store accepts it. */
static twx_rc check_value(twx_ctx *cx, const char *name, const char *value) {
    twx_settings scratch;
    twx_rc rc = twx_settings_init(cx, &scratch);
    if (rc != TWX_OK) return rc;
    rc = twx_settings_set(cx, &scratch, name, value);
    twx_settings_done(&scratch);
    return rc;
}

/* Lists have commas in the place of blanks, in which a section is cut. */
static twx_rc add_value(twx_ctx *cx, const char *name, const char *value, twx_buf *out) {
    twx_slice rest = twx_slice_trim(twx_slice_of(value));
    twx_rc rc = twx_buf_printf(cx, out, "%s%s=", out->n ? " " : "", name);
    for (size_t i = 0; rc == TWX_OK && i < rest.n; i++) {
        const bool blank = twx_is_space((unsigned char)rest.p[i]) || rest.p[i] == ',';
        if (!blank)
            rc = twx_buf_add_char(cx, out, rest.p[i]);
        else if (out->p[out->n - 1] != ',' && out->p[out->n - 1] != '=')
            rc = twx_buf_add_char(cx, out, ',');
    }
    return rc;
}

twx_rc twx_host_value_add(twx_ctx *cx, const char *name, const char *value, twx_slice known,
                          twx_buf *out) {
    twx_setting_row row;
    const twx_host_section section = {.values = known};
    if (!twx_setting_row_find(name, &row) || !is_for_hosts(row.shown.name))
        return fail_setting(cx, name);
    if (twx_host_section_value(&section, row.shown.name).p)
        return twx_fail(cx, TWX_E_CONFIG, "%s is given twice for the host", row.shown.name);
    if (twx_slice_trim(twx_slice_of(value)).n == 0)
        return twx_fail(cx, TWX_E_CONFIG, "%s has no value", row.shown.name);
    if (strchr(value, '|'))
        return twx_fail(cx, TWX_E_CONFIG, "%s: '%.100s' has a '|'", row.shown.name, value);
    const twx_rc rc = check_value(cx, row.shown.name, value);
    return rc == TWX_OK ? add_value(cx, row.shown.name, value, out) : rc;
}

/* The host has to be given in normal form, so that a pattern and the hosts of URLs are compared as
 * they are. */
static twx_rc check_host(twx_ctx *cx, twx_slice pattern, twx_slice host) {
    twx_arena scratch;
    twx_url url;
    twx_arena_init(&scratch, 1 << 12);
    char *made = twx_sprintf(cx, "http://" TWX_SLICE_FMT "/", TWX_SLICE_ARG(host));
    twx_rc rc = made ? twx_url_normalize(cx, &scratch, NULL, twx_slice_of(made), &url)
                     : TWX_E_NOMEM;
    const bool is_host = rc == TWX_OK && host.n > 0 && url.fault == TWX_URL_OK && url.host.n > 0 &&
                         !url.port.p && url.path.n == 1 && !url.query.p &&
                         url.whole.n == 8 + url.host.n;
    if (rc == TWX_OK && !is_host)
        rc = twx_fail(cx, TWX_E_CONFIG,
                      "[host " TWX_SLICE_FMT
                      "]: that is no host: a name such as docs.example.org, or "
                      ".example.org for a domain and all hosts below it",
                      TWX_SLICE_ARG(pattern));
    if (rc == TWX_OK && !twx_slice_eq(url.host, host))
        rc = twx_fail(cx, TWX_E_CONFIG,
                      "[host " TWX_SLICE_FMT "]: the host is written " TWX_SLICE_FMT,
                      TWX_SLICE_ARG(pattern), TWX_SLICE_ARG(url.host));
    twx_free(made);
    twx_arena_done(&scratch);
    return rc;
}

twx_rc twx_host_pattern_check(twx_ctx *cx, twx_slice pattern, twx_slice known) {
    twx_host_section own, other;
    twx_slice text = pattern;
    unsigned n = 1;
    if (!twx_host_section_next(&text, &own) || own.values.n > 0 || text.n > 0)
        return twx_fail(cx, TWX_E_CONFIG,
                        "[host]: a section names one host, such as [host docs.example.org]");
    twx_rc rc = check_host(cx, own.pattern, own.host);
    for (; rc == TWX_OK && twx_host_section_next(&known, &other); n++)
        if (own.below == other.below && twx_slice_eq(own.host, other.host))
            rc = twx_fail(cx, TWX_E_CONFIG, "[host " TWX_SLICE_FMT "] is given twice",
                          TWX_SLICE_ARG(own.pattern));
    if (rc == TWX_OK && n > TWX_HOST_SECTIONS_MAX)
        rc = twx_fail(cx, TWX_E_CONFIG,
                      "more than %d sections [host ...]: a domain with a dot, such "
                      "as .example.org, stands for all hosts below it",
                      TWX_HOST_SECTIONS_MAX);
    return rc;
}

static twx_rc check_section(twx_ctx *cx, twx_host_section *s) {
    twx_slice name, value, known = {s->values.p, 0}, all = s->values;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && twx_host_value_next(&all, &name, &value)) {
        char *n = twx_strndup(cx, name.p, name.n),
             *v = twx_strndup(cx, value.p ? value.p : "", value.n);
        twx_buf unused;
        twx_buf_init(&unused, VALUES_BYTES);
        rc = n && v ? twx_host_value_add(cx, n, v, known, &unused) : TWX_E_NOMEM;
        twx_buf_done(&unused);
        twx_free(n);
        twx_free(v);
        known.n = (size_t)(name.p - known.p);
    }
    return rc;
}

twx_rc twx_hosts_check(twx_ctx *cx, const char *value) {
    twx_slice all = twx_slice_of(value), rest = all;
    twx_host_section s;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && twx_host_section_next(&rest, &s)) {
        const size_t at = (size_t)(s.pattern.p - all.p);
        rc = twx_host_pattern_check(cx, s.pattern, twx_slice_sub(all, 0, at));
        if (rc == TWX_OK) rc = check_section(cx, &s);
    }
    return rc;
}

/* ---- reading ------------------------------------------------------------- */

twx_host_texts twx_host_texts_of(const twx_settings *s) {
    twx_slice all = twx_slice_of(s->hosts);
    twx_host_texts texts = {0};
    twx_host_section section;
    while (twx_host_section_next(&all, &section)) {
        const twx_slice value = twx_host_section_value(&section, "near.text");
        const bool main = twx_slice_eq_nocase(value, TWX_SLICE_LIT("main"));
        texts.any |= value.p != NULL;
        texts.main |= main;
        texts.fingerprint = twx_mix64(twx_mix64(texts.fingerprint, twx_hash64(section.pattern, 0)),
                                      value.p ? 1u + main : 0);
    }
    if (!texts.any) texts.fingerprint = 0;
    return texts;
}

static uint32_t store_threshold(const twx_settings *s, const twx_detector *d) {
    for (size_t i = 0; i < d->n_settings; i++)
        if (&d->settings[i] == threshold_of(NULL, d)) return s->methods.of[d->id][i];
    return 0;
}

bool twx_host_thresholds(const twx_settings *s, const twx_detector *detector,
                         uint32_t ret[TWX_HOST_SECTIONS_MAX + 1]) {
    const twx_method_setting *setting = detector ? threshold_of(NULL, detector) : NULL;
    twx_slice all = twx_slice_of(s->hosts);
    twx_host_section section;
    bool own = false;
    if (!setting) return false;
    ret[0] = store_threshold(s, detector);
    for (size_t i = 1; i <= TWX_HOST_SECTIONS_MAX; i++) {
        uint64_t number = 0;
        ret[i] = ret[0];
        if (!twx_host_section_next(&all, &section)) continue;
        const twx_slice value = twx_host_section_value(&section, setting->shown.name);
        if (!value.p || !twx_read_share(value, &number)) continue;
        ret[i] = (uint32_t)number;
        own = true;
    }
    return own;
}

twx_rc twx_host_orders(twx_ctx *cx, const twx_settings *s, twx_preference *preference) {
    twx_slice all = twx_slice_of(s->hosts);
    twx_host_section section;
    twx_rc rc = TWX_OK;
    preference->has_sections = false;
    for (size_t i = 1; rc == TWX_OK && i <= TWX_HOST_SECTIONS_MAX; i++) {
        preference->of_section[i][0] = TWX_BY_NOTHING;
        if (!twx_host_section_next(&all, &section)) continue;
        const twx_slice value = twx_host_section_value(&section, "verdict.order");
        if (!value.p) continue;
        rc = twx_criteria_parse(cx, value, preference->of_section[i]);
        preference->has_sections = true;
    }
    return rc;
}

twx_rc twx_host_section_show(twx_ctx *cx, const twx_settings *s, twx_slice host, twx_buf *out) {
    twx_host_section section;
    if (!twx_host_section_of(twx_slice_of(s->hosts), host, &section)) return TWX_OK;
    const twx_slice values = twx_slice_trim(section.values);
    return twx_buf_printf(cx, out, "[host " TWX_SLICE_FMT "]%s" TWX_SLICE_FMT,
                          TWX_SLICE_ARG(section.pattern), values.n ? " " : "",
                          TWX_SLICE_ARG(values));
}

static twx_rc section_of_url(twx_ctx *cx, const twx_settings *s, const twx_params *params,
                             twx_slice stored, unsigned *ret_section) {
    twx_arena scratch;
    twx_url url = {.fault = TWX_URL_EMPTY};
    twx_arena_init(&scratch, 1 << 12);
    twx_rc rc = stored.p ? twx_url_normalize(cx, &scratch, &params->url, stored, &url) : TWX_OK;
    *ret_section = rc == TWX_OK && url.fault == TWX_URL_OK
                       ? twx_host_section_of(twx_slice_of(s->hosts), url.host, NULL)
                       : 0;
    twx_arena_done(&scratch);
    return rc;
}

twx_rc twx_host_pair_params(twx_ctx *cx, const twx_settings *s, twx_slice url, twx_slice other,
                            twx_params *params) {
    uint32_t least[TWX_HOST_SECTIONS_MAX + 1];
    unsigned a = 0, b = 0;
    const twx_detector *d = NULL;
    twx_rc rc = section_of_url(cx, s, params, url, &a);
    if (rc == TWX_OK) rc = section_of_url(cx, s, params, other, &b);
    for (size_t i = 0; rc == TWX_OK && (d = twx_detector_at(i)); i++)
        if (twx_host_thresholds(s, d, least))
            twx_params_set_threshold(params, d, least[a] > least[b] ? least[a] : least[b]);
    return rc;
}
