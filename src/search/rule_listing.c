#include "search/rule_listing.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static twx_rc write_section(const twx_out *out, const char *title, twx_rule_list list) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < list.n; i++) {
        rc = twx_out_text(out, "%-9s %4zu  ", title, list.at[i].line);
        if (rc == TWX_OK) rc = twx_out_bytes(out, list.at[i].text);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

static twx_rc write_rules(const twx_out *out, const twx_rule_listing *l) {
    size_t n = 0;
    const twx_rule_number *numbers = twx_rules_numbers(l->rules, &n);
    twx_rc rc = twx_out_text(out, "%-9s %4s\n", "section", "line");
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_out_text(out, "%-9s       %s %g\n", "numbers", numbers[i].name, numbers[i].value);
    if (rc == TWX_OK) rc = write_section(out, "filter", twx_rules_filters(l->rules));
    if (rc == TWX_OK) rc = write_section(out, "boost", twx_rules_boosts(l->rules));
    if (rc == TWX_OK) rc = write_section(out, "function", twx_rules_functions(l->rules));
    for (size_t i = 0; rc == TWX_OK && i < l->n_weights; i++)
        rc = twx_out_text(out, "%-9s       %s^%g\n", "fields", l->weights[i].name,
                          l->weights[i].weight);
    return rc;
}

static json_t *list_json(twx_rule_list list) {
    json_t *all = json_array();
    for (size_t i = 0; i < list.n; i++)
        json_array_append_new(all, json_pack("{s:I, s:o}", "line", (json_int_t)list.at[i].line,
                                             "text", twx_json_slice(list.at[i].text)));
    return all;
}

static json_t *listing_json(const twx_rule_listing *l) {
    json_t *fields = json_object(), *parts = json_array(), *named = json_object();
    size_t n = 0;
    const twx_rule_number *numbers = twx_rules_numbers(l->rules, &n);
    for (size_t i = 0; i < n; i++)
        json_object_set_new(named, numbers[i].name, json_real(numbers[i].value));
    for (size_t i = 0; i < l->n_weights; i++)
        json_object_set_new(fields, l->weights[i].name, json_real(l->weights[i].weight));
    for (size_t i = 0; i < l->sql->n_parts; i++)
        json_array_append_new(parts, json_string(l->sql->parts[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:{s:s, s:o, s:o}}", "numbers", named, "filter",
                     list_json(twx_rules_filters(l->rules)), "boost",
                     list_json(twx_rules_boosts(l->rules)), "function",
                     list_json(twx_rules_functions(l->rules)), "fields", fields, "sql", "filter",
                     l->sql->filter, "parts", parts, "statement", twx_json_slice(l->statement));
}

twx_rc twx_rule_listing_write(const twx_out *out, const twx_rule_listing *l) {
    return twx_out_is_json(out) ? twx_out_json(out, listing_json(l)) : write_rules(out, l);
}

/* Parses "path:line:column: reason". */
static bool parse_place(const char *message, const char *path, unsigned *ret_line,
                        unsigned *ret_column, const char **ret_reason) {
    const size_t prefix = strlen(path);
    int length = 0;
    if (prefix > 300 || strncmp(message, path, prefix) != 0) return false;
    if (sscanf(message + prefix, ":%u:%u:%n", ret_line, ret_column, &length) != 2 || length == 0)
        return false;
    *ret_reason = message + prefix + length;
    return *ret_line > 0 && *ret_column > 0;
}

json_t *twx_rule_error_json(const char *message, const char *path) {
    unsigned line = 0, column = 0;
    const char *reason = NULL;
    if (!parse_place(message, path, &line, &column, &reason))
        return json_pack("{s:o}", "message", twx_json_text(message));
    return json_pack("{s:I, s:I, s:o}", "line", (json_int_t)line, "column", (json_int_t)column,
                     "message", twx_json_text(reason + strspn(reason, " ")));
}

twx_rc twx_rule_place_write(const twx_out *out, const char *message, const char *path,
                            twx_slice text) {
    unsigned line = 0, column = 0;
    const char *reason = NULL;
    if (!parse_place(message, path, &line, &column, &reason)) return TWX_OK;
    size_t from = 0;
    for (unsigned i = 1; i < line && from < text.n; i++)
        from = twx_slice_find(text, '\n', from) + 1;
    const twx_slice shown = twx_slice_sub(
        text, from, twx_slice_find(text, '\n', from < text.n ? from : text.n));
    twx_rc rc = TWX_OK;
    for (const char *p = shown.p, *end = shown.p + shown.n; rc == TWX_OK && p < end;) {
        uint32_t code = 0;
        char bytes[4];
        p += twx_utf8_next(p, end, &code);
        /* a tab would misplace the caret */
        if (code < 0x20 || (code >= 0x7F && code < 0xA0)) code = ' ';
        rc = twx_out_bytes(out, (twx_slice){bytes, twx_utf8_put(code, bytes)});
    }
    return rc == TWX_OK ? twx_out_text(out, "\n%*s\n", (int)(column < 10000 ? column : 10000), "^")
                        : rc;
}
