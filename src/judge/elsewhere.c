#include "judge/elsewhere.h"

enum { REFERENCES_MAX = TWX_RELATIONS + 3 };

/* Documents that a row of document i may refer to, of which some may be in the same store. */
static size_t references_of(const twx_judgement *j, uint32_t i, uint32_t ret[REFERENCES_MAX]) {
    size_t n = 0;
    for (size_t r = 0; r < TWX_RELATIONS; r++)
        if (j->groups[r].made) ret[n++] = twx_groups_rep(&j->groups[r], i);
    const uint32_t target = j->links.target[i];
    ret[n++] = twx_groups_rep(&j->clusters, i);
    ret[n++] = target;
    if (target != TWX_NO_DOCUMENT) ret[n++] = twx_groups_rep(&j->clusters, target);
    return n;
}

/* Calls fn for each reference of document i to another store. */
static void each_elsewhere(const twx_judgement *j, uint32_t i,
                           void (*fn)(const twx_judgement *j, uint32_t index, uint8_t *marks),
                           uint8_t *marks) {
    const twx_doc_row *at = j->docs.at.at;
    uint32_t refers[REFERENCES_MAX];
    const size_t n = references_of(j, i, refers);
    for (size_t k = 0; k < n; k++)
        if (refers[k] != TWX_NO_DOCUMENT && at[refers[k]].member != at[i].member)
            fn(j, refers[k], marks);
}

static void mark_index(const twx_judgement *j, uint32_t index, uint8_t *marks) {
    (void)j;
    marks[index / 8] |= (uint8_t)(1u << index % 8);
}

twx_rc twx_find_elsewhere(twx_ctx *cx, twx_judgement *j) {
    const size_t n = j->docs.at.n;
    uint8_t *marks = twx_calloc(cx, n / 8 + 1, 1);
    twx_rc rc = marks ? TWX_OK : TWX_E_NOMEM;
    j->elsewhere.n = 0;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) each_elsewhere(j, i, mark_index, marks);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++)
        if (marks[i / 8] >> i % 8 & 1 &&
            !TWX_VEC_PUSH(cx, &j->elsewhere, (twx_elsewhere){.index = i}))
            rc = TWX_E_NOMEM;
    twx_free(marks);
    return rc;
}

static const twx_elsewhere *find(const twx_judgement *j, uint32_t index) {
    size_t from = 0, to = j->elsewhere.n;
    while (to - from > 1) {
        const size_t middle = from + (to - from) / 2;
        if (j->elsewhere.at[middle].index <= index)
            from = middle;
        else
            to = middle;
    }
    return &j->elsewhere.at[from];
}

static void mark_place(const twx_judgement *j, uint32_t index, uint8_t *marks) {
    marks[find(j, index) - j->elsewhere.at] = 1;
}

void twx_mark_elsewhere(const twx_judgement *j, uint32_t i, uint8_t *used) {
    each_elsewhere(j, i, mark_place, used);
}

int64_t twx_elsewhere_number(const twx_judgement *j, uint32_t index) {
    return find(j, index)->number;
}
