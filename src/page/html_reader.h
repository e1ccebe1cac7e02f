/* page/html_reader.h: the parts that read one page: what is shown (html_shown.c) and what the head
 * says (html_head.c). Inside src/page. */
#ifndef TWX_PAGE_HTML_READER_H
#define TWX_PAGE_HTML_READER_H

#include "base/arena.h"
#include "page/flow.h"
#include "page/html.h"
#include "page/html_tree.h"
#include "page/style_sheet.h"

enum { TWX_FIELD_BYTES = 1 << 16 /* title, description and so on; longer ones are cut */ };

/* A table that is open or was: where content that is moved before it goes. */
typedef struct twx_table_place {
    uint32_t cursor;
    bool shown;
} twx_table_place;

struct twx_html_room {
    twx_tokenizer tokenizer;
    twx_tree tree;
    twx_flow flow;
    TWX_VEC(twx_table_place) tables;
    twx_buf decoded, lines; /* the page in UTF-8; without carriage returns */
    twx_buf title;          /* as written */
    twx_sheet sheet;
    twx_buf css;             /* of the style element that is open */
    twx_arena scratch, link; /* of the page; of one <a> */
};

typedef struct twx_reader {
    twx_ctx *cx;
    twx_html *h;
    twx_html_room *room;
    const twx_url *page;
    twx_url base; /* of relative links */
    bool has_base, named_description;
    bool in_body, in_title, in_style;
    bool settled; /* the encoding is certain */
    /* a meta element beyond the first 1024 bytes said so: to be read again */
    twx_slice late_charset;
    void *layout; /* EVP_MD_CTX */
    size_t tags_n;
    char tags[4096]; /* layout that is not hashed yet */
} twx_reader;

/* The value of an attribute of the current start tag, character references replaced; absent: none.
 * Lives in `arena` or the page. */
TWX_CHECK twx_rc twx_attribute_value(twx_reader *r, twx_arena *arena, twx_attribute_id id,
                                     twx_slice *ret);
/* Adds what fits, whole characters only. */
TWX_CHECK twx_rc twx_add_cut(twx_ctx *cx, twx_buf *to, twx_slice s);
/* Runs of ASCII white space become one blank; none at the ends. */
TWX_CHECK twx_rc twx_add_collapsed(twx_ctx *cx, twx_buf *to, twx_slice s);

/* html_head.c: an element that says something about the page. TWX_DONE: it is to be read again with
 * late_charset. */
TWX_CHECK twx_rc twx_head_element(twx_reader *r, const twx_open *parent, const twx_open *e);
TWX_CHECK twx_rc twx_head_language(twx_reader *r);
TWX_CHECK twx_rc twx_head_anchor(twx_reader *r);

/* html_shown.c: what of an element is shown; sets the sink's own members of e. */
void twx_shown_style(twx_html_room *room, const twx_open *parent, twx_open *e);
/* the same for an element without a start tag of its own */
void twx_shown_implied(twx_html_room *room, const twx_open *parent, twx_open *e);
void twx_shown_moved(twx_open *parent, twx_open *e);
void twx_shown_open(twx_open *parent, twx_open *e, const twx_token *token, const twx_tokenizer *t);
bool twx_shown_text(const twx_open *e);

#endif
