#include "detect/name_words.h"

#include <string.h>

#include "base/hash64.h"
#include "base/rc.h"

enum {
    NIBBLE = 15,
    LONG = 3,  /* bytes of a word */
    SHORT = 2, /* of a word in lead or numbers */
    VERSION_AT = 2,
    VERSION_BYTES = 6,
    TAIL_AT = VERSION_AT + VERSION_BYTES,
    NAME_WORDS_AT = TAIL_AT + LONG,
    REPEATED_WORDS_AT = 2
};

const char *twx_name_part_text(twx_name_part part) {
    static const char *const TEXTS[TWX_NAME_PARTS] = {
        [TWX_NAME_TITLE] = "in its title",
        [TWX_NAME_HEADING] = "in its heading",
        [TWX_NAME_URL] = "in its URL",
        [TWX_NAME_REPEATED] = "which its text repeats",
        [TWX_NAME_LEAD] = "in a line of its own",
        [TWX_NAME_NUMBER] = "among its numbers",
    };
    return (size_t)part < TWX_NAME_PARTS ? TEXTS[part] : "?";
}

const uint32_t *twx_name_words_of(const twx_name_words *w, twx_name_part part) {
    const uint32_t *const parts[TWX_NAME_PARTS] = {w->title,    w->heading, w->url,
                                                   w->repeated, w->lead,    w->number};
    return parts[part];
}

uint32_t twx_name_word(twx_slice lower) {
    return (uint32_t)(twx_hash64(lower, 0) >> 40);
}

static bool is_short(twx_name_part part) {
    return part == TWX_NAME_LEAD || part == TWX_NAME_NUMBER;
}

bool twx_name_word_meets(twx_name_part wanted_part, uint32_t wanted, twx_name_part offered_part,
                         uint32_t offered) {
    const uint32_t bits = is_short(wanted_part) || is_short(offered_part) ? UINT16_MAX : UINT32_MAX;
    return ((wanted ^ offered) & bits) == 0;
}

static unsigned char *put(unsigned char *out, size_t bytes, uint64_t v) {
    while (bytes-- > 0) *out++ = (unsigned char)(v >> 8 * bytes);
    return out;
}

static unsigned char *put_words(unsigned char *out, size_t bytes, const uint32_t *words, size_t n) {
    for (size_t i = 0; i < n; i++) out = put(out, bytes, words[i]);
    return out;
}

static uint64_t get(const unsigned char **from, size_t bytes) {
    uint64_t v = 0;
    while (bytes-- > 0) v = v << 8 | *(*from)++;
    return v;
}

static void get_words(const unsigned char **from, size_t bytes, uint32_t *ret_words, size_t n) {
    for (size_t i = 0; i < n; i++) ret_words[i] = (uint32_t)get(from, bytes);
}

size_t twx_name_pack(const twx_name_words *w, unsigned char *out) {
    unsigned char *at = out;
    *at++ = (unsigned char)(w->n[TWX_NAME_TITLE] << 4 | w->versions);
    *at++ = (unsigned char)(w->n[TWX_NAME_HEADING] << 4 | w->n[TWX_NAME_URL]);
    at = put(at, VERSION_BYTES, w->version);
    at = put(at, LONG, w->tail);
    at = put_words(at, LONG, w->title, w->n[TWX_NAME_TITLE]);
    at = put_words(at, LONG, w->heading, w->n[TWX_NAME_HEADING]);
    at = put_words(at, LONG, w->url, w->n[TWX_NAME_URL]);
    return (size_t)(at - out);
}

size_t twx_repeated_pack(const twx_name_words *w, unsigned char *out) {
    unsigned char *at = out;
    *at++ = (unsigned char)(w->n[TWX_NAME_REPEATED] << 4 | w->proper);
    *at++ = (unsigned char)(w->n[TWX_NAME_LEAD] << 4 | w->n[TWX_NAME_NUMBER]);
    at = put_words(at, LONG, w->repeated, w->n[TWX_NAME_REPEATED]);
    at = put_words(at, SHORT, w->lead, w->n[TWX_NAME_LEAD]);
    at = put_words(at, SHORT, w->number, w->n[TWX_NAME_NUMBER]);
    return (size_t)(at - out);
}

void twx_name_unpack(twx_slice payload, twx_name_words *w) {
    const unsigned char *p = (const unsigned char *)payload.p;
    w->n[TWX_NAME_TITLE] = w->n[TWX_NAME_HEADING] = w->n[TWX_NAME_URL] = 0;
    w->versions = 0;
    w->version = 0;
    w->tail = 0;
    if (payload.n < NAME_WORDS_AT) return;
    const size_t title = p[0] >> 4, versions = p[0] & NIBBLE, heading = p[1] >> 4,
                 url = p[1] & NIBBLE;
    if (title > TWX_NAME_TITLE_MAX || versions > title || heading > TWX_NAME_HEADING_MAX ||
        url > TWX_NAME_URL_MAX || payload.n != NAME_WORDS_AT + LONG * (title + heading + url))
        return;
    p += VERSION_AT;
    w->version = get(&p, VERSION_BYTES);
    w->tail = (uint32_t)get(&p, LONG);
    get_words(&p, LONG, w->title, title);
    get_words(&p, LONG, w->heading, heading);
    get_words(&p, LONG, w->url, url);
    w->n[TWX_NAME_TITLE] = (uint8_t)title;
    w->n[TWX_NAME_HEADING] = (uint8_t)heading;
    w->n[TWX_NAME_URL] = (uint8_t)url;
    w->versions = (uint8_t)versions;
}

void twx_repeated_unpack(twx_slice payload, twx_name_words *w) {
    const unsigned char *p = (const unsigned char *)payload.p;
    w->n[TWX_NAME_REPEATED] = w->n[TWX_NAME_LEAD] = w->n[TWX_NAME_NUMBER] = 0;
    w->proper = 0;
    if (payload.n < REPEATED_WORDS_AT) return;
    const size_t repeated = p[0] >> 4, proper = p[0] & NIBBLE, lead = p[1] >> 4,
                 numbers = p[1] & NIBBLE;
    if (repeated > TWX_NAME_REPEATED_MAX || proper > repeated || lead > TWX_NAME_LEAD_MAX ||
        numbers > TWX_NAME_NUMBERS_MAX ||
        payload.n != REPEATED_WORDS_AT + LONG * repeated + SHORT * (lead + numbers))
        return;
    p += REPEATED_WORDS_AT;
    get_words(&p, LONG, w->repeated, repeated);
    get_words(&p, SHORT, w->lead, lead);
    get_words(&p, SHORT, w->number, numbers);
    w->n[TWX_NAME_REPEATED] = (uint8_t)repeated;
    w->n[TWX_NAME_LEAD] = (uint8_t)lead;
    w->n[TWX_NAME_NUMBER] = (uint8_t)numbers;
    w->proper = (uint8_t)proper;
}
