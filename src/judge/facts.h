/* judge/facts.h: the facts about a document that judging needs besides its keys, packed into
 * twindex_signature.facts; the layout is in facts.c. A change of the layout or of the meaning of a
 * fact bumps TWX_FACTS_VERSION.
 * [R1] Unpacked facts, packed again with their URL, are the same bytes.
 * [R2] Bytes may come from anywhere: anything but what packing makes is TWX_E_CORRUPT, and no byte
 * after the end is read. The URL, which is last, has no length of its own, so one that was cut
 * is found only if the host was cut, too. */
#ifndef TWX_JUDGE_FACTS_H
#define TWX_JUDGE_FACTS_H

#include <stdint.h>

#include "base/buf.h"

enum { TWX_FACTS_VERSION = 4, TWX_STATUS_NONE = -1, TWX_FACTS_URL_MAX = 1024 };

typedef enum twx_fact_bit {
    TWX_FACT_USABLE = 1 << 0, /* the URL is absolute and well-formed */
    TWX_FACT_WEB = 1 << 1,    /* http or https */
    TWX_FACT_HTTPS = 1 << 2,
    TWX_FACT_WWW = 1 << 3,    /* host starts with www. */
    TWX_FACT_FAILED = 1 << 4, /* loading failed */
    TWX_FACT_NOINDEX = 1 << 5,
    TWX_FACT_REDIRECT = 1 << 6,  /* the link is a redirect */
    TWX_FACT_CANONICAL = 1 << 7, /* the link is rel=canonical */
    TWX_FACT_SCORED = 1 << 8,
    TWX_FACT_DATED = 1 << 9,
    /* something can be removed from the URL: by url.steps or url.rules, or a parameter for sessions
     * or tracking */
    TWX_FACT_EXTRAS = 1 << 10,
    TWX_FACT_VIEW = 1 << 11 /* a form of the page for print, AMP or mobile devices */
} twx_fact_bit;

/* Memory: host is borrowed: from the caller who filled the facts, or from the bytes that were
 * unpacked. */
typedef struct twx_facts {
    uint32_t bits;
    int32_t status; /* HTTP status, TWX_STATUS_NONE when unknown */
    /* bytes of the normal URL, or of the URL as stored when it is not usable */
    uint32_t url_length;
    uint64_t url_key;      /* hash of the normal URL */
    uint64_t domain_key;   /* hash of the registrable domain */
    uint64_t link_key;     /* url_key of the target of the redirect or canonical link */
    uint64_t hreflang_key; /* hash of the hreflang group; 0: none */
    uint64_t layout_key;   /* hash of the layout digest; 0: none */
    int64_t fetched_at;    /* seconds since 1970, when TWX_FACT_DATED */
    uint64_t score_order;  /* has the order of the scores, when TWX_FACT_SCORED */
    twx_slice host;        /* normal form; empty when the URL has none */
} twx_facts;

uint64_t twx_score_order(double score); /* a < b  <=>  order(a) < order(b); not for NaN */
/* Is `noindex` or `none` among the words of a robots text, in any case? A text that is a number is
 * YaCy's bit field. */
bool twx_robots_noindex(twx_slice robots);
bool twx_robots_bits_noindex(int64_t bits); /* YaCy's bit field */

/* url: the normal URL, of which the first TWX_FACTS_URL_MAX bytes are kept for pins
 * (judge/pins.h). Errors TWX_E_NOMEM, TWX_E_LIMIT (the buffer's max) */
TWX_CHECK twx_rc twx_facts_pack(twx_ctx *cx, const twx_facts *facts, twx_slice url, twx_buf *out);
/* bytes: borrowed, and as long as ret_facts->host is used. Errors TWX_E_CORRUPT [R2] */
TWX_CHECK twx_rc twx_facts_unpack(twx_ctx *cx, twx_slice bytes, twx_facts *ret_facts);
/* The same with the stored bytes of the normal URL, borrowed from `bytes`. */
TWX_CHECK twx_rc twx_facts_unpack_all(twx_ctx *cx, twx_slice bytes, twx_facts *ret_facts,
                                      twx_slice *ret_url);
/* The stored bytes of the normal URL, borrowed; empty if it is not usable or the facts are
 * damaged. */
twx_slice twx_facts_url(twx_slice bytes);

#endif
