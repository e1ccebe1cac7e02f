#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/internal.h"

#include <pcre2.h>

/* ==== sentences */

/* The default is a loop over a table of bytes. A configured pattern is matched by PCRE2, which
 * brings three dangers: a pattern that backtracks without end, one that scans the whole text for
 * each match, and one that matches without advancing. Limits, windows and a check of progress
 * prevent them, in this order. */

#define DEFAULT_END "[.!?\\r\\n]+"

enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 1000, HEAP_KIB = 1024 };
enum { JIT_STACK_FIRST = 32 << 10, JIT_STACK_MAX = 512 << 10 };

static const bool ENDS[256] = {
    ['.'] = true, ['!'] = true, ['?'] = true, ['\r'] = true, ['\n'] = true};

struct twx_sentences {
    pcre2_code *end; /* NULL: the default */
    pcre2_match_data *match;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack;
    twx_ctx *cx;   /* of the current call, for PCRE2's allocations */
    bool starved;  /* an allocation of PCRE2 failed */
    bool given_up; /* the pattern exceeded a limit in this text */
    twx_slice text;
    size_t at; /* start of the next sentence */
};

static void *pcre_malloc(size_t bytes, void *sentences) {
    twx_sentences *s = sentences;
    void *p = twx_malloc(s->cx, bytes);
    if (!p) s->starved = true;
    return p;
}

static bool is_default(const char *pattern) {
    return !pattern || !pattern[0] || strcmp(pattern, DEFAULT_END) == 0;
}

static twx_rc out_of_memory(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_NOMEM, "out of memory for text.sentence_end");
}

/* Sets every option that depends on how PCRE2 was built, so that all machines split alike. */
static twx_rc compile(twx_ctx *cx, const char *pattern, pcre2_general_context *general,
                      twx_sentences *s) {
    const size_t n = strnlen(pattern, TWX_SENTENCE_PATTERN_MAX + 1);
    int error = 0;
    PCRE2_SIZE at = 0;
    if (n > TWX_SENTENCE_PATTERN_MAX)
        return twx_fail(cx, TWX_E_CONFIG, "text.sentence_end: longer than %d bytes",
                        TWX_SENTENCE_PATTERN_MAX);
    if (strncmp(pattern, "(*", 2) == 0)
        return twx_fail(cx, TWX_E_CONFIG,
                        "text.sentence_end: '" TWX_SLICE_FMT "' must not begin with (*",
                        TWX_SLICE_ARG(twx_slice_of(pattern)));
    pcre2_compile_context *context = pcre2_compile_context_create(general);
    if (!context) return out_of_memory(cx);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context, PCRE2_BSR_UNICODE);
    s->end = pcre2_compile((PCRE2_SPTR)pattern, n,
                           PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT |
                               PCRE2_NEVER_BACKSLASH_C,
                           &error, &at, context);
    pcre2_compile_context_free(context);
    if (s->starved) return out_of_memory(cx);
    if (s->end) return TWX_OK;
    PCRE2_UCHAR reason[128];
    pcre2_get_error_message(error, reason, sizeof reason);
    return twx_fail(cx, TWX_E_CONFIG, "text.sentence_end: '" TWX_SLICE_FMT "', at byte %zu: %s",
                    TWX_SLICE_ARG(twx_slice_of(pattern)), at + 1, (const char *)reason);
}

static twx_rc prepare(twx_ctx *cx, pcre2_general_context *general, twx_sentences *s) {
    /* on failure the interpreter does the work */
    (void)pcre2_jit_compile(s->end, PCRE2_JIT_COMPLETE);
    s->match = pcre2_match_data_create(1, general);
    s->limits = pcre2_match_context_create(general);
    /* NULL: PCRE2 uses 32 KiB of the thread's stack */
    s->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MAX, general);
    if (!s->match || !s->limits || s->starved) return out_of_memory(cx);
    pcre2_set_match_limit(s->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(s->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(s->limits, HEAP_KIB);
    pcre2_jit_stack_assign(s->limits, NULL, s->stack);
    return TWX_OK;
}

twx_rc twx_sentences_open(twx_ctx *cx, const char *pattern, twx_sentences **ret_sentences) {
    twx_rc rc = TWX_OK;
    pcre2_general_context *general = NULL;
    twx_sentences *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->cx = cx;
    if (!is_default(pattern)) {
        general = pcre2_general_context_create(pcre_malloc, twx_free_for, s);
        rc = general ? compile(cx, pattern, general, s) : out_of_memory(cx);
        if (rc == TWX_OK) rc = prepare(cx, general, s);
    }
    pcre2_general_context_free(general);
    TWX_HAND_OVER(rc, ret_sentences, s, twx_sentences_close(s));
    return rc;
}

void twx_sentences_close(twx_sentences *s) {
    if (!s) return;
    pcre2_jit_stack_free(s->stack);
    pcre2_match_data_free(s->match);
    pcre2_match_context_free(s->limits);
    pcre2_code_free(s->end);
    twx_free(s);
}

void twx_sentences_start(twx_sentences *s, twx_slice text) {
    s->text = text;
    s->at = 0;
    s->given_up = false;
}

static void cut_default(twx_sentences *s, twx_slice *ret_piece) {
    const char *const p = s->text.p;
    size_t end = s->at, next;
    while (end < s->text.n && !ENDS[(unsigned char)p[end]]) end++;
    for (next = end; next < s->text.n && ENDS[(unsigned char)p[next]];) next++;
    *ret_piece = twx_slice_sub(s->text, s->at, end);
    s->at = next;
}

/* The first match from s->at on, window by window. Lookbehinds see the text from its beginning.
 * TWX_DONE: there is none. TWX_E_LIMIT, without a message: PCRE2 gave up. */
static twx_rc find(twx_sentences *s, size_t *ret_start, size_t *ret_end) {
    const twx_slice text = s->text;
    for (size_t at = s->at;; at += TWX_SENTENCE_WINDOW - TWX_SENTENCE_END_MAX + 1) {
        /* where PCRE2 requires that matching starts (pcre2api); invalid bytes match nothing */
        at = twx_utf8_begin(text, at);
        if (at >= text.n) return TWX_DONE;
        const bool last = text.n - at <= TWX_SENTENCE_WINDOW;
        const size_t stop = last ? text.n : at + TWX_SENTENCE_WINDOW;
        pcre2_set_offset_limit(s->limits, last ? PCRE2_UNSET : stop - TWX_SENTENCE_END_MAX);
        int found = pcre2_match(s->end, (PCRE2_SPTR)text.p, stop, at,
                                PCRE2_NOTEMPTY | (last ? 0 : PCRE2_NOTEOL), s->match, s->limits);
        if (found == PCRE2_ERROR_NOMATCH && last) return TWX_DONE;
        if (found == PCRE2_ERROR_NOMATCH) continue;
        const PCRE2_SIZE *pair = pcre2_get_ovector_pointer(s->match);
        if (found < 0 || pair[0] < s->at || pair[1] <= pair[0]) return TWX_E_LIMIT;
        *ret_start = pair[0];
        *ret_end = pair[1];
        return TWX_OK;
    }
}

static twx_rc cut(twx_ctx *cx, twx_sentences *s, twx_slice *ret_piece) {
    size_t start = s->text.n, end = s->text.n;
    twx_rc rc = TWX_E_LIMIT;
    s->cx = cx;
    if (s->end && !s->given_up) rc = find(s, &start, &end);
    if (s->starved) {
        s->starved = false;
        return out_of_memory(cx);
    }
    if (rc == TWX_E_LIMIT) {
        s->given_up = true;
        cut_default(s, ret_piece);
        return TWX_OK;
    }
    *ret_piece = twx_slice_sub(s->text, s->at, start);
    s->at = end;
    return TWX_OK;
}

twx_rc twx_sentences_next(twx_ctx *cx, twx_sentences *s, twx_slice *ret_sentence) {
    while (s->at < s->text.n) {
        twx_slice piece = {NULL, 0};
        twx_rc rc = cut(cx, s, &piece);
        if (rc != TWX_OK) return rc;
        piece = twx_slice_trim(piece);
        if (piece.n == 0) continue;
        *ret_sentence = piece;
        return TWX_OK;
    }
    return TWX_DONE;
}

uint64_t twx_sentences_fingerprint(const char *pattern) {
    return twx_hash64(twx_slice_of(is_default(pattern) ? DEFAULT_END : pattern), 0);
}

/* ==== sentence_units */

static bool add_unit(twx_ctx *cx, twx_unit_list *list, twx_slice text, uint16_t segment) {
    const twx_slice trimmed = twx_slice_trim(text);
    if (trimmed.n == 0) return true;
    return TWX_VEC_PUSH(cx, &list->at, ((twx_unit){.text = trimmed, .segment = segment}));
}

/* ---- the lines of two texts -------------------------------------------------- */

enum {
    PART_MIN = 1024, /* bytes of parts of texts that are looked through for a common one */
    PROBE = 128,     /* bytes that are looked for */
    PARTS_MAX = 32
};

typedef struct splitting {
    twx_ctx *cx;
    twx_unit_list *const *lists;
    uint16_t segments;
} splitting;

static twx_rc add_lines(splitting *s, int side, twx_slice text) {
    for (twx_slice rest = text; rest.n;)
        if (!add_unit(s->cx, s->lists[side], twx_slice_next_line(&rest), s->segments))
            return TWX_E_NOMEM;
    return TWX_OK;
}

size_t twx_common_beginning(const char *a, const char *b, size_t n) {
    size_t common = 0;
    while (common + 64 <= n && memcmp(a + common, b + common, 64) == 0) common += 64;
    while (common < n && a[common] == b[common]) common++;
    return common;
}

size_t twx_common_end(const char *a, const char *b, size_t n) {
    size_t common = 0;
    while (common + 64 <= n && memcmp(a - common - 64, b - common - 64, 64) == 0) common += 64;
    while (common < n && a[-(ptrdiff_t)common - 1] == b[-(ptrdiff_t)common - 1]) common++;
    return common;
}

/* Whole lines that both texts have. */
typedef struct common_part {
    size_t in_a, in_b, n;
} common_part;

/* Extends the common bytes at x of a and y of b as far as possible, cut to whole lines. */
static common_part extend_part(twx_slice a, twx_slice b, size_t x, size_t y) {
    const size_t before = twx_common_end(a.p + x, b.p + y, x < y ? x : y);
    const size_t rest = a.n - x < b.n - y ? a.n - x : b.n - y;
    common_part part = {x - before, y - before,
                        before + twx_common_beginning(a.p + x, b.p + y, rest)};
    const bool ends = part.in_a + part.n == a.n && part.in_b + part.n == b.n;
    while (!ends && part.n && a.p[part.in_a + part.n - 1] != '\n') part.n--;
    if (part.in_a == 0 && part.in_b == 0) return part;
    const char *line = memchr(a.p + part.in_a, '\n', part.n);
    const size_t cut = line ? (size_t)(line + 1 - (a.p + part.in_a)) : part.n;
    return (common_part){part.in_a + cut, part.in_b + cut, part.n - cut};
}

/* A part of both texts that is at least a third of the shorter one: less could be one of several
 * repetitions. The bytes in the middle of a, or beside it, are looked for in b. */
static common_part find_part(twx_slice a, twx_slice b) {
    static const size_t EIGHTHS[] = {4, 2, 6};
    const size_t least = (a.n < b.n ? a.n : b.n) / 3;
    for (size_t i = 0; i < TWX_COUNTOF(EIGHTHS); i++) {
        const size_t x = a.n / 8 * EIGHTHS[i];
        const char *at = memmem(b.p, b.n, a.p + x, PROBE);
        const common_part part = at ? extend_part(a, b, x, (size_t)(at - b.p)) : (common_part){0};
        if (part.n >= least) return part;
    }
    return (common_part){0};
}

static twx_rc split(splitting *s, twx_slice a, twx_slice b) {
    const bool is_long = a.n >= PART_MIN && b.n >= PART_MIN && s->segments < PARTS_MAX;
    const common_part part = is_long ? find_part(a, b) : (common_part){0};
    if (part.n == 0) {
        const twx_rc rc = add_lines(s, 0, a);
        return rc == TWX_OK ? add_lines(s, 1, b) : rc;
    }
    twx_rc rc = split(s, twx_slice_sub(a, 0, part.in_a), twx_slice_sub(b, 0, part.in_b));
    const uint16_t segment = ++s->segments;
    const twx_unit unit = {.hash = twx_mix64(segment, part.n), .segment = segment};
    for (int side = 0; rc == TWX_OK && side < 2; side++) {
        twx_unit common = unit;
        common.text = twx_slice_trim(side == 0 ? twx_slice_sub(a, part.in_a, part.in_a + part.n)
                                               : twx_slice_sub(b, part.in_b, part.in_b + part.n));
        if (!TWX_VEC_PUSH(s->cx, &s->lists[side]->at, common)) rc = TWX_E_NOMEM;
    }
    s->segments++;
    return rc == TWX_OK ? split(s, twx_slice_sub(a, part.in_a + part.n, a.n),
                                twx_slice_sub(b, part.in_b + part.n, b.n))
                        : rc;
}

twx_rc twx_unit_lines(twx_ctx *cx, twx_slice a, twx_slice b, twx_unit_list *const ret_lists[2]) {
    splitting s = {cx, ret_lists, 0};
    return split(&s, a, b);
}

/* ---- sentences ------------------------------------------------------------------ */

/* The first bytes of sentence ends. */
static const bool MAY_END[0x100] = {
    ['.'] = true, ['!'] = true, ['?'] = true, [0xE0] = true, [0xE3] = true, [0xEF] = true};

/* Bytes of the sentence end that begins at p: a mark followed by white space, or an ideographic
 * one; 0: none begins there. */
static size_t sentence_end(const char *begin, const char *p, const char *end) {
    static const char *const WIDE[] = {"\xE3\x80\x82", "\xEF\xBC\x81", "\xEF\xBC\x9F",
                                       "\xE0\xA5\xA4"}; /* U+3002, U+FF01, U+FF1F, U+0964 */
    const unsigned char c = (unsigned char)*p;
    if (c == '.' && p > begin && twx_is_digit((unsigned char)p[-1])) return 0; /* "19. 5. 2024" */
    if (c == '.' || c == '!' || c == '?')
        return p + 1 == end || twx_is_space((unsigned char)p[1]) ? 1 : 0;
    if (c < 0xE0) return 0;
    for (size_t i = 0; i < TWX_COUNTOF(WIDE); i++)
        if (end - p >= 3 && memcmp(p, WIDE[i], 3) == 0) return 3;
    return 0;
}

twx_rc twx_unit_sentences(twx_ctx *cx, twx_slice line, twx_unit_list *list) {
    const char *begin = line.p, *end = line.p + line.n;
    for (const char *p = begin; p < end; p++) {
        if (!MAY_END[(unsigned char)*p]) continue;
        const size_t n = sentence_end(begin, p, end);
        if (n == 0) continue;
        if (!add_unit(cx, list, (twx_slice){begin, (size_t)(p + n - begin)}, 0)) return TWX_E_NOMEM;
        p += n - 1;
        begin = p + 1;
    }
    return add_unit(cx, list, (twx_slice){begin, (size_t)(end - begin)}, 0) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_units_of(twx_ctx *cx, twx_slice text, twx_unit_list *units) {
    twx_rc rc = TWX_OK;
    for (twx_slice rest = text; rc == TWX_OK && rest.n;)
        rc = twx_unit_sentences(cx, twx_slice_next_line(&rest), units);
    return rc;
}

/* Has none of eight bytes a digit? Digits are the bytes below 10 when '0' is taken from them. */
static bool has_no_digit(const char *p) {
    const uint64_t bits = UINT64_C(0x8080808080808080);
    const uint64_t at = twx_load_le64(p) ^ UINT64_C(0x3030303030303030);
    return ((((at & ~bits) + UINT64_C(0x7676767676767676)) | at) & bits) == bits;
}

uint64_t twx_sentence_form(twx_slice sentence) {
    uint64_t form = 1;
    for (size_t i = 0; i < sentence.n;) {
        const size_t from = i;
        while (i + 8 <= sentence.n && has_no_digit(sentence.p + i)) i += 8;
        while (i < sentence.n && !twx_is_digit((unsigned char)sentence.p[i])) i++;
        form = twx_hash64(twx_slice_sub(sentence, from, i), form);
        while (i < sentence.n && twx_is_digit((unsigned char)sentence.p[i])) i++;
    }
    return form ? form : 1;
}

/* ---- matching equal units -------------------------------------------------- */

/* The slot of a hash in a table of the units of b: its first unit that is not taken (the last one
 * stays), plus 1; 0: there is none. NULL: too many others stand before it, which does not happen
 * by chance. */
static uint32_t *slot_of(const twx_unit_matcher *m, size_t slots, const twx_unit *b,
                         uint64_t hash) {
    enum { LOOKED_AT = 1024 };
    for (size_t k = 0; k < LOOKED_AT; k++) {
        uint32_t *slot = &m->slot.at[(hash + k) & (slots - 1)];
        if (!*slot || b[*slot - 1].hash == hash) return slot;
    }
    return NULL;
}

/* Matches the k-th unit of a with a hash with the k-th one of b, wherever they stand. */
static twx_rc match_units(twx_ctx *cx, twx_unit_matcher *m, twx_unit_list *a, twx_unit_list *b) {
    const size_t n = b->at.n;
    size_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    if (!TWX_VEC_RESERVE(cx, &m->slot, slots) || !TWX_VEC_RESERVE(cx, &m->next, n + 1))
        return TWX_E_NOMEM;
    memset(m->slot.at, 0, slots * sizeof *m->slot.at);
    for (size_t j = n; j-- > 0;) {
        uint32_t *slot = slot_of(m, slots, b->at.at, b->at.at[j].hash);
        if (!slot) continue;
        m->next.at[j] = *slot;
        *slot = (uint32_t)j + 1;
    }
    for (size_t i = 0; i < a->at.n; i++) {
        uint32_t *slot = slot_of(m, slots, b->at.at, a->at.at[i].hash);
        if (!slot || !*slot || b->at.at[*slot - 1].mate) continue;
        const uint32_t j = *slot;
        a->at.at[i].mate = j;
        b->at.at[j - 1].mate = (uint32_t)i + 1;
        if (m->next.at[j - 1]) *slot = m->next.at[j - 1];
    }
    return TWX_OK;
}

/* Marks a longest run of matched units whose mates ascend (Fredman 1975): the others were moved. */
static twx_rc find_anchors(twx_ctx *cx, twx_unit_matcher *m, twx_unit_list *a, twx_unit_list *b) {
    twx_unit *units = a->at.at;
    if (!TWX_VEC_RESERVE(cx, &m->tail, a->at.n + 1) ||
        !TWX_VEC_RESERVE(cx, &m->before, a->at.n + 1))
        return TWX_E_NOMEM;
    uint32_t *tail = m->tail.at, *before = m->before.at; /* indexes of units plus 1; 0: none */
    size_t longest = 0;
    for (size_t i = 0; i < a->at.n; i++) {
        if (!units[i].mate || b->at.at[units[i].mate - 1].segment != units[i].segment) continue;
        size_t low = 0, high = longest;
        TWX_BISECT(low, high, units[tail[middle] - 1].mate < units[i].mate);
        before[i] = low ? tail[low - 1] : 0;
        tail[low] = (uint32_t)i + 1;
        if (low == longest) longest++;
    }
    for (uint32_t i = longest ? tail[longest - 1] : 0; i; i = before[i - 1]) {
        units[i - 1].is_anchor = true;
        b->at.at[units[i - 1].mate - 1].is_anchor = true;
    }
    return TWX_OK;
}

/* A list in another order moves many of its lines. A few lines that stand in the places of others
 * are no such list: a page has its own name at the top and the other's among similar ones. They
 * count as different. */
static void unmatch_swapped(twx_unit_list *a, twx_unit_list *b) {
    enum { MOVED_MAX = 4 };
    size_t moved = 0;
    for (size_t i = 0; i < a->at.n; i++) moved += a->at.at[i].mate && !a->at.at[i].is_anchor;
    if (moved == 0 || moved > MOVED_MAX) return;
    for (size_t i = 0, j = 0; i < a->at.n || j < b->at.n; i++, j++) {
        const size_t from[2] = {i, j};
        bool has_moved = false;
        for (; i < a->at.n && !a->at.at[i].is_anchor; i++) has_moved |= a->at.at[i].mate > 0;
        for (; j < b->at.n && !b->at.at[j].is_anchor; j++) has_moved |= b->at.at[j].mate > 0;
        if (!has_moved || from[0] == i || from[1] == j) continue;
        for (size_t k = from[0]; k < i; k++) {
            if (a->at.at[k].mate) b->at.at[a->at.at[k].mate - 1].mate = 0;
            a->at.at[k].mate = 0;
        }
        for (size_t k = from[1]; k < j; k++) {
            if (b->at.at[k].mate) a->at.at[b->at.at[k].mate - 1].mate = 0;
            b->at.at[k].mate = 0;
        }
    }
}

static void hash_units(twx_unit_list *list) {
    for (size_t i = 0; i < list->at.n; i++)
        if (!list->at.at[i].hash) list->at.at[i].hash = twx_hash64(list->at.at[i].text, 0);
}

twx_rc twx_units_match(twx_ctx *cx, twx_unit_matcher *m, twx_unit_list *a, twx_unit_list *b) {
    hash_units(a);
    hash_units(b);
    twx_rc rc = match_units(cx, m, a, b);
    if (rc == TWX_OK) rc = find_anchors(cx, m, a, b);
    if (rc == TWX_OK) unmatch_swapped(a, b);
    return rc;
}

void twx_unit_matcher_done(twx_unit_matcher *m) {
    TWX_VEC_DONE(&m->slot);
    TWX_VEC_DONE(&m->next);
    TWX_VEC_DONE(&m->tail);
    TWX_VEC_DONE(&m->before);
}
