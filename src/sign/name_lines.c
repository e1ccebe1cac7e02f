#include "sign/name_lines.h"

#include <string.h>

#include "base/hash64.h"
#include "sign/name_words.h"
#include "sign/plain_words.h"
#include "text/char_class.h"

enum {
    WITHIN = 8 << 10,  /* bytes of the text in which lines are looked for */
    SHORT_BYTES = 80,  /* of a short line */
    SHORT_BLANKS = 7,  /* so it has at most 8 words */
    BODY_BYTES = 150,  /* of a line that is a paragraph; the banner of a mirror has fewer */
    RING = 16,         /* lines before the body that are remembered; a power of 2 */
    LABEL_MAX = 40,    /* bytes before the colon of a labelled value */
    LABELS_TRIED = 64, /* after the body */
    YEAR_DIGITS = 4
};

static bool is_digit_at(twx_slice s, size_t i) {
    return i < s.n && twx_is_digit((unsigned char)s.p[i]);
}

static size_t digits_from(twx_slice s, size_t at) {
    size_t end = at;
    while (is_digit_at(s, end)) end++;
    return end - at;
}

/* Is there a date in digits ("2020-05-17", "17.05.2020", "17/05/20") or a time ("10:30")? */
static bool has_date(twx_slice line) {
    for (size_t at = 0; at < line.n; at++) {
        if (!is_digit_at(line, at)) continue;
        const size_t first = digits_from(line, at), end = at + first;
        const char separator = end < line.n ? line.p[end] : '\0';
        const size_t second = digits_from(line, end + 1);
        if (separator == ':' && first <= 2 && second == 2) return true;
        if (second > 0 && second <= 2 && memchr("-./", separator, 3) && end + 1 + second < line.n &&
            line.p[end + 1 + second] == separator) {
            const size_t third = digits_from(line, end + 2 + second);
            if (first == YEAR_DIGITS && third > 0 && third <= 2) return true;
            if (first <= 2 && (third == YEAR_DIGITS || (separator == '/' && third == 2)))
                return true;
        }
        at = end;
    }
    return false;
}

/* Words of lines that are about the retrieval of the page, not its content: counters, prices, the
 * generator. Lower case, sorted by bytes. */
static bool is_passing(twx_slice word) {
    static const char *const WORDS[] = {
        "antworten", "besucher",  "chf",      "comments", "copied",    "downloads", "eur",
        "gbp",       "generated", "guests",   "hits",     "members",   "online",    "posts",
        "price",     "printed",   "queries",  "replies",  "retrieved", "seconds",   "session",
        "sekunden",  "stock",     "updated",  "usd",      "users",     "viewed",    "views",
        "visited",   "visiteurs", "visitors", "visits",   "votes",     "zugriffe"};
    enum { SHORTEST = 3, LONGEST = 9 }; /* bytes */
    return word.n >= SHORTEST && word.n <= LONGEST &&
           twx_in_sorted(word, WORDS, TWX_COUNTOF(WORDS));
}

static bool has_price(twx_slice line) {
    static const char *const SIGNS[] = {"$", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xAC"};
    for (size_t at = 0; at < line.n; at++) {
        const unsigned char c = (unsigned char)line.p[at];
        if (c != '$' && c < 0x80) continue;
        for (size_t i = 0; i < TWX_COUNTOF(SIGNS); i++)
            if (twx_slice_starts(twx_slice_sub(line, at, line.n), twx_slice_of(SIGNS[i])))
                return true;
    }
    return false;
}

twx_rc twx_name_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, uint32_t *ret_line,
                     bool *ret_is) {
    twx_token token;
    twx_rc rc = TWX_OK;
    uint64_t hash = 0;
    size_t words = 0;
    *ret_is = false;
    if (has_date(line) || has_price(line)) return TWX_OK;
    twx_tokens_start(tokens, line);
    while ((rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK) {
        if (twx_is_calendar_word(token.text) || is_passing(token.text)) return TWX_OK;
        if (twx_looks_like_id(token.text)) continue;
        hash = twx_mix64(hash, twx_name_word(token.text));
        words++;
    }
    if (rc != TWX_DONE) return rc;
    *ret_is = words > 0;
    *ret_line = twx_name_word_in(TWX_NAME_LEAD, (uint32_t)(hash >> 40));
    return TWX_OK;
}

static bool is_short(twx_slice line) {
    size_t blanks = 0;
    if (line.n > SHORT_BYTES) return false;
    for (size_t i = 0; i < line.n; i++) blanks += line.p[i] == ' ';
    return blanks <= SHORT_BLANKS;
}

/* "Colour: red" */
static bool is_labelled(twx_slice line) {
    const size_t colon = twx_slice_find(line, ':', 0);
    return colon > 0 && colon <= LABEL_MAX && colon + 2 < line.n && line.p[colon + 1] == ' ';
}

typedef struct line_list {
    size_t most;
    uint32_t *at;
    uint8_t *n;
} line_list;

static twx_rc add_line(twx_ctx *cx, twx_tokens *tokens, twx_slice line, line_list *list) {
    uint32_t hash = 0;
    bool is = false;
    if (*list->n >= list->most) return TWX_OK;
    twx_rc rc = twx_name_line(cx, tokens, line, &hash, &is);
    for (size_t i = 0; i < *list->n; i++) is &= list->at[i] != hash;
    if (rc == TWX_OK && is) list->at[(*list->n)++] = hash;
    return rc;
}

static bool next_line(twx_slice text, size_t *at, twx_slice *ret_line) {
    if (*at >= text.n) return false;
    const size_t end = twx_slice_find(text, '\n', *at);
    *ret_line = twx_slice_sub(text, *at, end);
    *at = end + 1;
    return true;
}

twx_rc twx_name_lines(twx_ctx *cx, twx_tokens *tokens, twx_slice text, size_t most,
                      uint32_t *ret_lines, uint8_t *ret_n) {
    const twx_slice looked_at = twx_slice_sub(text, 0, WITHIN);
    line_list list = {most, ret_lines, ret_n};
    twx_slice first[RING], last[RING], line;
    size_t n = 0, at = 0;
    bool body = false;
    twx_rc rc = TWX_OK;
    while (!body && next_line(looked_at, &at, &line)) {
        if (line.n >= BODY_BYTES) {
            body = n > 0;
        } else if (line.n > 0 && is_short(line)) {
            if (n < RING) first[n] = line;
            last[n++ % RING] = line;
        }
    }
    const size_t lines = n < RING ? n : RING;
    for (size_t i = 0; rc == TWX_OK && i < lines; i++)
        rc = add_line(cx, tokens, body ? last[(n - 1 - i) % RING] : first[i], &list);
    for (size_t tried = 0;
         rc == TWX_OK && body && tried < LABELS_TRIED && next_line(looked_at, &at, &line); tried++)
        if (is_short(line) && is_labelled(line)) rc = add_line(cx, tokens, line, &list);
    return rc;
}
