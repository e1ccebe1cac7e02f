/* The values of fields that are no flags (rule_document.h): texts, real numbers and dates. */
#include "base/iso8601.h"
#include "search/rule_number.h"
#include "search/rule_tree.h"

enum { DAY = 86400, DATE_BYTES = 10 /* 2024-05-01 */ };

static bool is_any(const twx_rule_parser *p) {
    return twx_rule_at(p, TWX_RULE_WORD) && twx_slice_eq(p->token.text, TWX_SLICE_LIT("*"));
}

twx_rc twx_rule_read_text(twx_rule_parser *p, const twx_rule_field *field, twx_slice *ret_text) {
    const twx_slice text = p->token.text;
    if (!twx_rule_at(p, TWX_RULE_WORD) && !twx_rule_at(p, TWX_RULE_QUOTED))
        return twx_rule_fail_wanted(p, "a value, in double quotes unless it is a word,");
    if (text.n == 0) return twx_rule_fail(&p->lexer, &p->token, "%s: an empty text", field->name);
    if (twx_slice_find(text, '\\', 0) < text.n)
        return twx_rule_fail(&p->lexer, &p->token, "%s: a text with '\\' is not possible",
                             field->name);
    if (twx_rule_at(p, TWX_RULE_WORD) &&
        (twx_slice_find(text, '*', 0) < text.n || twx_slice_find(text, '?', 0) < text.n))
        return twx_rule_fail(&p->lexer, &p->token,
                             "there are no wildcards: field:* asks whether it has a value");
    *ret_text = text;
    return twx_rule_take(p);
}

twx_rc twx_rule_read_date(twx_rule_parser *p, double *ret_first, double *ret_last) {
    int64_t seconds = 0;
    if (!twx_rule_at(p, TWX_RULE_WORD) && !twx_rule_at(p, TWX_RULE_QUOTED))
        return twx_rule_fail_wanted(p, "a date");
    if (!twx_iso8601_parse(p->token.text, &seconds))
        return twx_rule_fail(&p->lexer, &p->token,
                             "'%.*s' is not a date: write 2024-05-01 or \"2024-05-01T10:20:30Z\"",
                             (int)(p->token.text.n < 40 ? p->token.text.n : 40), p->token.text.p);
    *ret_first = (double)seconds;
    *ret_last = (double)seconds + (p->token.text.n == DATE_BYTES ? DAY - 1 : 0);
    return twx_rule_take(p);
}

/* An end of a range, or a single value: a date covers its whole day. */
static twx_rc read_end(twx_rule_parser *p, const twx_rule_field *field, double *ret_first,
                       double *ret_last) {
    if (field->kind == TWX_RULE_DATE) return twx_rule_read_date(p, ret_first, ret_last);
    twx_rc rc = twx_rule_read_real(p, "a number", ret_first);
    *ret_last = *ret_first;
    return rc;
}

twx_rc twx_rule_read_amount(twx_rule_parser *p, const twx_rule_field *field, twx_rule_node *node) {
    node->op = TWX_RULE_BETWEEN;
    node->has_low = node->has_high = true;
    return read_end(p, field, &node->real_low, &node->real_high);
}

twx_rc twx_rule_read_span(twx_rule_parser *p, const twx_rule_field *field, twx_rule_node *node) {
    const twx_rule_token begin = p->token;
    double first = 0, last = 0;
    node->op = TWX_RULE_BETWEEN;
    node->low_open = twx_rule_at(p, TWX_RULE_BEHIND);
    twx_rc rc = twx_rule_take(p);
    if (rc != TWX_OK) return rc;
    node->has_low = !is_any(p);
    rc = node->has_low ? read_end(p, field, &first, &last) : twx_rule_take(p);
    node->real_low = node->low_open ? last : first;
    if (rc != TWX_OK) return rc;
    if (!twx_rule_at(p, TWX_RULE_WORD) || !twx_slice_eq(p->token.text, TWX_SLICE_LIT("TO")))
        return twx_rule_fail_wanted(p, "TO");
    rc = twx_rule_take(p);
    if (rc != TWX_OK) return rc;
    node->has_high = !is_any(p);
    rc = node->has_high ? read_end(p, field, &first, &last) : twx_rule_take(p);
    if (rc != TWX_OK) return rc;
    node->high_open = twx_rule_at(p, TWX_RULE_BEFORE);
    node->real_high = node->high_open ? first : last;
    if (!node->high_open && !twx_rule_at(p, TWX_RULE_UP_TO))
        return twx_rule_fail_wanted(p, "']' or '}'");
    if (node->has_low && node->has_high && node->real_low > node->real_high)
        return twx_rule_fail(&p->lexer, &begin,
                             "this range is empty: its end is below its beginning");
    if (!node->has_low && !node->has_high) node->op = TWX_RULE_HAS;
    return twx_rule_take(p);
}
