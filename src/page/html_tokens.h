/* page/html_tokens.h: the tokens of an HTML page (HTML standard, section 13.2.5), one at a time,
 * from UTF-8 in memory.
 * [R1] Every token is a slice of the page; nothing is copied. Text is returned in runs; a character
 * reference is a run of its own.
 * [R2] Linear time: each byte is examined a bounded number of times, including those of attributes,
 * whatever the page contains.
 * [R3] The page must not contain carriage returns (the caller of twx_decode() replaces them). NUL
 * bytes are left in text and names; tree construction handles them. Tree construction also sets
 * `state` after start tags that change the tokenizer's state, and `foreign` for CDATA sections.
 * Memory: embedded struct; attributes are owned and reused; the page is borrowed. */
#ifndef TWX_PAGE_HTML_TOKENS_H
#define TWX_PAGE_HTML_TOKENS_H

#include "base/vec.h"
#include "page/char_refs.h"
#include "page/elements.h"

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

void twx_tokenizer_init(twx_tokenizer *t);
void twx_tokenizer_done(twx_tokenizer *t);
void twx_tokenizer_open(twx_tokenizer *t, twx_ctx *cx, twx_slice page);
/* ret is valid until the next call. After TWX_TOKEN_END, every call returns TWX_TOKEN_END. Errors
 * TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_tokenizer_next(twx_tokenizer *t, twx_html_token *ret);

/* The attribute of the current start tag as in the page; absent: there is none. */
static inline twx_slice twx_attribute_raw(const twx_tokenizer *t, twx_attribute_id id) {
    return t->known >> id & 1 ? t->value[id] : (twx_slice){NULL, 0};
}

/* The first attribute of that name (ASCII case is ignored) in twx_html_token.source; its value as
 * in the page. false: there is none. */
bool twx_attribute_in(twx_slice source, twx_slice name, twx_slice *ret_value);

#endif
