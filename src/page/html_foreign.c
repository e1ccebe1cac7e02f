/* SVG and MathML inside a page (HTML standard, section 13.2.6.5). */
#include "page/html_modes.h"

static bool is_math_text_point(const twx_open *e) {
    return e->ns == TWX_MATHML &&
           (e->foreign == TWX_TAG_mi || e->foreign == TWX_TAG_mo || e->foreign == TWX_TAG_mn ||
            e->foreign == TWX_TAG_ms || e->foreign == TWX_TAG_mtext);
}

bool twx_is_foreign_content(twx_tree *tree, const twx_html_token *token) {
    if (tree->stack.n == 0 || token->kind == TWX_TOKEN_END) return false;
    const twx_open *e = twx_top(tree);
    const bool start = token->kind == TWX_TOKEN_START, text = token->kind == TWX_TOKEN_TEXT;
    if (e->ns == TWX_HTML) return false;
    if (is_math_text_point(e) &&
        (text || (start && token->tag != TWX_TAG_mglyph && token->tag != TWX_TAG_malignmark)))
        return false;
    if (e->ns == TWX_MATHML && e->foreign == TWX_TAG_annotation_xml && start &&
        token->tag == TWX_TAG_svg)
        return false;
    return !(e->integration && (start || text));
}

static bool breaks_out(const twx_tree *tree, const twx_html_token *token) {
    const uint32_t font = 1u << TWX_ATTR_color | 1u << TWX_ATTR_face | 1u << TWX_ATTR_size;
    if (token->kind == TWX_TOKEN_CLOSE) return token->tag == TWX_TAG_br || token->tag == TWX_TAG_p;
    if (token->tag == TWX_TAG_font) return (tree->t->known & font) != 0;
    return (TWX_ELEMENT[token->tag].flags & TWX_EL_BREAKOUT) != 0;
}

static void break_out(twx_tree *tree, twx_html_token *token) {
    while (tree->stack.n > 1) {
        const twx_open *e = twx_top(tree);
        if (e->ns == TWX_HTML || e->integration || is_math_text_point(e)) break;
        twx_pop(tree);
    }
    twx_process_html(tree, token);
}

static void close_foreign(twx_tree *tree, twx_html_token *token) {
    size_t steps = 0;
    for (size_t i = tree->stack.n; i-- > 1 && steps++ < TWX_TREE_WALK;) {
        const twx_open *e = &tree->stack.at[i];
        if (e->ns == TWX_HTML) {
            twx_process_html(tree, token);
            return;
        }
        if (twx_slice_eq_nocase(e->name, token->text)) {
            twx_pop_to(tree, i);
            return;
        }
    }
}

void twx_in_foreign(twx_tree *tree, twx_html_token *token) {
    switch (token->kind) {
    case TWX_TOKEN_TEXT: twx_insert_text(tree, token->text); return;
    case TWX_TOKEN_START:
        if (breaks_out(tree, token)) {
            break_out(tree, token);
            return;
        }
        twx_insert_foreign(tree, (twx_namespace)twx_top(tree)->ns, token);
        if (token->self_closing) twx_pop(tree);
        return;
    case TWX_TOKEN_CLOSE:
        if (breaks_out(tree, token))
            break_out(tree, token);
        else
            close_foreign(tree, token);
        return;
    default: return; /* comments and document types */
    }
}
