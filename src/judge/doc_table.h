/* judge/doc_table.h: the documents of a run in memory, by index: 0..n-1 in order of the source's
 * id, so a lower index is a lower id. About 120 bytes a document; the keys go to the groupers,
 * which use temporary files.
 * Memory: owned handle struct, which also owns the hosts' names. */
#ifndef TWX_JUDGE_DOC_TABLE_H
#define TWX_JUDGE_DOC_TABLE_H

#include "base/map64.h"
#include "base/vec.h"
#include "judge/facts.h"

enum { TWX_NO_DOCUMENT = UINT32_MAX }; /* marks the absence of a document */

/* twx_facts without the host's text. */
typedef struct twx_doc_entry {
    int64_t doc;
    uint64_t made;    /* hash of the stored document, to detect changes */
    twx_facts facts;  /* host: borrowed from hosts */
    uint32_t host;    /* index into hosts */
    uint64_t version; /* in its title (detect/name_words.h); 0: none, or names are not used */
} twx_doc_entry;

typedef struct twx_host {
    char *name;
    size_t name_length;
} twx_host;

typedef struct twx_doc_table {
    TWX_VEC(twx_doc_entry) at;
    TWX_VEC(twx_host) hosts;
    twx_map64 host_index; /* hash of the name -> index */
    /* What users have pinned (judge/pins.h), by index; NULL: nothing. */
    /* 1 + the index of the document's URL among the pinned ones; 0: not pinned */
    uint32_t *pinned;
    uint32_t *preferred; /* 1 + the index of the first `prefer` line it matches; 0: none */
} twx_doc_table;

void twx_doc_table_init(twx_doc_table *p);
void twx_doc_table_done(twx_doc_table *p);
/* Adds the next document in order of id and sets entry->host. */
TWX_CHECK twx_rc twx_doc_table_add(twx_ctx *cx, twx_doc_table *p, const twx_doc_entry *entry);
/* The key of the host for scopes: a hash of its name. */
uint64_t twx_host_key(const twx_facts *facts);

#endif
