/* page/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include page/page.h. */
#ifndef TWX_PAGE_INTERNAL_H
#define TWX_PAGE_INTERNAL_H

#include "elements_table.h"
#include "page/page.h"

/* char_refs (html_tokens.c): character references: "&eacute;", "&#233;", "&#xE9;" (HTML standard,
 * sections 13.2.5.72 to 13.2.5.80).
 * [R1] All 2231 names are known; the longest match wins.
 * [R2] In an attribute, a name without a semicolon that is followed by '=', a letter or a digit is
 * not a reference.
 * [R3] The numbers 0x80 to 0x9F stand for windows-1252 characters; zero, surrogates and numbers
 * beyond Unicode stand for U+FFFD. */

enum { TWX_CHAR_REF_BYTES = 8 }; /* two code points at most */

/* p[0] is '&'. Returns the length of the reference in bytes, or 0 if there is none. Its UTF-8 text
 * is in ret_text[0..*ret_n). */
size_t twx_char_ref(const char *p, const char *end, bool in_attribute,
                    char ret_text[TWX_CHAR_REF_BYTES], size_t *ret_n);

/* elements (html_tokens.c): the elements of HTML, and those of SVG and MathML that a parser must
 * know: how tree construction treats them and how they affect the text that a browser shows.
 * They are rows of share/tables/elements.tsv, which names the sources. */

/* Properties that tree construction uses. */
typedef enum twx_element_flag {
    TWX_EL_SPECIAL = 1 << 0,    /* the category "special" */
    TWX_EL_SCOPE = 1 << 1,      /* ends the search for an element in scope */
    TWX_EL_FORMATTING = 1 << 2, /* the category "formatting" */
    TWX_EL_IMPLIED = 1 << 3,    /* its end tag may be implied */
    TWX_EL_IMPLIED_2 = 1 << 4,  /* the same, when all implied end tags are generated thoroughly */
    TWX_EL_BREAKOUT = 1 << 5,   /* its start tag ends foreign content */
    TWX_EL_HEADING = 1 << 6,
    TWX_EL_PRE = 1 << 7 /* white space is kept: line feeds separate lines */
} twx_element_flag;

/* How an element affects the text. */
typedef enum twx_display {
    TWX_INLINE,
    TWX_BLOCK,    /* begins and ends a line */
    TWX_CELL,     /* separates words */
    TWX_NONE,     /* the element and its content are not shown */
    TWX_REPLACED, /* its content is not shown: another box replaces it */
    TWX_DISPLAYS
} twx_display;

/* Rules of the insertion mode "in body" for start tags and for end tags: those that the table of
 * elements names. html_body.c has their functions, such as start_block() and end_block(). */
#define TWX_START_ENUM(NAME, name) TWX_START_##NAME,
#define TWX_END_ENUM(NAME, name)   TWX_END_##NAME,
typedef enum twx_body_start { TWX_BODY_STARTS(TWX_START_ENUM) TWX_STARTS } twx_body_start;
typedef enum twx_body_end { TWX_BODY_ENDS(TWX_END_ENUM) TWX_ENDS } twx_body_end;

/* TWX_E_... names errors, so elements are named TWX_TAG_div. 0: any other name. */
typedef enum twx_tag {
    TWX_TAG_unknown,
#define TWX_ELEMENT_ENUM(name, flags, display, start, end) TWX_TAG_##name,
    TWX_ELEMENTS(TWX_ELEMENT_ENUM)
#undef TWX_ELEMENT_ENUM
        TWX_TAGS
} twx_tag;

typedef struct twx_element {
    const char *name;
    uint16_t flags;  /* twx_element_flag */
    uint8_t display; /* twx_display */
    uint8_t start;   /* twx_body_start */
    uint8_t end;     /* twx_body_end */
} twx_element;

extern const twx_element TWX_ELEMENT[TWX_TAGS]; /* [0]: an unknown element */

twx_tag twx_tag_of(twx_slice name); /* ignores ASCII case */

/* encoding.c: "text/html; charset=koi8-r" gives "koi8-r"; absent: none. */
twx_slice twx_charset_in(twx_slice content);

/* flow (shown.c): the visible text of a page, first as a list of pieces, then as lines.
 * [R1] Pieces are kept in document order. A cursor marks where the next piece is inserted; it can
 * move back to the place before a table.
 * [R2] Words are separated by one blank, lines by one line feed. There are no empty lines and no
 * blanks at the ends of a line. Blanks are ASCII white space, U+00A0, U+1680, U+2000 to U+200A,
 * U+2028, U+2029, U+202F, U+205F and U+3000.
 * [R3] Characters without width are removed: U+00AD (soft hyphen), U+200B, U+2060, U+FEFF. U+200C
 * and U+200D are kept, because they change words.
 * [R4] The content area is the text of the highest twx_area that the page has text of: that within
 * main, else that within article, else all that is outside of the page's landmarks.
 * Memory: pieces refer to the page, which must outlive them. The vectors are owned and reused. */

typedef enum twx_piece_kind {
    TWX_PIECE_TEXT,
    TWX_PIECE_SHORT, /* text of at most 8 bytes, stored in the piece itself */
    TWX_PIECE_PRE,   /* the next text keeps its line feeds */
    TWX_PIECE_BLANK,
    TWX_PIECE_LINE,
    /* a line of its own: never merged with another piece, because text may be inserted before it */
    TWX_PIECE_TABLE,
    TWX_PIECE_HEADING,
    TWX_PIECE_HEADING_END
} twx_piece_kind;

/* The part of a page that a text belongs to, by the landmarks around it. */
typedef enum twx_area { TWX_AREA_OUTSIDE, TWX_AREA_BODY, TWX_AREA_ARTICLE, TWX_AREA_MAIN } twx_area;

typedef struct twx_flow {
    TWX_VEC(struct twx_piece) pieces; /* [0] is the head of the list */
    uint32_t cursor;                  /* the next piece comes after this one */
    size_t bytes;                     /* length of the text in all pieces */
    twx_area area;                    /* of the next text; set by the caller */
} twx_flow;

TWX_CHECK twx_rc twx_flow_clear(twx_ctx *cx, twx_flow *f);
void twx_flow_done(twx_flow *f);
TWX_CHECK twx_rc twx_flow_add(twx_ctx *cx, twx_flow *f, twx_piece_kind kind);
/* text is part of the page; or, with `copy`, at most 8 bytes from elsewhere */
TWX_CHECK twx_rc twx_flow_text(twx_ctx *cx, twx_flow *f, twx_slice text, bool copy);
/* [R2] [R3] Truncated at text->max. headings: one per line, as many as fit. parts: the parts of the
 * text that belong to the content area (text_parts); empty if that is all of the text. */
TWX_CHECK twx_rc twx_flow_lines(twx_ctx *cx, const twx_flow *f, twx_buf *text, twx_buf *headings,
                                twx_buf *parts);

/* html_tokens.c: the tokens of an HTML page (HTML standard, section 13.2.5), one at a time,
 * from UTF-8 in memory.
 * [R1] Every token is a slice of the page; nothing is copied. Text is returned in runs; a character
 * reference is a run of its own.
 * [R2] Linear time: each byte is examined a bounded number of times, including those of attributes,
 * whatever the page contains.
 * [R3] The page must not contain carriage returns (the caller of twx_decode() replaces them). NUL
 * bytes are left in text and names; tree construction handles them. Tree construction also sets
 * `state` after start tags that change the tokenizer's state, and `foreign` for CDATA sections.
 * Memory: embedded struct, zeroed by the caller; attributes are owned and reused; the page is
 * borrowed. */

typedef enum twx_html_token_kind {
    TWX_TOKEN_END, /* the end of the page */
    TWX_TOKEN_TEXT,
    TWX_TOKEN_START,
    TWX_TOKEN_CLOSE, /* an end tag */
    TWX_TOKEN_COMMENT,
    TWX_TOKEN_DOCTYPE
} twx_html_token_kind;

typedef enum twx_token_state {
    TWX_IN_DATA,
    TWX_IN_RCDATA,  /* title, textarea: character references, no tags */
    TWX_IN_RAWTEXT, /* style, xmp, iframe, noembed, noframes */
    TWX_IN_SCRIPT,
    TWX_IN_PLAINTEXT,
    TWX_IN_CDATA
} twx_token_state;

/* Attributes that the reader uses; they are identified while the tag is read. */
/* clang-format off */
#define TWX_ATTRIBUTES(X)                                                            \
    X(alt) X(charset) X(class) X(color) X(content) X(encoding) X(face) X(hidden)     \
    X(href) X(hreflang) X(id) X(itemprop) X(lang) X(media) X(name) X(open)           \
    X(popover) X(property) X(rel) X(role) X(size) X(style) X(type)
/* clang-format on */

typedef enum twx_attribute_id {
#define TWX_ATTRIBUTE_ENUM(name) TWX_ATTR_##name,
    TWX_ATTRIBUTES(TWX_ATTRIBUTE_ENUM)
#undef TWX_ATTRIBUTE_ENUM
        TWX_ATTR_http_equiv,
    TWX_ATTRS
} twx_attribute_id;

typedef struct twx_attribute {
    twx_slice name, value; /* as in the page; the value without quotes, references not replaced */
} twx_attribute;

typedef struct twx_html_token {
    twx_html_token_kind kind;
    twx_tag tag; /* START, CLOSE */
    /* TEXT, COMMENT: content; START, CLOSE: name as in the page; DOCTYPE: name */
    twx_slice text;
    twx_slice source;               /* START: everything between the name and the end of the tag */
    bool self_closing;              /* START */
    bool force_quirks;              /* DOCTYPE */
    twx_slice public_id, system_id; /* DOCTYPE; absent: none */
} twx_html_token;

typedef struct twx_tokenizer {
    twx_ctx *cx;
    const char *p, *end;
    twx_token_state state;
    bool foreign; /* the current node is not an HTML element: "<![CDATA[" opens a section */
    /* of the last start tag: only its end tag ends RCDATA, RAWTEXT and scripts */
    twx_slice last_name;
    TWX_VEC(twx_attribute) attributes;  /* of the current start tag, duplicates included */
    uint32_t known;                     /* bit n: attribute n is present; the first one counts */
    twx_slice value[TWX_ATTRS];         /* valid if the bit in `known` is set */
    char reference[TWX_CHAR_REF_BYTES]; /* text of the last character reference */
} twx_tokenizer;

void twx_tokenizer_done(twx_tokenizer *t);
void twx_tokenizer_open(twx_tokenizer *t, twx_ctx *cx, twx_slice page);
/* ret is valid until the next call. After TWX_TOKEN_END, every call returns TWX_TOKEN_END. Errors
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tokenizer_next(twx_tokenizer *t, twx_html_token *ret);

/* The attribute of the current start tag as in the page; absent: there is none. */
static inline twx_slice twx_attribute_raw(const twx_tokenizer *t, twx_attribute_id id) {
    return t->known >> id & 1 ? t->value[id] : (twx_slice){NULL, 0};
}

/* Reads the next attribute of a tag from *p on. *ret_slash: a '/' immediately precedes it, or the
 * end. false: there are no more; *p is after the '>', or NULL if the page ends inside the tag. */
bool twx_attribute_next(const char **p, const char *end, twx_attribute *ret, bool *ret_slash);
/* The first attribute of that name (ASCII case is ignored) in twx_html_token.source; its value as
 * in the page. false: there is none. */
bool twx_attribute_in(twx_slice source, twx_slice name, twx_slice *ret_value);

/* html_tree.c: tree construction (HTML standard, section 13.2.6, scripting disabled) without
 * building a tree. Only the stack of open elements and the list of active formatting elements are
 * kept; a sink receives elements and text in page order.
 * [R1] Content that the standard moves before a table is marked `fostered`, and the sink inserts it
 * there.
 * [R2] Work is linear in the page. A search of the stack examines at most TWX_TREE_WALK elements.
 * The stack holds at most TWX_TREE_DEPTH elements: deeper elements have no effect, but their text
 * counts. The list holds at most TWX_TREE_FORMATTING.
 * Memory: embedded struct with owned vectors, zeroed by the caller, reused from page to page. */

enum { TWX_TREE_WALK = 600, TWX_TREE_DEPTH = 1 << 16, TWX_TREE_FORMATTING = 256 };

typedef enum twx_namespace { TWX_HTML, TWX_SVG, TWX_MATHML } twx_namespace;

/* The style that the sink computes from an element's attributes; a reopened element keeps it. */
typedef struct twx_style {
    uint8_t display;    /* twx_display */
    uint8_t visibility; /* twx_visibility */
    bool flex;          /* its children are block boxes */
} twx_style;

typedef enum twx_visibility { TWX_INHERITED, TWX_VISIBLE, TWX_INVISIBLE } twx_visibility;

/* An element that was moved before a table. */
typedef struct twx_fostering {
    bool is;
    uint32_t table;  /* the sink's number of the table */
    uint32_t resume; /* where the sink continues after the element is closed */
} twx_fostering;

/* The parts of an element that selectors test. Attributes are as in the page. */
typedef struct twx_subject {
    twx_slice name, classes, id;
    twx_slice source; /* all attributes */
} twx_subject;

/* An open element. */
typedef struct twx_open {
    uint8_t tag;     /* twx_tag of an HTML element; TWX_TAG_unknown for others */
    uint8_t foreign; /* twx_tag of a foreign element */
    uint8_t ns;      /* twx_namespace */
    /* HTML integration point (also MathML annotation-xml with an encoding of HTML) */
    bool integration;
    uint16_t flags; /* twx_element_flag */
    int32_t format; /* index in the list of active formatting elements; -1: none */
    twx_slice name; /* as in the page */
    twx_subject as; /* for the sink: input of selectors */
    twx_style style;
    twx_fostering fostered;
    /* members of the sink */
    uint8_t content; /* twx_shown_part */
    uint8_t visibility;
    bool hides;    /* none of its content is shown */
    bool inert;    /* in a template or noscript: its metadata does not count */
    bool fragment; /* in a template: not part of the document */
    bool summary;  /* details: its summary was seen */
    uint8_t area;  /* twx_area of its text */
    bool section;  /* within sectioning content: its header and footer are not those of the page */
    uint32_t table;
} twx_open;

typedef struct twx_formatting {
    bool marker;
    int32_t depth; /* index in the stack; -1: not open */
    twx_open element;
    twx_slice source; /* its attributes as in the page */
} twx_formatting;

/* Each function may return a code that ends the page: an error, or TWX_DONE. */
typedef struct twx_tree_sink {
    void *arg;
    /* Called before e is pushed above parent (NULL: e is the root). token: its start tag; NULL: the
     * element is implied or reopened. */
    twx_rc (*open)(void *arg, twx_open *parent, twx_open *e, const twx_html_token *token);
    twx_rc (*close)(void *arg, twx_open *e);
    /* text of the current element; table: the text is moved before it; NULL: in place */
    twx_rc (*text)(void *arg, twx_open *current, twx_open *table, twx_slice text);
    /* attributes of a second <html> or <body> tag */
    twx_rc (*more_attributes)(void *arg, twx_open *e);
    /* the adoption agency algorithm moved e and its content below parent */
    void (*moved)(void *arg, twx_open *parent, twx_open *e);
    void (*foster)(void *arg, twx_open *table, twx_open *e); /* e will be placed before table */
} twx_tree_sink;

typedef uint8_t twx_mode;

typedef struct twx_tree {
    twx_ctx *cx;
    twx_tokenizer *t;
    const twx_tree_sink *sink;
    TWX_VEC(twx_open) stack;
    TWX_VEC(twx_formatting) formatting;
    TWX_VEC(twx_slice) table_text; /* pending table character tokens */
    TWX_VEC(twx_mode) template_modes;
    uint32_t count[TWX_TAGS]; /* open HTML elements of each name */
    size_t ignored;           /* start tags beyond TWX_TREE_DEPTH */
    twx_mode mode, original;
    bool foster, quirks, frameset_ok, form, head, skip_line_feed, table_text_shown, done;
    twx_rc rc; /* the first failure */
} twx_tree;

void twx_tree_done(twx_tree *tree);
/* Reads the page that `t` was opened on. Errors: those of the sink, TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tree_read(twx_ctx *cx, twx_tree *tree, twx_tokenizer *t,
                               const twx_tree_sink *sink);

/* html_stack.c: the stack of open elements and the list of active formatting elements of tree
 * construction (HTML standard, sections 13.2.4.2, 13.2.4.3, 13.2.6.1 and the adoption agency
 * algorithm). Failures are stored in tree->rc. */

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
/* implies end tags and pops until the element is closed; false: it is not in scope */
bool twx_close_in_scope(twx_tree *tree, twx_tag tag, twx_scope scope, twx_tag except);
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

/* html_modes: the insertion modes of tree construction. Each function handles one token
 * (HTML standard, section 13.2.6.4). */

/* clang-format off */
#define TWX_TREE_MODES(X)\
    X(INITIAL, initial)                      \
    X(BEFORE_HTML, before_html)              \
    X(BEFORE_HEAD, before_head)              \
    X(IN_HEAD, twx_in_head)                  \
    X(IN_HEAD_NOSCRIPT, in_head_noscript)    \
    X(AFTER_HEAD, after_head)                \
    X(IN_BODY, twx_in_body)                  \
    X(TEXT, in_text)                         \
    X(IN_TABLE, twx_in_table)                \
    X(IN_TABLE_TEXT, twx_in_table_text)      \
    X(IN_CAPTION, twx_in_caption)            \
    X(IN_COLUMN_GROUP, twx_in_column_group)  \
    X(IN_TABLE_BODY, twx_in_table_body)      \
    X(IN_ROW, twx_in_row)                    \
    X(IN_CELL, twx_in_cell)                  \
    X(IN_TEMPLATE, in_template)              \
    X(AFTER_BODY, after_body)                \
    X(IN_FRAMESET, in_frameset)              \
    X(AFTER_FRAMESET, after_frameset)        \
    X(AFTER_AFTER_BODY, after_body)          \
    X(AFTER_AFTER_FRAMESET, after_frameset)
/* clang-format on */
#define TWX_MODE_ENUM(name, function) TWX_MODE_##name,
enum twx_mode_name { TWX_TREE_MODES(TWX_MODE_ENUM) TWX_MODES };

typedef void twx_mode_fn(twx_tree *tree, twx_html_token *token);

/* by the rules of tree->mode, or of foreign content */
void twx_process(twx_tree *tree, twx_html_token *token);
void twx_process_html(twx_tree *tree, twx_html_token *token); /* by the rules of tree->mode */
void twx_in_head(twx_tree *tree, twx_html_token *token);
void twx_in_body(twx_tree *tree, twx_html_token *token);
void twx_reset_mode(twx_tree *tree);
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

/* html_foreign */
bool twx_is_foreign_content(twx_tree *tree, const twx_html_token *token);
void twx_in_foreign(twx_tree *tree, twx_html_token *token);

/* html_quirks */
bool twx_doctype_quirks(const twx_html_token *doctype);

/* style.c: the CSS that decides whether and how text is shown.
 * [R1] Selectors: names, classes, ids, attributes with or without a value, descendants and
 * children. A selector with any other part is ignored.
 * [R2] Media: a screen with a window of 1280 by 800 pixels; types and widths.
 * [R3] A rule applies to the whole document: a page with rules in its body is read a second time.
 * [R4] Bounded: at most TWX_SHEET_SELECTORS selectors, and work linear in the page; beyond that no
 * rule applies.
 * Memory: embedded struct with owned vectors, reused from page to page. Names are hashed. */

enum {
    TWX_SHEET_SELECTORS = 1 << 14,
    TWX_SHEET_TESTS = 1 << 17,
    TWX_SHEET_COMPOUNDS = 8,
    TWX_SHEET_BUCKETS = 2048 /* style sheets of real pages have up to some thousand selectors */
};

typedef enum twx_property {
    TWX_PROP_DISPLAY,
    TWX_PROP_VISIBILITY,
    TWX_PROP_FLOAT,
    TWX_PROP_POSITION,
    TWX_PROPERTIES
} twx_property;

/* The values that a block of declarations sets; 0: not set. */
typedef struct twx_declared {
    uint8_t value[TWX_PROPERTIES];
    bool important[TWX_PROPERTIES];
} twx_declared;

typedef enum twx_test_kind {
    TWX_TEST_NAME,
    TWX_TEST_CLASS,
    TWX_TEST_ID,
    TWX_TEST_ATTRIBUTE
} twx_test_kind;

/* One condition on an element: ".wide", "[lang=en]". */
typedef struct twx_test {
    uint8_t kind;             /* twx_test_kind */
    bool valued;              /* ATTRIBUTE: it must have the value that was hashed */
    uint32_t name_at, name_n; /* ATTRIBUTE: in twx_sheet.css */
    uint64_t hash;
} twx_test;

/* "div.a.b#c": all tests must hold for one element. */
typedef struct twx_compound {
    uint32_t first, tests; /* in twx_sheet.tests */
    char combinator;       /* to the compound on the left: ' ' or '>' */
} twx_compound;

typedef struct twx_selector {
    twx_compound compound[TWX_SHEET_COMPOUNDS];
    uint8_t compounds;
    uint64_t key; /* hash of a name that the element must have; 0: none */
    uint64_t strength;
    uint32_t next; /* in the same bucket; index + 1 */
    twx_declared declared;
} twx_selector;

typedef struct twx_sheet {
    TWX_VEC(twx_selector) selectors;
    TWX_VEC(twx_test) tests;
    twx_buf css; /* of all style elements of the page; css.p[read..] has not been read */
    size_t read;
    /* first selector, index + 1; the last bucket: selectors without a key */
    uint32_t bucket[TWX_SHEET_BUCKETS + 1];
    uint64_t work, budget; /* remaining steps; steps allowed for one reading */
    bool again;            /* the page must be read a second time */
    bool second;           /* this is the second reading: all rules apply from the beginning */
    bool quirks;           /* classes and ids are compared case-insensitively */
} twx_sheet;

/* page: the next page to be read */
void twx_sheet_clear(twx_sheet *s, twx_slice page);
void twx_sheet_done(twx_sheet *s);
/* Adds the rules of the style element whose text the caller appended to s->css. */
TWX_CHECK twx_rc twx_sheet_read(twx_ctx *cx, twx_sheet *s);
/* Updates e->style by the rules and `own`, its style attribute. stack[0..depth): ancestors. */
void twx_sheet_style(twx_sheet *s, const twx_open *stack, size_t depth, twx_slice own, twx_open *e);

/* query: of @media or the attribute media */
bool twx_media_matches(twx_slice query);

/* html_reader: private to src/page: the two parts that read one page: visibility
 * (html_shown) and metadata (html_head.c). */

struct twx_html_room {
    twx_tokenizer tokenizer;
    twx_tree tree;
    twx_flow flow;
    TWX_VEC(struct twx_table_place) tables;
    TWX_VEC(struct twx_reference) references;
    twx_buf decoded, lines; /* the page in UTF-8; without carriage returns */
    twx_buf title;          /* as in the page */
    twx_buf json;           /* the open JSON-LD block */
    twx_buf name;           /* one name */
    twx_buf fields;         /* what fields show in themselves */
    twx_sheet sheet;
    twx_arena scratch, link; /* of the page; of one attribute */
    twx_arena base;          /* of the links of a page */
};

typedef struct twx_html_reader {
    twx_ctx *cx;
    twx_html *h;
    twx_html_room *room;
    const twx_url *page;
    twx_url base; /* for the links of the body */
    bool has_base, named_description;
    bool in_body, in_title, in_style, in_json, has_password;
    size_t offered; /* names so far, repeats included */
    bool settled;   /* the encoding is certain */
    /* from a meta element after the first 1024 bytes: the page must be read again */
    twx_slice late_charset;
    void *layout; /* EVP_MD_CTX */
    size_t tags_n;
    char tags[4096]; /* layout that is not hashed yet */
} twx_html_reader;

/* Appends whole characters while they fit; once one has not, later calls append nothing. Less room
 * than the longest character needs counts as none. */
TWX_CHECK twx_rc twx_add_cut(twx_ctx *cx, twx_buf *to, twx_slice s);
/* Collapses each run of ASCII white space into one blank and strips it from both ends. */
TWX_CHECK twx_rc twx_add_collapsed(twx_ctx *cx, twx_buf *to, twx_slice s);

/* html_head.c: handles an element that carries metadata. TWX_DONE: the page must be read again with
 * late_charset. */
TWX_CHECK twx_rc twx_head_element(twx_html_reader *r, const twx_open *parent, const twx_open *e);
TWX_CHECK twx_rc twx_head_language(twx_html_reader *r);
TWX_CHECK twx_rc twx_head_anchor(twx_html_reader *r);

/* html_fields (html_head.c): [R10] notes what an <input> shows; adds it to the text at the end. */
TWX_CHECK twx_rc twx_field_element(twx_html_reader *r, const twx_html_token *token);
TWX_CHECK twx_rc twx_add_fields(twx_html_reader *r);

/* html_names (html_head.c): [R8] the names that an element states, and those of the JSON-LD in
 * room->json. */
TWX_CHECK twx_rc twx_names_element(twx_html_reader *r, const twx_open *e);
TWX_CHECK twx_rc twx_names_script(twx_html_reader *r);

/* html_shown (shown.c): decides what is shown of an element, and sets the sink's members of e. */
void twx_shown_style(twx_html_room *room, const twx_open *parent, twx_open *e);
/* the same for an element without a start tag */
void twx_shown_implied(twx_html_room *room, const twx_open *parent, twx_open *e);
void twx_shown_moved(twx_open *parent, twx_open *e);
void twx_shown_open(twx_open *parent, twx_open *e, const twx_html_token *token,
                    const twx_tokenizer *t);
bool twx_shown_text(const twx_open *e);

#endif
