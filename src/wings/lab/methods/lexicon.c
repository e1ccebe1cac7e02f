/* Counting by sorting: each word of each document is an entry (hash, tf, 1). When the buffer is
 * full it is sorted and the entries of a word are combined; when that frees less than half of it,
 * the buffer grows, or goes to disk as a sorted part. The parts are merged at the end. The result
 * does not depend on when that happens, so neither order nor memory affects it.
 *
 * Lookup: hashes are uniformly distributed, so the first bits of a hash give its approximate
 * position in the sorted array. */
#include "lab/methods/lexicon.h"

#include "base/alloc.h"
#include "base/hash64.h"
#include "group/external_sort.h"

enum { BUFFER_FIRST = 1 << 12, BUFFER_MIN = 1 << 8, READ_SHARE = 4, HASH_BITS = 64 };

struct twx_lexicon {
    twx_entry *words; /* key: hash; check: cf; index: df */
    size_t n;
    /* starts[t]: the first word whose hash begins with t or more; one more at the end */
    uint32_t *starts;
    unsigned bits;
    uint64_t documents, length, fingerprint;
};

struct twx_lexicon_maker {
    twx_ctx *cx;
    const char *folder;
    size_t max_bytes;
    twx_entry *buffer, *scratch; /* of `room` entries each */
    size_t n, room, room_max;
    twx_external_sort *on_disk; /* NULL: nothing is on disk */
    size_t on_disk_n;           /* entries */
    uint64_t documents, length;
};

twx_rc twx_lexicon_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                              twx_lexicon_maker **ret_maker) {
    twx_lexicon_maker *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->cx = cx;
    m->folder = folder;
    m->max_bytes = max_bytes;
    m->room_max = max_bytes / (2 * sizeof *m->buffer);
    if (m->room_max < BUFFER_MIN) m->room_max = BUFFER_MIN;
    *ret_maker = m;
    return TWX_OK;
}

void twx_lexicon_maker_close(twx_lexicon_maker *m) {
    if (!m) return;
    twx_external_sort_close(m->on_disk);
    twx_free(m->buffer);
    twx_free(m->scratch);
    twx_free(m);
}

/* Adds the counts of an entry to one of the same word. */
static void add_counts(twx_entry *to, const twx_entry *from) {
    to->check += from->check;
    to->index += from->index;
}

/* Sorts the buffer and combines the entries of each word. */
static void combine(twx_lexicon_maker *m) {
    size_t kept = 0;
    if (m->n == 0) return;
    twx_sort_entries(m->buffer, m->scratch, m->n);
    for (size_t i = 1; i < m->n; i++) {
        if (m->buffer[i].key == m->buffer[kept].key)
            add_counts(&m->buffer[kept], &m->buffer[i]);
        else
            m->buffer[++kept] = m->buffer[i];
    }
    m->n = kept + 1;
}

static twx_rc grow(twx_lexicon_maker *m) {
    size_t room = m->room ? m->room * 2 : BUFFER_FIRST;
    if (room > m->room_max) room = m->room_max;
    twx_free(
        m->scratch); /* before the buffer grows, because both together would exceed the limit */
    m->scratch = NULL;
    twx_entry *buffer = twx_realloc(m->cx, m->buffer, room, sizeof *buffer);
    if (!buffer) return TWX_E_NOMEM;
    m->buffer = buffer;
    m->scratch = twx_calloc(m->cx, room, sizeof *m->scratch);
    if (!m->scratch) return TWX_E_NOMEM;
    m->room = room;
    return TWX_OK;
}

static twx_rc to_disk(twx_lexicon_maker *m) {
    twx_rc rc = m->on_disk ? TWX_OK : twx_external_sort_open(m->cx, m->folder, &m->on_disk);
    if (rc == TWX_OK) rc = twx_external_sort_part(m->on_disk, m->buffer, m->n);
    if (rc != TWX_OK) return rc;
    m->on_disk_n += m->n;
    m->n = 0;
    return TWX_OK;
}

/* Makes room in a full buffer. */
static twx_rc make_room(twx_lexicon_maker *m) {
    if (m->room > 0) combine(m);
    if (m->room > 0 && m->n <= m->room / 2) return TWX_OK;
    return m->room < m->room_max ? grow(m) : to_disk(m);
}

twx_rc twx_lexicon_maker_add(twx_lexicon_maker *m, const twx_bag *bag) {
    m->documents++;
    m->length += bag->length;
    for (size_t i = 0; i < bag->n; i++) {
        if (m->n == m->room) {
            twx_rc rc = make_room(m);
            if (rc != TWX_OK) return rc;
        }
        m->buffer[m->n++] = (twx_entry){.key = bag->at[i].hash, .check = bag->at[i].tf, .index = 1};
    }
    return TWX_OK;
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

/* Without parts on disk the buffer becomes the lexicon's words. */
static void from_buffer(twx_lexicon_maker *m, twx_lexicon *l) {
    combine(m);
    l->words = m->buffer;
    for (size_t i = 0; i < m->n; i++) take_word(l, m->n, &m->buffer[i]);
    m->buffer = NULL;
}

/* Merges the words of all parts; l->n may exceed room at the end. */
static twx_rc merge(twx_lexicon_maker *m, twx_lexicon *l, size_t room) {
    twx_entry word = {0}, next;
    twx_rc rc;
    while ((rc = twx_external_sort_next(m->on_disk, &next)) == TWX_OK) {
        if (next.key == word.key && word.index > 0) {
            add_counts(&word, &next);
            continue;
        }
        take_word(l, room, &word);
        word = next;
    }
    take_word(l, room, &word);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The largest number of words that fits in so many bytes. */
static size_t words_in(size_t bytes) {
    size_t low = 0, high = bytes / sizeof(twx_entry);
    while (low < high) {
        size_t middle = high - (high - low) / 2;
        if (bytes_for(middle) <= bytes)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static twx_rc from_disk(twx_lexicon_maker *m, twx_lexicon *l) {
    const size_t read_bytes = m->max_bytes / READ_SHARE;
    size_t room = words_in(m->max_bytes - read_bytes);
    combine(m);
    twx_rc rc = to_disk(m);
    twx_free(m->buffer);
    twx_free(m->scratch);
    m->buffer = m->scratch = NULL;
    if (room > m->on_disk_n) room = m->on_disk_n;
    if (rc == TWX_OK) rc = twx_external_sort_rewind(m->on_disk, read_bytes);
    if (rc != TWX_OK) return rc;
    l->words = twx_calloc(m->cx, room, sizeof *l->words);
    if (!l->words) return TWX_E_NOMEM;
    rc = merge(m, l, room);
    if (rc != TWX_OK || l->n <= room) return rc;
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

static uint64_t fingerprint_of(const twx_lexicon *l) {
    uint64_t mixed = twx_mix64(l->documents, l->length);
    for (size_t i = 0; i < l->n; i++) {
        const twx_entry *word = &l->words[i];
        mixed = twx_mix64(mixed, twx_mix64(word->key, twx_mix64(word->index, word->check)));
    }
    return mixed;
}

twx_rc twx_lexicon_make(twx_lexicon_maker *m, twx_lexicon **ret_lexicon) {
    twx_lexicon *l = twx_calloc(m->cx, 1, sizeof *l);
    if (!l) return TWX_E_NOMEM;
    twx_rc rc = TWX_OK;
    if (m->on_disk)
        rc = from_disk(m, l);
    else
        from_buffer(m, l);
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
    l->fingerprint = fingerprint_of(l);
    *ret_lexicon = l;
    l = NULL;
out:
    twx_lexicon_close(l);
    return rc;
}

void twx_lexicon_close(twx_lexicon *l) {
    if (!l) return;
    twx_free(l->words);
    twx_free(l->starts);
    twx_free(l);
}

uint64_t twx_lexicon_documents(const twx_lexicon *l) {
    return l->documents;
}

uint64_t twx_lexicon_words(const twx_lexicon *l) {
    return l->n;
}

uint64_t twx_lexicon_length(const twx_lexicon *l) {
    return l->length;
}

static twx_word_stats stats_of(const twx_entry *word) {
    return (twx_word_stats){.df = word->index, .cf = word->check};
}

twx_word_stats twx_lexicon_find(const twx_lexicon *l, const twx_bag_word *word) {
    const size_t start = start_of(l, word->hash);
    size_t from = l->starts[start], to = l->starts[start + 1];
    while (to >
           from) { /* nearly always zero or one step; crafted words may share their first bits */
        const size_t middle = from + (to - from) / 2;
        const uint64_t hash = l->words[middle].key;
        if (hash == word->hash) return stats_of(&l->words[middle]);
        if (hash < word->hash)
            from = middle + 1;
        else
            to = middle;
    }
    return (twx_word_stats){.df = 1, .cf = word->tf};
}

uint64_t twx_lexicon_at(const twx_lexicon *l, size_t i, twx_word_stats *ret_stats) {
    *ret_stats = stats_of(&l->words[i]);
    return l->words[i].key;
}

uint64_t twx_lexicon_fingerprint(const twx_lexicon *l) {
    return l->fingerprint;
}
