/* The insertion modes before and after the body, and functions that all modes share. */
#include "page/internal.h"

/* ---- helpers ------------------------------------------------------------ */

twx_slice twx_take_space(twx_html_token *token) {
    size_t n = 0;
    while (n < token->text.n &&
           (token->text.p[n] == ' ' || token->text.p[n] == '\n' || token->text.p[n] == '\t' ||
            token->text.p[n] == '\f' || token->text.p[n] == '\r'))
        n++;
    const twx_slice space = {token->text.p, n};
    token->text.p += n;
    token->text.n -= n;
    return space;
}

/* Is this text that is all white space? Else leading white space is removed. */
static bool is_blank(twx_html_token *token) {
    if (token->kind != TWX_TOKEN_TEXT) return false;
    (void)twx_take_space(token);
    return token->text.n == 0;
}

/* The same, and inserts the white space. */
static bool insert_blank(twx_tree *tree, twx_html_token *token) {
    if (token->kind != TWX_TOKEN_TEXT) return false;
    twx_insert_text(tree, twx_take_space(token));
    return token->text.n == 0;
}

static bool is_start(const twx_html_token *token, twx_tag tag) {
    return token->kind == TWX_TOKEN_START && token->tag == tag;
}

static bool is_end(const twx_html_token *token, twx_tag tag) {
    return token->kind == TWX_TOKEN_CLOSE && token->tag == tag;
}

/* Before the body all end tags are ignored except these. */
static bool is_stray_end(const twx_html_token *token) {
    return token->kind == TWX_TOKEN_CLOSE && token->tag != TWX_TAG_head &&
           token->tag != TWX_TAG_body && token->tag != TWX_TAG_html && token->tag != TWX_TAG_br;
}

static bool is_aside(const twx_html_token *token) {
    return token->kind == TWX_TOKEN_COMMENT || token->kind == TWX_TOKEN_DOCTYPE;
}

static void go_on(twx_tree *tree, twx_mode mode, twx_html_token *token) {
    tree->mode = mode;
    twx_process(tree, token);
}

/* ---- before the head ---------------------------------------------------- */

static void initial(twx_tree *tree, twx_html_token *token) {
    if (is_blank(token)) return;
    if (token->kind == TWX_TOKEN_COMMENT) return;
    tree->mode = TWX_MODE_BEFORE_HTML;
    if (token->kind == TWX_TOKEN_DOCTYPE) {
        tree->quirks = twx_doctype_quirks(token);
        return;
    }
    tree->quirks = true;
    twx_process(tree, token);
}

static void before_html(twx_tree *tree, twx_html_token *token) {
    if (is_blank(token)) return;
    if (is_aside(token) || is_stray_end(token)) return;
    const bool html = is_start(token, TWX_TAG_html);
    twx_insert(tree, TWX_TAG_html, html ? token : NULL);
    tree->mode = TWX_MODE_BEFORE_HEAD;
    if (!html) twx_process(tree, token);
}

static void before_head(twx_tree *tree, twx_html_token *token) {
    if (is_blank(token)) return;
    if (is_aside(token) || is_stray_end(token)) return;
    if (is_start(token, TWX_TAG_html)) {
        twx_in_body(tree, token);
        return;
    }
    const bool head = is_start(token, TWX_TAG_head);
    twx_insert(tree, TWX_TAG_head, head ? token : NULL);
    tree->head = true;
    tree->mode = TWX_MODE_IN_HEAD;
    if (!head) twx_process(tree, token);
}

/* ---- head --------------------------------------------------------------- */

static void start_template(twx_tree *tree, twx_html_token *token) {
    const size_t n = tree->stack.n;
    twx_insert(tree, token->tag, token);
    if (tree->stack.n == n) return;
    twx_format_marker(tree);
    tree->frameset_ok = false;
    tree->mode = TWX_MODE_IN_TEMPLATE;
    if (!TWX_VEC_PUSH(tree->cx, &tree->template_modes, TWX_MODE_IN_TEMPLATE))
        twx_tree_fail(tree, TWX_E_NOMEM);
}

static void end_template(twx_tree *tree) {
    if (tree->count[TWX_TAG_template] == 0) return;
    while (twx_top(tree)->flags & (TWX_EL_IMPLIED | TWX_EL_IMPLIED_2)) twx_pop(tree);
    twx_pop_until(tree, TWX_TAG_template);
    twx_format_clear(tree);
    if (tree->template_modes.n > 0) tree->template_modes.n--;
    twx_reset_mode(tree);
}

/* true: the token was an element of the head. */
static bool head_element(twx_tree *tree, twx_html_token *token) {
    if (is_end(token, TWX_TAG_template)) {
        end_template(tree);
        return true;
    }
    if (token->kind != TWX_TOKEN_START) return false;
    switch (token->tag) {
    case TWX_TAG_base:
    case TWX_TAG_basefont:
    case TWX_TAG_bgsound:
    case TWX_TAG_link:
    case TWX_TAG_meta: twx_insert_void(tree, token); return true;
    case TWX_TAG_title: twx_insert_raw(tree, token, TWX_IN_RCDATA); return true;
    case TWX_TAG_noframes:
    case TWX_TAG_style: twx_insert_raw(tree, token, TWX_IN_RAWTEXT); return true;
    case TWX_TAG_script: twx_insert_raw(tree, token, TWX_IN_SCRIPT); return true;
    case TWX_TAG_template: start_template(tree, token); return true;
    default: return false;
    }
}

void twx_in_head(twx_tree *tree, twx_html_token *token) {
    if (insert_blank(tree, token)) return;
    if (is_aside(token) || head_element(tree, token)) return;
    if (is_start(token, TWX_TAG_html)) {
        twx_in_body(tree, token);
    } else if (is_start(token, TWX_TAG_noscript)) {
        twx_insert(tree, token->tag, token);
        tree->mode = TWX_MODE_IN_HEAD_NOSCRIPT;
    } else if (is_end(token, TWX_TAG_head)) {
        twx_pop(tree);
        tree->mode = TWX_MODE_AFTER_HEAD;
    } else if (!is_start(token, TWX_TAG_head) && !is_stray_end(token)) {
        twx_pop(tree);
        go_on(tree, TWX_MODE_AFTER_HEAD, token);
    }
}

static void in_head_noscript(twx_tree *tree, twx_html_token *token) {
    if (insert_blank(tree, token)) return;
    if (token->kind == TWX_TOKEN_DOCTYPE) return;
    if (is_end(token, TWX_TAG_noscript)) {
        twx_pop(tree);
        tree->mode = TWX_MODE_IN_HEAD;
        return;
    }
    if (is_start(token, TWX_TAG_html)) {
        twx_in_body(tree, token);
        return;
    }
    const twx_tag tag = token->tag;
    const bool start = token->kind == TWX_TOKEN_START;
    if (token->kind == TWX_TOKEN_COMMENT ||
        (start && (tag == TWX_TAG_basefont || tag == TWX_TAG_bgsound || tag == TWX_TAG_link ||
                   tag == TWX_TAG_meta || tag == TWX_TAG_noframes || tag == TWX_TAG_style))) {
        twx_in_head(tree, token);
        return;
    }
    if ((start && (tag == TWX_TAG_head || tag == TWX_TAG_noscript)) ||
        (token->kind == TWX_TOKEN_CLOSE && tag != TWX_TAG_br))
        return;
    twx_pop(tree);
    go_on(tree, TWX_MODE_IN_HEAD, token);
}

static void after_head(twx_tree *tree, twx_html_token *token) {
    if (insert_blank(tree, token)) return;
    if (is_aside(token) || is_start(token, TWX_TAG_head)) return;
    if (is_start(token, TWX_TAG_html)) {
        twx_in_body(tree, token);
        return;
    }
    if (is_end(token, TWX_TAG_template) ||
        (token->kind == TWX_TOKEN_START && TWX_ELEMENT[token->tag].start == TWX_START_HEAD)) {
        /* these elements belong to the head, which is reopened for them */
        const size_t n = tree->stack.n;
        twx_insert(tree, TWX_TAG_head, NULL);
        (void)head_element(tree, token);
        if (tree->mode == TWX_MODE_AFTER_HEAD)
            twx_pop_to(tree, n);
        else
            twx_remove_from_stack(tree, n);
        return;
    }
    if (is_stray_end(token)) return;
    const bool body = is_start(token, TWX_TAG_body), frameset = is_start(token, TWX_TAG_frameset);
    twx_insert(tree, frameset ? TWX_TAG_frameset : TWX_TAG_body, body || frameset ? token : NULL);
    if (body) tree->frameset_ok = false;
    tree->mode = frameset ? TWX_MODE_IN_FRAMESET : TWX_MODE_IN_BODY;
    if (!body && !frameset) twx_process(tree, token);
}

/* ---- text, template ----------------------------------------------------- */

static void in_text(twx_tree *tree, twx_html_token *token) {
    if (token->kind == TWX_TOKEN_TEXT) {
        twx_insert_text(tree, token->text);
        return;
    }
    if (!tree->ignored) twx_pop(tree);
    tree->ignored = 0;
    tree->mode = tree->original;
    if (token->kind == TWX_TOKEN_END) twx_process(tree, token);
}

static void template_mode(twx_tree *tree, twx_mode mode, twx_html_token *token) {
    if (tree->template_modes.n > 0) tree->template_modes.at[tree->template_modes.n - 1] = mode;
    go_on(tree, mode, token);
}

static void in_template(twx_tree *tree, twx_html_token *token) {
    if (token->kind == TWX_TOKEN_END) {
        if (tree->count[TWX_TAG_template] == 0) {
            tree->done = true;
            return;
        }
        /* The standard closes one template and reprocesses the end of the page, which returns here
         * for the next template. This loop does the same without recursion, because a page can nest
         * more templates than the C stack has room for. */
        while (tree->count[TWX_TAG_template] > 0) {
            twx_pop_until(tree, TWX_TAG_template);
            twx_format_clear(tree);
            if (tree->template_modes.n > 0) tree->template_modes.n--;
        }
        twx_reset_mode(tree);
        twx_process(tree, token);
    } else if (token->kind == TWX_TOKEN_START) {
        switch (token->tag) {
        case TWX_TAG_caption:
        case TWX_TAG_colgroup:
        case TWX_TAG_tbody:
        case TWX_TAG_tfoot:
        case TWX_TAG_thead: template_mode(tree, TWX_MODE_IN_TABLE, token); return;
        case TWX_TAG_col: template_mode(tree, TWX_MODE_IN_COLUMN_GROUP, token); return;
        case TWX_TAG_tr: template_mode(tree, TWX_MODE_IN_TABLE_BODY, token); return;
        case TWX_TAG_td:
        case TWX_TAG_th: template_mode(tree, TWX_MODE_IN_ROW, token); return;
        default: break;
        }
        if (TWX_ELEMENT[token->tag].start == TWX_START_HEAD)
            twx_in_head(tree, token);
        else
            template_mode(tree, TWX_MODE_IN_BODY, token);
    } else if (token->kind == TWX_TOKEN_CLOSE) {
        if (token->tag == TWX_TAG_template) end_template(tree);
    } else {
        twx_in_body(tree, token);
    }
}

static twx_mode mode_of(twx_tree *tree, size_t i) {
    switch (tree->stack.at[i].tag) {
    case TWX_TAG_td:
    case TWX_TAG_th: return i > 0 ? TWX_MODE_IN_CELL : TWX_MODES;
    case TWX_TAG_tr: return TWX_MODE_IN_ROW;
    case TWX_TAG_tbody:
    case TWX_TAG_thead:
    case TWX_TAG_tfoot: return TWX_MODE_IN_TABLE_BODY;
    case TWX_TAG_caption: return TWX_MODE_IN_CAPTION;
    case TWX_TAG_colgroup: return TWX_MODE_IN_COLUMN_GROUP;
    case TWX_TAG_table: return TWX_MODE_IN_TABLE;
    case TWX_TAG_template:
        return tree->template_modes.n ? tree->template_modes.at[tree->template_modes.n - 1]
                                      : TWX_MODE_IN_BODY;
    case TWX_TAG_head: return i > 0 ? TWX_MODE_IN_HEAD : TWX_MODES;
    case TWX_TAG_body: return TWX_MODE_IN_BODY;
    case TWX_TAG_frameset: return TWX_MODE_IN_FRAMESET;
    case TWX_TAG_html: return tree->head ? TWX_MODE_AFTER_HEAD : TWX_MODE_BEFORE_HEAD;
    default: return TWX_MODES;
    }
}

void twx_reset_mode(twx_tree *tree) {
    size_t steps = 0;
    tree->mode = TWX_MODE_IN_BODY;
    for (size_t i = tree->stack.n; i-- > 0 && steps++ < TWX_TREE_WALK;) {
        const twx_mode mode = mode_of(tree, i);
        if (mode == TWX_MODES) continue;
        tree->mode = mode;
        return;
    }
}

/* ---- after the body, frames --------------------------------------------- */

static void after_body(twx_tree *tree, twx_html_token *token) {
    const bool after_html = tree->mode == TWX_MODE_AFTER_AFTER_BODY;
    twx_html_token rest = *token;
    if (is_start(token, TWX_TAG_html) || is_blank(&rest)) {
        twx_in_body(tree, token);
    } else if (is_aside(token)) {
        return;
    } else if (is_end(token, TWX_TAG_html) && !after_html) {
        tree->mode = TWX_MODE_AFTER_AFTER_BODY;
    } else if (token->kind == TWX_TOKEN_END) {
        tree->done = true;
    } else {
        go_on(tree, TWX_MODE_IN_BODY, token);
    }
}

/* Ignores all text of a frameset except white space. */
static void frameset_space(twx_tree *tree, twx_slice text) {
    for (size_t i = 0; i < text.n; i++)
        if (twx_is_space((unsigned char)text.p[i]))
            twx_insert_text(tree, twx_slice_sub(text, i, i + 1));
}

static void in_frameset(twx_tree *tree, twx_html_token *token) {
    const bool start = token->kind == TWX_TOKEN_START;
    if (token->kind == TWX_TOKEN_TEXT) {
        frameset_space(tree, token->text);
    } else if (is_start(token, TWX_TAG_html)) {
        twx_in_body(tree, token);
    } else if (is_start(token, TWX_TAG_frameset)) {
        twx_insert(tree, token->tag, token);
    } else if (is_end(token, TWX_TAG_frameset)) {
        if (tree->stack.n > 1) twx_pop(tree);
        if (twx_top(tree)->tag != TWX_TAG_frameset) tree->mode = TWX_MODE_AFTER_FRAMESET;
    } else if (is_start(token, TWX_TAG_frame)) {
        twx_insert_void(tree, token);
    } else if (start && token->tag == TWX_TAG_noframes) {
        twx_in_head(tree, token);
    } else if (token->kind == TWX_TOKEN_END) {
        tree->done = true;
    }
}

static void after_frameset(twx_tree *tree, twx_html_token *token) {
    const bool after_html = tree->mode == TWX_MODE_AFTER_AFTER_FRAMESET;
    if (token->kind == TWX_TOKEN_TEXT)
        frameset_space(tree, token->text);
    else if (is_start(token, TWX_TAG_html))
        twx_in_body(tree, token);
    else if (is_end(token, TWX_TAG_html) && !after_html)
        tree->mode = TWX_MODE_AFTER_AFTER_FRAMESET;
    else if (is_start(token, TWX_TAG_noframes))
        twx_in_head(tree, token);
    else if (token->kind == TWX_TOKEN_END)
        tree->done = true;
}

/* ---- reader ------------------------------------------------------------- */

#define MODE_ROW(name, function) [TWX_MODE_##name] = function,
static twx_mode_fn *const MODE[TWX_MODES] = {TWX_TREE_MODES(MODE_ROW)};

void twx_process_html(twx_tree *tree, twx_html_token *token) {
    if (tree->rc == TWX_OK) MODE[tree->mode](tree, token);
}

void twx_process(twx_tree *tree, twx_html_token *token) {
    if (tree->rc != TWX_OK) return;
    if (tree->stack.n && twx_top(tree)->ns != TWX_HTML && twx_is_foreign_content(tree, token))
        twx_in_foreign(tree, token);
    else
        MODE[tree->mode](tree, token);
}

void twx_tree_done(twx_tree *tree) {
    if (!tree) return;
    TWX_VEC_DONE(&tree->stack);
    TWX_VEC_DONE(&tree->formatting);
    TWX_VEC_DONE(&tree->table_text);
    TWX_VEC_DONE(&tree->template_modes);
}

twx_rc twx_tree_read(twx_ctx *cx, twx_tree *tree, twx_tokenizer *t, const twx_tree_sink *sink) {
    tree->stack.n = tree->formatting.n = tree->table_text.n = tree->template_modes.n = 0;
    memset(tree->count, 0, sizeof tree->count);
    tree->mode = tree->original = TWX_MODE_INITIAL;
    tree->foster = tree->quirks = tree->form = tree->head = false;
    tree->skip_line_feed = tree->done = tree->table_text_shown = false;
    tree->frameset_ok = true;
    tree->ignored = 0;
    tree->rc = TWX_OK;
    tree->cx = cx;
    tree->t = t;
    tree->sink = sink;
    while (tree->rc == TWX_OK && !tree->done) {
        twx_html_token token;
        t->foreign = tree->stack.n && twx_top(tree)->ns != TWX_HTML;
        const twx_rc rc = twx_tokenizer_next(t, &token);
        if (rc != TWX_OK) return rc;
        if (tree->skip_line_feed) {
            if (token.kind == TWX_TOKEN_TEXT && token.text.n && token.text.p[0] == '\n')
                token.text = twx_slice_sub(token.text, 1, token.text.n);
            tree->skip_line_feed = false;
        }
        if (token.kind == TWX_TOKEN_TEXT && token.text.n == 0) continue;
        twx_process(tree, &token);
    }
    while (tree->rc == TWX_OK && tree->stack.n > 0) twx_pop(tree);
    return tree->rc;
}
