#include "run/internal.h"

/* ==== host_settings */

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
    twx_settings scratch; /* a value is accepted if the setting of the store accepts it */
    twx_rc rc = twx_settings_init(cx, &scratch);
    if (rc != TWX_OK) return rc;
    rc = twx_settings_set(cx, &scratch, row.shown.name, value);
    twx_settings_done(&scratch);
    return rc == TWX_OK ? add_value(cx, row.shown.name, value, out) : rc;
}

/* The host has to be in normal form: a pattern and the hosts of URLs are compared as they are. */
static twx_rc check_host(twx_ctx *cx, twx_slice pattern, twx_slice host) {
    twx_arena scratch = {.keep = 1 << 12};
    twx_url url;
    char *made = twx_sprintf(cx, "http://" TWX_SLICE_FMT "/", TWX_SLICE_ARG(host));
    twx_rc rc = made ? twx_url_normalize(cx, &scratch, NULL, twx_slice_of(made), &url)
                     : TWX_E_NOMEM;
    const bool is_host = rc == TWX_OK && host.n > 0 && url.fault == TWX_URL_OK && url.host.n > 0 &&
                         !url.port.p && url.path.n == 1 && !url.query.p &&
                         url.whole.n == 8 + url.host.n;
    if (rc == TWX_OK && !is_host)
        rc = twx_fail(cx, TWX_E_CONFIG,
                      "[host " TWX_SLICE_FMT
                      "]: that is not a host: a name such as docs.example.org, or "
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

twx_rc twx_hosts_check(twx_ctx *cx, const char *value) {
    twx_slice all = twx_slice_of(value), rest = all;
    twx_host_section s;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && twx_host_section_next(&rest, &s)) {
        const size_t at = (size_t)(s.pattern.p - all.p);
        rc = twx_host_pattern_check(cx, s.pattern, twx_slice_sub(all, 0, at));
        twx_slice name, text, known = {s.values.p, 0}, values = s.values;
        while (rc == TWX_OK && twx_host_value_next(&values, &name, &text)) {
            char *n = twx_strndup(cx, name.p, name.n),
                 *v = twx_strndup(cx, text.p ? text.p : "", text.n);
            twx_buf unused = {.max = VALUES_BYTES};
            rc = n && v ? twx_host_value_add(cx, n, v, known, &unused) : TWX_E_NOMEM;
            twx_buf_done(&unused);
            twx_free(n);
            twx_free(v);
            known.n = (size_t)(name.p - known.p);
        }
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

bool twx_host_thresholds(const twx_settings *s, const twx_detector *detector,
                         uint32_t ret[TWX_HOST_SECTIONS_MAX + 1]) {
    const twx_method_setting *setting = detector ? threshold_of(NULL, detector) : NULL;
    twx_slice all = twx_slice_of(s->hosts);
    twx_host_section section;
    bool own = false;
    if (!setting) return false;
    ret[0] = s->methods.of[detector->id][setting - detector->settings];
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
    twx_arena scratch = {.keep = 1 << 12};
    twx_url url = {.fault = TWX_URL_EMPTY};
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

/* ==== settings */

/* Sets one value; its row defines the accepted values and the storage. */

const twindex_setting *twx_settings_at(size_t i) {
    twx_setting_row row;
    const twindex_setting *shown = NULL;
    return twx_setting_row_at(i, &row, &shown) ? shown : NULL;
}

const twindex_setting *twx_settings_find(const char *name) {
    twx_setting_row row;
    const twindex_setting *shown = NULL;
    if (!twx_setting_row_find(name, &row)) return NULL;
    for (size_t i = 0; (shown = twx_settings_at(i)); i++)
        if (strcmp(shown->name, row.shown.name) == 0) break;
    return shown;
}

/* ---- words -------------------------------------------------------------- */

/* The index of the value among the words; false if it is not one of them. */
static bool place_of(const char *words, const char *value, unsigned *ret_place) {
    twx_slice list = twx_slice_of(words), word;
    for (unsigned i = 0; twx_slice_next_item(&list, ",|", &word); i++) {
        if (!twx_slice_eq_nocase(word, twx_slice_of(value))) continue;
        *ret_place = i;
        return true;
    }
    return false;
}

/* ---- setting ------------------------------------------------------------ */

static twx_rc fail_unknown(twx_ctx *cx, const char *name) {
    twx_nearest near = twx_nearest_of(name);
    twx_setting_row row;
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++)
        twx_nearest_try(&near, row.shown.name);
    if (near.name)
        return twx_fail(cx, TWX_E_CONFIG, "no setting '%.100s'; did you mean '%s'?", name,
                        near.name);
    return twx_fail(cx, TWX_E_CONFIG, "no setting '%.100s'; 'twindex settings' lists them", name);
}

static twx_rc fail_value(twx_ctx *cx, const twx_setting_row *st, const char *value) {
    const char *values = st->shown.values;
    return twx_fail(cx, TWX_E_CONFIG, "%s: '%.100s' is not %s%s", st->shown.name, value,
                    strstr(values, "..") && !strchr(values, ' ') ? "in " : "", values);
}

static twx_rc set_text(twx_ctx *cx, char **field, const char *value) {
    char *copy = twx_strdup(cx, value);
    if (!copy) return TWX_E_NOMEM;
    twx_free(*field);
    *field = copy;
    return TWX_OK;
}

static twx_rc set_steps(twx_ctx *cx, const twx_setting_row *st, unsigned *field,
                        const char *value) {
    twx_slice list = twx_slice_of(value), word;
    unsigned steps = 0;
    while (twx_slice_next_item(&list, ",|", &word)) {
        unsigned step = 0;
        for (size_t i = 0; step == 0 && twx_url_step_name(i); i++)
            if (twx_slice_eq_nocase(word, twx_slice_of(twx_url_step_name(i))))
                step = twx_url_step_of(twx_url_step_name(i));
        if (step == 0) return fail_value(cx, st, value);
        steps |= step;
    }
    *field = steps;
    return TWX_OK;
}

static twx_rc set_switch(twx_ctx *cx, const twx_setting_row *st, void *field, const char *value) {
    unsigned place = 0;
    if (st->kind == TWX_KIND_SWITCH_AUTO) {
        if (!place_of("no yes auto false true auto off on auto 0 1", value, &place))
            return fail_value(cx, st, value);
        *(unsigned *)field = place % 3;
        return TWX_OK;
    }
    if (!place_of("no yes false true off on 0 1", value, &place)) return fail_value(cx, st, value);
    if (st->kind == TWX_KIND_SWITCH32)
        *(uint32_t *)field = place % 2;
    else
        *(bool *)field = place % 2 == 1;
    return TWX_OK;
}

static twx_rc set_number(twx_ctx *cx, const twx_setting_row *st, void *field, const char *value) {
    twx_read_fn *read = st->kind == TWX_KIND_SHARE  ? twx_read_share
                        : st->kind == TWX_KIND_SIZE ? twx_read_size
                                                    : twx_read_count;
    uint64_t number = 0;
    if (!twx_read_within(read, st->shown.values, value, &number)) return fail_value(cx, st, value);
    if (st->kind == TWX_KIND_COUNT || st->kind == TWX_KIND_SIZE)
        *(uint64_t *)field = number;
    else
        *(uint32_t *)field = (uint32_t)number; /* the ranges in the table fit 32 bits */
    return TWX_OK;
}

static twx_rc set(twx_ctx *cx, twx_settings *s, const twx_setting_row *st, const char *value) {
    void *field = (char *)s + st->field;
    unsigned place = 0;
    twx_rc rc = TWX_OK;
    switch (st->kind) {
    case TWX_KIND_COMPAT:
        if (!place_of(st->shown.values, value, &place)) return fail_value(cx, st, value);
        /* place 0, "none", changes nothing */
        for (size_t i = 0; place == 1 && rc == TWX_OK && twx_compat_at(i); i++)
            rc = twx_settings_set(cx, s, twx_compat_at(i)->name, twx_compat_at(i)->value);
        return rc;
    case TWX_KIND_STEPS: return set_steps(cx, st, field, value);
    case TWX_KIND_SWITCH:
    case TWX_KIND_SWITCH32:
    case TWX_KIND_SWITCH_AUTO: return set_switch(cx, st, field, value);
    case TWX_KIND_TEXT:
    case TWX_KIND_FILE:
        if (value[0]) return set_text(cx, field, value);
        twx_free(*(char **)field);
        *(char **)field = NULL;
        return TWX_OK;
    case TWX_KIND_LIST:
        rc = st->check(cx, value);
        return rc == TWX_OK ? set_text(cx, field, value) : rc;
    case TWX_KIND_WORD:
    case TWX_KIND_CHOICE:
        if (!place_of(st->shown.values, value, &place)) return fail_value(cx, st, value);
        if (st->kind == TWX_KIND_WORD) return set_text(cx, field, value);
        *(unsigned *)field = place;
        return TWX_OK;
    default: return set_number(cx, st, field, value);
    }
}

twx_rc twx_settings_set(twx_ctx *cx, twx_settings *s, const char *name, const char *value) {
    twx_setting_row row;
    return twx_setting_row_find(name, &row) ? set(cx, s, &row, value) : fail_unknown(cx, name);
}

twx_rc twx_settings_init(twx_ctx *cx, twx_settings *s) {
    twx_setting_row row;
    twx_rc rc = TWX_OK;
    *s = (twx_settings){0};
    for (size_t i = 0; rc == TWX_OK && twx_setting_row_at(i, &row, NULL); i++)
        rc = set(cx, s, &row, row.shown.default_value);
    if (rc != TWX_OK) twx_settings_done(s);
    return rc;
}

static bool owns_text(twx_setting_kind k) {
    return k == TWX_KIND_TEXT || k == TWX_KIND_FILE || k == TWX_KIND_WORD || k == TWX_KIND_LIST;
}

void twx_settings_done(twx_settings *s) {
    twx_setting_row row;
    if (!s) return;
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++)
        if (owns_text(row.kind)) twx_free(*(char **)((char *)s + row.field));
    *s = (twx_settings){0};
}

twx_rc twx_settings_copy(twx_ctx *cx, const twx_settings *from, twx_settings *ret_copy) {
    twx_settings copy = *from;
    twx_setting_row row;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++) {
        const char *text = owns_text(row.kind) ? *(char *const *)((const char *)from + row.field)
                                               : NULL;
        char *own = text && rc == TWX_OK ? twx_strdup(cx, text) : NULL;
        if (text && !own) rc = TWX_E_NOMEM;
        if (owns_text(row.kind)) *(char **)((char *)&copy + row.field) = own;
    }
    TWX_HAND_OVER(rc, ret_copy, copy, twx_settings_done(&copy));
    return rc;
}

/* ---- printing ----------------------------------------------------------- */

static twx_rc print_steps(twx_ctx *cx, unsigned steps, twx_buf *out) {
    const char *between = "";
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && twx_url_step_name(i); i++) {
        if (!(steps & twx_url_step_of(twx_url_step_name(i)))) continue;
        rc = twx_buf_printf(cx, out, "%s%s", between, twx_url_step_name(i));
        between = " ";
    }
    return rc;
}

static twx_rc print_choice(twx_ctx *cx, const twx_setting_row *row, unsigned place, twx_buf *out) {
    twx_slice list = twx_slice_of(row->shown.values), word = {NULL, 0};
    for (unsigned i = 0; i <= place && twx_slice_next_item(&list, ",|", &word); i++) continue;
    return twx_buf_add_slice(cx, out, word);
}

/* Millionths, without zeros at the end. */
static twx_rc print_share(twx_ctx *cx, uint32_t ppm, twx_buf *out) {
    enum { MILLION = 1000000, DIGITS = 6 };
    char digits[16];
    int n = snprintf(digits, sizeof digits, "%06" PRIu32, ppm % MILLION);
    while (n > 0 && digits[n - 1] == '0') n--;
    return twx_buf_printf(cx, out, n ? "%" PRIu32 ".%.*s" : "%" PRIu32, ppm / MILLION, n, digits);
}

/* A field that is no text, as a number. */
static uint64_t number_of(const twx_settings *s, const twx_setting_row *row) {
    const char *field = (const char *)s + row->field;
    uint32_t narrow = 0;
    uint64_t wide = 0;
    switch (row->kind) {
    case TWX_KIND_COMPAT: return 0;
    case TWX_KIND_SWITCH: return *(const bool *)field;
    case TWX_KIND_COUNT:
    case TWX_KIND_SIZE: memcpy(&wide, field, sizeof wide); return wide;
    default: memcpy(&narrow, field, sizeof narrow); return narrow;
    }
}

twx_rc twx_settings_get(twx_ctx *cx, const twx_settings *s, const char *name, twx_buf *out) {
    twx_setting_row row;
    if (!twx_setting_row_find(name, &row)) return fail_unknown(cx, name);
    if (owns_text(row.kind)) {
        const char *text = *(char *const *)((const char *)s + row.field);
        return text ? twx_buf_add_text(cx, out, text) : TWX_OK;
    }
    const uint64_t number = number_of(s, &row);
    switch (row.kind) {
    case TWX_KIND_COMPAT: return TWX_OK;
    case TWX_KIND_STEPS: return print_steps(cx, (unsigned)number, out);
    case TWX_KIND_CHOICE: return print_choice(cx, &row, (unsigned)number, out);
    case TWX_KIND_SWITCH:
    case TWX_KIND_SWITCH32:
    case TWX_KIND_SWITCH_AUTO:
        return twx_buf_add_text(cx, out, number > 1 ? "auto" : number ? "yes" : "no");
    case TWX_KIND_SHARE: return print_share(cx, (uint32_t)number, out);
    default: return twx_buf_printf(cx, out, "%" PRIu64, number);
    }
}

twx_rc twx_preference_of(twx_ctx *cx, const twx_settings *s, twx_preference *ret) {
    twx_preference p = {.https = s->prefer_https, .www = s->prefer_www};
    twx_rc rc = twx_criteria_parse(cx, twx_slice_of(s->verdict_order), p.criteria);
    twx_slice all = twx_slice_of(s->hosts);
    twx_host_section section;
    for (size_t i = 1; rc == TWX_OK && i <= TWX_HOST_SECTIONS_MAX; i++) {
        p.of_section[i][0] = TWX_BY_NOTHING;
        if (!twx_host_section_next(&all, &section)) continue;
        const twx_slice value = twx_host_section_value(&section, "verdict.order");
        if (!value.p) continue;
        rc = twx_criteria_parse(cx, value, p.of_section[i]);
        p.has_sections = true;
    }
    if (rc == TWX_OK) *ret = p;
    return rc;
}

/* ---- the fingerprint ----------------------------------------------------- */

/* These decide how a result is made, or when. */
static bool is_of_work(const char *name) {
    return strncmp(name, "run.", 4) == 0 || strncmp(name, "follow.", 7) == 0 ||
           strncmp(name, "cluster.", 8) == 0;
}

uint64_t twx_settings_fingerprint(const twx_settings *s) {
    twx_setting_row row;
    uint64_t f = 0;
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++)
        if (!is_of_work(row.shown.name))
            f = twx_mix64(
                f, owns_text(row.kind)
                       ? twx_hash64(twx_slice_of(*(char *const *)((const char *)s + row.field)), 0)
                       : number_of(s, &row));
    return f;
}
