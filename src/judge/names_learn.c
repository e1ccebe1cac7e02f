/* Learning is sorting: each distinct name of a host adds its words to a list, and words that occur
 * often enough are common on that host. Distinct names are counted, not documents: a document under
 * a thousand session ids counts once. Of a host with many names a sample is taken by hash, so that
 * the list stays short. A task is one subject, such as the words of names, on a few hosts, so that
 * several threads share the work even if one host has most of the documents. Each thread collects
 * the keys that it learns; they are put into the maps in the end. */

#include "judge/internal.h"

enum {
    NAMES_MIN = 16,      /* a host with fewer names has no common words */
    NAMES_SAMPLED = 256, /* of a host, about */
    TEXTS_OF_NAME = 16,  /* that are examined for each name */
    COMMON_MIN = 4,      /* minimum number of names that repeat a common word */
    TAILS_CONSTANT = 3,  /* distinct ends of URLs that make a title uninformative */
    PAGES_CONSTANT = 4,  /* or distinct pages, of which some may be in several folders */
    TITLES_OF_PART = 3,  /* distinct titles that have the site's own part at one end */
    SHARE_OF_PART = 80,  /* per cent of its longer titles */
    TITLED_SHARE = 10,   /* one of so many documents is titled where titles are known */
    TITLES_OF_TREE = 8,  /* distinct titles of the pages in a folder that is a tree of its own */
    HOSTS_AT_ONCE = 8,   /* of a task */
    NAMES_AT_ONCE = 4096,
    LISTED_MIN = 1 << 12, /* entries of a list in memory, at least */
    MILLION = 1000000
};

/* What is learned of a host (words) or of a domain, each a subject of its own, and what of
 * documents. */
enum { WORDS, TITLES, PAGES, TREES, OWN_PARTS, SHOWN, KINDS, SUBJECTS = TWX_NAME_SUBJECTS };

/* What was learned of a subject: keys for a map, n of them from `from` on of those of a thread. */
typedef struct twx_name_lesson {
    uint64_t inputs, learned; /* hashes: of the documents, in their order, and of the keys */
    size_t thread, from, n;
} twx_name_lesson;

/* What was found of the name of a document. */
typedef struct twx_name_note {
    int64_t doc;
    uint64_t inputs; /* a hash of what it was found from */
    uint64_t formless;
    uint32_t shown;
    uint16_t marks;
} twx_name_note;

typedef struct learner {
    twx_names *names;
    const twx_doc_table *p;
    const uint32_t *node;
    const uint8_t *eligibility;
    /* Of all threads */
    uint32_t *hosts;          /* in order of their domains */
    uint32_t *docs;           /* that count, by host in this order, ascending */
    uint32_t *ends;           /* in docs, by host */
    uint64_t *inputs;         /* by host: a hash of its documents, in their order */
    twx_name_lesson *lessons; /* by host and subject; NULL: nothing is kept */
    twx_name_note *notes;     /* by document; NULL under the same condition */
    /* Of this thread */
    twx_ctx *cx;
    TWX_VEC(uint64_t) kept[KINDS]; /* keys for the maps */
    TWX_VEC(twx_entry) shown;      /* of domains, with digests */
    size_t was;           /* in the notes that are kept: those before it are of documents before */
    size_t noted, titled; /* documents that count */
    bool has_shown;
    /* Of the current host or domain */
    size_t subject;
    uint64_t host; /* twx_names_host() */
    uint64_t site;
    const uint32_t *at; /* its documents, n of them */
    size_t n;
    twx_map64 seen;        /* names */
    twx_map64 short_names; /* those with a text that does not fill its list of repeated words */
    uint64_t counted;      /* distinct names in the sample */
    uint64_t shorts;       /* how many of those in the sample are in short_names */
    uint64_t step;         /* one name in this many is in the sample */
    size_t longer[TWX_NAME_RUN_MAX + 1]; /* titles of more words than the index */
    twx_entries list;
} learner;

static bool counts(const learner *l, uint32_t i) {
    return l->eligibility[i] == TWX_ELIGIBLE && l->node[i] != TWX_NO_DOCUMENT &&
           twx_pieces_length(&l->names->payloads, i) > 0;
}

/* Calls fn for the first documents of each distinct name of the host: the same document under a
 * session id or for the printer may repeat words that the first does not. Their names are in
 * l->seen then. fn NULL: only that */
static twx_rc each_name(learner *l, twx_rc (*fn)(learner *l, uint32_t i, const twx_name_words *name,
                                                 bool first)) {
    twx_map64_done(&l->seen);
    twx_map64_init(&l->seen, 0);
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < l->n; k++) {
        const uint32_t i = l->at[k];
        twx_name_words name = {0};
        twx_names_read(l->names, i, &name);
        const uint64_t key = twx_names_name_key(&name), before = twx_map64_value(&l->seen, key, 0);
        if (before == TEXTS_OF_NAME) continue;
        rc = twx_map64_put(l->cx, &l->seen, key, before + 1);
        if (rc == TWX_OK && fn) rc = fn(l, i, &name, before == 0);
    }
    return rc;
}

/* A word of a name on a host, or the end of a URL for a title. of: 32 bits of the hash of the name
 * or of the end */
static twx_rc list_entry(learner *l, uint64_t key, uint32_t of, uint32_t kind) {
    return twx_entries_add(l->cx, &l->list, (twx_entry){.key = key, .check = of, .index = kind});
}

static twx_rc list_name(learner *l, uint32_t i, const twx_name_words *name, bool first) {
    if (twx_mix64(twx_names_name_key(name), 0) % l->step != 0) return TWX_OK;
    twx_name_words text = {0};
    twx_names_read_repeated(l->names, l->node[i], &text);
    const uint32_t of = (uint32_t)twx_names_name_key(name);
    const bool is_short = text.n[TWX_NAME_REPEATED] < TWX_NAME_REPEATED_MAX;
    l->counted += first;
    if (is_short) {
        const uint64_t next = l->short_names.n;
        uint64_t number = 0;
        twx_rc rc = twx_map64_add(l->cx, &l->short_names, twx_names_name_key(name), next, &number);
        if (rc != TWX_OK) return rc;
        l->shorts += number == next;
    }
    const struct {
        uint32_t kind;
        const uint32_t *words;
        size_t n;
    } lists[] = {
        {TWX_NAME_KEY_WORD, name->title, name->n[TWX_NAME_TITLE]},
        {TWX_NAME_KEY_WORD, name->heading, name->n[TWX_NAME_HEADING]},
        {TWX_NAME_KEY_URL, name->url, name->n[TWX_NAME_URL]},
        {TWX_NAME_KEY_REPEATED, text.repeated, text.n[TWX_NAME_REPEATED]},
        {TWX_NAME_KEY_LEAD, text.lead, text.n[TWX_NAME_LEAD]},
        {TWX_NAME_KEY_LEAD, text.number, text.n[TWX_NAME_NUMBER]},
        {TWX_NAME_KEY_LEAD, text.code, text.n[TWX_NAME_CODE]},
        {TWX_NAME_KEY_REPEATED_SHORT, text.repeated, is_short ? text.n[TWX_NAME_REPEATED] : 0}};
    twx_rc rc = TWX_OK;
    for (size_t k = 0; k < TWX_COUNTOF(lists); k++)
        for (size_t w = 0; rc == TWX_OK && w < lists[k].n; w++)
            rc = list_entry(l, twx_names_word_key(l->host, lists[k].kind, lists[k].words[w]), of,
                            lists[k].kind);
    return rc;
}

/* Is a word of a run common on its host? A long text may repeat a word of the site's boilerplate
 * without room for it in its list, so the words of short texts are compared with short texts
 * only. */
static bool common_enough(const learner *l, const twx_entry *word, size_t names) {
    const twx_name_rules *rules = &l->names->rules;
    const uint32_t kind = word->index;
    const uint64_t all = kind == TWX_NAME_KEY_REPEATED_SHORT ? l->shorts : l->counted;
    if (kind == TWX_NAME_KEY_WORD || kind == TWX_NAME_KEY_URL)
        return names * MILLION >= rules->site_ppm * all;
    return names >= COMMON_MIN && names * MILLION >= rules->common_ppm * all;
}

/* How many distinct names (or ends) a key must have at least. */
static const size_t LEAST[SUBJECTS] = {
    [WORDS] = 1, TAILS_CONSTANT, PAGES_CONSTANT, TITLES_OF_TREE, TITLES_OF_PART};

/* Sorts the list and keeps the keys that enough distinct names (or ends) have. The list is empty
 * then. */
static twx_rc keep_keys(learner *l) {
    twx_entry last = {0}, next = {0};
    size_t names = 0; /* that have the key of `last` */
    twx_rc rc = twx_entries_sort(l->cx, &l->list);
    while (rc == TWX_OK) {
        rc = twx_entries_next(&l->list, &next);
        if (rc == TWX_OK && names > 0 && next.key == last.key) {
            names += next.check != last.check;
        } else {
            if (names >= LEAST[l->subject] &&
                (l->subject != WORDS || common_enough(l, &last, names)) &&
                (l->subject != OWN_PARTS || names * 100 >= l->longer[last.index] * SHARE_OF_PART) &&
                !TWX_VEC_PUSH(l->cx, &l->kept[l->subject], last.key))
                rc = TWX_E_NOMEM;
            names = 1;
        }
        last = next;
    }
    if (l->list.on_disk) {
        twx_entries_done(&l->list);
        l->list = (twx_entries){.limit = l->list.limit};
    }
    l->list.at.n = 0;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc learn_words(learner *l) {
    if (l->n < NAMES_MIN) return TWX_OK;
    twx_rc rc = each_name(l, NULL);
    if (rc != TWX_OK || l->seen.n < NAMES_MIN) return rc;
    for (l->step = 1; l->seen.n / l->step > 2 * NAMES_SAMPLED;) l->step *= 2;
    l->counted = l->shorts = 0;
    twx_map64_done(&l->short_names);
    twx_map64_init(&l->short_names, 0);
    rc = each_name(l, list_name);
    return rc == TWX_OK ? keep_keys(l) : rc;
}

/* Titles, which several ends of URLs or pages may have. */
static twx_rc list_title(learner *l, uint32_t i, const twx_name_words *name) {
    const uint32_t of = l->subject == PAGES ? (uint32_t)l->names->page[i] : name->tail;
    const uint64_t title = twx_mix64(l->site, twx_names_shared_key(l->names, name));
    return of ? list_entry(l, title, of, TWX_NAME_KEY_TITLE) : TWX_OK;
}

/* Folders, which may have many titles. */
static twx_rc list_folders(learner *l, uint32_t i, const twx_name_words *name) {
    const twx_url_names url = twx_names_of_url(l->names->urls, i);
    const uint32_t title = (uint32_t)twx_names_title_key(name);
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < url.segments; k++)
        rc = list_entry(l, twx_mix64(l->site, url.name[k]), title, TWX_NAME_KEY_URL);
    return rc;
}

/* The words at both ends of the title, if it is a new one; index: their number. */
static twx_rc list_ends(learner *l, const twx_name_words *name) {
    const twx_title_parts plain = twx_names_plain_title(l->names, name);
    const uint32_t *words = name->title + plain.begin;
    const size_t n = plain.end - plain.begin;
    const uint64_t title = twx_names_hash(TWX_NAME_KEY_TITLE, words, n), next = l->seen.n;
    uint64_t number = 0;
    twx_rc rc = twx_map64_add(l->cx, &l->seen, title, next, &number);
    for (uint32_t k = 1; number == next && k < n && k <= TWX_NAME_RUN_MAX; k++) {
        const uint64_t begins = twx_names_run_key(l->site, TWX_NAME_KEY_BEGINS, words, k),
                       ends = twx_names_run_key(l->site, TWX_NAME_KEY_ENDS, words + n - k, k);
        l->longer[k]++;
        if (rc == TWX_OK) rc = list_entry(l, begins, (uint32_t)title, k);
        if (rc == TWX_OK) rc = list_entry(l, ends, (uint32_t)title, k);
    }
    return rc;
}

/* What the documents of a site teach, but for words. */
static twx_rc learn_site(learner *l) {
    twx_rc rc = TWX_OK;
    const bool known = l->subject == PAGES ? l->names->page != NULL : l->names->rules.own;
    if (l->n < LEAST[l->subject] || (l->subject != TITLES && !known)) return TWX_OK;
    memset(l->longer, 0, sizeof l->longer);
    twx_map64_done(&l->seen);
    twx_map64_init(&l->seen, 0);
    for (size_t k = 0; rc == TWX_OK && k < l->n; k++) {
        twx_name_words name = {0};
        twx_names_read(l->names, l->at[k], &name);
        switch (l->subject) {
        case TREES: rc = list_folders(l, l->at[k], &name); break;
        case OWN_PARTS: rc = list_ends(l, &name); break;
        default: rc = list_title(l, l->at[k], &name); break;
        }
    }
    return rc == TWX_OK ? keep_keys(l) : rc;
}

static uint64_t site_of(const learner *l, size_t k) {
    return twx_names_site(l->names, l->p, l->hosts[k]);
}

/* Learns a subject of the hosts from k to `next`; what the same documents taught is taken over. */
static twx_rc learn_subject(learner *l, size_t k, size_t next, size_t thread) {
    const size_t subject = l->subject;
    const twx_names_kept *kept = l->names->kept;
    const twx_name_lesson *was = NULL;
    twx_name_lesson now = {.inputs = l->site, .thread = thread, .from = l->kept[subject].n};
    uint64_t host = 0;
    twx_rc rc = TWX_OK;
    for (size_t h = k; h < next; h++) now.inputs += l->inputs[l->hosts[h]];
    if (kept && twx_map64_get(&kept->hosts, l->host, &host))
        was = &kept->lessons[SUBJECTS * host + subject];
    if (!was || was->inputs != now.inputs)
        rc = subject == WORDS ? learn_words(l) : learn_site(l);
    else
        for (size_t i = was->from; rc == TWX_OK && i < was->from + was->n; i++)
            if (!TWX_VEC_PUSH(l->cx, &l->kept[subject], kept->keys[was->thread][subject].at[i]))
                rc = TWX_E_NOMEM;
    for (size_t i = now.from; i < l->kept[subject].n; i++, now.n++)
        now.learned += twx_mix64(l->kept[subject].at[i], subject);
    for (; l->lessons && k < next; k++) l->lessons[SUBJECTS * (size_t)l->hosts[k] + subject] = now;
    return rc;
}

/* The task learns a subject of the sites that begin among some hosts. */
static twx_rc learn_hosts(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    learner *l = (learner *)arg + thread;
    const size_t from = task / SUBJECTS * HOSTS_AT_ONCE, hosts = l->p->hosts.n;
    twx_rc rc = TWX_OK;
    l->cx = cx;
    l->subject = task % SUBJECTS;
    for (size_t k = from, next; rc == TWX_OK && k < hosts && k < from + HOSTS_AT_ONCE; k = next) {
        const uint32_t start = k ? l->ends[l->hosts[k - 1]] : 0;
        next = k + 1;
        l->host = twx_names_host(l->p, l->hosts[k]);
        l->site = site_of(l, k);
        if (l->subject != WORDS && k > 0 && site_of(l, k - 1) == l->site) continue;
        while (l->subject != WORDS && next < hosts && site_of(l, next) == l->site) next++;
        l->at = l->docs + start;
        l->n = l->ends[l->hosts[next - 1]] - start;
        rc = learn_subject(l, k, next, thread);
    }
    return rc;
}

static int by_domain(const void *left, const void *right, void *arg) {
    const twx_host *hosts = arg;
    const twx_host *a = &hosts[*(const uint32_t *)left], *b = &hosts[*(const uint32_t *)right];
    return TWX_UP(domain_key);
}

static twx_rc list_by_host(twx_ctx *cx, learner *l) {
    const size_t n = l->p->at.n, hosts = l->p->hosts.n;
    uint32_t end = 0;
    l->hosts = twx_malloc(cx, (hosts + 1) * sizeof *l->hosts);
    l->docs = twx_malloc(cx, (n + 1) * sizeof *l->docs);
    l->ends = twx_calloc(cx, hosts + 1, sizeof *l->ends);
    l->inputs = twx_calloc(cx, hosts + 1, sizeof *l->inputs);
    if (!l->hosts || !l->docs || !l->ends || !l->inputs) return TWX_E_NOMEM;
    for (uint32_t h = 0; h < hosts; h++) l->hosts[h] = h;
    qsort_r(l->hosts, hosts, sizeof *l->hosts, by_domain, l->p->hosts.at);
    for (uint32_t i = 0; i < n; i++)
        if (counts(l, i)) l->ends[twx_doc_host(l->p, i)]++;
    for (size_t k = 0; k < hosts; k++) {
        const uint32_t count = l->ends[l->hosts[k]];
        l->ends[l->hosts[k]] = end; /* each insertion moves it up */
        end += count;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t host = twx_doc_host(l->p, i);
        if (!counts(l, i)) continue;
        l->docs[l->ends[host]++] = i;
        if (l->names->kept) l->inputs[host] = twx_mix64(l->inputs[host], l->names->made[i]);
    }
    return TWX_OK;
}

/* Documents by node, ascending. */
static twx_rc list_documents(twx_ctx *cx, const learner *l) {
    twx_names *names = l->names;
    size_t nodes = names->repeated.n, n = l->p->at.n;
    names->docs_from = twx_calloc(cx, nodes + 1, sizeof *names->docs_from);
    names->docs = twx_malloc(cx, (n + 1) * sizeof *names->docs);
    if (!names->docs_from || !names->docs) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (counts(l, i)) names->docs_from[l->node[i]]++;
    uint32_t end = 0;
    for (size_t k = 0; k <= nodes; k++) {
        end += names->docs_from[k];
        names->docs_from[k] = end; /* each insertion moves it down */
    }
    for (uint32_t i = (uint32_t)n; i-- > 0;)
        if (counts(l, i)) names->docs[--names->docs_from[l->node[i]]] = i;
    return TWX_OK;
}

/* What is asked of each pair of candidates. */
static void note_name(const learner *l, uint32_t i, twx_name_note *note) {
    const twx_names *names = l->names;
    const uint64_t site = twx_names_site(names, l->p, twx_doc_host(l->p, i));
    twx_name_words name = {0};
    twx_names_read(names, i, &name);
    const bool is_titled = name.n[TWX_NAME_TITLE] + name.n[TWX_NAME_HEADING] > 0,
               is_in_url = !is_titled ||
                           twx_map64_has(&names->constant,
                                         twx_mix64(site, twx_names_shared_key(names, &name)));
    if (names->urls) {
        const twx_url_names url = twx_names_of_url(names->urls, i);
        note->marks = (uint16_t)twx_names_trees(names, twx_doc_domain(l->p, i), &url);
    }
    if (is_titled) note->marks |= TWX_NAME_TITLED;
    if (is_in_url) note->marks |= TWX_NAME_IN_URL;
    note->formless = twx_names_formless_key(names, &name);
    note->shown = name.shown;
}

/* Takes over the note of a document that is the same, on a site that has taught the same; if its
 * domain is not the host's, its folders are those of another site. */
static bool take_note(learner *l, uint32_t i, twx_name_note *note) {
    const twx_names_kept *kept = l->names->kept;
    const twx_name_lesson *of_host = &l->lessons[SUBJECTS * (size_t)twx_doc_host(l->p, i)];
    const uint64_t domain = twx_doc_value(l->p, TWX_DOC_DOMAIN, i);
    note->doc = l->p->at.at[i].doc;
    note->inputs = twx_mix64(l->names->made[i], domain);
    for (size_t k = TITLES; k <= TREES; k++)
        note->inputs = twx_mix64(note->inputs, of_host[k].learned);
    while (l->was < kept->noted && kept->notes[l->was].doc < note->doc) l->was++;
    const twx_name_note *was = l->was < kept->noted ? &kept->notes[l->was] : NULL;
    if (domain || !was || was->doc != note->doc || was->inputs != note->inputs) return false;
    *note = *was;
    return true;
}

/* Takes notes; and the names that images of documents state whose titles say nothing. */
static twx_rc note_names(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    learner *l = (learner *)arg + thread;
    twx_names *names = l->names;
    const size_t from = task * NAMES_AT_ONCE;
    for (size_t k = from; k < l->p->at.n && k < from + NAMES_AT_ONCE; k++) {
        const uint32_t i = (uint32_t)k;
        twx_name_note note = {0};
        if (!l->notes || !take_note(l, i, &note)) note_name(l, i, &note);
        if (l->notes) l->notes[i] = note;
        names->marks[i] = note.marks;
        names->formless[i] = note.formless;
        l->has_shown |= note.shown != 0;
        if (!counts(l, i)) continue;
        l->noted++;
        l->titled += (note.marks & TWX_NAME_TITLED) != 0;
        const twx_entry shown = {.key = twx_doc_domain(l->p, i), .check = note.shown};
        if (note.shown && note.marks & TWX_NAME_IN_URL &&
            (!TWX_VEC_PUSH(cx, &l->kept[SHOWN], twx_mix64(shown.key, note.shown)) ||
             (l->notes && !TWX_VEC_PUSH(cx, &l->shown, shown))))
            return TWX_E_NOMEM;
    }
    return TWX_OK;
}

static twx_rc note_all(twx_ctx *cx, learner *all, size_t threads) {
    twx_names *names = all->names;
    twx_names_kept *kept = names->kept;
    const size_t n = all->p->at.n;
    size_t noted = 0, titled = 0;
    names->formless = twx_calloc(cx, n + 1, sizeof *names->formless);
    names->marks = twx_calloc(cx, n + 1, sizeof *names->marks);
    if (!names->formless || !names->marks) return TWX_E_NOMEM;
    twx_name_note *notes = kept ? twx_malloc(cx, (n + 1) * sizeof *notes) : NULL;
    if (kept && !notes) return TWX_E_NOMEM;
    for (size_t t = 0; t < threads; t++) all[t].notes = notes;
    const twx_rc rc = twx_parallel(cx, threads, (n + NAMES_AT_ONCE - 1) / NAMES_AT_ONCE, note_names,
                                   all);
    for (size_t t = 0; t < threads; t++) {
        noted += all[t].noted;
        titled += all[t].titled;
        names->has_shown |= all[t].has_shown;
    }
    names->has_titles = titled * TITLED_SHARE >= noted;
    if (!kept) return rc;
    twx_free(kept->notes);
    kept->notes = notes;
    kept->noted = n;
    return rc;
}

void twx_names_kept_done(twx_names_kept *kept) {
    twx_free(kept->lessons);
    twx_free(kept->notes);
    twx_map64_done(&kept->hosts);
    for (size_t t = 0; t < TWX_PARALLEL_MAX; t++)
        for (size_t k = 0; k < SUBJECTS; k++) TWX_VEC_DONE(&kept->keys[t][k]);
    *kept = (twx_names_kept){0};
}

/* Replaces what was kept by what was learned. */
static twx_rc keep_lessons(twx_ctx *cx, learner *all, size_t threads) {
    twx_names_kept *kept = all->names->kept;
    twx_rc rc = TWX_OK;
    twx_free(kept->lessons);
    kept->lessons = all->lessons;
    for (size_t t = 0; t < threads; t++)
        for (size_t k = 0; k < SUBJECTS; k++) {
            TWX_VEC_DONE(&kept->keys[t][k]);
            TWX_MOVE(kept->keys[t][k], all[t].kept[k]);
        }
    twx_map64_done(&kept->hosts);
    for (uint32_t h = 0; rc == TWX_OK && h < all->p->hosts.n; h++)
        rc = twx_map64_put(cx, &kept->hosts, twx_names_host(all->p, h), h);
    return rc;
}

/* Puts what the threads have learned into the maps. */
static twx_rc put_kept(twx_ctx *cx, learner *all, size_t threads, size_t from, size_t to) {
    twx_names *names = all->names;
    twx_map64 *const maps[KINDS] = {&names->common, &names->constant,  &names->constant,
                                    &names->trees,  &names->own_parts, &names->shown};
    twx_rc rc = TWX_OK;
    for (size_t t = 0; t < threads; t++)
        for (size_t k = from; k < to; k++)
            for (size_t i = 0; rc == TWX_OK && i < all[t].kept[k].n; i++)
                rc = twx_map64_put(cx, maps[k], all[t].kept[k].at[i], 1);
    for (size_t t = 0; t < threads; t++)
        for (size_t i = 0; rc == TWX_OK && i < all[t].shown.n; i++) {
            const twx_entry *shown = &all[t].shown.at[i];
            const uint64_t sum = twx_map64_value(&names->shown_learned, shown->key, 0);
            rc = twx_map64_put(cx, &names->shown_learned, shown->key,
                               sum + twx_mix64(shown->check, 1));
        }
    return rc;
}

uint64_t twx_names_digest(const twx_names *names, const twx_doc_table *p, uint32_t document) {
    const twx_name_lesson *of = &names->kept->lessons[SUBJECTS * (size_t)twx_doc_host(p, document)];
    uint64_t digest = (uint64_t)names->has_titles << 1 | names->has_shown, shown = 0;
    for (size_t k = 0; k < SUBJECTS; k++) digest = twx_mix64(digest, of[k].learned);
    if (names->shown_learned.n)
        (void)twx_map64_get(&names->shown_learned, twx_doc_domain(p, document), &shown);
    return twx_mix64(digest, shown);
}

twx_rc twx_names_learn(twx_ctx *cx, twx_names *names, const twx_doc_table *p, const uint32_t *node,
                       const uint8_t *eligibility) {
    learner of_all = {.names = names, .p = p, .node = node, .eligibility = eligibility};
    size_t threads = names->threads ? names->threads : 1;
    if (threads > TWX_PARALLEL_MAX) threads = TWX_PARALLEL_MAX;
    of_all.list.limit = names->payloads.limit / threads / (2 * sizeof(twx_entry));
    if (of_all.list.limit < LISTED_MIN) of_all.list.limit = LISTED_MIN;
    learner *all = twx_calloc(cx, threads, sizeof *all);
    twx_rc rc = all ? list_by_host(cx, &of_all) : TWX_E_NOMEM;
    if (rc == TWX_OK && names->kept) {
        of_all.lessons = twx_calloc(cx, SUBJECTS * p->hosts.n + 1, sizeof *of_all.lessons);
        rc = of_all.lessons ? TWX_OK : TWX_E_NOMEM;
    }
    for (size_t t = 0; all && t < threads; t++) all[t] = of_all;
    if (rc == TWX_OK)
        rc = twx_parallel(cx, threads,
                          SUBJECTS * ((p->hosts.n + HOSTS_AT_ONCE - 1) / HOSTS_AT_ONCE),
                          learn_hosts, all);
    twx_free(of_all.hosts);
    twx_free(of_all.docs);
    twx_free(of_all.ends);
    twx_free(of_all.inputs);
    if (rc == TWX_OK) rc = put_kept(cx, all, threads, WORDS, SUBJECTS);
    if (rc == TWX_OK && names->kept)
        rc = keep_lessons(cx, all, threads);
    else
        twx_free(of_all.lessons);
    if (rc == TWX_OK)
        rc = names->rules.own ? note_all(cx, all, threads) : list_documents(cx, &of_all);
    if (rc == TWX_OK) rc = put_kept(cx, all, threads, SHOWN, KINDS);
    for (size_t t = 0; all && t < threads; t++) {
        for (size_t k = 0; k < KINDS; k++) TWX_VEC_DONE(&all[t].kept[k]);
        twx_map64_done(&all[t].seen);
        twx_map64_done(&all[t].short_names);
        twx_entries_done(&all[t].list);
        TWX_VEC_DONE(&all[t].shown);
    }
    twx_free(all);
    return rc == TWX_OK ? twx_names_error(cx, names) : rc;
}
