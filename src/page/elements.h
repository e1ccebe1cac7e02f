/* page/elements.h: one table of the elements of HTML and of those elements of SVG and MathML that a
 * parser must know: how tree construction treats them (HTML standard, section 13.2.6) and how they
 * affect the text that a browser shows (the user-agent style sheet, checked with getComputedStyle
 * for every element name in Chromium). The hash of names in elements_data.h is made by
 * scripts/gen-page-tables. */
#ifndef TWX_PAGE_ELEMENTS_H
#define TWX_PAGE_ELEMENTS_H

#include "base/slice.h"

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

/* Rules of the insertion mode "in body" for start tags and for end tags. The rest of each name
 * refers to a list of elements in the standard. */
typedef enum twx_body_start {
    TWX_START_OTHER,
    TWX_START_HTML,
    TWX_START_HEAD, /* as the insertion mode "in head" */
    TWX_START_BODY,
    TWX_START_FRAMESET,
    TWX_START_BLOCK,
    TWX_START_HEADING,
    TWX_START_PRE,
    TWX_START_FORM,
    TWX_START_ITEM, /* li, dd, dt */
    TWX_START_PLAINTEXT,
    TWX_START_BUTTON,
    TWX_START_A,
    TWX_START_FORMAT,
    TWX_START_NOBR,
    TWX_START_MARKER, /* applet, marquee, object */
    TWX_START_TABLE,
    TWX_START_VOID,
    TWX_START_INPUT,
    TWX_START_PARAM, /* a void element before which no formatting is reconstructed */
    TWX_START_HR,
    TWX_START_IMAGE,
    TWX_START_TEXTAREA,
    TWX_START_XMP,
    TWX_START_RAWTEXT, /* iframe, noembed */
    TWX_START_SELECT,
    TWX_START_OPTION, /* and optgroup */
    TWX_START_RUBY,
    TWX_START_FOREIGN, /* svg, math */
    TWX_START_IGNORED,
    TWX_STARTS
} twx_body_start;

typedef enum twx_body_end {
    TWX_END_OTHER,
    TWX_END_BODY, /* and html */
    TWX_END_BLOCK,
    TWX_END_FORM,
    TWX_END_P,
    TWX_END_ITEM,
    TWX_END_HEADING,
    TWX_END_FORMAT,
    TWX_END_MARKER,
    TWX_END_BR,
    TWX_END_TEMPLATE,
    TWX_ENDS
} twx_body_end;

#define TWX_EL_S  TWX_EL_SPECIAL
#define TWX_EL_SC (TWX_EL_SPECIAL | TWX_EL_SCOPE)
#define TWX_EL_SB (TWX_EL_SPECIAL | TWX_EL_BREAKOUT)
#define TWX_EL_F  TWX_EL_FORMATTING
#define TWX_EL_FB (TWX_EL_FORMATTING | TWX_EL_BREAKOUT)
#define TWX_EL_HB (TWX_EL_SPECIAL | TWX_EL_BREAKOUT | TWX_EL_HEADING)

/* X(name, flags, display, start rule, end rule). A name that is not a C identifier is spelled in
 * TWX_ELEMENT_NAMES. */
#define TWX_ELEMENTS(X)                                             \
    X(a, TWX_EL_F, INLINE, A, FORMAT)                               \
    X(address, TWX_EL_S, BLOCK, BLOCK, BLOCK)                       \
    X(annotation, 0, INLINE, OTHER, OTHER)                          \
    X(annotation_xml, 0, INLINE, OTHER, OTHER)                      \
    X(applet, TWX_EL_SC, INLINE, MARKER, MARKER)                    \
    X(area, TWX_EL_S, NONE, VOID, OTHER)                            \
    X(article, TWX_EL_S, BLOCK, BLOCK, BLOCK)                       \
    X(aside, TWX_EL_S, BLOCK, BLOCK, BLOCK)                         \
    X(audio, 0, REPLACED, OTHER, OTHER)                             \
    X(b, TWX_EL_FB, INLINE, FORMAT, FORMAT)                         \
    X(base, TWX_EL_S, NONE, HEAD, OTHER)                            \
    X(basefont, TWX_EL_S, NONE, HEAD, OTHER)                        \
    X(bgsound, TWX_EL_S, NONE, HEAD, OTHER)                         \
    X(big, TWX_EL_FB, INLINE, FORMAT, FORMAT)                       \
    X(blockquote, TWX_EL_SB, BLOCK, BLOCK, BLOCK)                   \
    X(body, TWX_EL_SB, BLOCK, BODY, BODY)                           \
    X(br, TWX_EL_SB, BLOCK, VOID, BR)                               \
    X(button, TWX_EL_S, INLINE, BUTTON, BLOCK)                      \
    X(caption, TWX_EL_SC | TWX_EL_IMPLIED_2, BLOCK, IGNORED, OTHER) \
    X(center, TWX_EL_SB, BLOCK, BLOCK, BLOCK)                       \
    X(code, TWX_EL_FB, INLINE, FORMAT, FORMAT)                      \
    X(col, TWX_EL_S, NONE, IGNORED, OTHER)                          \
    X(colgroup, TWX_EL_S | TWX_EL_IMPLIED_2, NONE, IGNORED, OTHER)  \
    X(datalist, 0, NONE, OTHER, OTHER)                              \
    X(dd, TWX_EL_SB | TWX_EL_IMPLIED, BLOCK, ITEM, ITEM)            \
    X(desc, 0, INLINE, OTHER, OTHER)                                \
    X(details, TWX_EL_S, BLOCK, BLOCK, BLOCK)                       \
    X(dialog, 0, NONE, BLOCK, BLOCK)                                \
    X(dir, TWX_EL_S, BLOCK, BLOCK, BLOCK)                           \
    X(div, TWX_EL_SB, BLOCK, BLOCK, BLOCK)                          \
    X(dl, TWX_EL_SB, BLOCK, BLOCK, BLOCK)                           \
    X(dt, TWX_EL_SB | TWX_EL_IMPLIED, BLOCK, ITEM, ITEM)            \
    X(em, TWX_EL_FB, INLINE, FORMAT, FORMAT)                        \
    X(embed, TWX_EL_SB, INLINE, VOID, OTHER)                        \
    X(fieldset, TWX_EL_S, BLOCK, BLOCK, BLOCK)                      \
    X(figcaption, TWX_EL_S, BLOCK, BLOCK, BLOCK)                    \
    X(figure, TWX_EL_S, BLOCK, BLOCK, BLOCK)                        \
    X(font, TWX_EL_F, INLINE, FORMAT, FORMAT)                       \
    X(footer, TWX_EL_S, BLOCK, BLOCK, BLOCK)                        \
    X(foreignobject, 0, INLINE, OTHER, OTHER)                       \
    X(form, TWX_EL_S, BLOCK, FORM, FORM)                            \
    X(frame, TWX_EL_S, BLOCK, IGNORED, OTHER)                       \
    X(frameset, TWX_EL_S, BLOCK, FRAMESET, OTHER)                   \
    X(h1, TWX_EL_HB, BLOCK, HEADING, HEADING)                       \
    X(h2, TWX_EL_HB, BLOCK, HEADING, HEADING)                       \
    X(h3, TWX_EL_HB, BLOCK, HEADING, HEADING)                       \
    X(h4, TWX_EL_HB, BLOCK, HEADING, HEADING)                       \
    X(h5, TWX_EL_HB, BLOCK, HEADING, HEADING)                       \
    X(h6, TWX_EL_HB, BLOCK, HEADING, HEADING)                       \
    X(head, TWX_EL_SB, NONE, IGNORED, OTHER)                        \
    X(header, TWX_EL_S, BLOCK, BLOCK, BLOCK)                        \
    X(hgroup, TWX_EL_S, BLOCK, BLOCK, BLOCK)                        \
    X(hr, TWX_EL_SB, BLOCK, HR, OTHER)                              \
    X(html, TWX_EL_SC, BLOCK, HTML, BODY)                           \
    X(i, TWX_EL_FB, INLINE, FORMAT, FORMAT)                         \
    X(iframe, TWX_EL_S, REPLACED, RAWTEXT, OTHER)                   \
    X(image, 0, INLINE, IMAGE, OTHER)                               \
    X(img, TWX_EL_SB, INLINE, VOID, OTHER)                          \
    X(input, TWX_EL_S, INLINE, INPUT, OTHER)                        \
    X(keygen, TWX_EL_S, INLINE, VOID, OTHER)                        \
    X(legend, 0, BLOCK, OTHER, OTHER)                               \
    X(li, TWX_EL_SB | TWX_EL_IMPLIED, BLOCK, ITEM, ITEM)            \
    X(link, TWX_EL_S, NONE, HEAD, OTHER)                            \
    X(listing, TWX_EL_SB | TWX_EL_PRE, BLOCK, PRE, BLOCK)           \
    X(main, TWX_EL_S, BLOCK, BLOCK, BLOCK)                          \
    X(malignmark, 0, INLINE, OTHER, OTHER)                          \
    X(marquee, TWX_EL_SC, INLINE, MARKER, MARKER)                   \
    X(math, 0, INLINE, FOREIGN, OTHER)                              \
    X(menu, TWX_EL_SB, BLOCK, BLOCK, BLOCK)                         \
    X(meta, TWX_EL_SB, NONE, HEAD, OTHER)                           \
    X(meter, 0, REPLACED, OTHER, OTHER)                             \
    X(mglyph, 0, INLINE, OTHER, OTHER)                              \
    X(mi, 0, INLINE, OTHER, OTHER)                                  \
    X(mn, 0, INLINE, OTHER, OTHER)                                  \
    X(mo, 0, INLINE, OTHER, OTHER)                                  \
    X(ms, 0, INLINE, OTHER, OTHER)                                  \
    X(mtext, 0, INLINE, OTHER, OTHER)                               \
    X(nav, TWX_EL_S, BLOCK, BLOCK, BLOCK)                           \
    X(nobr, TWX_EL_FB, INLINE, NOBR, FORMAT)                        \
    X(noembed, TWX_EL_S, NONE, RAWTEXT, OTHER)                      \
    X(noframes, TWX_EL_S, NONE, HEAD, OTHER)                        \
    X(noscript, TWX_EL_S, NONE, OTHER, OTHER)                       \
    X(object, TWX_EL_SC, INLINE, MARKER, MARKER)                    \
    X(ol, TWX_EL_SB, BLOCK, BLOCK, BLOCK)                           \
    X(optgroup, TWX_EL_IMPLIED, BLOCK, OPTION, OTHER)               \
    X(option, TWX_EL_IMPLIED, BLOCK, OPTION, OTHER)                 \
    X(p, TWX_EL_SB | TWX_EL_IMPLIED, BLOCK, BLOCK, P)               \
    X(param, TWX_EL_S, NONE, PARAM, OTHER)                          \
    X(plaintext, TWX_EL_S | TWX_EL_PRE, BLOCK, PLAINTEXT, OTHER)    \
    X(pre, TWX_EL_SB | TWX_EL_PRE, BLOCK, PRE, BLOCK)               \
    X(progress, 0, REPLACED, OTHER, OTHER)                          \
    X(rb, TWX_EL_IMPLIED, INLINE, RUBY, OTHER)                      \
    X(rp, TWX_EL_IMPLIED, NONE, RUBY, OTHER)                        \
    X(rt, TWX_EL_IMPLIED, INLINE, RUBY, OTHER)                      \
    X(rtc, TWX_EL_IMPLIED, INLINE, RUBY, OTHER)                     \
    X(ruby, TWX_EL_BREAKOUT, INLINE, OTHER, OTHER)                  \
    X(s, TWX_EL_FB, INLINE, FORMAT, FORMAT)                         \
    X(script, TWX_EL_S, NONE, HEAD, OTHER)                          \
    X(search, TWX_EL_S, BLOCK, BLOCK, BLOCK)                        \
    X(section, TWX_EL_S, BLOCK, BLOCK, BLOCK)                       \
    X(select, TWX_EL_SC, REPLACED, SELECT, BLOCK)                   \
    X(small, TWX_EL_FB, INLINE, FORMAT, FORMAT)                     \
    X(source, TWX_EL_S, INLINE, PARAM, OTHER)                       \
    X(span, TWX_EL_BREAKOUT, INLINE, OTHER, OTHER)                  \
    X(strike, TWX_EL_FB, INLINE, FORMAT, FORMAT)                    \
    X(strong, TWX_EL_FB, INLINE, FORMAT, FORMAT)                    \
    X(style, TWX_EL_S, NONE, HEAD, OTHER)                           \
    X(sub, TWX_EL_BREAKOUT, INLINE, OTHER, OTHER)                   \
    X(summary, TWX_EL_S, BLOCK, BLOCK, BLOCK)                       \
    X(sup, TWX_EL_BREAKOUT, INLINE, OTHER, OTHER)                   \
    X(svg, 0, INLINE, FOREIGN, OTHER)                               \
    X(table, TWX_EL_SC | TWX_EL_BREAKOUT, BLOCK, TABLE, OTHER)      \
    X(tbody, TWX_EL_S | TWX_EL_IMPLIED_2, BLOCK, IGNORED, OTHER)    \
    X(td, TWX_EL_SC | TWX_EL_IMPLIED_2, CELL, IGNORED, OTHER)       \
    X(template, TWX_EL_SC, NONE, HEAD, TEMPLATE)                    \
    X(text, 0, INLINE, OTHER, OTHER)                                \
    X(textarea, TWX_EL_S, REPLACED, TEXTAREA, OTHER)                \
    X(tfoot, TWX_EL_S | TWX_EL_IMPLIED_2, BLOCK, IGNORED, OTHER)    \
    X(th, TWX_EL_SC | TWX_EL_IMPLIED_2, CELL, IGNORED, OTHER)       \
    X(thead, TWX_EL_S | TWX_EL_IMPLIED_2, BLOCK, IGNORED, OTHER)    \
    X(title, TWX_EL_S, NONE, HEAD, OTHER)                           \
    X(tr, TWX_EL_S | TWX_EL_IMPLIED_2, BLOCK, IGNORED, OTHER)       \
    X(track, TWX_EL_S, INLINE, PARAM, OTHER)                        \
    X(tt, TWX_EL_FB, INLINE, FORMAT, FORMAT)                        \
    X(u, TWX_EL_FB, INLINE, FORMAT, FORMAT)                         \
    X(ul, TWX_EL_SB, BLOCK, BLOCK, BLOCK)                           \
    X(var, TWX_EL_BREAKOUT, INLINE, OTHER, OTHER)                   \
    X(video, 0, REPLACED, OTHER, OTHER)                             \
    X(wbr, TWX_EL_S, INLINE, VOID, OTHER)                           \
    X(xmp, TWX_EL_S | TWX_EL_PRE, BLOCK, XMP, OTHER)

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

#endif
