/* page/html_modes.h: the insertion modes of tree construction. Each function handles one token
 * (HTML standard, section 13.2.6.4). */
#ifndef TWX_PAGE_HTML_MODES_H
#define TWX_PAGE_HTML_MODES_H

#include "page/html_stack.h"

enum twx_mode_name {
    TWX_MODE_INITIAL,
    TWX_MODE_BEFORE_HTML,
    TWX_MODE_BEFORE_HEAD,
    TWX_MODE_IN_HEAD,
    TWX_MODE_IN_HEAD_NOSCRIPT,
    TWX_MODE_AFTER_HEAD,
    TWX_MODE_IN_BODY,
    TWX_MODE_TEXT,
    TWX_MODE_IN_TABLE,
    TWX_MODE_IN_TABLE_TEXT,
    TWX_MODE_IN_CAPTION,
    TWX_MODE_IN_COLUMN_GROUP,
    TWX_MODE_IN_TABLE_BODY,
    TWX_MODE_IN_ROW,
    TWX_MODE_IN_CELL,
    TWX_MODE_IN_TEMPLATE,
    TWX_MODE_AFTER_BODY,
    TWX_MODE_IN_FRAMESET,
    TWX_MODE_AFTER_FRAMESET,
    TWX_MODE_AFTER_AFTER_BODY,
    TWX_MODE_AFTER_AFTER_FRAMESET,
    TWX_MODES
};

typedef void twx_mode_fn(twx_tree *tree, twx_html_token *token);

/* by the rules of tree->mode, or of foreign content */
void twx_process(twx_tree *tree, twx_html_token *token);
void twx_process_html(twx_tree *tree, twx_html_token *token); /* by the rules of tree->mode */
void twx_in_head(twx_tree *tree, twx_html_token *token);
void twx_in_body(twx_tree *tree, twx_html_token *token);
void twx_reset_mode(twx_tree *tree);
void twx_close_p(twx_tree *tree);
/* Inserts the element; its content is tokenized in the given state. */
void twx_insert_raw(twx_tree *tree, const twx_html_token *token, twx_token_state state);
void twx_insert_void(twx_tree *tree, const twx_html_token *token);
/* Removes leading white space from a text token and returns it. */
twx_slice twx_take_space(twx_html_token *token);

/* html_tables.c */
void twx_in_table(twx_tree *tree, twx_html_token *token);
void twx_in_table_text(twx_tree *tree, twx_html_token *token);
void twx_in_caption(twx_tree *tree, twx_html_token *token);
void twx_in_column_group(twx_tree *tree, twx_html_token *token);
void twx_in_table_body(twx_tree *tree, twx_html_token *token);
void twx_in_row(twx_tree *tree, twx_html_token *token);
void twx_in_cell(twx_tree *tree, twx_html_token *token);

/* html_foreign.c */
bool twx_is_foreign_content(twx_tree *tree, const twx_html_token *token);
void twx_in_foreign(twx_tree *tree, twx_html_token *token);

/* html_quirks.c */
bool twx_doctype_quirks(const twx_html_token *doctype);

#endif
