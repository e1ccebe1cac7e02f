/* page/html_tree.h: tree construction (HTML standard, section 13.2.6, scripting disabled) without
 * building a tree. Only the stack of open elements and the list of active formatting elements are
 * kept; a sink receives elements and text in page order.
 * [R1] Content that the standard moves before a table is marked `fostered`, and the sink inserts it
 * there.
 * [R2] Work is linear in the page. A search of the stack examines at most TWX_TREE_WALK elements.
 * The stack holds at most TWX_TREE_DEPTH elements: deeper elements have no effect, but their text
 * counts. The list holds at most TWX_TREE_FORMATTING.
 * Memory: embedded struct with owned vectors, reused from page to page. */
#ifndef TWX_PAGE_HTML_TREE_H
#define TWX_PAGE_HTML_TREE_H

#include "page/html_tokens.h"

enum { TWX_TREE_WALK = 600, TWX_TREE_DEPTH = 1 << 16, TWX_TREE_FORMATTING = 256 };

typedef enum twx_namespace { TWX_HTML, TWX_SVG, TWX_MATHML } twx_namespace;

/* The style that the sink computes from an element's attributes; kept when the element is
 * reopened. */
typedef struct twx_style {
    uint8_t display;    /* twx_display */
    uint8_t visibility; /* twx_visibility */
    bool flex;          /* its children are block boxes */
} twx_style;

typedef enum twx_visibility { TWX_INHERITED, TWX_VISIBLE, TWX_INVISIBLE } twx_visibility;

/* The part of an element's content that a browser shows. */
typedef enum twx_shown_part {
    TWX_SHOWS_ALL,
    TWX_SHOWS_NOTHING,
    TWX_SHOWS_OPTIONS, /* select */
    TWX_SHOWS_SUMMARY, /* closed details */
    TWX_SHOWS_DRAWN    /* SVG outside of <text> */
} twx_shown_part;

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
    uint32_t node;    /* index in the sink's list of nodes; 0: none */
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

void twx_tree_init(twx_tree *tree);
void twx_tree_done(twx_tree *tree);
/* Reads the page that `t` was opened on. Errors: those of the sink, TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tree_read(twx_ctx *cx, twx_tree *tree, twx_tokenizer *t,
                               const twx_tree_sink *sink);

#endif
