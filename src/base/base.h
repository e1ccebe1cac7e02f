/* base/base.h: memory, errors, strings, numbers, threads; knows nothing of documents. */
#ifndef TWX_BASE_BASE_H
#define TWX_BASE_BASE_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* rc (ctx.c): all result codes of Twindex functions, in one table.
 *
 * A function that can fail returns twx_rc and is marked TWX_CHECK. TWX_OK is 0. TWX_DONE is not an
 * error: it ends an iteration. Each code has a text for users and the exit code of the program
 * (that of sysexits.h where there is one; docs/internals.md, "Exit codes"). */

#define TWX_CHECK             __attribute__((warn_unused_result))
#define TWX_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TWX_COUNTOF(array)    (sizeof(array) / sizeof((array)[0]))

/* An order for qsort() and bsearch(): of numbers, by one to three members of the type, the lesser
 * first, or by an expression of a and b. */
#define TWX_ORDER(name, type, order)                       \
    static int name(const void *left, const void *right) { \
        const type *const a = left;                        \
        const type *const b = right;                       \
        return order;                                      \
    }
#define TWX_UP(m)                     ((a->m > b->m) - (a->m < b->m))
#define TWX_DOWN(m)                   ((a->m < b->m) - (a->m > b->m))
#define TWX_UP_THEN(m, other)         (a->m != b->m ? TWX_UP(m) : (other))
#define TWX_DOWN_THEN(m, other)       (a->m != b->m ? TWX_DOWN(m) : (other))
#define TWX_ORDER_0(name, type)       TWX_ORDER(name, type, (*a > *b) - (*a < *b))
#define TWX_ORDER_1(name, type, m)    TWX_ORDER(name, type, TWX_UP(m))
#define TWX_ORDER_2(name, type, m, n) TWX_ORDER(name, type, TWX_UP_THEN(m, TWX_UP(n)))
#define TWX_ORDER_3(name, type, m, n, o) \
    TWX_ORDER(name, type, TWX_UP_THEN(m, TWX_UP_THEN(n, TWX_UP(o))))

/* Moves `low` to the first index in [low, high) for which `before`, an expression of `middle`, does
 * not hold: it holds for a beginning of the range. */
#define TWX_BISECT(low, high, before)                                                \
    for (size_t middle; low < high; (before) ? (low = middle + 1) : (high = middle)) \
    middle = low + (high - low) / 2

/* clang-format off */
#define TWX_RC_TABLE(X)                                          \
    X(TWX_OK, 0)               /* done */                        \
    X(TWX_DONE, 0)             /* no more items */               \
    X(TWX_E_DOUBT, 1)          /* the result is doubtful */      \
    X(TWX_E_GUARD, 3)          /* stopped by a guard */          \
    X(TWX_E_USAGE, 64)         /* wrong usage */                 \
    X(TWX_E_DATA, 65)          /* bad data */                    \
    X(TWX_E_CONFIG, 65)        /* bad configuration */           \
    X(TWX_E_LIMIT, 65)         /* a limit was exceeded */        \
    X(TWX_E_CORRUPT, 65)       /* corrupt or unreadable */       \
    X(TWX_E_NOSTORE, 66)       /* no such store */               \
    X(TWX_E_NOTFOUND, 66)      /* not found */                   \
    X(TWX_E_INTERNAL, 70)      /* internal error */              \
    X(TWX_E_NOMEM, 70)         /* out of memory */               \
    X(TWX_E_CREATE, 73)        /* cannot create */               \
    X(TWX_E_IO, 74)            /* input or output failed */      \
    X(TWX_E_FULL, 74)          /* no space left */               \
    X(TWX_E_BUSY, 75)          /* locked or busy, try later */   \
    X(TWX_E_SUPERSEDED, 75)    /* another run took over */       \
    X(TWX_E_INTERRUPTED, 130)  /* interrupted */                 \
    X(TWX_E_TERMINATED, 143)   /* terminated */
/* clang-format on */

typedef enum twx_rc {
#define TWX_RC_ENUM(name, exit_code) name,
    TWX_RC_TABLE(TWX_RC_ENUM)
#undef TWX_RC_ENUM
        TWX_RC_COUNT
} twx_rc;

int twx_rc_exit(twx_rc rc); /* exit code of the program, 0..255 */

/* The end of a function that makes something: on success the caller owns `made`, after an error
 * `release` releases it. */
#define TWX_HAND_OVER(rc, ret_made, made, release) \
    do {                                           \
        if ((rc) == TWX_OK)                        \
            *(ret_made) = (made);                  \
        else                                       \
            release;                               \
    } while (0)

/* ctx.c: the context of a call: its first error, its cancel switch, its fault hook.
 *
 * One thread at a time uses a twx_ctx. The place that detects a failure writes the message with
 * twx_fail(); later failures keep the first message. Worker threads have their own contexts and
 * pass on their error with twx_ctx_take().
 * Memory: embedded struct, zeroed before use, nothing to free. */

enum { TWX_MESSAGE_MAX = 1024 }; /* bytes of an error message with its NUL; longer ones are cut */

/* Fault hook for tests: allocation number `fail_at` (1 = next) fails, and with `forever` every one
 * after it. NULL in production. */
typedef struct twx_faults {
    atomic_uint_fast64_t count; /* allocations seen so far */
    uint64_t fail_at;           /* 0: never */
    bool forever;
} twx_faults;

typedef struct twx_ctx {
    twx_rc rc;          /* first error, TWX_OK when none */
    atomic_int *cancel; /* borrowed; non-zero: the number of the signal that requested a stop */
    twx_faults *faults; /* borrowed; NULL in production */
    struct twx_suspension *suspension; /* borrowed; NULL: Ctrl-Z is not put off */
    char message[TWX_MESSAGE_MAX];
} twx_ctx;

void twx_ctx_init(twx_ctx *cx);
/* Clears the error, keeps cancel and faults. */
void twx_ctx_clear(twx_ctx *cx);
/* Records the first error and its message and returns rc. A message does not end with a line feed.
 * Crawled text goes into it through TWX_SLICE_FMT only (base/slice.c). */
twx_rc twx_fail(twx_ctx *cx, twx_rc rc, const char *fmt, ...) TWX_PRINTF(3, 4);
/* Replaces control characters of a message in place: external text in it (a path, a URL, an SQL
 * error) must not make lines of its own. Bytes of 0x80 and above, which are usually UTF-8, stay. */
void twx_one_line(char *message);
/* Copies the first error of `from` into `cx` unless `cx` has one; returns the error of cx. */
twx_rc twx_ctx_take(twx_ctx *cx, const twx_ctx *from);
/* TWX_OK, or TWX_E_INTERRUPTED / TWX_E_TERMINATED (with message) once cancel is set. */
TWX_CHECK twx_rc twx_cancelled(twx_ctx *cx);

/* alloc (memory.c): the only place that calls malloc. Functions that take a count and a size check
 * the product for overflow. All write the message into cx on failure; cx->faults can make the nth
 * call fail (tests/fault).
 * Memory: the caller owns what they return and releases it with twx_free(). */

void *twx_malloc(twx_ctx *cx, size_t bytes);              /* NULL on failure */
void *twx_calloc(twx_ctx *cx, size_t count, size_t size); /* zeroed; NULL on failure */
/* Grows or shrinks; p may be NULL. Returns NULL on failure, and p stays valid. */
void *twx_realloc(twx_ctx *cx, void *p, size_t count, size_t size);
char *twx_strdup(twx_ctx *cx, const char *text);                /* NULL on failure */
char *twx_strndup(twx_ctx *cx, const char *text, size_t bytes); /* NUL added; NULL on failure */
char *twx_sprintf(twx_ctx *cx, const char *fmt, ...) TWX_PRINTF(2, 3); /* NULL on failure */
char *twx_vsprintf(twx_ctx *cx, const char *fmt, va_list args) TWX_PRINTF(2, 0);
void twx_free(void *p); /* NULL is fine */
/* The same for callbacks of libraries, which pass a pointer of the caller: its twx_ctx. */
void *twx_malloc_for(size_t bytes, void *cx);
void twx_free_for(void *p, void *cx);

/* For jansson, which does not report every failure but silently leaves out a member or a part of a
 * string: malloc(), which notes in errno that it fails, and whether it has failed in this thread
 * since the last question. A system call that fails in between hides it. */
void *twx_noted_malloc(size_t bytes);
bool twx_allocation_failed(void);

/* The capacity to allocate for `need` items when there is room for `have`: twice `have`, but at
 * least 16 and at least `need`. */
size_t twx_grown(size_t have, size_t need);

/* slice.c: a view of bytes that someone else owns. Crawled text is always a slice: it may hold
 * NUL, it may be invalid UTF-8, and it is never passed to strlen() or printf("%s"). */

/* Shape p[0..n), n may be 0. p == NULL means "absent" (SQL NULL), which differs from empty text.
 * Memory borrowed; the user of a slice documents how long it is valid. */
typedef struct twx_slice {
    const char *p;
    size_t n;
} twx_slice;

#define TWX_SLICE_LIT(text) ((twx_slice){(text), sizeof(text) - 1})
/* For twx_fail(): at most 200 bytes of the slice. twx_fail(cx, rc, "url '" TWX_SLICE_FMT "'",
 * TWX_SLICE_ARG(s)) */
#define TWX_SLICE_FMT    "%.*s"
#define TWX_SLICE_ARG(s) (int)((s).n < 200 ? (s).n : 200), (s).p ? (s).p : ""

/* The slice of an internal NUL-terminated string; NULL gives an absent slice. */
twx_slice twx_slice_of(const char *text);
bool twx_slice_eq(twx_slice a, twx_slice b);
int twx_slice_cmp(twx_slice a, twx_slice b);        /* by bytes, then by length; <0, 0, >0 */
bool twx_slice_eq_nocase(twx_slice a, twx_slice b); /* ASCII case only */
bool twx_slice_starts(twx_slice s, twx_slice prefix);
bool twx_slice_starts_nocase(twx_slice s, twx_slice prefix); /* ASCII case only */
twx_slice twx_slice_trim(twx_slice s); /* without ASCII white space at both ends */
twx_slice twx_slice_sub(twx_slice s, size_t from, size_t to); /* s[from..to), clipped to s */
size_t twx_slice_find(twx_slice s, char c, size_t from);      /* index, s.n when absent */
/* Removes what precedes the first `mark`, and the mark, and returns it; all of *rest if there is no
 * mark. */
twx_slice twx_slice_cut(twx_slice *rest, char mark);
/* The same for a line, whose end is '\n'. */
twx_slice twx_slice_next_line(twx_slice *lines);
/* Takes the next word off a list separated by white space; false: none is left. */
bool twx_slice_next_word(twx_slice *words, twx_slice *ret_word);
/* The same; each of `separators` ends a word, too. */
bool twx_slice_next_item(twx_slice *list, const char *separators, twx_slice *ret_item);
/* Whether it is a word of a list separated by white space, in any case. */
bool twx_slice_has_word(twx_slice words, twx_slice word);

/* Parses an optional '-' and at most 18 digits, with blanks around; false: anything else. */
bool twx_slice_integer(twx_slice s, int64_t *ret_value);
bool twx_is_number(twx_slice word); /* one or more digits */
bool twx_is_name(twx_slice word);   /* ASCII letters, digits and '_', no digit first */

/* ASCII character classes, independent of the locale. */
bool twx_is_space(unsigned char c); /* space, \t \n \v \f \r */
const char *twx_skip_space(const char *p, const char *end);
bool twx_is_alpha(unsigned char c);
bool twx_is_digit(unsigned char c);
bool twx_is_alphanumeric(unsigned char c);
bool twx_is_digit_at(twx_slice s, size_t i); /* false beyond its end */
int twx_hex_value(unsigned char c);          /* 0..15, -1 when not a hex digit */
/* The byte that "%xx" at i stands for; -1: there is no such escape. */
int twx_percent_value(twx_slice s, size_t i);
char twx_lower(char c);

/* utf8 (slice.c): decodes arbitrary bytes one code point at a time.
 * [R1] Invalid bytes decode to U+FFFD, one for each maximal prefix of a valid sequence (Unicode 15,
 * section 3.9, "substitution of maximal subparts"), as in browsers and Java. Surrogates and
 * overlong forms are invalid. */

enum { TWX_REPLACEMENT = 0xFFFD };

size_t twx_utf8_next_any(const char *p, const char *end, uint32_t *ret_cp);
/* Reads the code point at p (p < end) into *ret_cp; returns the number of bytes read, 1..4. */
static inline size_t twx_utf8_next(const char *p, const char *end, uint32_t *ret_cp) {
    const unsigned char *s = (const unsigned char *)p;
    if (s[0] < 0x80) {
        *ret_cp = s[0];
        return 1;
    }
    if (s[0] >= 0xC2 && s[0] < 0xE0 && end - p > 1 && (s[1] & 0xC0) == 0x80) {
        *ret_cp = (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
        return 2;
    }
    return twx_utf8_next_any(p, end, ret_cp);
}
/* Writes cp (<= 0x10FFFF, no surrogate) to out[0..4); returns the number of bytes written, 1..4. */
size_t twx_utf8_put(uint32_t cp, char out[4]);
bool twx_utf8_valid(twx_slice s);
/* The first place from `at` on that is not within a character. */
size_t twx_utf8_begin(twx_slice s, size_t at);
/* The beginning of s, at most so many bytes, without a part of a character at its end. */
twx_slice twx_utf8_cut(twx_slice s, size_t most);
/* Control characters, which a terminal obeys, and Unicode's bidirectional controls and line ends,
 * which change what is displayed where. */
bool twx_utf8_is_hidden(uint32_t cp);

/* buf (memory.c): bytes that grow up to a cap.
 * [R1] A buffer never holds more than its max: a call that would exceed it fails with TWX_E_LIMIT
 * and leaves the content unchanged.
 * [R2] p is always followed by a NUL that n does not count, so short internal texts can be printed.
 * Memory: embedded struct; twx_buf_init() before use, twx_buf_done() after; the struct owns the
 * bytes. */

typedef struct twx_buf {
    char *p; /* NULL until the first byte */
    size_t n;
    size_t cap;
    size_t max;
} twx_buf;

/* A buffer that is zeroed but for its maximum is initialised. */
void twx_buf_init(twx_buf *b, size_t max_bytes);
void twx_buf_done(twx_buf *b);
void twx_buf_clear(twx_buf *b); /* keeps the memory */
TWX_CHECK twx_rc twx_buf_reserve(twx_ctx *cx, twx_buf *b, size_t more);
TWX_CHECK twx_rc twx_buf_add(twx_ctx *cx, twx_buf *b, const void *p, size_t n);
TWX_CHECK twx_rc twx_buf_add_slice(twx_ctx *cx, twx_buf *b, twx_slice s);
TWX_CHECK twx_rc twx_buf_add_text(twx_ctx *cx, twx_buf *b, const char *text);
TWX_CHECK twx_rc twx_buf_add_char(twx_ctx *cx, twx_buf *b, char c);
/* In base 128, the low digits first: all bytes but the last have the high bit set. */
TWX_CHECK twx_rc twx_buf_add_number(twx_ctx *cx, twx_buf *b, uint64_t v);
/* Takes such a number from the beginning of *bytes. Returns NULL, or what is wrong with it: its end
 * is missing, it is larger than `most` (below 2^63), or it is not in its shortest form. */
const char *twx_take_number(twx_slice *bytes, uint64_t most, uint64_t *ret_v);
TWX_CHECK twx_rc twx_buf_add_hex(twx_ctx *cx, twx_buf *b, twx_slice bytes); /* upper case */
TWX_CHECK twx_rc twx_buf_printf(twx_ctx *cx, twx_buf *b, const char *fmt, ...) TWX_PRINTF(3, 4);
/* Adds what is left of an open file. Errors `unreadable`; TWX_E_CONFIG: it is longer than max. */
TWX_CHECK twx_rc twx_buf_add_file(twx_ctx *cx, twx_buf *b, const char *path, int fd,
                                  twx_rc unreadable);
twx_slice twx_buf_slice(const twx_buf *b); /* borrowed until the next change; "" when empty */

/* arena (memory.c): scratch memory that is released all at once, after each document.
 * Memory: embedded struct; the result of twx_arena_alloc() is valid until reset or done. After a
 * reset at most `keep` bytes stay allocated, so one huge document does not raise memory use for the
 * rest of the run. */

typedef struct twx_arena_block twx_arena_block;

typedef struct twx_arena {
    twx_arena_block *blocks; /* newest first */
    size_t keep;
} twx_arena;

/* A zeroed arena is one that keeps nothing. */
void twx_arena_init(twx_arena *a, size_t keep_bytes);
void twx_arena_done(twx_arena *a);
void twx_arena_reset(twx_arena *a);
/* 16-byte aligned, not zeroed; NULL on failure. */
void *twx_arena_alloc(twx_ctx *cx, twx_arena *a, size_t count, size_t size);
/* A copy of s, followed by a NUL; an absent slice stays absent. */
TWX_CHECK twx_rc twx_arena_copy(twx_ctx *cx, twx_arena *a, twx_slice s, twx_slice *ret_copy);

/* vec: a growing array of any type.
 *     TWX_VEC(uint64_t) ids = {0};
 *     if (!TWX_VEC_PUSH(cx, &ids, 7)) return TWX_E_NOMEM;
 *     TWX_VEC_DONE(&ids);
 * Memory: the struct owns the items. */

#define TWX_VEC(type) \
    struct {          \
        type *at;     \
        size_t n;     \
        size_t cap;   \
    }

/* true: the item was added; false: out of memory (message in cx), and the vector is unchanged. */
#define TWX_VEC_PUSH(cx, v, ...)                                          \
    (twx_vec_room((cx), &(v)->at, &(v)->cap, (v)->n + 1, sizeof *(v)->at) \
         ? ((v)->at[(v)->n++] = (__VA_ARGS__), true)                      \
         : false)
#define TWX_VEC_RESERVE(cx, v, count) \
    twx_vec_room((cx), &(v)->at, &(v)->cap, (count), sizeof *(v)->at)
#define TWX_VEC_DONE(v) (twx_free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

/* Moves a struct, which is zeroed afterwards, to another one of the same members. */
#define TWX_MOVE(to, from)                                              \
    do {                                                                \
        _Static_assert(sizeof(to) == sizeof(from), "the same members"); \
        memcpy(&(to), &(from), sizeof(to));                             \
        memset(&(from), 0, sizeof(from));                               \
    } while (0)

/* Insertion sort, for few numbers. */
static inline void twx_sort_few(uint64_t *at, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const uint64_t item = at[i];
        size_t j = i;
        for (; j > 0 && at[j - 1] > item; j--) at[j] = at[j - 1];
        at[j] = item;
    }
}

/* address: of the pointer `at`, whatever its type; it is copied as bytes because it is not a void
 * pointer. */
bool twx_vec_grow(twx_ctx *cx, void *address, size_t *cap, size_t need, size_t size);
static inline bool twx_vec_room(twx_ctx *cx, void *address, size_t *cap, size_t need, size_t size) {
    return need <= *cap || twx_vec_grow(cx, address, cap, need, size);
}

/* value (slice.c): a value as the database returns it. (The ids of a foreign store can have any
 * type.)
 * Memory: bytes are borrowed; the function that returns a value documents how long they stay
 * valid. */

typedef enum twx_type { TWX_NULL, TWX_INT, TWX_REAL, TWX_TEXT, TWX_BLOB } twx_type;

typedef struct twx_value {
    twx_type type;
    int64_t i;
    double r;
    twx_slice bytes; /* of text and blob */
} twx_value;

/* Hash of type and content; equal values have equal hashes on every machine. */
uint64_t twx_value_hash(const twx_value *v, uint64_t seed);
/* The order of SQLite: NULL, then numbers by value, then text, then blobs, both by bytes. <0: a
 * comes before b. An integer and a real number of one value are equal. */
int twx_value_compare(const twx_value *a, const twx_value *b);
/* As an SQL literal: 42, 1.5, 'text', x'00ff', NULL; at most 200 bytes of text or blob, in whole
 * characters and with "..." after the literal if it is cut, and U+FFFD for a NUL of a text. */
TWX_CHECK twx_rc twx_value_print(twx_ctx *cx, twx_buf *out, const twx_value *v);
twx_value twx_int(int64_t i);
twx_value twx_int_if(bool known, int64_t i); /* else NULL */
twx_value twx_text(twx_slice text);
twx_value twx_text_of(const char *text);

/* print (ctx.c): snprintf() that always writes a decimal point.
 * [R1] A program that uses the library may have set a locale with a decimal comma; files, JSON, SQL
 * and SVG need a point whatever the locale of the process is. All formatted text of the project is
 * made here.
 * Otherwise as vsnprintf() and snprintf(): returns the length without the limit of the room. */

int twx_vprint(char *room, size_t bytes, const char *fmt, va_list args)
    __attribute__((format(printf, 3, 0)));
int twx_print(char *room, size_t bytes, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* In a function with variable arguments: the message that they make, into the array `text`. */
#define TWX_PRINT_ARGUMENTS(text, fmt)            \
    do {                                          \
        va_list args;                             \
        va_start(args, fmt);                      \
        twx_vprint(text, sizeof text, fmt, args); \
        va_end(args);                             \
    } while (0)

/* plural: the word that goes with a number in messages: "1 finding", "2 findings". */

static inline const char *twx_plural(uint64_t n, const char *one, const char *many) {
    return n == 1 ? one : many;
}

/* hash64 (hash.c): fast hashes for internal keys (XXH3 of libxxhash, whose output has been fixed
 * since 0.8.0). They are stored in Twindex's own tables, so a change of algorithm bumps the
 * versions that sign/detectors.c lists. Not for keys that an attacker could forge: signatures use
 * SHA-256 and MD5. */

typedef struct twx_hash128 {
    uint64_t lo, hi;
} twx_hash128;

uint64_t twx_hash64(twx_slice s, uint64_t seed);
twx_hash128 twx_hash_wide(twx_slice s, uint64_t seed);
/* One key from two. The order matters; mix(a, b) == mix(c, d) only by chance. */
uint64_t twx_mix64(uint64_t a, uint64_t b);
/* The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): all bits of h affect each bit. */
static inline uint64_t twx_split_mix(uint64_t h) {
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 31;
}

/* Fixed byte order, for stored numbers. */
uint64_t twx_load_be64(const void *p);
void twx_store_be64(void *p, uint64_t v);
uint64_t twx_load_le64(const void *p);
void twx_store_le64(void *p, uint64_t v);
uint32_t twx_load_le32(const void *p);
void twx_store_le32(void *p, uint32_t v);

/* byte_block: classifies the bytes of a text in blocks of 64, without branches, as numbers
 * whose bit i is about byte i. With SSE2, which every x86-64 processor has, 16 bytes at a time;
 * otherwise (and with -DTWX_PORTABLE) 8 bytes at a time as one number.
 * [R1] Both ways give the same marks (tests/unit/base/test_byte_block.c).
 * Memory: none. Any thread may call these; nothing can fail. */

#if defined(__SSE2__) && !defined(TWX_PORTABLE)
#define TWX_SSE2 1
#include <emmintrin.h>
#else
#define TWX_SSE2 0
#endif

enum { TWX_BYTE_BLOCK = 64 };

/* Bit i: byte i is an ASCII letter or digit; it is not ASCII. */
typedef struct twx_byte_marks {
    uint64_t words, wide;
} twx_byte_marks;

static inline uint64_t twx_each_byte(unsigned char byte) {
    return byte * UINT64_C(0x0101010101010101);
}

/* ASCII letters and digits in lower case: letters have bit 6, and lower-case ones bit 5. */
static inline uint64_t twx_lower_bytes(uint64_t bytes) {
    return bytes | (bytes & twx_each_byte(0x40)) >> 1;
}

/* The top bit of each byte in first..last, for bytes below 0x80. */
static inline uint64_t twx_bytes_within(uint64_t bytes, unsigned char first, unsigned char last) {
    return (bytes + twx_each_byte((unsigned char)(0x80 - first))) &
           ~(bytes + twx_each_byte((unsigned char)(0x7F - last)));
}

/* The top bits of eight bytes as eight bits: the multiplication moves bit 8 i to bit 56 + i. */
static inline uint64_t twx_gather_tops(uint64_t tops) {
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline twx_byte_marks twx_mark_bytes_portable(const char *p) {
    enum { STEP = 8 };
    const uint64_t tops = twx_each_byte(0x80);
    twx_byte_marks m = {0, 0};
    for (unsigned i = 0; i < TWX_BYTE_BLOCK; i += STEP) {
        const uint64_t bytes = twx_load_le64(p + i), low = bytes & ~tops;
        const uint64_t words = twx_bytes_within(low | twx_each_byte(0x20), 'a', 'z') |
                               twx_bytes_within(low, '0', '9');
        m.words |= twx_gather_tops(words & ~bytes & tops) << i;
        m.wide |= twx_gather_tops(bytes & tops) << i;
    }
    return m;
}

/* The first byte that is not ASCII, or the end. */
static inline const char *twx_skip_ascii_portable(const char *p, const char *end) {
    for (; end - p >= 8; p += 8) {
        const uint64_t wide = twx_load_le64(p) & twx_each_byte(0x80);
        if (wide) return p + __builtin_ctzll(wide) / 8;
    }
    while (p < end && (unsigned char)*p < 0x80) p++;
    return p;
}

#if TWX_SSE2

/* The bytes in first..last; bytes beyond ASCII are negative numbers here. */
static inline __m128i twx_within16(__m128i bytes, char first, char last) {
    return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)(first - 1))),
                         _mm_cmplt_epi8(bytes, _mm_set1_epi8((char)(last + 1))));
}

static inline uint64_t twx_gather16(__m128i bytes) {
    return (uint64_t)(unsigned)_mm_movemask_epi8(bytes);
}

/* p[0..TWX_BYTE_BLOCK) is readable. */
static inline twx_byte_marks twx_mark_bytes(const char *p) {
    enum { STEP = sizeof(__m128i) };
    twx_byte_marks m = {0, 0};
    for (unsigned i = 0; i < TWX_BYTE_BLOCK; i += STEP) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        m.words |=
            twx_gather16(_mm_or_si128(twx_within16(lower, 'a', 'z'), twx_within16(bytes, '0', '9')))
            << i;
        m.wide |= twx_gather16(bytes) << i;
    }
    return m;
}

static inline const char *twx_skip_ascii(const char *p, const char *end) {
    enum { STEP = sizeof(__m128i) };
    for (; end - p >= STEP; p += STEP) {
        const uint64_t wide = twx_gather16(_mm_loadu_si128((const __m128i *)(const void *)p));
        if (wide) return p + __builtin_ctzll(wide);
    }
    return twx_skip_ascii_portable(p, end);
}

#else

static inline twx_byte_marks twx_mark_bytes(const char *p) {
    return twx_mark_bytes_portable(p);
}

static inline const char *twx_skip_ascii(const char *p, const char *end) {
    return twx_skip_ascii_portable(p, end);
}

#endif

/* sip_hash (hash.c): SipHash-2-4, for hashes that other programs compute as well (ClickHouse's
 * sipHash64() is this one with a key of zeros).
 * Source: Aumasson, Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012. */

/* key: two little-endian halves of 8 bytes. */
uint64_t twx_sip_hash(twx_slice s, uint64_t key_low, uint64_t key_high);

/* map64 (hash.c): a map from 64-bit keys to 64-bit values with open addressing, seeded so that
 * crafted keys cannot collide on purpose. Its keys can be listed only in their order, so the order
 * of insertion never affects a result.
 * Memory: embedded struct, owned table; 16 bytes a slot, at most 3/4 full. */

typedef struct twx_map64_slot {
    uint64_t key, value; /* key 0: free */
} twx_map64_slot;

typedef struct twx_map64 {
    twx_map64_slot *slots;
    size_t mask; /* slots - 1; 0 before the first put */
    size_t n;    /* keys, also key 0: callers number new keys with it */
    uint64_t seed;
    size_t bytes_most; /* of the table, which then takes no more keys; 0: no limit */
    bool has_zero;     /* key 0 marks a free slot, so its value is kept outside the table */
    uint64_t zero_value;
} twx_map64;

/* A zeroed map is one with the seed 0. */
void twx_map64_init(twx_map64 *m, uint64_t seed);
void twx_map64_done(twx_map64 *m);
/* The place of the value, which is set unless the key is present (*ret_fresh: it was not). NULL
 * without an error: the key is new and bytes_most is reached. Borrowed until the next call. Either
 * result may be NULL. The functions below are for maps without a limit. */
TWX_CHECK twx_rc twx_map64_place(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value,
                                 uint64_t **ret_at, bool *ret_fresh);
/* Inserts value unless the key is present; *ret_value is what the map holds afterwards. */
TWX_CHECK twx_rc twx_map64_add(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value,
                               uint64_t *ret_value);
/* Inserts or replaces. */
TWX_CHECK twx_rc twx_map64_put(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value);
/* false: absent, *ret_value is untouched */
bool twx_map64_get(const twx_map64 *m, uint64_t key, uint64_t *ret_value);
const uint64_t *twx_map64_at(const twx_map64 *m, uint64_t key); /* NULL: absent */
static inline bool twx_map64_has(const twx_map64 *m, uint64_t key) {
    return twx_map64_at(m, key) != NULL;
}
/* The value of the key; `otherwise` if it is absent. */
uint64_t twx_map64_value(const twx_map64 *m, uint64_t key, uint64_t otherwise);
/* All m->n slots in order of the key as a signed number, the order of a database; owned by the
 * caller, twx_free(). NULL when there are none. */
TWX_CHECK twx_rc twx_map64_list(twx_ctx *cx, const twx_map64 *m, twx_map64_slot **ret_slots);

/* read_number (numbers.c): numbers as people write them in settings. Each function reads the whole
 * text; false: it is not such a number, or too large, and *ret_number is unchanged. */

typedef bool twx_read_fn(twx_slice s, uint64_t *ret_number);

bool twx_read_count(twx_slice s, uint64_t *ret_number);
/* "0.01" -> 10 000 millionths, exactly; digits after the sixth have to be 0. */
bool twx_read_share(twx_slice s, uint64_t *ret_number);
/* "64M" -> bytes; K, M and G are powers of 1024. */
bool twx_read_size(twx_slice s, uint64_t *ret_number);
/* A number within "low..high" or "0 or low..high", all three read by `read`. */
bool twx_read_within(twx_read_fn *read, const char *range, const char *value, uint64_t *ret_number);

/* fixed_log (numbers.c): logarithm and exponential without floating point, so that every machine
 * computes the same bits. Fractions are passed as two integers, numerator and denominator.
 * [R1] Logarithms are exact to their unit, 2^-32 (2.4e-10). Any thread may call these functions;
 * they cannot fail.
 * Source: ln m = 2 artanh((m - 1) / (m + 1)), and the exponential series. */

/* ln(a / b) in units of 2^-32, rounded to the nearest; a, b >= 1. The range is -44.4 to 44.4. */
int64_t twx_fixed_ln(uint64_t a, uint64_t b);
/* 1 - exp(-a / b) in units of 2^-63; b >= 1. For a small a / b the error is 2^-61, which is 2^-61 /
 * (a / b) of the result. */
uint64_t twx_fixed_one_minus_exp(uint64_t a, uint64_t b);
/* The integer part of the square root of x. */
uint64_t twx_root(uint64_t x);

/* iso8601 (numbers.c): dates as crawlers write them.
 * [R1] "2024-05-01"; "2024-05-01T10:20:30" with "T" or a blank between date and time, an optional
 * fraction (dropped), and "Z", "+02:00", "+0200" or nothing (UTC) at the end; "20240501102030" (14
 * digits, as in old WARC files). Years 1 to 9999, existing days only. */

/* Seconds since 1970. false: not such a date, *ret_seconds is untouched. */
bool twx_iso8601_parse(twx_slice text, int64_t *ret_seconds);
/* Whether a text that twx_iso8601_parse() accepts is a day without a time. */
bool twx_iso8601_is_day(twx_slice text);
/* The seconds that a date given as a number means: seconds, milliseconds, or the 14 digits of a CDX
 * date. */
int64_t twx_seconds_of(int64_t number);

/* http_status (numbers.c): an HTTP status as programs write it: "200", "200 OK", "200.0",
 * "HTTP/1.1 200 OK", "ok". */

/* false: it is not a status, and *ret_status is unchanged. */
bool twx_http_status(twx_slice text, int64_t *ret_status);

/* nearest (slice.c): "did you mean": finds the name closest to a mistyped setting, command or
 * option.
 *     twx_nearest n = twx_nearest_of("fuzzy.quantrate");
 *     for each name: twx_nearest_try(&n, name);
 *     if (n.name) ...
 * [R1] A name is near when at most a third of the word's letters (at least one, at most three) were
 * added, dropped, replaced or swapped with their neighbour; case, '-', '_' and '.' make no
 * difference. Of equally near names the first is kept.
 * Source: the restricted edit distance (optimal string alignment), Damerau 1964.
 * Memory: embedded struct; the names are borrowed. Words are internal, NUL-terminated strings. */

typedef struct twx_nearest {
    const char *word;
    const char *name; /* the nearest so far; NULL: none is near */
    size_t distance;  /* of that name; without one, the largest accepted distance plus 1 */
} twx_nearest;

twx_nearest twx_nearest_of(const char *word);
void twx_nearest_try(twx_nearest *n, const char *name);

/* flag_table: the one table of flags, in three parts: the columns that twindex_flag
 * stores; the columns of the view document_flags that users see, made of them; and the relations
 * whose groups are in the view twindex_group_member. Queries, views, JSON, rules and
 * explanations follow from it; docs/internals.md, "How to add", says what else a flag needs.
 * The columns of the first part are those of twindex_flag in sql/schema.sql, in its order. Shown
 * flags stand in any order. */

/* clang-format off */

/* Stored. *_rep is the doc of the group's representative and *_count the
 * size of the group, both NULL for a document that is alone; *_sig is shown as the signature;
 * copy_sig is 0 in the table where it is near_sig, and *_count where twindex_group_count has it. */
#define TWX_FLAG_TABLE(X)                                                                         \
    X(eligibility) X(link_state) X(link_doc) X(http_unique) X(www_unique) X(scheme_count)         \
    X(scheme_rep) X(www_count) X(www_rep) X(exact_sig) X(exact_count) X(exact_rep) X(fuzzy_sig)   \
    X(fuzzy_count) X(fuzzy_rep) X(title_sig) X(title_count) X(title_rep) X(description_sig)       \
    X(description_count) X(description_rep) X(near_sig) X(near_count) X(near_rep)                 \
    X(near_similarity) X(duplicate_type) X(cluster_count) X(duplicate_of) X(copy_sig)             \
    X(copy_count) X(copy_rep) X(sibling_count) X(edition_sig) X(edition_count) X(edition_rep)      \
    X(edition_steps) X(edition_value) X(page_class) X(parameters_count) X(parameters_rep)

/* Shown: column of document_flags, kind (twx_flag_kind), stored column, rule, another column that
 * the rule looks at (else the same). The rule NAME is the expression flag_name in sql/part.sql,
 * which judge/judge.c follows in C (tests/sql compares the two). */
#define TWX_SHOWN_FLAG_TABLE(X)                                                                   \
    X(indexable_b, BOOL, eligibility, ZERO, eligibility)                                          \
    X(http_unique_b, BOOL, http_unique, STORED, http_unique)                                      \
    X(www_unique_b, BOOL, www_unique, STORED, www_unique)                                         \
    X(exact_signature_l, SIGNATURE, exact_sig, STORED, exact_sig)                                 \
    X(exact_signature_unique_b, BOOL, exact_rep, REPRESENTATIVE, exact_rep)                       \
    X(exact_signature_copycount_i, COUNT, exact_count, COUNT, exact_rep)                          \
    X(fuzzy_signature_l, SIGNATURE, fuzzy_sig, STORED, fuzzy_sig)                                 \
    X(fuzzy_signature_unique_b, BOOL, fuzzy_rep, REPRESENTATIVE, fuzzy_rep)                       \
    X(fuzzy_signature_copycount_i, COUNT, fuzzy_count, COUNT, fuzzy_rep)                          \
    X(title_signature_l, SIGNATURE, title_sig, STORED, title_sig)                                 \
    X(title_unique_b, BOOL, title_rep, REPRESENTATIVE, title_rep)                                 \
    X(title_copycount_i, COUNT, title_count, COUNT, title_rep)                                    \
    X(description_signature_l, SIGNATURE, description_sig, STORED, description_sig)               \
    X(description_unique_b, BOOL, description_rep, REPRESENTATIVE, description_rep)               \
    X(description_copycount_i, COUNT, description_count, COUNT, description_rep)                  \
    X(near_unique_b, BOOL, near_rep, KNOWN_REPRESENTATIVE, near_count)                            \
    X(near_copycount_i, COUNT, near_count, SIZE, near_rep)                                        \
    X(near_cluster_l, SIGNATURE, near_sig, STORED, near_sig)                                      \
    X(copy_unique_b, BOOL, copy_rep, KNOWN_REPRESENTATIVE, copy_count)                            \
    X(copy_copycount_i, COUNT, copy_count, SIZE, copy_rep)                                        \
    X(copy_cluster_l, SIGNATURE, copy_sig, STORED_OR_BESIDE, near_sig)                            \
    X(sibling_count_i, COUNT, sibling_count, SIBLINGS, near_rep)                                  \
    X(edition_unique_b, BOOL, edition_rep, REPRESENTATIVE, edition_rep)                           \
    X(edition_newest_b, BOOL, edition_steps, ZERO, edition_steps)                                 \
    X(edition_copycount_i, COUNT, edition_count, COUNT, edition_rep)                              \
    X(edition_cluster_l, SIGNATURE, edition_sig, STORED, edition_sig)                             \
    X(edition_s, EDITION, edition_value, EDITION, edition_value)                                  \
    X(parameters_unique_b, BOOL, parameters_rep, KNOWN_REPRESENTATIVE, parameters_count)          \
    X(parameters_copycount_i, COUNT, parameters_count, SIZE, parameters_rep)                      \
    X(duplicate_type, TYPE, duplicate_type, TYPE, duplicate_type)                                 \
    X(representative_b, BOOL, duplicate_of, SURVIVOR, duplicate_of)                               \
    X(duplicate_of, DOC, duplicate_of, DOC, duplicate_of)                                         \
    X(page_class_s, TYPE, page_class, CLASS, page_class)                                          \
    X(error_page_b, BOOL, page_class, NO_PAGE, page_class)

/* Groups: a relation (judge/groups.c), whose columns are NAME_rep and NAME_count, and the
 * similarity of its members as an expression over the stored columns f. */
#define TWX_GROUP_TABLE(X)                                                                        \
    X(scheme, "NULL") X(www, "NULL") X(exact, "1.0") X(fuzzy, "NULL") X(title, "NULL")            \
    X(description, "NULL") X(near, "f.near_similarity / 1000000.0") X(copy, "NULL")               \
    X(edition, "NULL") X(parameters, "NULL")

/* clang-format on */

/* flag_row: the flags of one document as judge/ computes them and store/ stores them: a row
 * of integers that may be NULL, the first part of base/base.h. *_rep and duplicate_of hold
 * doc numbers. */

typedef enum twx_flag_column {
#define TWX_FLAG_ENUM(name) TWX_FLAG_##name,
    TWX_FLAG_TABLE(TWX_FLAG_ENUM)
#undef TWX_FLAG_ENUM
        TWX_FLAG_COLUMNS
} twx_flag_column;

typedef struct twx_flag_row {
    int64_t doc;
    uint64_t known;              /* bit c set: column c is not NULL */
    int64_t v[TWX_FLAG_COLUMNS]; /* 0 where NULL, so that rows can be compared as bytes */
} twx_flag_row;

/* Of `known`, of a row that was read: it states what the table of groups could have
 * (store/flag_views.c, group_counts). Rows that differ in it alone are equal. */
#define TWX_FLAG_STATED (UINT64_C(1) << 63)
_Static_assert(TWX_FLAG_COLUMNS < 64, "twx_flag_row.known has 64 bits");

static inline bool twx_flag_known(const twx_flag_row *row, twx_flag_column c) {
    return (row->known >> c & 1u) != 0;
}

static inline void twx_flag_set(twx_flag_row *row, twx_flag_column c, int64_t v) {
    row->v[c] = v;
    row->known |= UINT64_C(1) << c;
}

/* Do the rows have the same document and the same flags? */
static inline bool twx_flag_row_eq(const twx_flag_row *a, const twx_flag_row *b) {
    if (a->doc != b->doc || (a->known ^ b->known) & ~TWX_FLAG_STATED) return false;
    for (int c = 0; c < TWX_FLAG_COLUMNS; c++)
        if (a->v[c] != b->v[c]) return false;
    return true;
}

/* damaged_row: how the messages of the code that reads stored signatures begin. It does not
 * know their file, whose name and a remedy are added at the end of a call (api/twindex.c). */

#define TWX_DAMAGED_ROW "a row of twindex_signature is damaged: "

/* trusted_file.c: whether others could have written a file that decides what the program does.
 * Settings name files to read and write and contain SQL, so those of a stranger must not be obeyed.
 * [R1] The owner of the file is the user who runs the program, or root.
 * [R2] No other user may write to it. A group may if it is the private group of the runner: their
 * primary group, of the same name and without other members (umask 002). For root no group may.
 * [R3] A file that the program has looked for must also be in a folder of which [R1] and [R2] hold,
 * because whoever writes to the folder chooses the file. For users other than root a folder with
 * the sticky bit, such as /tmp, is fine: there users cannot replace files of others. A symbolic
 * link must be owned like the file.
 * [R4] A file that the user named on the command line is their choice: it is checked for root only,
 * and only against [R1] and [R2].
 * The checks look at opened descriptors, so what is checked is what is read. */

typedef enum twx_file_origin {
    TWX_FILE_FOUND,  /* the program looked for it [R3] */
    TWX_FILE_NAMED,  /* a setting names it */
    TWX_FILE_CHOSEN, /* an option of the command line names it [R4] */
} twx_file_origin;

/* Checks the opened file. Errors TWX_E_CONFIG, which names the file, the reason and what to do. */
TWX_CHECK twx_rc twx_file_trust(twx_ctx *cx, const char *path, int fd, twx_file_origin origin);
/* Opens the file that the program has looked for, and checks it and its folder. *ret_fd -1: there
 * is none. Errors TWX_E_IO; TWX_E_CONFIG as above. */
TWX_CHECK twx_rc twx_file_open_found(twx_ctx *cx, const char *path, int *ret_fd);
/* Appends the file that a setting names: a regular file, because a pipe or a device could block or
 * never end. Errors `unreadable`; TWX_E_CONFIG: no regular file, too long, or as above. */
TWX_CHECK twx_rc twx_file_read_named(twx_ctx *cx, const char *setting, const char *path,
                                     twx_rc unreadable, twx_buf *text);

/* parallel (threads.c): tasks 0..n-1 on several threads, for work that shares nothing but its
 * input.
 * [R1] Every task is run once, unless one fails or the call is cancelled; each thread takes the
 * next task that no thread has taken. Of several errors the one of the first task is returned.
 * The caller's thread is one of them; with one thread, no other is started. */

enum { TWX_PARALLEL_MAX = 64 };

/* thread: 0..threads-1, for state of its own; cx: of this thread. */
typedef twx_rc twx_task_fn(twx_ctx *cx, void *arg, size_t thread, size_t task);
/* threads: at most TWX_PARALLEL_MAX; larger numbers are clipped. */
TWX_CHECK twx_rc twx_parallel(twx_ctx *cx, size_t threads, size_t tasks, twx_task_fn *fn,
                              void *arg);

/* suspension (threads.c): stops the process (Ctrl-Z) only while it holds no lock that keeps others
 * from writing.
 * [R1] A request during a section is carried out when the last section ends. [R2] While a section
 * only waits for its lock, the request is carried out at once. [R3] Any thread and a signal handler
 * may make the request.
 * Memory: embedded struct, zeros before use, nothing to free. */

typedef void twx_suspend_fn(void); /* stops the process, and returns when it continues */
typedef struct twx_suspension {
    atomic_int sections;
    _Atomic(twx_suspend_fn *) requested; /* NULL: no request */
} twx_suspension;

/* The request. Async-signal-safe. */
void twx_suspend(twx_suspension *s, twx_suspend_fn *stop);
/* A section begins before the lock is taken; s NULL: nothing is done. */
void twx_suspension_hold(twx_suspension *s);
/* The section still waits for its lock. */
void twx_suspension_wait(twx_suspension *s);
void twx_suspension_release(twx_suspension *s);

/* openssl_error (ctx.c): what a failed call of OpenSSL means. */

/* Sets the error of a call of OpenSSL that failed: `what` with this code, or lack of memory, which
 * OpenSSL reports like any other failure. Empties the thread's queue of OpenSSL's errors, whose
 * entries hold memory until then. Returns the code that was set. */
TWX_CHECK twx_rc twx_openssl_failed(twx_ctx *cx, twx_rc rc, const char *what);

/* excerpt (slice.c): crawled text as part of a line on a terminal.
 * [R1] Runs of white space become one blank. Control characters, which a terminal would interpret,
 * Unicode's bidirectional controls, which change the order of display, and invalid UTF-8 become
 * U+FFFD. [R2] A text with more than `most` characters is cut off there and marked with "...". */

/* Appends the beginning of a text; Errors TWX_E_NOMEM, TWX_E_LIMIT (the buffer's max) */
TWX_CHECK twx_rc twx_excerpt(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out);
/* Appends its end. */
TWX_CHECK twx_rc twx_excerpt_end(twx_ctx *cx, twx_slice text, size_t most, twx_buf *out);

/* An estimate with its interval. !known: there was no data. low == high: the value is exact. */
typedef struct twx_measure {
    bool known;
    double value, low, high;
} twx_measure;

/* number_text (numbers.c): numbers for people have their thousands separated: "93 818". Numbers
 * in JSON and CSV are written plainly. */
enum { TWX_NUMBER_BYTES = 32 };
const char *twx_number_text(uint64_t n, char separator, char room[TWX_NUMBER_BYTES]);
/* For a "%s"; it lives as long as the block around it. */
#define TWX_N(n) twx_number_text((uint64_t)(n), ' ', (char[TWX_NUMBER_BYTES]){0})

/* "87.50 %" of millionths, rounded down, so that only equal texts have 100 %; negative: "-". */
enum { TWX_PPM_BYTES = 16 };
const char *twx_ppm_text(int32_t ppm, char room[TWX_PPM_BYTES]);

/* fields: what a result consists of. The fields of a row are described once; run/out.c writes rows
 * as JSON, as a table of text and as CSV by them.
 *     #define H(...) TWX_FIELD(twx_host_figures, __VA_ARGS__)
 *     static const twx_field HOST[] = {H("host", name, "host", -24), H("hidden", hidden)};
 * Memory: descriptions are constants; rows are borrowed. */

typedef enum twx_field_kind {
    TWX_FIELD_COUNT, /* unsigned, of four or eight bytes */
    TWX_FIELD_INT,   /* int64_t */
    TWX_FIELD_KNOWN, /* int64_t; negative: not known */
    TWX_FIELD_BOOL,
    TWX_FIELD_REAL,
    TWX_FIELD_SHARE, /* a double; in JSON with six decimal places */
    TWX_FIELD_WHOLE, /* a double, rounded */
    TWX_FIELD_PPM,   /* int32_t, a percentage in text; negative: unknown */
    TWX_FIELD_RATIO, /* int32_t or uint32_t, millionths like PPM, shown as a fraction */
    TWX_FIELD_TEXT,  /* const char * */
    TWX_FIELD_CHARS, /* an array */
    TWX_FIELD_SLICE,
    TWX_FIELD_OPTIONAL, /* a slice that JSON has only if it is there */
    TWX_FIELD_VALUE,
    TWX_FIELD_MEASURE,  /* per cent in text; in JSON and CSV with NAME_low and NAME_high */
    TWX_FIELD_FRACTION, /* like MEASURE, but text shows fractions, not per cent */
    TWX_FIELD_ROWS,     /* a TWX_VEC of structs with fields of their own */
    TWX_FIELD_COUNTS,   /* an array of uint64_t: an object of those that are not 0 */
    TWX_FIELD_GET       /* what a function makes of the row; in JSON alone */
} twx_field_kind;

typedef struct twx_field {
    const char *name; /* in JSON and CSV; NULL: in text alone */
    twx_field_kind kind;
    size_t offset, bytes;       /* bytes: of the member, or of a row of its vector */
    const char *head;           /* of its column in text; NULL: it has none */
    int width;                  /* of the column; negative: its texts begin at the left */
    const struct twx_field *of; /* of ROWS, n_of fields of a row */
    size_t n_of;
    const char *(*names)(size_t i);         /* of COUNTS */
    struct json_t *(*get)(const void *row); /* of GET */
} twx_field;

#define TWX_FIELD_KIND_OF(type, member) \
    _Generic(((const type *)0)->member, \
        bool: TWX_FIELD_BOOL,           \
        int64_t: TWX_FIELD_INT,         \
        int32_t: TWX_FIELD_PPM,         \
        double: TWX_FIELD_REAL,         \
        const char *: TWX_FIELD_TEXT,   \
        char *: TWX_FIELD_TEXT,         \
        twx_slice: TWX_FIELD_SLICE,     \
        twx_value: TWX_FIELD_VALUE,     \
        twx_measure: TWX_FIELD_MEASURE, \
        uint32_t: TWX_FIELD_COUNT,      \
        uint64_t: TWX_FIELD_COUNT)
/* What may follow the member: the heading and the width of its column. */
#define TWX_FIELD(type, ...) TWX_FIELD_(type, __VA_ARGS__, NULL, 0, 0)
#define TWX_FIELD_(type, name, member, ...) \
    TWX_FIELD_AT(TWX_FIELD_KIND_OF(type, member), type, name, member, __VA_ARGS__)
#define TWX_FIELD_AS(type, kind, ...) TWX_FIELD_AT(TWX_FIELD_##kind, type, __VA_ARGS__, NULL, 0, 0)
#define TWX_FIELD_AT(kind, type, name, member, head, width, ...)                            \
    {                                                                                       \
        name, kind, offsetof(type, member), sizeof(((const type *)0)->member), head, width, \
            .of = NULL                                                                      \
    }
#define TWX_FIELD_ROWS_OF(type, name, member, fields)                                        \
    {                                                                                        \
        name, TWX_FIELD_ROWS, offsetof(type, member), sizeof(*((const type *)0)->member.at), \
            .of = (fields), .n_of = TWX_COUNTOF(fields)                                      \
    }
#define TWX_FIELD_COUNTS_OF(type, name, member, function)                                  \
    {                                                                                      \
        name, TWX_FIELD_COUNTS, offsetof(type, member), sizeof(((const type *)0)->member), \
            .names = (function)                                                            \
    }
#define TWX_FIELD_GOT(name, function) \
    { name, TWX_FIELD_GET, .get = (function) }
#define TWX_FIELDS(...) __VA_ARGS__ /* more elements than fit a line */

#endif
