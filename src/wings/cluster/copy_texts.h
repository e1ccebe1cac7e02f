/* cluster/copy_texts.h: the texts by which copies are proved (judge/proof.h), where the stores are
 * on other machines.
 * [R1] A text is found by its digest, as it was signed. One that the servers have not is noted when
 * it is read, and reported as unreadable: what depends on it is not decided. The stores are asked
 * for it, each text once, whatever the number of documents that have it.
 * Memory: embedded struct; twx_copy_texts_done(). The texts are in a temporary file; 40 bytes each
 * besides. */
#ifndef TWX_CLUSTER_COPY_TEXTS_H
#define TWX_CLUSTER_COPY_TEXTS_H

#include "cluster/judging.h"
#include "judge/judgement.h"

typedef struct twx_copy_text {
    uint64_t at, bytes; /* in the file */
    bool used;          /* it was read */
} twx_copy_text;

typedef struct twx_copy_texts {
    twx_text_source source; /* for twx_judge_options.texts */
    twx_judging *j;
    const twx_judgement *judged;
    twx_map64 index; /* digest -> number in `at` */
    TWX_VEC(twx_copy_text) at;
    int fd;                   /* -1: there is no file */
    uint64_t written, used;   /* bytes in the file, of those texts that were read */
    twx_map64 noted;          /* digests of texts that are missing */
    TWX_VEC(uint32_t) wanted; /* documents with these texts, one for each */
    /* Documents whose stores have been asked and have not sent the text: it is no longer the signed
     * one. As rows of the table `wanted` */
    twx_map64 refused;
    twx_buf refused_rows;
} twx_copy_texts;

/* Reads what the servers have. judged: whose documents are read later. Both are borrowed.
 * Errors those of twx_nodes_run_all() and of temporary files */
TWX_CHECK twx_rc twx_copy_texts_fetch(twx_judging *j, const twx_judgement *judged,
                                      twx_copy_texts *ret_texts);
void twx_copy_texts_done(twx_copy_texts *t);
/* Asks the stores for the texts that were missing, in the table `wanted` of the run. */
TWX_CHECK twx_rc twx_copy_texts_ask(const twx_copy_texts *t);
/* After all were there: if the servers have more that was not read than was, they forget all texts,
 * and the next judgement asks for those that it needs. */
TWX_CHECK twx_rc twx_copy_texts_forget(const twx_copy_texts *t);

#endif
