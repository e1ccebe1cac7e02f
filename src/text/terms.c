#include "text/internal.h"

#include <libstemmer.h>
#include <limits.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistring/version.h>

#include "letters_table.h"
#include "stem_languages_table.h"
#include <sqlite3.h>

/* ==== letters */

/* [R1] A word is a run of letters, digits and marks (general categories L, N and M) that begins
 * with a letter or digit. Joiners, soft hyphens, variation selectors and the tatweel inside it are
 * ignored.
 * [R2] Chinese characters, kana, bopomofo and hangul are not parts of words.
 * [R3] Folding removes case, the accents of Latin, Greek and Cyrillic and the points of Hebrew and
 * Arabic; marks of other scripts distinguish words and stay.
 * Source: the Unicode Character Database as libunistring has it (UAX #44, #15). */

typedef enum twx_letter_class {
    TWX_LETTER_NONE,    /* separates words */
    TWX_LETTER_WORD,    /* a letter or digit of a word */
    TWX_LETTER_MARK,    /* continues a word */
    TWX_LETTER_IGNORED, /* continues a word and is left out */
    TWX_LETTER_PAIRED   /* of a script without blanks between words: Chinese, Japanese, Korean */
} twx_letter_class;

/* A word of code points, lower-cased, precomposed, and without compatibility forms such as
 * full-width letters and ligatures. Code points beyond the limit are left out. */
enum { TWX_WORD_LETTERS = 128, TWX_WORD_BYTES = 4 * TWX_WORD_LETTERS };

typedef struct twx_word_letters {
    uint32_t at[TWX_WORD_LETTERS];
    size_t n;
} twx_word_letters;

/* A change of the terms of any text has to increase it. */
enum { TWX_TERMS_VERSION = 1 };

typedef struct span {
    uint32_t first, last;
} span;

/* The classes are explained in share/tables/letters.tsv. */
static const span PAIRED[] = {PAIRED_ROWS};
static const span IGNORED[] = {IGNORED_ROWS};
static const span ACCENTS[] = {ACCENT_ROWS};
static const struct {
    uint32_t letter;
    const char *folded;
} ALIKE[] = {ALIKE_ROWS};

enum { DECOMPOSED = UC_DECOMPOSITION_MAX_LENGTH, DEPTH = 4 };

static bool within(const span *spans, size_t n, uint32_t cp) {
    size_t low = 0, high = n;
    TWX_BISECT(low, high, spans[middle].last < cp);
    return low < n && spans[low].first <= cp;
}

static twx_letter_class letter_class_of(uint32_t cp) {
    if (within(PAIRED, TWX_COUNTOF(PAIRED), cp))
        return cp == 0xFF9E || cp == 0xFF9F ? TWX_LETTER_MARK : TWX_LETTER_PAIRED;
    if (within(IGNORED, TWX_COUNTOF(IGNORED), cp)) return TWX_LETTER_IGNORED;
    if (uc_is_general_category_withtable(cp, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_N))
        return TWX_LETTER_WORD;
    return uc_is_general_category_withtable(cp, UC_CATEGORY_MASK_M) ? TWX_LETTER_MARK
                                                                    : TWX_LETTER_NONE;
}

/* ---- words ---------------------------------------------------------------- */

static void push(twx_word_letters *word, uint32_t cp) {
    const uint32_t last = word->n ? word->at[word->n - 1] : 0;
    const uint32_t both = last >= 'a' ? uc_composition(last, cp) : 0;
    if (both)
        word->at[word->n - 1] = both;
    else if (word->n < TWX_WORD_LETTERS)
        word->at[word->n++] = cp;
}

/* cp: of the classes WORD and MARK. Compatibility forms refer to others at most twice; the depth,
 * 0 at first, is limited all the same. */
static void add(twx_word_letters *word, uint32_t cp, int depth) {
    ucs4_t parts[DECOMPOSED];
    int tag = 0;
    const int n = depth < DEPTH ? uc_decomposition(cp, &tag, parts) : -1;
    const int digit = uc_decimal_value(cp);
    if (digit >= 0) {
        push(word, '0' + (uint32_t)digit);
    } else if (n > 0 && tag != UC_DECOMP_CANONICAL && tag != UC_DECOMP_FRACTION) {
        for (int i = 0; i < n; i++)
            if (letter_class_of(parts[i]) != TWX_LETTER_NONE) add(word, parts[i], depth + 1);
    } else {
        push(word, uc_tolower(cp));
    }
}

/* ---- folding -------------------------------------------------------------- */

typedef struct folding {
    char *out;
    size_t n;
} folding;

static void put(folding *f, const char *bytes, size_t n) {
    if (f->n + n > TWX_WORD_BYTES) return;
    for (size_t i = 0; i < n; i++) f->out[f->n++] = bytes[i];
}

static void put_letter(folding *f, uint32_t cp) {
    char bytes[4];
    for (size_t i = 0; i < TWX_COUNTOF(ALIKE); i++)
        if (ALIKE[i].letter == cp) {
            put(f, ALIKE[i].folded, twx_slice_of(ALIKE[i].folded).n);
            return;
        }
    put(f, bytes, twx_utf8_put(cp, bytes));
}

static void fold(folding *f, uint32_t cp, int depth) {
    ucs4_t parts[DECOMPOSED];
    if (within(ACCENTS, TWX_COUNTOF(ACCENTS), cp)) return;
    const int n = depth < DEPTH ? uc_canonical_decomposition(cp, parts) : -1;
    for (int i = 0; i < n; i++) fold(f, parts[i], depth + 1);
    if (n <= 0) put_letter(f, cp);
}

/* Folds a lower-cased word; bytes beyond TWX_WORD_BYTES are left out. Returns how many bytes. */
static size_t twx_fold(twx_slice lower, char out[TWX_WORD_BYTES]) {
    folding f = {.out = out};
    const char *end = lower.p + lower.n;
    for (const char *p = lower.p; p < end;) {
        uint32_t cp = (unsigned char)*p;
        if (cp < 0x80) {
            put(&f, p++, 1);
        } else {
            p += twx_utf8_next(p, end, &cp);
            fold(&f, cp, 0);
        }
    }
    return f.n;
}

/* ---- characters that are indexed in pairs ---------------------------------- */

/* Half-width kana and jamo, and compatibility ideographs, in their ordinary form. */
static uint32_t ordinary(uint32_t cp) {
    ucs4_t parts[DECOMPOSED];
    int tag = 0;
    for (int depth = 0; depth < DEPTH; depth++) {
        if (uc_decomposition(cp, &tag, parts) != 1) break;
        cp = parts[0];
    }
    return cp;
}

/* Reads one PAIRED character with its marks, or the jamo of one syllable, at p (p < end), as one
 * precomposed code point. Returns the number of bytes read. */
static size_t paired_next(const char *p, const char *end, uint32_t *ret_cp) {
    uint32_t cp = 0, next = 0;
    size_t n = twx_utf8_next(p, end, &cp);
    cp = ordinary(cp);
    while (p + n < end) {
        const size_t more = twx_utf8_next(p + n, end, &next);
        const twx_letter_class is = letter_class_of(next);
        const uint32_t both = is == TWX_LETTER_MARK || is == TWX_LETTER_PAIRED
                                  ? uc_composition(cp, ordinary(next))
                                  : 0;
        if (both)
            cp = both;
        else if (is != TWX_LETTER_MARK && is != TWX_LETTER_IGNORED)
            break;
        n += more;
    }
    *ret_cp = cp;
    return n;
}

/* ==== terms */

enum { STEMMED_BYTES = 64 /* in UTF-8; longer words are not stemmed */ };

struct twx_terms {
    struct sb_stemmer *stemmers[TWX_LANGUAGES + 1]; /* opened when they are first needed */
    unsigned language;
    uint32_t languages;
};

twx_rc twx_terms_open(twx_ctx *cx, twx_terms **ret_terms) {
    twx_terms *t = twx_calloc(cx, 1, sizeof *t);
    if (!t) return TWX_E_NOMEM;
    *ret_terms = t;
    return TWX_OK;
}

void twx_terms_close(twx_terms *t) {
    if (!t) return;
    for (size_t i = 0; i <= TWX_LANGUAGES; i++) sb_stemmer_delete(t->stemmers[i]);
    twx_free(t);
}

void twx_terms_set_language(twx_terms *t, unsigned language) {
    t->language = language <= TWX_LANGUAGES ? language : TWX_LANGUAGE_NONE;
}

void twx_terms_set_languages(twx_terms *t, uint32_t languages) {
    t->languages = languages;
}

uint32_t twx_terms_languages(const twx_terms *t) {
    return t->languages;
}

/* ---- stems ---------------------------------------------------------------- */

/* libstemmer 2.2 crashes if it cannot allocate a stemmer. So as much memory is allocated
 * and freed first: if that fails, libstemmer is not called. */
static struct sb_stemmer *new_stemmer(unsigned language) {
    enum { NEEDED_BYTES = 4096 };
    void *room = twx_malloc(NULL, NEEDED_BYTES);
    if (!room) return NULL;
    twx_free(room);
    return sb_stemmer_new(twx_stem_language_name(language), NULL);
}

/* *ret_stem is valid until the next call with this language. */
static twx_rc stem(twx_terms *t, unsigned language, twx_slice word, twx_slice *ret_stem) {
    struct sb_stemmer **s = &t->stemmers[language];
    if (!*s) *s = new_stemmer(language);
    if (!*s) return TWX_E_NOMEM;
    const sb_symbol *made = sb_stemmer_stem(*s, (const sb_symbol *)word.p, (int)word.n);
    if (!made) return TWX_E_NOMEM;
    *ret_stem = (twx_slice){(const char *)made, (size_t)sb_stemmer_length(*s)};
    return TWX_OK;
}

/* ---- terms of a word ------------------------------------------------------- */

typedef struct emitting {
    twx_terms *terms;
    bool is_query;
    twx_term_fn *fn;
    void *arg;
    size_t from, to; /* the bytes that the terms stand for */
    bool same_place;
} emitting;

static twx_rc emit(emitting *e, twx_slice text) {
    const twx_term term = {text, e->from, e->to, e->same_place};
    e->same_place = true;
    return e->fn(e->arg, &term);
}

static bool is_ascii(twx_slice s) {
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] >= 0x80) return false;
    return true;
}

/* The folded stem of a word with the byte of the language. Returns its length. */
static twx_rc tagged(emitting *e, unsigned language, twx_slice word, bool short_enough,
                     char out[TWX_WORD_BYTES + 1], size_t *ret_n) {
    twx_slice made = word;
    twx_rc rc = short_enough ? stem(e->terms, language, word, &made) : TWX_OK;
    if (rc != TWX_OK) return rc;
    if (made.n == 0) made = word;
    size_t n = twx_fold(made, out);
    out[n++] = (char)language;
    *ret_n = n;
    return TWX_OK;
}

static twx_rc emit_stems(emitting *e, unsigned language, twx_slice word, twx_slice folded) {
    const bool short_enough = word.n <= STEMMED_BYTES;
    char one[TWX_WORD_BYTES + 1], other[TWX_WORD_BYTES + 1];
    size_t n_one = 0, n_other = 0;
    twx_rc rc = tagged(e, language, word, short_enough, one, &n_one);
    if (rc == TWX_OK) rc = emit(e, (twx_slice){one, n_one});
    if (rc != TWX_OK || twx_slice_eq(word, folded)) return rc;
    rc = tagged(e, language, folded, short_enough, other, &n_other);
    if (rc != TWX_OK || (n_one == n_other && memcmp(one, other, n_one) == 0)) return rc;
    return emit(e, (twx_slice){other, n_other});
}

/* "++" or "#" right after a word that is made of ASCII characters [R4]; 0: neither. */
static size_t sign_after(const char *p, const char *end) {
    const size_t n = (size_t)(end - p);
    const bool plus = n >= 2 && p[0] == '+' && p[1] == '+' && (n == 2 || p[2] != '+');
    const bool sharp = n >= 1 && p[0] == '#' &&
                       (n == 1 ||
                        (p[1] != '#' && p[1] != '_' && !twx_is_alphanumeric((unsigned char)p[1])));
    return plus ? 2 : sharp ? 1 : 0;
}

static twx_rc emit_signed(emitting *e, twx_slice word, const char *sign, size_t n) {
    char text[TWX_WORD_BYTES + 2];
    memcpy(text, word.p, word.n);
    memcpy(text + word.n, sign, n);
    return emit(e, (twx_slice){text, word.n + n});
}

/* word: lower-cased. */
static twx_rc emit_word(emitting *e, twx_slice word) {
    char folded_bytes[TWX_WORD_BYTES];
    const twx_slice folded = is_ascii(word)
                                 ? word
                                 : (twx_slice){folded_bytes, twx_fold(word, folded_bytes)};
    const unsigned language = e->terms->language;
    e->same_place = false;
    if (folded.n == 0) return TWX_OK;
    if (twx_is_number(folded)) return emit(e, folded);
    if (!e->is_query) return language ? emit_stems(e, language, word, folded) : emit(e, folded);
    twx_rc rc = emit(e, folded);
    for (unsigned i = 1; rc == TWX_OK && i <= TWX_LANGUAGES; i++)
        if (e->terms->languages >> i & 1) rc = emit_stems(e, i, word, folded);
    return rc;
}

/* ---- scanning -------------------------------------------------------------- */

/* The word at p, in any script. Returns where it ends. */
static const char *read_word(const char *p, const char *end, twx_word_letters *word) {
    word->n = 0;
    while (p < end) {
        uint32_t cp = 0;
        const size_t n = twx_utf8_next(p, end, &cp);
        const twx_letter_class is = letter_class_of(cp);
        if (is == TWX_LETTER_NONE || is == TWX_LETTER_PAIRED) break;
        if (is != TWX_LETTER_IGNORED) add(word, cp, 0);
        p += n;
    }
    return p;
}

/* The same for a word of ASCII characters; NULL: it goes on with another character. */
static const char *read_ascii(const char *p, const char *end, char out[TWX_WORD_LETTERS],
                              size_t *ret_n) {
    size_t n = 0;
    while (p < end && twx_is_alphanumeric((unsigned char)*p)) {
        if (n < TWX_WORD_LETTERS) out[n++] = twx_lower(*p);
        p++;
    }
    *ret_n = n;
    return p < end && (unsigned char)*p >= 0x80 ? NULL : p;
}

static twx_rc take_word(emitting *e, const char *text, const char *p, const char *end,
                        const char **ret_next) {
    char bytes[TWX_WORD_BYTES];
    twx_word_letters word;
    size_t n = 0;
    const char *next = read_ascii(p, end, bytes, &n);
    if (!next) {
        next = read_word(p, end, &word);
        n = 0;
        for (size_t i = 0; i < word.n; i++) n += twx_utf8_put(word.at[i], bytes + n);
    }
    const twx_slice lower = {bytes, n};
    const size_t sign = n && is_ascii(lower) ? sign_after(next, end) : 0;
    e->from = (size_t)(p - text);
    e->to = (size_t)(next - text) + sign;
    *ret_next = next + sign;
    if (sign && e->is_query) {
        e->same_place = false;
        return emit_signed(e, lower, next, sign);
    }
    twx_rc rc = emit_word(e, lower);
    return rc == TWX_OK && sign ? emit_signed(e, lower, next, sign) : rc;
}

/* One character of a run of paired ones [R3]. */
static twx_rc take_paired(emitting *e, const char *text, const char *p, const char *end,
                          const char **ret_next) {
    char pair[8];
    uint32_t cp = 0, next = 0;
    const char *after = p + paired_next(p, end, &cp);
    const size_t one = twx_utf8_put(cp, pair);
    size_t both = one;
    if (after < end) {
        (void)twx_utf8_next(after, end, &next);
        if (letter_class_of(next) == TWX_LETTER_PAIRED) {
            (void)paired_next(after, end, &next);
            both += twx_utf8_put(next, pair + one);
        }
    }
    e->from = (size_t)(p - text);
    e->to = (size_t)(after - text);
    e->same_place = false;
    *ret_next = after;
    twx_rc rc = both > one ? emit(e, (twx_slice){pair, both}) : TWX_OK;
    return rc == TWX_OK && (both == one || !e->is_query) ? emit(e, (twx_slice){pair, one}) : rc;
}

twx_rc twx_terms_each(twx_terms *t, twx_slice text, bool is_query, twx_term_fn *fn, void *arg) {
    emitting e = {.terms = t, .is_query = is_query, .fn = fn, .arg = arg};
    if (text.n == 0) return TWX_OK; /* text.p may be NULL */
    const char *p = text.p, *end = text.p + text.n;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && p < end) {
        uint32_t cp = (unsigned char)*p;
        size_t n = 1;
        if (cp >= 0x80) n = twx_utf8_next(p, end, &cp);
        const twx_letter_class is = cp >= 0x80                               ? letter_class_of(cp)
                                    : twx_is_alphanumeric((unsigned char)cp) ? TWX_LETTER_WORD
                                                                             : TWX_LETTER_NONE;
        if (is == TWX_LETTER_WORD)
            rc = take_word(&e, text.p, p, end, &p);
        else if (is == TWX_LETTER_PAIRED)
            rc = take_paired(&e, text.p, p, end, &p);
        else
            p += n;
    }
    return rc;
}

/* ---- fingerprint ------------------------------------------------------------ */

static const char *const SAMPLES[] = {SAMPLE_ROWS};

twx_rc twx_terms_fingerprint(twx_terms *t, char ret_text[TWX_TERMS_FINGERPRINT]) {
    uint64_t sum = 0;
    twx_rc rc = TWX_OK;
    for (unsigned language = 1; language <= TWX_LANGUAGES; language++)
        for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(SAMPLES); i++) {
            twx_slice made = {NULL, 0};
            rc = stem(t, language, twx_slice_of(SAMPLES[i]), &made);
            sum = twx_mix64(sum, twx_hash64(made, language));
        }
    if (rc != TWX_OK) return rc;
    snprintf(ret_text, TWX_TERMS_FINGERPRINT, "%d %x %016" PRIx64, TWX_TERMS_VERSION,
             (unsigned)_libunistring_version, sum);
    return TWX_OK;
}

/* ==== stem_language */

/* Codes of ISO 639-1, 639-2/T and 639-2/B, separated by blanks. */
static const struct { const char *name, *codes; } LANGUAGES[TWX_LANGUAGES] = {LANGUAGE_ROWS};

/* The part of a tag before its region or script. */
static twx_slice primary(twx_slice tag) {
    size_t n = 0;
    tag = twx_slice_trim(tag);
    while (n < tag.n && twx_is_alpha((unsigned char)tag.p[n])) n++;
    return twx_slice_sub(tag, 0, n);
}

unsigned twx_stem_language(twx_slice declared) {
    const twx_slice code = primary(declared);
    for (unsigned i = 0; code.n > 1 && i < TWX_LANGUAGES; i++)
        if (twx_slice_has_word(twx_slice_of(LANGUAGES[i].codes), code) ||
            twx_slice_eq_nocase(twx_slice_of(LANGUAGES[i].name), code))
            return i + 1;
    return TWX_LANGUAGE_NONE;
}

const char *twx_stem_language_name(unsigned language) {
    return language && language <= TWX_LANGUAGES ? LANGUAGES[language - 1].name : NULL;
}

/* ==== fts_terms */

typedef int token_fn(void *arg, int flags, const char *token, int n, int from, int to);

typedef struct passing {
    token_fn *fn;
    void *arg;
    int code; /* what fn returned */
} passing;

static twx_rc pass(void *arg, const twx_term *term) {
    passing *p = arg;
    p->code = p->fn(p->arg, term->same_place ? FTS5_TOKEN_COLOCATED : 0, term->text.p,
                    (int)term->text.n, (int)term->from, (int)term->to);
    return p->code == SQLITE_OK ? TWX_OK : TWX_DONE;
}

static int tokenize(Fts5Tokenizer *tokenizer, void *arg, int flags, const char *text, int n,
                    token_fn *fn) {
    passing p = {fn, arg, SQLITE_OK};
    const twx_slice slice = {text ? text : "", text && n > 0 ? (size_t)n : 0};
    const twx_rc rc = twx_terms_each((twx_terms *)tokenizer, slice, flags & FTS5_TOKENIZE_QUERY,
                                     pass, &p);
    if (rc == TWX_E_NOMEM) return SQLITE_NOMEM;
    return p.code;
}

/* All tables of a connection share its tokenizer. */
static int create(void *terms, const char **arguments, int n, Fts5Tokenizer **ret_tokenizer) {
    (void)arguments;
    if (n > 0) return SQLITE_ERROR;
    *ret_tokenizer = terms;
    return SQLITE_OK;
}

static void delete (Fts5Tokenizer *tokenizer) {
    (void)tokenizer;
}

static void close(void *terms) {
    twx_terms_close(terms);
}

int twx_fts_terms_register(fts5_api *api, twx_terms *terms) {
    fts5_tokenizer functions = {.xCreate = create, .xDelete = delete, .xTokenize = tokenize};
    const int rc = api->xCreateTokenizer(api, "twindex", terms, &functions, close);
    if (rc != SQLITE_OK) twx_terms_close(terms);
    return rc;
}
