/* judge/judge.h: who takes part, the one order of survivors, relations, verdict, guards, as a
 * document passes through them. */
#ifndef TWX_JUDGE_JUDGE_H
#define TWX_JUDGE_JUDGE_H

#include "sign/sign.h"

/* ---- What is known of a document ----------------------------------------- */
/* facts.c: the facts about a document that judging needs besides its keys, packed into
 * twindex_signature.packed; the layout is in facts.c. A change of the layout or of the meaning of a
 * fact bumps TWX_FACTS_VERSION.
 * [R1] Unpacked facts, packed again with their URL, are the same bytes.
 * [R2] Bytes may come from anywhere: anything but what packing makes is TWX_E_CORRUPT, and no byte
 * after the end is read. The URL, which is last, has no length of its own, so one that was cut
 * is found only if the host was cut, too. */

enum { TWX_FACTS_VERSION = 5, TWX_STATUS_NONE = -1, TWX_FACTS_URL_MAX = 1024 };

typedef enum twx_fact_bit {
    TWX_FACT_USABLE = 1 << 0, /* the URL is absolute and well-formed */
    TWX_FACT_WEB = 1 << 1,    /* http or https */
    TWX_FACT_HTTPS = 1 << 2,
    TWX_FACT_WWW = 1 << 3,    /* host starts with www. */
    TWX_FACT_FAILED = 1 << 4, /* loading failed */
    TWX_FACT_NOINDEX = 1 << 5,
    TWX_FACT_REDIRECT = 1 << 6,  /* the link is a redirect */
    TWX_FACT_CANONICAL = 1 << 7, /* the link is rel=canonical */
    TWX_FACT_SCORED = 1 << 8,
    TWX_FACT_DATED = 1 << 9,
    /* something can be removed from the URL: by url.steps or url.rules, or a parameter for sessions
     * or tracking */
    TWX_FACT_EXTRAS = 1 << 10,
    TWX_FACT_VIEW = 1 << 11 /* a form of the page for print, AMP or mobile devices */
} twx_fact_bit;

/* Of twx_facts.page, above the class (sign/page_class.c). */
typedef enum twx_page_bit {
    TWX_PAGE_CLASS = 7, /* mask */
    TWX_PAGE_SHORT = 1 << 3,
    TWX_PAGE_ECHOED = 1 << 4,
    TWX_PAGE_BITS = (1 << 5) - 1,
    TWX_PAGE_FOUND = 1 << 5 /* not stored: the class was found by judging (judge/eligible.c) */
} twx_page_bit;

/* Memory: host and url are borrowed, from the caller who filled the facts, or from the unpacked
 * bytes. */
typedef struct twx_facts {
    uint32_t bits;
    int32_t status; /* HTTP status, TWX_STATUS_NONE when unknown */
    /* bytes of the normal URL, or of the URL as stored when it is not usable */
    uint32_t url_length;
    uint64_t url_key;      /* hash of the normal URL */
    uint64_t domain_key;   /* hash of the registrable domain */
    uint64_t link_key;     /* url_key of the target of the redirect or canonical link */
    uint64_t hreflang_key; /* hash of the hreflang group; 0: none */
    uint64_t layout_key;   /* hash of the layout digest; 0: none */
    int64_t fetched_at;    /* seconds since 1970, when TWX_FACT_DATED */
    uint64_t score_order;  /* has the order of the scores, when TWX_FACT_SCORED */
    uint8_t page;          /* twx_page_class, and bits of twx_page_bit */
    twx_slice host;        /* normal form; empty when the URL has none */
    twx_slice url;         /* normal form; of stored facts the first TWX_FACTS_URL_MAX bytes */
} twx_facts;

uint64_t twx_score_order(double score); /* a < b  <=>  order(a) < order(b); not for NaN */
/* Is `noindex` or `none` among the words of a robots text, in any case? A text that is a number is
 * YaCy's bit field. */
bool twx_robots_noindex(twx_slice robots);
bool twx_robots_bits_noindex(int64_t bits); /* YaCy's bit field */

/* Of the URL the first TWX_FACTS_URL_MAX bytes are kept for pins (judge/pins.c). Errors
 * TWX_E_NOMEM, TWX_E_LIMIT (the buffer's max) */
TWX_CHECK twx_rc twx_facts_pack(twx_ctx *cx, const twx_facts *facts, twx_buf *out);
/* bytes: borrowed, and as long as ret_facts->host and url are used. Errors TWX_E_CORRUPT [R2] */
TWX_CHECK twx_rc twx_facts_unpack(twx_ctx *cx, twx_slice bytes, twx_facts *ret_facts);

/* relations (groups.c): the relations, the kinds of groups that have flags: each row states which
 * detector makes the groups and which columns of the flags they fill. A new relation is a row here
 * and columns in base/base.h. */

typedef enum twx_relation_id {
    TWX_RELATION_SCHEME,
    TWX_RELATION_WWW,
    TWX_RELATION_EXACT,
    TWX_RELATION_FUZZY,
    TWX_RELATION_TITLE,
    TWX_RELATION_DESCRIPTION,
    TWX_RELATION_NEAR,
    TWX_RELATION_COPY,
    TWX_RELATION_EDITION,
    TWX_RELATION_PARAMETERS,
    TWX_RELATIONS
} twx_relation_id;

/* How far equal keys count: in the whole store, or in one domain or host. */
typedef enum twx_relation_scope {
    TWX_SCOPE_STORE,
    TWX_SCOPE_DOMAIN,
    TWX_SCOPE_HOST
} twx_relation_scope;

typedef struct twx_relation {
    const char *name;     /* in settings, reports and verdict.relations */
    const char *detector; /* NULL: configured (near, and copy, which is derived from it) */
    /* twx_flag_column of the signature; -1: it has none, or (near) that of another detector is
     * shown */
    int sig;
    twx_flag_column count, rep;
    const char *what; /* what the members of a group share, for messages */
} twx_relation;

const twx_relation *twx_relation_at(size_t relation); /* NULL after the last */
/* By name or by the name of the detector; TWX_RELATIONS when unknown. */
twx_relation_id twx_relation_find(twx_slice name);

/* doc_table (facts.c): the documents of a run in memory, by index: 0..n-1 in order of the source's
 * id, so a lower index is a lower id; documents of several stores with one id are in order of the
 * stores' names. 32 bytes a document, and 8 for each value that few documents have, from the first
 * to the last document that has it; the keys go to the groupers, which use temporary files.
 * Memory: owned handle struct, which also owns the hosts' names. */

enum { TWX_NO_DOCUMENT = UINT32_MAX }; /* marks the absence of a document */

/* What all documents have. */
typedef struct twx_doc_row {
    int64_t doc;
    uint64_t url_key;
    uint32_t host; /* index into hosts */
    uint32_t url_length;
    uint16_t bits;  /* twx_fact_bit, below TWX_DOC_FORM; above it the form of the URL */
    uint16_t store; /* number of its store among those of the run */
    int16_t status; /* one that does not fit is 0 */
    uint8_t page;   /* as in twx_facts */
} twx_doc_row;

enum { TWX_DOC_FORM = 14 }; /* the two highest bits of twx_doc_row.bits */
_Static_assert(TWX_FACT_VIEW < 1 << TWX_DOC_FORM, "twx_doc_row.bits has 14 bits for facts");

static inline void twx_doc_row_set_form(twx_doc_row *row, unsigned form) {
    row->bits = (uint16_t)((row->bits & ((1u << TWX_DOC_FORM) - 1)) | form << TWX_DOC_FORM);
}

/* Values that many stores do not have; 0: none. */
typedef enum twx_doc_column {
    TWX_DOC_LINK,
    TWX_DOC_HREFLANG,
    TWX_DOC_LAYOUT,
    TWX_DOC_FETCHED_AT,
    TWX_DOC_SCORE,
    TWX_DOC_PAGE,    /* key of the URL without what does not matter (parameters); 0: not known */
    TWX_DOC_EDITION, /* editions of the page that are newer (editions) */
    TWX_DOC_DOMAIN,  /* exclusive or with the key of the host's domain */
    TWX_DOC_COLUMNS
} twx_doc_column;

typedef struct twx_host {
    twx_slice name;      /* owned */
    uint64_t domain_key; /* of its first document */
    uint8_t origin;      /* of its domain: texts that no other domain has (judge/judge.c) */
    uint8_t section;     /* of twx_doc_table.sections; 0: none */
    bool bare; /* more documents of the site are without www. than with it (judge/groups.c) */
} twx_host;

typedef struct twx_doc_table {
    TWX_VEC(twx_doc_row) at;
    twx_parked parked;
    uint32_t *host;                            /* by index, while the rows are parked; else NULL */
    TWX_VEC(uint64_t) column[TWX_DOC_COLUMNS]; /* 0 beyond the end */
    TWX_VEC(twx_host) hosts;
    const char *sections; /* the text of the setting `hosts`; NULL: none. Borrowed */
    unsigned left_out;    /* 1 << twx_page_class: documents of these take no part */
    twx_map64 host_index; /* hash of the name -> index */
    /* What users have pinned (judge/pins.c), by index; NULL: nothing. */
    /* 1 + the index of the document's URL among the pinned ones; 0: not pinned */
    uint32_t *pinned;
    uint32_t *preferred; /* 1 + the index of the first `prefer` line it matches; 0: none */
} twx_doc_table;

/* A table is zeroed before use. */
void twx_doc_table_done(twx_doc_table *p);
/* Adds the next document in order of id: its number, its store's number among those of the run, and
 * its facts, whose host is copied. */
TWX_CHECK twx_rc twx_doc_table_add(twx_ctx *cx, twx_doc_table *p, int64_t doc, uint16_t store,
                                   const twx_facts *facts);
/* Adds n documents of another table, from `first` on, as they were before they were judged.
 * hosts: 1 + the host here, by that of the other table; 0: not known yet. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_doc_table_carry(twx_ctx *cx, twx_doc_table *p, const twx_doc_table *from,
                                     size_t first, size_t n, uint32_t *hosts);
/* Sets a value of document i. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_doc_table_set(twx_ctx *cx, twx_doc_table *p, twx_doc_column column, size_t i,
                                   uint64_t value);
static inline uint64_t twx_doc_value(const twx_doc_table *p, twx_doc_column column, size_t i) {
    return i < p->column[column].n ? p->column[column].at[i] : 0;
}
/* Its host, also while the rows are parked. */
static inline uint32_t twx_doc_host(const twx_doc_table *p, size_t i) {
    return p->host ? p->host[i] : p->at.at[i].host;
}
/* Leaves only the hosts of the rows in memory, until they are taken back. Errors of temporary files
 */
TWX_CHECK twx_rc twx_doc_table_park(twx_ctx *cx, twx_doc_table *p);
TWX_CHECK twx_rc twx_doc_table_take(twx_ctx *cx, twx_doc_table *p);
/* Row i, also while they are parked. Errors TWX_E_IO */
TWX_CHECK twx_rc twx_doc_row_of(twx_ctx *cx, const twx_doc_table *p, size_t i,
                                twx_doc_row *ret_row);
/* The key of the registrable domain. */
static inline uint64_t twx_doc_domain(const twx_doc_table *p, size_t i) {
    return p->hosts.at[twx_doc_host(p, i)].domain_key ^ twx_doc_value(p, TWX_DOC_DOMAIN, i);
}
/* The key of the host for scopes: a hash of its name. */
uint64_t twx_host_key(const twx_facts *facts);
/* The key of the document in a scope; 0 for the whole store. */
uint64_t twx_scope_key(const twx_facts *facts, twx_relation_scope scope);

/* ---- Decisions of users -------------------------------------------------- */
/* pins.c: decisions made by users (docs/pins.md): a text with one decision a line,
 *     separate URL URL    neither hides the other
 *     prefer PREFIX       documents whose URL begins with it come first in the total order
 *     keep URL            the document is never hidden
 *     edition HOST PLACE VALUE...   the place of URLs that names editions, the oldest value first
 * The rules are in pins.c.
 * Memory: owned handle. One thread at a time. */

enum { TWX_PINS_MAX = 10000, TWX_PINS_BYTES_MAX = 1 << 22 };

typedef enum twx_pin_kind {
    TWX_PIN_SEPARATE,
    TWX_PIN_PREFER,
    TWX_PIN_KEEP,
    TWX_PIN_EDITION,
    TWX_PIN_KINDS
} twx_pin_kind;
const char *twx_pin_kind_name(twx_pin_kind kind); /* "separate" */

/* One line. Memory: borrowed from the pins. */
typedef struct twx_pin {
    twx_pin_kind kind;
    size_t line;        /* from 1 */
    twx_slice name[2];  /* normal URLs, prefix, or host and place; [1] only of separate */
    uint32_t number[2]; /* indexes of the URLs, the prefix or the edition among those pinned */
} twx_pin;

typedef struct twx_pins twx_pins;

/* path: for messages, copied. Errors TWX_E_CONFIG "path:line: ...". */
TWX_CHECK twx_rc twx_pins_parse(twx_ctx *cx, const twx_url_options *options, const char *path,
                                twx_slice text, twx_pins **ret_pins);
void twx_pins_close(twx_pins *pins);
const char *twx_pins_path(const twx_pins *pins);
/* in order of the lines; NULL after the last */
const twx_pin *twx_pins_at(const twx_pins *pins, size_t i);
uint64_t twx_pins_fingerprint(const twx_pins *pins);

/* The pins that apply to a URL. */
typedef struct twx_pin_match {
    uint32_t url;       /* 1 + its index among the pinned URLs; 0: not pinned */
    uint32_t preferred; /* 1 + the index of the prefix; 0: none */
} twx_pin_match;
/* url: the normal URL, of which TWX_FACTS_URL_MAX bytes suffice; url_key: its hash (facts). */
twx_pin_match twx_pins_match(const twx_pins *pins, uint64_t url_key, twx_slice url);

size_t twx_pins_urls(const twx_pins *pins); /* pinned URLs */
/* The place of a normal URL that a line for editions names with this value; the line's index. */
bool twx_pins_edition(const twx_pins *pins, twx_slice url, twx_edition_slot *ret_slot,
                      uint32_t *ret_number);

/* parameters.c: documents whose URLs are equal but for parts that do not change the page, by a file
 * of what was learned of them (url/hypotheses.c); no result of former runs counts.
 * [R1] A part is left out of a URL if the trials on this host, folder or path are beyond the
 * threshold, and no hypothesis about fewer URLs is contradicted. URLs only become shorter.
 * [R2] Documents are in one group if their URLs are equal without these parts, and they are copies
 * of one representative, or have no text, and the same title and description (judge.c). Pages
 * without content (twx_is_no_page) are in no group, even if they take part.
 * The file is text that people can review (docs/parameters.md).
 * Memory: owned handle. One thread at a time. */
#define TWX_PARAMETERS_BEGIN "twindex-url-model "
enum { TWX_PARAMETERS_BYTES_MAX = 1 << 26, TWX_PARAMETERS_WHY = 4 };
typedef struct twx_parameters twx_parameters;
typedef struct twx_parameters_from {
    const char *path;   /* for messages, copied */
    uint64_t urls;      /* twx_model_fingerprint() of the URLs of the documents */
    uint32_t least_ppm; /* threshold */
} twx_parameters_from;
/* Errors TWX_E_CONFIG "path:line: ...". */
TWX_CHECK twx_rc twx_parameters_parse(twx_ctx *cx, const twx_parameters_from *from, twx_slice text,
                                      twx_parameters **ret_parameters);
void twx_parameters_close(twx_parameters *m);
uint64_t twx_parameters_fingerprint(const twx_parameters *m); /* of the file; 0: NULL */
const char *twx_parameters_path(const twx_parameters *m);
size_t twx_parameters_count(const twx_parameters *m); /* its hypotheses */
/* A hash of a normal URL, shorter than TWX_FACTS_URL_MAX, without the parts that do not matter;
 * never 0. ret_why, ret_n: NULL, or the first reasons, borrowed from m. */
uint64_t twx_parameters_key(twx_parameters *m, twx_slice url,
                            const twx_context *ret_why[TWX_PARAMETERS_WHY], size_t *ret_n);
/* That of a document whose URL may be longer, or unknown. */
uint64_t twx_page_key(twx_parameters *m, const twx_facts *facts, twx_slice url);
/* "parameter sid of a.example/ changes nothing, 212 of 212 pairs" */
TWX_CHECK twx_rc twx_parameters_reason(twx_ctx *cx, const twx_context *c, twx_buf *out);

/* ---- Taking part, and the total order ------------------------------------ */
/* order.c: the total order that determines every representative: `prefer` pins in the order
 * of their lines, then the criteria, then the lowest id.
 * The rules are in order.c. */

/* clang-format off */
/* The one table of them: name in lists, bytes that its places need in a key (order_key), and why
 * a document precedes another one. */
#define TWX_CRITERION_TABLE(X)                                                                    \
    X(FORM, form, 1, "preferred form of the URL")                                                 \
    X(CLEAN, clean, 1, "nothing to remove from the URL")                                          \
    X(PAGE, page, 1, "a page, not its form for print, AMP or mobile devices")                     \
    X(EDITION, edition, 1, "newer edition")                                                       \
    X(SCORE, score, 8, "larger score")                                                            \
    X(ORIGIN, origin, 1, "more texts that no other domain has")                                   \
    X(URL_LENGTH, url_length, 4, "shorter URL")                                                   \
    X(FETCHED_AT, fetched_at, 8, "older capture")                                                 \
    /* these are in no list */                                                                    \
    X(PIN, pin, 0, "preferred by a pin")                                                          \
    X(SECTION, section, 0, "place of the section of its host")                                    \
    X(ID, id, 0, "lowest id")
/* clang-format on */

typedef enum twx_criterion {
    TWX_BY_NOTHING,
#define TWX_CRITERION(id, name, bytes, reason) TWX_BY_##id,
    TWX_CRITERION_TABLE(TWX_CRITERION)
#undef TWX_CRITERION
} twx_criterion;
enum { TWX_CRITERIA = TWX_BY_FETCHED_AT };

/* The words of a list. */
#define TWX_CRITERIA_TEXT "form clean page edition score origin url_length fetched_at"

typedef enum twx_www { TWX_WWW_BARE, TWX_WWW_PREFIX, TWX_WWW_AUTO } twx_www;

typedef struct twx_preference {
    bool https;
    twx_www www;                          /* auto: the form that most documents of the site have */
    twx_criterion criteria[TWX_CRITERIA]; /* in order; TWX_BY_NOTHING ends the list */
    /* By twx_host.section: the order among the documents of the section; TWX_BY_NOTHING comes first
     * in one that has none of its own. Only if has_sections. */
    bool has_sections;
    twx_criterion of_section[TWX_HOST_SECTIONS_MAX + 1][TWX_CRITERIA];
} twx_preference;

/* "score" */
const char *twx_criterion_name(twx_criterion criterion);
/* "larger score": why a document precedes another one. */
const char *twx_criterion_reason(twx_criterion criterion);

/* The list by which two documents are compared: that of their section, or the store's. */
const twx_criterion *twx_order_list(const twx_doc_table *p, const twx_preference *preference,
                                    uint32_t i, uint32_t j);
/* Are their places decided by that of a section, and not by their values alone? */
bool twx_order_is_placed(const twx_doc_table *p, const twx_preference *preference, uint32_t i,
                         uint32_t j);
/* Which of two documents precedes the other. <0: i. *ret_by: the criterion that decides. Of
 * documents that twx_order_is_placed(), it is the place in the order of the store alone. */
int twx_order_compare(const twx_doc_table *p, const twx_preference *preference, uint32_t i,
                      uint32_t j, twx_criterion *ret_by);

/* ret_rank[i] is the rank of document i, 0 the best; owned by the caller (twx_free). */
TWX_CHECK twx_rc twx_total_order(twx_ctx *cx, const twx_doc_table *p,
                                 const twx_preference *preference, uint32_t **ret_rank);

/* order_key (order.c): the place of a document in the total order (order) as bytes: of two
 * documents, the one whose bytes are smaller (by memcmp, then by length) comes first. So an engine
 * that knows nothing of the order elects representatives by the minimum of a column.
 * [R1] The bytes are in the order of twx_total_order(), with the order of ids that SQLite has:
 * numbers, then text, then blobs, both by their bytes.
 * [R2] No key is the beginning of another one, so what is appended decides between equal keys only.
 * [R3] All keys of one preference have a criterion at one place, in bytes that are not 0 for those
 * of which a cluster learns the values later: the form of the URL, which is first in a key, and the
 * origin.
 * Pins (`prefer`) have no place in it. */

/* What the facts do not have. Editions are not found by clusters: all have the same place. */
typedef struct twx_order_values {
    uint8_t form, origin;
} twx_order_values;

/* Append the two parts of a key: what precedes the id, and the id (not NULL), which alone has the
 * order of ids. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_order_key_criteria(twx_ctx *cx, const twx_facts *facts,
                                        const twx_preference *preference,
                                        const twx_order_values *values, twx_buf *out);
TWX_CHECK twx_rc twx_order_key_id(twx_ctx *cx, const twx_value *id, twx_buf *out);
/* The place, from 1, of the criterion in a key [R3]; 0: the order does not have it. */
size_t twx_order_key_at(const twx_preference *preference, twx_criterion criterion);

/* Reads the id of the key at the beginning of *bytes, which was made with this preference, and
 * advances *bytes. A real number that is whole comes back as an integer; the bytes of the id are in
 * the arena. Bytes may come from anywhere. Errors TWX_E_DATA: they are no such key; TWX_E_NOMEM */
TWX_CHECK twx_rc twx_order_key_read(twx_ctx *cx, const twx_preference *preference, twx_arena *a,
                                    twx_slice *bytes, twx_value *ret_id);

/* eligible.c: decides which documents take part, and which redirect and canonical links are
 * honoured (docs/internals.md, "Links").
 * [R1] A link is honoured when following links from its target ends at a document of the store that
 * takes part, with every step on one registrable domain.
 * [R2] Links of a loop are ignored, each of them.
 * [R3] A host whose documents all link to one document is not trusted.
 * [R4] A link of a document that is pinned by `keep` or `separate` is ignored, because users want
 * that document itself. */

/* Why a document does not take part; stored in the flags. 0: it takes part. */
typedef enum twx_eligibility {
    TWX_ELIGIBLE,
    TWX_BAD_URL,
    TWX_LOAD_FAILED,
    TWX_REDIRECTED, /* honoured redirect */
    TWX_BAD_STATUS, /* neither NULL nor 200 */
    TWX_NOINDEX,
    TWX_CANONICALISED, /* honoured canonical link */
    TWX_IS_ERROR,      /* these in the order of twx_page_class */
    TWX_IS_CHALLENGE,
    TWX_IS_LOGIN,
    TWX_IS_CONSENT,
    TWX_ELIGIBILITIES
} twx_eligibility;

/* The outcome of a document's link; stored in the flags. */
typedef enum twx_link_state {
    TWX_LINK_NONE,
    TWX_LINK_HONOURED,
    TWX_LINK_MISSING, /* the target is not in the store */
    TWX_LINK_FOREIGN, /* it is on another registrable domain */
    TWX_LINK_LOOP,
    TWX_LINK_DEAD_END, /* it does not lead to a document that takes part */
    TWX_LINK_COLLAPSE, /* [R3] */
    TWX_LINK_PINNED,   /* [R4] */
    TWX_LINK_STATES
} twx_link_state;

/* Why a document does not take part, whatever its link says. Never TWX_REDIRECTED or
 * TWX_CANONICALISED. left_out: as twx_doc_table.left_out */
twx_eligibility twx_eligible_by_itself(const twx_facts *f, unsigned left_out);
/* Does the document link to another one, as redirect or canonical? */
bool twx_has_link(const twx_facts *f);

/* "HTTP status is not 200", by number. */
const char *twx_eligibility_text(size_t e);
const char *twx_link_state_text(size_t s);

/* By index. Memory: owned arrays; twx_links_done(). */
typedef struct twx_links {
    uint8_t *eligibility; /* twx_eligibility */
    uint8_t *state;       /* twx_link_state */
    /* honoured: the document at the end of the chain; otherwise the linked one; TWX_NO_DOCUMENT
     * when unknown */
    uint32_t *target;
    TWX_VEC(uint32_t) collapsed; /* hosts of [R3], by index into hosts */
} twx_links;

/* The order decides which of several documents with one URL is the target of a link. Form and
 * origin are not known before the links are resolved: all documents count as equal in them. */
TWX_CHECK twx_rc twx_links_resolve(twx_ctx *cx, const twx_doc_table *p,
                                   const twx_preference *preference, uint32_t collapse_min,
                                   twx_links *ret_links);
void twx_links_done(twx_links *l);

/* ---- Groups -------------------------------------------------------------- */
/* groups.c: turns runs of equal keys into groups with a representative. Only documents that
 * take part are members.
 * [R1] Groups are a partition: a document is in at most one.
 * [R2] The representative is the best member in the total order. */

/* By index. Memory: owned; twx_groups_done(). */
typedef struct twx_groups {
    bool made; /* false: the relation is not used */
    twx_sparse_groups of;
    uint64_t groups, copies,
        largest;          /* groups of two or more; members that are not the representative */
    uint32_t largest_rep; /* TWX_NO_DOCUMENT: no group */
} twx_groups;

/* The index of a document's representative; TWX_NO_DOCUMENT: it is in no group. */
static inline uint32_t twx_groups_rep(const twx_groups *g, uint32_t i) {
    return twx_sparse_groups_rep(&g->of, i);
}
/* The members of its group; 0: it is in none. */
static inline uint32_t twx_groups_count(const twx_groups *g, uint32_t i) {
    return twx_sparse_groups_size(&g->of, i);
}
/* The representatives of all n documents. Memory: the caller's, twx_free(). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_groups_list(twx_ctx *cx, const twx_groups *g, size_t n, uint32_t **ret_rep);

typedef struct twx_grouping {
    const twx_doc_table *p;
    const uint32_t *rank;
    const uint8_t *eligibility;
    /* identity of the text by index: translations are kept separate; NULL: they are not */
    const uint64_t *text;
} twx_grouping;

void twx_groups_done(twx_groups *g);

/* forms (groups.c): the forms of a URL, http and https with and without "www.", that documents
 * have, and which of them is the best one of those that take part.
 * [R1] Exactly one form of those that exist passes both http_unique_b and www_unique_b: the one
 * with the preferred scheme, if there is one, and of these the one with the preferred www form, if
 * there is one.
 * [R2] With TWX_WWW_AUTO the preferred www form of a site, a host with and without "www.", is the
 * one that more of its documents have that take part; with "www." if both have as many. */

/* What distinguishes the forms of a URL: bit 1: it has not the preferred scheme; bit 0: it has not
 * the preferred www form, or, with TWX_WWW_AUTO, no www. 0 for a URL that is neither http nor
 * https. Of two forms the smaller one is better. */
enum { TWX_FORM_SCHEME = 2, TWX_FORM_WWW = 1 };
unsigned twx_form_of(uint32_t bits, const twx_preference *preference);
/* The name of the site: that of the host without "www.". bits: of a document of the host */
twx_slice twx_site_of_host(twx_slice host, uint32_t bits);

/* twin_keys (groups.c): the keys of URL twins (the relations scheme and www). Stored facts
 * contain the URL, unless it is very long, so these keys are computed when facts are read, and
 * records have no entries for them (docs/signatures.md).
 * [R1] They are the keys that the detectors of the relations sign.
 * [R2] The four forms of a URL, http and https with and without "www.", are one group of the
 * relation scheme: the preferred one may differ from the others in both. If the verdict joins only
 * one of the two relations, a group of scheme has the documents that differ in the scheme alone. */

/* Does the record of a document with these facts contain no entries of URL twins? Those that it
 * has nevertheless do not count. */
static inline bool twx_twins_are_in_facts(const twx_facts *facts) {
    return facts->url_length <= TWX_FACTS_URL_MAX;
}

static inline bool twx_relation_is_of_url(twx_relation_id relation) {
    return relation == TWX_RELATION_SCHEME || relation == TWX_RELATION_WWW;
}

/* Are the four forms one group? relations: of the verdict [R2] */
static inline bool twx_twins_are_whole(uint32_t relations) {
    const uint32_t both = 1u << TWX_RELATION_SCHEME | 1u << TWX_RELATION_WWW;
    return (relations & both) == 0 || (relations & both) == both;
}

/* Which of the n keys of a stored entry counts. */
static inline size_t twx_twin_place(twx_relation_id relation, bool whole, size_t n) {
    return relation == TWX_RELATION_SCHEME && whole && n > 1 ? 1 : 0;
}

/* url: the stored bytes of the URL (twx_facts.url). relation: one of the two. whole:
 * twx_twins_are_whole(). false: the URL has no such key, or the record has it. */
bool twx_twin_key(const twx_facts *facts, twx_slice url, twx_relation_id relation, bool whole,
                  twx_key *ret_key);

/* ---- Near-duplicates, copies and editions -------------------------------- */
/* names.c: decides whether a document may be hidden by another with nearly the same text: only if
 * the other contains its name. The rules are in names.c.
 * Memory: embedded struct; twx_names_done(). Payloads beyond the limit are in temporary files. */

/* What proves that near-duplicates are copies (copy.proof). */
typedef enum twx_proofs { TWX_PROOF_TEXT, TWX_PROOF_NAMES } twx_proofs;

typedef struct twx_name_rules {
    uint32_t common_ppm; /* a word that this share of a host's names repeat is not part of a name */
    uint32_t site_ppm;   /* a title word in this share of a host's names is the site's own */
    /* each document is asked for its own name, not for those of all documents with its text, and
     * the words of texts and URLs are compared themselves (judge/proof.c) */
    bool own;
    const uint32_t *ignored; /* words that are never part of a name (twx_name_word), borrowed */
    size_t n_ignored;
} twx_name_rules;

enum { TWX_NAME_FORMS = 74, TWX_NAME_FRAMES = 8, TWX_NAME_SUBJECTS = 5 };

/* What twx_names_learn() keeps for the next time, so that it reads only names that are new or of
 * sites that have changed.
 * Memory: zeroed before use; twx_names_kept_done(). 32 bytes a document, 230 a host, 8 a key */
typedef struct twx_names_kept {
    struct twx_name_lesson *lessons; /* by host and subject */
    twx_map64 hosts;                 /* hash of the name -> host */
    TWX_VEC(uint64_t) keys[TWX_PARALLEL_MAX][TWX_NAME_SUBJECTS];
    struct twx_name_note *notes; /* of the documents, in order of doc */
    size_t noted;
} twx_names_kept;

void twx_names_kept_done(twx_names_kept *kept);

typedef struct twx_names {
    twx_name_rules rules; /* set before loading */
    size_t threads;       /* of twx_names_learn(); 0: one */
    /* twx_name_word() of words for the form in which a page is shown, and of words that mirrors,
     * caches and sessions add to a page */
    uint32_t forms[TWX_NAME_FORMS], frames[TWX_NAME_FRAMES];
    /* by document: the key of its page, and the names in its URL (url/url_form.c), for
     * twx_names_learn(); NULL: not known. Borrowed. */
    const uint64_t *page;
    const twx_pieces *urls;
    /* with rules.own: what is kept, NULL: nothing is; by document twx_signed_as.made. Borrowed */
    twx_names_kept *kept;
    const uint64_t *made;
    /* Filled while loading */
    twx_pieces payloads; /* of the names, by document; empty: it has none */
    twx_pieces repeated; /* payloads by node of judge/near.c */
    /* Made by twx_names_learn() */
    twx_map64 common; /* mix(host, word) of words that are common there */
    /* mix(host, title) of titles shared by documents with several URLs; with rules.own
     * mix(registrable domain, title) */
    twx_map64 constant;
    /* with rules.own: the words at the ends of titles that are the site's own, names_keys */
    twx_map64 own_parts;
    twx_map64 trees;         /* mix(domain, name in a URL) of folders with many titles */
    twx_map64 shown;         /* mix(domain, shown) of its documents whose titles say nothing */
    twx_map64 shown_learned; /* with `kept`, by domain: a hash of the names which images state */
    /* with rules.own, by document: twx_names_formless_key() */
    uint64_t *formless;
    uint16_t *marks; /* with rules.own, by document: twx_name_mark */
    bool has_titles; /* a tenth of the documents have titles or headings */
    bool has_shown;  /* images or structured data of some document state names */
    /* without rules.own, by node: its documents in `docs`; one more at the end */
    uint32_t *docs_from;
    uint32_t *docs;
} twx_names;

/* What pairs of documents are asked often. */
typedef enum twx_name_mark {
    TWX_NAME_TREES = 0x7F,    /* bit i: name i of its URL is a folder with many titles */
    TWX_NAME_TITLED = 1 << 7, /* it has a title or headings */
    TWX_NAME_IN_URL = 1 << 8  /* twx_names_is_in_url() */
} twx_name_mark;

/* The last one is that of the headings. */
enum { TWX_NAME_KEYS_MAX = 5 };

/* memory: bytes for the payloads. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_names_init(twx_ctx *cx, twx_names *names, size_t memory);
void twx_names_done(twx_names *names);

/* The repeated words of the next node: called once for each, in order. */
TWX_CHECK twx_rc twx_names_add_text(twx_ctx *cx, twx_names *names, twx_slice repeated);
/* Adds the name of the next document, absent: it has none, and returns the keys that a copy of it
 * shares with it: *ret_n of ret_keys. node: of its text, TWX_NO_DOCUMENT: none. Errors TWX_E_NOMEM,
 * those of temporary files */
TWX_CHECK twx_rc twx_names_add(twx_ctx *cx, twx_names *names, uint32_t node, twx_slice name,
                               uint64_t ret_keys[TWX_NAME_KEYS_MAX], size_t *ret_n);
/* The keys that a copy of a text shares with it, from its name and its repeated words; returns
 * their number. */
size_t twx_names_keys(const twx_name_words *name, const twx_name_words *text,
                      uint64_t ret_keys[TWX_NAME_KEYS_MAX]);
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
/* With rules.own: is the name of a document in its URL only, because it has neither title nor
 * headings, or a title that says nothing? */
static inline bool twx_names_is_in_url(const twx_names *names, uint32_t document) {
    return names->marks[document] & TWX_NAME_IN_URL;
}
/* A hash of a name's title, headings and end of the URL; 0: it has no title. */
uint64_t twx_names_key_of(const twx_name_words *name);
/* Do two documents have the same title, headings and end of the URL? */
bool twx_names_equal(const twx_names *names, uint32_t a, uint32_t b);

/* proof.c: whether the difference of two texts proves that they are copies of one page.
 *
 * The burden of proof lies with hiding. Captures of one page differ by what stands around the text
 * (navigation, banners) and by what machines put in (counters, dates of retrieval). Pages of one
 * form that describe different things differ by words substituted inside the text, or by a few
 * words more inside a sentence ("not permitted"). So
 * [R1] two texts are copies unless a block of their difference (text/difference.c) substitutes
 * words, adds a few words to a sentence, or is a passage that one of them lacks;
 * [R2] such a block is harmless where machines put words in: at a place at which forms of at least
 * two pages (url/url_form.c) of one of the two hosts differ, and an eighth of the pairs that were
 * examined; and where both sides are session ids or digests;
 * [R3] boilerplate is left out: a sentence that at least BOILERPLATE_SHARE of the pages of the
 * host, or of the same first folder, have, and that follows (or precedes) its neighbour on every
 * page that has the neighbour. Both must be missing in the other text: "sold" in place of
 * "available" is no boilerplate, however common both are. Of two hosts, a sentence of some length
 * that most pages of one have may be alone;
 * [R4] URLs that are forms of one page need no proof if half of the first text is in the other;
 * [R5] texts that are no near-duplicates (`unlike`) must share most of what is no boilerplate.
 * Sentences that only the first text has are reported, so that its name may be looked for in
 * them;
 * [R6] a sentence that says on which day all pages of a host, or of its first folder that not
 * nearly all have, were made, and on which other day all of another one, is no difference
 * (BOILERPLATE_SHARE of either).
 * What is learned of a host (places, boilerplate) is learned from its documents that take part now,
 * from a sample chosen by the hashes of their URLs: it does not depend on history, order or
 * threads. It is learned when a decision needs it, and texts are read then, from the store.
 * Memory: embedded struct; twx_proof_done(). Two texts, and of each host that was learned up to 64
 * pages as hashes of their sentences while it is learned. */

/* How judging reads texts. Appends the text of document i to ret_text. TWX_DONE: the document
 * is gone, or its text is no longer the signed one: it is judged again in the next run, and is no
 * copy until then. */
typedef struct twx_text_source {
    twx_rc (*read)(void *arg, uint32_t i, twx_buf *ret_text);
    void *arg;
    bool any_thread; /* any thread may read; also texts that are not needed */
} twx_text_source;

/* Outcomes of proofs, for a store that is judged several times with different settings.
 * Memory: embedded struct, owned by the caller. */
typedef struct twx_proved {
    uint64_t of;     /* hash of the documents that take part, from which proofs learn */
    twx_map64 pairs; /* hash of two documents and of what is asked -> what objects */
} twx_proved;

typedef struct twx_proof {
    /* Set by the caller; borrowed */
    const twx_text_source *source;
    twx_proved *proved; /* NULL: outcomes are not kept */
    const twx_doc_table *p;
    const uint32_t *node;       /* by document: the number of its text */
    const uint64_t *form;       /* by document: twx_url_form_of() */
    const twx_pieces *urls;     /* by document: packed names */
    const uint8_t *eligibility; /* by document: twx_eligibility */
    /* The two texts that were read last */
    twx_buf text[2];
    uint32_t holds[2]; /* documents */
    twx_difference difference;
    /* NULL, or the proof that has learned for this one, which a thread of its own asks ahead */
    const struct twx_proof *learner;
    /* Learned */
    bool indexed;
    uint32_t *by_host, *host_ends; /* documents that count, by host; where each host ends */
    uint8_t *depth;                /* by host: folders that nearly all of its URLs begin with */
    uint32_t *by_form;             /* those whose form another one has, too, by form */
    size_t counted;
    uint64_t *shares;   /* bit by document: it is in by_form */
    uint8_t *learned;   /* by host: 1; 2: texts could not be read */
    twx_map64 places;   /* mix(host, place), of all kinds of twx_block_place */
    twx_map64 follows;  /* mix(host, section, mix(unit, next unit)) of boilerplate */
    twx_map64 sections; /* that were learned */
    twx_map64 sums;     /* of the keys that were learned, by mix(host, section) */
    uint64_t compared;  /* pairs of texts */
    /* Pairs that were decided without a text that could not be read as it was signed: their own, or
     * one from which something would have been learned of their hosts */
    uint64_t unread;
    TWX_VEC(uint32_t) missed; /* documents of such texts, so far; some more than once */
} twx_proof;

void twx_proof_done(twx_proof *proof);

/* Memory: owned; twx_lessons_done(). */
typedef struct twx_lessons {
    TWX_VEC(struct twx_lesson) at; /* of hosts and sections, from judgement to judgement */
    twx_map64 places;              /* mix(hash of the host's name, section) -> in at */
    uint64_t judged;
    TWX_VEC(struct twx_lesson_now) now;
    uint8_t *has_versions; /* by host, as they are numbered now: not all are 0 */
} twx_lessons;

/* The block that decides that a is no copy of b. Its words are borrowed from texts of proof. */
typedef struct twx_objection {
    bool found;
    bool unread; /* a text could not be read as it was signed */
    bool unlike; /* the texts have too little in common */
    bool adds;   /* not found, but only a has the words of the block */
    twx_block block;
} twx_objection;

/* Leaves in `units`, the sentences of the text of a document, those that are known as boilerplate
 * of its host. Learns what is needed. Errors TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_proof_boilerplate(twx_ctx *cx, twx_proof *proof, uint32_t document,
                                       twx_unit_list *units);
/* Are the URLs of two documents forms of one page? */
bool twx_proof_is_form(const twx_proof *proof, uint32_t a, uint32_t b);
/* May a be hidden by b? unlike: they are no near-duplicates by their signatures. Of an outcome that
 * was kept only `found` and `adds` are known. Errors TWX_E_NOMEM, those of reading */
TWX_CHECK twx_rc twx_proof_of(twx_ctx *cx, twx_proof *proof, uint32_t a, uint32_t b, bool unlike,
                              twx_objection *ret_objection);

/* near.c: groups of near-duplicate texts, by the configured detector, and among them groups
 * of copies. Texts are compared, not documents: documents with one text (in one scope) are one
 * node, so exact copies cost nothing.
 * [R1] Equal texts are always in one group. (A detector that examines more than the text has a node
 * for each distinct input.)
 * [R2] Nodes are grouped around representatives (group/leaders.c), best-ranked first, so the
 * representative of a group is the best in the total order.
 * [R3] Two texts of one hreflang group are translations of each other and never share a group.
 * [R4] A text is a *copy* of a representative only if the representative contains its documents'
 * names (names), and their difference is harmless (proof); other near-duplicates are siblings.
 * For documents with equal titled names (twx_names_key_of) less similarity is enough, because the
 * name is evidence, too.
 * [R5] With `texts`, equal texts are proof of equal texts only: documents with one text are copies
 * if their names agree. Each set of documents with one text and one name (twx_names_identity) is an
 * item of its own for the relation of copies, also if the text has too few words for
 * near-duplicates, or there is no detector.
 * [R6] With thresholds of hosts, two texts are similar if they reach the higher one of both; a
 * text on several hosts has the highest of theirs (of documents that take part).
 * Candidates are texts that share a key: those that were added to the grouper, or the bands of the
 * detector's sketches (group/band_search.c). Pairs that cannot be similar by their summaries are
 * rejected before they are compared.
 * Memory: embedded struct; twx_near_done(). What `memory` does not hold of payloads, sketches and
 * summaries is in temporary files, or is computed again. */

/* What proofs need of a document. Packed: without the names that the URL does not have. */
typedef struct twx_near_page {
    uint64_t form;      /* twx_url_form_of() */
    uint32_t described; /* of its description; 0: it has none */
    twx_url_names url;
} twx_near_page;

/* Hashes of an item's best document, of all that was learned of its host and domain, and of what
 * its name demands because of it. */
typedef struct twx_name_digests {
    uint64_t of, host, own;
} twx_name_digests;

/* Hashes of a document, and of the name that makes it an item of its text. */
typedef struct twx_document_name {
    uint64_t of, name;
} twx_document_name;

typedef TWX_VEC(int64_t) twx_docs; /* numbers of documents */

/* Hashes of the flags that a run has published, by which the next one knows which differ.
 * Memory: owned; TWX_VEC_DONE. 16 bytes a document */
typedef struct twx_published_row {
    int64_t doc;
    uint64_t hash; /* of the row without the numbers of large groups (store/store.h) */
} twx_published_row;
typedef struct twx_published {
    int64_t run;                     /* its number; 0: not known, or the rows are not those */
    TWX_VEC(twx_published_row) rows; /* in order of doc */
} twx_published;

/* What a judgement keeps in memory for the next one with the same settings, so that only what has
 * changed is unpacked, sorted, searched, compared and decided: documents, texts under their
 * numbers, and what was found of them. The result is the same. Only where copies are proved by
 * texts, which have sketches.
 * Memory: embedded struct, zeroed before use; twx_kept_done(). Of a million short texts 450 MB with
 * their payloads; 350 MB more where the limit has room for what is kept of documents. */
typedef struct twx_kept {
    uint64_t of;                /* what else the result depends on; 0: nothing is kept */
    struct twx_doc_set *before; /* as it was loaded; NULL: all documents are unpacked */
    /* Moved into twx_near while a set is judged */
    twx_pieces payloads, repeated;
    twx_map64 nodes;
    TWX_VEC(uint64_t) scopes;
    TWX_VEC(bool) compared_nodes;
    /* By twx_near */
    twx_sketches sketches;
    twx_kept_runs runs;
    twx_map64 items; /* mix(text, name) -> item beyond the texts, from 0 */
    TWX_VEC(uint32_t) item_texts;
    TWX_VEC(twx_document_name) document_names; /* by document; zeroed: not known */
    twx_led led;
    twx_name_digests *names; /* by item, numbered as those of led */
    twx_names_kept learned;
    twx_lessons lessons;
    twx_docs missed; /* documents whose texts could not be read, ascending */
    uint64_t judged; /* judgements so far */
    /* By run.c */
    twx_published published;
    uint64_t newest;    /* twx_state.newest after its last run here */
    uint64_t holder;    /* of the lock file: what its last run here wrote as its holder */
    bool knows_changes; /* nobody else has signed documents since `before` was loaded */
    twx_docs changes;   /* those that were signed since then */
    /* Documents whose flags the generations do not share, ascending, while this run (0: none) is
     * the published one */
    int64_t unshared_of;
    twx_docs unshared;
} twx_kept;

void twx_kept_done(twx_kept *kept);
/* Forgets everything unless it depends on the same. Before twx_doc_set_begin(). */
void twx_kept_begin(twx_kept *kept, uint64_t of);

/* For twx_parallel(). */
typedef struct twx_tasks {
    twx_task_fn *fn;
    void *arg;
    size_t n;
} twx_tasks;

typedef struct twx_near {
    /* Set before loading; detector NULL: there is none. Borrowed. */
    const struct twx_judge_options *options;
    const twx_detector *detector;
    const twx_params *params;
    const uint32_t *thresholds; /* as in the options */
    bool copies;                /* compute copies as well */
    /* where the texts of copies are read; NULL: names alone decide (copy.proof = names) */
    const twx_text_source *texts;
    bool scoped;        /* texts have scopes */
    uint64_t documents; /* of the store, which decide by which bands candidates are found */
    /* Bytes: a quarter each for payloads, names, summaries; while candidates are searched, the same
     * once more, a quarter for sketches and the rest for tables */
    size_t memory;
    /* Filled while loading */
    uint32_t *node;               /* by document: TWX_NO_DOCUMENT: it has no keys */
    twx_pieces payloads;          /* by node */
    TWX_VEC(bool) compared_nodes; /* by node: its text can have near-duplicates */
    twx_pieces pages;             /* by document, with texts: twx_near_page */
    twx_map64 nodes;              /* hash of a text in its scope -> node; freed when loading ends */
    TWX_VEC(uint64_t) scopes;     /* by node, if texts have scopes */
    twx_names names;              /* when copies are wanted */
    twx_kept *kept;               /* NULL: nothing is kept */
    bool keeps_documents;         /* with kept: there is memory for it */
    uint64_t kept_of;             /* twx_kept.of */
    TWX_VEC(uint64_t) made;       /* with kept, by document: twx_signed_as.made */
    twx_tasks beside; /* done while leaders are searched; they need no near-duplicates */
    /* Made by judging */
    /* by document, with texts, what twx_near_page has; urls: the rest of it, packed */
    uint64_t *form;
    twx_pieces urls;
    uint32_t *least; /* by node, with thresholds: the strictest of its documents that take part */
    int32_t *similarity; /* by node, of near-duplicates to its representative */
    /* by document: groups of copies among its near-duplicates, except its own; NULL unless copies
     * are computed */
    uint32_t *siblings;
    uint64_t compared, capped, decided; /* twx_leaders */
    uint64_t read;   /* pairs of texts compared for proof, also ahead and in vain */
    uint64_t unread; /* twx_proof.unread */
} twx_near;

TWX_CHECK twx_rc twx_near_init(twx_ctx *cx, twx_near *near, size_t documents);
void twx_near_done(twx_near *near);
/* What is known of the text of a document. */
typedef struct twx_near_text {
    uint64_t text; /* its identity, in its scope */
    uint64_t scope;
    twx_slice payload;
    bool is_compared; /* it can have near-duplicates */
} twx_near_text;

/* Has the document a text that can have near-duplicates? */
static inline bool twx_near_has(const twx_near *near, uint32_t document) {
    return near->node[document] != TWX_NO_DOCUMENT && near->compared_nodes.at[near->node[document]];
}

/* The node of a document's text. *ret_is_new: it is new, and its keys must be added to the grouper,
 * with the node as index, unless the detector has sketches. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_add(twx_ctx *cx, twx_near *near, uint32_t document,
                              const twx_near_text *text, bool *ret_is_new);
/* Ends loading: releases what only twx_near_add() needs. */
void twx_near_loaded(twx_near *near);
/* Ends loading, and adding to the groupers, and makes the groups, and those of copies if requested.
 * named: keys of names (twx_names_add) by document, NULL without copies. how->text !=
 * NULL: translations are kept separate. If the documents are parked, how->rank is, too, for a
 * while: it is another array then, or NULL after an error. What was learned is released. */
TWX_CHECK twx_rc twx_near_groups(twx_ctx *cx, twx_near *near, twx_grouping *how,
                                 twx_grouper *grouper, twx_grouper *named, twx_groups *ret_near,
                                 twx_groups *ret_copies);

/* Releases what rows do not need. After it twx_near_similarity() must not be called. */
void twx_near_judged(twx_near *near);

/* Similarity of two nodes for copies: by the detector, with equal keys of names by its parameters
 * `named`; -1: they are not a pair. An error of reading is returned by twx_near_error(). */
int32_t twx_near_similarity(const twx_near *near, uint32_t a, uint32_t b, bool equal_names);
/* Have documents a and b descriptions that tell them apart? They do so if the texts are equal, or
 * the title says nothing. */
bool twx_near_is_described_otherwise(const twx_near *near, uint32_t a, uint32_t b);
/* Do their images and structured data state other names, under the same conditions? Not if the URLs
 * are forms of one page. */
bool twx_near_is_shown_otherwise(const twx_near *near, const twx_doc_table *p, uint32_t a,
                                 uint32_t b);
/* Do two documents have a title, and one name? With near->texts words for the form in which a page
 * is shown do not count. */
bool twx_near_equal_names(const twx_near *near, uint32_t a, uint32_t b);
/* May document a be hidden by b as far as their URLs name them? */
bool twx_near_urls_agree(const twx_near *near, uint32_t a, uint32_t b);
/* Learns what twx_names_learn() does. */
TWX_CHECK twx_rc twx_near_learn(twx_ctx *cx, twx_near *near, const twx_doc_table *p,
                                const uint8_t *eligibility);
/* Initialises the proofs of a table's documents, after twx_near_learn(); without near->texts it
 * proves nothing. Borrows its arguments. */
void twx_near_proof(const twx_near *near, const twx_doc_table *p, const uint8_t *eligibility,
                    twx_proof *ret_proof);
/* What a document with a text demands of those that may hide it. */
void twx_near_demands(const twx_near *near, const twx_doc_table *p, uint32_t document,
                      twx_demands *ret_demands);
/* Could all payloads and names be read? Errors TWX_E_IO */
TWX_CHECK twx_rc twx_near_error(twx_ctx *cx, const twx_near *near);

/* editions (editions.c): the editions of a page: documents whose URLs are equal but for a place
 * that names an edition (url/edition_slot.c), with related texts and titles that are equal but for
 * it, or of which one is part of the other.
 *
 * Which places do so is learned from the documents of the store. A place does if
 * [R1] PAGES_MIN pages or more, and no fewer than it has values, are there in two editions or more;
 * of numbers, years and dates, which may be anything, PLAIN_PAGES_MIN and twice as many as values;
 * [R2] its pages are edited from edition to edition: of the three-word shingles that an edition has
 * and the one before has not, the one after still has KEPT_PERCENT; those of three buses have
 * nothing to do with each other. Titles agree in three of five pairs. Where too little came new, or
 * there are two editions only, nine of ten pairs of neighbouring editions must be similar, a third
 * have nearly one text and three of ten the same; of numbers, years and dates, of which those of a
 * year always need it, two fifths.
 * [R3] Released versions come before others, newer ones first. A name of the newest release
 * ("latest", or a URL without the place) stands for the release with which it shares the texts of
 * half of their pages or more, and is newer than all otherwise.
 * [R4] A document is a member of the place with most pages, and of one set of editions. It is
 * joined to the next newer edition of its page, otherwise to the newest one.
 * [R5] Documents that a canonical link, a redirect or noindex leaves out have an edition, unless
 * they are newer than all that take part, but represent none. Only the first teach places.
 * [R6] A copy on another host is as old in the order as the member with its text, or with
 * its name and nearly its text: a mirror of an old edition does not precede the old edition. It is
 * compared with the first NAMED_MAX members of that name.
 * Editions are found before the total order, in which the number of newer ones is a criterion.
 * Memory: part of the document set. 24 bytes a candidate place of a URL, in most stores
 * few; 16 a member. */

/* A place of a document's URL; the value and the place as numbers. */
typedef struct twx_edition_candidate {
    uint64_t page; /* the form of the URL without the place */
    uint32_t document, slot, value;
} twx_edition_candidate;

typedef struct twx_edition_value {
    twx_edition edition;
    char text[TWX_EDITION_TEXT_MAX + 1]; /* in lower case */
} twx_edition_value;

typedef struct twx_edition_member {
    uint32_t document;
    uint32_t value; /* into values: of `latest` the release that it stands for */
    uint32_t steps; /* editions of the page that are newer */
    uint64_t page;
} twx_edition_member;

typedef struct twx_editions {
    bool used;
    /* Filled while loading */
    twx_grouper *pages; /* of the form of a page and its place -> candidate */
    TWX_VEC(twx_edition_candidate) candidates;
    size_t carried;                 /* of them, those that the next set has passed */
    TWX_VEC(uint64_t) slots;        /* their keys */
    TWX_VEC(bool) pinned, has_line; /* by slot; by line for editions: documents have its place */
    twx_map64 slot_of, value_of;
    TWX_VEC(twx_edition_value) values;
    /* Made by judging */
    TWX_VEC(twx_edition_member) members; /* in order of documents */
    twx_union_find sets;                 /* until they are groups */
} twx_editions;

/* ---- The result ---------------------------------------------------------- */
/* document_set.c: the documents of a run, which are judged together, and what is decided about
 * them. It is filled from stored records, one document at a time.
 * [R1] Documents are added in order of the source's id, and of the store's name where ids are
 * equal.
 * [R2] Facts and records may come from anywhere: anything but a whole record is TWX_E_CORRUPT.
 * Memory: owned struct; twx_doc_set_done(). */

typedef struct twx_judge_options {
    /* What records hold, for adding them */
    const twx_detector *detectors[TWX_RELATIONS]; /* NULL: the relation is not used */
    const twx_detector *name; /* names of documents, for the relation copy; NULL: not used */
    const twx_params *params; /* of the detectors */
    const twx_params *named;  /* of the near-duplicate detector for documents with equal names;
                               * NULL: the same */
    twx_relation_scope scope[TWX_RELATIONS];
    /* The settings of hosts (url/url_host.c); NULL: none. Borrowed. */
    const char *hosts;
    /* By section of hosts (twx_host.section), 0: the store: the least similarity of its texts;
     * NULL: that of the parameters, which is the lowest of them. Borrowed. */
    const uint32_t *thresholds;
    uint32_t margin; /* by which those of `named` are lower */
    twx_join join;
    uint32_t candidates; /* representatives a text is compared with, a key */
    size_t threads;      /* for sketches, candidates and comparing them; they change no result */
    twx_name_rules names;
    /* where the texts of copies are read, for proof; its `read` gets indexes of documents.
     * NULL: names alone prove that near-duplicates are copies, and equal texts are copies */
    const twx_text_source *texts;
    twx_proved *proved;   /* outcomes of proofs; NULL: they are not kept */
    twx_kept *kept;       /* what was found is kept there; NULL: it is not. Not with pins */
    const twx_pins *pins; /* NULL: none */
    bool editions;        /* find editions, for which names and near-duplicates must be known */
    uint32_t edition_ppm; /* least similarity of two editions of a page */
    twx_parameters *parameters; /* NULL: none */
    unsigned left_out;          /* twx_doc_table.left_out */
    /* How groups become flags */
    twx_preference preference;
    uint32_t collapse_min;
    uint32_t relations; /* of the verdict: 1 << relation, TWX_JOIN_CANONICAL, TWX_JOIN_REDIRECT */
    uint32_t separate;  /* 1 << relation: translations are kept separate */
} twx_judge_options;

/* Beyond the relations; sql/cluster/judge.sql has the same numbers. */
enum { TWX_JOIN_CANONICAL = 1 << 16, TWX_JOIN_REDIRECT = 1 << 17 };
_Static_assert(TWX_RELATIONS <= 16, "bits of relations and of links");

/* A document that documents of other stores refer to, and its number there. */
typedef struct twx_elsewhere {
    uint32_t index;
    int64_t number;
} twx_elsewhere;

typedef struct twx_doc_set {
    const twx_judge_options *options; /* borrowed */
    twx_doc_table docs;
    twx_pieces signed_as; /* by index: twx_signed_as, packed; the caller adds one per document */
    /* entries until judged, or, if they are carried over, until the next set is judged; indexes:
     * documents, of TWX_RELATION_NEAR nodes. NULL: the relation is not used */
    twx_grouper *grouper[TWX_RELATIONS];
    twx_near near; /* of TWX_RELATION_NEAR and _COPY */
    twx_editions editions;
    size_t capacity; /* documents that there is room for */
    size_t memory;   /* bytes for sorting */
    /* Documents with TWX_PAGE_SHORT, as long as the groupers (judge/eligible.c); key: hash of host,
     * text and title; check: 32 bits each of hashes of the last name, and of what precedes it in
     * the path, of its URL */
    twx_entries short_pages;
    /* The set before, until what is the same was carried over, and by its indexes
     * those of this set, TWX_NO_DOCUMENT: gone or changed; NULL: there is none */
    struct twx_doc_set *before;
    uint32_t *moved;
    uint32_t *moved_hosts; /* as twx_doc_table_carry() takes them */
    uint32_t *by_number;   /* indexes of the set before by number; NULL: they are in its order */
    /* Made by twx_judge() */
    uint16_t *divided;  /* bit relation: a pin gave it another representative; NULL: no pins */
    uint8_t *withdrawn; /* by index: 1 for withdrawn documents (withdraw); NULL: none */
    atomic_uchar *shared_layout; /* bit relation: another one of its group has the same markup */
    uint32_t *rank;
    twx_links links;
    twx_groups groups[TWX_RELATIONS];
    twx_groups clusters; /* of the verdict */
    /* Made by twx_find_elsewhere(), in order of index; none in a run of one store. The caller sets
     * the numbers before rows are made. */
    TWX_VEC(twx_elsewhere) elsewhere;
} twx_doc_set;

void twx_doc_set_init(twx_doc_set *j);
void twx_doc_set_done(twx_doc_set *j);
/* Makes room for `documents` documents. memory: bytes for sorting keys. options are borrowed. */
TWX_CHECK twx_rc twx_doc_set_begin(twx_ctx *cx, twx_doc_set *j, const twx_judge_options *options,
                                   size_t documents, size_t memory);
/* A document that is still to be judged: its store, and its number, facts (facts) and record of
 * signatures (sign/record.c) there. */
typedef struct twx_signed_document {
    uint16_t store;
    int64_t doc;
    twx_slice facts, record;
} twx_signed_document;
/* What is taken of a document whatever else is in the set: any thread may unpack one. Memory:
 * borrows the bytes of the document. */
typedef struct twx_doc_unpacked {
    twx_signed_document from;
    uint64_t made; /* twx_signed_as.made */
    twx_facts facts;
    twx_pin_match pins;
    bool has_twin[2]; /* by relation: scheme and www */
    twx_key twin[2];
    size_t n_slots;
    twx_edition_slot slot[TWX_EDITION_SLOTS_MAX + 1];
    uint64_t page[TWX_EDITION_SLOTS_MAX + 1]; /* form of the URL without the slot */
    uint32_t pin;                             /* line of the pinned slot */
    twx_near_page near_page;                  /* with texts; without the description */
} twx_doc_unpacked;

/* Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_doc_unpack(twx_ctx *cx, const twx_judge_options *options,
                                const twx_signed_document *doc, twx_doc_unpacked *ret_unpacked);
/* Adds the next document, which was unpacked with the options of the set.
 * Errors TWX_E_CORRUPT, TWX_E_LIMIT (there is no room for it) */
TWX_CHECK twx_rc twx_doc_set_add_unpacked(twx_ctx *cx, twx_doc_set *j, const twx_doc_unpacked *doc);
/* Hash of facts and record, as twx_signed_as.made has it. */
uint64_t twx_doc_set_hash(twx_slice facts, twx_slice record);
/* The index in the set before of the document with this number and hash (twx_signed_as.made), from
 * *next on, which is 0 before the first call and then the index after that one; TWX_NO_DOCUMENT:
 * there is none. Another thread may ask while documents are carried. */
uint32_t twx_doc_set_find_unchanged(const twx_doc_set *j, int64_t doc, uint64_t made,
                                    uint32_t *next);
/* Adds n documents of the set before, from `was` on, as they were; was: ascends from call to call.
 * There must be room. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_doc_set_carry(twx_ctx *cx, twx_doc_set *j, uint32_t was, uint32_t n);
/* Moves the documents of a set that was judged to what is kept, if its limit of memory allows;
 * else, or without memory, they are unpacked again next time. */
void twx_kept_take_documents(twx_kept *kept, twx_doc_set *j);
/* Both in one. */
TWX_CHECK twx_rc twx_doc_set_add(twx_ctx *cx, twx_doc_set *j, const twx_signed_document *doc);

/* What is only needed of a document when its flags are made, and when it may have changed. */
typedef struct twx_signed_as {
    uint64_t made;               /* hash of facts and record, to detect changes */
    uint8_t known;               /* bit relation: the document has this signature */
    uint64_t sig[TWX_RELATIONS]; /* its first key */
} twx_signed_as;

/* A key that two documents share only if their texts allow them to be copies. copies: groups of
 * copies are known; then 0: the document's group decides. */
uint64_t twx_text_class(const twx_signed_as *s, bool copies);
/* The number of a cluster depends only on its representative: its text, its URL and, where names
 * tell copies with equal texts apart, its title and description. That is so for both relations, so
 * that a document whose representative is the same in both has one number (base/base.h). */
uint64_t twx_group_number(const twx_signed_as *rep, uint64_t url_key, bool named);
/* That of document i; empty if it could not be read, which twx_doc_set_error() reports. */
twx_signed_as twx_signed_as_of(const twx_doc_set *j, uint32_t i);
/* Errors TWX_E_IO: something could not be read, so flags may be wrong. */
TWX_CHECK twx_rc twx_doc_set_error(twx_ctx *cx, const twx_doc_set *j);

/* origin (judge.c): whose texts are copied: a domain that has many texts which no other
 * domain has is more likely to be the origin of one that several have.
 * [R1] The origin of a registrable domain is 0 if all its texts are found elsewhere, too; otherwise
 * 1 + floor(log2(texts that no other domain has)): in powers of two, so that the order of documents
 * seldom changes. Texts are exact digests of documents that take part; each counts once. */

/* Sets twx_host.origin of all hosts. Errors TWX_E_NOMEM, those of temporary files */
TWX_CHECK twx_rc twx_find_origins(twx_ctx *cx, twx_doc_set *j);

/* judge.c: turns groups into flags: all decisions of a run in memory, and the flag row
 * of each document.
 * [R1] It depends on the documents and the parameters alone.
 * [R2] A group has one representative, a cluster has one survivor, and the survivor passes every
 * filter on the joined relations.
 * [R3] Documents that do not take part have no flags about duplicates except
 * `duplicate_of`, when their link leads to a survivor.
 * Memory: owned struct; twx_doc_set_done(). */

/* Bumped by every change of what is computed from the same signatures and settings: the next run
 * then judges again even if no document has changed. */
enum { TWX_JUDGE_VERSION = 8 };

/* The bits of a blank-separated list of relations. Errors TWX_E_CONFIG, naming the word. */
TWX_CHECK twx_rc twx_relations_parse(twx_ctx *cx, twx_slice list, uint32_t *ret_relations);
/* The criteria of a blank-separated list, after those that precede every list (order). Errors
 * TWX_E_CONFIG. */
TWX_CHECK twx_rc twx_criteria_parse(twx_ctx *cx, twx_slice list,
                                    twx_criterion ret_criteria[TWX_CRITERIA]);

/* Judges the documents that were added. */
TWX_CHECK twx_rc twx_judge(twx_ctx *cx, twx_doc_set *j, const twx_judge_options *options);
/* The flags of document i (by index). */
void twx_judged_row(const twx_doc_set *j, const twx_judge_options *options, uint32_t i,
                    twx_flag_row *ret_row);
/* Is document i hidden by the verdict: is another document the survivor of its cluster? */
bool twx_is_hidden(const twx_doc_set *j, uint32_t i);

/* flags (groups.c): the flags that users see (base/base.h), as functions of the stored row: what
 * the view document_flags computes in SQL, for diff, dry runs and explain (tests/sql compares the
 * two). */

typedef enum twx_flag_kind {
    TWX_FLAG_IS_BOOL,
    TWX_FLAG_IS_COUNT,
    TWX_FLAG_IS_SIGNATURE,
    TWX_FLAG_IS_TYPE,
    TWX_FLAG_IS_EDITION,
    TWX_FLAG_IS_DOC
} twx_flag_kind;

typedef struct twx_flag {
    const char *name; /* of the column of document_flags */
    twx_flag_kind kind;
    twx_flag_column column; /* the stored column it is computed from */
    /* private to flags */
    int rule;
    twx_flag_column beside;
} twx_flag;

#define TWX_FLAG_ONE(name, kind, column, rule, beside) +1
enum { TWX_FLAGS = 0 TWX_SHOWN_FLAG_TABLE(TWX_FLAG_ONE) };
#undef TWX_FLAG_ONE

const twx_flag *twx_flag_at(size_t i); /* in order of the view; NULL after the last */
/* The flag's value in a row; false: NULL. A doc is a document number. */
bool twx_flag_value(const twx_flag *flag, const twx_flag_row *row, int64_t *ret_value);
/* Has a flag one value in a and another one, or NULL, in b? A row that is NULL has no values. */
bool twx_flag_differs(const twx_flag *flag, const twx_flag_row *a, const twx_flag_row *b);
/* The word of a flag whose values are words: "full-layout", "2.1"; NULL: it has numbers. room: for
 * the word, which may be in it. */
const char *twx_flag_word(const twx_flag *flag, int64_t value, char room[TWX_EDITION_NUMBER_TEXT]);
/* The words of a flag of TWX_FLAG_IS_TYPE, NULL after the last. */
const char *const *twx_flag_words(const twx_flag *flag);

/* elsewhere (groups.c): documents that documents of other stores refer to in their flags: as
 * representatives of their groups and clusters, or as targets of their links. In the rows of the
 * other stores they have numbers of their own (twx_elsewhere), because their doc is one of another
 * store. */

/* Lists them in j->elsewhere, without numbers; repeated after documents were withdrawn. */
TWX_CHECK twx_rc twx_find_elsewhere(twx_ctx *cx, twx_doc_set *j);
/* Marks those to which document i refers: used[0..j->elsewhere.n), by position in j->elsewhere. */
void twx_mark_elsewhere(const twx_doc_set *j, uint32_t i, uint8_t *used);

/* ---- After judging ------------------------------------------------------- */
/* sites (guard.c): the sites of a document set: a host counts together with its www. form, whose
 * documents are its URL twins.
 * Memory: embedded struct, owned arrays; twx_sites_done(). */

typedef struct twx_site {
    uint32_t host;                   /* one of its hosts, for the name */
    uint64_t documents;              /* that take part */
    uint64_t out[TWX_ELIGIBILITIES]; /* documents that do not take part, by reason */
} twx_site;

typedef struct twx_sites {
    TWX_VEC(twx_site) at;
    uint32_t *of_host; /* by host of the document table */
} twx_sites;

/* j must be judged. */
TWX_CHECK twx_rc twx_sites_make(twx_ctx *cx, const twx_doc_set *j, twx_sites *ret_sites);
void twx_sites_done(twx_sites *s);
/* The name without www., borrowed from the docs; "" for documents whose URL has no host. */
twx_slice twx_site_name(const twx_doc_set *j, const twx_site *site);

/* guard.c: detects results so implausible that a run must not publish them without
 * confirmation: a site that would nearly vanish, an implausibly large group.
 * The rules are in guard.c. */

/* How many documents of a site took part in the published result. */
typedef struct twx_site_before {
    twx_slice name; /* without www.; TWX_WHOLE_STORE: of the store */
    uint64_t documents;
} twx_site_before;
#define TWX_WHOLE_STORE TWX_SLICE_LIT("*")

typedef struct twx_guard {
    uint32_t max_hidden_ppm;       /* share of a host's documents that may be lost; [R5] */
    uint32_t max_lost_ppm;         /* share of the documents that took part before */
    uint32_t max_turned_ppm;       /* of these, share that are now pages without content */
    uint32_t min_documents;        /* hosts with fewer are not guarded */
    uint64_t max_group;            /* documents of a group of the verdict's relations */
    const twx_site_before *before; /* of the published result, n_before of them; borrowed */
    size_t n_before;
} twx_guard;

/* The findings of the guard, one a line. Memory: the caller owns the buffers; at most ten lines are
 * added to each. */
typedef struct twx_guard_findings {
    twx_buf *stops, *notes;
    size_t n_stops, n_notes; /* include the findings without a line */
} twx_guard_findings;

TWX_CHECK twx_rc twx_guard_check(twx_ctx *cx, const twx_doc_set *j, const twx_judge_options *o,
                                 const twx_guard *guard, twx_guard_findings *ret_says);

/* guard_rules (guard.c): the rules of guards and the lines of their findings, apart from how the
 * figures are counted: guard counts those of a document set in memory, cluster/cluster_judge.c
 * those of a result on servers.
 * Memory: everything is borrowed; lines are added to the buffers of the findings. */

/* A site (judge/guard.c) of which documents are hidden. */
typedef struct twx_guard_site {
    twx_slice name, main_site; /* main_site: that shows most of them, for mirrors */
    uint64_t documents, hidden;
    uint64_t elsewhere; /* clusters whose text another site still shows */
} twx_guard_site;

/* What took part before and takes part now. */
typedef struct twx_guard_loss {
    twx_slice name; /* TWX_WHOLE_STORE: of everything */
    uint64_t before, now;
    const uint64_t *out; /* by twx_eligibility: those that take no part */
} twx_guard_loss;

/* Does another site show so many of the texts that the site is a mirror? Only for a site of which
 * too much is hidden. */
TWX_CHECK twx_rc twx_guard_site_check(twx_ctx *cx, const twx_guard *guard,
                                      const twx_guard_site *site, twx_guard_findings *says);
TWX_CHECK twx_rc twx_guard_loss_check(twx_ctx *cx, const twx_guard *guard,
                                      const twx_guard_loss *loss, twx_guard_findings *says);
/* Of a first run: the documents of the store, by twx_eligibility. */
TWX_CHECK twx_rc twx_guard_first_check(twx_ctx *cx, const twx_guard *guard,
                                       const uint64_t documents[TWX_ELIGIBILITIES],
                                       twx_guard_findings *says);
TWX_CHECK twx_rc twx_guard_group_check(twx_ctx *cx, const twx_guard *guard, size_t relation,
                                       uint64_t largest, twx_guard_findings *says);

/* withdraw (judge.c): removes representatives from a judged document set because they were deleted
 * or changed meanwhile. In each of its groups the best of the other members becomes the
 * representative; the document itself has no flags until the next run.
 * [R1] Groups remain a partition with one representative each, and the representative of a cluster
 * is still the best member of each of its groups. A document that is left alone is in no group.
 * [R2] No remaining row refers to a withdrawn document, except twx_links.target. */

/* Does document i (by index) represent others, in a group of any relation or in a cluster? */
bool twx_represents_others(const twx_doc_set *j, uint32_t i);
/* Does the stored record of document i now differ, in a way that affects the documents it
 * represents, from the one it was judged by? Relevant are URL, link, eligibility, text, title and
 * description, not a new date or score. Errors TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_has_changed(twx_ctx *cx, const twx_doc_set *j, uint32_t i, twx_slice facts,
                                 twx_slice record, bool *ret_changed);
/* Withdraws documents: indexes[0..n). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_doc_set_withdraw(twx_ctx *cx, twx_doc_set *j, const uint32_t *indexes,
                                      size_t n);
static inline bool twx_is_withdrawn(const twx_doc_set *j, uint32_t i) {
    return j->withdrawn && j->withdrawn[i];
}

/* mirrors.c: finds hosts that have most of their documents in common (docs/mirrors.md).
 * The rules are in mirrors.c.
 * Memory: 16 bytes a document and level, 24 a host; time: at most the number of documents times the
 * hosts of their groups. */

typedef enum twx_mirror_level {
    TWX_MIRROR_EXACT,
    TWX_MIRROR_NEAR,
    TWX_MIRROR_LEVELS
} twx_mirror_level;

const char *twx_mirror_level_name(twx_mirror_level level); /* "exact" */

/* A document that takes part. */
typedef struct twx_mirror_document {
    uint32_t host; /* below hosts_n */
    /* numbers of its groups, below exact_groups and near_groups; TWX_NO_DOCUMENT: none */
    uint32_t exact, near;
    bool survives; /* it is the survivor of its cluster */
} twx_mirror_document;

typedef TWX_VEC(twx_slice) twx_mirror_hosts; /* names by number */

enum { TWX_MIRROR_GROUP_HOSTS = 200 }; /* groups of more hosts are left out */

typedef struct twx_mirror {
    uint32_t host, mirror_of;
    twx_mirror_level level;
    uint64_t shared,
        documents; /* of host: documents with an equal one on mirror_of; all documents */
    uint64_t of_shared, of_documents; /* of mirror_of, the same */
    uint32_t ratio_ppm;               /* rounded down */
} twx_mirror;

/* Memory: owned struct; twx_mirrors_done(). */
typedef struct twx_mirrors {
    /* each host at most once; in the order of [R1], by mirror_of, then by host */
    TWX_VEC(twx_mirror) rows;
    uint32_t hosts;       /* that were compared */
    uint32_t small_hosts; /* left out by [R3] */
    /* left out by [R3]: groups, and documents of compared hosts in them */
    uint64_t wide_groups[TWX_MIRROR_LEVELS], wide_documents[TWX_MIRROR_LEVELS];
} twx_mirrors;

void twx_mirrors_done(twx_mirrors *m);

/* mirror_intake (mirrors.c): collects the documents among which judge/mirrors.c finds mirrors, and
 * gives their hosts and groups consecutive numbers.
 * Memory: embedded struct, 16 bytes a document and about 30 a host or group;
 * twx_mirror_intake_init(), _done(). */

typedef struct twx_mirror_intake {
    twx_arena *names; /* borrowed: gets the names of hosts */
    twx_mirror_hosts *hosts;
    twx_map64 host, exact, near; /* hash or key -> number */
    TWX_VEC(twx_mirror_document) documents;
} twx_mirror_intake;

/* Documents that take part. */
typedef struct twx_mirror_entry {
    twx_slice host;               /* not empty */
    const uint64_t *exact, *near; /* keys of their groups; NULL: they are in none */
    bool survive;                 /* they are survivors of their clusters */
    uint64_t n;                   /* documents of which all this holds */
} twx_mirror_entry;

/* hosts: empty; gets the names by number. */
void twx_mirror_intake_init(twx_mirror_intake *in, twx_arena *names, twx_mirror_hosts *hosts);
void twx_mirror_intake_done(twx_mirror_intake *in);
/* Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_mirror_intake_add(twx_ctx *cx, twx_mirror_intake *in,
                                       const twx_mirror_entry *entry);
/* twx_mirrors_find() among all of them. */
TWX_CHECK twx_rc twx_mirror_intake_find(twx_ctx *cx, const twx_mirror_intake *in,
                                        uint32_t ratio_ppm, uint32_t min_documents,
                                        twx_mirrors *ret_mirrors);

#endif
