#include "predict/predict.h"

enum { POLL = 4096 };

/* Two URLs that are duplicates: of what (twx_each_key()), with which value of the part in question.
 */
typedef struct duplicate {
    uint64_t each;
    uint32_t value; /* part of its hash */
} duplicate;

TWX_ORDER_2(by_value, duplicate, value, each)

TWX_ORDER(by_each, duplicate, TWX_UP_THEN(each, by_value(a, b)))

/* How often duplicates count for a hypothesis that has `each`. Sorts them. */
static uint64_t count_duplicates(const twx_hypothesis *h, duplicate *at, size_t n) {
    size_t kept = 0, of_one = 0;
    uint64_t dup = 0;
    if (n == 0) return 0;
    if (!h->added) { /* otherwise the value is in the context */
        qsort(at, n, sizeof *at, by_value);
        for (size_t i = 0; i < n; i++)
            if (kept == 0 || at[kept - 1].value != at[i].value) at[kept++] = at[i];
        n = kept;
    }
    qsort(at, n, sizeof *at, by_each);
    for (size_t i = 0; i < n; i++) {
        of_one = i > 0 && at[i].each == at[i - 1].each ? of_one + 1 : 1;
        dup += of_one <= TWX_DUPLICATES_EACH;
    }
    return dup;
}

/* ==== learner */

enum {
    BYTES_LEAST = 1 << 20,
    HASH_SEED = 0x75726C,
    NO_VARIANT = UINT16_MAX, /* a member that is the counterpart of the others */
    URLS_MOST = UINT32_MAX - 1
};

typedef struct learned_url {
    uint64_t hash, content, sample; /* sample: of the path without the origin */
    size_t at;
    uint32_t length;
    uint32_t weight; /* how many members it may become */
} learned_url;

/* A URL as a member of a group. */
typedef struct member {
    uint64_t value; /* of its variant */
    uint32_t url;
    uint16_t variant;
    uint16_t second; /* of a pair: part of the hash of the other value */
} member;

/* One comparison of two URLs. */
typedef struct trial {
    uint64_t each; /* twx_each_key() */
    uint32_t url;
    uint32_t other; /* of origins, the second URL; of groups, part of the hash of a value */
    uint16_t variant;
    uint8_t row;
    bool dup;
} trial;

struct twx_learner {
    twx_ctx *cx;
    const char *folder;
    size_t bytes;
    uint64_t mask; /* URLs whose sample has one of these bits are dropped */
    TWX_VEC(learned_url) urls;
    uint64_t weight; /* of all URLs */
    twx_buf texts;
    TWX_VEC(member) members;
    TWX_VEC(trial) trials;
    twx_map64 whole;  /* -> index of the URL */
    twx_map64 routes; /* groups of URLs that differ in their origins alone */
    twx_map64 names;  /* of the parameters of a path so far */
    TWX_VEC(duplicate) counted;
    twx_grouper *groups, *contexts;
    twx_url_variants page, other; /* scratch */
    twx_model *model;
};

twx_rc twx_learner_open(twx_ctx *cx, size_t bytes, const char *folder, twx_learner **ret_learner) {
    twx_learner *l = twx_calloc(cx, 1, sizeof *l);
    if (!l) return TWX_E_NOMEM;
    l->cx = cx;
    l->folder = folder;
    l->bytes = bytes > BYTES_LEAST ? bytes : BYTES_LEAST;
    twx_buf_init(&l->texts, SIZE_MAX / 2);
    *ret_learner = l;
    return TWX_OK;
}

void twx_learner_close(twx_learner *l) {
    if (!l) return;
    TWX_VEC_DONE(&l->urls);
    TWX_VEC_DONE(&l->members);
    TWX_VEC_DONE(&l->trials);
    twx_buf_done(&l->texts);
    twx_map64_done(&l->whole);
    twx_map64_done(&l->routes);
    twx_map64_done(&l->names);
    TWX_VEC_DONE(&l->counted);
    twx_grouper_close(l->groups);
    twx_grouper_close(l->contexts);
    twx_free(l);
}

uint64_t twx_learner_share(const twx_learner *l) {
    return l->mask + 1;
}

uint64_t twx_learner_urls(const twx_learner *l) {
    return l->urls.n;
}

/* ---- adding ------------------------------------------------------------- */

static twx_slice text_of(const twx_learner *l, size_t url) {
    return (twx_slice){l->texts.p + l->urls.at[url].at, l->urls.at[url].length};
}

/* An upper bound of the group members of a URL: for its path, for other origins and folders, for
 * each parameter and each pair of them. Some segments have a counterpart as well. */
static uint32_t weight_of(const twx_url_pieces *p) {
    const size_t paired = p->parameters_n < TWX_PAIRED_MAX ? p->parameters_n : TWX_PAIRED_MAX;
    return (uint32_t)(3 + p->segments_n / 4 + p->parameters_n + paired * paired / 2);
}

/* The memory of the URLs, including the members, trials and keys that they lead to. */
static size_t bytes_used(const twx_learner *l) {
    return l->texts.n + l->urls.n * (sizeof(learned_url) + 2 * sizeof(twx_map64_slot)) +
           l->weight * (sizeof(member) + 4 * sizeof(trial) + sizeof(twx_map64_slot));
}

/* [R2] */
static void halve(twx_learner *l) {
    size_t kept = 0, texts = 0;
    l->mask = l->mask << 1 | 1;
    l->weight = 0;
    for (size_t i = 0; i < l->urls.n; i++) {
        learned_url url = l->urls.at[i];
        if (url.sample & l->mask) continue;
        memmove(l->texts.p + texts, l->texts.p + url.at, url.length);
        url.at = texts;
        texts += url.length;
        l->weight += url.weight;
        l->urls.at[kept++] = url;
    }
    l->urls.n = kept;
    l->texts.n = texts;
}

twx_rc twx_learner_add(twx_learner *l, twx_slice url, uint64_t content) {
    if (url.n > TWX_LEARN_URL_MAX) return TWX_OK; /* [R3] */
    twx_url_pieces_of(url, &l->page.parts);
    learned_url u = {.hash = twx_hash64(url, HASH_SEED),
                     .content = content,
                     .sample = twx_hash64(l->page.parts.path, HASH_SEED),
                     .at = l->texts.n,
                     .length = (uint32_t)url.n,
                     .weight = weight_of(&l->page.parts)};
    if (u.sample & l->mask) return TWX_OK;
    twx_rc rc = twx_buf_add_slice(l->cx, &l->texts, url);
    if (rc == TWX_OK && !TWX_VEC_PUSH(l->cx, &l->urls, u)) rc = TWX_E_NOMEM;
    l->weight += u.weight;
    while (rc == TWX_OK && l->mask != UINT64_MAX &&
           (bytes_used(l) > l->bytes || l->urls.n > URLS_MOST))
        halve(l);
    return rc;
}

/* ---- trials ------------------------------------------------------------- */

static bool are_duplicates(const twx_learner *l, uint32_t a, uint32_t b) {
    return l->urls.at[a].content == l->urls.at[b].content;
}

static twx_rc add_trial(twx_learner *l, uint64_t context, const trial *t) {
    const uint32_t at = (uint32_t)l->trials.n;
    if (l->trials.n > URLS_MOST) return TWX_OK; /* enough trials */
    if (!TWX_VEC_PUSH(l->cx, &l->trials, *t)) return TWX_E_NOMEM;
    return twx_grouper_add(l->contexts, context, 0, at);
}

/* Adds the trials of a variant of l->page to the rows of its kind: those of a part that is added,
 * or else those of its value or of any value. */
static twx_rc add_trials(twx_learner *l, trial t, const twx_variant *v, bool added, bool of_value) {
    twx_rc rc = TWX_OK;
    for (size_t row = 0; rc == TWX_OK && row < TWX_HYPOTHESES; row++) {
        const twx_hypothesis *h = &TWX_HYPOTHESIS[row];
        const bool has_value = h->of & TWX_OF_VALUE;
        if (h->kind != v->kind || h->added != added || (!added && has_value != of_value)) continue;
        t.row = (uint8_t)row;
        t.each = twx_each_key(row, &l->page, v);
        rc = add_trial(l, twx_context_key(row, &l->page, v), &t);
    }
    return rc;
}

static twx_rc add_member(twx_learner *l, const twx_variant *v, uint32_t url, uint16_t variant) {
    const uint32_t at = (uint32_t)l->members.n;
    const member m = {v->value, url, variant, (uint16_t)v->second_value};
    if (l->members.n > URLS_MOST) return TWX_OK;
    if (!TWX_VEC_PUSH(l->cx, &l->members, m)) return TWX_E_NOMEM;
    return twx_grouper_add(l->groups, v->group, 0, at);
}

static twx_rc take_variant(twx_learner *l, uint32_t url, uint16_t at) {
    const twx_variant *v = &l->page.variants[at];
    const bool other = v->counterpart && v->counterpart != l->page.whole;
    const uint64_t *counterpart = other ? twx_map64_at(&l->whole, v->counterpart) : NULL;
    twx_rc rc = TWX_OK;
    /* nothing is served without these folders */
    if (v->kind == TWX_VARIANT_ORIGIN && !twx_map64_at(&l->routes, v->group)) return TWX_OK;
    if (counterpart) {
        const trial t = {
            .url = url, .variant = at, .dup = are_duplicates(l, url, (uint32_t)*counterpart)};
        rc = add_trials(l, t, v, true, true);
        if (rc == TWX_OK && v->group) rc = add_member(l, v, (uint32_t)*counterpart, NO_VARIANT);
    }
    return rc == TWX_OK && v->group ? add_member(l, v, url, at) : rc;
}

static twx_rc take_url(twx_learner *l, uint32_t url) {
    twx_url_variants_of(text_of(l, url), &l->page);
    twx_rc rc = url % POLL == 0 ? twx_cancelled(l->cx) : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < l->page.variants_n; i++)
        rc = take_variant(l, url, (uint16_t)i);
    return rc;
}

/* l->page: the variants of a. */
static twx_rc compare_origins(twx_learner *l, const member *a, const member *b) {
    const uint64_t folder = l->page.variants[a->variant].name;
    trial t = {.each = l->urls.at[a->url].content,
               .url = a->url,
               .other = b->url,
               .variant = a->variant,
               .row = TWX_ORIGINS,
               .dup = are_duplicates(l, a->url, b->url)};
    if (a->variant != TWX_ORIGIN_AT && b->variant != TWX_ORIGIN_AT) return TWX_OK;
    twx_rc rc = add_trial(l, twx_origins_context(a->value, b->value, l->page.shape), &t);
    t.row = TWX_ORIGINS_OF_FOLDER;
    return rc == TWX_OK && folder
               ? add_trial(l, twx_origins_context(a->value, b->value, folder), &t)
               : rc;
}

TWX_ORDER_2(by_url, member, url, variant)

/* Adds the names of the URL's parameters to l->names. Was one of them new? */
static twx_rc add_names(twx_learner *l, uint32_t url, bool *ret_new) {
    twx_url_pieces *parts = &l->other.parts;
    twx_rc rc = TWX_OK;
    *ret_new = false;
    twx_url_pieces_of(text_of(l, url), parts);
    for (size_t i = 0; rc == TWX_OK && i < parts->parameters_n; i++) {
        bool fresh = false;
        rc = twx_map64_place(l->cx, &l->names, twx_hash64(parts->parameters[i].name, HASH_SEED), 0,
                             NULL, &fresh);
        *ret_new = *ret_new || fresh;
    }
    return rc;
}

/* The trials of hypothesis 1, of the URLs of a path. */
static twx_rc try_queries(twx_learner *l, const member *at, size_t n) {
    bool fresh = false;
    twx_rc rc = add_names(l, at[0].url, &fresh);
    for (size_t i = 0; rc == TWX_OK && i + 1 < n; i++) {
        const trial t = {.url = at[0].url,
                         .variant = at[0].variant,
                         .dup = are_duplicates(l, at[i].url, at[i + 1].url)};
        rc = add_names(l, at[i + 1].url, &fresh);
        if (rc == TWX_OK && (fresh || !t.dup))
            rc = add_trials(l, t, &l->page.variants[t.variant], false, false);
    }
    twx_map64_done(&l->names);
    return rc;
}

/* Part of the hash of the value that the second of two members has and the first has not. */
static uint32_t value_of(const member *a, const member *b) {
    const member *m = b->variant == NO_VARIANT ? a : b;
    return (uint32_t)m->value ^ (uint32_t)m->second << 16;
}

/* The trials of a value, of one of two members that were compared. l->page is of their group. */
static twx_rc add_value_trials(twx_learner *l, trial t, const member *m) {
    twx_variant v = l->page.variants[t.variant];
    if (m->variant == NO_VARIANT) return TWX_OK;
    v.value = m->value;
    t.url = m->url;
    t.variant = m->variant;
    return add_trials(l, t, &v, false, true);
}

static twx_rc try_two(twx_learner *l, const trial *t, const member *a, const member *b) {
    const twx_variant *v = &l->page.variants[t->variant];
    /* of a pair both parameters must differ, or exist in one URL only */
    if (v->kind == TWX_VARIANT_PAIR && a->variant != NO_VARIANT && b->variant != NO_VARIANT &&
        (a->value == b->value || a->second == b->second))
        return TWX_OK;
    twx_rc rc = add_trials(l, *t, v, false, false);
    if (rc == TWX_OK) rc = add_value_trials(l, *t, a);
    return rc == TWX_OK ? add_value_trials(l, *t, b) : rc;
}

static twx_rc try_members(twx_learner *l, const member *at, size_t n) {
    size_t described = 0; /* a URL that has the variant; all URLs of a group describe it alike */
    twx_rc rc = TWX_OK;
    while (described < n && at[described].variant == NO_VARIANT) described++;
    if (described == n || n < 2) return TWX_OK;
    twx_url_variants_of(text_of(l, at[described].url), &l->page);
    const twx_variant *v = &l->page.variants[at[described].variant];
    const bool origins = v->kind == TWX_VARIANT_ORIGIN;
    if (v->kind == TWX_VARIANT_QUERY) return try_queries(l, at, n);
    for (size_t i = 0; rc == TWX_OK && i + 1 < n; i++) {
        const trial t = {.url = at[described].url,
                         .variant = at[described].variant,
                         .other = value_of(&at[i], &at[i + 1]),
                         .dup = are_duplicates(l, at[i].url, at[i + 1].url)};
        if (!origins) {
            rc = try_two(l, &t, &at[i], &at[i + 1]);
            continue;
        }
        if (i > 0) twx_url_variants_of(text_of(l, at[i].url), &l->page);
        for (size_t k = i + 1; rc == TWX_OK && k < n && k <= i + TWX_ORIGINS_PAIRED; k++)
            rc = compare_origins(l, &at[i], &at[k]);
    }
    return rc;
}

static twx_rc take_group(void *arg, uint32_t *ids, size_t n) {
    twx_learner *l = arg;
    member *members = twx_calloc(l->cx, n, sizeof *members);
    if (!members) return TWX_E_NOMEM;
    size_t kept = 0; /* without repeats: several URLs give the same counterpart */
    for (size_t i = 0; i < n; i++) members[i] = l->members.at[ids[i]];
    qsort(members, n, sizeof *members, by_url);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || members[kept - 1].url != members[i].url) members[kept++] = members[i];
    twx_rc rc = try_members(l, members, kept);
    twx_free(members);
    return rc;
}

/* ---- contexts ----------------------------------------------------------- */

static uint32_t capped(uint64_t n) {
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Sets the texts of a context, for output and rules, from a URL that it was counted with. */
static void describe(const twx_learner *l, const trial *t, twx_context *c) {
    const twx_url_variants *p = &l->page;
    const twx_variant *v = &p->variants[t->variant];
    const unsigned of = TWX_HYPOTHESIS[t->row].of;
    const twx_slice whole = text_of(l, t->url);
    const bool several = v->repeated && of & TWX_OF_VALUE; /* no single value represents it */
    if (of & TWX_OF_PATH) c->path = twx_slice_sub(whole, 0, p->parts.origin.n + p->parts.path.n);
    if (of & TWX_OF_GROUP) c->path = whole;
    if (of & TWX_OF_SITE) c->path = twx_site_of(whole);
    if (of & TWX_OF_AREA) c->path = twx_area_of(whole);
    if (v->kind == TWX_VARIANT_SESSION) {
        c->path.n = (size_t)(v->first.p - c->path.p);
        return;
    }
    if (of & TWX_OF_NAME && !several) {
        c->name = v->first;
        c->second = v->second;
    }
    if (of & TWX_OF_VALUE && !several) c->value = v->text;
}

static void describe_origins(twx_learner *l, const trial *t, twx_context *c) {
    const twx_variant *a = &l->page.variants[t->variant], *b = &l->other.variants[TWX_ORIGIN_AT];
    twx_url_variants_of(text_of(l, t->other), &l->other);
    while (b->group != a->group) b++; /* they were compared */
    const bool in_order = twx_slice_cmp(a->first, b->first) < 0;
    c->path = in_order ? a->first : b->first;
    c->value = in_order ? b->first : a->first;
    c->name = l->page.parts.query;
    if (t->row == TWX_ORIGINS_OF_FOLDER) c->second = a->text;
    c->key = twx_origins_context(a->value, b->value,
                                 t->row == TWX_ORIGINS ? l->page.shape : a->name);
}

static twx_rc count_trials(twx_learner *l, const uint32_t *ids, size_t n, twx_context *c) {
    const twx_hypothesis *h = &TWX_HYPOTHESIS[c->row];
    uint64_t dup = 0;
    l->counted.n = 0;
    for (size_t i = 0; i < n; i++) {
        const trial *t = &l->trials.at[ids[i]];
        dup += t->dup;
        if (t->dup && h->each && !TWX_VEC_PUSH(l->cx, &l->counted, (duplicate){t->each, t->other}))
            return TWX_E_NOMEM;
    }
    c->nodup = capped(n - dup);
    c->dup = capped(h->each ? count_duplicates(h, l->counted.at, l->counted.n) : dup);
    return TWX_OK;
}

static twx_rc take_context(void *arg, uint32_t *ids, size_t n) {
    twx_learner *l = arg;
    if (n < TWX_TRIALS_LEAST) return TWX_OK;
    const trial *t = &l->trials.at[ids[0]];
    twx_context c = {.row = t->row};
    twx_rc rc = count_trials(l, ids, n, &c);
    if (rc != TWX_OK) return rc;
    twx_url_variants_of(text_of(l, t->url), &l->page);
    const twx_variant *v = &l->page.variants[t->variant];
    if (v->kind == TWX_VARIANT_ORIGIN) {
        describe_origins(l, t, &c);
    } else {
        describe(l, t, &c);
        c.key = twx_context_key(t->row, &l->page, v);
    }
    return twx_model_add_context(l->cx, l->model, &c);
}

/* ---- rule_check --------------------------------------------------------- */

/* What a model's rules would make equal. Hypotheses are counted one by one,
 * and rules are applied together: two parameters may each matter nowhere and still make a page.
 *
 * The parameters that matter nowhere (2, 3, 5, 6) are left out of all URLs. Where two URLs become
 * equal whose classes differ, the least likely of the contexts that left something out of them is
 * contradicted, and so on until no such pair is left.
 * [R1] Afterwards the contexts with no contradiction (nodup 0), and any subset of them, make no two
 * URLs equal whose classes differ.
 * Memory: a key for each URL. Every round takes at least one context away. */

/* Does a rule follow from contexts of this row? */
static bool makes_rules(const twx_hypothesis *h) {
    return h->kind == TWX_VARIANT_PARAMETER && !(h->of & TWX_OF_GROUP) &&
           (h->added || !(h->of & TWX_OF_VALUE));
}

/* The context after which a rule would leave out the parameter of a variant of l->page, among those
 * that no pair contradicts: the most likely one. NULL: it stays. */
static const twx_context *rule_of(const twx_learner *l, const twx_variant *v) {
    const twx_context *best = NULL;
    for (size_t row = 0; v->kind == TWX_VARIANT_PARAMETER && row < TWX_HYPOTHESES; row++) {
        if (!makes_rules(&TWX_HYPOTHESIS[row])) continue;
        const twx_context *c = twx_model_context(l->model, twx_context_key(row, &l->page, v));
        if (c && c->nodup == 0 && c->probability >= TWX_LIKELY &&
            (!best || c->probability > best->probability))
            best = c;
    }
    return best;
}

/* The key of a URL without the parameters that rules leave out, and the context of the least likely
 * of these rules; NULL: none. */
static uint64_t key_by_rules(twx_learner *l, size_t i, const twx_context **ret_weakest) {
    *ret_weakest = NULL;
    twx_url_variants_of(text_of(l, i), &l->page);
    uint64_t query = l->page.query;
    for (size_t at = 0; at < l->page.variants_n; at++) {
        const twx_variant *v = &l->page.variants[at];
        const twx_context *c = rule_of(l, v);
        if (!c) continue;
        query -= twx_parameter_key(v);
        if (!*ret_weakest || c->probability < (*ret_weakest)->probability) *ret_weakest = c;
    }
    return twx_url_key_of(l->page.path, query);
}

/* One round: contradicts one context for each URL that rules make equal to one of another class. */
static twx_rc check(twx_learner *l, bool *ret_any) {
    twx_map64 by_rules = {0};
    twx_rc rc = TWX_OK;
    *ret_any = false;
    for (size_t i = 0; rc == TWX_OK && i < l->urls.n; i++) {
        const twx_context *own = NULL, *other = NULL;
        uint64_t *at = NULL;
        bool fresh = false;
        if (i % POLL == 0) rc = twx_cancelled(l->cx);
        const uint64_t key = key_by_rules(l, i, &own);
        if (rc == TWX_OK) rc = twx_map64_place(l->cx, &by_rules, key, i, &at, &fresh);
        if (rc != TWX_OK || fresh || are_duplicates(l, (uint32_t)i, (uint32_t)*at)) continue;
        (void)key_by_rules(l, (size_t)*at, &other);
        if (!own || (other && other->probability < own->probability)) own = other;
        if (own) twx_model_contradict(l->model, own);
        *ret_any = *ret_any || own;
    }
    twx_map64_done(&by_rules);
    return rc;
}

/* ---- all of it ---------------------------------------------------------- */

TWX_ORDER_2(by_hash, learned_url, hash, content)

/* [R1] From here on URLs are in the order of their hashes, without repeats. */
static twx_rc number_urls(twx_learner *l) {
    size_t kept = 0;
    twx_rc rc = TWX_OK;
    if (l->urls.n) qsort(l->urls.at, l->urls.n, sizeof *l->urls.at, by_hash);
    for (size_t i = 0; i < l->urls.n; i++)
        if (kept == 0 || l->urls.at[kept - 1].hash != l->urls.at[i].hash)
            l->urls.at[kept++] = l->urls.at[i];
    l->urls.n = kept;
    for (size_t i = 0; rc == TWX_OK && i < kept; i++) {
        twx_url_variants_of(text_of(l, i), &l->page);
        rc = twx_map64_place(l->cx, &l->whole, l->page.whole, i, NULL, NULL);
        const uint64_t route = l->page.variants[TWX_ORIGIN_AT].group;
        if (rc == TWX_OK) rc = twx_map64_place(l->cx, &l->routes, route, 0, NULL, NULL);
    }
    return rc;
}

twx_rc twx_learner_make(twx_learner *l, twx_model *ret_model) {
    l->model = ret_model;
    twx_rc rc = number_urls(l);
    if (rc == TWX_OK) rc = twx_grouper_open(l->cx, l->bytes / 4, l->folder, &l->groups);
    if (rc == TWX_OK) rc = twx_grouper_open(l->cx, l->bytes / 4, l->folder, &l->contexts);
    for (size_t i = 0; rc == TWX_OK && i < l->urls.n; i++) rc = take_url(l, (uint32_t)i);
    if (rc == TWX_OK) rc = twx_grouper_each(l->cx, l->groups, take_group, l);
    if (rc == TWX_OK) rc = twx_grouper_each(l->cx, l->contexts, take_context, l);
    for (bool any = true; rc == TWX_OK && any;) rc = check(l, &any);
    if (rc == TWX_OK) rc = twx_model_ready(l->cx, l->model);
    for (size_t i = 0; rc == TWX_OK && i < l->urls.n; i++) {
        if (i % POLL == 0) rc = twx_cancelled(l->cx);
        twx_url_variants_of(text_of(l, i), &l->page);
        if (rc == TWX_OK) rc = twx_model_add_seen(l->cx, l->model, &l->page, &l->model->seen);
    }
    return rc;
}
