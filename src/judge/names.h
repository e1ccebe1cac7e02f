/* judge/names.h: decides whether a document may be hidden by another with nearly the same text:
 * only if the other contains its name.
 *
 * The name of a document is in the payloads of sign/name_words.h. It demands
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
 * With TWX_VERSIONS_NEWEST a title that differs in its version only is contained in the one with
 * the newer version.
 * Memory: embedded struct; twx_names_done(). Payloads beyond the limit are in temporary files. */
#ifndef TWX_JUDGE_NAMES_H
#define TWX_JUDGE_NAMES_H

#include "group/pieces.h"
#include "judge/doc_table.h"
#include "sign/name_words.h"
#include "url/url_form.h"

/* What proves that near-duplicates are copies (copy.proof). */
typedef enum twx_proofs { TWX_PROOF_TEXT, TWX_PROOF_NAMES } twx_proofs;
typedef enum twx_versions { TWX_VERSIONS_SEPARATE, TWX_VERSIONS_NEWEST } twx_versions;

typedef struct twx_name_rules {
    twx_versions versions;
    uint32_t common_ppm; /* a word that this share of a host's names repeat is not part of a name */
    uint32_t site_ppm;   /* a title word in this share of a host's names is the site's own */
    /* each document is asked for its own name, not for those of all documents with its text, and
     * the words of texts and URLs are compared themselves (judge/proof.h) */
    bool own;
    const uint32_t *ignored; /* words that are never part of a name (twx_name_word), borrowed */
    size_t n_ignored;
} twx_name_rules;

enum { TWX_NAME_FORMS = 74, TWX_NAME_FRAMES = 8 };

typedef struct twx_names {
    twx_name_rules rules; /* set before loading */
    /* twx_name_word() of words for the form in which a page is shown, and of words that mirrors,
     * caches and sessions add to a page */
    uint32_t forms[TWX_NAME_FORMS], frames[TWX_NAME_FRAMES];
    /* by document: the key of its page, and the names in its URL (url/url_form.h), for
     * twx_names_learn(); NULL: not known. Borrowed. */
    const uint64_t *page;
    const twx_url_names *urls;
    /* Filled while loading */
    twx_pieces payloads; /* of the names, by document; empty: it has none */
    twx_pieces repeated; /* payloads by node of judge/near.h */
    /* Names of nodes whose keys were added: by node the document that has the first one,
     * TWX_NO_DOCUMENT for none; the others in `keyed`, by mix(node, hash of the payload) */
    TWX_VEC(uint32_t) first;
    twx_map64 keyed;
    /* Made by twx_names_learn() */
    twx_map64 common; /* mix(host, word) of words that are common there */
    /* mix(host, title) of titles shared by documents with several URLs; with rules.own
     * mix(registrable domain, title) */
    twx_map64 constant;
    /* with rules.own: the words at the ends of titles that are the site's own, names_keys.h */
    twx_map64 own_parts;
    twx_map64 trees; /* mix(domain, name in a URL) of folders with many titles */
    twx_map64 shown; /* mix(domain, shown) of its documents whose titles say nothing */
    /* with rules.own, by document: twx_names_formless_key() */
    uint64_t *formless;
    uint16_t *marks;     /* with rules.own, by document: twx_name_mark */
    bool has_shown;      /* images or structured data of some document state names */
    uint32_t *docs_from; /* by node: its documents in `docs`; one more at the end */
    uint32_t *docs;
} twx_names;

/* What pairs of documents are asked often. */
typedef enum twx_name_mark {
    TWX_NAME_TREES = 0x7F,       /* bit i: name i of its URL is a folder with many titles */
    TWX_NAME_VERSIONED = 1 << 7, /* its title has a version */
    TWX_NAME_TITLED = 1 << 8,    /* it has a title or headings */
    TWX_NAME_IN_URL = 1 << 9     /* twx_names_is_in_url() */
} twx_name_mark;

/* The last one is that of the headings. */
enum { TWX_NAME_KEYS_MAX = 5 };

/* memory: bytes for the payloads. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_names_init(twx_ctx *cx, twx_names *names, size_t memory);
void twx_names_done(twx_names *names);

/* The repeated words of the next node: called once for each, in order. */
TWX_CHECK twx_rc twx_names_add_text(twx_ctx *cx, twx_names *names, twx_slice repeated);
/* Adds the name of the next document, absent: it has none, and returns the keys that a copy of the
 * node shares with it: *ret_n of ret_keys, 0 when the node has them already. node: of its text,
 * TWX_NO_DOCUMENT: none. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_names_add(twx_ctx *cx, twx_names *names, uint32_t node, twx_slice name,
                               uint64_t ret_keys[TWX_NAME_KEYS_MAX], size_t *ret_n);
/* The keys that a copy of a text shares with it, from its name and its repeated words; returns
 * their number. */
size_t twx_names_keys(const twx_name_words *name, const twx_name_words *text,
                      uint64_t ret_keys[TWX_NAME_KEYS_MAX]);
/* Ends loading: releases what is only needed by twx_names_add(). */
void twx_names_loaded(twx_names *names);
/* Learns the common words. node: by document; eligibility: twx_eligibility by
 * document. */
TWX_CHECK twx_rc twx_names_learn(twx_ctx *cx, twx_names *names, const twx_doc_table *p,
                                 const uint32_t *node, const uint8_t *eligibility);

/* One word that a document demands. */
typedef struct twx_demand {
    uint32_t word;
    uint8_t part;   /* twx_name_part */
    uint8_t weight; /* of a repeated word */
    bool is_version, is_proper;
    /* of the site, as most of its names have it: demanded from documents of other domains only */
    bool is_common;
    bool is_of_site; /* one of its own words at an end of its titles: of the same domain only */
} twx_demand;

enum { TWX_DEMANDS_MAX = 64 };

/* The demands of all documents of a node together. unlimited: they have so many names that no
 * document contains them all; constant_title: the title is uninformative. */
typedef struct twx_demands {
    twx_demand at[TWX_DEMANDS_MAX];
    size_t n;
    uint32_t node;
    bool unlimited;
    bool constant_title;
    bool is_short;       /* the text is too short to prove anything: set by the caller */
    twx_name_words best; /* of the best document */
    const twx_doc_table *p;
    uint64_t domain; /* of the best document */
} twx_demands;

/* best: the best document of the node. */
void twx_names_demands(const twx_names *names, const twx_doc_table *p, uint32_t node, uint32_t best,
                       twx_demands *ret_demands);
/* Does the node whose best document is `best` offer all that is demanded? [R1] With rules.own only
 * what the title and the headings demand. *ret_missing, when not NULL: the first unmet demand; word
 * 0: the order of the title's words, or too many names. */
bool twx_names_contain(const twx_names *names, uint32_t node, uint32_t best,
                       const twx_demands *demands, twx_demand *ret_missing);
/* Does it offer what the text demands? */
bool twx_names_text_contains(const twx_names *names, uint32_t node, uint32_t best,
                             const twx_demands *demands, twx_demand *ret_missing);
/* Are the names in the URLs of two documents those of one page? One lacks names that the other has,
 * or they differ in folders with many titles: parallel trees, such as two editions of a manual. */
bool twx_names_urls_agree(const twx_names *names, uint32_t a, uint32_t b);
/* Is the name of a document in its URL only: it has neither title nor headings, or a title that
 * says nothing? */
bool twx_names_is_in_url(const twx_names *names, const twx_doc_table *p, uint32_t document);
/* The name of a document, which may have none. */
void twx_names_unpack(const twx_names *names, uint32_t document, twx_name_words *ret_name);
/* A hash of a name's title, headings and end of the URL; 0: it has no title. */
uint64_t twx_names_key_of(const twx_name_words *name);
/* The same hash without words for the form in which a page is shown: "[Archive] Ferries" and
 * "Ferries" have one. */
uint64_t twx_names_formless_key(const twx_names *names, const twx_name_words *name);
/* Are the titles of two documents equal except for their versions, and is that of `newer` not
 * older? Never unless rules.versions is TWX_VERSIONS_NEWEST. */
bool twx_names_newer(const twx_names *names, uint32_t newer, uint32_t older);
/* What documents with one text have in common if they have one name: the hash of title and
 * headings, and of the names that its images and structured data state. 0: it has none of them. */
uint64_t twx_names_identity(const twx_names *names, uint32_t document);
/* Do the images and structured data of both documents state names, but other ones? If the texts
 * differ, the banner of a mirror can be among them: they count within a domain, and if the domain
 * of one has a document that states those of the other. */
bool twx_names_shown_otherwise(const twx_names *names, const twx_doc_table *p, bool is_one_text,
                               uint32_t a, uint32_t b);
/* Do two documents have the same title, headings and end of the URL? */
bool twx_names_equal(const twx_names *names, uint32_t a, uint32_t b);
/* Could all names be read? The functions above take those that could not as empty. Errors
 * TWX_E_IO */
TWX_CHECK twx_rc twx_names_error(twx_ctx *cx, const twx_names *names);

#endif
