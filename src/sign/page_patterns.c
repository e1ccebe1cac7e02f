#include "sign/internal.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <pthread.h>

/* A file of patterns has a line for each, and lines of words that they name. In short texts, a
 * pattern is tried by its *lead*, which is its title, or its text if it asks for none, and only at
 * words with which a match of it can begin. Patterns are the user's, texts are those of strangers:
 * PCRE2 has limits, and sees little of a text. In arrays of bits, bit i is pattern i or, from
 * TWX_PAGE_PATTERNS_MAX on, a list of words. */

enum {
    MATCH_LIMIT = 1000, /* steps of a match from each place of a text */
    LEADS_TRIED = 256,  /* at the words of one text */
    FIRST_PAGES = 256,  /* for which the few are not compiled to machine code */
    DEPTH_LIMIT = 1000,
    HEAP_KIB = 1024,
    START_BYTES = 600,       /* that a pattern of a text alone sees */
    START_WORDS = 150,       /* in a text of at most so many words */
    PATTERN_BYTES = 1 << 16, /* with the words that it names */
    BEGINNING_BYTES = 3,     /* of a word, by which leads are ruled out */
    LISTS_MAX = 64,
    LISTS = TWX_PAGE_PATTERNS_MAX / 64 /* in arrays of bits: where those of lists are */
};

/* One line of a file. */
typedef struct pattern {
    uint8_t class;
    uint32_t words;           /* a text with more words is not meant */
    twx_slice system;         /* in twx_page_patterns.names */
    pcre2_code *title, *text; /* both have to match; NULL: anything does */
    bool is_titled;           /* it asks for a title */
    uint64_t needs;           /* bits of the lists of which its lead has words */
} pattern;

struct twx_page_patterns {
    /* The lists, and the leads that need none: enough for most pages, and made first, because to
     * make all takes as long as a small run: [0] for the first pages, [1] with machine code. NULL
     * in those few themselves */
    twx_page_patterns *few[2];
    bool is_few, jit;
    atomic_uint asked; /* of pages, while the few are enough */
    uint64_t fingerprint;
    twx_page_file files[TWX_PAGE_FILES_MAX];
    size_t n_files;
    pthread_mutex_t lock; /* of what follows until it is made, and read-only from then on */
    atomic_bool is_made;
    TWX_VEC(pattern) at;
    pcre2_code *lists[LISTS_MAX]; /* of words that patterns name */
    uint64_t needs[2];            /* of any pattern whose lead is a text, a title */
    /* bits of those with a lead, and of those that look further back than the byte before it */
    uint64_t with_lead[TWX_CLASS_BITS], looking_back[TWX_CLASS_BITS];
    /* bits of those with a title; that need lists */
    uint64_t titled[LISTS], needing[LISTS];
    pcre2_match_context *limits;
    twx_arena names;
};

/* The class page has no leads: an exception alone makes no page of anything else. */
static const pcre2_code *lead_of(const pattern *one) {
    return one->class == TWX_PAGE_PAGE ? NULL : one->title ? one->title : one->text;
}

/* What bit i stands for. */
static const pcre2_code *code_of(const twx_page_patterns *p, size_t i) {
    return i < TWX_PAGE_PATTERNS_MAX ? lead_of(&p->at.at[i]) : p->lists[i - TWX_PAGE_PATTERNS_MAX];
}

/* ---- reading -------------------------------------------------------------- */

/* Words of several languages, which patterns name. */
typedef struct word_list {
    twx_slice name;
    twx_buf alternatives;
} word_list;

typedef struct reader {
    twx_ctx *cx;
    const char *name;
    size_t line;
    TWX_VEC(word_list) lists;
    twx_buf regex; /* of the pattern that is read */
    bool jit;
    size_t room; /* bytes of memory that were free at the last look, less the code made since */
} reader;

static twx_rc wrong(const reader *r, const char *reason) {
    return twx_fail(r->cx, TWX_E_CONFIG, "%s:%zu: %s", r->name, r->line, reason);
}

static twx_slice next_column(twx_slice *line) {
    const size_t end = twx_slice_find(*line, '\t', 0);
    const twx_slice column = twx_slice_trim(twx_slice_sub(*line, 0, end));
    *line = twx_slice_sub(*line, end + 1, line->n);
    return column;
}

/* PCRE2 10.42 crashes when memory runs out while it compiles to machine code: that is done only
 * with room to spare, and otherwise the interpreter does the work. One look at twice the room is
 * enough for as much code as fits into the other half. */
static void compile_jit(reader *r, pcre2_code *code) {
    enum { JIT_ROOM = 8 << 20 };
    size_t bytes = 0;
    if (r->room < JIT_ROOM) {
        void *room = twx_malloc(r->cx, 2 * JIT_ROOM);
        if (!room) {
            twx_ctx_clear(r->cx);
            return;
        }
        twx_free(room);
        r->room = 2 * JIT_ROOM;
    }
    (void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    (void)pcre2_pattern_info(code, PCRE2_INFO_JITSIZE, &bytes);
    r->room -= bytes < r->room ? bytes : r->room;
}

static twx_rc compile(reader *r, twx_slice regex, bool lead, pcre2_code **ret_code) {
    PCRE2_SIZE at = 0;
    PCRE2_UCHAR reason[256];
    int error = 0;
    *ret_code = pcre2_compile((PCRE2_SPTR)regex.p, regex.n,
                              PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP |
                                  PCRE2_NO_AUTO_CAPTURE | (lead ? PCRE2_ANCHORED : 0),
                              &error, &at, NULL);
    if (!*ret_code && error == PCRE2_ERROR_HEAP_FAILED)
        return twx_fail(r->cx, TWX_E_NOMEM, "out of memory in a pattern of pages");
    if (!*ret_code) {
        pcre2_get_error_message(error, reason, sizeof reason);
        return wrong(r, (const char *)reason);
    }
    if (r->jit) compile_jit(r, *ret_code);
    return TWX_OK;
}

/* Adds "(?:regex)" after `before`. */
static twx_rc add_group(const reader *r, const char *before, twx_slice regex, twx_buf *out) {
    twx_rc rc = twx_buf_add_text(r->cx, out, before);
    if (rc == TWX_OK) rc = twx_buf_add_text(r->cx, out, "(?:");
    if (rc == TWX_OK) rc = twx_buf_add_slice(r->cx, out, regex);
    return rc == TWX_OK ? twx_buf_add_text(r->cx, out, ")") : rc;
}

static word_list *find_list(const reader *r, twx_slice name) {
    for (size_t i = 0; i < r->lists.n; i++)
        if (twx_slice_eq(r->lists.at[i].name, name)) return &r->lists.at[i];
    return NULL;
}

/* The name in "<NAME>" at regex.p[at]; empty: there is none. */
static twx_slice name_at(twx_slice regex, size_t at) {
    const size_t end = regex.p[at] == '<' ? twx_slice_find(regex, '>', at) : regex.n;
    return end < regex.n ? twx_slice_sub(regex, at + 1, end) : (twx_slice){NULL, 0};
}

/* Bits of the lists that every match has words of: each alternative names them outside of
 * parentheses, or in a lookahead without alternatives. */
static uint64_t needed_by(const reader *r, twx_slice regex) {
    uint64_t all = UINT64_MAX, own = 0, ahead = 0;
    bool is_ahead = false;
    size_t depth = 0;
    /* not followed: options, verbs, comments, and a ']' that does not end a class */
    static const char *const UNREAD[] = {"\\Q", "\\]", "[:",  "(*",  "(?#", "(?^", "(?-",
                                         "(?i", "(?m", "(?n", "(?s", "(?x", "(?J", "(?U"};
    for (size_t k = 0; k < TWX_COUNTOF(UNREAD); k++)
        if (memmem(regex.p, regex.n, UNREAD[k], strlen(UNREAD[k]))) return 0;
    for (size_t i = 0; i < regex.n; i++) {
        const twx_slice name = name_at(regex, i);
        const word_list *list = name.n ? find_list(r, name) : NULL;
        const char c = regex.p[i];
        const size_t last = list ? i + name.n + 1 : i;
        const bool is_optional = last + 1 < regex.n && strchr("?*{", regex.p[last + 1]);
        i = last;
        if (list) {
            const uint64_t bit = is_optional ? 0 : UINT64_C(1) << (list - r->lists.at);
            if (depth == 0) own |= bit;
            ahead |= bit * (depth == 1 && is_ahead);
        } else if (c == '\\') {
            i++;
        } else if (c == '[') {
            i = twx_slice_find(regex, ']', i + 2 + (i + 1 < regex.n && regex.p[i + 1] == '^'));
        } else if (c == '(' && depth++ == 0) {
            is_ahead = twx_slice_starts(twx_slice_sub(regex, i, regex.n), TWX_SLICE_LIT("(?="));
            ahead = 0;
        } else if (c == ')' && depth > 0 && --depth == 0) {
            own |= is_ahead && !is_optional ? ahead : 0;
        } else if (c == '|' && depth == 1) {
            is_ahead = false;
        } else if (c == '|' && depth == 0) {
            all &= own;
            own = 0;
        }
    }
    return all & own;
}

/* "words", a name, a language, and alternatives: lines with one name are one list. */
static twx_rc read_words_line(reader *r, twx_slice line) {
    const twx_slice name = next_column(&line), language = next_column(&line);
    word_list fresh = {name, {.max = PATTERN_BYTES}}, *list = find_list(r, name);
    line = twx_slice_trim(line);
    if (name.n == 0 || language.n == 0 || line.n == 0)
        return wrong(r, "a line of words has four columns: words, name, language, alternatives");
    if (!list) {
        if (r->lists.n == LISTS_MAX) return wrong(r, "there are more than 64 names of words");
        if (!TWX_VEC_PUSH(r->cx, &r->lists, fresh)) return TWX_E_NOMEM;
        list = &r->lists.at[r->lists.n - 1];
    }
    return add_group(r, list->alternatives.n ? "|" : "", line, &list->alternatives);
}

/* Replaces <NAME> by the words of that name; (?<NAME> is a group's. */
static twx_rc expand(reader *r, twx_slice regex) {
    static const char CAPITALS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    twx_buf_clear(&r->regex);
    twx_rc rc = TWX_OK;
    for (size_t i = 0, end; rc == TWX_OK && i < regex.n; i = end) {
        const twx_slice name = name_at(regex, i);
        const word_list *list = name.n ? find_list(r, name) : NULL;
        if (!list && name.n && strspn(name.p, CAPITALS) == name.n &&
            (i == 0 || !strchr("?Pk", regex.p[i - 1])))
            return wrong(r, "a pattern names words that no line has");
        end = list ? i + name.n + 2 : twx_slice_find(regex, '<', i + 1);
        rc = list ? add_group(r, "", twx_buf_slice(&list->alternatives), &r->regex)
                  : twx_buf_add(r->cx, &r->regex, regex.p + i, end - i);
    }
    return rc;
}

/* A regex of a line. "-": anything. */
static twx_rc read_regex(reader *r, twx_slice regex, bool lead, pcre2_code **ret_code) {
    if (regex.n == 0) return wrong(r, "a line has five columns: class, system, words, title, text");
    if (twx_slice_eq(regex, TWX_SLICE_LIT("-"))) return TWX_OK;
    if (twx_slice_starts(regex, TWX_SLICE_LIT("(*")))
        return wrong(r, "a pattern must not begin with (*");
    const twx_rc rc = expand(r, regex);
    return rc == TWX_OK ? compile(r, twx_buf_slice(&r->regex), lead, ret_code) : rc;
}

static twx_rc read_patterns(reader *r, twx_slice title, twx_slice text, bool few, pattern *one) {
    const bool is_page = one->class == TWX_PAGE_PAGE;
    one->is_titled = !twx_slice_eq(title, TWX_SLICE_LIT("-"));
    one->needs = is_page ? 0 : needed_by(r, one->is_titled ? title : text);
    if (few && (is_page || one->needs)) return TWX_OK;
    twx_rc rc = read_regex(r, title, !is_page, &one->title);
    if (few && one->is_titled) return rc;
    if (rc == TWX_OK && !one->title && one->words > START_WORDS)
        rc = wrong(r, "a pattern without a title has at most 150 words");
    if (rc == TWX_OK) rc = read_regex(r, text, !one->title && !is_page, &one->text);
    if (rc == TWX_OK && !one->title && !one->text) rc = wrong(r, "neither title nor text is asked");
    return rc;
}

/* Notes, of pattern i, how its lead is looked for. */
static void note_lead(twx_page_patterns *p, size_t i) {
    const pcre2_code *lead = code_of(p, i);
    const uint64_t bit = UINT64_C(1) << i % 64;
    uint32_t back = 0;
    if (!lead) return;
    p->with_lead[i / 64] |= bit;
    if (pcre2_pattern_info(lead, PCRE2_INFO_MAXLOOKBEHIND, &back) != 0 || back > 1)
        p->looking_back[i / 64] |= bit;
}

static twx_rc compile_lists(reader *r, twx_page_patterns *p) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < r->lists.n; i++) {
        rc = compile(r, twx_buf_slice(&r->lists.at[i].alternatives), true, &p->lists[i]);
        if (rc == TWX_OK) note_lead(p, TWX_PAGE_PATTERNS_MAX + i);
    }
    return rc;
}

static twx_rc read_line(reader *r, twx_slice line, bool words_only, twx_page_patterns *p) {
    const twx_slice class = next_column(&line);
    if (twx_slice_eq(class, TWX_SLICE_LIT("words")) != words_only) return TWX_OK;
    if (words_only) return read_words_line(r, line);
    const twx_slice system = next_column(&line), words = next_column(&line),
                    title = next_column(&line), text = line;
    pattern one = {.class = TWX_PAGE_CLASSES};
    int64_t number = 0;
    for (uint8_t c = 0; c < TWX_PAGE_CLASSES; c++)
        if (twx_slice_eq(class, twx_slice_of(TWX_PAGE_NAMES[c]))) one.class = c;
    if (one.class == TWX_PAGE_CLASSES)
        return wrong(r, "the first column is none of page error challenge login consent listing "
                        "empty; tabs separate columns");
    if (!twx_slice_integer(words, &number) || number < 0 || number > TWX_PAGE_WORDS)
        return wrong(r, "the number of words is not in 0..250");
    one.words = (uint32_t)number;
    twx_rc rc = p->at.n < TWX_PAGE_PATTERNS_MAX
                    ? read_patterns(r, title, twx_slice_trim(text), p->is_few, &one)
                    : wrong(r, "there are more than 256 patterns, those of all files counted");
    if (rc == TWX_OK) rc = twx_arena_copy(r->cx, &p->names, system, &one.system);
    if (rc == TWX_OK && !TWX_VEC_PUSH(r->cx, &p->at, one)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) {
        note_lead(p, p->at.n - 1);
        const size_t i = p->at.n - 1, k = i / 64;
        p->titled[k] |= (uint64_t)one.is_titled << i % 64;
        p->needing[k] |= (uint64_t)(one.needs != 0) << i % 64;
        p->needs[one.is_titled] |= one.needs;
        return TWX_OK;
    }
    pcre2_code_free(one.title);
    pcre2_code_free(one.text);
    return rc;
}

static twx_rc open_limits(const reader *r, pcre2_match_context **ret_limits) {
    pcre2_general_context *general = pcre2_general_context_create(twx_malloc_for, twx_free_for,
                                                                  r->cx);
    if (general) *ret_limits = pcre2_match_context_create(general);
    pcre2_general_context_free(general);
    if (!*ret_limits) return twx_fail(r->cx, TWX_E_NOMEM, "out of memory in a pattern of pages");
    pcre2_set_match_limit(*ret_limits, MATCH_LIMIT);
    pcre2_set_depth_limit(*ret_limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(*ret_limits, HEAP_KIB);
    return TWX_OK;
}

/* The next line that is neither empty nor a comment; *number: of the line before. */
static bool next_line(twx_slice *text, size_t *number, twx_slice *ret_line) {
    while (text->n > 0) {
        const size_t end = twx_slice_find(*text, '\n', 0);
        *ret_line = twx_slice_trim(twx_slice_sub(*text, 0, end));
        *text = twx_slice_sub(*text, end + 1, text->n);
        ++*number;
        if (ret_line->n > 0 && ret_line->p[0] != '#') return true;
    }
    return false;
}

static void forget(twx_page_patterns *p) {
    for (size_t i = 0; i < p->at.n; i++) {
        pcre2_code_free(p->at.at[i].title);
        pcre2_code_free(p->at.at[i].text);
    }
    p->at.n = 0;
    for (size_t i = 0; i < LISTS_MAX; i++) pcre2_code_free(p->lists[i]);
    memset(p->lists, 0, sizeof p->lists);
    memset(p->titled, 0, sizeof p->titled);
    memset(p->needing, 0, sizeof p->needing);
    memset(p->with_lead, 0, sizeof p->with_lead);
    memset(p->looking_back, 0, sizeof p->looking_back);
    pcre2_match_context_free(p->limits);
    p->limits = NULL;
}

static twx_rc read_files(twx_ctx *cx, twx_page_patterns *p) {
    reader r = {.cx = cx, .jit = p->jit, .regex = {.max = PATTERN_BYTES}};
    twx_rc rc = open_limits(&r, &p->limits);
    for (size_t k = 0; rc == TWX_OK && k < 2 * p->n_files; k++) { /* the words of all come first */
        const twx_page_file *file = &p->files[k % p->n_files];
        twx_slice text = file->text, line;
        r.name = file->name;
        r.line = 0;
        if (k == p->n_files) rc = compile_lists(&r, p);
        while (rc == TWX_OK && next_line(&text, &r.line, &line))
            rc = read_line(&r, line, k < p->n_files, p);
    }
    for (size_t i = 0; i < r.lists.n; i++) twx_buf_done(&r.lists.at[i].alternatives);
    TWX_VEC_DONE(&r.lists);
    twx_buf_done(&r.regex);
    if (rc != TWX_OK) forget(p);
    return rc;
}

twx_rc twx_page_patterns_make(twx_ctx *cx, twx_page_patterns *p) {
    if (atomic_load(&p->is_made)) return TWX_OK;
    pthread_mutex_lock(&p->lock);
    const twx_rc rc = atomic_load(&p->is_made) ? TWX_OK : read_files(cx, p);
    atomic_store(&p->is_made, rc == TWX_OK);
    pthread_mutex_unlock(&p->lock);
    return rc;
}

static twx_page_patterns *open_unmade(twx_ctx *cx, const twx_page_file *files, size_t n) {
    twx_page_patterns *p = twx_calloc(cx, 1, sizeof *p);
    if (!p) return NULL;
    p->jit = true;
    pthread_mutex_init(&p->lock, NULL);
    twx_arena_init(&p->names, 1 << 14);
    p->n_files = n;
    memcpy(p->files, files, n * sizeof *files);
    return p;
}

twx_rc twx_page_patterns_open(twx_ctx *cx, const twx_page_file *files, size_t n,
                              twx_page_patterns **ret_patterns) {
    twx_page_patterns *p = open_unmade(cx, files, n);
    for (size_t k = 0; k < 2; k++) {
        twx_page_patterns *few = p ? p->few[k] = open_unmade(cx, files, n) : NULL;
        if (!few) {
            twx_page_patterns_close(p);
            return TWX_E_NOMEM;
        }
        few->is_few = true;
        few->jit = k == 1;
    }
    p->fingerprint = TWX_PAGE_VERSION;
    for (size_t f = 0, number = 0; f < n; f++) {
        twx_slice text = files[f].text, line;
        while (next_line(&text, &number, &line)) p->fingerprint = twx_hash64(line, p->fingerprint);
    }
    *ret_patterns = p;
    return TWX_OK;
}

void twx_page_patterns_close(twx_page_patterns *p) {
    if (!p) return;
    for (size_t k = 0; k < 2; k++) twx_page_patterns_close(p->few[k]);
    forget(p);
    TWX_VEC_DONE(&p->at);
    twx_arena_done(&p->names);
    pthread_mutex_destroy(&p->lock);
    twx_free(p);
}

uint64_t twx_page_patterns_fingerprint(const twx_page_patterns *p) {
    return p ? p->fingerprint : 0;
}

/* ---- leads ---------------------------------------------------------------- */

/* Does an expression match anywhere? One that exceeds a limit does not. NULL: anything does. */
static bool matches(const twx_page_patterns *p, const pcre2_code *code, pcre2_match_data *match,
                    twx_slice s) {
    return !code || pcre2_match(code, (PCRE2_SPTR)s.p, s.n, 0, 0, match, p->limits) >= 0;
}

/* The byte before `at` and n bytes from there on. All that are not ASCII count as one before it. */
static uint32_t key_of(twx_slice s, size_t at, size_t n) {
    const unsigned char before = at == 0 ? 0 : (unsigned char)s.p[at - 1];
    uint32_t key = before < 0x80 ? before : 0x80;
    for (size_t i = 0; i < n; i++) key = key << 8 | (unsigned char)s.p[at + i];
    return key;
}

static const struct twx_page_beginning *beginning(const twx_page_patterns *p, twx_class_memo *memo,
                                                  pcre2_match_data *match, twx_slice s, size_t at,
                                                  size_t n);

/* Asks PCRE2 about the bytes of a key alone: a match of them would be partial, or whole. */
static void ask(const twx_page_patterns *p, twx_class_memo *memo, pcre2_match_data *match,
                twx_slice s, size_t at, size_t n, struct twx_page_beginning *b) {
    char bytes[1 + BEGINNING_BYTES] = {(char)(key_of(s, at, 0))};
    memcpy(bytes + 1, s.p + at, n);
    if (n > 1)
        *b = *beginning(p, memo, match, s, at, n - 1);
    else
        memcpy(b->may, p->with_lead, sizeof b->may);
    for (size_t k = 0; k < TWX_COUNTOF(b->may); k++)
        for (uint64_t left = b->may[k] & ~p->looking_back[k]; left; left &= left - 1)
            if (pcre2_match(code_of(p, k * 64 + (size_t)__builtin_ctzll(left)),
                            (PCRE2_SPTR)bytes + !at, n + (at > 0), at > 0, PCRE2_PARTIAL_HARD,
                            match, p->limits) == PCRE2_ERROR_NOMATCH)
                b->may[k] &= ~(left & -left);
    b->key = key_of(s, at, n);
    b->n = (uint32_t)n;
}

/* Bits of the patterns whose lead can begin with the n bytes at `at`, after the byte before it. A
 * thread remembers it, of fewer bytes, too, which leave few patterns to ask about. */
static const struct twx_page_beginning *beginning(const twx_page_patterns *p, twx_class_memo *memo,
                                                  pcre2_match_data *match, twx_slice s, size_t at,
                                                  size_t n) {
    const uint32_t key = key_of(s, at, n), mixed = (key ^ key >> 15 ^ (uint32_t)n << 29);
    struct twx_page_beginning *const known =
        memo->beginnings[mixed * UINT32_C(2654435761) >> (32 - TWX_PAGE_BEGINNINGS_LOG2)];
    struct twx_page_beginning fresh;
    for (size_t i = 0; i < 2; i++)
        if (known[i].key == key && known[i].n == n) return &known[i];
    ask(p, memo, match, s, at, n, &fresh);
    known[1] = known[0];
    known[0] = fresh;
    return known;
}

/* What is found of the leads of patterns, which are titles or texts, and of lists. */
typedef struct leads {
    uint64_t wanted[TWX_CLASS_BITS], found[TWX_CLASS_BITS];
} leads;

/* has: bits of the lists of which the title, or text, has words. */
static void want(const twx_page_patterns *p, bool titles, size_t n_words, uint64_t has, leads *l) {
    l->wanted[LISTS] = 0;
    for (size_t k = 0; k < LISTS; k++) {
        const uint64_t apart = has ? 0 : p->needing[k]; /* most pages have none */
        uint64_t left = p->with_lead[k] & (titles ? p->titled[k] : ~p->titled[k]) & ~apart;
        l->wanted[k] = left;
        for (; left; left &= left - 1) {
            const pattern *one = &p->at.at[k * 64 + (size_t)__builtin_ctzll(left)];
            if (n_words > one->words || one->needs & ~has) l->wanted[k] &= ~(left & -left);
        }
    }
}

/* A match of a lead begins where a word of ASCII letters or a number does, or any other character.
 */
static bool begins_word(twx_slice s, size_t at) {
    const unsigned char c = (unsigned char)s.p[at], before = at ? (unsigned char)s.p[at - 1] : 0;
    return (c & 0xc0) != 0x80 && (before < 'a' || before > 'z') &&
           !(twx_is_digit(before) && twx_is_digit(c));
}

/* Looks for what is wanted. What exceeds a limit is not found. false: too much was tried. */
static bool find_leads(const twx_page_patterns *p, twx_class_memo *memo, pcre2_match_data *match,
                       twx_slice s, leads *l) {
    size_t tried = 0, from = 0, to = TWX_CLASS_BITS;
    while (from < to && !l->wanted[from]) from++;
    while (from < to && !l->wanted[to - 1]) to--;
    for (size_t at = 0; from < to && at < s.n; at++) {
        if (!begins_word(s, at)) continue;
        const size_t bytes = s.n - at < BEGINNING_BYTES ? s.n - at : BEGINNING_BYTES;
        const uint64_t *may = beginning(p, memo, match, s, at, bytes)->may;
        for (size_t k = from; k < to; k++) {
            for (uint64_t left = may[k] & l->wanted[k]; left; left &= left - 1) {
                const pcre2_code *code = code_of(p, k * 64 + (size_t)__builtin_ctzll(left));
                const int rc = pcre2_match(code, (PCRE2_SPTR)s.p, s.n, at, 0, match, p->limits);
                if (rc >= 0) l->found[k] |= left & -left;
                if (rc != PCRE2_ERROR_NOMATCH) l->wanted[k] &= ~(left & -left);
                if (++tried == LEADS_TRIED) return false;
            }
        }
    }
    return true;
}

/* Looks for leads, and first for the words that they need. true: one that is not made has them. */
static bool find_part(const twx_page_patterns *p, twx_class_memo *memo, pcre2_match_data *match,
                      bool titles, size_t n_words, twx_slice s, leads *l) {
    leads lists = {.wanted = {[LISTS] = p->needs[titles]}};
    const bool all = find_leads(p, memo, match, s, &lists);
    const uint64_t has = all ? lists.found[LISTS] : UINT64_MAX;
    want(p, titles, n_words, has, l);
    (void)find_leads(p, memo, match, s, l);
    for (size_t i = 0; p->is_few && has && i < p->at.n; i++) {
        const pattern *one = &p->at.at[i];
        if (one->needs && one->is_titled == titles && n_words <= one->words && !(one->needs & ~has))
            return true;
    }
    return false;
}

/* *ret_more: all patterns have to be asked, instead of a few. */
static const pattern *find(const twx_page_patterns *p, twx_class_memo *memo,
                           pcre2_match_data *match, twx_slice title, twx_slice s, size_t n_words,
                           bool *ret_more) {
    const twx_slice start = twx_slice_sub(s, 0, START_BYTES);
    leads l = {0};
    uint64_t any = 0;
    if (memo->of != p) memset(memo->beginnings, 0, sizeof memo->beginnings);
    memo->of = p;
    *ret_more = find_part(p, memo, match, true, n_words, title, &l);
    if (!*ret_more && n_words <= START_WORDS)
        *ret_more = find_part(p, memo, match, false, n_words, start, &l);
    for (size_t k = 0; k < LISTS; k++) any |= l.found[k];
    if (p->is_few) {
        *ret_more |= any != 0;
        return NULL;
    }
    for (size_t i = 0; any && i < p->at.n; i++) {
        const pattern *one = &p->at.at[i];
        const bool is_lead = lead_of(one) != NULL;
        if (n_words <= one->words && (!is_lead || l.found[i / 64] >> i % 64 & 1) &&
            (is_lead || matches(p, one->title, match, title)) &&
            ((is_lead && !one->title) || matches(p, one->text, match, one->title ? s : start)))
            return one;
    }
    return NULL;
}

twx_rc twx_page_patterns_find(twx_ctx *cx, twx_page_patterns *p, twx_class_memo *memo,
                              twx_slice title, twx_slice text, size_t words,
                              twx_page_finding *ret_kind) {
    pcre2_general_context *general = pcre2_general_context_create(twx_malloc_for, twx_free_for, cx);
    pcre2_match_data *match = general ? pcre2_match_data_create(1, general) : NULL;
    pcre2_general_context_free(general);
    if (!match) return twx_fail(cx, TWX_E_NOMEM, "out of memory in a pattern of pages");
    const pattern *found = NULL;
    bool more = atomic_load(&p->is_made);
    const bool is_first = !more && atomic_fetch_add(&p->asked, 1) < FIRST_PAGES;
    twx_page_patterns *few = p->few[is_first ? 0 : 1];
    twx_rc rc = more ? TWX_OK : twx_page_patterns_make(cx, few);
    if (rc == TWX_OK && !more) (void)find(few, memo, match, title, text, words, &more);
    if (rc == TWX_OK && more) rc = twx_page_patterns_make(cx, p);
    if (rc == TWX_OK && more) found = find(p, memo, match, title, text, words, &more);
    pcre2_match_data_free(match);
    if (found) {
        ret_kind->class = found->class;
        ret_kind->system = found->system;
    }
    return rc;
}
