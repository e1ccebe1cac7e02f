/* Two documents are equal at the exact level when they share an exact group; at the
 * near level when they share an exact or near group, where a chain of groups counts as one. The
 * ratio of two hosts is the share of documents with an equal one on the other host, computed for
 * both hosts; the smaller value counts.
 * [R1] Hosts are compared in one order: more survivors first, then more documents, then the shorter
 * name, then by bytes. At the exact level each host joins, of the preceding hosts that have joined
 * none, the one with the largest ratio, if that is large enough; of equal ratios the earlier host.
 * [R2] The hosts that joined none try the near level, in the same way. So nothing that is found at
 * the exact level depends on near groups, and a host that mirrors another at the near level can
 * have exact mirrors of its own.
 * [R3] Hosts with few documents, and groups that span very many hosts (such as error pages of
 * servers), are left out and counted.
 * [R4] The order of documents and the numbers of hosts and groups do not matter. */
#include "judge/internal.h"

/* ==== mirror_intake */

void twx_mirror_intake_init(twx_mirror_intake *in, twx_arena *names, twx_mirror_hosts *hosts) {
    *in = (twx_mirror_intake){.names = names, .hosts = hosts};
}

void twx_mirror_intake_done(twx_mirror_intake *in) {
    twx_map64_done(&in->host);
    twx_map64_done(&in->exact);
    twx_map64_done(&in->near);
    TWX_VEC_DONE(&in->documents);
}

/* key NULL: TWX_NO_DOCUMENT. */
static twx_rc number_of(twx_ctx *cx, twx_map64 *known, const uint64_t *key, uint32_t *ret_number) {
    uint64_t number = TWX_NO_DOCUMENT;
    const twx_rc rc = key ? twx_map64_add(cx, known, *key, known->n, &number) : TWX_OK;
    if (rc == TWX_OK) *ret_number = (uint32_t)number;
    return rc;
}

static twx_rc host_of(twx_ctx *cx, twx_mirror_intake *in, twx_slice name, uint32_t *ret_host) {
    twx_slice copy = {NULL, 0};
    const uint64_t key = twx_hash64(name, 0);
    twx_rc rc = number_of(cx, &in->host, &key, ret_host);
    if (rc != TWX_OK || *ret_host < in->hosts->n) return rc;
    rc = twx_arena_copy(cx, in->names, name, &copy);
    if (rc != TWX_OK) return rc;
    return TWX_VEC_PUSH(cx, in->hosts, copy) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_mirror_intake_add(twx_ctx *cx, twx_mirror_intake *in, const twx_mirror_entry *entry) {
    twx_mirror_document d = {.survives = entry->survive};
    twx_rc rc = host_of(cx, in, entry->host, &d.host);
    if (rc == TWX_OK) rc = number_of(cx, &in->exact, entry->exact, &d.exact);
    if (rc == TWX_OK) rc = number_of(cx, &in->near, entry->near, &d.near);
    for (uint64_t i = 0; rc == TWX_OK && i < entry->n; i++)
        if (!TWX_VEC_PUSH(cx, &in->documents, d)) rc = TWX_E_NOMEM;
    return rc;
}

twx_rc twx_mirror_intake_find(twx_ctx *cx, const twx_mirror_intake *in, uint32_t ratio_ppm,
                              uint32_t min_documents, twx_mirrors *ret_mirrors) {
    const twx_mirror_case all = {.documents = in->documents.at,
                                 .n = in->documents.n,
                                 .hosts = in->hosts->at,
                                 .hosts_n = (uint32_t)in->hosts->n,
                                 .exact_groups = (uint32_t)in->exact.n,
                                 .near_groups = (uint32_t)in->near.n,
                                 .ratio_ppm = ratio_ppm,
                                 .min_documents = min_documents,
                                 .group_hosts = TWX_MIRROR_GROUP_HOSTS};
    return twx_mirrors_find(cx, &all, ret_mirrors);
}

/* ==== mirrors */

/* A host is identified by its place in the order of [R1]. A level is a list of members: a group, a
 * host, and how many documents of the host are in the group, ordered by group, then place. A host
 * is compared with all preceding hosts at once: for each of its groups, the counts of the group's
 * preceding hosts are added up, so no table of pairs is needed. */

typedef struct place {
    uint32_t host;
    twx_slice name;
    uint64_t documents, survivors;
} place;

typedef struct member {
    uint32_t place, documents;
    /* the members of its group; from == to: there is no other one, or the group is left out */
    uint32_t from, to;
} member;

typedef struct level {
    member *members;
    size_t n;
    uint32_t *of_place; /* members by place: of_place[start[p]..start[p + 1]) */
    size_t *start;
} level;

typedef struct search {
    twx_ctx *cx;
    const twx_mirror_case *in;
    place *places;
    uint32_t *place_of; /* by host; TWX_NO_DOCUMENT: not compared */
    uint8_t *joined;    /* by place */
    /* by place, for the host being compared: its documents with an equal one there, and the
     * reverse */
    uint64_t *ours, *theirs;
    uint32_t *touched; /* the places where these are not 0 */
    twx_mirrors found;
} search;

const char *twx_mirror_level_name(twx_mirror_level which) {
    return which == TWX_MIRROR_EXACT ? "exact" : "near";
}

TWX_ORDER(by_standing, place,
          TWX_DOWN_THEN(survivors,
                        TWX_DOWN_THEN(documents,
                                      TWX_UP_THEN(name.n, twx_slice_cmp(a->name, b->name)))))

static twx_rc order_hosts(search *s) {
    const twx_mirror_case *in = s->in;
    uint32_t n = 0;
    s->places = twx_calloc(s->cx, in->hosts_n, sizeof *s->places);
    s->place_of = twx_malloc(s->cx, in->hosts_n * sizeof *s->place_of);
    if (!s->places || !s->place_of) return TWX_E_NOMEM;
    for (uint32_t h = 0; h < in->hosts_n; h++)
        s->places[h] = (place){.host = h, .name = in->hosts[h]};
    for (size_t i = 0; i < in->n; i++) {
        s->places[in->documents[i].host].documents++;
        s->places[in->documents[i].host].survivors += in->documents[i].survives;
    }
    for (uint32_t h = 0; h < in->hosts_n; h++) {
        s->place_of[h] = TWX_NO_DOCUMENT;
        if (s->places[h].documents >= in->min_documents) s->places[n++] = s->places[h];
    }
    s->found.hosts = n;
    s->found.small_hosts = in->hosts_n - n;
    if (n) qsort(s->places, n, sizeof *s->places, by_standing);
    for (uint32_t p = 0; p < n; p++) s->place_of[s->places[p].host] = p;
    return TWX_OK;
}

TWX_ORDER_0(by_number, uint64_t)

/* Which groups are one at the near level: exact groups and, numbered after them, near groups,
 * joined where a document is in both. */
static twx_rc join_groups(search *s, twx_union_find *ret_joined) {
    const twx_mirror_case *in = s->in;
    twx_rc rc = twx_union_find_init(s->cx, ret_joined, (size_t)in->exact_groups + in->near_groups);
    for (size_t i = 0; rc == TWX_OK && i < in->n; i++) {
        const twx_mirror_document *d = &in->documents[i];
        if (d->exact != TWX_NO_DOCUMENT && d->near != TWX_NO_DOCUMENT)
            twx_union_find_join(ret_joined, d->exact, in->exact_groups + d->near);
    }
    return rc;
}

/* joined NULL: the exact level. */
static uint32_t group_of(const twx_mirror_case *in, const twx_mirror_document *d,
                         twx_union_find *joined) {
    if (!joined || (d->near == TWX_NO_DOCUMENT && d->exact == TWX_NO_DOCUMENT)) return d->exact;
    return twx_union_find_root(joined,
                               d->exact != TWX_NO_DOCUMENT ? d->exact : in->exact_groups + d->near);
}

/* Group and place of each document, packed in one number, sorted. */
static uint64_t *list_memberships(search *s, twx_union_find *joined, size_t *ret_n) {
    uint64_t *list = twx_malloc(s->cx, (s->in->n + 1) * sizeof *list);
    size_t n = 0;
    for (size_t i = 0; list && i < s->in->n; i++) {
        const twx_mirror_document *d = &s->in->documents[i];
        const uint32_t at = s->place_of[d->host], group = group_of(s->in, d, joined);
        if (at != TWX_NO_DOCUMENT && group != TWX_NO_DOCUMENT)
            list[n++] = (uint64_t)group << 32 | at;
    }
    if (n) qsort(list, n, sizeof *list, by_number);
    *ret_n = n;
    return list;
}

/* Completes the group of the members from..to. */
static void end_group(search *s, level *l, twx_mirror_level which, size_t from, size_t to) {
    const bool wide = to - from > s->in->group_hosts;
    s->found.wide_groups[which] += wide;
    for (size_t m = from; m < to; m++) {
        if (wide) s->found.wide_documents[which] += l->members[m].documents;
        l->members[m].from = (uint32_t)from;
        l->members[m].to = wide ? (uint32_t)from : (uint32_t)to;
    }
}

static twx_rc make_members(search *s, level *l, twx_mirror_level which, twx_union_find *joined) {
    size_t n = 0, from = 0;
    uint64_t *list = list_memberships(s, joined, &n);
    l->members = list ? twx_malloc(s->cx, (n + 1) * sizeof *l->members) : NULL;
    for (size_t i = 0; l->members && i < n; i++) {
        if (i > 0 && list[i] >> 32 != list[i - 1] >> 32) {
            end_group(s, l, which, from, l->n);
            from = l->n;
        }
        if (i == 0 || list[i] != list[i - 1])
            l->members[l->n++] = (member){.place = (uint32_t)list[i]};
        l->members[l->n - 1].documents++;
    }
    if (l->members) end_group(s, l, which, from, l->n);
    twx_free(list);
    return l->members ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc index_by_place(search *s, level *l) {
    const size_t places = s->found.hosts;
    l->start = twx_calloc(s->cx, places + 2, sizeof *l->start);
    l->of_place = twx_malloc(s->cx, (l->n + 1) * sizeof *l->of_place);
    if (!l->start || !l->of_place) return TWX_E_NOMEM;
    for (size_t m = 0; m < l->n; m++) l->start[l->members[m].place + 2]++;
    for (size_t p = 2; p < places + 2; p++) l->start[p] += l->start[p - 1];
    for (size_t m = 0; m < l->n; m++)
        l->of_place[l->start[l->members[m].place + 1]++] = (uint32_t)m;
    return TWX_OK;
}

/* Computes ours and theirs for the hosts before p that have joined none. */
static size_t count_shared(search *s, const level *l, uint32_t p) {
    size_t n = 0;
    for (size_t i = l->start[p]; i < l->start[p + 1]; i++) {
        const member *own = &l->members[l->of_place[i]];
        for (const member *m = l->members + own->from; m < l->members + own->to && m->place < p;
             m++) {
            if (s->joined[m->place]) continue;
            if (s->ours[m->place] == 0) s->touched[n++] = m->place;
            s->ours[m->place] += own->documents;
            s->theirs[m->place] += m->documents;
        }
    }
    return n;
}

static uint32_t share_ppm(uint64_t part, uint64_t whole) {
    return (uint32_t)(part * 1000000 / whole);
}

static twx_mirror compared(const search *s, uint32_t p, uint32_t other, twx_mirror_level which) {
    const place *host = &s->places[p], *of = &s->places[other];
    const uint32_t ours = share_ppm(s->ours[other], host->documents),
                   theirs = share_ppm(s->theirs[other], of->documents);
    return (twx_mirror){.host = p, /* places, until the end */
                        .mirror_of = other,
                        .level = which,
                        .shared = s->ours[other],
                        .documents = host->documents,
                        .of_shared = s->theirs[other],
                        .of_documents = of->documents,
                        .ratio_ppm = ours < theirs ? ours : theirs};
}

static twx_rc join(search *s, const level *l, uint32_t p, twx_mirror_level which) {
    const size_t n = count_shared(s, l, p);
    twx_mirror best = {.mirror_of = TWX_NO_DOCUMENT};
    for (size_t i = 0; i < n; i++) {
        const twx_mirror m = compared(s, p, s->touched[i], which);
        const bool better = m.ratio_ppm > best.ratio_ppm ||
                            (m.ratio_ppm == best.ratio_ppm && m.mirror_of < best.mirror_of);
        if (m.ratio_ppm >= s->in->ratio_ppm && better) best = m;
        s->ours[m.mirror_of] = s->theirs[m.mirror_of] = 0;
    }
    if (best.mirror_of == TWX_NO_DOCUMENT) return TWX_OK;
    s->joined[p] = 1;
    return TWX_VEC_PUSH(s->cx, &s->found.rows, best) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc join_level(search *s, twx_mirror_level which) {
    level l = {0};
    twx_union_find joined = {0};
    twx_rc rc = which == TWX_MIRROR_NEAR ? join_groups(s, &joined) : TWX_OK;
    if (rc == TWX_OK) rc = make_members(s, &l, which, which == TWX_MIRROR_NEAR ? &joined : NULL);
    twx_union_find_done(&joined);
    if (rc == TWX_OK) rc = index_by_place(s, &l);
    for (uint32_t p = 0; rc == TWX_OK && p < s->found.hosts; p++) {
        if (!s->joined[p]) rc = join(s, &l, p, which);
        if (rc == TWX_OK) rc = twx_cancelled(s->cx);
    }
    twx_free(l.members);
    twx_free(l.of_place);
    twx_free(l.start);
    return rc;
}

TWX_ORDER_2(by_places, twx_mirror, mirror_of, host)

twx_rc twx_mirrors_find(twx_ctx *cx, const twx_mirror_case *in, twx_mirrors *ret_mirrors) {
    search s = {.cx = cx, .in = in};
    twx_rc rc = in->hosts_n ? order_hosts(&s) : TWX_OK;
    const size_t places = (size_t)s.found.hosts + 1;
    if (rc == TWX_OK) s.joined = twx_calloc(cx, places, sizeof *s.joined);
    if (rc == TWX_OK) s.ours = twx_calloc(cx, places, sizeof *s.ours);
    if (rc == TWX_OK) s.theirs = twx_calloc(cx, places, sizeof *s.theirs);
    if (rc == TWX_OK) s.touched = twx_calloc(cx, places, sizeof *s.touched);
    if (rc == TWX_OK && !(s.joined && s.ours && s.theirs && s.touched)) rc = TWX_E_NOMEM;
    for (int which = 0; rc == TWX_OK && which < TWX_MIRROR_LEVELS; which++)
        rc = join_level(&s, (twx_mirror_level)which);
    if (rc == TWX_OK) {
        twx_mirror *rows = s.found.rows.at;
        const size_t n = s.found.rows.n;
        if (n) qsort(rows, n, sizeof *rows, by_places);
        for (size_t i = 0; i < n; i++) {
            rows[i].host = s.places[rows[i].host].host;
            rows[i].mirror_of = s.places[rows[i].mirror_of].host;
        }
        *ret_mirrors = s.found;
        s.found = (twx_mirrors){0};
    }
    twx_mirrors_done(&s.found);
    twx_free(s.places);
    twx_free(s.place_of);
    twx_free(s.joined);
    twx_free(s.ours);
    twx_free(s.theirs);
    twx_free(s.touched);
    return rc;
}

void twx_mirrors_done(twx_mirrors *m) {
    if (!m) return;
    TWX_VEC_DONE(&m->rows);
    *m = (twx_mirrors){0};
}
