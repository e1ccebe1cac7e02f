#include "plain_judge.h"

/* ---- forms of URLs ------------------------------------------------------- */

static bool good_scheme(const plain_judge *j, int i) {
    return !plain_meaning(j, i)->web || plain_meaning(j, i)->https == j->how.https;
}

static const char *bare_host(const test_meaning *m) {
    return m->host + (m->www ? strlen("www.") : 0);
}

/* Do more documents of the site that take part have a www.? As many are enough. */
static bool site_has_www(const plain_judge *j, int i) {
    int with = 0, without = 0;
    for (int k = 0; k < (int)j->n; k++) {
        if (!plain_takes_part(j, k) || !plain_meaning(j, k)->web ||
            !plain_equal(bare_host(plain_meaning(j, i)), bare_host(plain_meaning(j, k))))
            continue;
        with += plain_meaning(j, k)->www;
        without += !plain_meaning(j, k)->www;
    }
    return with >= without;
}

static bool good_www(const plain_judge *j, int i) {
    if (!plain_meaning(j, i)->web) return true;
    return plain_meaning(j, i)->www == (j->how.www == 2 ? site_has_www(j, i) : j->how.www == 1);
}

/* ---- links -------------------------------------------------------------- */

static int own_eligibility(const test_meaning *m) {
    if (!m->usable) return BAD_URL;
    if (m->failed) return LOAD_FAILED;
    if (m->status != 200) return BAD_STATUS;
    return m->noindex ? NOINDEX : TAKES_PART;
}

/* Of several documents with the URL, those that take part come first, then the best. */
static int find_target(const plain_judge *j, const char *url) {
    int found = PLAIN_NONE;
    for (int i = 0; i < (int)j->n; i++) {
        if (!plain_meaning(j, i)->usable || !plain_equal(plain_meaning(j, i)->url, url)) continue;
        bool in = j->at[i].own == TAKES_PART;
        if (found == PLAIN_NONE ||
            (in != (j->at[found].own == TAKES_PART) ? in : plain_better(j, i, found)))
            found = i;
    }
    return found;
}

static bool all_link_to(const plain_judge *j, const char *host, int target, int *ret_pages) {
    *ret_pages = 0;
    for (int i = 0; i < (int)j->n; i++) {
        if (!plain_equal(plain_meaning(j, i)->host, host)) continue;
        bool linked = j->at[i].link_state == LINK_HONOURED;
        if (linked && j->at[i].target != target) return false;
        if (!linked && i != target && j->at[i].own == TAKES_PART) return false;
        *ret_pages += linked;
    }
    return true;
}

static void ignore_collapsed_hosts(plain_judge *j) {
    bool collapsed[PLAIN_DOCUMENTS_MAX] = {false};
    for (int i = 0; i < (int)j->n; i++) {
        int pages = 0;
        collapsed[i] = j->at[i].link_state == LINK_HONOURED &&
                       all_link_to(j, plain_meaning(j, i)->host, j->at[i].target, &pages) &&
                       pages >= j->how.collapse_min;
    }
    for (int i = 0; i < (int)j->n; i++)
        if (collapsed[i]) j->at[i].link_state = LINK_COLLAPSE;
}

static void find_loops(plain_judge *j) {
    bool loops[PLAIN_DOCUMENTS_MAX] = {false};
    for (int i = 0; i < (int)j->n; i++) {
        int at = i;
        for (size_t steps = 0; steps < j->n && j->at[at].link_state == LINK_HONOURED && !loops[i];
             steps++) {
            at = j->at[at].target;
            loops[i] = at == i;
        }
    }
    for (int i = 0; i < (int)j->n; i++)
        if (loops[i]) j->at[i].link_state = LINK_LOOP;
}

static int follow(plain_judge *j, int i) {
    plain_decision *d = &j->at[i];
    if (d->link_state == LINK_HONOURED) {
        d->end = follow(j, d->target);
        if (d->end != PLAIN_NONE) return d->end;
        d->link_state = LINK_DEAD_END;
    }
    return d->end = d->own == TAKES_PART ? i : PLAIN_NONE;
}

void plain_judge_links(plain_judge *j) {
    plain_find_places(j);
    for (int i = 0; i < (int)j->n; i++) j->at[i].own = own_eligibility(plain_meaning(j, i));
    for (int i = 0; i < (int)j->n; i++) {
        const test_meaning *m = plain_meaning(j, i);
        plain_decision *d = &j->at[i];
        d->target = PLAIN_NONE;
        if (!m->linked || plain_equal(m->link, m->url)) continue;
        d->target = find_target(j, m->link);
        d->link_state = d->target == PLAIN_NONE ? LINK_MISSING
                        : plain_equal(m->domain, plain_meaning(j, d->target)->domain)
                            ? LINK_HONOURED
                            : LINK_FOREIGN;
    }
    ignore_collapsed_hosts(j);
    find_loops(j);
    for (int i = 0; i < (int)j->n; i++) (void)follow(j, i);
    for (int i = 0; i < (int)j->n; i++) {
        plain_decision *d = &j->at[i];
        const bool honoured = d->link_state == LINK_HONOURED;
        if (honoured) d->target = d->end;
        d->eligibility = d->own;
        if (!honoured || d->own == BAD_URL || d->own == LOAD_FAILED) continue;
        if (plain_meaning(j, i)->redirect)
            d->eligibility = REDIRECTED;
        else if (d->own == TAKES_PART)
            d->eligibility = CANONICALISED;
    }
}

/* ---- groups ------------------------------------------------------------- */

bool plain_same_text(const plain_judge *j, int a, int b) {
    const test_cell *x = &j->page[a]->cell[TEST_TEXT], *y = &j->page[b]->cell[TEST_TEXT];
    return x->n == y->n && memcmp(x->bytes, y->bytes, x->n) == 0;
}

bool plain_same_title(const plain_judge *j, int which, int a, int b) {
    return j->title[which][a][0] && plain_equal(j->title[which][a], j->title[which][b]);
}

static bool same_scope(const plain_judge *j, plain_relation s, int a, int b) {
    const test_meaning *x = plain_meaning(j, a), *y = plain_meaning(j, b);
    if (j->how.scope[s] == STORE) return true;
    return j->how.scope[s] == DOMAIN ? plain_equal(x->domain, y->domain)
                                     : plain_equal(x->host, y->host);
}

static bool same_profile(const plain_judge *j, int a, int b) {
    return j->has_profile[a] && j->has_profile[b] && j->profile[a] == j->profile[b] &&
           same_scope(j, FUZZY, a, b);
}

bool plain_in_one_group(const plain_judge *j, plain_relation s, int a, int b) {
    const test_meaning *x = plain_meaning(j, a), *y = plain_meaning(j, b);
    switch (s) {
    case SCHEME: /* the four forms, unless the verdict joins one of the two relations alone */
        return x->web && y->web && plain_equal(x->path, y->path) &&
               (j->how.joins[SCHEME] == j->how.joins[WWW] ? plain_equal(bare_host(x), bare_host(y))
                                                          : plain_equal(x->host, y->host));
    case WWW:
        return x->web && y->web && x->https == y->https &&
               plain_equal(bare_host(x), bare_host(y)) && plain_equal(x->path, y->path);
    case EXACT:
        return j->page[a]->cell[TEST_TEXT].n > 0 && plain_same_text(j, a, b) &&
               same_scope(j, s, a, b);
    case FUZZY: return same_profile(j, a, b) && j->subgroup[a] == j->subgroup[b];
    case TITLE: return plain_same_title(j, 0, a, b) && same_scope(j, s, a, b);
    case NEAR: return j->leader[a] != PLAIN_NONE && j->leader[a] == j->leader[b];
    case COPY: return j->copy[a] != PLAIN_NONE && j->copy[a] == j->copy[b];
    default: return plain_same_title(j, 1, a, b) && same_scope(j, s, a, b);
    }
}

bool plain_takes_part(const plain_judge *j, int i) {
    return j->at[i].eligibility == TAKES_PART;
}

/* Does another text of this subgroup of i's profile group share an hreflang group with i's? */
static bool has_translation(const plain_judge *j, int i, int subgroup) {
    for (int a = 0; a < (int)j->n; a++) {
        if (!plain_takes_part(j, a) || !same_profile(j, i, a) || j->subgroup[a] != subgroup ||
            plain_same_text(j, i, a))
            continue;
        for (int b = 0; b < (int)j->n; b++)
            if (plain_takes_part(j, b) && same_profile(j, i, b) && plain_same_text(j, i, b) &&
                plain_meaning(j, b)->hreflang[0] &&
                plain_equal(plain_meaning(j, a)->hreflang, plain_meaning(j, b)->hreflang))
                return true;
    }
    return false;
}

/* Each text of a group, best first, goes to the first subgroup that contains no other text of one
 * of its hreflang groups. */
static void separate_translations(plain_judge *j) {
    for (int i = 0; i < (int)j->n; i++) j->subgroup[i] = PLAIN_NONE;
    for (;;) {
        int best = PLAIN_NONE;
        for (int i = 0; i < (int)j->n; i++)
            if (plain_takes_part(j, i) && j->has_profile[i] && j->subgroup[i] == PLAIN_NONE &&
                (best == PLAIN_NONE || plain_better(j, i, best)))
                best = i;
        if (best == PLAIN_NONE) return;
        int subgroup = 0;
        while (has_translation(j, best, subgroup)) subgroup++;
        for (int i = 0; i < (int)j->n; i++)
            if (plain_takes_part(j, i) && same_profile(j, best, i) && plain_same_text(j, best, i))
                j->subgroup[i] = subgroup;
    }
}

/* ---- near-duplicates ---------------------------------------------------- */

/* Texts within a scope are grouped; each is represented by its best document, its head. */
typedef struct heads {
    int at[PLAIN_DOCUMENTS_MAX], n; /* the ones that later texts are compared with, best first */
} heads;

bool plain_one_text(const plain_judge *j, int a, int b) {
    return plain_takes_part(j, a) && plain_takes_part(j, b) && plain_same_text(j, a, b) &&
           same_scope(j, NEAR, a, b);
}

/* Do i and the head share a key? Of each key only the best `candidates` heads count. */
static bool share_key(plain_judge *j, const heads *h, int i, int head) {
    const near_sign *own = &j->near.at[i];
    bool shared = false;
    if (!same_scope(j, NEAR, i, head)) return false;
    for (size_t k = 0; k < own->n; k++) {
        size_t before = 0;
        if (!near_has_key(&j->near, head, &own->keys[k])) continue;
        for (int b = 0; h->at[b] != head; b++)
            before += same_scope(j, NEAR, i, h->at[b]) &&
                      near_has_key(&j->near, h->at[b], &own->keys[k]);
        if (before < j->how.candidates) return true;
        shared = true;
    }
    j->near_capped += shared;
    return false;
}

/* Does this leader's group contain another text of one of the hreflang groups of i's text? */
static bool has_translation_in(const plain_judge *j, int i, int leader) {
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b < (int)j->n && j->leader[a] == leader; b++)
            if (plain_one_text(j, i, b) && plain_meaning(j, b)->hreflang[0] &&
                plain_equal(plain_meaning(j, a)->hreflang, plain_meaning(j, b)->hreflang))
                return true;
    return false;
}

/* The leader of the most similar head whose group may be joined (ties: the better head); i itself
 * when there is none. */
static int find_leader(plain_judge *j, const heads *h, int i) {
    int32_t similarity[PLAIN_DOCUMENTS_MAX];
    for (int k = 0; k < h->n; k++)
        similarity[k] = share_key(j, h, i, h->at[k]) ? plain_similarity(j, i, h->at[k]) : -1;
    for (;;) {
        int best = PLAIN_NONE;
        for (int k = 0; k < h->n; k++)
            if (similarity[k] >= 0 && (best == PLAIN_NONE || similarity[k] > similarity[best]))
                best = k;
        j->similarity[i] = best == PLAIN_NONE ? NEAR_SAME : similarity[best];
        if (best == PLAIN_NONE) return i;
        if (!has_translation_in(j, i, j->leader[h->at[best]])) return j->leader[h->at[best]];
        similarity[best] = -1;
        j->near_translations++;
    }
}

static void find_near_duplicates(plain_judge *j) {
    heads h = {.n = 0};
    for (int i = 0; i < (int)j->n; i++) j->leader[i] = PLAIN_NONE;
    for (;;) {
        int best = PLAIN_NONE;
        for (int i = 0; i < (int)j->n; i++)
            if (plain_takes_part(j, i) && j->near.at[i].n > 0 && j->leader[i] == PLAIN_NONE &&
                (best == PLAIN_NONE || plain_better(j, i, best)))
                best = i;
        if (best == PLAIN_NONE) return;
        const int leader = find_leader(j, &h, best);
        if (leader == best || j->how.link) h.at[h.n++] = best;
        for (int i = 0; i < (int)j->n; i++) {
            if (!plain_one_text(j, best, i)) continue;
            j->leader[i] = leader;
            j->similarity[i] = j->similarity[best];
        }
    }
}

/* Counts the groups of copies among the near-duplicates of a document, except its own. */
static void count_siblings(plain_judge *j) {
    for (int i = 0; i < (int)j->n; i++) {
        j->siblings[i] = 0;
        for (int a = 0; a < (int)j->n && plain_takes_part(j, i); a++) {
            bool first = i != a && plain_takes_part(j, a) && plain_in_one_group(j, NEAR, i, a) &&
                         !plain_in_one_group(j, COPY, i, a);
            for (int b = 0; b < a && first; b++)
                first = !(plain_takes_part(j, b) && plain_in_one_group(j, NEAR, i, b) &&
                          plain_in_one_group(j, COPY, a, b));
            j->siblings[i] += first;
        }
    }
}

/* Is there a form of the document's URL that is better in this? */
static bool is_beaten(const plain_judge *j, plain_relation s, int i,
                      bool (*good)(const plain_judge *, int)) {
    for (int k = 0; k < (int)j->n && !good(j, i); k++)
        if (plain_takes_part(j, k) && plain_in_one_group(j, s, i, k) && good(j, k)) return true;
    return false;
}

static void find_forms(plain_judge *j) {
    for (int i = 0; i < (int)j->n; i++) {
        const bool beaten = plain_takes_part(j, i) && (is_beaten(j, SCHEME, i, good_scheme) ||
                                                       is_beaten(j, WWW, i, good_www));
        j->form[i] = beaten ? 2 * !good_scheme(j, i) + !good_www(j, i) : 0;
    }
}

/* Is there an earlier document with the text on the domain, or any on another domain? */
static bool is_counted_elsewhere(const plain_judge *j, int i) {
    for (int k = 0; k < (int)j->n; k++) {
        if (!plain_takes_part(j, k) || !plain_same_text(j, i, k)) continue;
        if (!plain_equal(plain_meaning(j, i)->domain, plain_meaning(j, k)->domain) || k < i)
            return true;
    }
    return false;
}

static void find_origins(plain_judge *j) {
    for (int i = 0; i < (int)j->n; i++) {
        int texts = 0;
        for (int k = 0; k < (int)j->n; k++)
            texts += plain_takes_part(j, k) && j->page[k]->cell[TEST_TEXT].n > 0 &&
                     plain_equal(plain_meaning(j, i)->domain, plain_meaning(j, k)->domain) &&
                     !is_counted_elsewhere(j, k);
        j->origin[i] = 0;
        for (; texts > 0; texts /= 2) j->origin[i]++;
    }
}

void plain_judge_groups(plain_judge *j) {
    find_forms(j);
    find_origins(j);
    plain_find_places(j);
    separate_translations(j);
    find_near_duplicates(j);
    count_siblings(j);
    for (int s = 0; s < PLAIN_RELATIONS; s++)
        for (int i = 0; i < (int)j->n; i++) {
            plain_decision *d = &j->at[i];
            d->rep[s] = PLAIN_NONE;
            d->count[s] = 0;
            if (!plain_takes_part(j, i)) continue;
            for (int k = 0; k < (int)j->n; k++) {
                if (!plain_takes_part(j, k) || !plain_in_one_group(j, (plain_relation)s, i, k))
                    continue;
                d->count[s]++;
                if (d->rep[s] == PLAIN_NONE || plain_better(j, k, d->rep[s])) d->rep[s] = k;
            }
            if (d->count[s] < 2) d->rep[s] = PLAIN_NONE;
        }
}

/* Documents that share a group of a joined relation get the same label. */
void plain_judge_clusters(plain_judge *j) {
    int label[PLAIN_DOCUMENTS_MAX];
    bool changed = true;
    for (int i = 0; i < (int)j->n; i++) label[i] = i;
    while (changed) {
        changed = false;
        for (int s = 0; s < PLAIN_RELATIONS; s++)
            for (int i = 0; i < (int)j->n; i++) {
                int rep = j->at[i].rep[s];
                if (!j->how.joins[s] || rep == PLAIN_NONE || label[rep] == label[i]) continue;
                label[rep] = label[i] = label[rep] < label[i] ? label[rep] : label[i];
                changed = true;
            }
    }
    for (int i = 0; i < (int)j->n; i++) {
        plain_decision *d = &j->at[i];
        d->cluster_rep = PLAIN_NONE;
        d->cluster_count = 0;
        for (int k = 0; k < (int)j->n; k++) {
            if (!plain_takes_part(j, i) || !plain_takes_part(j, k) || label[i] != label[k])
                continue;
            d->cluster_count++;
            if (d->cluster_rep == PLAIN_NONE || plain_better(j, k, d->cluster_rep))
                d->cluster_rep = k;
        }
    }
}

/* ---- flags -------------------------------------------------------------- */

static bool shares_layout(const plain_judge *j, plain_relation s, int i) {
    for (int k = 0; k < (int)j->n; k++)
        if (k != i && plain_takes_part(j, k) && plain_in_one_group(j, s, i, k) &&
            plain_meaning(j, i)->layout[0] &&
            plain_equal(plain_meaning(j, i)->layout, plain_meaning(j, k)->layout))
            return true;
    return false;
}

/* A document of the other form is unique when no twin that takes part has the preferred form. */
static bool url_unique(const plain_judge *j, plain_relation s, int i,
                       bool (*good)(const plain_judge *, int)) {
    if (good(j, i)) return true;
    for (int k = 0; k < (int)j->n; k++)
        if (plain_takes_part(j, k) && plain_in_one_group(j, s, i, k) && good(j, k)) return false;
    return true;
}

static int survivor(const plain_judge *j, int i) {
    return j->at[i].cluster_rep == PLAIN_NONE ? i : j->at[i].cluster_rep;
}

void plain_judge_flags(plain_judge *j) {
    for (int i = 0; i < (int)j->n; i++) {
        plain_decision *d = &j->at[i];
        d->duplicate_of = PLAIN_NONE;
        d->type = NULL;
        if (!plain_takes_part(j, i)) {
            bool joined = plain_meaning(j, i)->redirect ? j->how.redirect : j->how.canonical;
            if (d->link_state == LINK_HONOURED && joined) d->duplicate_of = survivor(j, d->target);
            continue;
        }
        d->http_unique = url_unique(j, SCHEME, i, good_scheme);
        d->www_unique = url_unique(j, WWW, i, good_www);
        if (d->rep[EXACT] != PLAIN_NONE)
            d->type = shares_layout(j, EXACT, i) ? "full-layout" : "full-content";
        else if (d->rep[COPY] != PLAIN_NONE)
            d->type = shares_layout(j, COPY, i) ? "partial-layout" : "partial-content";
        else if (d->rep[NEAR] != PLAIN_NONE)
            d->type = "sibling";
        else if (d->rep[FUZZY] != PLAIN_NONE)
            d->type = shares_layout(j, FUZZY, i) ? "partial-layout" : "partial-content";
        if (survivor(j, i) != i) d->duplicate_of = survivor(j, i);
    }
}
