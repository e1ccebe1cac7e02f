/* The insertion mode "in body" (HTML standard, section 13.2.6.4.7): one function for each rule of
 * page/html_tokens.c. */
#include "page/internal.h"

static const twx_tag NO_TAG = TWX_TAG_unknown;

static void close_p(twx_tree *tree) {
    (void)twx_close_in_scope(tree, TWX_TAG_p, TWX_BUTTON_SCOPE, TWX_TAG_p);
}

/* ---- start tags --------------------------------------------------------- */

static void start_other(twx_tree *tree, twx_html_token *token) {
    twx_reconstruct(tree);
    twx_insert(tree, token->tag, token);
}

static void more_attributes(twx_tree *tree, size_t index) {
    if (index < tree->stack.n)
        twx_tree_fail(tree, tree->sink->more_attributes(tree->sink->arg, &tree->stack.at[index]));
}

static void start_html(twx_tree *tree, twx_html_token *token) {
    (void)token;
    if (tree->count[TWX_TAG_template] == 0) more_attributes(tree, 0);
}

static void start_head(twx_tree *tree, twx_html_token *token) {
    twx_in_head(tree, token);
}

static void start_body(twx_tree *tree, twx_html_token *token) {
    (void)token;
    if (tree->stack.n < 2 || tree->stack.at[1].tag != TWX_TAG_body ||
        tree->count[TWX_TAG_template] > 0)
        return;
    tree->frameset_ok = false;
    more_attributes(tree, 1);
}

static void start_frameset(twx_tree *tree, twx_html_token *token) {
    if (tree->stack.n < 2 || tree->stack.at[1].tag != TWX_TAG_body || !tree->frameset_ok) return;
    twx_pop_to(tree, 1);
    twx_insert(tree, token->tag, token);
    tree->mode = TWX_MODE_IN_FRAMESET;
}

static void start_block(twx_tree *tree, twx_html_token *token) {
    close_p(tree);
    twx_insert(tree, token->tag, token);
}

static void start_heading(twx_tree *tree, twx_html_token *token) {
    close_p(tree);
    if (twx_top(tree)->flags & TWX_EL_HEADING) twx_pop(tree);
    twx_insert(tree, token->tag, token);
}

static void start_pre(twx_tree *tree, twx_html_token *token) {
    start_block(tree, token);
    tree->skip_line_feed = true;
    tree->frameset_ok = false;
}

static void start_form(twx_tree *tree, twx_html_token *token) {
    const bool template = tree->count[TWX_TAG_template] > 0;
    if (tree->form && !template) return;
    start_block(tree, token);
    if (!template) tree->form = true;
}

/* Closes the open item of the same list unless a special element other than address, div and p is
 * nested in it. */
static void start_item(twx_tree *tree, twx_html_token *token) {
    const bool li = token->tag == TWX_TAG_li;
    size_t steps = 0;
    tree->frameset_ok = false;
    for (size_t i = tree->stack.n; i-- > 0 && steps++ < TWX_TREE_WALK;) {
        const twx_open *e = &tree->stack.at[i];
        if (li ? e->tag == TWX_TAG_li : e->tag == TWX_TAG_dd || e->tag == TWX_TAG_dt) {
            const twx_tag item = (twx_tag)e->tag;
            twx_imply_end_tags(tree, item);
            twx_pop_until(tree, item);
            break;
        }
        if (e->flags & TWX_EL_SPECIAL && e->tag != TWX_TAG_address && e->tag != TWX_TAG_div &&
            e->tag != TWX_TAG_p)
            break;
    }
    start_block(tree, token);
}

static void start_plaintext(twx_tree *tree, twx_html_token *token) {
    start_block(tree, token);
    tree->t->state = TWX_IN_PLAINTEXT;
}

static void start_button(twx_tree *tree, twx_html_token *token) {
    (void)twx_close_in_scope(tree, TWX_TAG_button, TWX_SCOPE, NO_TAG);
    start_other(tree, token);
    tree->frameset_ok = false;
}

static void start_format(twx_tree *tree, twx_html_token *token) {
    start_other(tree, token);
    twx_format_push(tree, token->source);
}

static void start_a(twx_tree *tree, twx_html_token *token) {
    size_t at = twx_format_find(tree, TWX_TAG_a);
    if (at != SIZE_MAX) {
        const twx_html_token end = {.kind = TWX_TOKEN_CLOSE, .tag = TWX_TAG_a, .text = token->text};
        twx_adopt(tree, &end);
        at = twx_format_find(tree, TWX_TAG_a);
        if (at != SIZE_MAX) {
            const int32_t depth = tree->formatting.at[at].depth;
            if (depth >= 0) twx_remove_from_stack(tree, (size_t)depth);
            twx_format_remove(tree, at);
        }
    }
    start_format(tree, token);
}

static void start_nobr(twx_tree *tree, twx_html_token *token) {
    twx_reconstruct(tree);
    if (twx_in_scope(tree, TWX_TAG_nobr, TWX_SCOPE)) {
        const twx_html_token end = {
            .kind = TWX_TOKEN_CLOSE, .tag = TWX_TAG_nobr, .text = token->text};
        twx_adopt(tree, &end);
    }
    start_format(tree, token);
}

static void start_marker(twx_tree *tree, twx_html_token *token) {
    start_other(tree, token);
    twx_format_marker(tree);
    tree->frameset_ok = false;
}

static void start_table(twx_tree *tree, twx_html_token *token) {
    if (!tree->quirks) close_p(tree);
    twx_insert(tree, token->tag, token);
    tree->frameset_ok = false;
    tree->mode = TWX_MODE_IN_TABLE;
}

void twx_insert_void(twx_tree *tree, const twx_html_token *token) {
    const size_t n = tree->stack.n;
    twx_insert(tree, token->tag, token);
    twx_pop_to(tree, n);
}

static void start_void(twx_tree *tree, twx_html_token *token) {
    twx_reconstruct(tree);
    twx_insert_void(tree, token);
    tree->frameset_ok = false;
}

static void start_param(twx_tree *tree, twx_html_token *token) {
    twx_insert_void(tree, token);
}

static void start_input(twx_tree *tree, twx_html_token *token) {
    const bool ok = tree->frameset_ok &&
                    twx_slice_eq_nocase(twx_attribute_raw(tree->t, TWX_ATTR_type),
                                        TWX_SLICE_LIT("hidden"));
    if (twx_in_scope(tree, TWX_TAG_select, TWX_SCOPE)) twx_pop_until(tree, TWX_TAG_select);
    start_void(tree, token);
    tree->frameset_ok = ok;
}

static void start_hr(twx_tree *tree, twx_html_token *token) {
    close_p(tree);
    if (twx_in_scope(tree, TWX_TAG_select, TWX_SCOPE)) twx_imply_end_tags(tree, NO_TAG);
    twx_insert_void(tree, token);
    tree->frameset_ok = false;
}

static void start_image(twx_tree *tree, twx_html_token *token) {
    token->tag = TWX_TAG_img;
    start_void(tree, token);
}

void twx_insert_raw(twx_tree *tree, const twx_html_token *token, twx_token_state state) {
    const size_t n = tree->stack.n;
    twx_insert(tree, token->tag, token);
    tree->t->state = state;
    tree->original = tree->mode;
    tree->mode = TWX_MODE_TEXT;
    if (tree->stack.n == n && tree->rc == TWX_OK) tree->ignored = 1; /* its end tag pops nothing */
}

static void start_textarea(twx_tree *tree, twx_html_token *token) {
    twx_insert_raw(tree, token, TWX_IN_RCDATA);
    tree->skip_line_feed = true;
    tree->frameset_ok = false;
}

static void start_xmp(twx_tree *tree, twx_html_token *token) {
    close_p(tree);
    twx_reconstruct(tree);
    tree->frameset_ok = false;
    twx_insert_raw(tree, token, TWX_IN_RAWTEXT);
}

static void start_rawtext(twx_tree *tree, twx_html_token *token) {
    if (token->tag == TWX_TAG_iframe) tree->frameset_ok = false;
    twx_insert_raw(tree, token, TWX_IN_RAWTEXT);
}

static void start_select(twx_tree *tree, twx_html_token *token) {
    if (twx_in_scope(tree, TWX_TAG_select, TWX_SCOPE)) {
        twx_pop_until(tree, TWX_TAG_select);
        return;
    }
    start_other(tree, token);
    tree->frameset_ok = false;
}

static void start_option(twx_tree *tree, twx_html_token *token) {
    if (twx_in_scope(tree, TWX_TAG_select, TWX_SCOPE))
        twx_imply_end_tags(tree, token->tag == TWX_TAG_option ? TWX_TAG_optgroup : NO_TAG);
    else if (twx_top(tree)->tag == TWX_TAG_option)
        twx_pop(tree);
    start_other(tree, token);
}

static void start_ruby(twx_tree *tree, twx_html_token *token) {
    const bool inner = token->tag == TWX_TAG_rp || token->tag == TWX_TAG_rt;
    if (twx_in_scope(tree, TWX_TAG_ruby, TWX_SCOPE))
        twx_imply_end_tags(tree, inner ? TWX_TAG_rtc : NO_TAG);
    twx_insert(tree, token->tag, token);
}

static void start_foreign(twx_tree *tree, twx_html_token *token) {
    twx_reconstruct(tree);
    const size_t n = tree->stack.n;
    twx_insert_foreign(tree, token->tag == TWX_TAG_svg ? TWX_SVG : TWX_MATHML, token);
    if (token->self_closing) twx_pop_to(tree, n);
}

static void start_ignored(twx_tree *tree, twx_html_token *token) {
    (void)tree, (void)token;
}

/* ---- end tags ----------------------------------------------------------- */

static void end_body(twx_tree *tree, twx_html_token *token) {
    if (!twx_in_scope(tree, TWX_TAG_body, TWX_SCOPE)) return;
    tree->mode = TWX_MODE_AFTER_BODY;
    if (token->tag == TWX_TAG_html) twx_process_html(tree, token);
}

static void end_block(twx_tree *tree, twx_html_token *token) {
    (void)twx_close_in_scope(tree, token->tag, TWX_SCOPE, NO_TAG);
}

static void end_form(twx_tree *tree, twx_html_token *token) {
    (void)token;
    const size_t at = twx_find_open(tree, TWX_TAG_form);
    if (tree->count[TWX_TAG_template] == 0) {
        const bool had = tree->form;
        tree->form = false;
        if (!had || !twx_in_scope(tree, TWX_TAG_form, TWX_SCOPE)) return;
        twx_imply_end_tags(tree, NO_TAG);
        twx_remove_from_stack(tree, at);
    } else {
        (void)twx_close_in_scope(tree, TWX_TAG_form, TWX_SCOPE, NO_TAG);
    }
}

static void end_p(twx_tree *tree, twx_html_token *token) {
    (void)token;
    if (!twx_in_scope(tree, TWX_TAG_p, TWX_BUTTON_SCOPE)) twx_insert(tree, TWX_TAG_p, NULL);
    close_p(tree);
}

static void end_item(twx_tree *tree, twx_html_token *token) {
    const twx_scope scope = token->tag == TWX_TAG_li ? TWX_LIST_SCOPE : TWX_SCOPE;
    (void)twx_close_in_scope(tree, token->tag, scope, token->tag);
}

static void end_heading(twx_tree *tree, twx_html_token *token) {
    (void)token;
    if (!twx_heading_in_scope(tree)) return;
    twx_imply_end_tags(tree, NO_TAG);
    while (tree->stack.n > 1) {
        const bool heading = (twx_top(tree)->flags & TWX_EL_HEADING) != 0;
        twx_pop(tree);
        if (heading) return;
    }
}

static void end_format(twx_tree *tree, twx_html_token *token) {
    twx_adopt(tree, token);
}

static void end_marker(twx_tree *tree, twx_html_token *token) {
    if (twx_close_in_scope(tree, token->tag, TWX_SCOPE, NO_TAG)) twx_format_clear(tree);
}

static void end_br(twx_tree *tree, twx_html_token *token) {
    twx_reconstruct(tree);
    const size_t n = tree->stack.n;
    twx_insert(tree, token->tag, NULL);
    twx_pop_to(tree, n);
    tree->frameset_ok = false;
}

static void end_template(twx_tree *tree, twx_html_token *token) {
    twx_in_head(tree, token);
}

static void end_other(twx_tree *tree, twx_html_token *token) {
    twx_any_other_end_tag(tree, token);
}

/* ---- the mode ----------------------------------------------------------- */

#define START_ROW(NAME, name) [TWX_START_##NAME] = start_##name,
#define END_ROW(NAME, name)   [TWX_END_##NAME] = end_##name,
static twx_mode_fn *const START[TWX_STARTS] = {TWX_BODY_STARTS(START_ROW)};
static twx_mode_fn *const END[TWX_ENDS] = {TWX_BODY_ENDS(END_ROW)};

/* NUL bytes are dropped here. */
static void body_text(twx_tree *tree, twx_slice text) {
    twx_html_token rest = {.text = text};
    if (text.n == 0) return;
    twx_reconstruct(tree);
    twx_insert_text(tree, text);
    (void)twx_take_space(&rest);
    if (rest.text.n > 0) tree->frameset_ok = false;
}

void twx_in_body(twx_tree *tree, twx_html_token *token) {
    switch (token->kind) {
    case TWX_TOKEN_TEXT:
        for (twx_slice rest = token->text; rest.n > 0;) {
            const size_t nul = twx_slice_find(rest, '\0', 0);
            body_text(tree, twx_slice_sub(rest, 0, nul));
            rest = twx_slice_sub(rest, nul + 1, rest.n);
        }
        return;
    case TWX_TOKEN_START: START[TWX_ELEMENT[token->tag].start](tree, token); return;
    case TWX_TOKEN_CLOSE: END[TWX_ELEMENT[token->tag].end](tree, token); return;
    case TWX_TOKEN_END:
        if (tree->template_modes.n > 0)
            tree->mode = TWX_MODE_IN_TEMPLATE, twx_process_html(tree, token);
        else
            tree->done = true;
        return;
    default: return;
    }
}
