#include "text/internal.h"

/* ==== shingling */

/* A word's hash reads its lower-cased bytes eight at a time as numbers, first byte lowest, padded
 * with zeros: no word holds NUL, so different words give different numbers. Starting at h = 0, each
 * number n turns h into fold((h ^ n) * WORD_FACTOR). A shingle of words w1..wk is the polynomial w1
 * * BASE^(k-1) + ... + wk modulo 2^64, a rolling hash (Karp and Rabin 1987), passed through
 * finish(), because callers that sample shingles examine single bits of them. Overflow is intended:
 * all factors are odd, so no step loses information. */

enum { CHUNK = 8, RING = TWX_SHINGLE_WORDS_MAX, DIGITS = 8, VALUES = 256, FEW = 48 };

static const uint64_t WORD_FACTOR = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio */
/* this and the next constant: Steele and Vigna 2021 */
static const uint64_t BASE = UINT64_C(0xD1342543DE82EF95);
static const uint64_t FINISH_FACTOR = UINT64_C(0xAF251AF3B0F025B5);

/* The words of the current line (or text). */
typedef struct window {
    uint32_t k;
    bool wrap;
    uint64_t leave; /* BASE^k: the factor of the oldest word when it leaves */
    uint64_t rolled;
    size_t words;         /* so far */
    uint64_t first[RING]; /* the first k */
    uint64_t last[RING];  /* word i is at i % RING */
    uint64_t *out;        /* where the next shingle is written */
} window;

static uint64_t fold(uint64_t h) {
    return h ^ h >> 32;
}

static uint64_t finish(uint64_t h) {
    return fold(fold(h) * FINISH_FACTOR);
}

static void take(window *w, uint64_t word) {
    w->rolled = w->rolled * BASE + word;
    if (w->words < w->k)
        w->first[w->words] = word;
    else
        w->rolled -= w->last[(w->words - w->k) % RING] * w->leave;
    w->last[w->words++ % RING] = word;
    if (w->words >= w->k) *w->out++ = finish(w->rolled);
}

static void end_line(window *w) {
    if (w->words > 0 && w->words < w->k) *w->out++ = finish(w->rolled);
    if (w->wrap && w->words >= w->k)
        for (size_t i = 0; i + 1 < w->k; i++) take(w, w->first[i]);
    w->words = 0;
    w->rolled = 0;
}

/* Continues the hash h with these bytes; letters: the bits that make capitals lower case. end: the
 * limit of readable bytes. */
static uint64_t hash_rest(uint64_t h, twx_slice rest, uint64_t letters, const char *end) {
    const char *p = rest.p;
    size_t n = rest.n;
    uint64_t number;
    for (; n > CHUNK; n -= CHUNK, p += CHUNK) {
        number = twx_load_le64(p);
        h = fold((h ^ (number | (number & letters) >> 1)) * WORD_FACTOR);
    }
    number = twx_few_bytes(p, n, (size_t)(end - p));
    return fold((h ^ (number | (number & letters) >> 1)) * WORD_FACTOR);
}

/* ASCII letters, unlike digits, have bit 6, and lower-case ones bit 5. */
static uint64_t letters_of(bool keep_case) {
    return keep_case ? 0 : UINT64_C(0x4040404040404040);
}

/* Is there a line feed between the word that ended at `from` and the current token? */
static bool new_line(const twx_tokens *tokens, const twx_token *token, const char *from) {
    /* a word holds no line feed, so for a copied word its own bytes may be searched as well */
    const char *to = token->kind == TWX_TOKEN_LOWERED ? tokens->at : token->text.p;
    if (to == from) return false;
    return to - from == 1 ? *from == '\n' : memchr(from, '\n', (size_t)(to - from)) != NULL;
}

static twx_rc read_words(twx_ctx *cx, twx_tokens *tokens, const twx_shingling *how, window *w,
                         twx_shingles *ret_counts) {
    twx_token token;
    twx_rc rc;
    size_t words = 0, chars = 0;
    const char *from = tokens->at;
    while ((rc = twx_tokens_next_raw(cx, tokens, &token)) == TWX_OK) {
        if (how->within_lines && new_line(tokens, &token, from)) end_line(w);
        from = tokens->at;
        const char *end = token.kind == TWX_TOKEN_LOWERED ? token.text.p + token.text.n
                                                          : tokens->end;
        /* lower-cased words stay as they are */
        const bool as_is = how->keep_case || token.kind == TWX_TOKEN_LOWERED;
        take(w, hash_rest(0, token.text, letters_of(as_is), end));
        words++;
        chars += token.units;
    }
    end_line(w);
    if (rc == TWX_DONE) *ret_counts = (twx_shingles){.words = words, .word_chars = chars};
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_shingles_of(twx_ctx *cx, twx_arena *scratch, const twx_shingling *how, twx_slice text,
                       twx_shingles *ret_shingles) {
    window w = {.k = how->words, .wrap = how->wrap, .leave = 1};
    twx_shingles counts = {0};
    twx_tokens tokens;
    /* a word and the break after it take two bytes; there are at most as many shingles as words */
    uint64_t *at = twx_arena_alloc(cx, scratch, text.n / 2 + 1, sizeof *at);
    if (!at) return TWX_E_NOMEM;
    w.out = at;
    for (uint32_t i = 0; i < how->words; i++) w.leave *= BASE;
    twx_tokens_init(&tokens);
    twx_tokens_start(&tokens, text);
    twx_rc rc = read_words(cx, &tokens, how, &w, &counts);
    twx_tokens_done(&tokens);
    if (rc == TWX_OK)
        *ret_shingles = (twx_shingles){at, (size_t)(w.out - at), counts.words, counts.word_chars};
    return rc;
}

/* The words that were read ahead. Most have up to eight bytes, and the length of the next one is
 * not predictable, so all take the same steps first; longer words are continued afterwards, and
 * words that are lower-cased (tokens [R3]) begin again. */
typedef struct portion {
    size_t longs[TWX_TOKENS_MAX], others[2 * TWX_TOKENS_MAX];
    size_t n_longs, n_others;
} portion;

static void hash_beginnings(const twx_tokens *t, uint64_t letters, portion *p, uint64_t *out) {
    const size_t length = (size_t)(t->end - t->begin);
    p->n_longs = p->n_others = 0;
    for (size_t i = 0; i < t->n; i++) {
        const twx_slice word = twx_tokens_word(t, i);
        const size_t first = word.n < CHUNK ? word.n : CHUNK;
        const uint64_t number = twx_few_bytes(word.p, first, length - t->starts[i]);
        const unsigned char after = (unsigned char)(t->ends[i] < length ? t->begin[t->ends[i]] : 0);
        out[i] = fold((number | (number & letters) >> 1) * WORD_FACTOR);
        p->longs[p->n_longs] = p->others[p->n_others] = i;
        p->n_longs += word.n > CHUNK;
        p->n_others += (after | (number & twx_each_byte(0x80))) >= 0x80;
    }
}

static void hash_longs(const twx_tokens *t, uint64_t letters, portion *p, uint64_t *out) {
    for (size_t k = 0; k < p->n_longs; k++) {
        const size_t i = p->longs[k];
        const twx_slice word = twx_tokens_word(t, i), rest = twx_slice_sub(word, CHUNK, word.n);
        out[i] = hash_rest(out[i], rest, letters, t->end);
        if (t->wide && twx_skip_ascii(rest.p, rest.p + rest.n) < rest.p + rest.n)
            p->others[p->n_others++] = i; /* maybe for the second time */
    }
}

twx_rc twx_word_shingles(twx_ctx *cx, twx_arena *scratch, bool keep_case, twx_slice text,
                         twx_shingles *ret_shingles) {
    twx_tokens tokens;
    portion p;
    const uint64_t letters = letters_of(keep_case);
    uint64_t *at = twx_arena_alloc(cx, scratch, text.n / 2 + 1, sizeof *at);
    size_t n = 0;
    twx_rc rc = TWX_OK;
    if (!at) return TWX_E_NOMEM;
    twx_tokens_init(&tokens);
    twx_tokens_start(&tokens, text);
    while (rc == TWX_OK && twx_tokens_read_ahead(&tokens)) {
        hash_beginnings(&tokens, letters, &p, at + n);
        hash_longs(&tokens, letters, &p, at + n);
        for (size_t k = 0; rc == TWX_OK && k < p.n_others; k++) {
            const size_t other = p.others[k];
            twx_token token;
            rc = twx_tokens_lower_wide(cx, &tokens, twx_tokens_word(&tokens, other), &token);
            if (rc == TWX_OK)
                at[n + other] = hash_rest(0, token.text, 0, token.text.p + token.text.n);
        }
        n += tokens.n;
    }
    twx_tokens_done(&tokens);
    for (size_t i = 0; i < n; i++) at[i] = finish(at[i]);
    if (rc == TWX_OK) *ret_shingles = (twx_shingles){.at = at, .n = n, .words = n};
    return rc;
}

/* LSD radix sort; skips a digit that all numbers share. Returns the array with the result. */
static uint64_t *sort_many(uint64_t *from, uint64_t *to, size_t n) {
    size_t counts[DIGITS][VALUES] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) counts[d][from[i] >> (8 * d) & 0xFF]++;
    for (int d = 0; d < DIGITS; d++) {
        size_t *start = counts[d], sum = 0;
        if (start[from[0] >> (8 * d) & 0xFF] == n) continue;
        for (int v = 0; v < VALUES; v++) {
            const size_t count = start[v];
            start[v] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) to[start[from[i] >> (8 * d) & 0xFF]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

twx_rc twx_shingles_unique(twx_ctx *cx, twx_arena *scratch, twx_shingles *shingles) {
    uint64_t *at = shingles->at;
    size_t kept = 0;
    if (shingles->n <= FEW) {
        twx_sort_few(at, shingles->n);
    } else {
        uint64_t *other = twx_arena_alloc(cx, scratch, shingles->n, sizeof *other);
        if (!other) return TWX_E_NOMEM;
        at = sort_many(at, other, shingles->n);
    }
    for (size_t i = 0; i < shingles->n; i++)
        if (kept == 0 || at[i] != at[kept - 1]) at[kept++] = at[i];
    shingles->at = at;
    shingles->n = kept;
    return TWX_OK;
}

static bool has_shingle(const twx_shingles *set, uint64_t shingle) {
    size_t low = 0, high = set->n;
    TWX_BISECT(low, high, set->at[middle] < shingle);
    return low < set->n && set->at[low] == shingle;
}

void twx_shingles_kept(const twx_shingles *before, const twx_shingles *own,
                       const twx_shingles *after, uint64_t *fresh, uint64_t *kept) {
    for (size_t i = 0; i < own->n; i++) {
        if (has_shingle(before, own->at[i])) continue;
        ++*fresh;
        *kept += has_shingle(after, own->at[i]);
    }
}

/* ==== chunking */

enum { HASH_BITS = 64, END_BITS = 6, BACKUP_BITS = 5 };

/* The hash of a window is the polynomial w0 F^15 + w1 F^14 + ... + w15 modulo 2^64 (Karp and Rabin
 * 1987); F is 2^64 divided by the golden ratio, made odd. Its upper bits depend on all bits of the
 * window, its lower bits do not. */
#define F1  UINT64_C(0x9E3779B97F4A7C15)
#define F4  (F1 * F1 * F1 * F1)
#define F16 (F4 * F4 * F4 * F4)
_Static_assert(TWX_CHUNK_WINDOW == 16, "what leaves the window was multiplied by F16");

static bool starts_with_zeros(uint64_t hash, unsigned bits) {
    return hash >> (HASH_BITS - bits) == 0;
}

size_t twx_chunk_length(twx_slice text) {
    const unsigned char *p = (const unsigned char *)text.p;
    const size_t limit = text.n < TWX_CHUNK_MAX ? text.n : TWX_CHUNK_MAX;
    uint64_t hash = 0;
    size_t backup = 0;
    if (text.n <= TWX_CHUNK_MIN) return text.n;
    /* bytes before the first possible window cannot end a chunk */
    for (size_t i = TWX_CHUNK_MIN - TWX_CHUNK_WINDOW; i < TWX_CHUNK_MIN; i++)
        hash = hash * F1 + p[i];
    for (size_t end = TWX_CHUNK_MIN;; end++) {
        if (starts_with_zeros(hash, BACKUP_BITS)) {
            if (starts_with_zeros(hash, END_BITS)) return end;
            backup = end;
        }
        if (end == limit) break;
        hash = hash * F1 + (p[end] - p[end - TWX_CHUNK_WINDOW] * F16);
    }
    if (text.n <= TWX_CHUNK_MAX) return text.n; /* the rest of the text */
    return backup ? backup : TWX_CHUNK_MAX;
}

twx_rc twx_chunks_of(twx_ctx *cx, twx_arena *scratch, twx_slice text, size_t most,
                     twx_chunks *ret_chunks) {
    uint64_t *at = twx_arena_alloc(cx, scratch, text.n / TWX_CHUNK_MIN + 1, sizeof *at);
    if (!at) return TWX_E_NOMEM;
    twx_shingles entries = {.at = at};
    for (size_t from = 0, n; from < text.n; from += n) {
        n = twx_chunk_length((twx_slice){text.p + from, text.n - from});
        const uint64_t hash = twx_hash64((twx_slice){text.p + from, n}, 0);
        entries.at[entries.n++] = hash >> TWX_CHUNK_LENGTH_BITS << TWX_CHUNK_LENGTH_BITS | n;
    }
    twx_rc rc = twx_shingles_unique(cx, scratch, &entries);
    if (rc == TWX_OK)
        *ret_chunks = (twx_chunks){entries.at, entries.n < most ? entries.n : most, entries.n};
    return rc;
}
