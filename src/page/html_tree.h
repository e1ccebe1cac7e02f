/* page/html_tree.h: tree construction (HTML standard, section 13.2.6, scripting disabled) without a
 * tree: a stack of open elements and the list of active formatting elements are kept, and a sink
 * hears of elements and text in the order of the page.
 * [R1] Content that the standard moves in front of a table is announced by `fostered`: the sink
 * puts it where it belongs.
 * [R2] Work is linear in the page: a search of the stack looks at no more than TWX_TREE_WALK
 * elements, the stack holds at most TWX_TREE_DEPTH (deeper elements have no effect of their own;
 * their text counts), the list at most TWX_TREE_FORMATTING.
 * Memory: embedded struct with owned vectors, reused from page to page. */
#ifndef TWX_PAGE_HTML_TREE_H
#define TWX_PAGE_HTML_TREE_H

#include "page/html_tokens.h"

enum { TWX_TREE_WALK = 600, TWX_TREE_DEPTH = 1 << 16, TWX_TREE_FORMATTING = 256 };

typedef enum twx_namespace { TWX_HTML, TWX_SVG, TWX_MATHML } twx_namespace;

/* What the sink makes of the attributes of an element; kept when the element is opened again. */
typedef struct twx_style {
    uint8_t display;    /* twx_display */
    uint8_t visibility; /* twx_visibility */
    bool flex;          /* its children are boxes of their own */
} twx_style;

typedef enum twx_visibility { TWX_INHERITED, TWX_VISIBLE, TWX_INVISIBLE } twx_visibility;

/* Which part of an element's content a browser shows. */
typedef enum twx_content {
    TWX_SHOWS_ALL,
    TWX_SHOWS_NOTHING,
    TWX_SHOWS_OPTIONS, /* select */
    TWX_SHOWS_SUMMARY, /* details that are closed */
    TWX_SHOWS_DRAWN    /* SVG outside of <text> */
} twx_content;

/* An element that stands before a table. */
typedef struct twx_fostering {
    bool is;
    uint32_t table;  /* the sink's number of the table */
    uint32_t resume; /* where the sink goes on when the element is closed */
} twx_fostering;

/* What the selectors of a style sheet ask about an element. Attributes as written. */
typedef struct twx_subject {
    twx_slice name, classes, id;
    twx_slice source; /* all attributes */
    uint32_t node;    /* its place in the sink's list; 0: none */
} twx_subject;

/* An open element. */
typedef struct twx_open {
    uint8_t tag;     /* twx_tag of an HTML element; TWX_TAG_unknown for others */
    uint8_t foreign; /* twx_tag of a foreign element */
    uint8_t ns;      /* twx_namespace */
    /* HTML integration point (also MathML annotation-xml with an encoding of HTML) */
    bool integration;
    uint16_t flags; /* twx_element_flag */
    int32_t format; /* its place in the list of active formatting elements; -1: none */
    twx_slice name; /* as written */
    twx_subject as; /* for the sink: what selectors ask for */
    twx_style style;
    twx_fostering fostered;
    /* the sink's own */
    uint8_t content; /* twx_content */
    uint8_t visibility;
    bool hides;    /* nothing in it is shown */
    bool inert;    /* in a template or noscript: its metadata does not count */
    bool fragment; /* in a template: not part of the document */
    bool summary;  /* details: its summary has come */
    uint32_t table;
} twx_open;

typedef struct twx_formatting {
    bool marker;
    int32_t depth; /* index in the stack; -1: not open */
    twx_open element;
    twx_slice source; /* its attributes as written */
} twx_formatting;

/* All may fail with what stops the page: an error, or TWX_DONE. */
typedef struct twx_tree_sink {
    void *arg;
    /* e is pushed next, on top of parent (NULL: it is the root). token: its start tag; NULL: it is
     * implied or opened again. */
    twx_rc (*open)(void *arg, twx_open *parent, twx_open *e, const twx_token *token);
    twx_rc (*close)(void *arg, twx_open *e);
    /* text of the current element; table: it stands before that; NULL: in place */
    twx_rc (*text)(void *arg, twx_open *current, twx_open *table, twx_slice text);
    /* attributes of a second <html> or <body> tag */
    twx_rc (*more_attributes)(void *arg, twx_open *e);
    /* the adoption agency moved e, whose content is open, below parent */
    void (*moved)(void *arg, twx_open *parent, twx_open *e);
    void (*foster)(void *arg, twx_open *table, twx_open *e); /* e will stand before table */
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
    twx_rc rc; /* first failure */
} twx_tree;

void twx_tree_init(twx_tree *tree);
void twx_tree_done(twx_tree *tree);
/* Reads the page that `t` was opened on. Errors: the sink's, TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tree_read(twx_ctx *cx, twx_tree *tree, twx_tokenizer *t,
                               const twx_tree_sink *sink);

#endif
