/* Replays html5lib-tests, the suite of those who wrote the HTML parsing standard's first
 * implementations, from a local copy: $TWINDEX_SUITES/html5lib-tests, by default beside the source
 * (../shared/suites). Skipped with a message when it is not there. encoding: all; tokenizer: data,
 * RCDATA, RAWTEXT, script data, PLAINTEXT and CDATA section states; tree-construction: the text of
 * the document in order, and the title. Deviations are listed with their reasons. */
#include "support.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "page/html.h"
#include "page/html_tree.h"

static char suite[4096];

static bool have_suite(void) {
    const char *place = getenv("TWINDEX_SUITES");
    if (place)
        snprintf(suite, sizeof suite, "%s/html5lib-tests", place);
    else
        snprintf(suite, sizeof suite, "%s/../shared/suites/html5lib-tests", TWINDEX_SOURCE_DIR);
    DIR *folder = opendir(suite);
    if (folder) closedir(folder);
    return folder != NULL;
}

static char *read_whole(const char *path, size_t *ret_n) {
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s: cannot be read", path);
    fseek(f, 0, SEEK_END);
    const size_t n = (size_t)ftell(f);
    rewind(f);
    char *p = malloc(n + 1);
    *ret_n = fread(p, 1, n, f);
    p[*ret_n] = '\0';
    fclose(f);
    return p;
}

/* Calls fn for each file of a folder of the suite that ends with `ending`, in any order. */
static void each_file(const char *folder, const char *ending,
                      void (*fn)(const char *name, char *text, size_t n)) {
    char path[4600];
    snprintf(path, sizeof path, "%s/%s", suite, folder);
    DIR *d = opendir(path);
    if (!d) fail_msg("%s: cannot be read", path);
    for (struct dirent *e; (e = readdir(d));) {
        const size_t n = strlen(e->d_name), m = strlen(ending);
        if (n <= m || strcmp(e->d_name + n - m, ending) != 0) continue;
        char file[4900];
        size_t length = 0;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        char *text = read_whole(file, &length);
        fn(e->d_name, text, length);
        free(text);
    }
    closedir(d);
}

static int tested, deviating, unexpected;

/* ---- encoding ----------------------------------------------------------- */

/* Tests without a declaration, whose answer is left to a program's own taste. */
static bool is_default(twx_slice wanted, const char *got) {
    return twx_slice_eq_nocase(wanted, TWX_SLICE_LIT("windows-1252")) && strcmp(got, "UTF-8") == 0;
}

static void encodings_of(const char *name, char *text, size_t n) {
    twx_ctx cx;
    twx_html page;
    twx_ctx_init(&cx);
    twx_html_init(&page, 1 << 24);
    char *end = text + n;
    for (char *at = text; (at = memmem(at, (size_t)(end - at), "#data\n", 6));) {
        char *data = at + 6, *mark = memmem(data, (size_t)(end - data), "\n#encoding\n", 11);
        assert_non_null(mark);
        char *label = mark + 11, *label_end = memchr(label, '\n', (size_t)(end - label));
        if (!label_end) label_end = end;
        const twx_slice wanted = {label, (size_t)(label_end - label)};
        assert_int_equal(twx_html_parse(&cx, (twx_slice){data, (size_t)(mark - data)},
                                        (twx_slice){0}, NULL, &page),
                         TWX_OK);
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

static void encoding_suite(void **state) {
    (void)state;
    if (!have_suite()) {
        print_message("skipped: no %s (set TWINDEX_SUITES)\n", suite);
        skip();
    }
    tested = deviating = unexpected = 0;
    each_file("encoding", ".dat", encodings_of);
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

/* As tree construction does: NUL in names, attributes, comments, RCDATA and so on becomes U+FFFD;
 * line ends are LF. */
static json_t *cleaned(twx_slice s, bool lower, bool references, bool keep_nul) {
    char *out = malloc(3 * s.n + 16);
    size_t n = 0;
    for (const char *p = s.p, *end = s.p + s.n; p < end;) {
        size_t bytes = 0,
               used = references && *p == '&' ? twx_char_ref(p, end, true, out + n, &bytes) : 0;
        if (used == 0) {
            used = bytes = 1;
            if (*p == '\0' && !keep_nul)
                bytes = twx_utf8_put(TWX_REPLACEMENT, out + n);
            else
                out[n] = lower ? twx_lower(*p) : *p;
        }
        n += bytes;
        p += used;
    }
    json_t *value = json_stringn_nocheck(out, n);
    free(out);
    return value;
}

static json_t *token_json(const twx_tokenizer *t, const twx_token *token) {
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

/* Line ends as html.c makes them. */
static char *with_line_feeds(twx_slice input, size_t *ret_n) {
    char *exact = malloc(input.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < input.n; i++) {
        exact[n++] = input.p[i] == '\r' ? '\n' : input.p[i];
        if (input.p[i] == '\r' && i + 1 < input.n && input.p[i + 1] == '\n') i++;
    }
    *ret_n = n;
    return exact;
}

static json_t *tokens_of(twx_slice input, twx_token_state state, twx_slice last_start) {
    twx_ctx cx;
    twx_tokenizer t;
    twx_token token = {0};
    json_t *tokens = json_array();
    size_t n = 0;
    char *exact = with_line_feeds(input, &n);
    twx_ctx_init(&cx);
    twx_tokenizer_init(&t);
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

static void tokenizer_suite(void **state) {
    (void)state;
    if (!have_suite()) skip();
    tested = deviating = unexpected = 0;
    each_file("tokenizer", ".test", tokenizer_file);
    print_message("tokenizer: %d tests, %d left out, %d fail\n", tested, deviating, unexpected);
    assert_true(tested > 6000);
    assert_int_equal(unexpected, 0);
}

/* ---- tree construction -------------------------------------------------- */

/* The text of the document in its order: the sink that html.c is, without its idea of what is
 * shown. */
typedef struct sink {
    twx_ctx cx;
    struct {
        char *p;
        size_t n;
        size_t next; /* index + 1 of the next piece */
    } piece[5000];
    size_t pieces, cursor;
    size_t before[1000], tables;
    twx_buf title;
    bool in_title, has_title;
} sink;

static void insert(sink *s, twx_slice text) {
    assert_true(s->pieces < TWX_COUNTOF(s->piece));
    s->piece[s->pieces].p = malloc(text.n + 1);
    memcpy(s->piece[s->pieces].p, text.p, text.n);
    s->piece[s->pieces].n = text.n;
    s->piece[s->pieces].next = s->piece[s->cursor].next;
    s->piece[s->cursor].next = s->pieces;
    s->cursor = s->pieces++;
}

static twx_rc on_open(void *arg, twx_open *parent, twx_open *e, const twx_token *token) {
    sink *s = arg;
    (void)token;
    e->fragment = (parent && parent->fragment) || e->tag == TWX_TAG_template;
    if (e->tag == TWX_TAG_table) {
        assert_true(s->tables < TWX_COUNTOF(s->before));
        e->table = (uint32_t)s->tables;
        s->before[s->tables++] = s->cursor;
        insert(s, TWX_SLICE_LIT(""));
    }
    if (e->tag == TWX_TAG_title && !s->has_title && !e->fragment) s->in_title = s->has_title = true;
    return TWX_OK;
}

static twx_rc on_close(void *arg, twx_open *e) {
    sink *s = arg;
    if (e->tag == TWX_TAG_title) s->in_title = false;
    if (e->fostered.is) {
        s->before[e->fostered.table] = s->cursor;
        s->cursor = e->fostered.resume;
    }
    return TWX_OK;
}

static void on_foster(void *arg, twx_open *table, twx_open *e) {
    sink *s = arg;
    e->fostered.table = table->table;
    e->fostered.resume = (uint32_t)s->cursor;
    s->cursor = s->before[table->table];
}

static twx_rc on_text(void *arg, twx_open *current, twx_open *table, twx_slice text) {
    sink *s = arg;
    size_t resume = s->cursor;
    json_t *clean = cleaned(text, false, false, false);
    const twx_slice value = {json_string_value(clean), json_string_length(clean)};
    if (s->in_title && current->tag == TWX_TAG_title)
        assert_int_equal(twx_buf_add_slice(&s->cx, &s->title, value), TWX_OK);
    if (table) s->cursor = s->before[table->table];
    insert(s, value);
    if (table) {
        s->before[table->table] = s->cursor;
        s->cursor = resume;
    }
    json_decref(clean);
    return TWX_OK;
}

static void on_moved(void *arg, twx_open *parent, twx_open *e) {
    (void)arg, (void)parent, (void)e;
}

static twx_rc on_more_attributes(void *arg, twx_open *e) {
    (void)arg, (void)e;
    return TWX_OK;
}

static twx_rc read_tree(sink *s, twx_slice page, twx_buf *ret_text) {
    const twx_tree_sink callbacks = {.arg = s,
                                     .open = on_open,
                                     .close = on_close,
                                     .text = on_text,
                                     .more_attributes = on_more_attributes,
                                     .moved = on_moved,
                                     .foster = on_foster};
    twx_tokenizer t;
    twx_tree tree;
    twx_tokenizer_init(&t);
    twx_tree_init(&tree);
    twx_tokenizer_open(&t, &s->cx, page);
    const twx_rc rc = twx_tree_read(&s->cx, &tree, &t, &callbacks);
    for (size_t i = s->piece[0].next; i; i = s->piece[i].next)
        assert_int_equal(twx_buf_add(&s->cx, ret_text, s->piece[i].p, s->piece[i].n), TWX_OK);
    for (size_t i = 1; i < s->pieces; i++) free(s->piece[i].p);
    twx_tokenizer_done(&t);
    twx_tree_done(&tree);
    return rc;
}

/* The text nodes of a dump of a document: lines '| ..."text', text may span lines. Title: that of
 * the first <title>. */
static void wanted_text(twx_ctx *cx, const char *dump, const char *end, twx_buf *text,
                        twx_buf *title) {
    bool in_text = false, title_done = false;
    size_t title_depth = 0, template_depth = 0;
    for (const char *line = dump, *next; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next) next = end;
        if (!in_text) {
            if (next - line < 2 || line[0] != '|') continue;
            size_t depth = 0;
            while (line[2 + depth] == ' ') depth++;
            const char *what = line + 2 + depth;
            if (template_depth && depth < template_depth) template_depth = 0;
            if (title_depth && depth < title_depth) {
                title_depth = 0;
                title_done = true;
            }
            if (strncmp(what, "<template>", 10) == 0 && !template_depth) template_depth = depth + 1;
            if (strncmp(what, "<title>", 7) == 0 && !title_done && !title_depth && !template_depth)
                title_depth = depth + 1;
            if (*what != '"' || (what > line + 2 && strncmp(what - 1, " \"", 2) != 0)) continue;
            line = what + 1;
            in_text = true;
        } else {
            assert_int_equal(twx_buf_add_char(cx, text, '\n'), TWX_OK);
            if (title_depth) assert_int_equal(twx_buf_add_char(cx, title, '\n'), TWX_OK);
        }
        const bool closes = next > line && next[-1] == '"' &&
                            (next == end || next[1] == '|' || next[1] == '\n' || next[1] == '\0');
        const size_t n = (size_t)(next - line) - closes;
        assert_int_equal(twx_buf_add(cx, text, line, n), TWX_OK);
        if (title_depth) assert_int_equal(twx_buf_add(cx, title, line, n), TWX_OK);
        in_text = !closes;
    }
}

/* Tests whose text differs on purpose. */
static const struct {
    const char *data, *reason;
} TREE_DEVIATIONS[] = {
    {"<select><button><selectedcontent>",
     "a browser copies the chosen option there when it runs; select shows it once"},
    {"<!doctype html><p> <frameset>", "white space of a body that a frameset replaces"},
    {"<!doctype html><svg><foreignObject><div> <frameset>", "the same"},
    {"<!doctype html><svg> </svg><frameset>", "the same"},
};

static void tree_test(const char *file, const char *data, size_t data_n, const char *dump,
                      const char *dump_end) {
    static sink s;
    twx_buf text, wanted, title;
    memset(&s, 0, sizeof s);
    twx_ctx_init(&s.cx);
    twx_buf_init(&s.title, 1 << 20);
    twx_buf_init(&text, 1 << 24);
    twx_buf_init(&wanted, 1 << 24);
    twx_buf_init(&title, 1 << 20);
    s.pieces = 1;
    size_t n = 0;
    char *page = with_line_feeds((twx_slice){data, data_n}, &n);
    assert_int_equal(read_tree(&s, (twx_slice){page, n}, &text), TWX_OK);
    free(page);
    wanted_text(&s.cx, dump, dump_end, &wanted, &title);
    tested++;
    if (!twx_slice_eq(twx_buf_slice(&text), twx_buf_slice(&wanted)) ||
        !twx_slice_eq(twx_buf_slice(&s.title), twx_buf_slice(&title))) {
        bool known = false;
        for (size_t i = 0; i < TWX_COUNTOF(TREE_DEVIATIONS); i++)
            known |= strncmp(data, TREE_DEVIATIONS[i].data, strlen(TREE_DEVIATIONS[i].data)) == 0;
        if (known)
            deviating++;
        else if (unexpected++ < 40)
            print_error("tree-construction/%s: %.*s\n   wanted '%s', title '%s'\n   got    '%s', "
                        "title '%s'\n",
                        file, (int)data_n, data, twx_buf_slice(&wanted).p, twx_buf_slice(&title).p,
                        twx_buf_slice(&text).p, twx_buf_slice(&s.title).p);
    }
    twx_buf_done(&text);
    twx_buf_done(&wanted);
    twx_buf_done(&title);
    twx_buf_done(&s.title);
}

static void tree_file(const char *name, char *text, size_t n) {
    char *end = text + n;
    for (char *at = text; at < end;) {
        char *data = strstr(at, "#data\n");
        if (!data) break;
        data += 6;
        char *errors = strstr(data, "\n#errors");
        if (!errors) break;
        if (data[-1] == '\n' && strncmp(data, "#errors", 7) == 0) errors = data - 1;
        char *document = strstr(errors, "\n#document\n"),
             *fragment = strstr(errors, "\n#document-fragment");
        char *script_on = strstr(errors, "\n#script-on");
        char *stop = strstr(errors + 1, "\n#data\n");
        if (!stop) stop = end;
        at = stop + 1 < end ? stop : end;
        const bool other_parser = (fragment && fragment < stop) || (script_on && script_on < stop);
        if (other_parser || !document || document > stop) {
            deviating++; /* fragments and scripts: the reader has neither */
            continue;
        }
        tree_test(name, data, errors > data ? (size_t)(errors - data) : 0, document + 11, stop);
    }
}

static void tree_suite(void **state) {
    (void)state;
    if (!have_suite()) skip();
    tested = deviating = unexpected = 0;
    each_file("tree-construction", ".dat", tree_file);
    print_message("tree construction: %d tests, %d left out (fragments, scripts), %d fail\n",
                  tested, deviating, unexpected);
    assert_true(tested > 1000);
    assert_int_equal(unexpected, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoding_suite),
        cmocka_unit_test(tokenizer_suite),
        cmocka_unit_test(tree_suite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
