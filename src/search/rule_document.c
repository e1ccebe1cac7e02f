#include "search/rule_document.h"

static const twx_rule_field FIELDS[TWX_RULE_PROPERTIES] = {
    [TWX_RULE_HOST] = {"host", TWX_RULE_TEXT, NULL},
    [TWX_RULE_DOMAIN] = {"domain", TWX_RULE_TEXT, NULL},
    [TWX_RULE_PATH] = {"path", TWX_RULE_TEXT, NULL},
    [TWX_RULE_LANGUAGE] = {"language", TWX_RULE_TEXT, NULL},
    [TWX_RULE_CONTENT_TYPE] = {"content_type", TWX_RULE_TEXT, NULL},
    [TWX_RULE_FETCHED_AT] = {"fetched_at", TWX_RULE_DATE, NULL},
    [TWX_RULE_AGE] = {"age", TWX_RULE_REAL, NULL},
    [TWX_RULE_SCORE] = {"score", TWX_RULE_REAL, NULL},
    [TWX_RULE_MIRRORED] = {"mirrored_b", TWX_RULE_BOOL, NULL},
};

const twx_rule_field *twx_rule_property_at(size_t property) {
    return &FIELDS[property];
}

/* ---- evaluation --------------------------------------------------------- */

static bool is_language(twx_slice language, twx_slice wanted) {
    if (!twx_slice_starts_nocase(language, wanted)) return false;
    return language.n == wanted.n || language.p[wanted.n] == '-' || language.p[wanted.n] == '_';
}

static bool text_matches(size_t property, twx_slice text, twx_slice wanted) {
    if (property == TWX_RULE_PATH) return twx_slice_starts(text, wanted);
    if (property == TWX_RULE_LANGUAGE) return is_language(text, wanted);
    return twx_slice_eq_nocase(text, wanted);
}

static bool number_matches(const twx_rule_node *node, double x) {
    if (node->op == TWX_RULE_EQUALS) return x == (double)node->low;
    if (node->has_low && (node->low_open ? x <= node->real_low : x < node->real_low)) return false;
    return !node->has_high || (node->high_open ? x < node->real_high : x <= node->real_high);
}

twx_rule_truth twx_rule_document_matches(const twx_rule_node *node, size_t property,
                                         const twx_rule_document *document) {
    const bool is_text = property < TWX_RULE_TEXTS,
               known = is_text ? document->text[property].p != NULL : document->has[property];
    if (node->op == TWX_RULE_HAS) return known ? TWX_RULE_YES : TWX_RULE_NO;
    if (!known) return TWX_RULE_NOT_KNOWN;
    const bool matches = is_text ? text_matches(property, document->text[property], node->text)
                                 : number_matches(node, document->number[property]);
    return matches ? TWX_RULE_YES : TWX_RULE_NO;
}
