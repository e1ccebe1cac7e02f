/* page/html_stack.h: the stack of open elements and the list of active formatting elements of tree
 * construction (HTML standard, sections 13.2.4.2, 13.2.4.3, 13.2.6.1 and the adoption agency
 * algorithm). Failures are stored in tree->rc. */
#ifndef TWX_PAGE_HTML_STACK_H
#define TWX_PAGE_HTML_STACK_H

#include "page/html_tree.h"

typedef enum twx_scope { TWX_SCOPE, TWX_LIST_SCOPE, TWX_BUTTON_SCOPE, TWX_TABLE_SCOPE } twx_scope;

void twx_tree_fail(twx_tree *tree, twx_rc rc);
static inline twx_open *twx_top(twx_tree *tree) {
    return &tree->stack.at[tree->stack.n - 1];
}

/* token NULL: an implied element */
void twx_insert(twx_tree *tree, twx_tag tag, const twx_html_token *token);
void twx_insert_foreign(twx_tree *tree, twx_namespace ns, const twx_html_token *token);
void twx_insert_text(twx_tree *tree, twx_slice text);
void twx_pop(twx_tree *tree);
void twx_pop_to(twx_tree *tree, size_t n);       /* until n elements are left */
void twx_pop_until(twx_tree *tree, twx_tag tag); /* including the element of that tag */

bool twx_in_scope(twx_tree *tree, twx_tag tag, twx_scope scope);
/* index of the topmost such element; SIZE_MAX: none within TWX_TREE_WALK */
size_t twx_find_open(twx_tree *tree, twx_tag tag);
bool twx_heading_in_scope(twx_tree *tree);
void twx_imply_end_tags(twx_tree *tree, twx_tag except);
void twx_imply_all_end_tags(twx_tree *tree);
void twx_remove_from_stack(twx_tree *tree, size_t index);

void twx_format_push(twx_tree *tree, twx_slice source); /* adds the current element */
void twx_format_marker(twx_tree *tree);
void twx_format_clear(twx_tree *tree); /* back to the last marker */
void twx_reconstruct(twx_tree *tree);
/* index in the list, after the last marker; SIZE_MAX: none */
size_t twx_format_find(twx_tree *tree, twx_tag tag);
void twx_format_remove(twx_tree *tree, size_t index);
void twx_adopt(twx_tree *tree, const twx_html_token *token);
void twx_any_other_end_tag(twx_tree *tree, const twx_html_token *token);

#endif
