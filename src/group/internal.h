/* group/internal.h: what leaders.c and led.c share: a search for leaders while it goes on. */
#ifndef TWX_GROUP_INTERNAL_H
#define TWX_GROUP_INTERNAL_H

#include "group/group.h"

/* An item that the current item is similar to. */
typedef struct twx_match {
    uint32_t item;
    int32_t similarity;
    unsigned contains; /* for copies */
} twx_match;

/* May the item join the group of a leader? */
typedef struct twx_answer {
    uint32_t leader;
    int32_t similarity; /* that was asked with */
    twx_confirmation is;
} twx_answer;

enum { CONFIRMED_MAX = 4, SIBLINGS_MAX = 16 };

/* What is known of an item while it waits for its turn, or has it. */
typedef struct twx_found {
    TWX_VEC(twx_match) matches[TWX_LIKENESSES];
    uint64_t compared;
    TWX_VEC(uint32_t) met; /* with `led`: the items that it may have to do with */
    size_t n_answers;      /* that were given ahead */
    twx_answer answers[CONFIRMED_MAX + 1];
    bool is_compared; /* with what the lists have before the window */
} twx_found;

/* What a thread needs to compare an item with others. */
typedef struct twx_comparer {
    twx_ctx *cx;
    void *arg;              /* of the callbacks */
    uint64_t *met;          /* bit by item: the current item was compared with it */
    TWX_VEC(uint32_t) some; /* whose bits are set */
    /* The summary of the current item, with a sieve; room for it and for another one */
    const twx_summary_line *own;
    twx_summary_line room[2];
} twx_comparer;

/* The lists of all runs for one relation. */
typedef struct twx_run_lists {
    uint32_t *at;
    uint64_t *from;   /* of run r, where it begins in at; NULL: where it does in the members */
    uint32_t *listed; /* of run r: how many are in its list */
} twx_run_lists;

typedef struct twx_leads {
    bool unsieved;           /* the runs that are kept are not sieved */
    const uint32_t *text_of; /* by index of the entries of the grouper; NULL: these are texts */
    /* runs from here on, of forms, list items that have joined others, too: an item may join the
     * representative of one of its forms; SIZE_MAX: there are none */
    size_t form_runs;
    twx_ctx *cx;
    const twx_leading *how;
    twx_runs all;        /* later the members are the first relation's lists */
    twx_map64 known;     /* runs of keys: each set of members is needed once for a relation */
    size_t similar_runs; /* the runs from here on serve the second relation only */
    twx_run_lists lists[TWX_LIKENESSES];
    uint32_t *items;     /* by text: how many items share it besides the first; NULL: none do */
    uint32_t *runs_from; /* of text i in runs; one more at the end */
    uint32_t *runs;      /* the runs of each text, one text after the other */
    uint32_t *order;     /* items that have runs, in order of rank; the others stay alone */
    size_t ordered;
    size_t threads;
    twx_comparer *comparers; /* by thread */
    /* The window, in `order`; what was found of its items; bit by run, modulo TOUCHED: may the
     * window have added to its lists? */
    size_t window, from, to;
    twx_found *found;
    uint64_t *touched;
    twx_leaders made;
    /* With how->led. By text: a hash of all of its runs; bits: would it meet an item that is new in
     * one of them? */
    uint64_t *of_runs, *again;
    uint32_t *next; /* by item: the next one that has its text; 0: there is none */
    /* bit by item: something else is known of it than before, or it has another leader; the same
     * for what others could not have been compared with before */
    uint64_t *changed, *fresh;
    uint64_t *name;         /* by run: which one it is, whatever its number and members */
    twx_grouper *grouper;   /* whose runs are kept */
    TWX_VEC(uint64_t) keys; /* of runs of groupers and forms, from run l->first_key on */
    size_t first_key;
    uint16_t *marks;  /* by run: how often its members were looked at, or ALL_MARKED */
    twx_led made_led; /* of this call */
} twx_leads;

static inline uint32_t twx_leads_text(const twx_leading *how, uint32_t item) {
    return how->text && item >= how->texts ? how->text[item - how->texts] : item;
}

static inline bool twx_leads_has(const twx_leading *how, uint32_t item) {
    return how->rank[item] != TWX_LEADERS_OUT;
}

static inline size_t twx_leads_relations(const twx_leads *l) {
    return l->how->contains ? TWX_LIKENESSES : 1;
}

static inline uint32_t *twx_leads_list(const twx_leads *l, uint32_t run, twx_likeness relation) {
    const twx_run_lists *lists = &l->lists[relation];
    return &lists->at[lists->from ? lists->from[run] : twx_runs_start(&l->all, run)];
}

/* Is the item, which was listed last, in this list? */
static inline bool twx_leads_is_last(const twx_leads *l, uint32_t run, twx_likeness relation,
                                     uint32_t item) {
    const uint32_t listed = l->lists[relation].listed ? l->lists[relation].listed[run] : 0;
    return listed && twx_leads_list(l, run, relation)[listed - 1] == item;
}

/* Begins with another item, which has met none. */
static inline void twx_comparer_begin(twx_comparer *c) {
    for (size_t k = 0; k < c->some.n; k++) c->met[c->some.at[k] / 64] = 0;
    c->some.n = 0;
    c->own = NULL;
}

/* led (led.c): decisions of an earlier call. Without `led` nothing is settled, and nothing kept. */

/* Does the sieve leave the pair? */
bool twx_leads_may_pair(const twx_leads *l, twx_comparer *c, uint32_t item, uint32_t other);
/* Before the members of runs become lists. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_led_prepare(twx_leads *l);
void twx_led_close(twx_leads *l);
/* Fetches into the cache what was decided of an item, and room for what will be. */
void twx_led_fetch(const twx_leads *l, uint32_t item);
/* Is nothing known, so far, that makes another decision? Any thread may ask. */
bool twx_led_is_settled(const twx_leads *l, uint32_t item);
/* Decides as the earlier call has, if nothing has changed. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_led_decide(twx_leads *l, uint32_t item, bool *ret_decided);
/* Notes what was decided now. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_led_note(twx_leads *l, const twx_found *f, uint32_t item);
/* After the item was listed. places: a hash of the lists that had room or had none; 0: all had.
 * Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_led_note_listed(twx_leads *l, twx_comparer *c, uint32_t item, uint64_t places);

#endif
