/* inspect/similar.h: the documents most similar to one, found and listed. */
#ifndef TWX_INSPECT_SIMILAR_H
#define TWX_INSPECT_SIMILAR_H

#include "base/vec.h"
#include "inspect/explain_print.h"
#include "judge/relations.h"
#include "run/job.h"

/* The documents most similar to a given one.
 * Memory: embedded struct; twx_similar_list_init(), _done(). Bytes are in the arena. */
typedef struct twx_similar_row {
    twx_listed_document document;
    int32_t text_similarity, similarity; /* millionths; -1: unknown */
    size_t shared_keys;
    bool pair;
    /* in which the last run put both into one group; the verdict is the last one */
    const char *relations[TWX_RELATIONS + 1];
    size_t n_relations;
} twx_similar_row;

typedef struct twx_similar_list {
    twx_arena arena;
    twx_listed_document document;
    const char *detector;
    bool stored; /* the signatures are those of the last run */
    bool any;    /* some document was similar, even if it is gone meanwhile */
    TWX_VEC(twx_similar_row) rows;
} twx_similar_list;

void twx_similar_list_init(twx_similar_list *list);
void twx_similar_list_done(twx_similar_list *list);
TWX_CHECK twx_rc twx_similar_list_write(const twx_out *out, const twx_similar_list *list);

/* Finds the documents most similar to a given one by one detector, and compares
 * the texts of the best ones. It writes nothing. Signatures stored by a run are used if they were
 * made with the current settings and this detector; they reflect the state of that run. Otherwise
 * every document is read and signed, once (twice for global detectors). */
enum { TWX_SIMILAR_REFINED = 20 /* documents whose texts are compared */ };

/* Errors TWX_E_NOTFOUND, TWX_E_USAGE (unknown detector), those of reading, and those of
 * cancellation. */
TWX_CHECK twx_rc twx_similar(const twx_job *job, const char *url_or_id,
                             const twindex_similar_options *options, twx_similar_list *ret_list);

#endif
