#include "sign/sign.h"

enum {
    NIBBLE = 15,
    HAS_SHOWN = 8, /* with the versions */
    LONG = 3,      /* bytes of a word */
    SHORT = 2,     /* of a line, a number or a code */
    WEIGHT_BITS = 4,
    CODE_WEIGHT = 8,   /* the weight of a code is at least this */
    EXACT_WEIGHTS = 3, /* counts below 5 have a weight each */
    VERSION_AT = 2,
    VERSION_BYTES = 6,
    TAIL_AT = VERSION_AT + VERSION_BYTES,
    NAME_WORDS_AT = TAIL_AT + LONG,
    REPEATED_WORDS_AT = 3
};

const char *twx_name_part_text(twx_name_part part) {
    static const char *const TEXTS[TWX_NAME_PARTS] = {
        [TWX_NAME_TITLE] = "in its title",
        [TWX_NAME_HEADING] = "in its heading",
        [TWX_NAME_URL] = "in its URL",
        [TWX_NAME_REPEATED] = "which its text repeats",
        [TWX_NAME_LEAD] = "in a line of its own",
        [TWX_NAME_NUMBER] = "among its numbers",
        [TWX_NAME_CODE] = "which its text has",
    };
    return (size_t)part < TWX_NAME_PARTS ? TEXTS[part] : "?";
}

const uint32_t *twx_name_words_of(const twx_name_words *w, twx_name_part part) {
    const uint32_t *const parts[TWX_NAME_PARTS] = {w->title, w->heading, w->url, w->repeated,
                                                   w->lead,  w->number,  w->code};
    return parts[part];
}

uint32_t twx_name_word(twx_slice lower) {
    return (uint32_t)(twx_hash64(lower, 0) >> 40);
}

static uint32_t bits_of(twx_name_part part) {
    if (part == TWX_NAME_REPEATED) return (1u << (8 * LONG - WEIGHT_BITS)) - 1;
    return part < TWX_NAME_REPEATED ? UINT32_MAX >> 8 : UINT16_MAX;
}

uint32_t twx_name_word_in(twx_name_part part, uint32_t word) {
    return word & bits_of(part);
}

bool twx_name_word_meets(twx_name_part wanted_part, uint32_t wanted, twx_name_part offered_part,
                         uint32_t offered) {
    if ((wanted_part == TWX_NAME_LEAD) != (offered_part == TWX_NAME_LEAD)) return false;
    return ((wanted ^ offered) & bits_of(wanted_part) & bits_of(offered_part)) == 0;
}

uint8_t twx_name_weight(bool is_code, uint32_t count) {
    static const uint32_t UP_TO[] = {2, 3, 4, 7, 14, 40, 120};
    uint8_t weight = 0;
    while (weight < TWX_COUNTOF(UP_TO) && count > UP_TO[weight]) weight++;
    return (uint8_t)(weight + (is_code ? CODE_WEIGHT : 0));
}

bool twx_name_may_repeat(const twx_name_words *w, bool proper, uint32_t word, uint8_t weight) {
    size_t n = proper ? w->proper : w->n[TWX_NAME_REPEATED];
    size_t room = proper ? TWX_NAME_PROPER_MAX : TWX_NAME_REPEATED_MAX;
    if (proper && weight >= CODE_WEIGHT) {
        room = TWX_NAME_REPEATED_CODES_MAX;
        while (n > 0 && w->weight[n - 1] < CODE_WEIGHT) n--;
    }
    if (n < room) return false;
    if (w->weight[n - 1] != weight) return w->weight[n - 1] > weight;
    const bool exact = weight % CODE_WEIGHT < EXACT_WEIGHTS; /* equal counts: ties go by hash */
    return !exact || w->repeated[n - 1] < twx_name_word_in(TWX_NAME_REPEATED, word);
}

bool twx_name_may_have_code(const twx_name_words *w, uint32_t code) {
    const size_t n = w->n[TWX_NAME_CODE];
    return n == TWX_NAME_CODES_MAX && w->code[n - 1] < code;
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
    const unsigned shown = w->shown != 0;
    *at++ = (unsigned char)(w->n[TWX_NAME_TITLE] << 4 | shown * HAS_SHOWN | w->versions);
    *at++ = (unsigned char)(w->n[TWX_NAME_HEADING] << 4 | (w->n[TWX_NAME_URL] + shown));
    at = put(at, VERSION_BYTES, w->version);
    at = put(at, LONG, w->tail);
    at = put_words(at, LONG, w->title, w->n[TWX_NAME_TITLE]);
    at = put_words(at, LONG, w->heading, w->n[TWX_NAME_HEADING]);
    at = put_words(at, LONG, w->url, w->n[TWX_NAME_URL]);
    at = put_words(at, LONG, &w->shown, shown);
    return (size_t)(at - out);
}

size_t twx_repeated_pack(const twx_name_words *w, unsigned char *out) {
    unsigned char *at = out;
    const size_t taken = (size_t)w->n[TWX_NAME_NUMBER] + w->n[TWX_NAME_CODE],
                 room = TWX_NAME_SHORTS_MAX - taken,
                 lead = w->n[TWX_NAME_LEAD] < room ? w->n[TWX_NAME_LEAD] : room;
    *at++ = (unsigned char)(w->n[TWX_NAME_REPEATED] << 4 | w->proper);
    *at++ = (unsigned char)(lead << 4 | w->n[TWX_NAME_NUMBER]);
    *at++ = (unsigned char)(w->has_quantity << 4 | w->n[TWX_NAME_CODE]);
    for (size_t i = 0; i < w->n[TWX_NAME_REPEATED]; i++)
        at = put(at, LONG,
                 (uint64_t)twx_name_word_in(TWX_NAME_REPEATED, w->repeated[i]) << WEIGHT_BITS |
                     w->weight[i]);
    at = put_words(at, SHORT, w->lead, lead);
    at = put_words(at, SHORT, w->number, w->n[TWX_NAME_NUMBER]);
    at = put_words(at, SHORT, w->code, w->n[TWX_NAME_CODE]);
    return (size_t)(at - out);
}

void twx_name_unpack(twx_slice payload, twx_name_words *w) {
    const unsigned char *p = (const unsigned char *)payload.p, *const end = p + payload.n;
    w->n[TWX_NAME_TITLE] = w->n[TWX_NAME_HEADING] = w->n[TWX_NAME_URL] = 0;
    w->versions = 0;
    w->version = 0;
    w->tail = w->shown = 0;
    if (payload.n < NAME_WORDS_AT) return;
    const size_t shown = (p[0] & HAS_SHOWN) != 0, title = p[0] >> 4,
                 versions = p[0] & (HAS_SHOWN - 1), heading = p[1] >> 4, others = p[1] & NIBBLE,
                 url = others - shown;
    if (title > TWX_NAME_TITLE_MAX || versions > title || versions > TWX_NAME_VERSIONS_MAX ||
        heading > TWX_NAME_HEADING_MAX || others < shown || url > TWX_NAME_URL_MAX ||
        payload.n != NAME_WORDS_AT + LONG * (title + heading + others) ||
        (shown && !(end[-1] | end[-2] | end[-3])))
        return;
    p += VERSION_AT;
    w->version = get(&p, VERSION_BYTES);
    w->tail = (uint32_t)get(&p, LONG);
    get_words(&p, LONG, w->title, title);
    get_words(&p, LONG, w->heading, heading);
    get_words(&p, LONG, w->url, url);
    get_words(&p, LONG, &w->shown, shown);
    w->n[TWX_NAME_TITLE] = (uint8_t)title;
    w->n[TWX_NAME_HEADING] = (uint8_t)heading;
    w->n[TWX_NAME_URL] = (uint8_t)url;
    w->versions = (uint8_t)versions;
}

void twx_repeated_unpack(twx_slice payload, twx_name_words *w) {
    const unsigned char *p = (const unsigned char *)payload.p;
    w->n[TWX_NAME_REPEATED] = w->n[TWX_NAME_LEAD] = w->n[TWX_NAME_NUMBER] = w->n[TWX_NAME_CODE] = 0;
    w->proper = 0;
    w->has_quantity = false;
    if (payload.n < REPEATED_WORDS_AT) return;
    const size_t repeated = p[0] >> 4, proper = p[0] & NIBBLE, lead = p[1] >> 4,
                 numbers = p[1] & NIBBLE, codes = p[2] & NIBBLE, quantity = p[2] >> 4;
    if (repeated > TWX_NAME_REPEATED_MAX || proper > repeated || proper > TWX_NAME_PROPER_MAX ||
        lead > TWX_NAME_LEAD_MAX || numbers > TWX_NAME_NUMBERS_MAX || codes > TWX_NAME_CODES_MAX ||
        quantity > (numbers > 0) || lead + numbers + codes > TWX_NAME_SHORTS_MAX ||
        payload.n != REPEATED_WORDS_AT + LONG * repeated + SHORT * (lead + numbers + codes))
        return;
    p += REPEATED_WORDS_AT;
    for (size_t i = 0; i < repeated; i++) {
        const uint64_t word = get(&p, LONG);
        w->repeated[i] = (uint32_t)(word >> WEIGHT_BITS);
        w->weight[i] = word & NIBBLE;
    }
    get_words(&p, SHORT, w->lead, lead);
    get_words(&p, SHORT, w->number, numbers);
    get_words(&p, SHORT, w->code, codes);
    w->n[TWX_NAME_REPEATED] = (uint8_t)repeated;
    w->n[TWX_NAME_LEAD] = (uint8_t)lead;
    w->n[TWX_NAME_NUMBER] = (uint8_t)numbers;
    w->n[TWX_NAME_CODE] = (uint8_t)codes;
    w->proper = (uint8_t)proper;
    w->has_quantity = quantity;
}
