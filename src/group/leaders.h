/* group/leaders.h: leader clustering: groups of similar documents, by candidates and verification.
 *
 * Items are processed in order of rank. An item joins the most similar representative (ties: the
 * better rank) among those it shares a key with; an item that is similar to none becomes a
 * representative. So every member was compared with its representative, and no chain of weak pairs
 * can join most of the collection. With TWX_JOIN_LINK an item is also compared with members and
 * joins the group of the most similar one.
 * [R1] The result depends only on the items, their keys and ranks.
 * [R2] Every member verifies against its representative (TWX_JOIN_REPRESENTATIVE); a copy that was
 * found through a form of its page is contained in it and confirmed, but need not be similar to it.
 * [R3] For each key, items are compared with the `candidates` best-ranked ones only; the items left
 * out are counted. Keys that the same items have are one key: near-duplicates share many.
 * With `contains` the same search computes a second relation: an item may be a *copy* of another
 * only if the other contains it, as the caller defines it. Representatives of copies are chosen in
 * the same order, but an item that is similar to a representative without being contained in it
 * represents itself.
 * [R4] The first relation is the same with and without the second.
 * [R5] Items of one text are in one group of the first relation.
 * Memory: 8 bytes for each key that a text shares with others and 24 an item, besides the
 * grouper's memory; with the second relation 12 and 32, and where items share texts 4 for each of
 * the `candidates` of a key. */
#ifndef TWX_GROUP_LEADERS_H
#define TWX_GROUP_LEADERS_H

#include "group/grouper.h"
#include "group/runs.h"

typedef enum twx_join { TWX_JOIN_REPRESENTATIVE, TWX_JOIN_LINK } twx_join;

/* Similarity of two items in millionths, -1: they are not a pair. Symmetric; a precedes b. */
typedef int32_t twx_similarity_fn(void *arg, uint32_t a, uint32_t b);
/* The two relations: similar; similar and contained. */
typedef enum twx_likeness { TWX_SIMILAR, TWX_CONTAINED, TWX_LIKENESSES } twx_likeness;
/* May item join the group of `representative`? NULL: always. Called immediately before it joins. */
typedef bool twx_may_join_fn(void *arg, twx_likeness relation, uint32_t representative,
                             uint32_t item);
/* Does `representative` contain what distinguishes item from it? 0: no. If several do, the item
 * joins the one with the largest value, and of those the most similar. */
typedef unsigned twx_contains_fn(void *arg, uint32_t representative, uint32_t item);

/* Whether a pair that the sieve rejects is compared all the same, for the second relation. */
typedef bool twx_may_prove_fn(void *arg, uint32_t representative, uint32_t item);

/* Whether item, which `leader` contains, may join its group of the second relation: the last and
 * most expensive question, asked of the best match first. similarity: of the two; -1: they were not
 * compared. NULL: always. */
typedef bool twx_confirm_fn(void *arg, uint32_t leader, uint32_t item, int32_t similarity);

typedef struct twx_leading {
    /* of each item: smaller is better, all distinct; TWX_LEADERS_OUT: the item does not take
     * part */
    const uint32_t *rank;
    size_t n; /* items 0..n-1 */
    /* Several items may have one text: then text[i] is the best-ranked one of them, itself below
     * `texts`. They share keys and the group of the first relation, and each finds its own group
     * of the second. NULL: each item has its own text. */
    const uint32_t *text;
    size_t texts; /* keys and runs have items 0..texts-1; with text == NULL it is not used */
    twx_join join;
    uint32_t candidates;
    twx_similarity_fn *similarity; /* NULL: items that share a key are similar */
    /* for the second relation, of pairs that are not similar; NULL: they are not copies */
    twx_similarity_fn *named_similarity;
    twx_may_prove_fn *may_prove; /* NULL: never */
    twx_may_join_fn *may_join;
    twx_contains_fn *contains; /* NULL: the second relation is not wanted */
    twx_confirm_fn *confirm;
    void *arg;
    const twx_runs *forms;  /* runs of items that are candidates for the second relation only */
    twx_runs *runs;         /* more runs of items that share a key; taken; NULL: none */
    const twx_sieve *sieve; /* rejects pairs before they are compared; NULL: none */
} twx_leading;

#define TWX_LEADERS_OUT UINT32_MAX
enum { TWX_LEADERS_SAME = 1000000 }; /* similarity of those that need no verification */

/* By relation and item. Memory: owned arrays; twx_leaders_done(). */
typedef struct twx_leaders {
    uint32_t *of[TWX_LIKENESSES]; /* its representative; the item itself when it is one */
    /* to its representative (by link: to the member it joined), millionths */
    int32_t *similarity[TWX_LIKENESSES];
    uint64_t compared; /* pairs compared, without those that the sieve rejects */
    /* items for which a key had no room: later items are not compared with them through it */
    uint64_t capped;
} twx_leaders;

/* Ends adding to the groupers, whose entries have items as indexes. grouper NULL: none. more: keys
 * that give candidates for the second relation only; NULL: none. */
TWX_CHECK twx_rc twx_leaders_make(twx_ctx *cx, const twx_leading *how, twx_grouper *grouper,
                                  twx_grouper *more, twx_leaders *ret_leaders);
void twx_leaders_done(twx_leaders *l);

#endif
