/* An item is decided again if
 *   - something else is known of it, or of an item that it has met: of two that share a run, the
 *     sieve or a proof let them be compared. They are few;
 *   - one of these has found another leader, or other lists have room for it;
 *   - an item that is new in this sense comes before it in one of its runs, and they would meet;
 *   - it left out runs because it had found enough, and its runs are not the same. */

#include "group/internal.h"

enum { MARKS_MAX = 256, ALL_MARKED = UINT16_MAX };

static void set_bit(uint64_t *bits, size_t i) {
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool has_bit(const uint64_t *bits, size_t i) {
    return bits[i / 64] >> i % 64 & 1;
}

/* The number that an item had in the earlier call, and back: those beyond the texts have moved.
 * SIZE_MAX: it had none. */
static size_t earlier(const twx_leads *l, uint32_t item) {
    const twx_led *led = l->how->led;
    const size_t texts = l->how->texts, at = item < texts ? item : item - texts + led->texts;
    return (item < texts ? at < led->texts : at < led->n) ? at : SIZE_MAX;
}

static uint32_t now(const twx_leads *l, uint32_t item) {
    const twx_led *led = l->how->led;
    return item < led->texts ? item : (uint32_t)(item - led->texts + l->how->texts);
}

static uint64_t known_of(const twx_leads *l, uint32_t item) {
    return twx_leads_has(l->how, item) ? l->how->led->known[item] : 0;
}

static twx_rc make_led(twx_leads *l, size_t texts) {
    const size_t n = l->how->n, runs = l->all.ends.n;
    twx_led *led = &l->made_led;
    *led = (twx_led){.n = n, .texts = l->how->texts};
    led->texts_were = twx_malloc(l->cx, (texts + 1) * sizeof *led->texts_were);
    led->known_were = twx_malloc(l->cx, (n + 1) * sizeof *led->known_were);
    led->items = twx_calloc(l->cx, n + 1, sizeof *led->items);
    l->of_runs = twx_calloc(l->cx, texts + 1, sizeof *l->of_runs);
    l->again = twx_calloc(l->cx, texts / 64 + 1, sizeof *l->again);
    l->next = twx_calloc(l->cx, n + 1, sizeof *l->next);
    l->changed = twx_calloc(l->cx, n / 64 + 1, sizeof *l->changed);
    l->fresh = twx_calloc(l->cx, n / 64 + 1, sizeof *l->fresh);
    l->name = twx_malloc(l->cx, (runs + 1) * sizeof *l->name);
    l->marks = twx_calloc(l->cx, runs + 1, sizeof *l->marks);
    return led->texts_were && led->known_were && led->items && l->of_runs && l->again && l->next &&
                   l->changed && l->fresh && l->name && l->marks
               ? TWX_OK
               : TWX_E_NOMEM;
}

void twx_led_close(twx_leads *l) {
    twx_led_done(&l->made_led);
    twx_free(l->of_runs);
    twx_free(l->again);
    twx_free(l->next);
    twx_free(l->changed);
    twx_free(l->fresh);
    twx_free(l->name);
    TWX_VEC_DONE(&l->keys);
    twx_free(l->marks);
    if (l->how->led) twx_free(l->lists[TWX_SIMILAR].at); /* a copy of the members */
}

void twx_led_done(twx_led *led) {
    if (!led) return;
    twx_free(led->texts_were);
    twx_free(led->known_were);
    twx_free(led->items);
    TWX_VEC_DONE(&led->met);
    *led = (twx_led){0};
}

static bool is_other_text(const twx_led *led, uint32_t text) {
    return text >= led->texts || led->texts_were[text] != led->of_texts[text];
}

/* What has changed, and the hashes of runs, before members become lists. */
twx_rc twx_led_prepare(twx_leads *l) {
    const twx_leading *how = l->how;
    const twx_led *led = how->led;
    const size_t texts = how->texts;
    uint64_t *of_text = twx_calloc(l->cx, texts + 1, sizeof *of_text);
    const twx_rc rc = of_text ? make_led(l, texts) : TWX_E_NOMEM;
    if (rc == TWX_OK) memcpy(l->made_led.texts_were, led->of_texts, texts * sizeof *of_text);
    for (uint32_t i = 0; rc == TWX_OK && i < how->n; i++) {
        const size_t was = earlier(l, i);
        const uint64_t known = known_of(l, i);
        const uint32_t text = twx_leads_text(how, i);
        of_text[text] += twx_mix64(known, 1);
        if (i >= texts) {
            l->next[i] = l->next[text];
            l->next[text] = i;
        }
        if (was == SIZE_MAX || led->known_were[was] != known) set_bit(l->changed, i);
        if (was == SIZE_MAX || is_other_text(led, text)) {
            set_bit(l->changed, i);
            set_bit(l->fresh, i);
        }
        l->made_led.known_were[i] = known;
    }
    for (size_t r = 0; rc == TWX_OK && r < l->all.ends.n; r++) {
        const uint32_t *m = &l->all.members.at[twx_runs_start(&l->all, r)],
                       *end = &l->all.members.at[l->all.ends.at[r]];
        const uint64_t kind = (r >= l->similar_runs) + (r >= l->form_runs);
        uint64_t hash = kind, least[2] = {UINT64_MAX, UINT64_MAX};
        for (const uint32_t *k = m; k < end; k++) {
            hash += twx_mix64(of_text[*k], *k);
            least[1] = *k < least[0] ? least[0] : *k < least[1] ? *k : least[1];
            least[0] = *k < least[0] ? *k : least[0];
        }
        for (const uint32_t *k = m; k < end; k++) l->of_runs[*k] += twx_mix64(hash, 2);
        const bool has_key = r >= l->first_key && r < l->first_key + l->keys.n;
        l->name[r] = twx_mix64(kind, has_key ? l->keys.at[r - l->first_key]
                                             : twx_mix64(least[0], least[1]));
    }
    twx_free(of_text);
    return rc;
}

/* Is the same known of the leader as of the one that the item had found? */
static bool is_leader_known(const twx_leads *l, const twx_led_item *was, size_t relation,
                            uint32_t leader) {
    return was->is_decided && l->how->led->known_were[was->of[relation]] == known_of(l, leader);
}

void twx_led_fetch(const twx_leads *l, uint32_t item) {
    const twx_led *led = l->how->led;
    const size_t was = led ? earlier(l, item) : SIZE_MAX;
    if (was == SIZE_MAX) return; /* each may be in two lines of the cache */
    __builtin_prefetch(&led->items[was]);
    __builtin_prefetch((const char *)&led->items[was + 1] - 1);
    __builtin_prefetch(&l->made_led.items[item], 1);
    __builtin_prefetch((const char *)&l->made_led.items[item + 1] - 1, 1);
}

bool twx_led_is_settled(const twx_leads *l, uint32_t item) {
    const twx_led *led = l->how->led;
    if (!led || has_bit(l->changed, item) || has_bit(l->again, twx_leads_text(l->how, item)))
        return false;
    const twx_led_item *was = &led->items[earlier(l, item)];
    if (!was->is_decided) return false;
    if (was->of_runs && was->of_runs != (l->of_runs[twx_leads_text(l->how, item)] | 1))
        return false;
    for (uint64_t k = was->from; k < was->from + was->met; k++)
        if (has_bit(l->changed, now(l, led->met.at[k]))) return false; /* or it is gone */
    return true;
}

static twx_rc keep_met(twx_leads *l, twx_led_item *made, uint32_t other) {
    made->met++;
    return TWX_VEC_PUSH(l->cx, &l->made_led.met, other) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_led_decide(twx_leads *l, uint32_t item, bool *ret_decided) {
    const twx_led *led = l->how->led;
    twx_led_item *made = &l->made_led.items[item];
    twx_rc rc = TWX_OK;
    *ret_decided = twx_led_is_settled(l, item);
    if (!*ret_decided) return TWX_OK;
    const twx_led_item *was = &led->items[earlier(l, item)];
    for (size_t k = 0; *ret_decided && k < twx_leads_relations(l); k++) {
        const uint32_t leader = now(l, was->of[k]);
        *ret_decided = !has_bit(l->changed, leader) || is_leader_known(l, was, k, leader);
    }
    if (!*ret_decided) return TWX_OK;
    l->made.similarity[item] = was->similarity;
    l->made.compared += was->compared;
    *made = *was;
    made->from = l->made_led.met.n;
    made->met = 0;
    for (size_t k = 0; k < twx_leads_relations(l); k++)
        made->of[k] = l->made.of[k][item] = now(l, was->of[k]);
    for (uint64_t k = was->from; rc == TWX_OK && k < was->from + was->met; k++)
        rc = keep_met(l, made, now(l, led->met.at[k]));
    return rc;
}

twx_rc twx_led_note(twx_leads *l, const twx_found *f, uint32_t item) {
    const twx_led *led = l->how->led;
    l->made.compared += f->compared;
    if (!led) return TWX_OK;
    const size_t was = earlier(l, item);
    twx_led_item *made = &l->made_led.items[item];
    twx_rc rc = TWX_OK;
    if (l->how->may_prove && f->matches[TWX_CONTAINED].n >= SIBLINGS_MAX)
        made->of_runs = l->of_runs[twx_leads_text(l->how, item)] | 1;
    made->is_decided = true;
    made->similarity = l->made.similarity[item];
    made->compared = (uint32_t)f->compared;
    made->from = l->made_led.met.n;
    l->made.decided++;
    for (size_t k = 0; k < twx_leads_relations(l); k++) made->of[k] = l->made.of[k][item];
    for (size_t k = 0; rc == TWX_OK && k < f->met.n; k++) rc = keep_met(l, made, f->met.at[k]);
    for (size_t k = 0; was != SIZE_MAX && k < twx_leads_relations(l); k++) {
        if (!is_leader_known(l, &led->items[was], k, made->of[k])) set_bit(l->changed, item);
        if (now(l, led->items[was].of[k]) != made->of[k]) set_bit(l->fresh, item);
    }
    return rc;
}

/* Does the sieve leave the pair? The item's summary is made for its first pair. */
bool twx_leads_may_pair(const twx_leads *l, twx_comparer *c, uint32_t item, uint32_t other) {
    const twx_sieve *sieve = l->how->sieve;
    const uint32_t own = twx_leads_text(l->how, item), text = twx_leads_text(l->how, other);
    if (!sieve || own == text) return true;
    if (!c->own) c->own = twx_sieve_summary(sieve, own, &c->room[0]);
    return twx_sieve_may_pair(sieve, twx_sieve_summary(sieve, text, &c->room[1]), c->own);
}

/* Would an item of the text meet a new one, which comes before it? */
static bool would_meet(const twx_leads *l, twx_comparer *c, uint32_t item, uint32_t text) {
    const twx_leading *how = l->how;
    uint32_t other = text;
    do
        if (other != item && twx_leads_has(how, other) && how->rank[other] > how->rank[item] &&
            (twx_leads_may_pair(l, c, item, other) ||
             (how->may_prove && how->may_prove(c->arg, item, other))))
            return true;
    while ((other = l->next[other]) != 0); /* 0 is a text, which follows none */
    return false;
}

/* Of the texts that share a run with a new item that was just listed, those that would meet it;
 * each is asked once. Where very many are new, all. */
static twx_rc mark_others(twx_leads *l, twx_comparer *c, uint32_t item) {
    const twx_leading *how = l->how;
    const uint32_t text = twx_leads_text(how, item);
    twx_comparer_begin(c);
    for (uint32_t k = l->runs_from[text]; k < l->runs_from[text + 1]; k++) {
        const uint32_t run = l->runs[k];
        if (l->marks[run] == ALL_MARKED || (!twx_leads_is_last(l, run, TWX_SIMILAR, item) &&
                                            !twx_leads_is_last(l, run, TWX_CONTAINED, item)))
            continue;
        const bool all = ++l->marks[run] > MARKS_MAX;
        if (all) l->marks[run] = ALL_MARKED;
        for (uint64_t m = twx_runs_start(&l->all, run); m < l->all.ends.at[run]; m++) {
            const uint32_t other = l->all.members.at[m];
            if (has_bit(l->again, other) || (!all && has_bit(c->met, other))) continue;
            if (!TWX_VEC_PUSH(c->cx, &c->some, other)) return TWX_E_NOMEM;
            set_bit(c->met, other);
            if (all || would_meet(l, c, item, other)) set_bit(l->again, other);
        }
    }
    return TWX_OK;
}

twx_rc twx_led_note_listed(twx_leads *l, twx_comparer *c, uint32_t item, uint64_t places) {
    const twx_led *led = l->how->led;
    const size_t was = earlier(l, item);
    l->made_led.items[item].places = places;
    if (was == SIZE_MAX || led->items[was].places != places) set_bit(l->fresh, item);
    if (!has_bit(l->fresh, item)) return TWX_OK;
    set_bit(l->changed, item);
    return led->n ? mark_others(l, c, item) : TWX_OK;
}
