/* Sets one value; its row defines the accepted values and the storage. */
#include "run/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/nearest.h"
#include "base/read_number.h"
#include "judge/judge.h"
#include "run/host_settings.h"
#include "run/settings_table.h"
#include "url/url_norm.h"

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

/* The next word of a list; words are separated by white space, commas or bars. */
static bool next_word(twx_slice *list, twx_slice *ret_word) {
    size_t from = 0;
    while (from < list->n &&
           (twx_is_space((unsigned char)list->p[from]) || strchr(",|", list->p[from])))
        from++;
    size_t to = from;
    while (to < list->n && !twx_is_space((unsigned char)list->p[to]) && !strchr(",|", list->p[to]))
        to++;
    *ret_word = twx_slice_sub(*list, from, to);
    *list = twx_slice_sub(*list, to, list->n);
    return to > from;
}

/* The index of the value among the words; false if it is not one of them. */
static bool place_of(const char *words, const char *value, unsigned *ret_place) {
    twx_slice list = twx_slice_of(words), word;
    for (unsigned i = 0; next_word(&list, &word); i++) {
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
    return twx_fail(cx, TWX_E_CONFIG, "%s: '%.100s' is not %s%s", st->shown.name, value,
                    strstr(st->shown.values, "..") ? "in " : "", st->shown.values);
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
    while (next_word(&list, &word)) {
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

static twx_rc set_compat(twx_ctx *cx, twx_settings *s, const twx_setting_row *st,
                         const char *value) {
    unsigned place = 0;
    twx_rc rc = TWX_OK;
    if (!place_of(st->shown.values, value, &place)) return fail_value(cx, st, value);
    /* place 0, "none", changes nothing */
    for (size_t i = 0; place == 1 && rc == TWX_OK && twx_compat_at(i); i++)
        rc = twx_settings_set(cx, s, twx_compat_at(i)->name, twx_compat_at(i)->value);
    return rc;
}

static twx_rc set(twx_ctx *cx, twx_settings *s, const twx_setting_row *st, const char *value) {
    void *field = (char *)s + st->field;
    unsigned place = 0;
    twx_rc rc = TWX_OK;
    switch (st->kind) {
    case TWX_KIND_COMPAT: return set_compat(cx, s, st, value);
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
    if (rc == TWX_OK)
        *ret_copy = copy;
    else
        twx_settings_done(&copy);
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
    for (unsigned i = 0; i <= place && next_word(&list, &word); i++) continue;
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

static twx_rc print(twx_ctx *cx, const twx_settings *s, const twx_setting_row *row, twx_buf *out) {
    const char *field = (const char *)s + row->field;
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (row->kind == TWX_KIND_COMPAT) return TWX_OK;
    if (owns_text(row->kind)) {
        const char *text = *(char *const *)field;
        return text ? twx_buf_add_text(cx, out, text) : TWX_OK;
    }
    if (row->kind == TWX_KIND_SWITCH)
        return twx_buf_add_text(cx, out, *(const bool *)field ? "yes" : "no");
    if (row->kind == TWX_KIND_COUNT || row->kind == TWX_KIND_SIZE) {
        memcpy(&wide, field, sizeof wide);
        return twx_buf_printf(cx, out, "%" PRIu64, wide);
    }
    memcpy(&narrow, field, sizeof narrow);
    switch (row->kind) {
    case TWX_KIND_STEPS: return print_steps(cx, narrow, out);
    case TWX_KIND_CHOICE: return print_choice(cx, row, narrow, out);
    case TWX_KIND_SWITCH32:
    case TWX_KIND_SWITCH_AUTO:
        return twx_buf_add_text(cx, out, narrow > 1 ? "auto" : narrow ? "yes" : "no");
    case TWX_KIND_SHARE: return print_share(cx, narrow, out);
    default: return twx_buf_printf(cx, out, "%" PRIu32, narrow);
    }
}

twx_rc twx_settings_get(twx_ctx *cx, const twx_settings *s, const char *name, twx_buf *out) {
    twx_setting_row row;
    return twx_setting_row_find(name, &row) ? print(cx, s, &row, out) : fail_unknown(cx, name);
}

twx_rc twx_preference_of(twx_ctx *cx, const twx_settings *s, twx_preference *ret) {
    twx_preference p = {.https = s->prefer_https,
                        .www = s->prefer_www,
                        .newest = s->copy_versions == TWX_VERSIONS_NEWEST};
    twx_rc rc = twx_criteria_parse(cx, twx_slice_of(s->verdict_order), p.criteria);
    if (rc == TWX_OK) rc = twx_host_orders(cx, s, &p);
    if (rc == TWX_OK) *ret = p;
    return rc;
}

/* ---- the fingerprint ----------------------------------------------------- */

/* A field as it is stored: a text, or a number of the kind's width. */
static uint64_t field_hash(const twx_settings *s, const twx_setting_row *row) {
    const char *field = (const char *)s + row->field;
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (owns_text(row->kind)) return twx_hash64(twx_slice_of(*(char *const *)field), 0);
    switch (row->kind) {
    case TWX_KIND_COMPAT: return 0;
    case TWX_KIND_SWITCH: return *(const bool *)field;
    case TWX_KIND_COUNT:
    case TWX_KIND_SIZE: memcpy(&wide, field, sizeof wide); return wide;
    default: memcpy(&narrow, field, sizeof narrow); return narrow;
    }
}

uint64_t twx_settings_fingerprint(const twx_settings *s) {
    twx_setting_row row;
    uint64_t f = 0;
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++)
        if (strncmp(row.shown.name, "run.", 4) != 0 && strncmp(row.shown.name, "cluster.", 8) != 0)
            f = twx_mix64(f, field_hash(s, &row));
    return f;
}
