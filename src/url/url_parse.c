#include "url/url_parse.h"

/* Where RFC 3986 (sections 2.2 to 3.4) allows a byte. A letter stands for a set of places; the
 * comment names the bytes that have it. */
enum {
    N = 0, /* nowhere */
    I = TWX_URL_IN_USERINFO | TWX_URL_IN_HOST | TWX_URL_IN_PATH |
        TWX_URL_IN_QUERY, /* the apostrophe */
    W = TWX_URL_IN_QUERY | TWX_URL_IN_WEB_QUERY,
    D = I | W,                                     /* the other sub-delims */
    P = D | TWX_URL_IN_SCHEME,                     /* '+' */
    T = D | TWX_URL_UNRESERVED,                    /* '_' and '~' */
    L = T | TWX_URL_IN_SCHEME,                     /* letter, digit, '-', '.' */
    C = TWX_URL_IN_USERINFO | TWX_URL_IN_PATH | W, /* ':' */
    A = TWX_URL_IN_PATH | W,                       /* '@' and '/' */
    Q = W                                          /* '?' */
};

/* clang-format off */
const unsigned char TWX_URL_PLACES[256] = {
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, /* controls */
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, D, N, N, D, N, D, I, D, D, D, P, D, L, L, A, /*   ! " # $ % & ' ( ) * + , - . / */
    L, L, L, L, L, L, L, L, L, L, C, D, N, D, N, Q, /* 0 1 2 3 4 5 6 7 8 9 : ; < = > ? */
    A, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* @ A B C D E F G H I J K L M N O */
    L, L, L, L, L, L, L, L, L, L, L, N, N, N, N, T, /* P Q R S T U V W X Y Z [ \ ] ^ _ */
    N, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* ` a b c d e f g h i j k l m n o */
    L, L, L, L, L, L, L, L, L, L, L, N, N, N, T, N, /* p q r s t u v w x y z { | } ~   */
};
/* clang-format on */

/* Length of the scheme without its colon; 0: there is none. */
static size_t scheme_length(twx_slice text) {
    if (text.n == 0 || !twx_is_alpha((unsigned char)text.p[0])) return 0;
    size_t i = 1;
    while (i < text.n && twx_url_may_stand(text.p[i], TWX_URL_IN_SCHEME)) i++;
    return i < text.n && text.p[i] == ':' ? i : 0;
}

static twx_slice from(twx_slice s, size_t at) {
    return twx_slice_sub(s, at, s.n);
}

/* Cuts s at the first `mark` and sets *ret_tail to the bytes after it; without a mark *ret_tail
 * stays absent. */
static twx_slice cut(twx_slice s, char mark, twx_slice *ret_tail) {
    size_t at = twx_slice_find(s, mark, 0);
    if (at < s.n) *ret_tail = from(s, at + 1);
    return twx_slice_sub(s, 0, at);
}

void twx_url_split(twx_slice text, twx_url_parts *ret_parts) {
    twx_url_parts parts = {.scheme = {NULL, 0}};
    if (!text.p) text = TWX_SLICE_LIT("");
    size_t scheme = scheme_length(text);
    if (scheme) {
        parts.scheme = twx_slice_sub(text, 0, scheme);
        text = from(text, scheme + 1);
    }
    text = cut(text, '#', &parts.fragment);
    text = cut(text, '?', &parts.query);
    if (twx_slice_starts(text, TWX_SLICE_LIT("//"))) {
        size_t end = twx_slice_find(text, '/', 2);
        parts.authority = twx_slice_sub(text, 2, end);
        text = from(text, end);
    }
    parts.path = text;
    *ret_parts = parts;
}

void twx_url_split_authority(twx_slice authority, twx_authority_parts *ret_parts) {
    twx_authority_parts parts = {.userinfo = {NULL, 0}};
    /* The last '@' ends the userinfo, as in browsers: a raw '@' in a password is common. */
    const char *at = NULL;
    for (size_t i = twx_slice_find(authority, '@', 0); i < authority.n;
         i = twx_slice_find(authority, '@', i + 1))
        at = authority.p + i;
    if (at) {
        size_t length = (size_t)(at - authority.p);
        parts.userinfo = twx_slice_sub(authority, 0, length);
        authority = from(authority, length + 1);
    }
    size_t search = authority.n && authority.p[0] == '[' ? twx_slice_find(authority, ']', 0) : 0;
    size_t colon = twx_slice_find(authority, ':', search);
    if (colon < authority.n) parts.port = from(authority, colon + 1);
    parts.host = twx_slice_sub(authority, 0, colon);
    *ret_parts = parts;
}
