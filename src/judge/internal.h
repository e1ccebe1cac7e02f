/* judge/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include judge/judge.h. */
#ifndef TWX_JUDGE_INTERNAL_H
#define TWX_JUDGE_INTERNAL_H

#include "judge/judge.h"

/* order (order.c) */
/* "score" -> TWX_BY_SCORE; TWX_BY_NOTHING when unknown. */
twx_criterion twx_criterion_of(twx_slice name);
/* Is the criterion in a list of the preference? */
bool twx_order_has(const twx_preference *preference, twx_criterion criterion);

/* groups (groups.c) */
/* Ends adding to the grouper and turns its runs into groups. */
TWX_CHECK twx_rc twx_groups_make(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                                 twx_groups *ret_groups);
/* Turns sets that the caller joined into groups. */
TWX_CHECK twx_rc twx_groups_of_sets(twx_ctx *cx, const twx_grouping *how, twx_union_find *sets,
                                    twx_groups *ret_groups);

/* forms (groups.c): what judge.c asks of forms (judge.h). */
/* The documents whose URLs are equal but for the scheme, and but for www. (judge/eligible.c).
 * made: the relation is used. Memory: owned; twx_forms_done(). */
typedef struct twx_forms {
    struct {
        bool made;
        twx_union_find sets;
    } of[2]; /* TWX_RELATION_SCHEME, TWX_RELATION_WWW */
} twx_forms;

/* Ends adding to the two groupers, of which both may be NULL, and sets the forms of the documents
 * (judge/order.c) and of sites (twx_host.bare). how: its rank is not used. */
TWX_CHECK twx_rc twx_forms_find(twx_ctx *cx, const twx_grouping *how, twx_doc_table *docs,
                                const twx_preference *preference, twx_grouper *const groupers[2],
                                twx_forms *ret_forms);
void twx_forms_done(twx_forms *forms);

/* pages (eligible.c): error pages that a text alone does not show: by what the documents of their
 * host with the same short text and title have in common. They get the class TWX_PAGE_ERROR if
 * [R1] the host answers with that text and an error status, too; or
 * [R2] it is at PAGE_NAMES unrelated URLs or more, whose paths have different last names in several
 * folders, and hardly any of them has a word of the title; or
 * [R3] half of the URLs, of two or more, have another capture with a text that is not short.
 * [R4] It is looked for only if such pages are left out.
 * Only documents of this set matter, not those of former runs. */
TWX_CHECK twx_rc twx_pages_find(twx_ctx *cx, twx_doc_set *j);

/* document_set (document_set.c) */
/* Are there so many documents that what is not needed for a while is kept in temporary files, and
 * nothing is kept for the next judgement? */
static inline bool twx_is_large(size_t documents, size_t memory) {
    return documents * sizeof(twx_doc_row) > memory / 8;
}
/* Releases the set before. */
void twx_doc_set_forget_before(twx_doc_set *j);
/* Adds that of the next document. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_signed_as_add(twx_ctx *cx, twx_doc_set *j, const twx_signed_as *s);
/* The origin of a domain that has so many texts of its own. */
uint8_t twx_origin_of(uint64_t texts); /* 0, 1, 2, 3, 4 -> 0, 1, 2, 2, 3 */
/* elsewhere (groups.c): the number of document `index`, which is in j->elsewhere. */
int64_t twx_elsewhere_number(const twx_doc_set *j, uint32_t index);

/* names (names.c) */
/* twx_names_key_of() without words for the form in which a page is shown: "[Archive] Ferries" and
 * "Ferries" have one. */
uint64_t twx_names_formless_key(const twx_names *names, const twx_name_words *name);
/* What documents with one text have in common if they have one name: the hash of title and
 * headings, and of the names that its images and structured data state. 0: it has none of them. */
uint64_t twx_names_identity(const twx_names *names, uint32_t document);
/* With names->kept: a hash of all that was learned of the host and domain of a document. */
uint64_t twx_names_digest(const twx_names *names, const twx_doc_table *p, uint32_t document);
/* With rules.own: a hash of what the name of a document demands, because of what was learned. */
uint64_t twx_near_name_digest(const twx_near *near, const twx_doc_table *p, uint32_t document);
/* Do the images and structured data of both documents state names, but other ones? If the texts
 * differ, the banner of a mirror can be among them: they count within a domain, and if the domain
 * of one has a document that states those of the other. */
bool twx_names_shown_otherwise(const twx_names *names, const twx_doc_table *p, bool is_one_text,
                               uint32_t a, uint32_t b);
/* Could all names be read? Those that could not be read count as empty. Errors TWX_E_IO */
TWX_CHECK twx_rc twx_names_error(twx_ctx *cx, const twx_names *names);

/* proof (proof.c) */
void twx_proof_init(twx_proof *proof, const twx_text_source *source);
/* Lists the documents by host and by form, before the first proof does. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_proof_index(twx_ctx *cx, twx_proof *proof);
/* May a proof with a learner be asked about a and b? Not if something is still to be learned for
 * them, or texts may not be read by any thread. */
bool twx_proof_may_ask_ahead(const twx_proof *proof, uint32_t a, uint32_t b);
/* Of what proofs learn, for proof.c and kept.c. */
enum {
    TWX_HOST_SAMPLED = 64,    /* pages of a host from which its boilerplate is learned */
    TWX_SECTION_SAMPLED = 32, /* the same of a section of it */
    TWX_SECTION_MIN = 8,      /* pages of a section that has boilerplate of its own */
    TWX_LOOKED_AT = 4096,     /* pages of the host among which those of a section are found */
    TWX_FORM_PAGES = 48,      /* of a host, whose forms are compared */
    TWX_FORMS = 3             /* of a page, that are compared with it */
};
/* The first place in proof->by_form of the form of document i; proof->counted: no other one has it,
 * and it is not there. */
size_t twx_proof_first_of_form(const twx_proof *proof, uint32_t i);
/* The first folder of a URL that not nearly all of its host have; 0: it has none. */
uint16_t twx_proof_section(const twx_proof *proof, uint32_t document);
/* Learns the host and the section of a document. Errors TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_proof_learn(twx_ctx *cx, twx_proof *proof, uint32_t document);
/* Was something to be learned of it? *ret_sum: a hash of what was. */
bool twx_proof_learned(const twx_proof *proof, uint32_t host, uint16_t section, uint64_t *ret_sum);

/* Moves what is kept of texts into `near`; after a failure nothing is kept. */
void twx_kept_take_texts(twx_near *near);

/* lessons (kept.c): what has become another lesson since the judgement before. Where the texts are
 * others from which proofs learn, these learn again. texts: by document, numbers that are the same
 * in all judgements. Before the first proof. Errors TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_lessons_compare(twx_ctx *cx, twx_lessons *lessons, twx_proof *proof,
                                     const uint32_t *texts, size_t threads);
/* The versions that concern a document, and how its host's sections are found. */
uint64_t twx_lessons_version(const twx_lessons *lessons, const twx_proof *proof, uint32_t document);
/* Notes what was learned since; after the last proof. */
void twx_lessons_note(twx_lessons *lessons, const twx_proof *proof);
void twx_lessons_done(twx_lessons *lessons);

/* near (near.c) */
/* Before twx_near_learn(). */
twx_near_page twx_near_page_of(const twx_near *near, uint32_t document);
/* The names of a URL as bytes, without those that it does not have, and back; the number of the
 * description follows them, if there is one. */
static inline twx_slice twx_names_of_url_packed(const twx_url_names *names) {
    const size_t n = (size_t)names->segments + names->parameters;
    return (twx_slice){(const char *)names,
                       offsetof(twx_url_names, name) + n * sizeof *names->name};
}
static inline twx_url_names twx_names_of_url(const twx_pieces *urls, uint32_t document) {
    char room[TWX_PIECE_MAX];
    twx_url_names names = {0};
    const twx_slice packed = twx_pieces_get(urls, document, room);
    if (packed.n) memcpy(&names, packed.p, offsetof(twx_url_names, name));
    if (packed.n) memcpy(&names, packed.p, twx_names_of_url_packed(&names).n);
    return names;
}
/* Has the document a node, and does it take part? */
static inline bool twx_near_counts(const twx_near *near, const twx_grouping *how,
                                   uint32_t document) {
    return near->node[document] != TWX_NO_DOCUMENT && how->eligibility[document] == TWX_ELIGIBLE;
}

/* near_candidates (near_candidates.c) */
/* Which nodes may be near-duplicates or copies of each other, besides those that share a key. */
typedef struct twx_near_candidates {
    unsigned char *summaries;    /* memory of those of sieve; NULL: they are not in memory */
    twx_summary_line *lines;     /* in it */
    twx_sieve sieve;             /* may_pair NULL: the detector has no summaries */
    twx_runs runs;               /* of nodes that share a band */
    twx_runs forms;              /* of nodes whose documents are forms of one page */
    TWX_VEC(uint64_t) form_keys; /* of these runs */
} twx_near_candidates;

/* Finds the nodes that share a band of their sketches, and makes the sieve. rank, by node: of nodes
 * whose texts can have no near-duplicates it is set to TWX_LEADERS_OUT. Errors TWX_E_NOMEM, those
 * of temporary files */
TWX_CHECK twx_rc twx_near_find_candidates(twx_ctx *cx, const twx_near *near, uint32_t *rank,
                                          twx_near_candidates *c);
/* Makes form and urls of its pages. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_near_read_pages(twx_ctx *cx, twx_near *near);
/* Lists the nodes whose documents are forms of one page: candidates for copies, whatever their
 * texts have in common. proof: indexed. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_near_find_forms(twx_ctx *cx, const twx_near *near, const twx_proof *proof,
                                     twx_near_candidates *c);
/* twx_near_page.described */
uint32_t twx_near_description(const twx_near *near, uint32_t document);
/* Makes near->siblings of the n documents, from their groups; also after these have changed. Errors
 * TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_count_siblings(twx_ctx *cx, twx_near *near, size_t n,
                                         const twx_groups *similar, const twx_groups *copies);

/* pins (pins.c) */
bool twx_pins_keeps(const twx_pins *pins, uint32_t url); /* by index, from 0 */
/* The URLs that are separated from the given one. */
const uint32_t *twx_pins_partners(const twx_pins *pins, uint32_t url, size_t *ret_n);

/* mirrors (mirrors.c) */
typedef struct twx_mirror_case {
    const twx_mirror_document *documents; /* in any order */
    size_t n;
    const twx_slice *hosts; /* their names, each once */
    uint32_t hosts_n, exact_groups, near_groups;
    uint32_t ratio_ppm;     /* minimum ratio */
    uint32_t min_documents; /* of a host; at least 1 */
    uint32_t group_hosts;   /* groups of more hosts are left out */
} twx_mirror_case;

/* Errors TWX_E_NOMEM; TWX_E_INTERRUPTED, TWX_E_TERMINATED. */
TWX_CHECK twx_rc twx_mirrors_find(twx_ctx *cx, const twx_mirror_case *in, twx_mirrors *ret_mirrors);

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

/* host: hash of its name */
static inline uint64_t twx_names_word_key(uint64_t host, uint64_t kind, uint32_t word) {
    return twx_mix64(twx_mix64(host, word), kind);
}

static inline uint64_t twx_names_host(const twx_doc_table *p, uint32_t host) {
    return twx_hash64(p->hosts.at[host].name, 0);
}

/* The site on which a title may be uninformative: a host or, with rules.own, a domain, whose hosts
 * have the same pages. */
static inline uint64_t twx_names_site(const twx_names *names, const twx_doc_table *p,
                                      uint32_t host) {
    return names->rules.own ? p->hosts.at[host].domain_key : host;
}

/* pinned (pins.c): groups and clusters that obey pins. */

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
/* Sorts the members and releases what was loaded, once editions are found. keeps: but for the
 * candidates and their places */
void twx_editions_loaded(twx_editions *e, bool keeps);
/* NULL: it has no other edition. */
const twx_edition_member *twx_edition_member_of(const twx_editions *e, uint32_t document);
/* Makes j->editions from what was loaded, and sets TWX_DOC_EDITION. how: its rank is not used.
 * Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_editions_find(twx_ctx *cx, twx_doc_set *j, const twx_grouping *how);

#endif
