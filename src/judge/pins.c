/* [R1] Lines are UTF-8; empty lines, and the rest of a line from a word that begins with '#', are
 * ignored.
 * [R2] URLs are compared in normal form, with the steps and rules of the run; a prefix is
 * normalised without them. One that is longer than TWX_FACTS_URL_MAX is compared with whole URLs,
 * because documents keep no more bytes than that and a hash of all.
 * [R3] Of two `prefer` lines that a document matches the first one counts.
 * [R4] More than TWX_PINS_MAX lines with a pin are an error. A line may have any length: it names
 * documents that have any URL. */
#include "judge/internal.h"

/* ==== pins */

enum { VALUES_MAX = 400 /* of a place: more are no editions */ };

static const struct {
    const char *name;
    int arguments;
    const char *takes;
} KINDS[TWX_PIN_KINDS] = {[TWX_PIN_SEPARATE] = {"separate", 2, "two URLs"},
                          [TWX_PIN_PREFER] = {"prefer", 1, "one prefix of URLs"},
                          [TWX_PIN_KEEP] = {"keep", 1, "one URL"},
                          [TWX_PIN_EDITION] = {"edition", 1, "editions"}};

typedef struct pair {
    uint32_t a, b;
} pair;

/* A line for editions: its values are pins->values[first, first + n). */
typedef struct edition_line {
    twx_slice before; /* what precedes the value in a URL; of the first label, what follows it */
    bool is_label;
    size_t first, n;
} edition_line;

/* An edition as its line has it, and in the normal form in which URLs do. */
typedef struct edition_value {
    twx_slice word, in_url;
} edition_value;

struct twx_pins {
    char *path;
    twx_arena bytes;
    TWX_VEC(twx_pin) lines;
    TWX_VEC(bool) keeps;        /* by index of a URL */
    TWX_VEC(pair) pairs;        /* in both directions, sorted */
    TWX_VEC(uint32_t) partners; /* pairs[].b, in the same order */
    TWX_VEC(size_t) from;       /* by URL: its first partner; one more at the end */
    twx_map64 urls;             /* hash of a normal URL -> its index */
    twx_map64 prefixes;         /* hash of a prefix, or whole_key() -> its index */
    TWX_VEC(twx_slice) prefix;  /* by index */
    TWX_VEC(size_t) lengths;    /* of prefixes, without repeats */
    TWX_VEC(edition_line) editions;
    TWX_VEC(edition_value) values;
};

typedef struct parser {
    twx_ctx *cx;
    const twx_url_options *options;
    twx_pins *pins;
    size_t line;
} parser;

const char *twx_pin_kind_name(twx_pin_kind kind) {
    return (unsigned)kind < TWX_PIN_KINDS ? KINDS[kind].name : "?";
}

/* ---- parsing ------------------------------------------------------------ */

static twx_rc TWX_PRINTF(2, 3) fail_at(parser *p, const char *fmt, ...) {
    char text[TWX_MESSAGE_MAX / 2];
    TWX_PRINT_ARGUMENTS(text, fmt);
    return twx_fail(p->cx, TWX_E_CONFIG, "%s:%zu: %s", p->pins->path, p->line, text);
}

/* The normal form, owned by the pins. */
static twx_rc normalize(parser *p, const twx_url_options *options, twx_slice word,
                        twx_slice *ret_url) {
    twx_arena scratch = {0};
    twx_url url;
    twx_rc rc = twx_url_normalize(p->cx, &scratch, options, word, &url);
    if (rc == TWX_OK && url.fault != TWX_URL_OK)
        rc = fail_at(p, "'" TWX_SLICE_FMT "' is not an absolute URL: %s", TWX_SLICE_ARG(word),
                     twx_url_fault_text(url.fault));
    if (rc == TWX_OK) rc = twx_arena_copy(p->cx, &p->pins->bytes, url.whole, ret_url);
    twx_arena_done(&scratch);
    return rc;
}

static twx_rc add_url(parser *p, twx_slice word, twx_slice *ret_url, uint32_t *ret_number) {
    uint64_t number = p->pins->keeps.n;
    twx_rc rc = normalize(p, p->options, word, ret_url);
    if (rc == TWX_OK)
        rc = twx_map64_add(p->cx, &p->pins->urls, twx_hash64(*ret_url, 0), number, &number);
    if (rc == TWX_OK && number == p->pins->keeps.n && !TWX_VEC_PUSH(p->cx, &p->pins->keeps, false))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK) *ret_number = (uint32_t)number;
    return rc;
}

/* Of a line that names one URL, so that it is not mistaken for a prefix. */
static uint64_t whole_key(uint64_t url_key) {
    return twx_mix64(url_key, 1);
}

/* [R2] */
static twx_rc add_prefix(parser *p, twx_slice word, twx_slice *ret_prefix, uint32_t *ret_number) {
    twx_pins *pins = p->pins;
    uint64_t number = pins->prefix.n;
    twx_rc rc = normalize(p, NULL, word, ret_prefix);
    const bool whole = rc == TWX_OK && ret_prefix->n > TWX_FACTS_URL_MAX;
    if (whole) rc = normalize(p, p->options, word, ret_prefix);
    if (rc != TWX_OK) return rc;
    const uint64_t key = twx_hash64(*ret_prefix, 0);
    rc = twx_map64_add(p->cx, &pins->prefixes, whole ? whole_key(key) : key, number, &number);
    *ret_number = (uint32_t)number;
    if (rc != TWX_OK || number < pins->prefix.n) return rc;
    if (!TWX_VEC_PUSH(p->cx, &pins->prefix, *ret_prefix)) return TWX_E_NOMEM;
    if (whole) return TWX_OK;
    for (size_t i = 0; i < pins->lengths.n; i++)
        if (pins->lengths.at[i] == ret_prefix->n) return TWX_OK;
    return TWX_VEC_PUSH(p->cx, &pins->lengths, ret_prefix->n) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc add_pair(parser *p, const twx_pin *pin) {
    const pair there = {pin->number[0], pin->number[1]}, back = {pin->number[1], pin->number[0]};
    if (there.a == there.b) return fail_at(p, "both URLs are the same in normal form");
    return TWX_VEC_PUSH(p->cx, &p->pins->pairs, there) && TWX_VEC_PUSH(p->cx, &p->pins->pairs, back)
               ? TWX_OK
               : TWX_E_NOMEM;
}

static twx_rc add_pin(parser *p, twx_pin_kind kind, const twx_slice words[2]) {
    twx_pin pin = {.kind = kind, .line = p->line};
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < KINDS[kind].arguments; i++)
        rc = kind == TWX_PIN_PREFER ? add_prefix(p, words[i], &pin.name[i], &pin.number[i])
                                    : add_url(p, words[i], &pin.name[i], &pin.number[i]);
    if (rc == TWX_OK && kind == TWX_PIN_KEEP) p->pins->keeps.at[pin.number[0]] = true;
    if (rc == TWX_OK && kind == TWX_PIN_SEPARATE) rc = add_pair(p, &pin);
    if (rc == TWX_OK && !TWX_VEC_PUSH(p->cx, &p->pins->lines, pin)) rc = TWX_E_NOMEM;
    return rc;
}

/* The normal form of a host with what follows, or of a label and a host, without the scheme. */
static twx_rc normalize_joined(parser *p, twx_slice first, const char *mark, twx_slice last,
                               twx_slice *ret_url) {
    const twx_slice parts[] = {TWX_SLICE_LIT("https://"), first, twx_slice_of(mark), last};
    twx_buf text = {.max = 2 * TWX_PINS_BYTES_MAX};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(parts); i++)
        rc = twx_buf_add_slice(p->cx, &text, parts[i]);
    if (rc == TWX_OK) rc = normalize(p, NULL, twx_buf_slice(&text), ret_url);
    twx_buf_done(&text);
    if (rc == TWX_OK) *ret_url = twx_slice_sub(*ret_url, parts[0].n, ret_url->n);
    return rc;
}

static twx_rc add_value(parser *p, twx_slice word, edition_line *e) {
    edition_value value = {.word = word};
    bool is_plain = true;
    for (size_t i = 0; i < word.n; i++) is_plain &= (word.p[i] & 0x80) == 0 && word.p[i] != '%';
    if (++e->n > VALUES_MAX) return fail_at(p, "an edition line has at most 400 values");
    if (word.n > TWX_EDITION_TEXT_MAX)
        return fail_at(p, "'" TWX_SLICE_FMT "' has more than %d bytes", TWX_SLICE_ARG(word),
                       TWX_EDITION_TEXT_MAX);
    twx_rc rc = twx_arena_copy(p->cx, &p->pins->bytes, word, &value.word);
    value.in_url = value.word;
    if (rc == TWX_OK && !is_plain) { /* URLs have it in another form */
        const bool label = e->is_label;
        twx_slice url = {"", 0};
        rc = normalize_joined(p, label ? word : e->before, label ? "." : "",
                              label ? e->before : word, &url);
        value.in_url = twx_slice_sub(url, label ? 0 : e->before.n,
                                     label ? twx_slice_find(url, '.', 0) : url.n);
    }
    for (size_t k = e->first; rc == TWX_OK && k < p->pins->values.n; k++)
        if (twx_slice_eq_nocase(p->pins->values.at[k].in_url, value.in_url))
            rc = fail_at(p, "'" TWX_SLICE_FMT "' is given twice", TWX_SLICE_ARG(word));
    return rc == TWX_OK && !TWX_VEC_PUSH(p->cx, &p->pins->values, value) ? TWX_E_NOMEM : rc;
}

/* What precedes the value in URLs: "docs.example", "/docs/" or "/docs?version=", without the "*"
 * that ends the place. Of the place "*.", the first label, the host that follows it. */
static twx_rc add_place(parser *p, twx_slice host, twx_slice place, edition_line *e) {
    const twx_pins *pins = p->pins;
    const size_t star = twx_slice_find(place, '*', 0);
    e->is_label = twx_slice_eq(place, TWX_SLICE_LIT("*."));
    if (twx_slice_find(host, '/', 0) < host.n || twx_slice_find(host, '*', 0) < host.n ||
        (!e->is_label && (place.p[0] != '/' || star + 1 != place.n)))
        return fail_at(p,
                       "'" TWX_SLICE_FMT " " TWX_SLICE_FMT
                       "' is not a host and a place such as docs.example /docs/*",
                       TWX_SLICE_ARG(host), TWX_SLICE_ARG(place));
    twx_rc rc = normalize_joined(p, host, e->is_label ? "/" : "",
                                 twx_slice_sub(place, 0, e->is_label ? 0 : star), &e->before);
    e->before.n -= e->is_label && rc == TWX_OK;
    if (!e->is_label && twx_slice_starts(e->before, TWX_SLICE_LIT("www.")))
        e->before = twx_slice_sub(e->before, strlen("www."), e->before.n);
    for (size_t i = 0; rc == TWX_OK && i < pins->editions.n; i++)
        if (pins->editions.at[i].is_label == e->is_label &&
            twx_slice_eq(pins->editions.at[i].before, e->before))
            rc = fail_at(p, "an earlier line has this place");
    return rc;
}

static twx_rc add_edition(parser *p, twx_slice line) {
    twx_pins *pins = p->pins;
    twx_pin pin = {
        .kind = TWX_PIN_EDITION, .line = p->line, .number = {(uint32_t)pins->editions.n}};
    edition_line e = {.first = pins->values.n};
    twx_slice host, place, word;
    bool more = twx_slice_next_word(&line, &host) && twx_slice_next_word(&line, &place);
    twx_rc rc = more ? add_place(p, host, place, &e) : TWX_OK;
    while (rc == TWX_OK && more && twx_slice_next_word(&line, &word) && word.p[0] != '#')
        rc = add_value(p, word, &e);
    if (rc == TWX_OK && e.n < 2)
        rc = fail_at(p, "edition takes a host, a place, and two values or more");
    pin.name[0] = e.before;
    if (rc == TWX_OK &&
        (!TWX_VEC_PUSH(p->cx, &pins->editions, e) || !TWX_VEC_PUSH(p->cx, &pins->lines, pin)))
        rc = TWX_E_NOMEM;
    return rc;
}

static twx_rc parse_line(parser *p, twx_slice line) {
    twx_slice words[2] = {{0}};
    int kind = 0, n = 0;
    if (twx_slice_find(line, '\0', 0) < line.n) return fail_at(p, "a NUL byte");
    twx_slice verb;
    if (!twx_slice_next_word(&line, &verb) || verb.p[0] == '#') return TWX_OK;
    while (kind < TWX_PIN_KINDS && !twx_slice_eq_nocase(verb, twx_slice_of(KINDS[kind].name)))
        kind++;
    if (kind == TWX_PIN_KINDS)
        return fail_at(p, "'" TWX_SLICE_FMT "' is not one of separate, prefer, keep, edition",
                       TWX_SLICE_ARG(verb));
    if (p->pins->lines.n == TWX_PINS_MAX) return fail_at(p, "more than %d pins", TWX_PINS_MAX);
    if (kind == TWX_PIN_EDITION) return add_edition(p, line);
    for (twx_slice word; twx_slice_next_word(&line, &word) && word.p[0] != '#'; n++)
        if (n < 2) words[n] = word;
    if (n != KINDS[kind].arguments)
        return fail_at(p, "%s takes %s, not %d", KINDS[kind].name, KINDS[kind].takes, n);
    return add_pin(p, (twx_pin_kind)kind, words);
}

TWX_ORDER_2(by_pair, pair, a, b)

static twx_rc list_partners(twx_ctx *cx, twx_pins *pins) {
    if (pins->pairs.n) qsort(pins->pairs.at, pins->pairs.n, sizeof *pins->pairs.at, by_pair);
    for (size_t url = 0, i = 0; url <= pins->keeps.n; url++) {
        while (i < pins->pairs.n && pins->pairs.at[i].a < url) i++;
        if (!TWX_VEC_PUSH(cx, &pins->from, i)) return TWX_E_NOMEM;
    }
    for (size_t i = 0; i < pins->pairs.n; i++)
        if (!TWX_VEC_PUSH(cx, &pins->partners, pins->pairs.at[i].b)) return TWX_E_NOMEM;
    return TWX_OK;
}

twx_rc twx_pins_parse(twx_ctx *cx, const twx_url_options *options, const char *path, twx_slice text,
                      twx_pins **ret_pins) {
    twx_pins *pins = twx_calloc(cx, 1, sizeof *pins);
    parser p = {.cx = cx, .options = options, .pins = pins};
    if (!pins) return TWX_E_NOMEM;
    pins->path = twx_strdup(cx, path);
    twx_rc rc = pins->path ? TWX_OK : TWX_E_NOMEM;
    if (twx_slice_starts(text, TWX_SLICE_LIT("\xef\xbb\xbf")))
        text = twx_slice_sub(text, 3, text.n);
    while (rc == TWX_OK && text.n) {
        const size_t end = twx_slice_find(text, '\n', 0);
        p.line++;
        rc = parse_line(&p, twx_slice_sub(text, 0, end));
        text = twx_slice_sub(text, end + 1, text.n);
    }
    if (rc == TWX_OK) rc = list_partners(cx, pins);
    TWX_HAND_OVER(rc, ret_pins, pins, twx_pins_close(pins));
    return rc;
}

void twx_pins_close(twx_pins *pins) {
    if (!pins) return;
    twx_free(pins->path);
    twx_arena_done(&pins->bytes);
    TWX_VEC_DONE(&pins->lines);
    TWX_VEC_DONE(&pins->keeps);
    TWX_VEC_DONE(&pins->pairs);
    TWX_VEC_DONE(&pins->partners);
    TWX_VEC_DONE(&pins->from);
    TWX_VEC_DONE(&pins->prefix);
    TWX_VEC_DONE(&pins->lengths);
    twx_map64_done(&pins->urls);
    twx_map64_done(&pins->prefixes);
    TWX_VEC_DONE(&pins->editions);
    TWX_VEC_DONE(&pins->values);
    twx_free(pins);
}

/* ---- asking ------------------------------------------------------------- */

const char *twx_pins_path(const twx_pins *pins) {
    return pins->path;
}

const twx_pin *twx_pins_at(const twx_pins *pins, size_t i) {
    return i < pins->lines.n ? &pins->lines.at[i] : NULL;
}

uint64_t twx_pins_fingerprint(const twx_pins *pins) {
    uint64_t f = twx_mix64(1, pins->lines.n);
    for (size_t i = 0; i < pins->lines.n; i++) {
        f = twx_mix64(f, pins->lines.at[i].kind);
        for (int k = 0; k < KINDS[pins->lines.at[i].kind].arguments; k++)
            f = twx_mix64(f, twx_hash64(pins->lines.at[i].name[k], 0));
    }
    for (size_t i = 0; i < pins->editions.n; i++)
        f = twx_mix64(f, pins->editions.at[i].n << 1 | pins->editions.at[i].is_label);
    for (size_t i = 0; i < pins->values.n; i++)
        f = twx_mix64(f, twx_hash64(pins->values.at[i].word, 0));
    return f;
}

/* For each length at most one prefix matches the URL. */
static uint32_t preferred(const twx_pins *pins, uint64_t url_key, twx_slice url) {
    uint64_t best = pins->prefix.n, number = 0;
    (void)twx_map64_get(&pins->prefixes, whole_key(url_key), &best);
    for (size_t i = 0; i < pins->lengths.n; i++) {
        const twx_slice head = twx_slice_sub(url, 0, pins->lengths.at[i]);
        if (head.n == pins->lengths.at[i] &&
            twx_map64_get(&pins->prefixes, twx_hash64(head, 0), &number) &&
            twx_slice_eq(head, pins->prefix.at[number]) && number < best)
            best = number;
    }
    return best < pins->prefix.n ? (uint32_t)best + 1 : 0;
}

twx_pin_match twx_pins_match(const twx_pins *pins, uint64_t url_key, twx_slice url) {
    uint64_t number = 0;
    twx_pin_match match = {0};
    if (url.n == 0) return match;
    if (twx_map64_get(&pins->urls, url_key, &number)) match.url = (uint32_t)number + 1;
    match.preferred = preferred(pins, url_key, url);
    return match;
}

/* Where the value is in s, a URL without scheme and www., and what the URL lacks without it. */
static bool find_value(const edition_line *e, twx_slice s, twx_edition_slot *ret_slot) {
    size_t from = 0, to = twx_slice_find(s, '.', 0), end = to + 1;
    if (e->is_label) {
        const twx_slice rest = twx_slice_sub(s, end, s.n);
        if (!twx_slice_starts(rest, e->before) ||
            (rest.n > e->before.n && rest.p[e->before.n] != '/'))
            return false;
    } else {
        if (!twx_slice_starts(s, e->before)) return false;
        const char last = e->before.p[e->before.n - 1];
        for (from = to = e->before.n; to < s.n && !strchr("/?&", s.p[to]);) to++;
        end = to + (last == '/' && to < s.n && s.p[to] == '/');
        ret_slot->from = last == '='           ? twx_slice_find(e->before, '?', 0) + 1
                         : strchr("-_.", last) ? from - 1
                                               : from;
    }
    ret_slot->to = end;
    ret_slot->value = twx_slice_sub(s, from, to);
    return true;
}

bool twx_pins_edition(const twx_pins *pins, twx_slice url, twx_edition_slot *ret_slot,
                      uint32_t *ret_number) {
    size_t host = twx_slice_find(url, ':', 0) + strlen("://");
    if (twx_slice_starts(twx_slice_sub(url, host, url.n), TWX_SLICE_LIT("www.")))
        host += strlen("www.");
    for (size_t i = 0; i < pins->editions.n; i++) {
        const edition_line *e = &pins->editions.at[i];
        *ret_slot = (twx_edition_slot){.is_pinned = true};
        if (!find_value(e, twx_slice_sub(url, host, url.n), ret_slot)) continue;
        for (size_t k = 0; k < e->n; k++) {
            const edition_value *v = &pins->values.at[e->first + k];
            if (!twx_slice_eq_nocase(v->in_url, ret_slot->value)) continue;
            ret_slot->value = v->word;
            ret_slot->edition = (twx_edition){.kind = TWX_EDITION_VERSION, .order = k + 1};
            ret_slot->key = twx_mix64(twx_hash64(e->before, e->is_label), 5);
            ret_slot->from += host;
            ret_slot->to += host;
            *ret_number = (uint32_t)i;
            return true;
        }
    }
    return false;
}

size_t twx_pins_urls(const twx_pins *pins) {
    return pins->keeps.n;
}

bool twx_pins_keeps(const twx_pins *pins, uint32_t url) {
    return url < pins->keeps.n && pins->keeps.at[url];
}

const uint32_t *twx_pins_partners(const twx_pins *pins, uint32_t url, size_t *ret_n) {
    *ret_n = pins->from.at[url + 1] - pins->from.at[url];
    return pins->partners.at + pins->from.at[url];
}

/* ==== pinned */

/* The members that relations join are joined again, one by one, best first. A union is refused when
 * a pin forbids it: when it would contain two separated documents, or a kept document that is not
 * its best. A refused member tries the next part of its group, or starts a new one.
 * [R1] No set contains a separated pair, through whatever chain of relations.
 * [R2] A kept document is its own representative in every group and cluster.
 * [R3] The groups of the relations that the verdict joins are divided like the clusters, so the
 * best document of a cluster is the best of each of its groups.
 * [R4] Only the documents, their keys and the pins matter: relations are processed in their order,
 * documents by rank. Of several documents with a kept URL, the best one is kept.
 * Cost: linear in the documents; sets with pinned documents are compared pin by pin. */

typedef struct joiner {
    const twx_pinning *pinning;
    const uint32_t *pinned; /* by document: 1 + index of its URL in the pins; 0: no pin */
    twx_union_find sets;
    uint32_t *by_rank; /* indexes, best first */
    uint32_t *best;    /* by root: the best document of the set */
    /* The pinned documents of each set are a list: `first` and `last` by root, `next` by document.
     * TWX_NO_DOCUMENT ends it. */
    uint32_t *first, *last, *next;
    /* The parts of each group are a list of their best documents: `head` by the group's
     * representative, `next_head` by document. */
    uint32_t *head, *next_head;
    uint32_t *kept;  /* by URL: its best document that takes part, if the URL is kept */
    uint32_t *stamp; /* by URL: the last set found to contain it */
    uint32_t stamps;
} joiner;

static void set_up(joiner *j) {
    const twx_grouping *how = j->pinning->how;
    const size_t n = how->p->at.n;
    for (uint32_t i = 0; i < n; i++) {
        j->by_rank[how->rank[i]] = i;
        j->best[i] = i;
        j->first[i] = j->last[i] = j->pinned[i] ? i : TWX_NO_DOCUMENT;
        j->next[i] = TWX_NO_DOCUMENT;
    }
    for (size_t r = n; r-- > 0;) { /* the best one is written last and stays */
        const uint32_t i = j->by_rank[r];
        if (j->pinned[i] && how->eligibility[i] == TWX_ELIGIBLE &&
            twx_pins_keeps(j->pinning->pins, j->pinned[i] - 1))
            j->kept[j->pinned[i] - 1] = i;
    }
}

static twx_rc init(twx_ctx *cx, joiner *j) {
    const size_t n = j->pinning->how->p->at.n, urls = twx_pins_urls(j->pinning->pins);
    uint32_t **const by_index[] = {&j->by_rank, &j->best, &j->first,    &j->last,
                                   &j->next,    &j->head, &j->next_head};
    twx_rc rc = twx_union_find_init(cx, &j->sets, n);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(by_index); i++)
        if (!(*by_index[i] = twx_malloc(cx, (n + 1) * sizeof(uint32_t)))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) j->kept = twx_malloc(cx, (urls + 1) * sizeof *j->kept);
    if (rc == TWX_OK) j->stamp = twx_calloc(cx, urls + 1, sizeof *j->stamp);
    if (rc == TWX_OK && (!j->kept || !j->stamp)) rc = TWX_E_NOMEM;
    for (size_t u = 0; rc == TWX_OK && u < urls; u++) j->kept[u] = TWX_NO_DOCUMENT;
    if (rc == TWX_OK) set_up(j);
    return rc;
}

/* Whether the pins separate some document of one set from some document of the other. */
static bool are_separated(joiner *j, uint32_t a, uint32_t b) {
    if (j->first[a] == TWX_NO_DOCUMENT || j->first[b] == TWX_NO_DOCUMENT) return false;
    j->stamps++;
    for (uint32_t i = j->first[b]; i != TWX_NO_DOCUMENT; i = j->next[i])
        j->stamp[j->pinned[i] - 1] = j->stamps;
    for (uint32_t i = j->first[a]; i != TWX_NO_DOCUMENT; i = j->next[i]) {
        size_t n = 0;
        const uint32_t *partner = twx_pins_partners(j->pinning->pins, j->pinned[i] - 1, &n);
        for (size_t k = 0; k < n; k++)
            if (j->stamp[partner[k]] == j->stamps) return true;
    }
    return false;
}

/* Joins the sets of two documents if the pins allow it. */
static bool join(joiner *j, uint32_t x, uint32_t y) {
    uint32_t a = twx_union_find_root(&j->sets, x), b = twx_union_find_root(&j->sets, y);
    const uint32_t *rank = j->pinning->how->rank;
    if (a == b) return true;
    /* the smaller root stays */
    if (b < a) {
        const uint32_t swap = a;
        a = b;
        b = swap;
    }
    const bool a_wins = rank[j->best[a]] < rank[j->best[b]];
    const uint32_t loser = j->best[a_wins ? b : a], pinned = j->pinned[loser];
    if ((pinned && j->kept[pinned - 1] == loser) || are_separated(j, a, b)) return false;
    twx_union_find_join(&j->sets, a, b);
    if (!a_wins) j->best[a] = j->best[b];
    if (j->first[a] == TWX_NO_DOCUMENT)
        j->first[a] = j->first[b];
    else
        j->next[j->last[a]] = j->first[b];
    if (j->last[b] != TWX_NO_DOCUMENT) j->last[a] = j->last[b];
    return true;
}

static void join_part(joiner *j, const twx_groups *part) {
    const size_t n = j->sets.n;
    for (size_t i = 0; i < n; i++) j->head[i] = j->next_head[i] = TWX_NO_DOCUMENT;
    for (size_t r = 0; r < n; r++) {
        const uint32_t i = j->by_rank[r];
        const uint32_t rep = twx_groups_rep(part, i);
        if (rep == TWX_NO_DOCUMENT) continue;
        uint32_t *at = &j->head[rep];
        while (*at != TWX_NO_DOCUMENT && !join(j, *at, i)) at = &j->next_head[*at];
        if (*at == TWX_NO_DOCUMENT) *at = i;
    }
}

twx_rc twx_pinned_join(twx_ctx *cx, const twx_pinning *pinning, const twx_groups *const *parts,
                       size_t n, twx_groups *ret_groups) {
    joiner j = {.pinning = pinning, .pinned = pinning->how->p->pinned};
    twx_rc rc = init(cx, &j);
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        join_part(&j, parts[k]);
        rc = twx_cancelled(cx);
    }
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, pinning->how, &j.sets, ret_groups);
    uint32_t *const arrays[] = {j.by_rank, j.best,      j.first, j.last, j.next,
                                j.head,    j.next_head, j.kept,  j.stamp};
    for (size_t i = 0; i < TWX_COUNTOF(arrays); i++) twx_free(arrays[i]);
    twx_union_find_done(&j.sets);
    return rc;
}

twx_rc twx_pinned_divide(twx_ctx *cx, const twx_pinning *pinning, const twx_groups *groups,
                         const twx_groups *clusters, twx_groups *ret_groups) {
    twx_union_find sets = {0};
    twx_map64 first = {0}; /* group and cluster -> the first document that is in both */
    twx_rc rc = twx_union_find_init(cx, &sets, pinning->how->p->at.n);
    for (uint32_t i = 0; rc == TWX_OK && i < sets.n; i++) {
        const uint32_t rep = twx_groups_rep(groups, i), survivor = twx_groups_rep(clusters, i),
                       cluster = survivor == TWX_NO_DOCUMENT ? i : survivor;
        uint64_t holder = i;
        if (rep == TWX_NO_DOCUMENT) continue;
        rc = twx_map64_add(cx, &first, (uint64_t)rep << 32 | cluster, i, &holder);
        if (rc == TWX_OK) twx_union_find_join(&sets, (uint32_t)holder, i);
    }
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, pinning->how, &sets, ret_groups);
    twx_union_find_done(&sets);
    twx_map64_done(&first);
    return rc;
}
