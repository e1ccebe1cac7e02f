/* page/elements.h: the elements of HTML, and those of SVG and MathML that a parser must know:
 * how tree construction treats them and how they affect the text that a browser shows. They are
 * rows of share/tables/elements.tsv, which names the sources. */
#ifndef TWX_PAGE_ELEMENTS_H
#define TWX_PAGE_ELEMENTS_H

#include "base/slice.h"
#include "elements_table.h"

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
