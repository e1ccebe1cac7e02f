#include "url/url.h"
#include "url_words_table.h"

/* ==== edition_slot */

/* Words that name an edition, sorted: the newest release, what is not released, and releases of
 * Debian and Ubuntu with the number that orders them. */
static const struct word {
    const char *word;
    twx_edition_kind kind;
    uint16_t major, minor;
} WORDS[] = {EDITION_ROWS};
static const char *const PRERELEASES[] = {PRERELEASE_ROWS};
static const char *const RELEASES[] = {RELEASE_ROWS};
static const char *const PARAMETERS[] = {EDITION_NAME_ROWS};

/* Things that have numbers: line 12 and room 101 are no editions of line 11 and room 100. */
static const char *const THINGS[] = {THING_ROWS};

static int by_word(const void *text, const void *word) {
    const char *a = text, *b = ((const struct word *)word)->word;
    return *a == *b ? strcmp(a, b) : *a - *b;
}

static const struct word *find_word(twx_slice text) {
    char lower[TWX_EDITION_TEXT_MAX + 1] = "";
    for (size_t i = 0; i < text.n; i++) lower[i] = twx_lower(text.p[i]);
    return bsearch(lower, WORDS, TWX_COUNTOF(WORDS), sizeof *WORDS, by_word);
}

static bool is_in(twx_slice word, const char *const *list, size_t n) {
    const char first = word.n ? twx_lower(word.p[0]) : '\0';
    for (size_t i = 0; i < n; i++)
        if (list[i][0] == first && twx_slice_eq_nocase(word, twx_slice_of(list[i]))) return true;
    return false;
}

static bool is_letter(char c) {
    return twx_lower(c) >= 'a' && twx_lower(c) <= 'z';
}

static bool is_digit(char c) {
    return twx_is_digit((unsigned char)c);
}

/* The number at the beginning of *s, which is advanced. false: none, or larger than 65 534. */
static bool next_number(twx_slice *s, uint32_t *ret_number) {
    enum { DIGITS_MAX = 5, NUMBER_MAX = 65534 };
    uint32_t number = 0;
    size_t n = 0;
    while (n < s->n && n <= DIGITS_MAX && is_digit(s->p[n]))
        number = number * 10 + (uint32_t)(s->p[n++] - '0');
    if (n == 0 || n > DIGITS_MAX || number > NUMBER_MAX) return false;
    *s = twx_slice_sub(*s, n, s->n);
    *ret_number = number;
    return true;
}

/* "-rc.2", ".Final", "b1": *ret_released: it does not say that the version is unreleased. false: it
 * is something else. */
static bool read_suffix(twx_slice s, bool *ret_released) {
    size_t from = 0, to;
    *ret_released = true;
    if (s.n == 0) return true;
    if (s.p[0] == '.' || s.p[0] == '-' || s.p[0] == '_') from = 1;
    for (to = from; to < s.n && is_letter(s.p[to]);) to++;
    const twx_slice word = twx_slice_sub(s, from, to);
    for (; to < s.n; to++)
        if (!is_digit(s.p[to]) && s.p[to] != '.' && s.p[to] != '-') return false;
    *ret_released = is_in(word, RELEASES, TWX_COUNTOF(RELEASES));
    return *ret_released || is_in(word, PRERELEASES, TWX_COUNTOF(PRERELEASES));
}

static bool is_year(twx_slice s) {
    return s.n == 4 && (s.p[0] == '1' ? s.p[1] == '9' : s.p[0] == '2' && s.p[1] == '0');
}

/* "2024-03", "2024-03-31" */
static bool read_date(twx_slice s, twx_edition *ret_edition) {
    uint32_t part[3] = {0};
    size_t n = 0;
    if (s.n < 7 || s.p[4] != '-' || !is_year(twx_slice_sub(s, 0, 4))) return false;
    while (n < 3 && next_number(&s, &part[n])) {
        n++;
        if (s.n == 0) break;
        if (s.p[0] != '-') return false;
        s = twx_slice_sub(s, 1, s.n);
    }
    if (s.n || n < 2 || part[1] < 1 || part[1] > 12 || part[2] > 31) return false;
    *ret_edition = (twx_edition){.kind = TWX_EDITION_PLAIN,
                                 .order = (uint64_t)part[0] << 48 | (uint64_t)part[1] << 32 |
                                          (uint64_t)part[2] << 16};
    return true;
}

/* "2.1", "v2", "1_81_0", "4.2.x", "1.0-rc2", and as TWX_EDITION_PLAIN "15" and "2023" */
static bool read_numbers(twx_slice s, twx_edition *ret_edition) {
    enum { PARTS_MAX = 4, ANY = UINT16_MAX };
    const bool has_v = s.n > 1 && twx_lower(s.p[0]) == 'v' && is_digit(s.p[1]);
    uint64_t order = 0;
    uint32_t part;
    size_t n = 0;
    bool released = true, has_any = false;
    if (has_v) s = twx_slice_sub(s, 1, s.n);
    const twx_slice whole = s;
    while (n < PARTS_MAX && next_number(&s, &part)) {
        order |= (uint64_t)part << (48 - 16 * n++);
        if (s.n < 2 || (s.p[0] != '.' && s.p[0] != '_')) break;
        has_any = n < PARTS_MAX && s.n == 2 && twx_lower(s.p[1]) == 'x';
        if (has_any) order |= (uint64_t)ANY << (48 - 16 * n);
        if (!is_digit(s.p[1])) break;
        s = twx_slice_sub(s, 1, s.n);
    }
    if (has_any) s.n = 0;
    if (n == 0 || !read_suffix(s, &released)) return false;
    enum { V_MAX = 20 }; /* "v2" is a version, "v60" a car */
    const bool is_plain = n == 1 && !has_any && (!has_v || order >> 48 >= V_MAX);
    if (is_plain && (whole.n > 4 || (s.n > 0 && !is_letter(s.p[0]) && s.p[0] != '-'))) return false;
    *ret_edition = (twx_edition){.kind = is_plain   ? TWX_EDITION_PLAIN
                                         : released ? TWX_EDITION_VERSION
                                                    : TWX_EDITION_UNRELEASED,
                                 .order = order};
    return true;
}

bool twx_edition_of(twx_slice value, twx_edition *ret_edition) {
    if (value.n == 0 || value.n > TWX_EDITION_TEXT_MAX) return false;
    const struct word *word = is_letter(value.p[0]) ? find_word(value) : NULL;
    if (!word) return read_date(value, ret_edition) || read_numbers(value, ret_edition);
    *ret_edition = (twx_edition){.kind = word->kind,
                                 .order = word->kind == TWX_EDITION_UNRELEASED
                                              ? UINT64_MAX
                                              : (uint64_t)word->major << 48 | (uint64_t)word->minor
                                                                                  << 32};
    return true;
}

/* ---- URLs ------------------------------------------------------------------- */

/* Where the value begins in "release-1.8", "python3.11", "guide-latest": 0, the whole text; n: no
 * part of it is one. */
static size_t value_start(twx_slice s) {
    twx_edition unused;
    if (s.n > TWX_EDITION_SEGMENT_MAX) return s.n;
    if (twx_edition_of(s, &unused)) return 0;
    for (size_t i = 1; i < s.n; i++) {
        const twx_slice rest = twx_slice_sub(s, i, s.n);
        const bool after_mark = s.p[i - 1] == '-' || s.p[i - 1] == '_';
        const bool after_letter = is_letter(s.p[i - 1]) && is_digit(s.p[i]);
        if ((after_mark || after_letter) && twx_edition_of(rest, &unused) &&
            (after_mark || unused.kind == TWX_EDITION_VERSION))
            return i;
    }
    return s.n;
}

typedef struct slots {
    twx_slice normal;
    twx_edition_slot *at;
    size_t n;
} slots;

/* The value is normal[from, to); without the edition, the URL lacks normal[cut_from, cut_to). */
static void add(slots *list, size_t from, size_t to, size_t cut_from, size_t cut_to, uint64_t key) {
    twx_edition_slot slot = {
        .value = twx_slice_sub(list->normal, from, to), .key = key, .from = cut_from, .to = cut_to};
    if (list->n < TWX_EDITION_SLOTS_MAX && twx_edition_of(slot.value, &slot.edition))
        list->at[list->n++] = slot;
}

/* The first label of a host of three or more, or of one like v2.example.com. */
static void add_host(slots *list, size_t from, size_t to) {
    const twx_slice host = twx_slice_sub(list->normal, from, to);
    const size_t dot = twx_slice_find(host, '.', 0);
    twx_edition e;
    if (twx_slice_find(host, '.', dot + 1) >= host.n ||
        !twx_edition_of(twx_slice_sub(host, 0, dot), &e) || e.kind == TWX_EDITION_PLAIN)
        return;
    add(list, from, from + dot, from, from + dot + 1,
        twx_mix64(twx_hash64(twx_slice_sub(host, dot + 1, host.n), 0), 1));
}

/* Does the text end with a word for things that have numbers, and maybe a mark? */
static bool ends_with_thing(twx_slice s) {
    while (s.n && !is_letter(s.p[s.n - 1])) s.n--;
    size_t from = s.n;
    while (from > 0 && is_letter(s.p[from - 1])) from--;
    return is_in(twx_slice_sub(s, from, s.n), THINGS, TWX_COUNTOF(THINGS));
}

/* The segments of a path up to the last slash, and the last one if all of it is a version. */
static void add_path(slots *list, size_t host, size_t path, size_t end) {
    size_t from = path + 1;
    while (from < end) {
        const size_t slash = twx_slice_find(list->normal, '/', from);
        const bool is_last = slash >= end;
        const size_t to = is_last ? end : slash;
        const twx_slice segment = twx_slice_sub(list->normal, from, to);
        const size_t start = value_start(segment);
        twx_edition e = {0};
        const bool is_thing = start < segment.n &&
                              twx_edition_of(twx_slice_sub(segment, start, segment.n), &e) &&
                              e.kind == TWX_EDITION_PLAIN &&
                              ends_with_thing(twx_slice_sub(list->normal, path, from + start));
        if (start < segment.n && !is_thing &&
            (!is_last ||
             (start == 0 && twx_edition_of(segment, &e) && e.kind == TWX_EDITION_VERSION))) {
            /* versions that end a URL, as in add/2.39.5, are one place of the host */
            const twx_slice before = twx_slice_sub(list->normal, host,
                                                   is_last ? path : from + start);
            const bool mark = start && !is_letter(segment.p[start - 1]);
            add(list, from + start, to, from + start - mark, start ? to : to + !is_last,
                twx_mix64(twx_hash64(before, 0), is_last ? 4 : 2));
        }
        from = to + 1;
    }
}

static void add_query(slots *list, size_t host, size_t path, size_t query) {
    for (size_t from = query + 1; from < list->normal.n;) {
        size_t to = twx_slice_find(list->normal, '&', from);
        const size_t equals = twx_slice_find(list->normal, '=', from);
        if (equals < to &&
            is_in(twx_slice_sub(list->normal, from, equals), PARAMETERS, TWX_COUNTOF(PARAMETERS)))
            add(list, equals + 1, to, from, to,
                twx_mix64(twx_hash64(twx_slice_sub(list->normal, from, equals), 0),
                          twx_hash64(twx_slice_sub(list->normal, host, path), 3)));
        from = to + 1;
    }
}

size_t twx_url_edition_slots(twx_slice normal, twx_edition_slot ret_slots[TWX_EDITION_SLOTS_MAX]) {
    slots list = {.normal = normal, .at = ret_slots};
    const size_t colon = twx_slice_find(normal, ':', 0);
    const twx_slice scheme = twx_slice_sub(normal, 0, colon);
    size_t host = colon + strlen("://");
    if (host > normal.n || (!twx_slice_eq(scheme, TWX_SLICE_LIT("http")) &&
                            !twx_slice_eq(scheme, TWX_SLICE_LIT("https"))))
        return 0;
    if (twx_slice_starts(twx_slice_sub(normal, host, normal.n), TWX_SLICE_LIT("www.")))
        host += strlen("www.");
    const size_t query = twx_slice_find(normal, '?', host);
    size_t path = twx_slice_find(normal, '/', host);
    if (path > query) path = query;
    add_host(&list, host, path);
    add_path(&list, host, path, query);
    add_query(&list, host, path, query);
    return list.n;
}

/* ---- numbers of texts ---------------------------------------------------- */

static const char CHARACTERS[] = " abcdefghijklmnopqrstuvwxyz0123456789.-_";
enum { BASE = sizeof CHARACTERS - 1 };

int64_t twx_edition_number(const char *text) {
    enum { LONGEST = TWX_EDITION_NUMBER_TEXT - 1, HEAD = 7, LETTERS_AND_DIGITS = 36 };
    int64_t number = 0, digit[LONGEST];
    size_t n = 0;
    bool is_whole = true;
    for (; text[n]; n++) {
        const char *at = strchr(CHARACTERS + 1, twx_lower(text[n]));
        is_whole &= at && n < LONGEST;
        if (n < LONGEST) digit[n] = at ? at - CHARACTERS : BASE - 1;
    }
    if (!is_whole) {
        uint64_t hash = twx_hash64(twx_slice_of(text), 0);
        if (n > HEAD) n = HEAD;
        digit[n++] = BASE - 1;
        for (const size_t end = n + 3; n < end; hash /= LETTERS_AND_DIGITS)
            digit[n++] = 1 + (int64_t)(hash % LETTERS_AND_DIGITS);
    }
    while (n-- > 0) number = number * BASE + digit[n];
    return number;
}

void twx_edition_text(int64_t number, char ret_text[TWX_EDITION_NUMBER_TEXT]) {
    size_t n = 0;
    for (; number > 0 && n < TWX_EDITION_NUMBER_TEXT - 1; number /= BASE)
        ret_text[n++] = CHARACTERS[number % BASE];
    ret_text[n] = '\0';
}
