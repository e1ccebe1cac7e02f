/* judge/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include judge/judge.h. */
#ifndef TWX_JUDGE_INTERNAL_H
#define TWX_JUDGE_INTERNAL_H

#include "judge/judge.h"

/* names_keys: private to judge/names: the stored names read back, and the keys of a name,
 * of its title and of its words on a host. */

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

/* Is it a word for the form in which a page is shown; a word that mirrors and sessions add? Words
 * of titles and repeated ones are. */
/* kind: TWX_NAME_KEY_BEGINS, _ENDS */
uint64_t twx_names_run_key(uint64_t site, uint32_t kind, const uint32_t *words, size_t n);
twx_title_parts twx_names_plain_title(const twx_names *names, const twx_name_words *w);

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

/* The title without its versions, so that copies of another version share the key. */
static inline uint64_t twx_names_title_key(const twx_name_words *w) {
    return twx_names_hash(TWX_NAME_KEY_TITLE, w->title, (size_t)w->n[TWX_NAME_TITLE] - w->versions);
}

/* The title by which pages are counted that share one: with texts as proof, "[Archive] Ferries" is
 * that of "Ferries". */
uint64_t twx_names_shared_key(const twx_names *names, const twx_name_words *w);

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

/* objections: private to judge/proof: which blocks of a difference object to a copy.
 * Words that are substituted do. A few words inside a sentence may turn it round, a clause adds to
 * it. A passage inside the text of one document is missing in the other; on another host it may be
 * a banner, if it is short or stands before or after all else. */

/* pinned (pins.c): groups and clusters that obey pins.
 * The members that relations join are joined again, one by one, best first. A union is refused when
 * a pin forbids it: when it would contain two separated documents, or a kept document that is not
 * its best. A refused member tries the next part of its group, or starts a new one.
 * [R1] No set contains a separated pair, through whatever chain of relations.
 * [R2] A kept document is its own representative in every group and cluster.
 * [R3] The groups of the relations that the verdict joins are divided like the clusters, so the
 * best document of a cluster is the best of each of its groups.
 * [R4] Only the documents, their keys and the pins matter: relations are processed in their order,
 * documents by rank. Of several documents with a kept URL, the best one is kept.
 * Cost: linear in the documents; sets with pinned documents are compared pin by pin. */

typedef struct twx_pinning {
    const twx_pins *pins;
    const twx_grouping *how; /* how->p->pinned is not NULL */
} twx_pinning;

/* Joins the groups of n relations, in this order, to clusters, as far as the pins allow. */
TWX_CHECK twx_rc twx_pinned_join(twx_ctx *cx, const twx_pinning *pinning,
                                 const twx_groups *const *parts, size_t n, twx_groups *ret_groups);
/* Divides the groups of a relation as the clusters are divided. */
TWX_CHECK twx_rc twx_pinned_divide(twx_ctx *cx, const twx_pinning *pinning,
                                   const twx_groups *groups, const twx_groups *clusters,
                                   twx_groups *ret_groups);

/* The words of an edition that titles have: of "v2.0-rc1" also "2.0" and "rc1". Their number. */
enum { TWX_EDITION_WORDS_MAX = 2 * TWX_EDITION_TEXT_MAX + 3 };
size_t twx_edition_words(const char *text, uint32_t ret_words[TWX_EDITION_WORDS_MAX]);
/* Compares two titles without versions and the n words `without`. UNKNOWN: one of them has no
 * others. CONTAINED: but for the site's own part, one is a run of words of the other. */
typedef enum twx_titles {
    TWX_TITLES_UNKNOWN,
    TWX_TITLES_DIFFER,
    TWX_TITLES_CONTAINED,
    TWX_TITLES_EQUAL
} twx_titles;
twx_titles twx_names_agree_without(const twx_names *names, const twx_doc_table *p, uint32_t a,
                                   uint32_t b, const uint32_t *without, size_t n);

/* editions: what judge.c asks of editions (judge.h). */

/* memory: bytes for sorting. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_editions_begin(twx_ctx *cx, twx_editions *e, size_t memory);
void twx_editions_done(twx_editions *e);
/* Adds the places of a document's normal URL. pins: NULL if there are none. Errors TWX_E_NOMEM,
 * those of temporary files */
TWX_CHECK twx_rc twx_editions_add(twx_ctx *cx, twx_editions *e, const twx_pins *pins,
                                  uint32_t document, twx_slice url);
/* Sorts the members and releases what was loaded, once editions are found. */
void twx_editions_loaded(twx_editions *e);
/* NULL: it has no other edition. */
const twx_edition_member *twx_edition_member_of(const twx_editions *e, uint32_t document);
/* Makes j->editions from what was loaded, and sets TWX_DOC_EDITION. how: its rank is not used.
 * Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_editions_find(twx_ctx *cx, twx_doc_set *j, const twx_grouping *how);

#endif
