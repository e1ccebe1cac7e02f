#include "page/internal.h"

enum { OUTER_LOOPS = 8, INNER_LOOPS = 3, NOAHS_ARK = 3 };

void twx_tree_fail(twx_tree *tree, twx_rc rc) {
    if (tree->rc == TWX_OK) tree->rc = rc;
}

static bool is_table_part(twx_tag tag) {
    return tag == TWX_TAG_table || tag == TWX_TAG_tbody || tag == TWX_TAG_tfoot ||
           tag == TWX_TAG_thead || tag == TWX_TAG_tr;
}

/* The table before which misplaced content is inserted; NULL: content stays in place. */
static twx_open *foster_table(twx_tree *tree) {
    if (!tree->foster || !is_table_part(twx_top(tree)->tag)) return NULL;
    for (size_t i = tree->stack.n; i-- > 0;) {
        if (tree->stack.at[i].tag == TWX_TAG_table) return &tree->stack.at[i];
        if (tree->stack.at[i].tag == TWX_TAG_template) return NULL;
    }
    return NULL;
}

static void push(twx_tree *tree, twx_open *e, const twx_html_token *token) {
    if (tree->rc != TWX_OK) return;
    if (tree->stack.n >= TWX_TREE_DEPTH) return; /* [R2] */
    if (!TWX_VEC_RESERVE(tree->cx, &tree->stack, tree->stack.n + 1)) {
        twx_tree_fail(tree, TWX_E_NOMEM);
        return;
    }
    twx_open *parent = tree->stack.n ? twx_top(tree) : NULL;
    twx_open *table = parent ? foster_table(tree) : NULL;
    e->fostered = (twx_fostering){.is = table != NULL};
    e->format = -1;
    if (table) {
        parent = table - 1; /* a table always has at least the root below it */
        tree->sink->foster(tree->sink->arg, table, e);
    }
    twx_tree_fail(tree, tree->sink->open(tree->sink->arg, parent, e, token));
    tree->stack.at[tree->stack.n++] = *e;
    tree->count[e->tag]++;
}

void twx_insert(twx_tree *tree, twx_tag tag, const twx_html_token *token) {
    const twx_element *known = &TWX_ELEMENT[tag];
    twx_open e = {.tag = (uint8_t)tag,
                  .flags = known->flags,
                  .style = {.display = known->display},
                  .name = token ? token->text : twx_slice_of(known->name)};
    push(tree, &e, token);
}

static bool is_html_encoding(twx_slice encoding) {
    return twx_slice_eq_nocase(encoding, TWX_SLICE_LIT("text/html")) ||
           twx_slice_eq_nocase(encoding, TWX_SLICE_LIT("application/xhtml+xml"));
}

void twx_insert_foreign(twx_tree *tree, twx_namespace ns, const twx_html_token *token) {
    const twx_tag tag = token->tag;
    twx_open e = {.foreign = (uint8_t)tag, .ns = (uint8_t)ns, .name = token->text};
    const bool svg_point = ns == TWX_SVG && (tag == TWX_TAG_foreignobject || tag == TWX_TAG_desc ||
                                             tag == TWX_TAG_title);
    const bool math_point = ns == TWX_MATHML &&
                            (tag == TWX_TAG_mi || tag == TWX_TAG_mo || tag == TWX_TAG_mn ||
                             tag == TWX_TAG_ms || tag == TWX_TAG_mtext);
    const bool annotation = ns == TWX_MATHML && tag == TWX_TAG_annotation_xml;
    if (svg_point || math_point || annotation) e.flags = TWX_EL_SPECIAL | TWX_EL_SCOPE;
    e.integration = svg_point ||
                    (annotation && is_html_encoding(twx_attribute_raw(tree->t, TWX_ATTR_encoding)));
    push(tree, &e, token);
}

void twx_insert_text(twx_tree *tree, twx_slice text) {
    if (tree->rc != TWX_OK || text.n == 0) return;
    twx_tree_fail(tree, tree->sink->text(tree->sink->arg, twx_top(tree), foster_table(tree), text));
}

/* Marks the element as closed in the list of active formatting elements. */
static void leave(twx_tree *tree, const twx_open *e) {
    tree->count[e->tag]--;
    if (e->format >= 0) tree->formatting.at[e->format].depth = -1;
}

void twx_pop(twx_tree *tree) {
    if (tree->stack.n == 0) return;
    twx_open *e = twx_top(tree);
    twx_tree_fail(tree, tree->sink->close(tree->sink->arg, e));
    leave(tree, e);
    tree->stack.n--;
}

void twx_pop_to(twx_tree *tree, size_t n) {
    while (tree->stack.n > n) twx_pop(tree);
}

void twx_pop_until(twx_tree *tree, twx_tag tag) {
    while (tree->stack.n > 1) {
        const bool found = twx_top(tree)->tag == tag;
        twx_pop(tree);
        if (found) return;
    }
}

/* Elements from `from` on have moved: updates their stack indexes in the list. */
static void renumber(twx_tree *tree, size_t from) {
    for (size_t i = from; i < tree->stack.n; i++)
        if (tree->stack.at[i].format >= 0)
            tree->formatting.at[tree->stack.at[i].format].depth = (int32_t)i;
}

void twx_remove_from_stack(twx_tree *tree, size_t index) {
    if (index + 1 == tree->stack.n) {
        twx_pop(tree);
        return;
    }
    twx_open *gone = &tree->stack.at[index];
    /* what was moved before a table on its behalf now belongs to the next one */
    if (gone->fostered.is) gone[1].fostered = gone->fostered;
    leave(tree, gone);
    memmove(&tree->stack.at[index], &tree->stack.at[index + 1],
            (tree->stack.n - index - 1) * sizeof tree->stack.at[0]);
    tree->stack.n--;
    renumber(tree, index);
}

static bool ends_scope(const twx_open *e, twx_scope scope) {
    if (scope == TWX_TABLE_SCOPE)
        return e->tag == TWX_TAG_html || e->tag == TWX_TAG_table || e->tag == TWX_TAG_template;
    if (e->flags & TWX_EL_SCOPE) return true;
    if (scope == TWX_LIST_SCOPE) return e->tag == TWX_TAG_ol || e->tag == TWX_TAG_ul;
    return scope == TWX_BUTTON_SCOPE && e->tag == TWX_TAG_button;
}

static bool in_scope(const twx_tree *tree, twx_tag tag, unsigned flag, twx_scope scope) {
    size_t steps = 0;
    for (size_t i = tree->stack.n; i-- > 0 && steps++ < TWX_TREE_WALK;) {
        const twx_open *e = &tree->stack.at[i];
        if (flag ? (e->flags & flag) != 0 : e->tag == tag) return true;
        if (ends_scope(e, scope)) return false;
    }
    return false;
}

bool twx_in_scope(twx_tree *tree, twx_tag tag, twx_scope scope) {
    return tree->count[tag] > 0 && in_scope(tree, tag, 0, scope);
}

bool twx_heading_in_scope(twx_tree *tree) {
    return in_scope(tree, TWX_TAG_unknown, TWX_EL_HEADING, TWX_SCOPE);
}

size_t twx_find_open(twx_tree *tree, twx_tag tag) {
    size_t steps = 0;
    if (tree->count[tag] == 0) return SIZE_MAX;
    for (size_t i = tree->stack.n; i-- > 0 && steps++ < TWX_TREE_WALK;)
        if (tree->stack.at[i].tag == tag) return i;
    return SIZE_MAX;
}

void twx_imply_end_tags(twx_tree *tree, twx_tag except) {
    while (twx_top(tree)->flags & TWX_EL_IMPLIED && twx_top(tree)->tag != except) twx_pop(tree);
}

bool twx_close_in_scope(twx_tree *tree, twx_tag tag, twx_scope scope, twx_tag except) {
    if (!twx_in_scope(tree, tag, scope)) return false;
    twx_imply_end_tags(tree, except);
    twx_pop_until(tree, tag);
    return true;
}

/* The same for entries of the list, whose indexes the stack has. */
static void renumber_formatting(twx_tree *tree, size_t from) {
    for (size_t i = from; i < tree->formatting.n; i++)
        if (tree->formatting.at[i].depth >= 0)
            tree->stack.at[tree->formatting.at[i].depth].format = (int32_t)i;
}

void twx_format_remove(twx_tree *tree, size_t index) {
    const twx_formatting *gone = &tree->formatting.at[index];
    if (gone->depth >= 0) tree->stack.at[gone->depth].format = -1;
    memmove(&tree->formatting.at[index], &tree->formatting.at[index + 1],
            (tree->formatting.n - index - 1) * sizeof tree->formatting.at[0]);
    tree->formatting.n--;
    renumber_formatting(tree, index);
}

static bool format_insert(twx_tree *tree, size_t index, const twx_formatting *entry) {
    if (!TWX_VEC_RESERVE(tree->cx, &tree->formatting, tree->formatting.n + 1)) {
        twx_tree_fail(tree, TWX_E_NOMEM);
        return false;
    }
    memmove(&tree->formatting.at[index + 1], &tree->formatting.at[index],
            (tree->formatting.n - index) * sizeof tree->formatting.at[0]);
    tree->formatting.n++;
    tree->formatting.at[index] = *entry;
    renumber_formatting(tree, index);
    return true;
}

void twx_format_push(twx_tree *tree, twx_slice source) {
    if (tree->rc != TWX_OK) return;
    twx_open *e = twx_top(tree);
    if (tree->stack.n >= TWX_TREE_DEPTH) return;
    if (source.n == 1) source = (twx_slice){"", 0}; /* ">" */
    /* at most three equal elements after the last marker, TWX_TREE_FORMATTING in all */
    size_t equal = 0, all = 0, earliest_equal = 0, earliest = 0;
    for (size_t i = tree->formatting.n; i-- > 0 && !tree->formatting.at[i].marker;) {
        const twx_formatting *f = &tree->formatting.at[i];
        all++;
        earliest = i;
        if (f->element.tag != e->tag || !twx_slice_eq(f->source, source)) continue;
        equal++;
        earliest_equal = i;
    }
    if (equal >= NOAHS_ARK)
        twx_format_remove(tree, earliest_equal);
    else if (all >= TWX_TREE_FORMATTING)
        twx_format_remove(tree, earliest);
    const twx_formatting entry = {
        .depth = (int32_t)(tree->stack.n - 1), .element = *e, .source = source};
    (void)format_insert(tree, tree->formatting.n, &entry);
}

void twx_format_marker(twx_tree *tree) {
    const twx_formatting entry = {.marker = true, .depth = -1};
    if (tree->formatting.n < TWX_TREE_DEPTH) (void)format_insert(tree, tree->formatting.n, &entry);
}

void twx_format_clear(twx_tree *tree) {
    while (tree->formatting.n > 0) {
        const twx_formatting *last = &tree->formatting.at[--tree->formatting.n];
        if (last->marker) return;
        if (last->depth >= 0) tree->stack.at[last->depth].format = -1;
    }
}

void twx_reconstruct(twx_tree *tree) {
    size_t n = tree->formatting.n, i = n;
    while (i > 0 && !tree->formatting.at[i - 1].marker && tree->formatting.at[i - 1].depth < 0) i--;
    for (; i < n && tree->rc == TWX_OK && tree->stack.n < TWX_TREE_DEPTH; i++) {
        twx_open e = tree->formatting.at[i].element;
        push(tree, &e, NULL);
        if (tree->rc != TWX_OK) return;
        tree->formatting.at[i].depth = (int32_t)(tree->stack.n - 1);
        twx_top(tree)->format = (int32_t)i;
    }
}

size_t twx_format_find(twx_tree *tree, twx_tag tag) {
    for (size_t i = tree->formatting.n; i-- > 0 && !tree->formatting.at[i].marker;)
        if (tree->formatting.at[i].element.tag == tag) return i;
    return SIZE_MAX;
}

/* Is the element at `index` in scope? *ret_block: the nearest special element above it; 0: none. */
static bool adoptable(twx_tree *tree, size_t index, size_t *ret_block) {
    *ret_block = 0;
    if (tree->stack.n - index > TWX_TREE_WALK) return false; /* [R2] */
    for (size_t i = tree->stack.n - 1; i > index; i--) {
        if (tree->stack.at[i].flags & TWX_EL_SCOPE) return false;
        if (tree->stack.at[i].flags & TWX_EL_SPECIAL) *ret_block = i;
    }
    return true;
}

/* Indexes in the list; removals shift them. */
typedef struct places {
    size_t element, bookmark; /* the formatting element; its new place */
} places;

static void remove_place(twx_tree *tree, size_t index, places *at) {
    twx_format_remove(tree, index);
    if (index < at->element) at->element--;
    if (index < at->bookmark) at->bookmark--;
}

/* Closes the elements between the formatting element and the block, except formatting elements
 * among the three nearest. Moves the kept elements and the block down. Returns the new index of the
 * block. */
static size_t close_between(twx_tree *tree, size_t from, size_t block, places *at) {
    const size_t keep_from = block > from + INNER_LOOPS + 1 ? block - INNER_LOOPS : from + 1;
    bool first = true;
    size_t to = from;
    for (size_t i = block - 1; i > from; i--) {
        const twx_open *e = &tree->stack.at[i];
        if (e->format < 0) continue;
        if (i < keep_from) {
            remove_place(tree, (size_t)e->format, at);
        } else if (first) {
            at->bookmark = (size_t)e->format + 1;
            first = false;
        }
    }
    for (size_t i = from + 1; i <= block; i++) {
        if (i < block && tree->stack.at[i].format < 0)
            leave(tree, &tree->stack.at[i]);
        else
            tree->stack.at[to++] = tree->stack.at[i];
    }
    return to - 1;
}

/* Removes the formatting element at `from` from the stack and reopens it inside the block. */
static void move_into_block(twx_tree *tree, size_t from, size_t block, places at) {
    const twx_formatting moved = tree->formatting.at[at.element];
    twx_open gone = tree->stack.at[from];
    const size_t rest = tree->stack.n - block - 1;
    tree->formatting.at[at.element].depth = -1;
    tree->stack.at[from].format = -1;
    const size_t new_block = close_between(tree, from, block, &at);
    memmove(&tree->stack.at[new_block + 2], &tree->stack.at[block + 1],
            rest * sizeof tree->stack.at[0]);
    if (gone.fostered.is) tree->stack.at[from].fostered = gone.fostered;
    gone.fostered.is = false;
    gone.format = -1;
    tree->stack.at[new_block + 1] = gone;
    tree->stack.n = new_block + 2 + rest;
    renumber(tree, from);
    if (from > 0)
        tree->sink->moved(tree->sink->arg, &tree->stack.at[from - 1], &tree->stack.at[new_block]);
    remove_place(tree, at.element, &at);
    twx_formatting entry = moved;
    entry.depth = (int32_t)(new_block + 1);
    (void)format_insert(tree, at.bookmark, &entry);
}

/* One iteration of the outer loop. false: the algorithm ends. */
static bool adopt_once(twx_tree *tree, const twx_html_token *token) {
    size_t block = 0;
    places at = {.element = twx_format_find(tree, token->tag)};
    at.bookmark = at.element;
    if (at.element == SIZE_MAX) {
        twx_any_other_end_tag(tree, token);
        return false;
    }
    const int32_t depth = tree->formatting.at[at.element].depth;
    if (depth < 0) {
        twx_format_remove(tree, at.element);
        return false;
    }
    const size_t from = (size_t)depth;
    if (!adoptable(tree, from, &block)) return false;
    if (block == 0) {
        twx_pop_to(tree, from);
        twx_format_remove(tree, at.element);
        return false;
    }
    move_into_block(tree, from, block, at);
    return tree->rc == TWX_OK;
}

void twx_adopt(twx_tree *tree, const twx_html_token *token) {
    twx_open *top = twx_top(tree);
    if (top->tag == token->tag && top->format < 0) {
        twx_pop(tree);
        return;
    }
    for (int i = 0; i < OUTER_LOOPS && tree->rc == TWX_OK; i++)
        if (!adopt_once(tree, token)) return;
}

static bool is_named(const twx_open *e, const twx_html_token *token) {
    if (e->ns != TWX_HTML || e->tag != token->tag) return false;
    return e->tag != TWX_TAG_unknown || twx_slice_eq_nocase(e->name, token->text);
}

void twx_any_other_end_tag(twx_tree *tree, const twx_html_token *token) {
    size_t steps = 0;
    if (tree->count[token->tag] == 0) return;
    for (size_t i = tree->stack.n; i-- > 1 && steps++ < TWX_TREE_WALK;) {
        const twx_open *e = &tree->stack.at[i];
        if (is_named(e, token)) {
            twx_pop_to(tree, i);
            return;
        }
        if (e->flags & TWX_EL_SPECIAL) return;
    }
}
