#include "page/internal.h"

#include "quirks_table.h"

/* ==== html_tables */

/* The insertion modes of tables (HTML standard, sections 13.2.6.4.9 to 13.2.6.4.15). */

static bool is_any(twx_tag tag, const twx_tag *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == tag) return true;
    return false;
}

#define IS_ANY(tag, ...)                          \
    is_any((tag), (const twx_tag[]){__VA_ARGS__}, \
           sizeof((const twx_tag[]){__VA_ARGS__}) / sizeof(twx_tag))

static bool is_row_group(twx_tag tag) {
    return tag == TWX_TAG_tbody || tag == TWX_TAG_thead || tag == TWX_TAG_tfoot;
}

static bool is_cell(twx_tag tag) {
    return tag == TWX_TAG_td || tag == TWX_TAG_th;
}

/* Pops until the current element is one for which `stays` is true, html or template: the context of
 * a table, a table body or a row. */
static void clear_to(twx_tree *tree, bool (*stays)(twx_tag tag)) {
    while (tree->stack.n > 1) {
        const twx_tag tag = (twx_tag)twx_top(tree)->tag;
        if (stays(tag) || tag == TWX_TAG_template || tag == TWX_TAG_html) return;
        twx_pop(tree);
    }
}

static bool is_table(twx_tag tag) {
    return tag == TWX_TAG_table;
}

static bool is_row(twx_tag tag) {
    return tag == TWX_TAG_tr;
}

/* ---- table -------------------------------------------------------------- */

static void misplaced(twx_tree *tree, twx_html_token *token) {
    tree->foster = true;
    twx_in_body(tree, token);
    tree->foster = false;
}

static void insert_implied(twx_tree *tree, twx_tag tag, twx_mode mode, twx_html_token *token) {
    clear_to(tree, is_table);
    twx_insert(tree, tag, NULL);
    tree->mode = mode;
    twx_process(tree, token);
}

static void close_table(twx_tree *tree) {
    twx_pop_until(tree, TWX_TAG_table);
    twx_reset_mode(tree);
}

static void start_in_table(twx_tree *tree, twx_html_token *token) {
    const twx_tag tag = token->tag;
    if (tag == TWX_TAG_caption) {
        clear_to(tree, is_table);
        twx_format_marker(tree);
        twx_insert(tree, tag, token);
        tree->mode = TWX_MODE_IN_CAPTION;
    } else if (tag == TWX_TAG_colgroup) {
        clear_to(tree, is_table);
        twx_insert(tree, tag, token);
        tree->mode = TWX_MODE_IN_COLUMN_GROUP;
    } else if (tag == TWX_TAG_col) {
        insert_implied(tree, TWX_TAG_colgroup, TWX_MODE_IN_COLUMN_GROUP, token);
    } else if (is_row_group(tag)) {
        clear_to(tree, is_table);
        twx_insert(tree, tag, token);
        tree->mode = TWX_MODE_IN_TABLE_BODY;
    } else if (is_cell(tag) || tag == TWX_TAG_tr) {
        insert_implied(tree, TWX_TAG_tbody, TWX_MODE_IN_TABLE_BODY, token);
    } else if (tag == TWX_TAG_table) {
        if (!twx_in_scope(tree, TWX_TAG_table, TWX_TABLE_SCOPE)) return;
        close_table(tree);
        twx_process(tree, token);
    } else if (IS_ANY(tag, TWX_TAG_style, TWX_TAG_script, TWX_TAG_template)) {
        twx_in_head(tree, token);
    } else if (tag == TWX_TAG_input &&
               twx_slice_eq_nocase(twx_attribute_raw(tree->t, TWX_ATTR_type),
                                   TWX_SLICE_LIT("hidden"))) {
        twx_insert_void(tree, token);
    } else if (tag == TWX_TAG_form) {
        if (twx_find_open(tree, TWX_TAG_template) != SIZE_MAX || tree->form) return;
        tree->form = true;
        twx_insert_void(tree, token);
    } else {
        misplaced(tree, token);
    }
}

static void end_in_table(twx_tree *tree, twx_html_token *token) {
    const twx_tag tag = token->tag;
    if (tag == TWX_TAG_table) {
        if (twx_in_scope(tree, TWX_TAG_table, TWX_TABLE_SCOPE)) close_table(tree);
    } else if (tag == TWX_TAG_template) {
        twx_in_head(tree, token);
    } else if (!IS_ANY(tag, TWX_TAG_body, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup,
                       TWX_TAG_html, TWX_TAG_tbody, TWX_TAG_td, TWX_TAG_tfoot, TWX_TAG_th,
                       TWX_TAG_thead, TWX_TAG_tr)) {
        misplaced(tree, token);
    }
}

void twx_in_table(twx_tree *tree, twx_html_token *token) {
    const twx_tag top = (twx_tag)twx_top(tree)->tag;
    switch (token->kind) {
    case TWX_TOKEN_TEXT:
        if (top == TWX_TAG_table || top == TWX_TAG_template || is_row_group(top) ||
            top == TWX_TAG_tr) {
            tree->table_text.n = 0;
            tree->table_text_shown = false;
            tree->original = tree->mode;
            tree->mode = TWX_MODE_IN_TABLE_TEXT;
            twx_process(tree, token);
        } else {
            misplaced(tree, token);
        }
        return;
    case TWX_TOKEN_START: start_in_table(tree, token); return;
    case TWX_TOKEN_CLOSE: end_in_table(tree, token); return;
    case TWX_TOKEN_END: twx_in_body(tree, token); return;
    default: return;
    }
}

/* ---- table text --------------------------------------------------------- */

/* Text in a table is buffered until it is known whether it is all white space. White space stays in
 * the table; any other text is moved before it. */
static void flush_table_text(twx_tree *tree) {
    for (size_t i = 0; i < tree->table_text.n; i++) {
        if (tree->table_text_shown) {
            twx_html_token text = {.kind = TWX_TOKEN_TEXT, .text = tree->table_text.at[i]};
            misplaced(tree, &text);
        } else {
            twx_insert_text(tree, tree->table_text.at[i]);
        }
    }
    tree->table_text.n = 0;
}

void twx_in_table_text(twx_tree *tree, twx_html_token *token) {
    if (token->kind != TWX_TOKEN_TEXT) {
        flush_table_text(tree);
        tree->mode = tree->original;
        twx_process(tree, token);
        return;
    }
    twx_html_token rest = *token;
    (void)twx_take_space(&rest);
    if (rest.text.n == 0) {
        /* a white space reference is dropped: its bytes do not outlive the token, and it changes
         * nothing */
        if (token->text.p != tree->t->reference &&
            !TWX_VEC_PUSH(tree->cx, &tree->table_text, token->text))
            twx_tree_fail(tree, TWX_E_NOMEM);
        return;
    }
    tree->table_text_shown = true;
    flush_table_text(tree); /* later text cannot change the decision */
    misplaced(tree, token);
}

/* ---- caption, columns --------------------------------------------------- */

static bool close_caption(twx_tree *tree) {
    if (!twx_close_in_scope(tree, TWX_TAG_caption, TWX_TABLE_SCOPE, TWX_TAG_unknown)) return false;
    twx_format_clear(tree);
    tree->mode = TWX_MODE_IN_TABLE;
    return true;
}

void twx_in_caption(twx_tree *tree, twx_html_token *token) {
    const twx_tag tag = token->tag;
    const bool start = token->kind == TWX_TOKEN_START, end = token->kind == TWX_TOKEN_CLOSE;
    if (end && tag == TWX_TAG_caption) {
        (void)close_caption(tree);
    } else if ((start &&
                IS_ANY(tag, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup, TWX_TAG_tbody,
                       TWX_TAG_td, TWX_TAG_tfoot, TWX_TAG_th, TWX_TAG_thead, TWX_TAG_tr)) ||
               (end && tag == TWX_TAG_table)) {
        if (close_caption(tree)) twx_process(tree, token);
    } else if (!end || !IS_ANY(tag, TWX_TAG_body, TWX_TAG_col, TWX_TAG_colgroup, TWX_TAG_html,
                               TWX_TAG_tbody, TWX_TAG_td, TWX_TAG_tfoot, TWX_TAG_th, TWX_TAG_thead,
                               TWX_TAG_tr)) {
        twx_in_body(tree, token);
    }
}

void twx_in_column_group(twx_tree *tree, twx_html_token *token) {
    const bool start = token->kind == TWX_TOKEN_START, end = token->kind == TWX_TOKEN_CLOSE;
    if (token->kind == TWX_TOKEN_TEXT) {
        twx_insert_text(tree, twx_take_space(token));
        if (token->text.n == 0) return;
    } else if (token->kind == TWX_TOKEN_COMMENT || token->kind == TWX_TOKEN_DOCTYPE) {
        return;
    } else if (start && token->tag == TWX_TAG_col) {
        twx_insert_void(tree, token);
        return;
    } else if ((start || end) && token->tag == TWX_TAG_template) {
        twx_in_head(tree, token);
        return;
    } else if ((start && token->tag == TWX_TAG_html) || token->kind == TWX_TOKEN_END) {
        twx_in_body(tree, token);
        return;
    } else if (end && token->tag == TWX_TAG_col) {
        return;
    }
    if (twx_top(tree)->tag != TWX_TAG_colgroup) return;
    twx_pop(tree);
    tree->mode = TWX_MODE_IN_TABLE;
    if (!(end && token->tag == TWX_TAG_colgroup)) twx_process(tree, token);
}

/* ---- bodies, rows, cells ------------------------------------------------ */

static void close_table_body(twx_tree *tree) {
    clear_to(tree, is_row_group);
    twx_pop(tree);
    tree->mode = TWX_MODE_IN_TABLE;
}

static bool row_group_in_scope(twx_tree *tree) {
    return twx_in_scope(tree, TWX_TAG_tbody, TWX_TABLE_SCOPE) ||
           twx_in_scope(tree, TWX_TAG_thead, TWX_TABLE_SCOPE) ||
           twx_in_scope(tree, TWX_TAG_tfoot, TWX_TABLE_SCOPE);
}

void twx_in_table_body(twx_tree *tree, twx_html_token *token) {
    const twx_tag tag = token->tag;
    const bool start = token->kind == TWX_TOKEN_START, end = token->kind == TWX_TOKEN_CLOSE;
    if (start && tag == TWX_TAG_tr) {
        clear_to(tree, is_row_group);
        twx_insert(tree, tag, token);
        tree->mode = TWX_MODE_IN_ROW;
    } else if (start && is_cell(tag)) {
        clear_to(tree, is_row_group);
        twx_insert(tree, TWX_TAG_tr, NULL);
        tree->mode = TWX_MODE_IN_ROW;
        twx_process(tree, token);
    } else if (end && is_row_group(tag)) {
        if (twx_in_scope(tree, tag, TWX_TABLE_SCOPE)) close_table_body(tree);
    } else if ((start && (IS_ANY(tag, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup) ||
                          is_row_group(tag))) ||
               (end && tag == TWX_TAG_table)) {
        if (!row_group_in_scope(tree)) return;
        close_table_body(tree);
        twx_process(tree, token);
    } else if (!end || !IS_ANY(tag, TWX_TAG_body, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup,
                               TWX_TAG_html, TWX_TAG_td, TWX_TAG_th, TWX_TAG_tr)) {
        twx_in_table(tree, token);
    }
}

static bool close_row(twx_tree *tree) {
    if (!twx_in_scope(tree, TWX_TAG_tr, TWX_TABLE_SCOPE)) return false;
    clear_to(tree, is_row);
    twx_pop(tree);
    tree->mode = TWX_MODE_IN_TABLE_BODY;
    return true;
}

void twx_in_row(twx_tree *tree, twx_html_token *token) {
    const twx_tag tag = token->tag;
    const bool start = token->kind == TWX_TOKEN_START, end = token->kind == TWX_TOKEN_CLOSE;
    if (start && is_cell(tag)) {
        clear_to(tree, is_row);
        twx_insert(tree, tag, token);
        tree->mode = TWX_MODE_IN_CELL;
        twx_format_marker(tree);
    } else if (end && tag == TWX_TAG_tr) {
        (void)close_row(tree);
    } else if ((start && (IS_ANY(tag, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup, TWX_TAG_tr) ||
                          is_row_group(tag))) ||
               (end && tag == TWX_TAG_table)) {
        if (close_row(tree)) twx_process(tree, token);
    } else if (end && is_row_group(tag)) {
        if (twx_in_scope(tree, tag, TWX_TABLE_SCOPE) && close_row(tree)) twx_process(tree, token);
    } else if (!end || !IS_ANY(tag, TWX_TAG_body, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup,
                               TWX_TAG_html, TWX_TAG_td, TWX_TAG_th)) {
        twx_in_table(tree, token);
    }
}

static void close_cell(twx_tree *tree) {
    twx_imply_end_tags(tree, TWX_TAG_unknown);
    while (tree->stack.n > 1) {
        const bool found = is_cell((twx_tag)twx_top(tree)->tag);
        twx_pop(tree);
        if (found) break;
    }
    twx_format_clear(tree);
    tree->mode = TWX_MODE_IN_ROW;
}

void twx_in_cell(twx_tree *tree, twx_html_token *token) {
    const twx_tag tag = token->tag;
    const bool start = token->kind == TWX_TOKEN_START, end = token->kind == TWX_TOKEN_CLOSE;
    if (end && is_cell(tag)) {
        if (!twx_close_in_scope(tree, tag, TWX_TABLE_SCOPE, TWX_TAG_unknown)) return;
        twx_format_clear(tree);
        tree->mode = TWX_MODE_IN_ROW;
    } else if (start && (IS_ANY(tag, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup, TWX_TAG_tr) ||
                         is_row_group(tag) || is_cell(tag))) {
        if (!twx_in_scope(tree, TWX_TAG_td, TWX_TABLE_SCOPE) &&
            !twx_in_scope(tree, TWX_TAG_th, TWX_TABLE_SCOPE))
            return;
        close_cell(tree);
        twx_process(tree, token);
    } else if (end && (tag == TWX_TAG_table || tag == TWX_TAG_tr || is_row_group(tag))) {
        if (!twx_in_scope(tree, tag, TWX_TABLE_SCOPE)) return;
        close_cell(tree);
        twx_process(tree, token);
    } else if (!end || !IS_ANY(tag, TWX_TAG_body, TWX_TAG_caption, TWX_TAG_col, TWX_TAG_colgroup,
                               TWX_TAG_html)) {
        twx_in_body(tree, token);
    }
}

/* ==== html_foreign */

/* SVG and MathML inside a page (HTML standard, section 13.2.6.5). */

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

/* ==== html_quirks */

/* The document types that select quirks mode (HTML standard, section 13.2.6.4.1), in which a table
 * does not end a paragraph. */

/* Public identifiers: share/tables/quirks.tsv. */
static const char *const PREFIXES[] = {QUIRKS_PREFIX_ROWS};
static const char *const PREFIXES_ALONE[] = {QUIRKS_PREFIX_ALONE_ROWS};
static const char *const WHOLE[] = {QUIRKS_WHOLE_ROWS};
static const char SYSTEM[] = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

bool twx_doctype_quirks(const twx_html_token *doctype) {
    const twx_slice id = doctype->public_id;
    if (doctype->force_quirks || !twx_slice_eq_nocase(doctype->text, TWX_SLICE_LIT("html")))
        return true;
    if (twx_slice_eq_nocase(doctype->system_id, TWX_SLICE_LIT(SYSTEM))) return true;
    for (size_t i = 0; id.p && i < TWX_COUNTOF(WHOLE); i++)
        if (twx_slice_eq_nocase(id, twx_slice_of(WHOLE[i]))) return true;
    for (size_t i = 0; id.p && i < TWX_COUNTOF(PREFIXES); i++)
        if (twx_slice_starts_nocase(id, twx_slice_of(PREFIXES[i]))) return true;
    for (size_t i = 0; id.p && !doctype->system_id.p && i < TWX_COUNTOF(PREFIXES_ALONE); i++)
        if (twx_slice_starts_nocase(id, twx_slice_of(PREFIXES_ALONE[i]))) return true;
    return false;
}
