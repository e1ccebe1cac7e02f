/* tests/property/plain_judge.h: an oracle for the flags: a judge written as plainly as the rules
 * (docs/internals.md, group/leaders.c): quadratic, on strings, straight from the meaning of the
 * pages (store_maker.h). It shares no code with src/ except for what detectors compute from a text:
 * the keys and similarities of near-duplicates (near_signs.h). From the program's results it takes
 * the signature of each text profile and the groups of copies; flag_checks.h checks both.
 *
 * Documents are numbered 0..n-1, lowest id first. The caller sets how, n, shape, page, profile,
 * title and near, then calls the four functions in their order.
 * Memory: embedded struct; page is borrowed, near is owned (near_signs_done). */
#ifndef TWINDEX_TEST_PLAIN_JUDGE_H
#define TWINDEX_TEST_PLAIN_JUDGE_H

#include "near_signs.h"
#include "store_maker.h"

enum { PLAIN_DOCUMENTS_MAX = 128, PLAIN_NONE = -1 };

typedef enum plain_relation {
    SCHEME,
    WWW,
    EXACT,
    FUZZY,
    TITLE,
    DESCRIPTION,
    NEAR,
    COPY,
    PLAIN_RELATIONS
} plain_relation;

/* The numbers that are stored (judge/eligible.c). */
enum { TAKES_PART, BAD_URL, LOAD_FAILED, REDIRECTED, BAD_STATUS, NOINDEX, CANONICALISED };
enum {
    LINK_NONE,
    LINK_HONOURED,
    LINK_MISSING,
    LINK_FOREIGN,
    LINK_LOOP,
    LINK_DEAD_END,
    LINK_COLLAPSE
};

typedef enum scope { STORE, DOMAIN, HOST } scope;

/* A section [host ...]. */
typedef struct plain_section {
    const char *host;
    bool below;        /* and the hosts below it */
    const char *order; /* verdict.order; NULL: that of the store */
    int32_t least;     /* alignment.threshold, millionths; -1: that of the store */
} plain_section;

enum { PLAIN_SECTIONS_MAX = 4 };

typedef struct plain_rules {
    bool https;
    int www;           /* 0 without www., 1 with it, 2 as most documents of the site */
    const char *order; /* verdict.order */
    bool joins[PLAIN_RELATIONS], canonical, redirect;
    int collapse_min;
    scope scope[PLAIN_RELATIONS];
    bool link;         /* near.join */
    size_t candidates; /* near.candidates */
    plain_section section[PLAIN_SECTIONS_MAX];
    int n_sections;
    int32_t least; /* alignment.threshold of the store */
} plain_rules;

typedef struct plain_decision {
    int own;         /* what excludes it, apart from its link */
    int eligibility; /* with its link */
    int link_state, target;
    int end; /* where following links from here ends */
    int rep[PLAIN_RELATIONS], count[PLAIN_RELATIONS];
    int cluster_rep, cluster_count;
    bool http_unique, www_unique;
    const char *type;
    int duplicate_of;
} plain_decision;

typedef struct plain_judge {
    plain_rules how;
    size_t n;
    test_shape shape;
    const test_page *const *page; /* lowest id first */
    bool has_profile[PLAIN_DOCUMENTS_MAX];
    int64_t profile[PLAIN_DOCUMENTS_MAX];
    char title[2][PLAIN_DOCUMENTS_MAX]
              [TEST_CELL_BYTES]; /* title and description with normalised white space */
    /* Of those that take part: 0: no better form of its URL takes part; texts that no other domain
     * has, as a power of two. */
    int form[PLAIN_DOCUMENTS_MAX], origin[PLAIN_DOCUMENTS_MAX];
    int place[PLAIN_DOCUMENTS_MAX];    /* in the total order */
    int subgroup[PLAIN_DOCUMENTS_MAX]; /* of its profile group: translations are kept separate */
    near_signs near;                   /* of the texts */
    /* of its near-duplicate group, itself when it is in none; PLAIN_NONE: no signature */
    int leader[PLAIN_DOCUMENTS_MAX];
    int32_t similarity[PLAIN_DOCUMENTS_MAX]; /* to the text that it was joined with, millionths */
    /* the first document of its group of copies; itself: alone; PLAIN_NONE: no signature */
    int copy[PLAIN_DOCUMENTS_MAX];
    int siblings[PLAIN_DOCUMENTS_MAX];
    /* documents left out because of near.candidates, and not joined because of a translation */
    size_t near_capped, near_translations;
    plain_decision at[PLAIN_DOCUMENTS_MAX];
} plain_judge;

static inline const test_meaning *plain_meaning(const plain_judge *j, int i) {
    return &j->page[i]->means;
}

static inline bool plain_equal(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* plain_order.c: the places of all documents in the total order, which form and origin decide. */
void plain_find_places(plain_judge *j);
bool plain_better(const plain_judge *j, int a, int b);
/* The number of the section of the document's host; -1: none. */
int plain_section_of(const plain_judge *j, int i);
/* Millionths; -1: not near-duplicates. */
int32_t plain_similarity(const plain_judge *j, int a, int b);
bool plain_takes_part(const plain_judge *j, int i);
bool plain_same_text(const plain_judge *j, int a, int b);
/* which: 0 the title, 1 the description. */
bool plain_same_title(const plain_judge *j, int which, int a, int b);
/* Do both take part with one text in one scope of the near-duplicates? */
bool plain_one_text(const plain_judge *j, int a, int b);
/* Are both in one group of the relation? After plain_judge_groups(). */
bool plain_in_one_group(const plain_judge *j, plain_relation s, int a, int b);

void plain_judge_links(plain_judge *j);
/* copy must be set. */
void plain_judge_groups(plain_judge *j);
void plain_judge_clusters(plain_judge *j);
void plain_judge_flags(plain_judge *j);

#endif
