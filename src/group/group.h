/* group/group.h: equal keys, candidate pairs, representatives, components; sorts beyond memory. */
#ifndef TWX_GROUP_GROUP_H
#define TWX_GROUP_GROUP_H

#include <sys/types.h>

#include "base/base.h"

/* runs (grouper.c): sets of items that share a key, one after the other, and the sieve that drops
 * the items of a set that are similar to none of the others.
 * Memory: embedded struct; twx_runs_done(). */

typedef struct twx_runs {
    TWX_VEC(uint32_t) members; /* of all runs */
    TWX_VEC(uint64_t) ends;    /* of each run in members */
} twx_runs;

void twx_runs_done(twx_runs *r);
/* Copies the members. Errors of both: TWX_E_NOMEM; r is unchanged. */
TWX_CHECK twx_rc twx_runs_add(twx_ctx *cx, twx_runs *r, const uint32_t *members, size_t n);
/* The same, unless r has a run of the same members in the same order: near-duplicates share many
 * keys. known: empty at first, the caller's; knows the runs that were added with it. *ret_run: the
 * number of the run; may be NULL */
TWX_CHECK twx_rc twx_runs_add_once(twx_ctx *cx, twx_runs *r, twx_map64 *known,
                                   const uint32_t *members, size_t n, size_t *ret_run);
/* The run of these members that was added so; false: there is none. */
bool twx_runs_find(const twx_runs *r, const twx_map64 *known, const uint32_t *members, size_t n,
                   size_t *ret_run);
/* For qsort_r(): items (uint32_t) by their ranks. rank: a uint32_t for each item */
int twx_by_rank(const void *left, const void *right, void *rank);
/* The numbers of the first n runs, of two members or more, in the order of the ranks of their
 * members, which are sorted by them; the caller's (twx_free). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_runs_order(twx_ctx *cx, twx_runs *runs, size_t n, const uint32_t *rank,
                                uint32_t **ret_order);
static inline uint64_t twx_runs_start(const twx_runs *r, size_t run) {
    return run ? r->ends.at[run - 1] : 0;
}

enum { TWX_SUMMARY_BYTES = 64, TWX_SIEVED_MAX = 64 };

/* A summary of an item fills one cache line if the array of summaries begins at one. */
typedef struct twx_summary_line {
    unsigned char at[TWX_SUMMARY_BYTES];
} twx_summary_line;

/* Rejects pairs of items by their summaries alone. Memory: borrowed. */
typedef struct twx_sieve {
    const twx_summary_line *summary; /* by item; NULL: not in memory */
    /* makes the summary of an item; not NULL if `summary` is. Any thread may call it. */
    void (*summarize)(const void *arg, uint32_t item, twx_summary_line *ret_summary);
    /* false: the two items are certainly no pair. Any thread may call it. Symmetric. */
    bool (*may_pair)(const void *arg, const unsigned char *a, const unsigned char *b);
    const void *arg;
    size_t most; /* longer runs are left as they are; at most TWX_SIEVED_MAX */
} twx_sieve;

/* The summary of an item, in memory or made in room. */
static inline const twx_summary_line *twx_sieve_summary(const twx_sieve *s, uint32_t item,
                                                        twx_summary_line *room) {
    if (s->summary) return &s->summary[item];
    s->summarize(s->arg, item, room);
    return room;
}

static inline bool twx_sieve_may_pair(const twx_sieve *s, const twx_summary_line *a,
                                      const twx_summary_line *b) {
    return s->may_pair(s->arg, a->at, b->at);
}

/* Moves the members that may be in a pair with another member to the front, in their order, and
 * returns their number. s NULL: keeps all. */
size_t twx_sieve_run(const twx_sieve *s, uint32_t *members, size_t n);

/* bands (band_search.c): the bands of a sketch of 128 bytes. A band is a few of its bytes; two
 * sketches that are equal in all bytes of a band are candidates. The plans, and what they find, are
 * in band_search.c. */

enum {
    TWX_SKETCH_BYTES = 128,
    TWX_BAND_BYTES_MAX = 5,
    TWX_BAND_SECTIONS = 2,
    TWX_BANDS_MAX = 1536 /* of a text */
};

/* Bands of one length. */
typedef struct twx_band_section {
    uint8_t bytes;      /* of a band */
    bool disjoint;      /* a band is a run of bytes */
    uint16_t all, more; /* bands of all texts, and those that only short texts have */
} twx_band_section;

typedef struct twx_band_plan {
    uint64_t documents; /* for at most so many */
    twx_band_section section[TWX_BAND_SECTIONS];
} twx_band_plan;

/* The places of a band's bytes. */
typedef struct twx_band {
    uint8_t bytes, at[TWX_BAND_BYTES_MAX];
    bool of_short; /* only short texts have it */
} twx_band;

/* [R1] The plan depends on the number of documents alone. */
const twx_band_plan *twx_band_plan_for(uint64_t documents);
/* The number of bands of a short text. */
size_t twx_band_count(const twx_band_plan *plan);
twx_band twx_band_of(const twx_band_plan *plan, size_t number);
/* The bytes of the band in a sketch, the first one highest. */
uint64_t twx_band_value(const twx_band *band, const unsigned char sketch[TWX_SKETCH_BYTES]);

/* sketches (partitions.c): the sketches of many texts by columns: byte i of 4096 texts, then byte
 * i + 1 of the same texts. A search for equal bands reads a few columns of all texts. Up to a limit
 * the columns are in memory, beyond it in a temporary file.
 * Memory: embedded struct, initialized by {.limit = bytes}; `limit` bytes, and 1 byte a text. */

enum { TWX_SKETCH_ROWS = 4096 };

typedef enum twx_sketch_kind { TWX_SKETCH_NONE, TWX_SKETCH_LONG, TWX_SKETCH_SHORT } twx_sketch_kind;

typedef struct twx_sketch_block {
    unsigned char column[TWX_SKETCH_BYTES][TWX_SKETCH_ROWS];
} twx_sketch_block;

typedef struct twx_sketches {
    size_t limit;
    size_t n;
    TWX_VEC(uint8_t) kind;              /* twx_sketch_kind */
    TWX_VEC(twx_sketch_block *) blocks; /* those after the written ones; the last may be partial */
    size_t written;                     /* blocks in the file */
    int fd;                             /* valid if there are any */
} twx_sketches;

void twx_sketches_done(twx_sketches *s);
/* Adds a copy of the sketch of the next text; NULL: it has none. Errors TWX_E_NOMEM, TWX_E_CREATE,
 * TWX_E_FULL, TWX_E_IO; after an error no more sketches may be added. */
TWX_CHECK twx_rc twx_sketches_add(twx_ctx *cx, twx_sketches *s, const unsigned char *sketch,
                                  bool is_short);
/* Makes room for the sketches of n texts, to be set in any order, each by one thread; no sketch was
 * added before. TWX_DONE: they do not fit into memory and must be added one after the other. */
TWX_CHECK twx_rc twx_sketches_reserve(twx_ctx *cx, twx_sketches *s, size_t n);
void twx_sketches_set(twx_sketches *s, size_t text, const unsigned char *sketch, bool is_short);

/* Columns of a block, at most as many as a band has bytes. */
typedef struct twx_sketch_columns {
    const unsigned char *at[TWX_BAND_BYTES_MAX]; /* of each: in the sketches, or in room */
    unsigned char room[TWX_BAND_BYTES_MAX][TWX_SKETCH_ROWS];
} twx_sketch_columns;

/* Gets the columns of the band's bytes of the texts from block * TWX_SKETCH_ROWS on. What is beyond
 * the last text has any values. Any thread may call it while no sketch is added. Errors TWX_E_IO */
TWX_CHECK twx_rc twx_sketches_get(twx_ctx *cx, const twx_sketches *s, size_t block,
                                  const twx_band *band, twx_sketch_columns *ret_columns);

/* band_search.c: finds the texts whose sketches are equal in a band (bands), without
 * sorting the bands.
 *
 * The bands of one number are put into a table one text after the other; a text whose band is there
 * already joins the run of the first text that has it. So a band costs a few nanoseconds a text,
 * and only shared bands take memory. Each thread takes the next band number.
 * [R1] The result depends on neither the number of threads nor the memory.
 * [R2] Runs come in order of the band's number, then of their first member; members ascend. Of runs
 * with the same members only the first comes: near-duplicates share most of their bands.
 * Memory: everything in twx_band_search is borrowed for the call. */

typedef struct twx_band_search {
    const twx_band_plan *plan;
    const twx_sketches *sketches;
    const uint64_t *scope;  /* by text: only texts of one scope share a band; NULL: all do */
    const twx_sieve *sieve; /* NULL: none */
    size_t threads;
    /* Bytes for the tables of all threads together, at least 64 KiB for each. A search aims at it;
     * a band that very many texts share takes more. */
    size_t memory;
} twx_band_search;

/* ret_runs: empty; gets the runs of two members or more that the sieve leaves, and owns them; after
 * an error the caller releases what is in it.
 * Errors TWX_E_NOMEM, TWX_E_LIMIT (a band that half a billion texts share), an interrupt */
TWX_CHECK twx_rc twx_band_search_runs(twx_ctx *cx, const twx_band_search *search,
                                      twx_runs *ret_runs);

/* kept_runs (partitions.c, band_search.c): the runs of a search that is continued when there are
 * more texts.
 * [R1] The runs that some band has are those of a search of all texts, in any order.
 * Bands of the texts before are compared with those of the new ones only.
 * Memory: embedded struct, zeroed before use; 12 bytes a run more than the runs themselves, and the
 * runs that no band has any more; twx_kept_runs_done(). */
typedef struct twx_kept_runs {
    twx_runs runs;
    TWX_VEC(uint32_t) bands; /* that have the run; 0: none any more */
    twx_map64 known;         /* of the runs (twx_runs_add_once) */
    const twx_band_plan *plan;
    size_t texts; /* that were searched; 0: none, or an error has come between */
} twx_kept_runs;

/* Searches the texts that are new since the last call, or all if the plan is another one. */
TWX_CHECK twx_rc twx_band_search_more(twx_ctx *cx, const twx_band_search *search,
                                      twx_kept_runs *kept);
/* So many more bands have the run. */
TWX_CHECK twx_rc twx_kept_runs_add(twx_ctx *cx, twx_kept_runs *kept, const uint32_t *members,
                                   size_t n, uint32_t bands);
/* Leaves out the runs that no band has any more, if these are most. */
TWX_CHECK twx_rc twx_kept_runs_compact(twx_ctx *cx, twx_kept_runs *kept);
void twx_kept_runs_done(twx_kept_runs *kept);

/* sort_entries (external_sort.c): sorts entries by (key, check, index). LSD radix sort on the
 * key that skips bytes all keys share; runs of equal keys are sorted by their checks in the same
 * way. Linear. */

typedef struct twx_entry {
    uint64_t key, check;
    uint32_t index;
    uint32_t zero; /* padding, always 0: entries are written to files */
} twx_entry;

/* at[0..n) is sorted; scratch[0..n) is overwritten. */
void twx_sort_entries(twx_entry *at, twx_entry *scratch, size_t n);
/* Sorts items[0..n), fewer than 2^32, by key[item]; those with equal keys stay in their order.
 * scratch[0..n) is overwritten. */
void twx_sort_by_key(uint32_t *items, uint32_t *scratch, size_t n, const uint64_t *key);
/* <0, 0, >0 in the order above. */
int twx_entry_cmp(const twx_entry *a, const twx_entry *b);

/* external_sort.c: an external merge sort: sorted parts of an array too large for memory are
 * written to disk and read back merged. The files are unnamed, so they vanish with the process.
 * Memory: owned handle. */

typedef struct twx_external_sort twx_external_sort;

TWX_CHECK twx_rc twx_external_sort_open(twx_ctx *cx, const char *folder,
                                        twx_external_sort **ret_sort);
void twx_external_sort_close(twx_external_sort *s);
/* Writes at[0..n), which must be sorted, as one part. */
TWX_CHECK twx_rc twx_external_sort_part(twx_external_sort *s, const twx_entry *at, size_t n);
size_t twx_external_sort_parts(const twx_external_sort *s);
/* Starts reading. bytes: size of all read buffers together. */
TWX_CHECK twx_rc twx_external_sort_rewind(twx_external_sort *s, size_t bytes);
/* The next entry in order; TWX_DONE at the end. */
TWX_CHECK twx_rc twx_external_sort_next(twx_external_sort *s, twx_entry *ret_entry);

/* Entries that are added, sorted, and read in order: in memory up to a limit, and from there on in
 * parts on disk. Memory: embedded struct, zeroed but for the first four; twx_entries_done() */
typedef struct twx_entries {
    size_t limit;       /* entries in memory, 0: few; the sort needs a second array of that size */
    const char *folder; /* as for twx_external_sort_open() */
    size_t read_bytes;  /* of the buffers that read the parts; 0: as many as `limit` entries have */
    /* Adds an entry to one of the same key: in memory, and within each part, a key then has one
     * entry. NULL: entries are kept as they are */
    void (*combine)(twx_entry *to, const twx_entry *from);
    TWX_VEC(twx_entry) at;
    TWX_VEC(twx_entry) scratch;
    twx_external_sort *on_disk; /* NULL: everything fits */
    size_t written;             /* entries in all parts */
    size_t next;                /* that is read from memory */
} twx_entries;

TWX_CHECK twx_rc twx_entries_add(twx_ctx *cx, twx_entries *e, twx_entry entry);
/* Writes what is in memory to disk. */
TWX_CHECK twx_rc twx_entries_write(twx_ctx *cx, twx_entries *e);
/* Starts reading; nothing is added any more. */
TWX_CHECK twx_rc twx_entries_sort(twx_ctx *cx, twx_entries *e);
/* Sorts them with those of another list, under other indexes: moved[index], which ascend as before;
 * entries with UINT32_MAX there are left out. before NULL: there is none. Errors TWX_E_NOMEM,
 * TWX_E_INTERNAL: one of the lists is not in memory */
TWX_CHECK twx_rc twx_entries_sort_with(twx_ctx *cx, twx_entries *e, const twx_entries *before,
                                       const uint32_t *moved);
/* The next entry in order; TWX_DONE at the end. */
TWX_CHECK twx_rc twx_entries_next(twx_entries *e, twx_entry *ret_entry);
void twx_entries_done(twx_entries *e);

/* masked_runs (grouper.c): for each of several masks, the runs of numbers that are equal in the
 * bits of the mask: what fingerprints within a few bits have in common (sign/simhash.c, [R3]).
 * [R1] A run has two numbers or more, every number is in at most one run of a mask, and any two
 * that agree in the mask's bits are in one run.
 * [R2] The result does not depend on the number of threads: runs come in order of the masks, those
 * of one mask in an order that depends on the numbers only, members ascending.
 * Memory: at most TWX_MASKED_BYTES a number and thread, besides the runs of as many masks as there
 * are threads; plain arrays, nothing on disk. */

/* Memory: borrowed. */
typedef struct twx_masked {
    const uint64_t *numbers;
    size_t n; /* below 2^32 */
    const uint64_t *masks;
    size_t n_masks;
    size_t threads; /* masks that are worked on at once */
} twx_masked;

/* Shape members[0..n), n >= 2, positions in `numbers`, ascending. Borrowed for the call; the
 * callee may reorder them. Called in the caller's thread. */
typedef twx_rc twx_run_fn(void *arg, uint32_t *members, size_t n);
/* Errors TWX_E_NOMEM, an interrupt, what fn returns */
TWX_CHECK twx_rc twx_masked_runs(twx_ctx *cx, const twx_masked *what, twx_run_fn *fn, void *arg);

/* grouper.c: finds the documents that share a key: it takes entries and produces runs of
 * equal (key, check).
 * [R1] The order of adding does not affect the result: runs come in order of (key, check), members
 * ascending.
 * [R2] Memory stays below the limit for any number of entries: beyond it, sorted parts go to
 * unnamed temporary files and are merged. Another engine can implement this header.
 * Memory: owned handle. One thread at a time. */

typedef struct twx_grouper twx_grouper;

/* bytes: size of the sort buffers, at least 1 MiB. folder: of the temporary files, borrowed; NULL:
 * $TMPDIR or /tmp. */
TWX_CHECK twx_rc twx_grouper_open(twx_ctx *cx, size_t bytes, const char *folder,
                                  twx_grouper **ret_grouper);
void twx_grouper_close(twx_grouper *g);
TWX_CHECK twx_rc twx_grouper_add(twx_grouper *g, uint64_t key, uint64_t check, uint32_t index);
/* Before twx_grouper_add_number(). masks[0..n_masks), at most TWX_GROUPER_MASKS_MAX, are copied.
 * threads: that may sort. */
void twx_grouper_use_masks(twx_grouper *g, const uint64_t *masks, size_t n_masks, size_t threads);
/* Adds the number under one key for each mask: its bits in that mask. While all numbers fit into
 * the limit they are kept as they are, and runs come in order of the masks (masked_runs); beyond
 * it they become entries like others, with the same runs in another order. Indexes ascend. */
TWX_CHECK twx_rc twx_grouper_add_number(twx_grouper *g, uint64_t number, uint32_t index);
/* Ends adding, and sorts the entries if they are all in memory: what twx_grouper_each() would do.
 * before, moved: twx_entries_sort_with(). Any thread, while others work with other groupers. */
TWX_CHECK twx_rc twx_grouper_sort(twx_ctx *cx, twx_grouper *g, const twx_grouper *before,
                                  const uint32_t *moved);
/* Ends adding and calls fn for each run of two or more: of entries, then of numbers. Any thread, as
 * twx_grouper_sort(), but errors of temporary files go to the context of twx_grouper_open(). */
TWX_CHECK twx_rc twx_grouper_each(twx_ctx *cx, twx_grouper *g, twx_run_fn *fn, void *arg);
/* The key of the run that fn is called for, unless it is one of numbers. */
uint64_t twx_grouper_key(const twx_grouper *g);
/* Parts written to temporary files so far. */
size_t twx_grouper_sorted_bytes(const twx_grouper *g);

/* leaders.c: leader clustering: groups of similar documents, by candidates and verification.
 * The rules are in leaders.c.
 * Memory: 8 bytes for each key that a text shares with others and 20 an item, besides the
 * grouper's memory; with the second relation 12 and 24, and where items share texts 4 for each of
 * the `candidates` of a key. */

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

typedef enum twx_confirmation {
    TWX_REFUSED,
    TWX_CONFIRMED,
    TWX_NOT_CONTAINED, /* private to leaders.c */
    TWX_LATER          /* only ahead: to be asked again in order */
} twx_confirmation;

/* Whether item, which `leader` contains, may join its group of the second relation: the last and
 * most expensive question, asked of the best match first. similarity: of the two; -1: they were not
 * compared. ahead: asked before its turn, by any thread, maybe in vain. NULL: always. */
typedef twx_confirmation twx_confirm_fn(void *arg, uint32_t leader, uint32_t item,
                                        int32_t similarity, bool ahead);

typedef struct twx_leading {
    /* of each item: smaller is better, all distinct, without large gaps, because an array has a
     * place for each up to the largest; TWX_LEADERS_OUT: the item does not take part */
    const uint32_t *rank;
    size_t n; /* items 0..n-1 */
    /* Several items may have one text: then the best-ranked one of them is below `texts`, and
     * text[i - texts] of each other one i. They share keys and the group of the first relation,
     * and each finds its own group of the second. NULL: each item has its own text. */
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
    /* With several threads, `arg` is that of the first one, in an array of things of so many bytes.
     * Only may_join is called in order, by the first one. */
    size_t threads, arg_bytes;
    /* Where nothing has changed since the call that made it, decisions are those of that call; gets
     * those of this one. The other members must be the same in both. Without may_join. NULL: every
     * item is decided */
    struct twx_led *led;
    const twx_runs *forms;     /* runs of items that are candidates for the second relation only */
    const uint64_t *form_keys; /* of these runs: with `led` */
    twx_runs *runs;            /* more runs of items that share a key; taken; NULL: none */
    const uint32_t *text_of_more; /* by index of the entries of `more`: the text; NULL: itself */
    const twx_sieve *sieve;       /* rejects pairs before they are compared; NULL: none */
} twx_leading;

#define TWX_LEADERS_OUT UINT32_MAX
enum { TWX_LEADERS_SAME = 1000000 }; /* similarity of those that need no verification */

/* By item. Memory: owned arrays; twx_leaders_done(). */
typedef struct twx_leaders {
    /* by relation: its representative; the item itself when it is one */
    uint32_t *of[TWX_LIKENESSES];
    int32_t *similarity; /* of the first relation: to the item that it joined, millionths */
    uint64_t compared;   /* pairs of texts compared, without those that the sieve rejects */
    /* items for which a key had no room: later items are not compared with them through it */
    uint64_t capped;
    uint64_t decided; /* with `led`: items that were decided now */
} twx_leaders;

/* What was decided of an item. */
typedef struct twx_led_item {
    uint64_t of_runs; /* a hash of its runs, if it has left out some; else 0 */
    uint64_t places;  /* of the lists that had room for it or had none; 0: all had */
    uint64_t from;    /* the items that it has met, in twx_led.met */
    uint32_t met, compared, of[TWX_LIKENESSES];
    int32_t similarity;
    bool is_decided; /* false: it had no runs */
} twx_led_item;

/* The decisions of a call. Texts keep their numbers from call to call; further ones follow, and
 * those of items that share one begin after the last of them.
 * Memory: owned arrays, 56 bytes an item, 8 a text, 4 a pair that has met; twx_led_done(). */
typedef struct twx_led {
    /* Set before each call, borrowed. By item: a hash of all that the callbacks know of it, and of
     * which item it is, whatever its number; not 0. By text: a hash of what decides which items
     * have it, which keys and forms, and their ranks */
    const uint64_t *known, *of_texts;
    /* Zeroed before the first call */
    size_t n, texts;
    uint64_t *known_were, *texts_were;
    twx_led_item *items;
    TWX_VEC(uint32_t) met;
} twx_led;

void twx_led_done(twx_led *led);

/* Ends adding to the groupers, whose entries have texts as indexes. grouper NULL: none. more: keys
 * that give candidates for the second relation only; NULL: none. */
TWX_CHECK twx_rc twx_leaders_make(twx_ctx *cx, const twx_leading *how, twx_grouper *grouper,
                                  twx_grouper *more, twx_leaders *ret_leaders);
void twx_leaders_done(twx_leaders *l);

/* pieces (external_sort.c): many short byte strings, numbered in the order in which they are added.
 * Up to a limit they are in memory; beyond it they are in a temporary file, from which each is read
 * when it is wanted.
 * [R1] A piece is got as it was added, whatever the limit.
 * [R2] A piece that cannot be read is empty, and twx_pieces_error() returns the error: callers that
 * only compare pieces need not handle it one by one.
 * Memory: embedded struct; 2.2 bytes a piece, and `limit` bytes for the pieces themselves; those
 * longer than TWX_PIECE_MAX bytes are always in memory. */

enum { TWX_PIECE_MAX = 1023 };

typedef struct twx_long_piece {
    uint64_t number, end; /* in long_bytes */
} twx_long_piece;

typedef struct twx_pieces {
    size_t limit;
    size_t n;
    TWX_VEC(uint64_t) starts; /* of every 64th piece */
    TWX_VEC(uint16_t) ends;   /* of each piece, from the last of `starts` on */
    twx_buf bytes;            /* of the pieces, from byte `written` on */
    uint64_t written;         /* bytes in the file */
    int fd;                   /* -1: there is no file */
    TWX_VEC(twx_long_piece) longs;
    twx_buf long_bytes;
    atomic_int *error; /* errno of a read that failed; 0: none */
} twx_pieces;

/* limit: bytes. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_pieces_init(twx_ctx *cx, twx_pieces *p, size_t limit);
/* A struct of zeros is fine, too. */
void twx_pieces_done(twx_pieces *p);
/* Adds the next piece. Errors TWX_E_NOMEM, TWX_E_CREATE, TWX_E_FULL, TWX_E_IO; after an error no
 * more pieces may be added. */
TWX_CHECK twx_rc twx_pieces_add(twx_ctx *cx, twx_pieces *p, twx_slice piece);
/* The same with n pieces of another, from `first` on; also TWX_E_IO of reading them. */
TWX_CHECK twx_rc twx_pieces_add_from(twx_ctx *cx, twx_pieces *p, const twx_pieces *from,
                                     size_t first, size_t n);
/* The bytes of piece i, none if there is no such piece: in p, or in room of TWX_PIECE_MAX bytes.
 * Borrowed until either changes. Any thread may call it while no piece is added. */
twx_slice twx_pieces_get(const twx_pieces *p, size_t i, char *room);
/* Its length. */
size_t twx_pieces_length(const twx_pieces *p, size_t i);
/* Errors TWX_E_IO: a piece could not be read. */
TWX_CHECK twx_rc twx_pieces_error(twx_ctx *cx, const twx_pieces *p);

/* parked (external_sort.c): arrays that are not needed for a while are in a temporary file.
 * Memory: embedded struct, zeroed before use; its file has the arrays until they are taken back. */
typedef struct twx_parked_array {
    void *address; /* of the pointer to it */
    size_t bytes;
    uint64_t at; /* in the file */
} twx_parked_array;

typedef struct twx_parked {
    int fd; /* unless `arrays` is empty */
    uint64_t written;
    TWX_VEC(twx_parked_array) arrays;
} twx_parked;

/* Writes the array and frees it; the pointer at `address` is then NULL. Errors as twx_pieces_add();
 * then p may only be released */
TWX_CHECK twx_rc twx_park(twx_ctx *cx, twx_parked *p, void *address, size_t bytes);
/* Makes all arrays again. Errors TWX_E_NOMEM, TWX_E_IO; those that are missing stay NULL. */
TWX_CHECK twx_rc twx_parked_take(twx_ctx *cx, twx_parked *p);
void twx_parked_done(twx_parked *p);

/* separate (partitions.c): keeps translations separate within a group (docs/internals.md,
 * "Translations").
 * [R1] Two different texts of one hreflang group never share a subgroup.
 * [R2] Equal texts always share one.
 * [R3] Without hreflang all members stay together.
 * [R4] Members are processed in the given order, so a total order of the input determines the
 * result. */

/* Shape members[0..n) in the order that decides; text and hreflang are indexed by member (0: no
 * hreflang group). ret_subgroup[i], from 0, is that of members[i]. */
TWX_CHECK twx_rc twx_keep_separate(twx_ctx *cx, const uint32_t *members, size_t n,
                                   const uint64_t *text, const uint64_t *hreflang,
                                   uint32_t *ret_subgroup);

/* sparse_groups (partitions.c): a partition of items, most of which are in no group: by item, the
 * representative of its group, and the group's size.
 * Memory: embedded struct; a third of a byte for each item, and 4 bytes for each that was in a
 * group when the partition was made. Owned; twx_sparse_groups_done(). */

#define TWX_IN_NO_GROUP UINT32_MAX

typedef struct twx_sparse_groups {
    size_t n;         /* items; 0: none, also for a struct of zeros */
    uint64_t *in;     /* bit by item: it is, or was, in a group; NULL: no item */
    uint64_t *heads;  /* bit by item: it is a representative */
    uint32_t *before; /* by 64 items: how many of those before them are in a group */
    uint32_t *at;     /* of each of these items: its representative, or the size if it is one */
} twx_sparse_groups;

/* rep: of each of n items, TWX_IN_NO_GROUP for none. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_sparse_groups_make(twx_ctx *cx, const uint32_t *rep, size_t n,
                                        twx_sparse_groups *ret_groups);
void twx_sparse_groups_done(twx_sparse_groups *g);

static inline bool twx_sparse_groups_bit(const uint64_t *bits, uint32_t item) {
    return bits[item / 64] >> item % 64 & 1;
}
/* The place of an item that is, or was, in a group. */
static inline uint32_t *twx_sparse_groups_place(const twx_sparse_groups *g, uint32_t item) {
    const uint64_t below = (UINT64_C(1) << item % 64) - 1;
    return &g->at[g->before[item / 64] + (uint32_t)__builtin_popcountll(g->in[item / 64] & below)];
}
/* The representative of an item's group; TWX_IN_NO_GROUP: it is in none. */
static inline uint32_t twx_sparse_groups_rep(const twx_sparse_groups *g, uint32_t item) {
    if (!g->n || !twx_sparse_groups_bit(g->in, item)) return TWX_IN_NO_GROUP;
    return twx_sparse_groups_bit(g->heads, item) ? item : *twx_sparse_groups_place(g, item);
}
/* The length of the array `at`. */
static inline size_t twx_sparse_groups_places(const twx_sparse_groups *g) {
    return g->n ? g->before[g->n / 64] + (size_t)__builtin_popcountll(g->in[g->n / 64]) : 0;
}
/* How many items are in an item's group; 0: it is in none. */
static inline uint32_t twx_sparse_groups_size(const twx_sparse_groups *g, uint32_t item) {
    const uint32_t rep = twx_sparse_groups_rep(g, item);
    return rep == TWX_IN_NO_GROUP ? 0 : *twx_sparse_groups_place(g, rep);
}

/* The three change an item that was in a group. It leaves its group. */
void twx_sparse_groups_leave(twx_sparse_groups *g, uint32_t item);
/* It follows a representative. */
void twx_sparse_groups_follow(twx_sparse_groups *g, uint32_t item, uint32_t rep);
/* It represents a group of `size` items. */
void twx_sparse_groups_head(twx_sparse_groups *g, uint32_t item, uint32_t size);

/* temporary_file (external_sort.c): an unnamed temporary file: it vanishes with the process,
 * however that ends. It is read and written at places, never mapped: a full disk is an error, not a
 * signal.
 * Memory: a file descriptor, owned by the caller; close() ends it. */

/* folder NULL: $TMPDIR or /tmp. Errors TWX_E_CREATE, TWX_E_NOMEM */
TWX_CHECK twx_rc twx_temporary_file_open(twx_ctx *cx, const char *folder, int *ret_fd);
/* Writes n bytes at a place. Errors TWX_E_FULL, TWX_E_IO */
TWX_CHECK twx_rc twx_temporary_file_write(twx_ctx *cx, int fd, const void *p, size_t n, off_t at);
/* Reads n bytes from a place on. Returns 0, or an errno; EIO: the file is too short. Any thread. */
int twx_temporary_file_read(int fd, void *p, size_t n, off_t at);
/* The error of a read. error: not 0. */
twx_rc twx_temporary_file_failed(twx_ctx *cx, int error);

/* union_find (partitions.c): disjoint sets over 0..n-1 (Tarjan 1975; path halving; the smaller root
 * becomes the root, so the order of joining does not affect the result).
 * Memory: embedded struct, owned array, 4 bytes an item. */

typedef struct twx_union_find {
    uint32_t *parent;
    size_t n;
} twx_union_find;

TWX_CHECK twx_rc twx_union_find_init(twx_ctx *cx, twx_union_find *u, size_t n);
void twx_union_find_done(twx_union_find *u);
uint32_t twx_union_find_root(twx_union_find *u, uint32_t item); /* the smallest item of its set */
void twx_union_find_join(twx_union_find *u, uint32_t a, uint32_t b);

#endif
