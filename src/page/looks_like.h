/* page/looks_like.h: guesses what kind of content the bytes of a stored value are, for suggestions
 * and warnings. The guess never affects how a value is read. */
#ifndef TWX_PAGE_LOOKS_LIKE_H
#define TWX_PAGE_LOOKS_LIKE_H

#include "base/slice.h"

typedef enum twx_content {
    TWX_CONTENT_EMPTY,
    TWX_CONTENT_PLAIN,
    TWX_CONTENT_URL,    /* an http or https URL and nothing else */
    TWX_CONTENT_HTML,   /* markup of a page or a fragment */
    TWX_CONTENT_JSON,   /* an object or array */
    TWX_CONTENT_HEX,    /* 16 to 128 hex digits: a digest */
    TWX_CONTENT_PACKED, /* gzip, zlib or zstd, recognized by the first bytes */
    TWX_CONTENT_BINARY, /* contains NUL bytes */
    TWX_CONTENTS
} twx_content;

/* Examines at most the first 64 KiB. */
twx_content twx_looks_like(twx_slice bytes);
/* For messages: "HTML", "packed bytes". Static. */
const char *twx_content_name(twx_content content);

#endif
