#include "plain_judge.h"

/* ---- the total order ---------------------------------------------------- */

static int compare_by(const char *criterion, const test_meaning *a, const test_meaning *b) {
    if (strncmp(criterion, "score", 5) == 0) {
        if (a->scored != b->scored) return a->scored ? -1 : 1;
        return a->scored ? (a->score < b->score) - (a->score > b->score) : 0;
    }
    if (strncmp(criterion, "clean", 5) == 0) return a->session - b->session;
    if (strncmp(criterion, "page", 4) == 0) return a->print - b->print;
    if (strncmp(criterion, "url_length", 10) == 0)
        return (int)strlen(a->url) - a->https - ((int)strlen(b->url) - b->https);
    if (a->dated != b->dated) return a->dated ? -1 : 1;
    return a->dated ? (a->fetched_at > b->fetched_at) - (a->fetched_at < b->fetched_at) : 0;
}

/* <0: a */
static int compare_named(const plain_judge *j, const char *word, int a, int b) {
    if (strncmp(word, "form", 4) == 0) return j->form[a] - j->form[b];
    if (strncmp(word, "origin", 6) == 0) return j->origin[b] - j->origin[a];
    return compare_by(word, plain_meaning(j, a), plain_meaning(j, b));
}

int plain_section_of(const plain_judge *j, int i) {
    const char *host = plain_meaning(j, i)->host;
    int best = -1;
    for (int s = 0; s < j->how.n_sections; s++) {
        const plain_section *section = &j->how.section[s];
        const size_t n = strlen(host), suffix = strlen(section->host);
        const bool is_host = plain_equal(host, section->host),
                   is_below = section->below && n > suffix && host[n - suffix - 1] == '.' &&
                              plain_equal(host + n - suffix, section->host);
        if (!is_host && !is_below) continue;
        if (is_host && !section->below) return s;
        if (best < 0 || suffix > strlen(j->how.section[best].host)) best = s;
    }
    return best;
}

/* The form precedes all, and names that the list does not have precede it. */
static bool better_by(const plain_judge *j, const char *list, int a, int b) {
    static const char *const FIRST[] = {"clean", "page"};
    int order = compare_named(j, "form", a, b);
    for (int k = 0; !order && k < 2; k++)
        if (!strstr(list, FIRST[k])) order = compare_named(j, FIRST[k], a, b);
    for (const char *word = list; !order && *word;) {
        order = compare_named(j, word, a, b);
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    return order ? order < 0 : a < b;
}

/* The section with an order of its own; -1: none. */
static int ordered_section(const plain_judge *j, int i) {
    const int section = plain_section_of(j, i);
    return section >= 0 && j->how.section[section].order ? section : -1;
}

/* The documents of a section take their places in the order of the store, in their own order. */
void plain_find_places(plain_judge *j) {
    int at[PLAIN_DOCUMENTS_MAX]; /* by place */
    for (int i = 0; i < (int)j->n; i++) {
        int place = 0;
        for (int k = 0; k < (int)j->n; k++) place += k != i && better_by(j, j->how.order, k, i);
        at[place] = i;
    }
    for (int i = 0; i < (int)j->n; i++) {
        const int section = ordered_section(j, i);
        int before = 0, place = 0;
        for (int k = 0; k < (int)j->n && section >= 0; k++)
            before += k != i && ordered_section(j, k) == section &&
                      better_by(j, j->how.section[section].order, k, i);
        for (; section >= 0; place++)
            if (ordered_section(j, at[place]) == section && before-- == 0) break;
        for (; section < 0 && at[place] != i; place++) continue;
        j->place[i] = place;
    }
}

bool plain_better(const plain_judge *j, int a, int b) {
    return j->place[a] < j->place[b];
}

/* The strictest threshold of the documents with the text. */
static int32_t least_of(const plain_judge *j, int i) {
    int32_t least = 0;
    for (int k = 0; k < (int)j->n; k++) {
        if (!plain_one_text(j, i, k)) continue;
        const int section = plain_section_of(j, k);
        const int32_t own = section >= 0 && j->how.section[section].least >= 0
                                ? j->how.section[section].least
                                : j->how.least;
        if (own > least) least = own;
    }
    return least;
}

int32_t plain_similarity(const plain_judge *j, int a, int b) {
    const int32_t similarity = near_similarity(&j->near, a, b);
    if (j->how.n_sections == 0 || !plain_equal(j->near.d->name, "alignment")) return similarity;
    return similarity < least_of(j, a) || similarity < least_of(j, b) ? -1 : similarity;
}
