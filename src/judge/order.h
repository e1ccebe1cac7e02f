/* judge/order.h: the total order that determines every representative: `prefer` pins in the order
 * of their lines, then the criteria, then the lowest id. It is the only place that knows what comes
 * first in a criterion: keys of the order (order_key.h), clusters and explanations use it.
 * [R1] Because there is only one order, the best document of a cluster is also the best of each of
 * its groups.
 * [R2] A criterion compares a value that a document has by itself, or of its domain.
 *
 *   form        no better form of its own URL takes part; then the better form (forms.h)
 *   clean       nothing can be removed from the URL (TWX_FACT_EXTRAS)
 *   page        it is no form for print, AMP or mobile devices (TWX_FACT_VIEW)
 *   version     the newer version in its title, with copy.versions = newest; none is the oldest
 *   score       the larger score; none comes last
 *   origin      more texts that no other domain has (origin.h)
 *   url_length  the shorter URL, http and https being equally long
 *   fetched_at  the older capture; without a date comes last
 *
 * Those of the first four that the configured list does not name precede it, in this order. `form`
 * always comes first, because a survivor passes the filters on the forms of URLs.
 *
 * [R1] A section of hosts may have a list of its own. The order stays one total order: in the order
 * of the store, the documents of the section take the places that documents of the section have
 * there, but among themselves in the order of their own list. So two documents of one section are
 * compared by its list, two documents without such sections by the store's, and a document of a
 * section and another one by the place. Pins and `form` begin every list, so documents that they
 * put first stay first. */
#ifndef TWX_JUDGE_ORDER_H
#define TWX_JUDGE_ORDER_H

#include "judge/doc_table.h"
#include "url/host_patterns.h"

/* clang-format off */
/* The one table of them: name in lists, bytes that its places need in a key (order_key.h), and why
 * a document precedes another one. */
#define TWX_CRITERION_TABLE(X)                                                                    \
    X(FORM, form, 1, "preferred form of the URL")                                                 \
    X(CLEAN, clean, 1, "nothing to remove from the URL")                                          \
    X(PAGE, page, 1, "a page, not its form for print, AMP or mobile devices")                     \
    X(VERSION, version, 8, "newer version")                                                       \
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
#define TWX_CRITERIA_TEXT "form clean page version score origin url_length fetched_at"

typedef enum twx_www { TWX_WWW_BARE, TWX_WWW_PREFIX, TWX_WWW_AUTO } twx_www;

typedef struct twx_preference {
    bool https;
    twx_www www;                          /* auto: the form that most documents of the site have */
    bool newest;                          /* versions count (twx_doc_entry.version) */
    twx_criterion criteria[TWX_CRITERIA]; /* in order; TWX_BY_NOTHING ends the list */
    /* By twx_host.section: the order among the documents of the section; TWX_BY_NOTHING comes first
     * in one that has none of its own. Only if has_sections. */
    bool has_sections;
    twx_criterion of_section[TWX_HOST_SECTIONS_MAX + 1][TWX_CRITERIA];
} twx_preference;

/* "score" -> TWX_BY_SCORE; TWX_BY_NOTHING when unknown. */
twx_criterion twx_criterion_of(twx_slice name);
/* "score" */
const char *twx_criterion_name(twx_criterion criterion);
/* "larger score": why a document precedes another one. */
const char *twx_criterion_reason(twx_criterion criterion);
/* How many bytes its places need. */
size_t twx_criterion_bytes(twx_criterion criterion);

/* The place of a document in a criterion, smaller first. value: of the criterion: the form, the
 * version, the length, the origin, the date, or what has the order of the score. bits: twx_fact_bit
 */
uint64_t twx_criterion_place(twx_criterion criterion, uint32_t bits, uint64_t value);

/* Is the criterion in a list of the preference? */
bool twx_order_has(const twx_preference *preference, twx_criterion criterion);
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

#endif
