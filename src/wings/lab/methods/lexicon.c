#include "lab/lab.h"

/* ==== lexicon */

/* Counting by sorting: each word of each document is an entry (hash, tf, 1). When the buffer is
 * full it is sorted and the entries of a word are combined; when that frees less than half of it,
 * the buffer grows, or goes to disk as a sorted part. The parts are merged at the end. The result
 * does not depend on when that happens, so neither order nor memory affects it.
 *
 * Lookup: hashes are uniformly distributed, so the first bits of a hash give its approximate
 * position in the sorted array. */

enum { BUFFER_MIN = 1 << 8, READ_SHARE = 4, HASH_BITS = 64 };

struct twx_lexicon_maker {
    twx_ctx *cx;
    size_t max_bytes;
    twx_entries entries;
    uint64_t documents, length;
};

/* Adds the counts of an entry to one of the same word. */
static void add_counts(twx_entry *to, const twx_entry *from) {
    to->check += from->check;
    to->index += from->index;
}

twx_rc twx_lexicon_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                              twx_lexicon_maker **ret_maker) {
    const size_t most = max_bytes / (2 * sizeof(twx_entry));
    twx_lexicon_maker *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->cx = cx;
    m->max_bytes = max_bytes;
    m->entries = (twx_entries){.limit = most < BUFFER_MIN ? BUFFER_MIN : most,
                               .folder = folder,
                               .read_bytes = max_bytes / READ_SHARE,
                               .combine = add_counts};
    *ret_maker = m;
    return TWX_OK;
}

void twx_lexicon_maker_close(twx_lexicon_maker *m) {
    if (!m) return;
    twx_entries_done(&m->entries);
    twx_free(m);
}

twx_rc twx_lexicon_maker_add(twx_lexicon_maker *m, const twx_bag *bag) {
    twx_rc rc = TWX_OK;
    m->documents++;
    m->length += bag->length;
    for (size_t i = 0; i < bag->n && rc == TWX_OK; i++)
        rc = twx_entries_add(
            m->cx, &m->entries,
            (twx_entry){.key = bag->at[i].hash, .check = bag->at[i].tf, .index = 1});
    return rc;
}

/* Bits of the index of starts, which has about as many starts as there are words. */
static unsigned bits_for(size_t words) {
    unsigned bits = 1;
    while ((size_t)1 << bits < words) bits++;
    return bits;
}

/* Memory of a lexicon of so many words. */
static size_t bytes_for(size_t words) {
    return words * sizeof(twx_entry) + (((size_t)1 << bits_for(words)) + 1) * sizeof(uint32_t);
}

/* Adds a word of two or more documents; only counts it if there is no room. */
static void take_word(twx_lexicon *l, size_t room, const twx_entry *word) {
    if (word->index < 2) return;
    if (l->n < room) l->words[l->n] = *word;
    l->n++;
}

/* The largest number of words that fits in so many bytes. */
static size_t words_in(size_t bytes) {
    size_t low = 1, high = bytes / sizeof(twx_entry) + 1;
    TWX_BISECT(low, high, bytes_for(middle) <= bytes);
    return low - 1;
}

/* Merges the entries of each word. Without parts on disk their array becomes the lexicon's words;
 * l->n may exceed the room of those that come from disk. */
static twx_rc take_words(twx_lexicon_maker *m, twx_lexicon *l) {
    twx_entries *e = &m->entries;
    twx_entry word = {0}, next;
    twx_rc rc = twx_entries_sort(m->cx, e);
    if (rc != TWX_OK) return rc;
    size_t room = e->on_disk ? words_in(m->max_bytes - e->read_bytes) : e->at.n;
    if (e->on_disk && room > e->written) room = e->written;
    l->words = e->on_disk ? twx_calloc(m->cx, room, sizeof *l->words) : e->at.at;
    if (e->on_disk && !l->words) return TWX_E_NOMEM;
    while ((rc = twx_entries_next(e, &next)) == TWX_OK) {
        if (next.key == word.key && word.index > 0) {
            add_counts(&word, &next);
            continue;
        }
        take_word(l, room, &word);
        word = next;
    }
    take_word(l, room, &word);
    e->at.at = NULL; /* ownership moved */
    e->at.n = e->at.cap = 0;
    if (rc != TWX_DONE) return rc;
    if (l->n <= room) return TWX_OK;
    return twx_fail(m->cx, TWX_E_LIMIT,
                    "the lexicon of %zu words that two or more documents have needs %zu bytes, but "
                    "its share of run.memory is %zu: raise run.memory",
                    l->n, bytes_for(l->n) / (READ_SHARE - 1) * READ_SHARE, m->max_bytes);
}

static size_t start_of(const twx_lexicon *l, uint64_t hash) {
    return (size_t)(hash >> (HASH_BITS - l->bits));
}

static twx_rc make_starts(twx_ctx *cx, twx_lexicon *l) {
    l->bits = bits_for(l->n);
    const size_t count = ((size_t)1 << l->bits) + 1;
    if (l->n > UINT32_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "a lexicon of %zu words is too large", l->n);
    l->starts = twx_calloc(cx, count, sizeof *l->starts);
    if (!l->starts) return TWX_E_NOMEM;
    for (size_t t = 0, i = 0; t < count; t++) {
        while (i < l->n && start_of(l, l->words[i].key) < t) i++;
        l->starts[t] = (uint32_t)i;
    }
    return TWX_OK;
}

twx_rc twx_lexicon_make(twx_lexicon_maker *m, twx_lexicon **ret_lexicon) {
    twx_lexicon *l = twx_calloc(m->cx, 1, sizeof *l);
    if (!l) return TWX_E_NOMEM;
    twx_rc rc = take_words(m, l);
    if (rc != TWX_OK) goto out;
    if (l->words) {
        /* releases the memory of dropped words */
        twx_entry *words = twx_realloc(m->cx, l->words, l->n ? l->n : 1, sizeof *words);
        rc = words ? TWX_OK : TWX_E_NOMEM;
        if (words) l->words = words;
    }
    l->documents = m->documents;
    l->length = m->length;
    if (rc == TWX_OK) rc = make_starts(m->cx, l);
    if (rc != TWX_OK) goto out;
    uint64_t mixed = twx_mix64(l->documents, l->length);
    for (size_t i = 0; i < l->n; i++) {
        const twx_entry *word = &l->words[i];
        mixed = twx_mix64(mixed, twx_mix64(word->key, twx_mix64(word->index, word->check)));
    }
    l->fingerprint = mixed;
out:
    TWX_HAND_OVER(rc, ret_lexicon, l, twx_lexicon_close(l));
    return rc;
}

void twx_lexicon_close(twx_lexicon *l) {
    if (!l) return;
    twx_free(l->words);
    twx_free(l->starts);
    twx_free(l);
}

twx_word_stats twx_lexicon_find(const twx_lexicon *l, const twx_bag_word *word) {
    const size_t start = start_of(l, word->hash);
    size_t from = l->starts[start], to = l->starts[start + 1];
    /* nearly always zero or one step; crafted words may share their first bits */
    TWX_BISECT(from, to, l->words[middle].key < word->hash);
    if (from < l->starts[start + 1] && l->words[from].key == word->hash)
        return (twx_word_stats){.df = l->words[from].index, .cf = l->words[from].check};
    return (twx_word_stats){.df = 1, .cf = word->tf};
}

/* ==== collection */

struct twx_collection_maker {
    twx_ctx *cx;
    /* NULL: not needed */
    twx_lexicon_maker *lexicon;
    twx_term_selection_maker *term_selection;
    twx_link_scores_maker *link_scores;
    twx_boilerplate_maker *boilerplate;
};

static void close_maker(twx_collection_maker *m) {
    if (!m) return;
    twx_lexicon_maker_close(m->lexicon);
    twx_term_selection_maker_close(m->term_selection);
    twx_link_scores_maker_close(m->link_scores);
    twx_boilerplate_maker_close(m->boilerplate);
    twx_free(m);
}

static twx_rc open_maker(twx_ctx *cx, unsigned needs, size_t max_bytes,
                         twx_collection_maker **ret_maker) {
    const size_t parts = (size_t)__builtin_popcount(needs), share = parts ? max_bytes / parts : 0;
    twx_rc rc = TWX_OK;
    twx_collection_maker *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->cx = cx;
    if (needs & TWX_NEED_LEXICON) rc = twx_lexicon_maker_open(cx, share, NULL, &m->lexicon);
    if (rc == TWX_OK && needs & TWX_NEED_TERM_SELECTION)
        rc = twx_term_selection_maker_open(cx, share, &m->term_selection);
    if (rc == TWX_OK && needs & TWX_NEED_LINK_SCORES)
        rc = twx_link_scores_maker_open(cx, share, &m->link_scores);
    if (rc == TWX_OK && needs & TWX_NEED_BOILERPLATE)
        rc = twx_boilerplate_maker_open(cx, share, NULL, &m->boilerplate);
    TWX_HAND_OVER(rc, ret_maker, m, close_maker(m));
    return rc;
}

static twx_rc add_document(twx_collection_maker *m, twx_workspace *w, const twx_document *doc) {
    const twx_url *url = doc->url && doc->url->fault == TWX_URL_OK ? doc->url : NULL;
    twx_bag bag;
    twx_rc rc = TWX_OK;
    if (m->lexicon || m->term_selection || m->link_scores)
        rc = twx_bag_of(m->cx, w, doc->text, &bag);
    if (rc == TWX_OK && m->lexicon) rc = twx_lexicon_maker_add(m->lexicon, &bag);
    if (rc == TWX_OK && m->term_selection)
        rc = twx_term_selection_maker_add(m->term_selection, &bag);
    if (rc == TWX_OK && m->link_scores && url)
        rc = twx_link_scores_maker_document(m->link_scores, url->whole, &bag);
    if (rc == TWX_OK && m->boilerplate && url)
        rc = twx_boilerplate_maker_add(m->boilerplate, twx_workspace_scratch(w), url->host,
                                       doc->text);
    return rc;
}

static twx_rc add_link(twx_collection_maker *m, twx_slice from_url, twx_slice to_url) {
    return m->link_scores ? twx_link_scores_maker_link(m->link_scores, from_url, to_url) : TWX_OK;
}

static twx_rc make(twx_collection_maker *m, twx_collection *ret_collection) {
    twx_collection c = {.by = &TWX_COLLECTING};
    twx_rc rc = TWX_OK;
    if (m->lexicon) rc = twx_lexicon_make(m->lexicon, &c.lexicon);
    if (rc == TWX_OK && m->term_selection)
        rc = twx_term_selection_make(m->term_selection, &c.term_selection);
    if (rc == TWX_OK && m->link_scores) rc = twx_link_scores_make(m->link_scores, &c.link_scores);
    if (rc == TWX_OK && m->boilerplate) rc = twx_boilerplate_make(m->boilerplate, &c.boilerplate);
    if (rc != TWX_OK) {
        twx_collection_done(&c);
        return rc;
    }
    c.n_links = c.link_scores ? c.link_scores->links : 0;
    const uint64_t words = c.lexicon ? c.lexicon->fingerprint : 0,
                   selected = c.term_selection ? c.term_selection->fingerprint : 0,
                   links = c.link_scores ? c.link_scores->fingerprint : 0,
                   boilerplate = c.boilerplate ? c.boilerplate->fingerprint : 0;
    c.fingerprint = twx_mix64(twx_mix64(words, selected), twx_mix64(links, boilerplate));
    *ret_collection = c;
    return TWX_OK;
}

static void done(twx_collection *c) {
    twx_lexicon_close(c->lexicon);
    twx_term_selection_close(c->term_selection);
    twx_link_scores_close(c->link_scores);
    twx_boilerplate_close(c->boilerplate);
}

const twx_collecting TWX_COLLECTING = {
    .open = open_maker,
    .add = add_document,
    .add_link = add_link,
    .make = make,
    .close = close_maker,
    .done = done,
};

/* ==== word_basis */

const twx_lexicon *twx_lexicon_of(const twx_params *params) {
    const twx_lexicon *l = params->collection ? params->collection->lexicon : NULL;
    return l && l->length > 0 ? l : NULL;
}

uint64_t twx_words_fingerprint(const twx_params *params) {
    (void)params;
    return twx_mix64(TWX_CHAR_CLASS_VERSION, TWX_STOP_WORDS_VERSION);
}

/* ==== word_lists */

/* Each word of a text belongs to one of a few lists, chosen by its hash. The set of words of a list
 * gives a key, and one equal list makes two texts candidates: a change that does not affect one of
 * the lists is tolerated. Words are those of bag. Source: Pugh and Henzinger, US 6 658 423.
 *
 * The patent leaves the number of lists open. Lists of two or three words are often equal by
 * chance, so there are at most 8 lists, and fewer in texts of few distinct words: the largest power
 * of two, at least one, for which a list has LIST_WORDS words on average. If there are several
 * lists, one with fewer than LIST_WORDS_MIN words gives no key. A text with several lists and less
 * than twice the words that 8 lists require also has the keys of half as many lists, each the union
 * of two neighbours, so that it can share a key with a duplicate that is short enough to have only
 * those. Such keys are equal only if the finer ones are, too. Record: at most 12 keys (192 bytes),
 * no payload. */

enum {
    LISTS_LOG = 3,
    LISTS_MAX = 1 << LISTS_LOG,
    LIST_WORDS = 8,
    LIST_WORDS_MIN = 6,
    SHORT_UNITS = 3 /* words of at most this many UTF-16 units are not in the bag */
};

/* The sums of the words' hashes under two seeds: a set has one sum, and the sum of a union is the
 * sum of both. */
typedef struct list {
    uint64_t sum, check;
    size_t words;
} list;

/* Sums do not depend on order, so the table of words suffices; a bag would sort them. */
static void fill_lists(const twx_word_counts *counts, list lists[LISTS_MAX]) {
    twx_word word;
    for (size_t at = 0; twx_word_counts_next(counts, 1, &at, &word);) {
        char bytes[TWX_WORD_SHORT];
        const twx_slice text = word.long_text.p ? word.long_text
                                                : (twx_slice){bytes, twx_word_length(&word)};
        if (!word.long_text.p) (void)twx_word_put(&word, bytes);
        if (!twx_bag_takes(text)) continue;
        const uint64_t hash = twx_bag_hash(text), sum = twx_mix64(hash, 1);
        list *l = &lists[sum >> (64 - LISTS_LOG)];
        l->sum += sum;
        l->check += twx_mix64(hash, 2);
        l->words++;
    }
}

static void halve(list lists[LISTS_MAX], size_t n) {
    for (size_t i = 0; i < n / 2; i++) {
        const list a = lists[2 * i], b = lists[2 * i + 1];
        lists[i] = (list){a.sum + b.sum, a.check + b.check, a.words + b.words};
    }
}

static twx_rc add_keys(twx_ctx *cx, const list *lists, size_t n, twx_signature *signature) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; i < n && rc == TWX_OK; i++) {
        if (lists[i].words < (n > 1 ? LIST_WORDS_MIN : 1)) continue;
        rc = twx_signature_add(cx, (twx_key){twx_mix64(lists[i].sum, n + i), lists[i].check},
                               signature);
    }
    return rc;
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    (void)params;
    list lists[LISTS_MAX] = {{0}};
    size_t n = LISTS_MAX, words = 0;
    /* the bag is empty */
    if (doc->text.n == 0 || doc->text.n > TWX_WORD_COUNTS_TEXT_MAX) return TWX_OK;
    const twx_word_counts *counts = NULL;
    twx_rc rc = twx_workspace_count(cx, w, doc->text, SHORT_UNITS, &counts);
    if (rc != TWX_OK) return rc;
    fill_lists(counts, lists);
    for (size_t i = 0; i < LISTS_MAX; i++) words += lists[i].words;
    for (; n > 1 && words < n * LIST_WORDS; n /= 2) halve(lists, n);
    rc = add_keys(cx, lists, n, ret_signature);
    if (rc != TWX_OK || n == 1 || words >= 2 * LISTS_MAX * LIST_WORDS) return rc;
    halve(lists, n);
    return add_keys(cx, lists, n / 2, ret_signature);
}

const twx_detector TWX_DETECTOR_WORD_LISTS = {
    .name = "word_lists",
    .summary = "texts that agree in one of eight parts of their vocabulary",
    .source = "Pugh and Henzinger, US patent 6 658 423",
    .id = 25,
    .version = 1,
    TWX_TEXT_ROW,
    .fingerprint = twx_words_fingerprint,
    .sign = sign,
};
