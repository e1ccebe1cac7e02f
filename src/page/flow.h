/* page/flow.h: the visible text of a page, first as a list of pieces, then as lines.
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
#ifndef TWX_PAGE_FLOW_H
#define TWX_PAGE_FLOW_H

#include "base/buf.h"
#include "base/vec.h"

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

typedef struct twx_piece {
    union {
        const char *p;
        char bytes[sizeof(const char *)];
    } at;
    uint32_t next; /* 0: the last one */
    unsigned n : 26, kind : 4, area : 2;
} twx_piece;

typedef struct twx_flow {
    TWX_VEC(twx_piece) pieces; /* [0] is the head of the list */
    uint32_t cursor;           /* the next piece comes after this one */
    size_t bytes;              /* length of the text in all pieces */
    twx_area area;             /* of the next text; set by the caller */
} twx_flow;

TWX_CHECK twx_rc twx_flow_clear(twx_ctx *cx, twx_flow *f);
void twx_flow_done(twx_flow *f);
TWX_CHECK twx_rc twx_flow_add(twx_ctx *cx, twx_flow *f, twx_piece_kind kind);
/* text is part of the page; or, with `copy`, at most 8 bytes from elsewhere */
TWX_CHECK twx_rc twx_flow_text(twx_ctx *cx, twx_flow *f, twx_slice text, bool copy);
/* [R2] [R3] Truncated at text->max. headings: one per line, as many as fit. parts: the parts of the
 * text that belong to the content area (text_parts.h); empty if that is all of the text. */
TWX_CHECK twx_rc twx_flow_lines(twx_ctx *cx, const twx_flow *f, twx_buf *text, twx_buf *headings,
                                twx_buf *parts);

#endif
