#include "store/url_code.h"

#include <string.h>

enum { START, DIGIT, VOWEL, CONSONANT, UPPER, DOT, PERCENT, OTHER, JOINER };

/* The bits of each character's code, 'a' for 1, from '!' to '~', after ... Fitted on the paths of
 * 115 000 pages of documentation and on URLs of public web archives. */
static const char BITS[TWX_URL_CODE_KINDS][TWX_URL_CODE_CHARS + 1] = {
    "nnnnnnnnnnnnnnnnnmkmnmlnjnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnceedefefdhgbeefdgdeefgfgihnnn"
    "n", /* the beginning */
    "nnnnginnnnindcbdddeeeefefnnnnnnnhnghnfkmlnnlmkjlnkkimnnjlinnlnenfggghfililjkkilgkhfjijjimnnnn"
    "n", /* a digit */
    "nnnnjhnnnnnjfdekifhkllllmnnninnnmllmljmnmnnmlmnlnmkknnmnnnnnnngnedcdfgfkgjfeddfeidddfdgfhinnn"
    "n", /* a vowel or y */
    "nnnnijnnnnnjeechiihkjijjjnnnhnhnlkkklllmknnllmllnljklmlmnnnnnngndhffcgeedhfdehcfifedfhihfjnnn"
    "n", /* another lower-case letter */
    "nnnnfennnnnnhgehgijjnkjilnnnennnghheddehhhjheghejdhfehjiijnnnnhnehfgdggfehiffgdfiefeeighhknnm"
    "m", /* an upper-case letter */
    "nnnnnnnnnnnnnnnighhjjhjhknnnnnnnnnjjknknnnnnknnjnninknnknnnnnnnmficegfebffkjgebemefeeifjkkmmm"
    "m", /* . */
    "kkkkkkkkkkkkkkkkkackijbfjjjjjjjjfjjjfjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
    "j", /* % */
    "nnnnjnnnninnmnniggiikllhknnnmngnfjghjjfkkkkjhigjnjhjlmjfnnnnnnfndheceedeeghddhdcjeeehgginhnnn"
    "n", /* any other character */
    "nnnnhnnnnnnninnfdgdijhiijnnnnnnnijhijihkijlghmjhmigikiilnlnnnnindedbffffegifeffehfdeffghjjnnm"
    "m", /* - _ + ~ */
};

/* ---- the table ----------------------------------------------------------- */

static uint8_t kind_of(unsigned char c) {
    if (twx_is_digit(c)) return DIGIT;
    if (c == '.') return DOT;
    if (c == '%') return PERCENT;
    if (c >= 'A' && c <= 'Z') return UPPER;
    if (c && strchr("aeiouy", c)) return VOWEL;
    if (c && strchr("-_+~", c)) return JOINER;
    return c >= 'a' && c <= 'z' ? CONSONANT : OTHER;
}

/* Codes of one length are consecutive, and those of the next length follow them. */
static void make_codes(twx_url_code *t, size_t kind) {
    unsigned next = 0, place = 0;
    for (unsigned bits = 1; bits <= TWX_URL_CODE_MAX; bits++) {
        next <<= 1;
        t->after[kind].from[bits] = (uint16_t)(place - next);
        for (unsigned c = 0; c < TWX_URL_CODE_CHARS; c++) {
            if (BITS[kind][c] - 'a' + 1 != (int)bits) continue;
            t->after[kind].code[c] = (uint16_t)next++;
            t->after[kind].bits[c] = (uint8_t)bits;
            t->after[kind].by_code[place++] = (uint8_t)c;
        }
        t->after[kind].end[bits] = (uint16_t)next;
    }
}

static void make_short_codes(twx_url_code *t, size_t kind) {
    for (unsigned c = 0; c < TWX_URL_CODE_CHARS; c++) {
        const unsigned bits = t->after[kind].bits[c], code = t->after[kind].code[c];
        if (bits > TWX_URL_CODE_SHORT) continue;
        const unsigned rest = TWX_URL_CODE_SHORT - bits;
        for (unsigned i = code << rest; i < (code + 1) << rest; i++)
            t->after[kind].short_code[i] = (uint16_t)(bits << 8 | c);
    }
}

void twx_url_code_init(twx_url_code *ret_code) {
    memset(ret_code, 0, sizeof *ret_code);
    for (unsigned c = 0; c < 256; c++) ret_code->kind_of[c] = kind_of((unsigned char)c);
    for (size_t kind = 0; kind < TWX_URL_CODE_KINDS; kind++) {
        make_codes(ret_code, kind);
        make_short_codes(ret_code, kind);
    }
}

/* ---- encoding ------------------------------------------------------------ */

bool twx_url_code_has(twx_slice url) {
    for (size_t i = 0; i < url.n; i++) {
        const unsigned char c = (unsigned char)url.p[i];
        if (c < TWX_URL_CODE_FIRST || c >= TWX_URL_CODE_FIRST + TWX_URL_CODE_CHARS) return false;
    }
    return true;
}

size_t twx_url_encode(const twx_url_code *code, twx_slice url, unsigned char *ret_bytes) {
    uint32_t held = 0; /* the lowest `n` bits are still to be written */
    unsigned n = 0, kind = START;
    size_t out = 0;
    for (size_t i = 0; i < url.n; i++) {
        const unsigned c = (unsigned char)url.p[i] - TWX_URL_CODE_FIRST;
        const unsigned bits = code->after[kind].bits[c];
        held = held << bits | code->after[kind].code[c];
        for (n += bits; n >= 8; n -= 8) ret_bytes[out++] = (unsigned char)(held >> (n - 8));
        kind = code->kind_of[(unsigned char)url.p[i]];
    }
    if (n) ret_bytes[out++] = (unsigned char)(held << (8 - n));
    return out;
}

/* ---- decoding ------------------------------------------------------------ */

/* The character whose code begins `window`, TWX_URL_CODE_MAX bits, and is longer than those that
 * are looked up. The codes are complete, so any bits begin with one. */
static unsigned find_long(const twx_url_code *code, unsigned kind, unsigned window,
                          unsigned *ret_bits) {
    unsigned bits = TWX_URL_CODE_SHORT + 1;
    while (bits < TWX_URL_CODE_MAX &&
           window >> (TWX_URL_CODE_MAX - bits) >= code->after[kind].end[bits])
        bits++;
    const uint16_t place = (uint16_t)((window >> (TWX_URL_CODE_MAX - bits)) +
                                      code->after[kind].from[bits]);
    *ret_bits = bits;
    return code->after[kind].by_code[place];
}

/* The next bits of the bytes. After their end there are zero bits. */
typedef struct bit_reader {
    const unsigned char *p;
    size_t n, used;
    uint64_t held; /* the lowest `have` bits are not decoded yet */
    unsigned have;
} bit_reader;

static inline void refill(bit_reader *r) {
    const unsigned char *p = r->p + r->used;
    if (r->used + 4 <= r->n) {
        r->held = r->held << 32 |
                  ((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
        r->used += 4;
        r->have += 32;
        return;
    }
    for (; r->have < TWX_URL_CODE_MAX; r->have += 8, r->used++)
        r->held = r->held << 8 | (r->used < r->n ? r->p[r->used] : 0);
}

size_t twx_url_decode(const twx_url_code *code, twx_slice bytes, size_t n, char *ret_url) {
    bit_reader r = {.p = (const unsigned char *)bytes.p, .n = bytes.n};
    unsigned kind = START;
    for (size_t i = 0; i < n; i++) {
        if (r.have < TWX_URL_CODE_MAX) refill(&r);
        const unsigned window = (unsigned)(r.held >> (r.have - TWX_URL_CODE_MAX)) &
                                ((1u << TWX_URL_CODE_MAX) - 1);
        const unsigned found =
            code->after[kind].short_code[window >> (TWX_URL_CODE_MAX - TWX_URL_CODE_SHORT)];
        unsigned bits = found >> 8, c = found & 0xFF;
        if (!bits) c = find_long(code, kind, window, &bits);
        r.have -= bits;
        c += TWX_URL_CODE_FIRST;
        ret_url[i] = (char)c;
        kind = code->kind_of[c];
    }
    const unsigned unread = r.have / 8, padding = (1u << r.have % 8) - 1;
    const size_t used = r.used - unread;
    return used > bytes.n || (r.held >> 8 * unread & padding) ? SIZE_MAX : used;
}
