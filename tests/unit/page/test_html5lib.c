/* Replays html5lib-tests (html5lib_suite.h). Skipped with a message where it is absent. encoding:
 * all; tokenizer: data, RCDATA, RAWTEXT, script data, PLAINTEXT and CDATA section states.
 * Deviations are listed with their reasons. test_html5lib_trees.c has tree construction. */
#include "html5lib_suite.h"

/* ---- encoding ----------------------------------------------------------- */

/* Tests without a declaration, whose answer is left to a program's own taste. */
static bool is_default(twx_slice wanted, const char *got) {
    return twx_slice_eq_nocase(wanted, TWX_SLICE_LIT("windows-1252")) && strcmp(got, "UTF-8") == 0;
}

static void encodings_of(const char *name, char *text, size_t n) {
    twx_ctx cx = {0};
    twx_html page;
    twx_html_init(&page, 1 << 24);
    char *end = text + n;
    for (char *at = text; (at = memmem(at, (size_t)(end - at), "#data\n", 6));) {
        char *data = at + 6, *mark = memmem(data, (size_t)(end - data), "\n#encoding\n", 11);
        assert_non_null(mark);
        char *label = mark + 11, *label_end = memchr(label, '\n', (size_t)(end - label));
        if (!label_end) label_end = end;
        const twx_slice wanted = {label, (size_t)(label_end - label)};
        assert_ok(twx_html_parse(&cx, (twx_slice){data, (size_t)(mark - data)}, (twx_slice){0},
                                 NULL, &page));
        tested++;
        const bool needs_scripts = memmem(data, (size_t)(mark - data), "multi-script test", 17) !=
                                   NULL;
        if (!twx_slice_eq_nocase(wanted, twx_slice_of(page.encoding))) {
            /* ASCII pages without a label are valid UTF-8, which comes before the default */
            if (is_default(wanted, page.encoding) || needs_scripts) {
                deviating++;
            } else {
                unexpected++;
                print_error("encoding/%s: wanted %.*s, got %s for: %.*s\n", name, (int)wanted.n,
                            wanted.p, page.encoding, (int)(mark - data < 300 ? mark - data : 300),
                            data);
            }
        }
        at = label_end;
    }
    twx_html_done(&page);
}

TEST(encoding_suite) {
    const char *folder = test_suite("html5lib-tests/encoding", NULL);
    if (!folder) skip();
    tested = deviating = unexpected = 0;
    each_file(folder, ".dat", encodings_of);
    print_message("encoding: %d tests, %d deviate (UTF-8 before the default of windows-1252; a "
                  "script writes the meta), %d fail\n",
                  tested, deviating, unexpected);
    assert_true(tested > 50);
    assert_int_equal(unexpected, 0);
}

/* ---- tokenizer ---------------------------------------------------------- */

/* Reads \uXXXX in strings of double-escaped tests; surrogate pairs become one character. NULL: a
 * lone surrogate. */
static char *unescape(const char *p, size_t n, size_t *ret_n) {
    char *out = malloc(3 * n + 4);
    size_t m = 0;
    uint32_t high = 0;
    for (size_t i = 0; i < n;) {
        unsigned code = 0;
        if (n - i >= 6 && p[i] == '\\' && p[i + 1] == 'u' && sscanf(p + i + 2, "%4x", &code) == 1) {
            i += 6;
            if (code >= 0xD800 && code <= 0xDBFF) {
                high = code;
                continue;
            }
            if (code >= 0xDC00 && code <= 0xDFFF && high)
                code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00);
            if (high && code < 0x10000) code = 0xFFFD;
            high = 0;
            if (code >= 0xD800 && code <= 0xDFFF) code = 0xFFFD;
            m += twx_utf8_put(code, out + m);
        } else {
            out[m++] = p[i++];
        }
    }
    if (high) m += twx_utf8_put(0xFFFD, out + m);
    *ret_n = m;
    out[m] = '\0';
    return out;
}

static json_t *string_at(const json_t *value, bool escaped) {
    if (!json_is_string(value)) return json_incref((json_t *)(uintptr_t)value);
    if (!escaped) return json_incref((json_t *)(uintptr_t)value);
    size_t n = 0;
    char *text = unescape(json_string_value(value), json_string_length(value), &n);
    json_t *out = json_stringn_nocheck(text, n);
    free(text);
    return out;
}

static json_t *token_json(const twx_tokenizer *t, const twx_html_token *token) {
    switch (token->kind) {
    case TWX_TOKEN_COMMENT:
        return json_pack("[s, o]", "Comment", cleaned(token->text, false, false, false));
    case TWX_TOKEN_CLOSE:
        return json_pack("[s, o]", "EndTag", cleaned(token->text, true, false, false));
    case TWX_TOKEN_DOCTYPE:
        return json_pack(
            "[s, o, o, o, b]", "DOCTYPE",
            token->text.p ? cleaned(token->text, true, false, false) : json_null(),
            token->public_id.p ? cleaned(token->public_id, false, false, false) : json_null(),
            token->system_id.p ? cleaned(token->system_id, false, false, false) : json_null(),
            !token->force_quirks);
    default: break;
    }
    json_t *attributes = json_object();
    for (size_t i = 0; i < t->attributes.n; i++) {
        json_t *name = cleaned(t->attributes.at[i].name, true, false, false);
        if (!json_object_get(attributes, json_string_value(name)))
            json_object_set_new_nocheck(attributes, json_string_value(name),
                                        cleaned(t->attributes.at[i].value, false, true, false));
        json_decref(name);
    }
    json_t *start = json_pack("[s, o, o]", "StartTag", cleaned(token->text, true, false, false),
                              attributes);
    if (token->self_closing) json_array_append_new(start, json_true());
    return start;
}

static void add_characters(json_t *tokens, json_t *text) {
    const size_t n = json_array_size(tokens);
    json_t *last = n ? json_array_get(tokens, n - 1) : NULL;
    if (last && strcmp(json_string_value(json_array_get(last, 0)), "Character") == 0) {
        json_t *before = json_array_get(last, 1);
        const size_t a = json_string_length(before), b = json_string_length(text);
        char *both = malloc(a + b + 1);
        memcpy(both, json_string_value(before), a);
        memcpy(both + a, json_string_value(text), b);
        json_array_set_new(last, 1, json_stringn_nocheck(both, a + b));
        json_decref(text);
        free(both);
    } else {
        json_array_append_new(tokens, json_pack("[s, o]", "Character", text));
    }
}

static json_t *tokens_of(twx_slice input, twx_token_state state, twx_slice last_start) {
    twx_ctx cx = {0};
    twx_tokenizer t = {0};
    twx_html_token token = {0};
    json_t *tokens = json_array();
    size_t n = 0;
    char *exact = with_line_feeds(input, &n);
    twx_tokenizer_open(&t, &cx, (twx_slice){exact, n});
    t.state = state;
    if (last_start.p) t.last_name = last_start;
    while (twx_tokenizer_next(&t, &token) == TWX_OK && token.kind != TWX_TOKEN_END) {
        if (token.kind == TWX_TOKEN_TEXT && token.text.n == 0) continue;
        if (token.kind == TWX_TOKEN_TEXT)
            add_characters(tokens, cleaned(token.text, false, false,
                                           t.state == TWX_IN_DATA || t.state == TWX_IN_CDATA));
        else
            json_array_append_new(tokens, token_json(&t, &token));
    }
    twx_tokenizer_done(&t);
    free(exact);
    return tokens;
}

static bool state_of(const char *name, twx_token_state *ret) {
    static const struct {
        const char *name;
        twx_token_state state;
    } STATES[] = {{"Data state", TWX_IN_DATA},           {"RCDATA state", TWX_IN_RCDATA},
                  {"RAWTEXT state", TWX_IN_RAWTEXT},     {"Script data state", TWX_IN_SCRIPT},
                  {"PLAINTEXT state", TWX_IN_PLAINTEXT}, {"CDATA section state", TWX_IN_CDATA}};
    for (size_t i = 0; i < TWX_COUNTOF(STATES); i++)
        if (strcmp(STATES[i].name, name) == 0) {
            *ret = STATES[i].state;
            return true;
        }
    return false;
}

static json_t *wanted_tokens(const json_t *test, bool escaped) {
    json_t *wanted = json_array();
    size_t i;
    const json_t *token;
    json_array_foreach(json_object_get(test, "output"), i, token) {
        json_t *copy = json_array();
        size_t k;
        const json_t *part;
        json_array_foreach(token, k, part) {
            if (!json_is_object(part)) {
                json_array_append_new(copy, string_at(part, escaped));
                continue;
            }
            json_t *attributes = json_object();
            const char *key;
            json_t *value;
            json_object_foreach((json_t *)(uintptr_t)part, key, value) {
                size_t m = 0;
                char *name = escaped ? unescape(key, strlen(key), &m) : strdup(key);
                json_object_set_new_nocheck(attributes, name, string_at(value, escaped));
                free(name);
            }
            json_array_append_new(copy, attributes);
        }
        if (strcmp(json_string_value(json_array_get(copy, 0)), "Character") == 0) {
            add_characters(wanted, json_incref(json_array_get(copy, 1)));
            json_decref(copy);
        } else {
            json_array_append_new(wanted, copy);
        }
    }
    return wanted;
}

static void token_test(const char *file, const json_t *test) {
    const bool escaped = json_is_true(json_object_get(test, "doubleEscaped"));
    json_t *input = string_at(json_object_get(test, "input"), escaped);
    json_t *wanted = wanted_tokens(test, escaped), *names = json_object_get(test, "initialStates");
    const char *last = json_string_value(json_object_get(test, "lastStartTag"));
    const size_t states = names ? json_array_size(names) : 1;
    for (size_t i = 0; i < states; i++) {
        twx_token_state state = TWX_IN_DATA;
        const char *name = names ? json_string_value(json_array_get(names, i)) : "Data state";
        if (!state_of(name, &state)) {
            deviating++; /* a state that begins in the middle of a token */
            continue;
        }
        json_t *got = tokens_of((twx_slice){json_string_value(input), json_string_length(input)},
                                state, twx_slice_of(last));
        tested++;
        if (!json_equal(got, wanted)) {
            if (unexpected++ < 40) {
                char *a = json_dumps(wanted, JSON_COMPACT), *b = json_dumps(got, JSON_COMPACT);
                print_error("tokenizer/%s (%s): %s\n   wanted %s\n   got    %s\n", file, name,
                            json_string_value(json_object_get(test, "description")), a, b);
                free(a);
                free(b);
            }
        }
        json_decref(got);
    }
    json_decref(input);
    json_decref(wanted);
}

static void tokenizer_file(const char *name, char *text, size_t n) {
    if (strcmp(name, "xmlViolation.test") == 0) return; /* changes for XML, which HTML has not */
    json_t *root = json_loadb(text, n, JSON_ALLOW_NUL, NULL), *test;
    assert_non_null(root);
    size_t i;
    json_array_foreach(json_object_get(root, "tests"), i, test) token_test(name, test);
    json_decref(root);
}

TEST(tokenizer_suite) {
    const char *folder = test_suite("html5lib-tests/tokenizer", NULL);
    if (!folder) skip();
    tested = deviating = unexpected = 0;
    each_file(folder, ".test", tokenizer_file);
    print_message("tokenizer: %d tests, %d left out, %d fail\n", tested, deviating, unexpected);
    assert_true(tested > 6000);
    assert_int_equal(unexpected, 0);
}
