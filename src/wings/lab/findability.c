#include "lab/findability.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"

enum { CELL_BYTES = 64 };

static json_t *findable_json(const twx_findable *f) {
    json_t *o = json_pack("{s:s, s:s}", "name", f->name, "kind",
                          f->relation ? "relation" : "method");
    if (f->missing) {
        json_object_set_new(o, "not_evaluated", json_string(f->missing));
        return o;
    }
    json_object_set_new(o, "hidden_own_text", twx_json_count(f->hidden));
    json_object_set_new(o, "sampled", twx_json_count(f->sampled));
    twx_json_put_measure(o, "lost", &f->lost);
    twx_json_put_measure(o, "lost_without_numbers", &f->lost_words);
    twx_json_put_measure(o, "heading_lost", &f->lost_headings);
    json_object_set_new(o, "compared", twx_json_count(f->compared));
    twx_json_put_measure(o, "substitutes", &f->substitutes);
    twx_json_put_measure(o, "things", &f->things);
    json_object_set_new(o, "substitutions", twx_json_count(f->substitutions));
    twx_json_put_measure(o, "one_way", &f->one_way);
    json_object_set_new(o, "searched", twx_json_count(f->searched));
    twx_json_put_measure(o, "found", &f->found);
    twx_json_put_measure(o, "titles_found", &f->titles_found);
    json_object_set_new(o, "shared", twx_json_count(f->shared));
    twx_json_put_measure(o, "shared_titles", &f->shared_titles);
    twx_json_put_measure(o, "others_found", &f->others_found);
    json_object_set_new(o, "same_title_sampled", twx_json_count(f->titled_sampled));
    twx_json_put_measure(o, "same_title_alike", &f->same_title);
    json_object_set_new(o, "known_sampled", twx_json_count(f->known_sampled));
    twx_json_put_measure(o, "known_visible", &f->known_visible);
    return o;
}

static json_t *findability_json(const twx_findability *f) {
    json_t *all = json_array();
    for (size_t i = 0; i < f->n; i++) json_array_append_new(all, findable_json(&f->at[i]));
    return json_pack("{s:o, s:I, s:I, s:b, s:I, s:o}", "store",
                     twx_json_slice(twx_slice_of(f->store)), "documents", (json_int_t)f->documents,
                     "not_taking_part", (json_int_t)f->not_taking_part, "text_index", f->searchable,
                     "known", (json_int_t)f->known, "findable", all);
}

/* "15.8 (14.1-17.6)", per cent */
static const char *cell(const twx_measure *m, char room[CELL_BYTES]) {
    if (!m->known)
        snprintf(room, CELL_BYTES, "-");
    else if (m->high - m->low < 0.00005)
        twx_print(room, CELL_BYTES, "%.1f", 100 * m->value);
    else
        twx_print(room, CELL_BYTES, "%.1f (%.1f-%.1f)", 100 * m->value, 100 * m->low,
                  100 * m->high);
    return room;
}

static const struct {
    const char *head;
    size_t offset; /* of a twx_measure in twx_findable */
} COLUMNS[] = {{"title word lost", offsetof(twx_findable, lost)},
               {"but for numbers", offsetof(twx_findable, lost_words)},
               {"heading word lost", offsetof(twx_findable, lost_headings)},
               {"words substituted", offsetof(twx_findable, things)},
               {"or numbers", offsetof(twx_findable, substitutes)},
               {"one way", offsetof(twx_findable, one_way)},
               {"found by title", offsetof(twx_findable, found)},
               {"mean of titles", offsetof(twx_findable, titles_found)},
               {"shared titles", offsetof(twx_findable, shared_titles)},
               {"found, others", offsetof(twx_findable, others_found)},
               {"same title, alike", offsetof(twx_findable, same_title)},
               {"known, visible", offsetof(twx_findable, known_visible)}};

static twx_rc write_head(const twx_out *out) {
    twx_rc rc = twx_out_text(out, "  %-18s %8s", "", "hidden");
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(COLUMNS); i++)
        rc = twx_out_text(out, " %18s", COLUMNS[i].head);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

static twx_rc write_row(const twx_out *out, const twx_findable *f) {
    if (f->missing) return twx_out_text(out, "  %-18s %s\n", f->name, f->missing);
    twx_rc rc = twx_out_text(out, "  %-18s %8" PRIu64, f->name, f->hidden);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(COLUMNS); i++) {
        char room[CELL_BYTES];
        twx_measure m;
        memcpy(&m, (const char *)f + COLUMNS[i].offset, sizeof m);
        rc = twx_out_text(out, " %18s", cell(&m, room));
    }
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

static twx_rc write_rows(const twx_out *out, const twx_findability *f, bool relations) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < f->n; i++)
        if (f->at[i].relation == relations) rc = write_row(out, &f->at[i]);
    return rc;
}

twx_rc twx_findability_write(const twx_out *out, const twx_findability *f) {
    if (twx_out_is_json(out)) return twx_out_json(out, findability_json(f));
    twx_rc rc = twx_out_text(out,
                             "%s: %" PRIu64 " documents, %" PRIu64
                             " of them do not take part; shares in per cent\n\n",
                             f->store, f->documents, f->not_taking_part);
    if (rc == TWX_OK) rc = write_head(out);
    if (rc == TWX_OK) rc = write_rows(out, f, true);
    if (rc == TWX_OK) rc = write_rows(out, f, false);
    if (rc == TWX_OK)
        rc = twx_out_text(
            out,
            "\nhidden: documents with a text of their own, each text and title once\n"
            "title word lost: share of them with a title word that the representative has neither\n"
            "  in its title nor in its headings nor in its text\n"
            "heading word lost: the same for the words of level-1 headings\n"
            "words substituted: share with other words in the place of the representative's\n"
            "or numbers: the same, also where only numbers or dates are others\n"
            "one way: share with words that the representative lacks, which has none that they "
            "lack\n"
            "found by title: share of their titles whose search has the representative or an equal "
            "text\n"
            "  in the first %d\n"
            "mean of titles: the same, each different title counted once, not once for each "
            "hidden\n"
            "  document\n"
            "shared titles: share of them that more than %d different visible texts have: such a "
            "title\n"
            "  cannot identify one of them\n"
            "found, others: share of the other titles that are found\n"
            "same title, alike: share of visible documents with a visible one of the same title "
            "that is\n"
            "  .9 similar\n"
            "known, visible: share of known copies (.9 similar, equal titles, other texts) that "
            "stay\n"
            "  visible beside each other\n",
            TWX_FINDABLE_TOP, TWX_FINDABLE_TOP);
    if (rc == TWX_OK && !f->searchable)
        rc = twx_out_text(out,
                          "found by title: not measured: 'twindex index' makes the text index\n");
    return rc;
}
