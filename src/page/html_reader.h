/* page/html_reader.h: private to src/page: the two parts that read one page: visibility
 * (html_shown.c) and metadata (html_head.c). */
#ifndef TWX_PAGE_HTML_READER_H
#define TWX_PAGE_HTML_READER_H

#include "base/arena.h"
#include "page/flow.h"
#include "page/html.h"
#include "page/html_tree.h"
#include "page/style_sheet.h"

enum {
    TWX_FIELD_BYTES = 1 << 16, /* longer titles, descriptions and so on are truncated */
    TWX_JSON_BYTES = 1 << 18   /* of a JSON-LD block; the rest is ignored */
};

/* An open or closed table: content that is moved before it goes here. */
typedef struct twx_table_place {
    uint32_t cursor;
    bool shown;
} twx_table_place;

/* A link of the head that waits for the URL of the page, in the order of the page. */
typedef enum twx_reference_kind {
    TWX_REFERENCE_BASE,
    TWX_REFERENCE_CANONICAL,
    TWX_REFERENCE_TRANSLATION,
    TWX_REFERENCE_REFRESH
} twx_reference_kind;

typedef struct twx_reference {
    twx_reference_kind kind;
    twx_slice to; /* as written; in `scratch` or in the page */
} twx_reference;

struct twx_html_room {
    twx_tokenizer tokenizer;
    twx_tree tree;
    twx_flow flow;
    TWX_VEC(twx_table_place) tables;
    TWX_VEC(twx_reference) references;
    twx_buf decoded, lines; /* the page in UTF-8; without carriage returns */
    twx_buf title;          /* as in the page */
    twx_buf json;           /* the open JSON-LD block */
    twx_buf name;           /* one name */
    twx_sheet sheet;
    twx_buf css;             /* of the open style element */
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
    bool in_body, in_title, in_style, in_json;
    size_t offered; /* names so far, repeats included */
    bool settled;   /* the encoding is certain */
    /* from a meta element after the first 1024 bytes: the page must be read again */
    twx_slice late_charset;
    void *layout; /* EVP_MD_CTX */
    size_t tags_n;
    char tags[4096]; /* layout that is not hashed yet */
} twx_html_reader;

/* The value of an attribute of the current start tag with character references replaced; absent: no
 * such attribute. The slice lies in `arena` or in the page. */
TWX_CHECK twx_rc twx_attribute_value(twx_html_reader *r, twx_arena *arena, twx_attribute_id id,
                                     twx_slice *ret);
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

/* html_names.c: [R8] the names that an element states, and those of the JSON-LD in room->json. */
TWX_CHECK twx_rc twx_names_element(twx_html_reader *r, const twx_open *e);
TWX_CHECK twx_rc twx_names_script(twx_html_reader *r);

/* html_shown.c: decides what is shown of an element, and sets the sink's own members of e. */
void twx_shown_style(twx_html_room *room, const twx_open *parent, twx_open *e);
/* the same for an element without a start tag */
void twx_shown_implied(twx_html_room *room, const twx_open *parent, twx_open *e);
void twx_shown_moved(twx_open *parent, twx_open *e);
void twx_shown_open(twx_open *parent, twx_open *e, const twx_html_token *token,
                    const twx_tokenizer *t);
bool twx_shown_text(const twx_open *e);

#endif
