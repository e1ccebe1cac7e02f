/* Every setting is a row of settings.tsv, of the settings_*.tsv of a wing, or of the file of its
 * method. The range of a number is parsed from its displayed text ("0..1", "16M..1024G") with the
 * parser of its kind; so are the words of a choice. */
#include "run/internal.h"
#include "setting_rows.h"

static twx_rc check_relations(twx_ctx *cx, const char *value) {
    uint32_t relations = 0;
    return twx_relations_parse(cx, twx_slice_of(value), &relations);
}

static twx_rc check_order(twx_ctx *cx, const char *value) {
    twx_criterion criteria[TWX_CRITERIA];
    return twx_criteria_parse(cx, twx_slice_of(value), criteria);
}

static twx_rc check_left_out(twx_ctx *cx, const char *value) {
    unsigned classes = 0;
    return twx_page_classes_parse(cx, twx_slice_of(value), &classes);
}

static twx_rc check_language(twx_ctx *cx, const char *value) {
    if (!*value || twx_stem_language(twx_slice_of(value))) return TWX_OK;
    return twx_fail(cx, TWX_E_CONFIG,
                    "index.language: no stemmer for '%.60s'; it is a code such as en or pt-BR, or "
                    "an English name such as german",
                    value);
}

static twx_rc check_near(twx_ctx *cx, const char *value) {
    const twx_detector *d = twx_detector_find(value);
    if (strcmp(value, "none") == 0 || (d && d->near)) return TWX_OK;
    twx_nearest nearest = twx_nearest_of(value);
    for (size_t i = 0; !d && twx_detector_at(i); i++)
        if (twx_detector_at(i)->near) twx_nearest_try(&nearest, twx_detector_at(i)->name);
    if (nearest.name)
        return twx_fail(cx, TWX_E_CONFIG, "near.detector: no method '%.60s'; did you mean '%s'?",
                        value, nearest.name);
    return twx_fail(cx, TWX_E_CONFIG,
                    "near.detector: '%.60s' does not find near-duplicates; 'twindex detectors' "
                    "lists those that do",
                    value);
}

/* The list consists of ABOVE, the settings of the method PROFILE, BETWEEN, the settings of the
 * other methods, and the parts BELOW, of which wings have some. Those of methods are in the files
 * of the methods. */
static const char PROFILE[] = "profile";

/* clang-format off */
#define COLUMN(NAME, name, want, help)            \
    {{"store." #name, "", "SQL expression", help}, \
     TWX_KIND_TEXT, offsetof(twx_settings, store_map[TWX_COL_##NAME]), NULL},
static const twx_setting_row ABOVE[] = {
    TWX_SOURCE_SETTINGS
    TWX_SOURCE_COLUMNS(COLUMN)
    TWX_ABOVE_SETTINGS
};
#undef COLUMN
/* clang-format on */

static const twx_setting_row BETWEEN[] = {TWX_BETWEEN_SETTINGS};
static const twx_setting_row RESULT[] = {TWX_RESULT_SETTINGS};
static const twx_setting_row RUN[] = {TWX_RUN_SETTINGS};

const twx_setting_rows TWX_SETTINGS_RESULT = {RESULT, TWX_COUNTOF(RESULT)};
const twx_setting_rows TWX_SETTINGS_RUN = {RUN, TWX_COUNTOF(RUN)};

#define ADDRESS(name) &TWX_SETTINGS_##name,
static const twx_setting_rows *const BELOW[] = {TWX_SETTINGS_ROWS(ADDRESS)};

/* YaCy's own defaults. Source: yacy_search_server, defaults/yacy.init,
 * search.ranking.solr.doubledetection.minlength and .quantrate and
 * search.ranking.uniqueheuristic.*; it compares within a host. */
static const twx_setting_value YACY[] = {
    {"exact.scope", "host"},
    {"fuzzy.scope", "host"},
    {"title.scope", "host"},
    {"description.scope", "host"},
    {"search.ranking.uniqueheuristic.preferhttps", "no"},
    {"search.ranking.uniqueheuristic.preferwwwprefix", "yes"},
    {"fuzzy.min_token_len", "3"},
    {"fuzzy.quant_rate", "0.5"},
};

_Static_assert(sizeof(twx_relation_scope) == sizeof(unsigned) &&
                   sizeof(uint32_t) == sizeof(unsigned),
               "TWX_KIND_CHOICE writes these");
_Static_assert(sizeof(twx_www) == sizeof(unsigned), "TWX_KIND_SWITCH_AUTO writes it");

static twx_setting_row method_row(const twx_method_setting *s, size_t value) {
    static const twx_setting_kind KINDS[] = {[TWX_METHOD_COUNT] = TWX_KIND_COUNT32,
                                             [TWX_METHOD_SHARE] = TWX_KIND_SHARE,
                                             [TWX_METHOD_SWITCH] = TWX_KIND_SWITCH32,
                                             [TWX_METHOD_CHOICE] = TWX_KIND_CHOICE};
    return (twx_setting_row){.shown = s->shown,
                             .kind = KINDS[s->kind],
                             .field = offsetof(twx_settings, methods) + value * sizeof(uint32_t)};
}

/* A place in the list, from which the lengths of the parts before are subtracted. */
typedef struct place {
    size_t i;
    twx_setting_row *row;
    const twindex_setting **shown;
} place;

static bool is_in_rows(place *p, const twx_setting_row *rows, size_t n) {
    if (p->i >= n) {
        p->i -= n;
        return false;
    }
    *p->row = rows[p->i];
    *p->shown = &rows[p->i].shown;
    return true;
}

static bool is_in_method(place *p, const twx_detector *d) {
    if (p->i >= d->n_settings) {
        p->i -= d->n_settings;
        return false;
    }
    *p->row = method_row(&d->settings[p->i], (size_t)d->id * TWX_METHOD_SETTINGS_MAX + p->i);
    *p->shown = &d->settings[p->i].shown;
    return true;
}

bool twx_setting_row_at(size_t i, twx_setting_row *ret_row, const twindex_setting **ret_shown) {
    const twindex_setting *unused = NULL;
    place p = {i, ret_row, ret_shown ? ret_shown : &unused};
    if (is_in_rows(&p, ABOVE, TWX_COUNTOF(ABOVE))) return true;
    const twx_detector *profile = twx_detector_find(PROFILE), *d = NULL;
    if (is_in_method(&p, profile) || is_in_rows(&p, BETWEEN, TWX_COUNTOF(BETWEEN))) return true;
    for (size_t k = 0; (d = twx_detector_at(k)); k++)
        if (d != profile && is_in_method(&p, d)) return true;
    for (size_t k = 0; k < TWX_COUNTOF(BELOW); k++)
        if (is_in_rows(&p, BELOW[k]->at, BELOW[k]->n)) return true;
    return false;
}

bool twx_setting_row_find(const char *name, twx_setting_row *ret_row) {
    twx_setting_row row;
    for (size_t i = 0; twx_setting_row_at(i, &row, NULL); i++) {
        if (!twx_slice_eq_nocase(twx_slice_of(name), twx_slice_of(row.shown.name))) continue;
        *ret_row = row;
        return true;
    }
    return false;
}

const twx_setting_value *twx_compat_at(size_t i) {
    return i < TWX_COUNTOF(YACY) ? &YACY[i] : NULL;
}
