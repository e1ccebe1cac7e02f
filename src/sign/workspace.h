/* sign/workspace.h: the state that a signing thread keeps between documents: digest contexts
 * (fetched once), scratch memory, token tables. One thread uses it at a time.
 * Memory: twx_workspace_open/_close own it; the caller resets scratch after each document. */
#ifndef TWX_SIGN_WORKSPACE_H
#define TWX_SIGN_WORKSPACE_H

#include "base/arena.h"
#include "sign/params.h"
#include "text/sentences.h"
#include "text/word_counts.h"

enum { TWX_MD5_BYTES = 16, TWX_SHA256_BYTES = 32, TWX_TAG_BYTES = 16 };

typedef struct twx_workspace twx_workspace;

/* Errors TWX_E_NOMEM, TWX_E_CONFIG (OpenSSL does not provide SHA-256). */
TWX_CHECK twx_rc twx_workspace_open(twx_ctx *cx, const twx_params *params,
                                    twx_workspace **ret_workspace);
void twx_workspace_close(twx_workspace *w);
twx_arena *twx_workspace_scratch(twx_workspace *w);
twx_word_counts *twx_workspace_words(twx_workspace *w);
/* Counts the words of a text as twx_word_counts_of() does. The words of a noted text are counted
 * once for all callers with the same min_units. Borrowed until the next text is counted. */
TWX_CHECK twx_rc twx_workspace_count(twx_ctx *cx, twx_workspace *w, twx_slice text,
                                     size_t min_units, const twx_word_counts **ret_counts);
/* The splitter for params->sentence_end, created on first use. Errors TWX_E_CONFIG (invalid
 * pattern), TWX_E_NOMEM */
TWX_CHECK twx_rc twx_workspace_sentences(twx_ctx *cx, twx_workspace *w,
                                         twx_sentences **ret_sentences);
/* Ends a document: releases scratch memory and forgets the noted text. */
void twx_workspace_reset(twx_workspace *w);

/* Errors TWX_E_INTERNAL (OpenSSL failed). An absent slice counts as empty. */
TWX_CHECK twx_rc twx_sha256(twx_ctx *cx, twx_workspace *w, twx_slice data,
                            unsigned char ret_digest[TWX_SHA256_BYTES]);
/* Errors TWX_E_CONFIG: OpenSSL does not provide it. */
TWX_CHECK twx_rc twx_md5(twx_ctx *cx, twx_workspace *w, twx_slice data,
                         unsigned char ret_digest[TWX_MD5_BYTES]);

/* GMAC of data under a key of TWX_TAG_BYTES, for tables in memory (memo.h). Errors TWX_E_CONFIG:
 * OpenSSL does not provide AES-128-GCM. */
TWX_CHECK twx_rc twx_text_tag(twx_ctx *cx, twx_workspace *w, const unsigned char *key,
                              twx_slice data, unsigned char ret_tag[TWX_TAG_BYTES]);

/* SHA-256 of a text that several detectors ask for. note_text declares that the bytes of `text`
 * stay unchanged until forget_text or reset, so that they are hashed once; a text that was not
 * noted is hashed each time. */
void twx_workspace_note_text(twx_workspace *w, twx_slice text);
void twx_workspace_forget_text(twx_workspace *w);
TWX_CHECK twx_rc twx_text_sha256(twx_ctx *cx, twx_workspace *w, twx_slice text,
                                 unsigned char ret_digest[TWX_SHA256_BYTES]);

#endif
