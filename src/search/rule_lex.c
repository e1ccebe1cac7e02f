#include "search/internal.h"

#include <math.h>

enum { REASON_BYTES = 600 };

twx_rule_lexer twx_rule_lexer_of(twx_ctx *cx, const char *name, twx_slice text) {
    static const char MARK[] =
        "\xEF\xBB\xBF"; /* some editors write it at the beginning of a file */
    const size_t skip = twx_slice_starts(text, TWX_SLICE_LIT(MARK)) ? sizeof MARK - 1 : 0;
    return (twx_rule_lexer){
        .cx = cx, .name = name, .text = text, .at = skip, .line = 1, .line_at = skip};
}

size_t twx_rule_token_column(const twx_rule_lexer *x, const twx_rule_token *token) {
    size_t column = 1;
    for (const char *p = x->text.p + token->line_at, *end = x->text.p + token->at; p < end;
         column++) {
        uint32_t code;
        p += twx_utf8_next(p, end, &code);
    }
    return column;
}

twx_rc twx_rule_fail(const twx_rule_lexer *lexer, const twx_rule_token *token, const char *fmt,
                     ...) {
    char reason[REASON_BYTES];
    TWX_PRINT_ARGUMENTS(reason, fmt);
    return twx_fail(lexer->cx, TWX_E_CONFIG, "%.300s:%zu:%zu: %s", lexer->name, token->line,
                    twx_rule_token_column(lexer, token), reason);
}

static twx_rule_token token_at(const twx_rule_lexer *x, twx_rule_token_kind kind, size_t at,
                               size_t n) {
    return (twx_rule_token){.kind = kind,
                            .text = twx_slice_sub(x->text, at, at + n),
                            .at = at,
                            .end = at + n,
                            .line = x->line,
                            .line_at = x->line_at};
}

static twx_rc fail_at(const twx_rule_lexer *x, size_t at, const char *reason) {
    const twx_rule_token token = token_at(x, TWX_RULE_END, at, 0);
    return twx_rule_fail(x, &token, "%s", reason);
}

static unsigned char byte_at(const twx_rule_lexer *x, size_t at) {
    return at < x->text.n ? (unsigned char)x->text.p[at] : '\n';
}

static bool is_word(unsigned char c) {
    return twx_is_alpha(c) || twx_is_digit(c) || c == '_' || c == '.' || c == '-' || c == '*' ||
           c == '?' || c >= 0x80;
}

/* Skips blanks and a comment, at most to the end of the line. */
static void skip(twx_rule_lexer *x) {
    while (byte_at(x, x->at) == ' ' || byte_at(x, x->at) == '\t' || byte_at(x, x->at) == '\r')
        x->at++;
    if (byte_at(x, x->at) == '#')
        while (byte_at(x, x->at) != '\n') x->at++;
}

/* [R2] A line is checked before its first token: columns of later errors count characters. */
static twx_rc check_line(const twx_rule_lexer *x) {
    const char *p = x->text.p + x->at, *end = x->text.p + twx_slice_find(x->text, '\n', x->at);
    while (p < end) {
        uint32_t code = 0;
        const size_t n = twx_utf8_next(p, end, &code), at = (size_t)(p - x->text.p);
        if (!twx_utf8_valid((twx_slice){p, n})) return fail_at(x, at, "this is not UTF-8");
        if ((code < 0x20 && code != '\t' && code != '\r') || (code >= 0x7F && code < 0xA0))
            return fail_at(x, at, "a control character");
        p += n;
    }
    return TWX_OK;
}

static const struct {
    char text[3];
    twx_rule_token_kind kind;
} OPERATORS[] = {
    {"&&", TWX_RULE_AND},   {"||", TWX_RULE_OR},   {"^=", TWX_RULE_CARET_CONSTANT},
    {"!", TWX_RULE_NOT},    {"+", TWX_RULE_PLUS},  {"-", TWX_RULE_MINUS},
    {"(", TWX_RULE_OPEN},   {")", TWX_RULE_CLOSE}, {"[", TWX_RULE_FROM},
    {"{", TWX_RULE_BEHIND}, {"]", TWX_RULE_UP_TO}, {"}", TWX_RULE_BEFORE},
    {":", TWX_RULE_COLON},  {",", TWX_RULE_COMMA}, {"^", TWX_RULE_CARET},
};

/* Syntax of other languages that users may try, and what to write instead. */
static const struct {
    char c;
    const char *reason;
} STRANGERS[] = {
    {'<', "'<' is not supported: a range is field:{* TO b}"},
    {'>', "'>' is not supported: a range is field:{a TO *]"},
    {'=', "'=' is not supported: a value is field:value"},
    {'~', "'~' is not supported: flags have no similar values"},
    {'/', "'/' is not supported: put a path in double quotes; there are no regular expressions"},
    {'\\', "'\\' is not supported: put the value in double quotes"},
    {'\'', "texts are written in double quotes"},
    {'&', "AND is written AND or &&"},
    {'|', "OR is written OR or ||"},
};

static twx_rc read_section(twx_rule_lexer *x, twx_rule_token *ret_token) {
    size_t end = x->at + 1;
    while (byte_at(x, end) != ']' && byte_at(x, end) != '\n') end++;
    if (byte_at(x, end) != ']') return fail_at(x, end, "a section ends with ']'");
    *ret_token = token_at(x, TWX_RULE_SECTION, x->at, end + 1 - x->at);
    ret_token->text = twx_slice_trim(twx_slice_sub(x->text, x->at + 1, end));
    return TWX_OK;
}

static twx_rc read_quoted(twx_rule_lexer *x, twx_rule_token *ret_token) {
    size_t end = x->at + 1;
    while (byte_at(x, end) != '"' && byte_at(x, end) != '\n') {
        const bool escape = byte_at(x, end) == '\\';
        if (escape && byte_at(x, end + 1) != '"' && byte_at(x, end + 1) != '\\')
            return fail_at(x, end, "in quotes only \\\" and \\\\ are known");
        end += escape ? 2 : 1;
    }
    if (byte_at(x, end) != '"') return fail_at(x, x->at, "the quotes are not closed");
    *ret_token = token_at(x, TWX_RULE_QUOTED, x->at, end + 1 - x->at);
    ret_token->text = twx_slice_sub(x->text, x->at + 1, end);
    return TWX_OK;
}

static twx_rc read_word(twx_rule_lexer *x, twx_rule_token *ret_token) {
    static const struct {
        const char *word;
        twx_rule_token_kind kind;
    } NAMES[] = {{"AND", TWX_RULE_AND}, {"OR", TWX_RULE_OR}, {"NOT", TWX_RULE_NOT}};
    size_t end = x->at;
    while (is_word(byte_at(x, end))) end++;
    *ret_token = token_at(x, TWX_RULE_WORD, x->at, end - x->at);
    for (size_t i = 0; i < TWX_COUNTOF(NAMES); i++)
        if (twx_slice_eq(ret_token->text, twx_slice_of(NAMES[i].word)))
            ret_token->kind = NAMES[i].kind;
    return TWX_OK;
}

static twx_rc read_number_name(twx_rule_lexer *x, twx_rule_token *ret_token) {
    size_t end = x->at + 1;
    while (is_word(byte_at(x, end))) end++;
    if (end == x->at + 1) return fail_at(x, x->at, "the name of a number follows '$'");
    *ret_token = token_at(x, TWX_RULE_NUMBER_NAME, x->at, end - x->at);
    ret_token->text = twx_slice_sub(x->text, x->at + 1, end);
    return TWX_OK;
}

static twx_rc read_operator(twx_rule_lexer *x, twx_rule_token *ret_token) {
    const twx_slice rest = twx_slice_sub(x->text, x->at, x->text.n);
    for (size_t i = 0; i < TWX_COUNTOF(OPERATORS); i++) {
        const twx_slice text = twx_slice_of(OPERATORS[i].text);
        if (!twx_slice_starts(rest, text)) continue;
        *ret_token = token_at(x, OPERATORS[i].kind, x->at, text.n);
        return TWX_OK;
    }
    for (size_t i = 0; i < TWX_COUNTOF(STRANGERS); i++)
        if (rest.p[0] == STRANGERS[i].c) return fail_at(x, x->at, STRANGERS[i].reason);
    const twx_rule_token token = token_at(x, TWX_RULE_END, x->at, 1);
    return twx_rule_fail(x, &token, "'%c' is not expected here", rest.p[0]);
}

twx_rc twx_rule_next(twx_rule_lexer *x, twx_rule_token *ret_token) {
    twx_rc rc = x->at == x->line_at ? check_line(x) : TWX_OK;
    if (rc != TWX_OK) return rc;
    skip(x);
    const unsigned char c = byte_at(x, x->at);
    if (c == '\n') {
        const bool end = x->at >= x->text.n;
        *ret_token = token_at(x, end && !x->begun ? TWX_RULE_END : TWX_RULE_LINE, x->at, 0);
        x->begun = false;
        if (end) return TWX_OK;
        x->line_at = ++x->at;
        x->line++;
        return TWX_OK;
    }
    if (c == '[' && !x->begun)
        rc = read_section(x, ret_token);
    else if (c == '"')
        rc = read_quoted(x, ret_token);
    else if (c == '$')
        rc = read_number_name(x, ret_token);
    else if (is_word(c) && c != '-')
        rc = read_word(x, ret_token);
    else
        rc = read_operator(x, ret_token);
    if (rc != TWX_OK) return rc;
    x->at = ret_token->end;
    x->begun = true;
    return TWX_OK;
}

enum { DIGITS_MAX = 18, EXPONENT_MAX = 30 };

/* Reads digits from *at on into *value; returns how many are significant: no leading zeros. */
static size_t read_digits(twx_slice text, size_t *at, uint64_t *value, size_t *ret_significant) {
    const size_t from = *at;
    while (*at < text.n && twx_is_digit((unsigned char)text.p[*at])) {
        if (*value || text.p[*at] != '0') ++*ret_significant;
        if (*ret_significant <= DIGITS_MAX) *value = *value * 10 + (uint64_t)(text.p[*at] - '0');
        ++*at;
    }
    return *at - from;
}

bool twx_rule_real(twx_slice text, double *ret_value) {
    uint64_t digits = 0, exponent = 0;
    size_t at = 0, significant = 0, ignored = 0, fraction = 0;
    bool negative = false;
    size_t seen = read_digits(text, &at, &digits, &significant);
    if (at < text.n && text.p[at] == '.') {
        at++;
        fraction = read_digits(text, &at, &digits, &significant);
        seen += fraction;
    }
    if (seen == 0 || significant > DIGITS_MAX || fraction > 2 * EXPONENT_MAX) return false;
    if (at < text.n && (text.p[at] == 'e' || text.p[at] == 'E')) {
        at++;
        negative = at < text.n && text.p[at] == '-';
        at += negative;
        if (read_digits(text, &at, &exponent, &ignored) == 0 || ignored > 2) return false;
    }
    if (at != text.n) return false;
    const int64_t scale = (negative ? -(int64_t)exponent : (int64_t)exponent) - (int64_t)fraction;
    const double value = scale < 0 ? (double)digits / pow(10, (double)-scale)
                                   : (double)digits * pow(10, (double)scale);
    if (value > 1e30 || (digits && value < 1e-30)) return false;
    *ret_value = value;
    return true;
}

bool twx_rule_integer(twx_slice text, bool negative, int64_t *ret_value) {
    int64_t value = 0;
    if (text.n == 0) return false;
    for (size_t i = 0; i < text.n; i++) {
        const int digit = text.p[i] - '0';
        if (!twx_is_digit((unsigned char)text.p[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *ret_value = value;
    return true;
}

void twx_rule_real_sql(double value, char ret_text[TWX_RULE_NUMBER_BYTES]) {
    twx_print(ret_text, TWX_RULE_NUMBER_BYTES - 4, value < 0 ? "(%.17g" : "%.17g", value);
    size_t n = strlen(ret_text);
    if (!strpbrk(ret_text, ".e")) n += (size_t)snprintf(ret_text + n, 3, ".0");
    if (value < 0) memcpy(ret_text + n, ")", 2);
}
