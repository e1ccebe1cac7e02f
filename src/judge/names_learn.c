/* Learning is sorting: each distinct name of a host adds its words to a list, and words that occur
 * often enough are common on that host. Distinct names are counted, not documents: a document under
 * a thousand session ids counts once. Of a host with many names a sample is taken by hash, so that
 * the list stays short. Hosts are learned one after the other, in the same memory. */

#include "judge/internal.h"

enum {
    NAMES_MIN = 16,      /* a host with fewer names has no common words */
    NAMES_SAMPLED = 256, /* of a host, about */
    TEXTS_OF_NAME = 16,  /* that are examined for each name */
    COMMON_MIN = 4,      /* minimum number of names that repeat a common word */
    TAILS_CONSTANT = 3,  /* distinct ends of URLs that make a title uninformative */
    PAGES_CONSTANT = 4,  /* or distinct pages, of which some may be in several folders */
    TITLES_OF_PART = 3,  /* distinct titles that have the site's own part at one end */
    SHARE_OF_PART = 80,  /* per cent of its longer titles */
    TITLED_SHARE = 10,   /* one of so many documents is titled where titles are known */
    TITLES_OF_TREE = 8,  /* distinct titles of the pages in a folder that is a tree of its own */
    MILLION = 1000000
};

/* A word of a name on a host, or the end of a URL for a title, as an entry that can be sorted:
 * check: 32 bits of the hash of the name or of the end; index: the kind. */
static twx_entry learned(uint64_t key, uint32_t of, uint32_t kind) {
    return (twx_entry){.key = key, .check = of, .index = kind};
}

typedef struct learner {
    twx_ctx *cx;
    twx_names *names;
    const twx_doc_table *p;
    const uint32_t *node;
    const uint8_t *eligibility;
    uint32_t *docs; /* that count, by host, ascending */
    uint32_t *ends; /* of each host in docs */
    /* Of the current host */
    uint32_t host;
    const uint32_t *at; /* its documents, n of them */
    size_t n;
    twx_map64 seen;        /* names */
    twx_map64 short_names; /* those with a text that does not fill its list of repeated words */
    uint64_t counted;      /* distinct names, then those of them in the sample */
    uint64_t shorts;       /* how many of those in the sample are in short_names */
    uint64_t step;         /* one name in this many is in the sample */
    size_t longer[TWX_NAME_RUN_MAX + 1]; /* titles of more words than the index */
    TWX_VEC(twx_entry) list, scratch;
} learner;

static bool counts(const learner *l, uint32_t i) {
    return l->eligibility[i] == TWX_ELIGIBLE && l->node[i] != TWX_NO_DOCUMENT &&
           twx_pieces_length(&l->names->payloads, i) > 0;
}

/* Calls fn for the first documents of each distinct name of the host: the same document under a
 * session id or for the printer may repeat words that the first does not. */
static twx_rc each_name(learner *l, twx_rc (*fn)(learner *l, uint32_t i, const twx_name_words *name,
                                                 bool first)) {
    twx_map64_done(&l->seen);
    twx_map64_init(&l->seen, 0);
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < l->n; k++) {
        const uint32_t i = l->at[k];
        twx_name_words name = {0};
        uint64_t before = 0;
        twx_names_read(l->names, i, &name);
        const uint64_t key = twx_names_name_key(&name);
        (void)twx_map64_get(&l->seen, key, &before);
        if (before == TEXTS_OF_NAME) continue;
        rc = twx_map64_put(l->cx, &l->seen, key, before + 1);
        if (rc == TWX_OK) rc = fn(l, i, &name, before == 0);
    }
    return rc;
}

static twx_rc count_name(learner *l, uint32_t i, const twx_name_words *name, bool first) {
    (void)i, (void)name;
    l->counted += first;
    return TWX_OK;
}

/* of: hash of the name */
static bool push_words(learner *l, uint32_t of, uint32_t kind, const uint32_t *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!TWX_VEC_PUSH(l->cx, &l->list,
                          learned(twx_names_word_key(l->host, kind, words[i]), of, kind)))
            return false;
    return true;
}

static twx_rc list_name(learner *l, uint32_t i, const twx_name_words *name, bool first) {
    if (twx_mix64(twx_names_name_key(name), 0) % l->step != 0) return TWX_OK;
    twx_name_words text = {0};
    twx_names_read_repeated(l->names, l->node[i], &text);
    const uint32_t of = (uint32_t)twx_names_name_key(name);
    const bool is_short = text.n[TWX_NAME_REPEATED] < TWX_NAME_REPEATED_MAX;
    l->counted += first;
    if (is_short) {
        const uint64_t next = l->short_names.n;
        uint64_t number = 0;
        twx_rc rc = twx_map64_add(l->cx, &l->short_names, twx_names_name_key(name), next, &number);
        if (rc != TWX_OK) return rc;
        l->shorts += number == next;
    }
    return push_words(l, of, TWX_NAME_KEY_WORD, name->title, name->n[TWX_NAME_TITLE]) &&
                   push_words(l, of, TWX_NAME_KEY_WORD, name->heading, name->n[TWX_NAME_HEADING]) &&
                   push_words(l, of, TWX_NAME_KEY_URL, name->url, name->n[TWX_NAME_URL]) &&
                   push_words(l, of, TWX_NAME_KEY_REPEATED, text.repeated,
                              text.n[TWX_NAME_REPEATED]) &&
                   push_words(l, of, TWX_NAME_KEY_LEAD, text.lead, text.n[TWX_NAME_LEAD]) &&
                   push_words(l, of, TWX_NAME_KEY_LEAD, text.number, text.n[TWX_NAME_NUMBER]) &&
                   push_words(l, of, TWX_NAME_KEY_LEAD, text.code, text.n[TWX_NAME_CODE]) &&
                   (!is_short || push_words(l, of, TWX_NAME_KEY_REPEATED_SHORT, text.repeated,
                                            text.n[TWX_NAME_REPEATED]))
               ? TWX_OK
               : TWX_E_NOMEM;
}

/* The number of distinct names (or ends) among equal keys from `from` on. *ret_to: their end. */
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
    const uint32_t kind = word->index;
    const uint64_t all = kind == TWX_NAME_KEY_REPEATED_SHORT ? l->shorts : l->counted;
    if (kind == TWX_NAME_KEY_WORD || kind == TWX_NAME_KEY_URL)
        return names * MILLION >= rules->site_ppm * all;
    return names >= COMMON_MIN && names * MILLION >= rules->common_ppm * all;
}

/* Sorts the list and keeps, in the map, the keys that enough distinct names (or ends) have: `least`
 * or, if it is given, as many as `enough` says. The list is empty then. */
static twx_rc keep_keys(learner *l, twx_map64 *map, size_t least,
                        bool (*enough)(const learner *l, const twx_entry *first, size_t names)) {
    if (!TWX_VEC_RESERVE(l->cx, &l->scratch, l->list.n)) return TWX_E_NOMEM;
    twx_sort_entries(l->list.at, l->scratch.at, l->list.n);
    twx_rc rc = TWX_OK;
    for (size_t from = 0, to; rc == TWX_OK && from < l->list.n; from = to) {
        const twx_entry *first = &l->list.at[from];
        const size_t names = distinct_of(l, from, &to);
        if (names >= least && (!enough || enough(l, first, names)))
            rc = twx_map64_put(l->cx, map, first->key, 1);
    }
    l->list.n = 0;
    return rc;
}

static twx_rc learn_words(learner *l) {
    if (l->n < NAMES_MIN) return TWX_OK;
    l->counted = l->shorts = 0;
    twx_rc rc = each_name(l, count_name);
    if (rc != TWX_OK || l->counted < NAMES_MIN) return rc;
    l->step = 1 + l->counted / (2 * NAMES_SAMPLED);
    l->counted = 0;
    twx_map64_done(&l->short_names);
    twx_map64_init(&l->short_names, 0);
    rc = each_name(l, list_name);
    return rc == TWX_OK ? keep_keys(l, &l->names->common, 1, common_enough) : rc;
}

/* The titles of the host that have `least` or more ends of URLs or, with `pages`, pages. */
static twx_rc keep_titles(learner *l, bool pages, size_t least) {
    for (size_t k = 0; l->n >= least && k < l->n; k++) {
        twx_name_words name = {0};
        twx_names_read(l->names, l->at[k], &name);
        const uint32_t of = pages ? (uint32_t)l->names->page[l->at[k]] : name.tail;
        const uint64_t site = twx_names_site(l->names, l->p, l->p->at.at[l->at[k]].host);
        const uint64_t title = twx_mix64(site, twx_names_shared_key(l->names, &name));
        if (of && !TWX_VEC_PUSH(l->cx, &l->list, learned(title, of, TWX_NAME_KEY_TITLE)))
            return TWX_E_NOMEM;
    }
    return keep_keys(l, &l->names->constant, least, NULL);
}

/* Keeps the names that images of a document state, if its title says nothing. */
static twx_rc keep_shown(learner *l, uint32_t document, uint32_t shown) {
    if (!shown || !twx_names_is_in_url(l->names, l->p, document)) return TWX_OK;
    return twx_map64_put(l->cx, &l->names->shown, twx_mix64(twx_doc_domain(l->p, document), shown),
                         1);
}

/* The folders of the domain that have many titles, and the names of its images. */
static twx_rc learn_trees(learner *l) {
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < l->n; k++) {
        const twx_url_names *url = &l->names->urls[l->at[k]];
        twx_name_words name = {0};
        twx_names_read(l->names, l->at[k], &name);
        const uint32_t title = (uint32_t)twx_names_title_key(&name);
        const uint64_t domain = twx_names_site(l->names, l->p, l->p->at.at[l->at[k]].host);
        for (size_t i = 0; i < url->segments; i++)
            if (!TWX_VEC_PUSH(l->cx, &l->list,
                              learned(twx_mix64(domain, url->name[i]), title, TWX_NAME_KEY_URL)))
                return TWX_E_NOMEM;
        rc = keep_shown(l, l->at[k], name.shown);
    }
    return rc == TWX_OK ? keep_keys(l, &l->names->trees, TITLES_OF_TREE, NULL) : rc;
}

/* Lists the words at both ends of a title, n words at `words`; index: their number. */
static bool list_ends(learner *l, uint64_t site, uint32_t title, const uint32_t *words, size_t n) {
    for (uint32_t k = 1; k < n && k <= TWX_NAME_RUN_MAX; k++)
        if (!TWX_VEC_PUSH(
                l->cx, &l->list,
                learned(twx_names_run_key(site, TWX_NAME_KEY_BEGINS, words, k), title, k)) ||
            !TWX_VEC_PUSH(
                l->cx, &l->list,
                learned(twx_names_run_key(site, TWX_NAME_KEY_ENDS, words + n - k, k), title, k)))
            return false;
    return true;
}

static bool is_own_part(const learner *l, const twx_entry *part, size_t titles) {
    return titles * 100 >= l->longer[part->index] * SHARE_OF_PART;
}

/* The site's own part of the titles of the domain, each distinct one of which is listed once. */
static twx_rc learn_own_parts(learner *l) {
    const uint64_t site = l->n ? twx_names_site(l->names, l->p, l->p->at.at[l->at[0]].host) : 0;
    twx_rc rc = TWX_OK;
    memset(l->longer, 0, sizeof l->longer);
    twx_map64_done(&l->seen);
    twx_map64_init(&l->seen, 0);
    for (size_t k = 0; rc == TWX_OK && k < l->n; k++) {
        twx_name_words name = {0};
        twx_names_read(l->names, l->at[k], &name);
        const twx_title_parts plain = twx_names_plain_title(l->names, &name);
        const uint32_t *words = name.title + plain.begin;
        const size_t n = plain.end - plain.begin;
        const uint64_t title = twx_names_hash(TWX_NAME_KEY_TITLE, words, n), next = l->seen.n;
        uint64_t number = 0;
        rc = twx_map64_add(l->cx, &l->seen, title, next, &number);
        if (rc != TWX_OK || number != next) continue;
        for (size_t i = 1; i < n && i <= TWX_NAME_RUN_MAX; i++) l->longer[i]++;
        if (!list_ends(l, site, (uint32_t)title, words, n)) rc = TWX_E_NOMEM;
    }
    return rc == TWX_OK ? keep_keys(l, &l->names->own_parts, TITLES_OF_PART, is_own_part) : rc;
}

static twx_rc learn_titles(learner *l) {
    const twx_rc rc = keep_titles(l, false, TAILS_CONSTANT);
    return rc == TWX_OK && l->names->page ? keep_titles(l, true, PAGES_CONSTANT) : rc;
}

static twx_rc list_by_host(learner *l) {
    const size_t n = l->p->at.n, hosts = l->p->hosts.n;
    uint32_t end = 0;
    l->docs = twx_malloc(l->cx, (n + 1) * sizeof *l->docs);
    l->ends = twx_calloc(l->cx, hosts + 1, sizeof *l->ends);
    if (!l->docs || !l->ends) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (counts(l, i)) l->ends[l->p->at.at[i].host]++;
    for (size_t h = 0; h < hosts; h++) {
        const uint32_t count = l->ends[h];
        l->ends[h] = end; /* each insertion moves it up */
        end += count;
    }
    for (uint32_t i = 0; i < n; i++)
        if (counts(l, i)) l->docs[l->ends[l->p->at.at[i].host]++] = i;
    return TWX_OK;
}

static int by_domain(const void *left, const void *right, void *arg) {
    const learner *l = arg;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const uint64_t x = l->p->hosts.at[l->p->at.at[a].host].domain_key,
                   y = l->p->hosts.at[l->p->at.at[b].host].domain_key;
    if (x != y) return x < y ? -1 : 1;
    return (a > b) - (a < b);
}

static twx_rc learn_titles_of_domains(learner *l) {
    const size_t n = l->p->hosts.n ? l->ends[l->p->hosts.n - 1] : 0;
    twx_rc rc = TWX_OK;
    qsort_r(l->docs, n, sizeof *l->docs, by_domain, l);
    for (size_t from = 0, to; rc == TWX_OK && from < n; from = to) {
        const uint64_t domain = twx_names_site(l->names, l->p, l->p->at.at[l->docs[from]].host);
        for (to = from + 1;
             to < n && twx_names_site(l->names, l->p, l->p->at.at[l->docs[to]].host) == domain;
             to++)
            continue;
        l->at = l->docs + from;
        l->n = to - from;
        rc = learn_titles(l);
        if (rc == TWX_OK) rc = learn_trees(l);
        if (rc == TWX_OK) rc = learn_own_parts(l);
    }
    return rc;
}

static twx_rc learn_hosts(learner *l) {
    twx_rc rc = list_by_host(l);
    for (uint32_t h = 0, from = 0; rc == TWX_OK && h < l->p->hosts.n; from = l->ends[h++]) {
        l->host = h;
        l->at = l->docs + from;
        l->n = l->ends[h] - from;
        rc = learn_words(l);
        if (rc == TWX_OK && !l->names->rules.own) rc = learn_titles(l);
    }
    if (rc == TWX_OK && l->names->rules.own) rc = learn_titles_of_domains(l);
    twx_free(l->docs);
    twx_free(l->ends);
    return rc;
}

/* Documents by node, ascending. */
static twx_rc list_documents(learner *l) {
    twx_names *names = l->names;
    size_t nodes = names->repeated.n, n = l->p->at.n;
    names->docs_from = twx_calloc(l->cx, nodes + 1, sizeof *names->docs_from);
    names->docs = twx_malloc(l->cx, (n + 1) * sizeof *names->docs);
    if (!names->docs_from || !names->docs) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (counts(l, i)) names->docs_from[l->node[i]]++;
    uint32_t end = 0;
    for (size_t k = 0; k <= nodes; k++) {
        end += names->docs_from[k];
        names->docs_from[k] = end; /* each insertion moves it down */
    }
    for (uint32_t i = (uint32_t)n; i-- > 0;)
        if (counts(l, i)) names->docs[--names->docs_from[l->node[i]]] = i;
    return TWX_OK;
}

/* What is asked of each pair of candidates. */
static twx_rc note_names(learner *l) {
    const size_t n = l->p->at.n;
    uint64_t *formless = twx_calloc(l->cx, n + 1, sizeof *formless);
    uint16_t *marks = twx_calloc(l->cx, n + 1, sizeof *marks);
    if (!formless || !marks) {
        twx_free(formless);
        twx_free(marks);
        return TWX_E_NOMEM;
    }
    size_t titled = 0, counted = 0;
    for (uint32_t i = 0; i < n; i++) {
        twx_name_words name = {0};
        twx_names_read(l->names, i, &name);
        if (l->names->urls)
            marks[i] = (uint16_t)twx_names_trees(l->names, twx_doc_domain(l->p, i),
                                                 &l->names->urls[i]);
        const bool is_titled = name.n[TWX_NAME_TITLE] + name.n[TWX_NAME_HEADING] > 0;
        if (is_titled) marks[i] |= TWX_NAME_TITLED;
        titled += is_titled && counts(l, i);
        counted += counts(l, i);
        formless[i] = twx_names_formless_key(l->names, &name);
        if (twx_names_is_in_url(l->names, l->p, i)) marks[i] |= TWX_NAME_IN_URL;
        l->names->has_shown |= name.shown != 0;
    }
    l->names->has_titles = titled * TITLED_SHARE >= counted;
    l->names->formless = formless;
    l->names->marks = marks;
    return TWX_OK;
}

twx_rc twx_names_learn(twx_ctx *cx, twx_names *names, const twx_doc_table *p, const uint32_t *node,
                       const uint8_t *eligibility) {
    learner l = {.cx = cx, .names = names, .p = p, .node = node, .eligibility = eligibility};
    twx_rc rc = learn_hosts(&l);
    if (rc == TWX_OK) rc = list_documents(&l);
    if (rc == TWX_OK && names->rules.own) rc = note_names(&l);
    if (rc == TWX_OK) rc = twx_names_error(cx, names);
    twx_map64_done(&l.seen);
    twx_map64_done(&l.short_names);
    TWX_VEC_DONE(&l.list);
    TWX_VEC_DONE(&l.scratch);
    return rc;
}
