/* Learning is sorting: each distinct name of a host adds its words to a list, and words that occur
 * often enough are common on that host. Distinct names are counted, not documents: a document under
 * a thousand session ids counts once. Of a host with many names a sample is taken by hash, so that
 * the list stays short. */
#include "judge/names.h"

#include "base/alloc.h"
#include "base/hash64.h"
#include "group/sort_entries.h"
#include "judge/eligible.h"

enum {
    NAMES_MIN = 16,      /* a host with fewer names has no common words */
    NAMES_SAMPLED = 256, /* of a host, about */
    TEXTS_OF_NAME = 16,  /* that are examined for each name */
    COMMON_MIN = 4,      /* minimum number of names that repeat a common word */
    TAILS_CONSTANT = 3,  /* distinct ends of URLs that make a title uninformative */
    NAMES_OF_NODE = 8,   /* maximum distinct names of one text */
    /* Of the words that are kept of a text, only the first are demanded: in a copy a few of them
     * may be in another order, and the last words of one list may be missing from the other. */
    DEMANDED_PROPER = TWX_NAME_PROPER_MAX - 1,
    DEMANDED_OTHER = TWX_NAME_REPEATED_MAX - TWX_NAME_PROPER_MAX,
    DEMANDED_LEAD = 8,
    DEMANDED_NUMBERS = TWX_NAME_NUMBERS_MAX - 2,
    MILLION = 1000000
};

/* Seeds that separate the kinds of keys of one map. */
enum { KIND_TITLE, KIND_NAME, KIND_WORD, KIND_REPEATED, KIND_REPEATED_SHORT, KIND_LEAD, KIND_URL };

twx_rc twx_names_init(twx_ctx *cx, twx_names *names, size_t documents) {
    twx_buf_init(&names->payloads, SIZE_MAX / 4);
    twx_buf_init(&names->repeated, SIZE_MAX / 4);
    names->of = twx_malloc(cx, (documents + 1) * sizeof *names->of);
    if (!names->of) return TWX_E_NOMEM;
    for (size_t i = 0; i < documents; i++) names->of[i] = TWX_NO_DOCUMENT;
    return TWX_OK;
}

void twx_names_done(twx_names *names) {
    if (!names) return;
    twx_free(names->of);
    TWX_VEC_DONE(&names->ends);
    twx_buf_done(&names->payloads);
    twx_map64_done(&names->numbers);
    TWX_VEC_DONE(&names->repeated_ends);
    twx_buf_done(&names->repeated);
    twx_map64_done(&names->keyed);
    twx_map64_done(&names->common);
    twx_map64_done(&names->constant);
    twx_free(names->docs_from);
    twx_free(names->docs);
    *names = (twx_names){0};
}

static twx_slice piece(const twx_buf *all, const uint64_t *ends, size_t i) {
    return twx_slice_sub(twx_buf_slice(all), i ? ends[i - 1] : 0, ends[i]);
}

static void read_name(const twx_names *names, uint32_t number, twx_name_words *w) {
    twx_name_unpack(number == TWX_NO_DOCUMENT ? (twx_slice){NULL, 0}
                                              : piece(&names->payloads, names->ends.at, number),
                    w);
}

static void read_repeated(const twx_names *names, uint32_t node, twx_name_words *w) {
    twx_repeated_unpack(node < names->repeated_ends.n
                            ? piece(&names->repeated, names->repeated_ends.at, node)
                            : (twx_slice){NULL, 0},
                        w);
}

/* ---- loading ------------------------------------------------------------ */

twx_rc twx_names_add_text(twx_ctx *cx, twx_names *names, twx_slice repeated) {
    twx_rc rc = twx_buf_add_slice(cx, &names->repeated, repeated);
    if (rc != TWX_OK) return rc;
    return TWX_VEC_PUSH(cx, &names->repeated_ends, names->repeated.n) ? TWX_OK : TWX_E_NOMEM;
}

static uint64_t hash_words(uint64_t seed, const uint32_t *words, size_t n) {
    for (size_t i = 0; i < n; i++) seed = twx_mix64(seed, words[i]);
    return seed;
}

/* The title without its versions, so that copies of another version share the key. */
static uint64_t title_key(const twx_name_words *w) {
    return hash_words(KIND_TITLE, w->title, (size_t)w->n[TWX_NAME_TITLE] - w->versions);
}

/* Copies have the same title and the same most frequent words or headings. Their keys are made of
 * both, so that a title shared by thousands of documents does not fill a list. */
static size_t keys_of(const twx_names *names, uint32_t node, const twx_name_words *name,
                      uint64_t *ret_keys) {
    twx_name_words text = {0};
    const uint64_t title = title_key(name);
    read_repeated(names, node, &text);
    size_t n = 0;
    for (; n < text.n[TWX_NAME_REPEATED] && n < TWX_NAME_KEYS_MAX - 1; n++)
        ret_keys[n] = twx_mix64(title, text.repeated[n]);
    if (n == 0) ret_keys[n++] = title;
    if (name->n[TWX_NAME_HEADING])
        ret_keys[n++] = hash_words(title, name->heading, name->n[TWX_NAME_HEADING]);
    return n;
}

twx_rc twx_names_add(twx_ctx *cx, twx_names *names, uint32_t document, uint32_t node,
                     twx_slice name, uint64_t ret_keys[TWX_NAME_KEYS_MAX], size_t *ret_n) {
    uint64_t number = names->ends.n, pair = 0, next = names->keyed.n;
    twx_rc rc = twx_map64_add(cx, &names->numbers, twx_hash64(name, KIND_NAME), number, &number);
    if (rc == TWX_OK && number == names->ends.n) {
        rc = twx_buf_add_slice(cx, &names->payloads, name);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &names->ends, names->payloads.n)) rc = TWX_E_NOMEM;
    }
    *ret_n = 0;
    if (rc != TWX_OK) return rc;
    names->of[document] = (uint32_t)number;
    if (node == TWX_NO_DOCUMENT) return TWX_OK;
    rc = twx_map64_add(cx, &names->keyed, twx_mix64(node, number), next, &pair);
    if (rc != TWX_OK || pair != next) return rc;
    twx_name_words w = {0};
    twx_name_unpack(name, &w);
    *ret_n = keys_of(names, node, &w, ret_keys);
    return TWX_OK;
}

/* ---- learning ----------------------------------------------------------- */

/* A word of a name on a host, or the end of a URL for a title, as an entry that can be sorted:
 * check: 32 bits of the hash of the name or of the end, then the host; index: the kind. */
static twx_entry learned(uint64_t key, uint32_t of, uint32_t host, uint32_t kind) {
    return (twx_entry){.key = key, .check = (uint64_t)of << 32 | host, .index = kind};
}

static uint32_t host_of(const twx_entry *word) {
    return (uint32_t)word->check;
}

typedef struct learner {
    twx_ctx *cx;
    twx_names *names;
    const twx_doc_table *p;
    const uint32_t *node;
    const uint8_t *eligibility;
    twx_map64 seen;        /* names of a host */
    twx_map64 short_names; /* those with a text that does not fill its list of repeated words */
    uint32_t *counted;     /* by host: distinct names, then those of them in the sample */
    uint32_t *shorts;      /* by host: how many of those in the sample are in short_names */
    uint32_t *step;        /* by host: one name in this many is in the sample; 0: none */
    TWX_VEC(twx_entry) list, scratch;
} learner;

static uint64_t word_key(uint32_t host, uint64_t kind, uint32_t word) {
    return twx_mix64((uint64_t)host << 32 | word, kind);
}

static bool counts(const learner *l, uint32_t i) {
    return l->eligibility[i] == TWX_ELIGIBLE && l->node[i] != TWX_NO_DOCUMENT &&
           l->names->of[i] != TWX_NO_DOCUMENT;
}

/* What distinguishes names: title, headings, and the end of the URL, for uninformative titles. */
static uint64_t name_key(const twx_name_words *w) {
    return twx_mix64(hash_words(title_key(w), w->heading, w->n[TWX_NAME_HEADING]), w->tail);
}

/* Calls fn for the first documents of each distinct name of a host: the same document under a
 * session id or for the printer may repeat words that the first does not. */
static twx_rc each_name(learner *l, twx_rc (*fn)(learner *l, uint32_t i, const twx_name_words *name,
                                                 bool first)) {
    twx_map64_done(&l->seen);
    twx_map64_init(&l->seen, 0);
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < l->p->at.n; i++) {
        if (!counts(l, i)) continue;
        twx_name_words name = {0};
        uint64_t before = 0;
        read_name(l->names, l->names->of[i], &name);
        const uint64_t key = twx_mix64(l->p->at.at[i].host, name_key(&name));
        (void)twx_map64_get(&l->seen, key, &before);
        if (before == TEXTS_OF_NAME) continue;
        rc = twx_map64_put(l->cx, &l->seen, key, before + 1);
        if (rc == TWX_OK) rc = fn(l, i, &name, before == 0);
    }
    return rc;
}

static twx_rc count_name(learner *l, uint32_t i, const twx_name_words *name, bool first) {
    (void)name;
    l->counted[l->p->at.at[i].host] += first;
    return TWX_OK;
}

/* of: hash of the name */
static bool push_words(learner *l, uint32_t host, uint32_t of, uint32_t kind, const uint32_t *words,
                       size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!TWX_VEC_PUSH(l->cx, &l->list, learned(word_key(host, kind, words[i]), of, host, kind)))
            return false;
    return true;
}

static twx_rc list_name(learner *l, uint32_t i, const twx_name_words *name, bool first) {
    const uint32_t host = l->p->at.at[i].host;
    if (l->step[host] == 0 || twx_mix64(name_key(name), 0) % l->step[host] != 0) return TWX_OK;
    twx_name_words text = {0};
    read_repeated(l->names, l->node[i], &text);
    const uint32_t of = (uint32_t)name_key(name);
    const bool is_short = text.n[TWX_NAME_REPEATED] < TWX_NAME_REPEATED_MAX;
    l->counted[host] += first;
    if (is_short) {
        const uint64_t next = l->short_names.n;
        uint64_t number = 0;
        twx_rc rc = twx_map64_add(l->cx, &l->short_names, twx_mix64(host, name_key(name)), next,
                                  &number);
        if (rc != TWX_OK) return rc;
        l->shorts[host] += number == next;
    }
    return push_words(l, host, of, KIND_WORD, name->title, name->n[TWX_NAME_TITLE]) &&
                   push_words(l, host, of, KIND_WORD, name->heading, name->n[TWX_NAME_HEADING]) &&
                   push_words(l, host, of, KIND_URL, name->url, name->n[TWX_NAME_URL]) &&
                   push_words(l, host, of, KIND_REPEATED, text.repeated,
                              text.n[TWX_NAME_REPEATED]) &&
                   push_words(l, host, of, KIND_LEAD, text.lead, text.n[TWX_NAME_LEAD]) &&
                   push_words(l, host, of, KIND_LEAD, text.number, text.n[TWX_NAME_NUMBER]) &&
                   push_words(l, host, of, KIND_LEAD, text.code, text.n[TWX_NAME_CODE]) &&
                   (!is_short || push_words(l, host, of, KIND_REPEATED_SHORT, text.repeated,
                                            text.n[TWX_NAME_REPEATED]))
               ? TWX_OK
               : TWX_E_NOMEM;
}

static twx_rc sort_list(learner *l) {
    if (!TWX_VEC_RESERVE(l->cx, &l->scratch, l->list.n)) return TWX_E_NOMEM;
    twx_sort_entries(l->list.at, l->scratch.at, l->list.n);
    return TWX_OK;
}

/* The number of distinct names (or ends) in the run of equal keys from `from` on. *ret_to: the end
 * of the run. */
static size_t distinct_of(const learner *l, size_t from, size_t *ret_to) {
    size_t to = from + 1, n = 1;
    for (; to < l->list.n && l->list.at[to].key == l->list.at[from].key; to++)
        n += l->list.at[to].check != l->list.at[to - 1].check;
    *ret_to = to;
    return n;
}

/* Is a word of a run common on its host? A long text may repeat a word of the site's boilerplate
 * without room for it in its list, so the words of short texts are compared with short texts
 * only. */
static bool common_enough(const learner *l, const twx_entry *word, size_t names) {
    const twx_name_rules *rules = &l->names->rules;
    const uint32_t host = host_of(word), kind = word->index;
    const uint64_t all = kind == KIND_REPEATED_SHORT ? l->shorts[host] : l->counted[host];
    if (kind == KIND_WORD || kind == KIND_URL) return names * MILLION >= rules->site_ppm * all;
    return names >= COMMON_MIN && names * MILLION >= rules->common_ppm * all;
}

static twx_rc keep_common(learner *l) {
    uint64_t unused;
    twx_rc rc = sort_list(l);
    for (size_t from = 0, to; rc == TWX_OK && from < l->list.n; from = to) {
        const size_t names = distinct_of(l, from, &to);
        if (common_enough(l, &l->list.at[from], names))
            rc = twx_map64_add(l->cx, &l->names->common, l->list.at[from].key, 1, &unused);
    }
    l->list.n = 0;
    return rc;
}

static twx_rc learn_words(learner *l) {
    const size_t hosts = l->p->hosts.n;
    l->counted = twx_calloc(l->cx, hosts + 1, sizeof *l->counted);
    l->step = twx_calloc(l->cx, hosts + 1, sizeof *l->step);
    l->shorts = twx_calloc(l->cx, hosts + 1, sizeof *l->shorts);
    if (!l->counted || !l->step || !l->shorts) return TWX_E_NOMEM;
    twx_rc rc = each_name(l, count_name);
    for (size_t h = 0; h < hosts; h++) {
        if (l->counted[h] >= NAMES_MIN) l->step[h] = 1 + l->counted[h] / (2 * NAMES_SAMPLED);
        l->counted[h] = 0;
    }
    if (rc == TWX_OK) rc = each_name(l, list_name);
    return rc == TWX_OK ? keep_common(l) : rc;
}

/* The titles of a host that documents with different ends of their URLs share. */
static twx_rc learn_titles(learner *l) {
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; i < l->p->at.n; i++) {
        if (!counts(l, i)) continue;
        twx_name_words name = {0};
        read_name(l->names, l->names->of[i], &name);
        if (name.tail == 0) continue;
        const uint64_t title = twx_mix64(l->p->at.at[i].host, title_key(&name));
        if (!TWX_VEC_PUSH(l->cx, &l->list, learned(title, name.tail, 0, KIND_TITLE)))
            return TWX_E_NOMEM;
    }
    rc = sort_list(l);
    for (size_t from = 0, to; rc == TWX_OK && from < l->list.n; from = to) {
        uint64_t unused;
        if (distinct_of(l, from, &to) >= TAILS_CONSTANT)
            rc = twx_map64_add(l->cx, &l->names->constant, l->list.at[from].key, 1, &unused);
    }
    return rc;
}

/* Documents by node, ascending. */
static twx_rc list_documents(learner *l) {
    twx_names *names = l->names;
    size_t nodes = names->repeated_ends.n, n = l->p->at.n;
    names->docs_from = twx_calloc(l->cx, nodes + 1, sizeof *names->docs_from);
    names->docs = twx_malloc(l->cx, (n + 1) * sizeof *names->docs);
    if (!names->docs_from || !names->docs) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (counts(l, i)) names->docs_from[l->node[i]]++;
    uint64_t end = 0;
    for (size_t k = 0; k <= nodes; k++) {
        end += names->docs_from[k];
        names->docs_from[k] = end; /* each insertion moves it down */
    }
    for (uint32_t i = (uint32_t)n; i-- > 0;)
        if (counts(l, i)) names->docs[--names->docs_from[l->node[i]]] = i;
    return TWX_OK;
}

twx_rc twx_names_learn(twx_ctx *cx, twx_names *names, const twx_doc_table *p, const uint32_t *node,
                       const uint8_t *eligibility) {
    learner l = {.cx = cx, .names = names, .p = p, .node = node, .eligibility = eligibility};
    twx_map64_done(&names->keyed); /* only needed while loading */
    twx_rc rc = learn_words(&l);
    if (rc == TWX_OK) rc = learn_titles(&l);
    if (rc == TWX_OK) rc = list_documents(&l);
    twx_map64_done(&l.seen);
    twx_map64_done(&l.short_names);
    twx_free(l.counted);
    twx_free(l.step);
    twx_free(l.shorts);
    TWX_VEC_DONE(&l.list);
    TWX_VEC_DONE(&l.scratch);
    return rc;
}

/* ---- asking ------------------------------------------------------------- */

/* Adds a demand unless the word is common on the host, ignored, or demanded already. */
static void demand(const twx_names *names, uint32_t host, uint64_t kind, twx_demand wanted,
                   twx_demands *d) {
    const twx_name_part part = (twx_name_part)wanted.part;
    uint64_t unused;
    for (size_t i = 0; i < names->rules.n_ignored; i++)
        if (twx_name_word_in(part, names->rules.ignored[i]) == wanted.word) return;
    if (twx_map64_get(&names->common, word_key(host, kind, wanted.word), &unused)) return;
    if (kind == KIND_REPEATED &&
        twx_map64_get(&names->common, word_key(host, KIND_REPEATED_SHORT, wanted.word), &unused))
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
    uint64_t unused;
    const size_t plain = (size_t)w->n[TWX_NAME_TITLE] - w->versions;
    for (size_t i = 0; i < w->n[TWX_NAME_TITLE]; i++)
        demand(names, host, KIND_WORD,
               (twx_demand){.word = w->title[i], .part = TWX_NAME_TITLE, .is_version = i >= plain},
               d);
    demand_first(names, host, KIND_WORD, w, TWX_NAME_HEADING, SIZE_MAX, d);
    d->constant_title |= twx_map64_get(&names->constant, twx_mix64(host, title_key(w)), &unused);
    if (d->constant_title) demand_first(names, host, KIND_URL, w, TWX_NAME_URL, SIZE_MAX, d);
}

static void demand_repeated(const twx_names *names, uint32_t host, const twx_name_words *w,
                            size_t from, size_t to, twx_demands *d) {
    const uint64_t kind = w->n[TWX_NAME_REPEATED] < TWX_NAME_REPEATED_MAX ? KIND_REPEATED_SHORT
                                                                          : KIND_REPEATED;
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
    demand_first(names, host, KIND_LEAD, w, TWX_NAME_NUMBER, DEMANDED_NUMBERS, d);
    if (w->has_quantity)
        demand(names, host, KIND_LEAD,
               (twx_demand){.word = w->number[w->n[TWX_NAME_NUMBER] - 1], .part = TWX_NAME_NUMBER},
               d);
    demand_first(names, host, KIND_LEAD, w, TWX_NAME_CODE, SIZE_MAX, d);
    if (d->constant_title) demand_first(names, host, KIND_LEAD, w, TWX_NAME_LEAD, DEMANDED_LEAD, d);
}

void twx_names_demands(const twx_names *names, const twx_doc_table *p, uint32_t node, uint32_t best,
                       twx_demands *ret_demands) {
    twx_demands *d = ret_demands;
    uint32_t seen[NAMES_OF_NODE];
    size_t n_seen = 0;
    d->n = 0;
    d->node = node;
    d->unlimited = d->constant_title = false;
    d->best = (twx_name_words){0};
    read_name(names, names->of[best], &d->best);
    read_repeated(names, node, &d->best);
    for (uint64_t k = names->docs_from[node]; k < names->docs_from[node + 1]; k++) {
        const uint32_t number = names->of[names->docs[k]], host = p->at.at[names->docs[k]].host;
        bool known = false;
        for (size_t i = 0; i < n_seen; i++) known |= seen[i] == number;
        if (known) continue;
        if (n_seen == NAMES_OF_NODE) {
            d->unlimited = true;
            return;
        }
        twx_name_words w = {0};
        seen[n_seen++] = number;
        read_name(names, number, &w);
        demand_name(names, host, &w, d);
    }
    demand_text(names, p->at.at[best].host, &d->best, d);
}

/* [R4] */
static bool offers(const twx_name_words *w, const twx_demand *d) {
    const bool own_parts = d->part == TWX_NAME_TITLE && w->n[TWX_NAME_TITLE] > 0;
    for (int part = 0; part < (own_parts ? TWX_NAME_REPEATED : TWX_NAME_PARTS); part++) {
        const uint32_t *words = twx_name_words_of(w, (twx_name_part)part);
        for (size_t i = 0; i < w->n[part]; i++)
            if (twx_name_word_meets((twx_name_part)d->part, d->word, (twx_name_part)part, words[i]))
                return true;
    }
    return false;
}

static bool stands_in(const twx_name_words *w, uint32_t word) {
    for (size_t i = 0; i < w->n[TWX_NAME_TITLE]; i++)
        if (w->title[i] == word) return true;
    return false;
}

/* Do the words of `own` that are also in the other title occur there in the same order, as often?
 * "Ann Lee" is not "Lee Ann". */
static bool in_order(const twx_name_words *own, const twx_name_words *other) {
    size_t at = 0;
    for (size_t i = 0; i < own->n[TWX_NAME_TITLE]; i++) {
        if (!stands_in(other, own->title[i])) continue;
        while (at < other->n[TWX_NAME_TITLE] && other->title[at] != own->title[i]) at++;
        if (at++ >= other->n[TWX_NAME_TITLE]) return false;
    }
    return true;
}

/* Words for the form in which a page is shown. */
static const char *const FORMS[] = {"print", "printable", "printed", "printer", "mobile", "amp"};
/* Words that mirrors, caches and sessions add to a page. */
static const char *const FRAMES[] = {"archived", "cached", "copied",    "generated",
                                     "mirror",   "proxy",  "retrieved", "session"};

static bool is_among(const char *const *words, size_t n, twx_name_part part, uint32_t word) {
    for (size_t i = 0; i < n; i++)
        if (twx_name_word_in(part, twx_name_word(twx_slice_of(words[i]))) == word) return true;
    return false;
}

static bool is_form(twx_name_part part, uint32_t word) {
    return is_among(FORMS, TWX_COUNTOF(FORMS), part, word);
}

/* Do the titles differ only in words for the form in which a page is shown? "Storm (print)" equals
 * "Storm", but "print()" differs from "format()". */
static bool is_form_of(const twx_name_words *own, const twx_name_words *other) {
    size_t at = 0;
    for (size_t i = 0; i < own->n[TWX_NAME_TITLE]; i++) {
        if (at < other->n[TWX_NAME_TITLE] && own->title[i] == other->title[at])
            at++;
        else if (!is_form(TWX_NAME_TITLE, own->title[i]))
            return false;
    }
    return at == other->n[TWX_NAME_TITLE] && at > 0;
}

/* Are the titles equal except for their versions, with the other version not older? */
static bool is_newer(const twx_name_words *own, const twx_name_words *other) {
    return own->versions && other->versions && other->version >= own->version &&
           title_key(own) == title_key(other);
}

/* Is an unmet demand waived? newer, form: the relation of the titles. A word that did not fit into
 * a full list may still be in the text. */
static bool is_waived(const twx_demand *d, const twx_name_words *other, bool newer, bool form) {
    if (newer && (d->is_version || d->part == TWX_NAME_NUMBER)) return true;
    if (d->part == TWX_NAME_REPEATED &&
        twx_name_may_repeat(other, d->is_proper, d->word, d->weight))
        return true;
    if (d->part == TWX_NAME_CODE && twx_name_may_have_code(other, d->word)) return true;
    if (!form) return false;
    if (d->part == TWX_NAME_TITLE) return is_form(TWX_NAME_TITLE, d->word);
    return d->part == TWX_NAME_REPEATED &&
           (is_form(TWX_NAME_REPEATED, d->word) ||
            is_among(FRAMES, TWX_COUNTOF(FRAMES), TWX_NAME_REPEATED, d->word));
}

bool twx_names_contain(const twx_names *names, uint32_t node, uint32_t best,
                       const twx_demands *demands, twx_demand *ret_missing) {
    twx_name_words w = {0};
    if (demands->node == node) return true; /* [R3] */
    if (demands->unlimited) {
        if (ret_missing) *ret_missing = (twx_demand){.part = TWX_NAME_TITLE};
        return false;
    }
    read_name(names, names->of[best], &w);
    read_repeated(names, node, &w);
    const bool newer = names->rules.versions == TWX_VERSIONS_NEWEST && is_newer(&demands->best, &w);
    const bool form = is_form_of(&demands->best, &w);
    for (size_t i = 0; i < demands->n; i++) {
        const twx_demand *d = &demands->at[i];
        if (offers(&w, d) || is_waived(d, &w, newer, form)) continue;
        if (ret_missing) *ret_missing = *d;
        return false;
    }
    if (in_order(&demands->best, &w)) return true;
    if (ret_missing) *ret_missing = (twx_demand){.part = TWX_NAME_TITLE};
    return false;
}

uint64_t twx_names_key(const twx_names *names, uint32_t document) {
    twx_name_words w = {0};
    read_name(names, names->of[document], &w);
    return w.n[TWX_NAME_TITLE] ? name_key(&w) : 0;
}

bool twx_names_equal(const twx_names *names, uint32_t a, uint32_t b) {
    twx_name_words x = {0}, y = {0};
    if (names->of[a] == names->of[b]) return true;
    read_name(names, names->of[a], &x);
    read_name(names, names->of[b], &y);
    return name_key(&x) == name_key(&y);
}
