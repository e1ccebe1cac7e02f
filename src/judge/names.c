/* The name of a document is in the payloads of sign/name_words.c. It demands
 *   every word of its title, except the site's own part: words in the titles of most documents of
 *   its host;
 *   every word of its level-1 headings, except those that most documents of its host have;
 *   the first words that its text repeats, except words that many documents of its host repeat;
 *   its codes, the first of its numbers, and its quantities;
 *   where its title is uninformative, because documents with other URLs share it: the words at the
 *   end of its URL and its short lines, those nearest to the body, except those common on its host.
 * It offers the words of its title, headings and URL, and those that its text repeats or
 * emphasises. A word that may have been left out of a full list of repeated words or codes does not
 * count as missing.
 * [R1] Representative S contains A when S offers all that A demands, and the words of A's title
 * that are in S's title occur there in the same order.
 * [R2] Common words are learned from the documents that take part, so they do not depend on the
 * history of the store.
 * [R3] A text contains itself, however many names its documents have, unless rules.own.
 * [R4] A word of a title must be in the title, the headings or the URL of a representative that has
 * a title: the page "END" repeats the word COMMIT, and is not the page "COMMIT". The same holds for
 * a word of a heading if the representative has heading words that its title lacks.
 * [R5] With rules.own, the words that the titles of a domain have in common at one of their ends
 * ("... | Visit Skerry"), and those of an uninformative title that has the other's first or last
 * word, are demanded of documents of the domain only, except by short texts.
 * Words of a title that name the form of the page (print, mobile) need not be offered when the
 * titles are equal otherwise, nor, with equal titles, repeated words that mirrors and sessions add.
 */
#include "judge/internal.h"
#include "shown_forms_table.h"

/* ==== names_parts */

/* The words of a title that do not name its page: those for the form in which it is shown, and the
 * site's own ("... | Visit Skerry"). */

static const char *const FORMS[] = {SHOWN_FORMS_ROWS};
_Static_assert(TWX_COUNTOF(FORMS) == TWX_NAME_FORMS, "their number");
static const char *const FRAMES[TWX_NAME_FRAMES] = {"archived", "cached", "copied",    "generated",
                                                    "mirror",   "proxy",  "retrieved", "session"};

TWX_ORDER_0(by_word, uint32_t)

static void names_init_forms(twx_names *names) {
    for (size_t i = 0; i < TWX_NAME_FORMS; i++)
        names->forms[i] = twx_name_word(twx_slice_of(FORMS[i]));
    qsort(names->forms, TWX_NAME_FORMS, sizeof *names->forms, by_word);
    for (size_t i = 0; i < TWX_NAME_FRAMES; i++)
        names->frames[i] = twx_name_word(twx_slice_of(FRAMES[i]));
}

static bool is_among(const uint32_t *words, size_t n, twx_name_part part, uint32_t word) {
    for (size_t i = 0; i < n; i++)
        if (twx_name_word_in(part, words[i]) == word) return true;
    return false;
}

static bool names_is_form(const twx_names *names, twx_name_part part, uint32_t word) {
    if (part == TWX_NAME_TITLE)
        return bsearch(&word, names->forms, TWX_NAME_FORMS, sizeof word, by_word);
    return part == TWX_NAME_REPEATED && is_among(names->forms, TWX_NAME_FORMS, part, word);
}

/* Do the titles differ only in words for the form in which a page is shown? "Storm (print)" equals
 * "Storm", but "print()" differs from "format()". */
static bool names_is_form_of(const twx_names *names, const twx_name_words *own,
                             const twx_name_words *other) {
    size_t at = 0;
    for (size_t i = 0; i < own->n[TWX_NAME_TITLE]; i++) {
        if (at < other->n[TWX_NAME_TITLE] && own->title[i] == other->title[at])
            at++;
        else if (!names_is_form(names, TWX_NAME_TITLE, own->title[i]))
            return false;
    }
    return at == other->n[TWX_NAME_TITLE] && at > 0;
}

/* ---- the site's own part ------------------------------------------------------- */

uint64_t twx_names_run_key(uint64_t site, uint32_t kind, const uint32_t *words, size_t n) {
    return twx_mix64(twx_names_hash(twx_mix64(site, kind), words, n), n);
}

twx_title_parts twx_names_plain_title(const twx_names *names, const twx_name_words *w) {
    size_t from = 0, to = (size_t)w->n[TWX_NAME_TITLE] - w->versions;
    while (to > 0 && names_is_form(names, TWX_NAME_TITLE, w->title[to - 1])) to--;
    while (from < to && names_is_form(names, TWX_NAME_TITLE, w->title[from])) from++;
    return (twx_title_parts){from, from, to, to};
}

/* The same with the site's own part, after twx_names_learn(). */
static twx_title_parts names_title_parts(const twx_names *names, uint64_t site,
                                         const twx_name_words *w) {
    twx_title_parts parts = twx_names_plain_title(names, w);
    const size_t words = parts.end - parts.begin;
    for (size_t n = TWX_NAME_RUN_MAX; n > 0; n--) {
        const uint32_t *first = w->title + parts.begin, *last = w->title + parts.end;
        if (words <= n) continue;
        if (parts.to == parts.end &&
            twx_map64_has(&names->own_parts,
                          twx_names_run_key(site, TWX_NAME_KEY_ENDS, last - n, n)))
            parts.to -= n;
        if (parts.from == parts.begin &&
            twx_map64_has(&names->own_parts,
                          twx_names_run_key(site, TWX_NAME_KEY_BEGINS, first, n)))
            parts.from += n;
    }
    return parts.from < parts.to
               ? parts
               : (twx_title_parts){parts.begin, parts.begin, parts.end, parts.end};
}

/* ==== names */

static bool title_is_of_site(const twx_title_parts *parts, size_t i) {
    return (i >= parts->begin && i < parts->from) || (i >= parts->to && i < parts->end);
}

/* The hash of a payload without `shown`, which no other document can contain. */
static uint64_t names_hash_of(twx_slice payload) {
    unsigned char packed[TWX_NAME_BYTES];
    twx_name_words w = {0};
    twx_name_unpack(payload, &w);
    w.shown = 0;
    const twx_slice name = {(const char *)packed, twx_name_pack(&w, packed)};
    return twx_hash64(name, TWX_NAME_KEY_NAME);
}

enum {
    NAMES_OF_NODE = 8, /* maximum distinct names of one text */
    /* Of the words that are kept of a text, only the first are demanded: in a copy a few of them
     * may be in another order, and the last words of one list may be missing from the other. */
    DEMANDED_PROPER = TWX_NAME_PROPER_MAX - 1,
    DEMANDED_OTHER = TWX_NAME_REPEATED_MAX - TWX_NAME_PROPER_MAX,
    DEMANDED_LEAD = 8,
    DEMANDED_NUMBERS = TWX_NAME_NUMBERS_MAX - 2
};

twx_rc twx_names_init(twx_ctx *cx, twx_names *names, size_t memory) {
    names_init_forms(names);
    const twx_rc rc = twx_pieces_init(cx, &names->payloads, memory / 2);
    return rc == TWX_OK ? twx_pieces_init(cx, &names->repeated, memory / 2) : rc;
}

void twx_names_done(twx_names *names) {
    if (!names) return;
    twx_pieces_done(&names->payloads);
    twx_pieces_done(&names->repeated);
    twx_map64_done(&names->common);
    twx_map64_done(&names->constant);
    twx_map64_done(&names->own_parts);
    twx_map64_done(&names->trees);
    twx_map64_done(&names->shown);
    twx_map64_done(&names->shown_learned);
    twx_free(names->formless);
    twx_free(names->marks);
    twx_free(names->docs_from);
    twx_free(names->docs);
    *names = (twx_names){0};
}

twx_rc twx_names_error(twx_ctx *cx, const twx_names *names) {
    const twx_rc rc = twx_pieces_error(cx, &names->payloads);
    return rc == TWX_OK ? twx_pieces_error(cx, &names->repeated) : rc;
}

/* ---- loading ------------------------------------------------------------ */

twx_rc twx_names_add_text(twx_ctx *cx, twx_names *names, twx_slice repeated) {
    return twx_pieces_add(cx, &names->repeated, repeated);
}

/* Copies have the same title and the same most frequent words or headings. Their keys are made of
 * both, so that a title shared by thousands of documents does not fill a list. */
size_t twx_names_keys(const twx_name_words *name, const twx_name_words *text,
                      uint64_t ret_keys[TWX_NAME_KEYS_MAX]) {
    const uint64_t title = twx_names_title_key(name);
    size_t n = 0;
    for (; n < text->n[TWX_NAME_REPEATED] && n < TWX_NAME_KEYS_MAX - 1; n++)
        ret_keys[n] = twx_mix64(title, text->repeated[n]);
    if (n == 0) ret_keys[n++] = title;
    if (name->n[TWX_NAME_HEADING])
        ret_keys[n++] = twx_names_hash(title, name->heading, name->n[TWX_NAME_HEADING]);
    return n;
}

twx_rc twx_names_add(twx_ctx *cx, twx_names *names, uint32_t node, twx_slice name,
                     uint64_t ret_keys[TWX_NAME_KEYS_MAX], size_t *ret_n) {
    const twx_rc rc = twx_pieces_add(cx, &names->payloads, name);
    *ret_n = 0;
    if (rc != TWX_OK || !name.p || node == TWX_NO_DOCUMENT) return rc;
    twx_name_words w = {0}, text = {0};
    twx_name_unpack(name, &w);
    twx_names_read_repeated(names, node, &text);
    *ret_n = twx_names_keys(&w, &text, ret_keys);
    return TWX_OK;
}

/* ---- asking ------------------------------------------------------------- */

static bool is_common(const twx_names *names, uint64_t host, uint64_t kind, uint32_t word) {
    return twx_map64_has(&names->common, twx_names_word_key(host, kind, word)) ||
           (kind == TWX_NAME_KEY_REPEATED &&
            twx_map64_has(&names->common,
                          twx_names_word_key(host, TWX_NAME_KEY_REPEATED_SHORT, word)));
}

static bool is_label_char(unsigned char c) {
    return twx_is_alpha(c) || twx_is_digit(c) || c >= 0x80;
}

/* Is the word a part of the host's name? */
static bool names_host(const twx_host *host, twx_name_part part, uint32_t word) {
    for (size_t from = 0, to; from < host->name.n; from = to + 1) {
        for (to = from; to < host->name.n && is_label_char((unsigned char)host->name.p[to]);) to++;
        if (twx_name_word_in(part, twx_name_word(twx_slice_sub(host->name, from, to))) == word)
            return true;
    }
    return false;
}

/* Adds a demand unless the word is common on the host, ignored, or demanded already. */
static void demand(const twx_names *names, uint32_t host, uint64_t kind, twx_demand wanted,
                   twx_demands *d) {
    const twx_name_part part = (twx_name_part)wanted.part;
    for (size_t i = 0; i < names->rules.n_ignored; i++)
        if (twx_name_word_in(part, names->rules.ignored[i]) == wanted.word) return;
    wanted.is_common = is_common(names, twx_names_host(d->p, host), kind, wanted.word);
    if (wanted.is_common &&
        (!names->rules.own || names_host(&d->p->hosts.at[host], part, wanted.word)))
        return;
    for (size_t i = 0; i < d->n; i++)
        if (d->at[i].word == wanted.word && d->at[i].part == wanted.part) return;
    if (d->n == TWX_DEMANDS_MAX)
        d->unlimited = true;
    else
        d->at[d->n++] = wanted;
}

/* Demands the first words of a part, at most `most`. */
static void demand_first(const twx_names *names, uint32_t host, uint64_t kind,
                         const twx_name_words *w, twx_name_part part, size_t most, twx_demands *d) {
    for (size_t i = 0; i < w->n[part] && i < most; i++)
        demand(names, host, kind,
               (twx_demand){.word = twx_name_words_of(w, part)[i], .part = (uint8_t)part}, d);
}

static void demand_name(const twx_names *names, uint32_t host, const twx_name_words *w,
                        twx_demands *d) {
    const uint64_t site = twx_names_site(names, d->p, host);
    const size_t plain = (size_t)w->n[TWX_NAME_TITLE] - w->versions;
    const twx_title_parts parts = names_title_parts(names, site, w);
    for (size_t i = 0; i < w->n[TWX_NAME_TITLE]; i++)
        demand(names, host, TWX_NAME_KEY_WORD,
               (twx_demand){.word = w->title[i],
                            .part = TWX_NAME_TITLE,
                            .is_version = i >= plain,
                            .is_of_site = title_is_of_site(&parts, i)},
               d);
    demand_first(names, host, TWX_NAME_KEY_WORD, w, TWX_NAME_HEADING, SIZE_MAX, d);
    d->constant_title |= twx_map64_has(&names->constant,
                                       twx_mix64(site, twx_names_shared_key(names, w)));
    if (d->constant_title)
        demand_first(names, host, TWX_NAME_KEY_URL, w, TWX_NAME_URL, SIZE_MAX, d);
}

static void demand_repeated(const twx_names *names, uint32_t host, const twx_name_words *w,
                            size_t from, size_t to, twx_demands *d) {
    const uint64_t kind = w->n[TWX_NAME_REPEATED] < TWX_NAME_REPEATED_MAX
                              ? TWX_NAME_KEY_REPEATED_SHORT
                              : TWX_NAME_KEY_REPEATED;
    for (size_t i = from; i < to; i++)
        demand(names, host, kind,
               (twx_demand){.word = w->repeated[i],
                            .part = TWX_NAME_REPEATED,
                            .weight = w->weight[i],
                            .is_proper = i < w->proper},
               d);
}

static void demand_text(const twx_names *names, uint32_t host, const twx_name_words *w,
                        twx_demands *d) {
    const size_t proper = w->proper, others = w->n[TWX_NAME_REPEATED] - proper;
    demand_repeated(names, host, w, 0, proper < DEMANDED_PROPER ? proper : DEMANDED_PROPER, d);
    demand_repeated(names, host, w, proper,
                    proper + (others < DEMANDED_OTHER ? others : DEMANDED_OTHER), d);
    demand_first(names, host, TWX_NAME_KEY_LEAD, w, TWX_NAME_NUMBER, DEMANDED_NUMBERS, d);
    if (w->has_quantity)
        demand(names, host, TWX_NAME_KEY_LEAD,
               (twx_demand){.word = w->number[w->n[TWX_NAME_NUMBER] - 1], .part = TWX_NAME_NUMBER},
               d);
    demand_first(names, host, TWX_NAME_KEY_LEAD, w, TWX_NAME_CODE, SIZE_MAX, d);
    if (d->constant_title)
        demand_first(names, host, TWX_NAME_KEY_LEAD, w, TWX_NAME_LEAD, DEMANDED_LEAD, d);
}

/* Demands the names of all documents of a node, each distinct one once. */
static void demand_names(const twx_names *names, const twx_doc_table *p, uint32_t node,
                         twx_demands *d) {
    uint64_t seen[NAMES_OF_NODE]; /* hashes of names */
    char room[TWX_PIECE_MAX];
    size_t n_seen = 0;
    for (uint32_t k = names->docs_from[node]; k < names->docs_from[node + 1]; k++) {
        const twx_slice name = twx_pieces_get(&names->payloads, names->docs[k], room);
        const uint64_t hash = names_hash_of(name);
        bool known = false;
        for (size_t i = 0; i < n_seen; i++) known |= seen[i] == hash;
        if (known) continue;
        if (n_seen == NAMES_OF_NODE) {
            d->unlimited = true;
            return;
        }
        twx_name_words w = {0};
        seen[n_seen++] = hash;
        twx_name_unpack(name, &w);
        demand_name(names, twx_doc_host(p, names->docs[k]), &w, d);
    }
}

/* Reads the words of a node whose best document is `best`. w: zeroed. */
static void read_node(const twx_names *names, uint32_t node, uint32_t best, twx_name_words *w) {
    twx_names_read(names, best, w);
    twx_names_read_repeated(names, node, w);
}

void twx_names_demands(const twx_names *names, const twx_doc_table *p, uint32_t node, uint32_t best,
                       twx_demands *ret_demands) {
    twx_demands *d = ret_demands;
    d->n = 0;
    d->node = node;
    d->p = p;
    d->domain = names->rules.own ? twx_doc_domain(p, best) : 0;
    d->unlimited = d->constant_title = d->is_short = false;
    d->best = (twx_name_words){0};
    read_node(names, node, best, &d->best);
    if (names->rules.own)
        demand_name(names, twx_doc_host(p, best), &d->best, d);
    else
        demand_names(names, p, node, d);
    if (!d->unlimited) demand_text(names, twx_doc_host(p, best), &d->best, d);
}

/* [R4] */
static bool offers(const twx_name_words *w, const twx_demand *d) {
    const bool own_parts = (d->part == TWX_NAME_TITLE || d->part == TWX_NAME_HEADING) &&
                           w->n[d->part] > 0;
    for (int part = 0; part < (own_parts ? TWX_NAME_REPEATED : TWX_NAME_PARTS); part++) {
        const uint32_t *words = twx_name_words_of(w, (twx_name_part)part);
        for (size_t i = 0; i < w->n[part]; i++)
            if (twx_name_word_meets((twx_name_part)d->part, d->word, (twx_name_part)part, words[i]))
                return true;
    }
    return false;
}

/* Do the words of `own` that are also in the other title occur there in the same order, as often?
 * "Ann Lee" is not "Lee Ann". */
static bool in_order(const twx_name_words *own, const twx_name_words *other) {
    size_t at = 0;
    for (size_t i = 0; i < own->n[TWX_NAME_TITLE]; i++) {
        if (!twx_has_name_word(other->title, other->n[TWX_NAME_TITLE], own->title[i])) continue;
        while (at < other->n[TWX_NAME_TITLE] && other->title[at] != own->title[i]) at++;
        if (at++ >= other->n[TWX_NAME_TITLE]) return false;
    }
    return true;
}

/* Is an unmet demand waived? form: the relation of the titles. A word that did not fit into
 * a full list may still be in the text. */
static bool is_waived(const twx_names *names, const twx_demand *d, const twx_name_words *other,
                      bool form) {
    if (d->part == TWX_NAME_REPEATED &&
        twx_name_may_repeat(other, d->is_proper, d->word, d->weight))
        return true;
    if (d->part == TWX_NAME_CODE && twx_name_may_have_code(other, d->word)) return true;
    if (!form) return false;
    return names_is_form(names, (twx_name_part)d->part, d->word) ||
           (d->part == TWX_NAME_REPEATED &&
            is_among(names->frames, TWX_NAME_FRAMES, TWX_NAME_REPEATED, d->word));
}

typedef enum demanded_by { BY_ALL, BY_NAME, BY_TEXT } demanded_by;

static bool is_demanded(demanded_by by, const twx_demand *d) {
    const bool by_name = d->part == TWX_NAME_TITLE || d->part == TWX_NAME_HEADING;
    return by == BY_ALL || (by == BY_NAME ? by_name : !by_name && d->part != TWX_NAME_URL);
}

/* Do two titles begin or end with the same word? */
static bool share_end(const twx_name_words *a, const twx_name_words *b) {
    const size_t n = a->n[TWX_NAME_TITLE], m = b->n[TWX_NAME_TITLE];
    return n && m && (a->title[0] == b->title[0] || a->title[n - 1] == b->title[m - 1]);
}

/* w: the words of document `best`. */
static bool offers_all(const twx_names *names, uint32_t best, const twx_name_words *w,
                       const twx_demands *demands, demanded_by by, twx_demand *ret_missing) {
    const bool one_domain = !names->rules.own ||
                            twx_doc_domain(demands->p, best) == demands->domain;
    const bool form = names_is_form_of(names, &demands->best, w);
    const bool says_nothing = !one_domain && !demands->is_short && demands->constant_title &&
                              share_end(&demands->best, w); /* [R5] */
    for (size_t i = 0; i < demands->n; i++) {
        const twx_demand *d = &demands->at[i];
        if (!is_demanded(by, d) ||
            (one_domain ? d->is_common : d->is_of_site && !demands->is_short) ||
            (says_nothing && d->part == TWX_NAME_TITLE))
            continue;
        if (offers(w, d) || is_waived(names, d, w, form)) continue;
        if (ret_missing) *ret_missing = *d;
        return false;
    }
    return true;
}

bool twx_names_contain(const twx_names *names, uint32_t node, uint32_t best,
                       const twx_demands *demands, twx_demand *ret_missing) {
    if (demands->node == node && !names->rules.own) return true; /* [R3] */
    if (demands->unlimited) {
        if (ret_missing) *ret_missing = (twx_demand){.part = TWX_NAME_TITLE};
        return false;
    }
    twx_name_words w = {0};
    read_node(names, node, best, &w);
    if (!offers_all(names, best, &w, demands, names->rules.own ? BY_NAME : BY_ALL, ret_missing))
        return false;
    if (in_order(&demands->best, &w)) return true;
    if (ret_missing) *ret_missing = (twx_demand){.part = TWX_NAME_TITLE};
    return false;
}

bool twx_names_text_contains(const twx_names *names, uint32_t node, uint32_t best,
                             const twx_demands *demands, twx_demand *ret_missing) {
    twx_name_words w = {0};
    read_node(names, node, best, &w);
    return offers_all(names, best, &w, demands, BY_TEXT, ret_missing);
}

/* Drops the folders that are trees of their own. */
static void drop_trees(unsigned trees, twx_url_names *url) {
    size_t kept = 0;
    const size_t n = (size_t)url->segments + url->parameters;
    for (size_t i = 0; i < n; i++) {
        if (trees >> i & 1)
            url->segments--;
        else
            url->name[kept++] = url->name[i];
    }
}

unsigned twx_names_trees(const twx_names *names, uint64_t domain, const twx_url_names *url) {
    unsigned trees = 0;
    for (size_t i = 0; i < url->segments && i < TWX_COUNTOF(url->name); i++)
        if (twx_map64_has(&names->trees, twx_mix64(domain, url->name[i]))) trees |= 1U << i;
    return trees;
}

/* Are the names in the URLs of two documents those of one page? One lacks names that the other has,
 * or they differ in folders with many titles: parallel trees, such as two editions of a manual. */
static bool urls_agree(const twx_names *names, uint32_t a, uint32_t b) {
    const unsigned of_a = names->marks[a] & TWX_NAME_TREES, of_b = names->marks[b] & TWX_NAME_TREES;
    twx_url_names x = twx_names_of_url(names->urls, a), y = twx_names_of_url(names->urls, b);
    if (twx_url_names_agree(&x, &y)) return true;
    if (!of_a && !of_b) return false;
    drop_trees(of_a, &x);
    drop_trees(of_b, &y);
    return twx_url_names_agree(&x, &y);
}

uint64_t twx_names_shared_key(const twx_names *names, const twx_name_words *w) {
    if (!names->rules.own) return twx_names_title_key(w);
    const twx_title_parts plain = twx_names_plain_title(names, w);
    return plain.begin < plain.end
               ? twx_names_hash(TWX_NAME_KEY_TITLE, w->title + plain.begin, plain.end - plain.begin)
               : twx_names_title_key(w);
}

uint64_t twx_names_formless_key(const twx_names *names, const twx_name_words *w) {
    uint64_t key = TWX_NAME_KEY_TITLE;
    size_t kept = 0;
    for (size_t i = 0; i + w->versions < w->n[TWX_NAME_TITLE]; i++) {
        if (names_is_form(names, TWX_NAME_TITLE, w->title[i])) continue;
        key = twx_mix64(key, w->title[i]);
        kept++;
    }
    if (kept == 0) return twx_names_key_of(w);
    return twx_mix64(twx_names_hash(key, w->heading, w->n[TWX_NAME_HEADING]), w->tail);
}

size_t twx_edition_words(const char *text, uint32_t ret_words[TWX_EDITION_WORDS_MAX]) {
    const char *at = text + (text[0] == 'v' && twx_is_digit((unsigned char)text[1]));
    size_t n = 0;
    for (size_t length; *at; at += length + (at[length] != '\0')) {
        length = strcspn(at, "-_");
        const char *dot = memrchr(at, '.', length); /* "x" of 1.8.x */
        const size_t last = dot ? (size_t)(at + length - dot) - 1 : 0;
        const twx_slice parts[] = {{at, length},
                                   {at, strcspn(at, ".-_")},
                                   {at, strspn(at, "0123456789.")},
                                   {at + length - last, last}};
        for (size_t k = 0; k < TWX_COUNTOF(parts); k++)
            if (parts[k].n) ret_words[n++] = twx_name_word(parts[k]);
    }
    ret_words[n++] = twx_name_word(twx_slice_of(text));
    return n;
}

/* The words of a title that are neither versions nor `without`; [from, to) are not the site's. */
typedef struct kept_title {
    uint32_t word[TWX_NAME_TITLE_MAX];
    size_t n, from, to;
} kept_title;

static kept_title title_without(const twx_names *names, const twx_doc_table *p, uint32_t document,
                                const uint32_t *without, size_t n) {
    kept_title t = {.n = 0};
    twx_name_words w = {0};
    twx_names_read(names, document, &w);
    const uint64_t site = twx_names_site(names, p, twx_doc_host(p, document));
    const twx_title_parts parts = names_title_parts(names, site, &w);
    for (size_t i = 0; i + w.versions < w.n[TWX_NAME_TITLE]; i++) {
        size_t k = 0;
        while (k < n && without[k] != w.title[i]) k++;
        if (k < n) continue;
        t.from += i < parts.from;
        t.to += i < parts.to;
        t.word[t.n++] = w.title[i];
    }
    return t;
}

/* Are the own words of `part` some that follow each other in those of `whole`? */
static bool title_contains(const kept_title *whole, const kept_title *part) {
    const size_t n = part->to - part->from, size = n * sizeof *part->word;
    for (size_t i = whole->from; n && i + n <= whole->to; i++)
        if (memcmp(whole->word + i, part->word + part->from, size) == 0) return true;
    return false;
}

twx_titles twx_names_agree_without(const twx_names *names, const twx_doc_table *p, uint32_t a,
                                   uint32_t b, const uint32_t *without, size_t n) {
    const kept_title x = title_without(names, p, a, without, n),
                     y = title_without(names, p, b, without, n);
    if (x.n == 0 || y.n == 0) return TWX_TITLES_UNKNOWN;
    if (x.n == y.n && memcmp(x.word, y.word, x.n * sizeof *x.word) == 0) return TWX_TITLES_EQUAL;
    return title_contains(&x, &y) || title_contains(&y, &x) ? TWX_TITLES_CONTAINED
                                                            : TWX_TITLES_DIFFER;
}

uint64_t twx_names_key_of(const twx_name_words *name) {
    return name->n[TWX_NAME_TITLE] ? twx_names_name_key(name) : 0;
}

uint64_t twx_names_identity(const twx_names *names, uint32_t document) {
    twx_name_words w = {0};
    twx_names_read(names, document, &w);
    if (w.n[TWX_NAME_TITLE] + w.n[TWX_NAME_HEADING] == 0) return w.shown;
    const uint64_t key = twx_names_hash(TWX_NAME_KEY_NAME, w.title, w.n[TWX_NAME_TITLE]);
    const uint64_t named = twx_names_hash(twx_mix64(key, 0), w.heading, w.n[TWX_NAME_HEADING]);
    return w.shown ? twx_mix64(named, w.shown) : named;
}

bool twx_names_shown_otherwise(const twx_names *names, const twx_doc_table *p, bool is_one_text,
                               uint32_t a, uint32_t b) {
    twx_name_words x = {0}, y = {0};
    const uint64_t of_a = twx_doc_domain(p, a), of_b = twx_doc_domain(p, b);
    twx_names_read(names, a, &x);
    twx_names_read(names, b, &y);
    return x.shown && y.shown && x.shown != y.shown &&
           (is_one_text || of_a == of_b || twx_map64_has(&names->shown, twx_mix64(of_b, x.shown)) ||
            twx_map64_has(&names->shown, twx_mix64(of_a, y.shown)));
}

bool twx_names_equal(const twx_names *names, uint32_t a, uint32_t b) {
    char room[2][TWX_PIECE_MAX];
    twx_name_words x = {0}, y = {0};
    const twx_slice of_a = twx_pieces_get(&names->payloads, a, room[0]),
                    of_b = twx_pieces_get(&names->payloads, b, room[1]);
    if (twx_slice_eq(of_a, of_b)) return true;
    twx_name_unpack(of_a, &x);
    twx_name_unpack(of_b, &y);
    return twx_names_name_key(&x) == twx_names_name_key(&y);
}

/* ==== near_names */

bool twx_near_equal_names(const twx_near *near, uint32_t a, uint32_t b) {
    const twx_names *names = &near->names;
    if (near->texts) {
        const uint64_t key = names->formless[a];
        return key && key == names->formless[b];
    }
    twx_name_words x = {0}, y = {0};
    twx_names_read(names, a, &x);
    twx_names_read(names, b, &y);
    const uint64_t key = twx_names_key_of(&x);
    return key && key == twx_names_key_of(&y);
}

uint32_t twx_near_description(const twx_near *near, uint32_t document) {
    const twx_url_names names = twx_names_of_url(&near->urls, document);
    const size_t from = twx_names_of_url_packed(&names).n;
    char room[TWX_PIECE_MAX];
    uint32_t described = 0;
    const twx_slice packed = twx_pieces_get(&near->urls, document, room);
    if (packed.n > from) memcpy(&described, packed.p + from, sizeof described);
    return described;
}

bool twx_near_is_described_otherwise(const twx_near *near, uint32_t a, uint32_t b) {
    if (!near->texts) return false;
    if (near->node[a] != near->node[b] && !twx_names_is_in_url(&near->names, a)) return false;
    const uint32_t x = twx_near_description(near, a), y = twx_near_description(near, b);
    return x && y && x != y;
}

bool twx_near_is_shown_otherwise(const twx_near *near, const twx_doc_table *p, uint32_t a,
                                 uint32_t b) {
    if (!near->texts || !near->names.has_shown) return false;
    const bool is_one_text = near->node[a] == near->node[b];
    if (!is_one_text && !twx_names_is_in_url(&near->names, a)) return false;
    /* forms of one page differ in the images that rotate */
    if (near->form[a] && near->form[a] == near->form[b]) return false;
    return twx_names_shown_otherwise(&near->names, p, is_one_text, a, b);
}

/* Documents that only their URLs name must have no other name in the place of theirs. Where titles
 * are not known, as in a table of texts, that would part all texts that have two URLs. */
bool twx_near_urls_agree(const twx_near *near, uint32_t a, uint32_t b) {
    if (!near->texts) return true;
    const unsigned of_a = near->names.marks[a], of_b = near->names.marks[b];
    return !((of_a | of_b) & TWX_NAME_IN_URL) ||
           (!near->names.has_titles && !(of_a & TWX_NAME_TITLED) && twx_near_has(near, a)) ||
           urls_agree(&near->names, a, b);
}

void twx_near_demands(const twx_near *near, const twx_doc_table *p, uint32_t document,
                      twx_demands *ret_demands) {
    twx_names_demands(&near->names, p, near->node[document], document, ret_demands);
    ret_demands->is_short = !twx_near_has(near, document);
}

uint64_t twx_near_name_digest(const twx_near *near, const twx_doc_table *p, uint32_t document) {
    const twx_names *names = &near->names;
    twx_demands d;
    twx_near_demands(near, p, document, &d);
    uint64_t shown = 0;
    if (d.best.shown)
        (void)twx_map64_get(&names->shown_learned, twx_doc_domain(p, document), &shown);
    uint64_t digest = twx_mix64(shown, (uint64_t)names->has_titles << 3 | names->has_shown << 2 |
                                           d.unlimited << 1 | d.constant_title);
    for (size_t i = 0; i < d.n; i++)
        digest = twx_mix64(digest, (uint64_t)d.at[i].word << 32 | (uint64_t)d.at[i].part << 16 |
                                       (uint64_t)d.at[i].weight << 8 | d.at[i].is_version << 3 |
                                       d.at[i].is_proper << 2 | d.at[i].is_common << 1 |
                                       d.at[i].is_of_site);
    return digest;
}
