#include "text/internal.h"

#include "stop_words_table.h"

/* ==== stop_words */

/* The longest has 12 bytes. Padded with zeros, a word becomes two numbers that compare like its
 * bytes. */
enum { WORD_ROOM = 16, WORD_HALF = WORD_ROOM / 2 };

static const char WORDS[][WORD_ROOM] = {STOP_WORDS_ROWS};

typedef struct halves {
    uint64_t first, second;
} halves;

static halves halves_of(const char bytes[WORD_ROOM]) {
    return (halves){twx_load_be64(bytes), twx_load_be64(bytes + WORD_HALF)};
}

/* Without a branch, because the outcome is unpredictable. */
static bool not_above(halves a, halves b) {
    return (a.first < b.first) | ((a.first == b.first) & (a.second <= b.second));
}

bool twx_is_stop_word(twx_slice word) {
    char bytes[WORD_ROOM] = {0};
    size_t at = 0; /* the last word that is not above it, if there is one, is in at..at + n */
    if (word.n == 0 || word.n > WORD_ROOM) return false;
    memcpy(bytes, word.p, word.n);
    const halves wanted = halves_of(bytes);
    for (size_t n = TWX_COUNTOF(WORDS), half; n > 1; n -= half) {
        half = n / 2;
        at += not_above(halves_of(WORDS[at + half]), wanted) ? half : 0;
    }
    return memcmp(WORDS[at], bytes, WORD_ROOM) == 0;
}

/* ==== word_counts */

/* A text has a word every six bytes, so the loops below avoid branches that cannot be predicted:
 * words are separated by their length first, a new word and one that was counted before are stored
 * in the same way, and room is made for a whole portion of words at once. */

enum { SHORT, LONG }; /* tables */
enum { SLOTS_MIN = 64, SMALL = 1 << 10 /* bytes of a text */, COPIES_KEEP = 1 << 20 };
static const uint32_t COPIED = UINT32_C(1) << 31;   /* flag in length */
static const uint32_t UNCAPPED = UINT32_C(1) << 31; /* flag in more */

__extension__ typedef unsigned __int128 uwide;

typedef struct twx_word_slot {
    uint64_t key;   /* short: the word, first byte lowest, padded with zeros; long: its hash */
    uint32_t count; /* 0: a free slot */
    uint32_t more;  /* the top bit: it occurred without a capital; the others, if the word is long:
                     * its index in `longs` */
} twx_word_slot;

typedef struct twx_long_word {
    uint32_t at;     /* offset in the text or in copies */
    uint32_t length; /* bytes; the top bit: the word is in copies */
} twx_long_word;

void twx_word_counts_init(twx_word_counts *c, uint64_t seed) {
    *c = (twx_word_counts){.seed = twx_mix64(seed, 0) | 1}; /* small seeds are poor factors */
    twx_tokens_init(&c->tokens);
}

static void table_done(twx_word_table *table) {
    twx_free(table->slots);
    TWX_VEC_DONE(&table->used);
    *table = (twx_word_table){0};
}

void twx_word_counts_done(twx_word_counts *c) {
    if (!c) return;
    twx_tokens_done(&c->tokens);
    twx_buf_done(&c->copies);
    TWX_VEC_DONE(&c->longs);
    for (size_t i = 0; i < TWX_COUNTOF(c->table); i++) table_done(&c->table[i]);
}

/* ---- the tables ---------------------------------------------------------- */

/* The initial number of slots. Documentation has a distinct word every 20 bytes: few slots are
 * taken, so that the first one that is tried is nearly always the right one. */
static size_t first_slots(size_t text_bytes, size_t table) {
    const size_t least = text_bytes < SMALL ? text_bytes : SMALL;
    const size_t wanted = (text_bytes / 4 > least ? text_bytes / 4 : least) >> (2 * table);
    size_t slots = SLOTS_MIN;
    while (slots < TWX_WORD_COUNTS_KEEP && slots < wanted) slots *= 2;
    return slots;
}

/* Empties a table for the next text and releases the excess memory of a huge one. */
static twx_rc clear_table(twx_ctx *cx, twx_word_table *table, size_t slots) {
    if (table->used.cap > TWX_WORD_COUNTS_KEEP) TWX_VEC_DONE(&table->used);
    table->used.n = 0;
    if (table->room < slots || table->room > TWX_WORD_COUNTS_KEEP) {
        twx_free(table->slots);
        table->room = 0;
        table->slots = twx_calloc(cx, slots, sizeof *table->slots);
        if (!table->slots) return TWX_E_NOMEM;
        table->room = slots;
    } else {
        memset(table->slots, 0, slots * sizeof *table->slots);
    }
    table->mask = slots - 1;
    return TWX_OK;
}

/* The first slot of a key: multiply-shift hashing (Dietzfelbinger et al. 1997). For a random odd
 * factor two given keys collide with a probability of at most 2 in the number of slots. */
static size_t home(uint64_t key, uint64_t seed, size_t mask) {
    return (size_t)(key * seed >> __builtin_clzll(mask)) & mask;
}

static twx_rc grow(twx_ctx *cx, uint64_t seed, twx_word_table *table) {
    const size_t mask = table->mask * 2 + 1;
    twx_word_slot *slots = twx_calloc(cx, mask + 1, sizeof *slots);
    if (!slots) return TWX_E_NOMEM;
    for (size_t i = 0; i < table->used.n; i++) {
        const twx_word_slot *slot = &table->slots[table->used.at[i]];
        size_t at = home(slot->key, seed, mask);
        while (slots[at].count) at = (at + 1) & mask;
        slots[at] = *slot;
        table->used.at[i] = (uint32_t)at;
    }
    twx_free(table->slots);
    table->slots = slots;
    table->mask = mask;
    table->room = mask + 1;
    return TWX_OK;
}

static twx_rc make_room(twx_ctx *cx, uint64_t seed, twx_word_table *table, size_t n) {
    twx_rc rc = TWX_OK;
    const size_t words = table->used.n + n;
    while (rc == TWX_OK && words * 3 > table->mask * 2) rc = grow(cx, seed, table);
    /* count_key() writes one value more */
    if (rc == TWX_OK && !TWX_VEC_RESERVE(cx, &table->used, words + 1)) rc = TWX_E_NOMEM;
    return rc;
}

/* ---- words of up to eight bytes ------------------------------------------ */

/* One branch, which is rarely taken: whether the slot is free or has the key cannot be
 * predicted. */
static inline bool is_other(const twx_word_slot *slot, uint64_t key) {
    return (slot->key != key) & (slot->count != 0);
}

/* Where there is room for one more word. The same steps for a new word and for another one. */
static inline void count_key(twx_word_table *table, uint64_t seed, uint64_t key,
                             uint32_t uncapped) {
    size_t at = home(key, seed, table->mask);
    while (is_other(&table->slots[at], key)) at = (at + 1) & table->mask;
    twx_word_slot *slot = &table->slots[at];
    table->used.at[table->used.n] = (uint32_t)at;
    table->used.n += slot->count == 0;
    slot->key = key;
    slot->count++;
    slot->more |= uncapped;
}

static inline uint32_t uncapped(unsigned char first) {
    return (unsigned)first - 'A' < 26 ? 0 : UNCAPPED;
}

/* Offset in the text and length of a word, in one number, which is one store: a struct that is
 * stored by halves and copied as a whole would wait for both. */
typedef uint64_t span;

static inline span span_of(size_t at, size_t n) {
    return (uint64_t)at << 32 | n; /* a text has at most 2^30 bytes */
}

static inline twx_slice written(const twx_word_counts *c, span word) {
    return (twx_slice){c->text.p + (word >> 32), word & UINT32_MAX};
}

/* The words that were read ahead, separated by length; others: those that are not all ASCII. */
typedef struct portion {
    span shorts[TWX_TOKENS_MAX], longs[TWX_TOKENS_MAX], others[TWX_TOKENS_MAX];
    size_t n_shorts, n_longs, n_others;
} portion;

static twx_rc count_shorts(twx_ctx *cx, twx_word_counts *c, portion *p) {
    twx_rc rc = make_room(cx, c->seed, &c->table[SHORT], p->n_shorts);
    if (rc != TWX_OK) return rc;
    twx_word_table table = c->table[SHORT]; /* in registers */
    const uint64_t seed = c->seed;
    for (size_t i = 0; i < p->n_shorts; i++) {
        const twx_slice word = written(c, p->shorts[i]);
        const uint64_t key = twx_few_bytes(word.p, word.n, c->text.n - (p->shorts[i] >> 32));
        if (key & twx_each_byte(0x80))
            p->others[p->n_others++] = p->shorts[i];
        else
            count_key(&table, seed, twx_lower_bytes(key), uncapped((unsigned char)key));
    }
    c->table[SHORT] = table;
    return TWX_OK;
}

/* ---- longer words -------------------------------------------------------- */

static twx_slice long_text(const twx_word_counts *c, const twx_word_slot *slot) {
    const twx_long_word *word = &c->longs.at[slot->more & ~UNCAPPED];
    const char *from = word->length & COPIED ? c->copies.p : c->text.p;
    return (twx_slice){from + word->at, word->length & ~COPIED};
}

/* A word of more than eight bytes. It is read eight bytes at a time; the last eight can overlap the
 * ones before them. */
typedef struct long_word {
    twx_slice text;
    uint64_t letters; /* twx_each_byte(0x40): converts ASCII to lower case; 0: already converted */
    uint64_t hash;
} long_word;

static inline uint64_t eight(const long_word *word, size_t i) {
    const size_t last = word->text.n - TWX_WORD_SHORT;
    const uint64_t bytes = twx_load_le64(word->text.p + (i < last ? i : last));
    return bytes | (bytes & word->letters) >> 1;
}

static void hash_long(long_word *word, uint64_t seed) {
    uint64_t hash = seed;
    for (size_t i = 0; i < word->text.n; i += TWX_WORD_SHORT) {
        const uwide product = (uwide)(hash ^ eight(word, i)) * seed;
        hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    word->hash = hash;
}

static bool is_equal(const long_word *word, twx_slice lower) {
    uint64_t differs = 0;
    const long_word other = {.text = lower};
    if (word->text.n != lower.n) return false;
    for (size_t i = 0; i < lower.n; i += TWX_WORD_SHORT)
        differs |= eight(word, i) ^ eight(&other, i);
    return differs == 0;
}

static twx_rc add_long(twx_ctx *cx, twx_word_counts *c, const long_word *word, uint32_t *ret_at) {
    const twx_slice text = word->text;
    twx_long_word added = {(uint32_t)(text.p - c->text.p), (uint32_t)text.n};
    bool same = word->letters != 0; /* a slice of the text that is its own lower case */
    for (size_t i = 0; same && i < text.n; i++) same = !(text.p[i] & 0x40) || text.p[i] & 0x20;
    if (!same) {
        added = (twx_long_word){(uint32_t)c->copies.n, (uint32_t)text.n | COPIED};
        twx_rc rc = twx_buf_add_slice(cx, &c->copies, text);
        if (rc != TWX_OK) return rc;
        char *copy = c->copies.p + added.at;
        for (size_t i = 0; word->letters && i < text.n; i++)
            copy[i] = (char)(copy[i] | (copy[i] & 0x40) >> 1);
    }
    if (!TWX_VEC_PUSH(cx, &c->longs, added)) return TWX_E_NOMEM;
    *ret_at = (uint32_t)c->longs.n - 1;
    return TWX_OK;
}

/* Where there is room for one more word. */
static twx_rc count_long(twx_ctx *cx, twx_word_counts *c, const long_word *word, uint32_t seen) {
    twx_word_table *table = &c->table[LONG];
    for (size_t at = home(word->hash, c->seed, table->mask);; at = (at + 1) & table->mask) {
        twx_word_slot *slot = &table->slots[at];
        if (slot->count == 0) {
            uint32_t index = 0;
            twx_rc rc = add_long(cx, c, word, &index);
            if (rc != TWX_OK) return rc;
            *slot = (twx_word_slot){word->hash, 1, index | seen};
            table->used.at[table->used.n++] = (uint32_t)at;
            return TWX_OK;
        }
        if (slot->key != word->hash || !is_equal(word, long_text(c, slot))) continue;
        slot->count++;
        slot->more |= seen;
        return TWX_OK;
    }
}

static bool is_ascii(twx_slice s) {
    uint64_t seen = 0;
    const long_word word = {.text = s};
    for (size_t i = 0; i < s.n; i += TWX_WORD_SHORT) seen |= eight(&word, i);
    return !(seen & twx_each_byte(0x80));
}

static twx_rc count_longs(twx_ctx *cx, twx_word_counts *c, portion *p) {
    twx_rc rc = make_room(cx, c->seed, &c->table[LONG], p->n_longs);
    for (size_t i = 0; rc == TWX_OK && i < p->n_longs; i++) {
        long_word word = {.text = written(c, p->longs[i]), .letters = twx_each_byte(0x40)};
        if (c->tokens.wide && !is_ascii(word.text)) {
            p->others[p->n_others++] = p->longs[i];
            continue;
        }
        hash_long(&word, c->seed);
        rc = count_long(cx, c, &word, uncapped((unsigned char)*word.text.p));
    }
    return rc;
}

/* ---- words that are not all ASCII ---------------------------------------- */

static twx_rc count_other(twx_ctx *cx, twx_word_counts *c, twx_slice word, size_t min_units) {
    twx_token token;
    uint32_t first = 0;
    twx_rc rc = twx_tokens_lower_wide(cx, &c->tokens, word, &token);
    if (rc != TWX_OK || token.units <= min_units) return rc;
    twx_utf8_next(word.p, word.p + word.n, &first);
    const uint32_t seen = twx_to_lower(first) != first ? 0 : UNCAPPED;
    const bool is_long = token.text.n > TWX_WORD_SHORT;
    rc = make_room(cx, c->seed, &c->table[is_long], 1);
    if (rc != TWX_OK) return rc;
    if (is_long) {
        long_word lower = {.text = token.text};
        hash_long(&lower, c->seed);
        return count_long(cx, c, &lower, seen);
    }
    count_key(&c->table[SHORT], c->seed, twx_few_bytes(token.text.p, token.text.n, token.text.n),
              seen);
    return TWX_OK;
}

/* ---- a text -------------------------------------------------------------- */

/* A word has at least as many bytes as units, so those of few bytes are left out here. */
static void separate(const twx_tokens *t, size_t min_units, portion *p) {
    const size_t long_min = min_units > TWX_WORD_SHORT ? min_units : TWX_WORD_SHORT;
    size_t shorts = 0, longs = 0;
    for (size_t i = 0; i < t->n; i++) {
        const size_t n = t->ends[i] - t->starts[i];
        p->shorts[shorts] = p->longs[longs] = span_of(t->starts[i], n);
        shorts += (n > min_units) & (n <= TWX_WORD_SHORT);
        longs += n > long_min;
    }
    p->n_shorts = shorts;
    p->n_longs = longs;
    p->n_others = 0;
}

twx_rc twx_word_counts_of(twx_ctx *cx, twx_word_counts *c, twx_slice text, size_t min_units) {
    portion p;
    /* lower case is at most 3/2 as long: lengths fit 31 bits, offsets 32 */
    if (text.n > TWX_WORD_COUNTS_TEXT_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "a text of %zu bytes is too long to count its words",
                        text.n);
    c->text = text;
    twx_rc rc = TWX_OK;
    c->most = 0;
    if (c->longs.cap > TWX_WORD_COUNTS_KEEP) TWX_VEC_DONE(&c->longs);
    c->longs.n = 0;
    if (c->copies.cap > COPIES_KEEP) twx_buf_done(&c->copies);
    twx_buf_clear(&c->copies);
    c->copies.max = UINT32_MAX;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(c->table); i++)
        rc = clear_table(cx, &c->table[i], first_slots(text.n, i));
    if (rc != TWX_OK) return rc;
    twx_tokens_start(&c->tokens, text);
    while (rc == TWX_OK && twx_tokens_read_ahead(&c->tokens)) {
        separate(&c->tokens, min_units, &p);
        rc = count_shorts(cx, c, &p);
        if (rc == TWX_OK) rc = count_longs(cx, c, &p);
        for (size_t i = 0; rc == TWX_OK && i < p.n_others; i++)
            rc = count_other(cx, c, written(c, p.others[i]), min_units);
    }
    for (size_t i = 0; i < TWX_COUNTOF(c->table); i++) {
        const twx_word_table *table = &c->table[i];
        for (size_t k = 0; k < table->used.n; k++) {
            const uint32_t count = table->slots[table->used.at[k]].count;
            c->most = count > c->most ? count : c->most;
        }
    }
    return rc;
}

/* ---- the result ---------------------------------------------------------- */

size_t twx_word_counts_distinct(const twx_word_counts *c, uint32_t min_count) {
    size_t n = 0;
    for (size_t i = 0; i < TWX_COUNTOF(c->table); i++) {
        const twx_word_table *table = &c->table[i];
        for (size_t k = 0; k < table->used.n; k++)
            n += table->slots[table->used.at[k]].count >= min_count;
    }
    return n;
}

bool twx_word_counts_next(const twx_word_counts *c, uint32_t min_count, size_t *at,
                          twx_word *ret_word) {
    const size_t shorts = c->table[SHORT].used.n, n = shorts + c->table[LONG].used.n;
    for (; *at < n; ++*at) {
        const bool is_long = *at >= shorts;
        const twx_word_table *table = &c->table[is_long];
        const twx_word_slot *slot = &table->slots[table->used.at[*at - (is_long ? shorts : 0)]];
        if (slot->count < min_count) continue;
        *ret_word = (twx_word){
            __builtin_bswap64(slot->key), {NULL, 0}, slot->count, !(slot->more & UNCAPPED)};
        if (is_long) {
            ret_word->long_text = long_text(c, slot);
            ret_word->head = twx_load_be64(ret_word->long_text.p);
        }
        ++*at;
        return true;
    }
    return false;
}

size_t twx_word_length(const twx_word *word) {
    if (word->long_text.p) return word->long_text.n;
    return TWX_WORD_SHORT - (size_t)__builtin_ctzll(word->head) / 8; /* the padding */
}

char *twx_word_put(const twx_word *word, char *out) {
    if (word->long_text.p) {
        memcpy(out, word->long_text.p, word->long_text.n);
        return out + word->long_text.n;
    }
    twx_store_be64(out, word->head);
    return out + twx_word_length(word);
}

int twx_word_cmp(const twx_word *a, const twx_word *b) {
    if (a->head != b->head) return a->head < b->head ? -1 : 1;
    if (!a->long_text.p || !b->long_text.p)
        return (a->long_text.p != NULL) - (b->long_text.p != NULL);
    return twx_slice_cmp(a->long_text, b->long_text);
}
