/* judge/names_keys.h: private to judge/names: the stored names read back, and the keys of a name,
 * of its title and of its words on a host. */
#ifndef TWX_JUDGE_NAMES_KEYS_H
#define TWX_JUDGE_NAMES_KEYS_H

#include "base/hash64.h"
#include "judge/names.h"

/* Seeds that separate the kinds of keys of one map. */
enum {
    TWX_NAME_KEY_TITLE,
    TWX_NAME_KEY_NAME,
    TWX_NAME_KEY_WORD,
    TWX_NAME_KEY_REPEATED,
    TWX_NAME_KEY_REPEATED_SHORT,
    TWX_NAME_KEY_LEAD,
    TWX_NAME_KEY_URL,
    TWX_NAME_KEY_BEGINS, /* of a title */
    TWX_NAME_KEY_ENDS
};

enum { TWX_NAME_RUN_MAX = 4 }; /* words of a site's part of a title */

/* Words [begin, end) of a title are neither versions nor, at its ends, for the form in which the
 * page is shown; those before `from` and from `to` on are the site's own. */
typedef struct twx_title_parts {
    size_t begin, from, to, end;
} twx_title_parts;

/* judge/names_parts.c */
void twx_names_init_forms(twx_names *names);
/* Is it a word for the form in which a page is shown; a word that mirrors and sessions add? Words
 * of titles and repeated ones are. */
bool twx_names_is_form(const twx_names *names, twx_name_part part, uint32_t word);
bool twx_names_is_frame(const twx_names *names, twx_name_part part, uint32_t word);
/* Do the titles differ only in words for the form in which a page is shown? "Storm (print)" equals
 * "Storm", but "print()" differs from "format()". */
bool twx_names_is_form_of(const twx_names *names, const twx_name_words *own,
                          const twx_name_words *other);
/* kind: TWX_NAME_KEY_BEGINS, _ENDS */
uint64_t twx_names_run_key(uint64_t site, uint32_t kind, const uint32_t *words, size_t n);
twx_title_parts twx_names_plain_title(const twx_names *names, const twx_name_words *w);
/* The same with the site's own part, after twx_names_learn(). */
twx_title_parts twx_names_title_parts(const twx_names *names, uint64_t site,
                                      const twx_name_words *w);

static inline bool twx_title_is_of_site(const twx_title_parts *parts, size_t i) {
    return (i >= parts->begin && i < parts->from) || (i >= parts->to && i < parts->end);
}

static inline void twx_names_read(const twx_names *names, uint32_t document, twx_name_words *w) {
    char room[TWX_PIECE_MAX];
    twx_name_unpack(twx_pieces_get(&names->payloads, document, room), w);
}

static inline void twx_names_read_repeated(const twx_names *names, uint32_t node,
                                           twx_name_words *w) {
    char room[TWX_PIECE_MAX];
    twx_repeated_unpack(twx_pieces_get(&names->repeated, node, room), w);
}

static inline uint64_t twx_names_hash(uint64_t seed, const uint32_t *words, size_t n) {
    for (size_t i = 0; i < n; i++) seed = twx_mix64(seed, words[i]);
    return seed;
}

/* The hash of a payload without `shown`, which no other document can contain. */
static inline uint64_t twx_names_hash_of(twx_slice payload) {
    unsigned char packed[TWX_NAME_BYTES];
    twx_name_words w = {0};
    twx_name_unpack(payload, &w);
    w.shown = 0;
    const twx_slice name = {(const char *)packed, twx_name_pack(&w, packed)};
    return twx_hash64(name, TWX_NAME_KEY_NAME);
}

/* The title without its versions, so that copies of another version share the key. */
static inline uint64_t twx_names_title_key(const twx_name_words *w) {
    return twx_names_hash(TWX_NAME_KEY_TITLE, w->title, (size_t)w->n[TWX_NAME_TITLE] - w->versions);
}

/* What distinguishes names: title, headings, and the end of the URL, for uninformative titles. */
static inline uint64_t twx_names_name_key(const twx_name_words *w) {
    return twx_mix64(twx_names_hash(twx_names_title_key(w), w->heading, w->n[TWX_NAME_HEADING]),
                     w->tail);
}

/* Bit i: name i of a URL is a folder with many titles. */
unsigned twx_names_trees(const twx_names *names, uint64_t domain, const twx_url_names *url);

static inline uint64_t twx_names_word_key(uint32_t host, uint64_t kind, uint32_t word) {
    return twx_mix64((uint64_t)host << 32 | word, kind);
}

/* The site on which a title may be uninformative: a host or, with rules.own, a domain, whose hosts
 * have the same pages. */
static inline uint64_t twx_names_site(const twx_names *names, const twx_doc_table *p,
                                      uint32_t host) {
    return names->rules.own ? p->hosts.at[host].domain_key : host;
}

#endif
