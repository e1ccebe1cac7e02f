/* Replays the tree construction of html5lib-tests (html5lib_suite.h): the text of the document in
 * order, and the title. The package of Go's parser has a copy of it. Deviations are listed with
 * their reasons. tests/golden/trees.dat is made by scripts/browser/make_trees.js. */
#include "html5lib_suite.h"

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

static twx_rc on_open(void *arg, twx_open *parent, twx_open *e, const twx_html_token *token) {
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
        assert_ok(twx_buf_add_slice(&s->cx, &s->title, value));
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
    twx_tokenizer t = {0};
    twx_tree tree = {0};
    twx_tokenizer_open(&t, &s->cx, page);
    const twx_rc rc = twx_tree_read(&s->cx, &tree, &t, &callbacks);
    for (size_t i = s->piece[0].next; i; i = s->piece[i].next)
        assert_ok(twx_buf_add(&s->cx, ret_text, s->piece[i].p, s->piece[i].n));
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
            assert_ok(twx_buf_add_char(cx, text, '\n'));
            if (title_depth) assert_ok(twx_buf_add_char(cx, title, '\n'));
        }
        const bool closes = next > line && next[-1] == '"' &&
                            (next == end || next[1] == '|' || next[1] == '\n' || next[1] == '\0');
        const size_t n = (size_t)(next - line) - closes;
        assert_ok(twx_buf_add(cx, text, line, n));
        if (title_depth) assert_ok(twx_buf_add(cx, title, line, n));
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
    {"<!doctype html><select><plaintext></plaintext>X",
     "in copies before 2025, when the standard let select have any content"},
    {"<!doctype html><table><select><plaintext>a<caption>b", "the same"},
    {"a<tr><template><tfoot>b<td>",
     "text that a row group within a template moves after the group; neither is shown"},
};

static void tree_test(const char *file, const char *data, size_t data_n, const char *dump,
                      const char *dump_end) {
    static sink s;
    twx_buf text = {.max = 1 << 24}, wanted, title;
    memset(&s, 0, sizeof s);
    twx_ctx_init(&s.cx);
    twx_buf_init(&s.title, 1 << 20);
    twx_buf_init(&wanted, 1 << 24);
    twx_buf_init(&title, 1 << 20);
    s.pieces = 1;
    size_t n = 0;
    char *page = with_line_feeds((twx_slice){data, data_n}, &n);
    assert_ok(read_tree(&s, (twx_slice){page, n}, &text));
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

TEST(tree_suite) {
    const char *folder = test_suite("html5lib-tests/tree-construction",
                                    "/usr/share/gocode/src/golang.org/x/net/html/testdata/webkit");
    if (!folder) skip();
    tested = deviating = unexpected = 0;
    each_file(folder, ".dat", tree_file);
    print_message("tree construction: %d tests, %d left out (fragments, scripts), %d fail\n",
                  tested, deviating, unexpected);
    assert_true(tested > 1000);
    assert_int_equal(unexpected, 0);
}

/* The same for random sequences of tags; the trees are those of Chromium. */
TEST(random_trees) {
    size_t n = 0;
    tested = deviating = unexpected = 0;
    char *text = read_whole(TWINDEX_SOURCE_DIR "/tests/golden/trees.dat", &n);
    tree_file("trees.dat", text, n);
    free(text);
    assert_true(tested > 1000);
    assert_int_equal(unexpected, 0);
}
