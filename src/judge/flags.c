#include "judge/flags.h"

/* What a flag's value is made of its column v in row; each is also an expression,
 * sql/part/flag_NAME.sql. */
typedef enum rule {
    STORED,
    STORED_OR_BESIDE, /* v; 0: that of the column beside it */
    TYPE,
    DOC,
    ZERO,                 /* v = 0 */
    COUNT,                /* v, or 1; for documents that take part */
    REPRESENTATIVE,       /* v is the document itself, or NULL; for documents that take part */
    KNOWN_REPRESENTATIVE, /* the same, where the column beside it is known */
    SURVIVOR              /* v is NULL; for documents that take part */
} rule;

#define FLAG(name, kind, column, rule, beside) \
    {#name, TWX_FLAG_IS_##kind, TWX_FLAG_##column, rule, TWX_FLAG_##beside},
static const twx_flag FLAGS[TWX_FLAGS] = {TWX_SHOWN_FLAG_TABLE(FLAG)};
#undef FLAG

const twx_flag *twx_flag_at(size_t i) {
    return i < TWX_FLAGS ? &FLAGS[i] : 0;
}

static bool takes_part(const twx_flag_row *row) {
    return row->v[TWX_FLAG_eligibility] == 0;
}

bool twx_flag_value(const twx_flag *flag, const twx_flag_row *row, int64_t *ret_value) {
    const bool known = twx_flag_known(row, flag->column);
    const int64_t v = row->v[flag->column];
    switch ((rule)flag->rule) {
    case ZERO: *ret_value = v == 0; return true;
    case COUNT: *ret_value = known ? v : 1; return takes_part(row);
    case REPRESENTATIVE: *ret_value = !known || v == row->doc; return takes_part(row);
    case KNOWN_REPRESENTATIVE:
        *ret_value = !known || v == row->doc;
        return twx_flag_known(row, flag->beside);
    case SURVIVOR: *ret_value = !known; return takes_part(row);
    case STORED_OR_BESIDE:
        if (!known || v) break;
        *ret_value = row->v[flag->beside];
        return twx_flag_known(row, flag->beside);
    case STORED:
    case TYPE:
    case DOC: break;
    }
    if (known) *ret_value = v;
    return known;
}

bool twx_flag_differs(const twx_flag *flag, const twx_flag_row *a, const twx_flag_row *b) {
    int64_t x = 0, y = 0;
    const bool has_x = a && twx_flag_value(flag, a, &x), has_y = b && twx_flag_value(flag, b, &y);
    return has_x != has_y || (has_x && x != y);
}

const char *twx_duplicate_type_name(int64_t type) {
    static const char *const NAMES[] = {"full-layout", "full-content", "partial-layout",
                                        "partial-content", "sibling"};
    return type >= 1 && type <= 5 ? NAMES[type - 1] : "?";
}
