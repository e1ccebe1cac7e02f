/* judge/doc_table.h: the documents of a run in memory, by index: 0..n-1 in order of the source's
 * id, so a lower index is a lower id; documents of several stores with one id are in order of the
 * stores' names. 32 bytes a document, and 8 for each value that few documents have, from the first
 * to the last document that has it; the keys go to the groupers, which use temporary files.
 * Memory: owned handle struct, which also owns the hosts' names. */
#ifndef TWX_JUDGE_DOC_TABLE_H
#define TWX_JUDGE_DOC_TABLE_H

#include "base/map64.h"
#include "base/vec.h"
#include "judge/facts.h"
#include "judge/relations.h"

enum { TWX_NO_DOCUMENT = UINT32_MAX }; /* marks the absence of a document */

/* A document as it is added. */
typedef struct twx_doc_entry {
    int64_t doc;
    twx_facts facts;  /* host: copied */
    uint64_t version; /* in its title (sign/name_words.h); 0: none, or not needed */
    uint16_t member;  /* number of its store among those of the run */
} twx_doc_entry;

/* What all documents have. */
typedef struct twx_doc_row {
    int64_t doc;
    uint64_t url_key;
    uint32_t host; /* index into hosts */
    uint32_t url_length;
    uint16_t bits;   /* twx_fact_bit, below TWX_DOC_FORM; above it the form of the URL */
    uint16_t member; /* number of its store among those of the run */
    int32_t status;
} twx_doc_row;

enum { TWX_DOC_FORM = 14 }; /* the two highest bits of twx_doc_row.bits */
_Static_assert(TWX_FACT_VIEW < 1 << TWX_DOC_FORM, "twx_doc_row.bits has 14 bits for facts");
/* 0: no better form of the document's own URL takes part; otherwise which form it has, the best
 * first (judge/forms.h). */
static inline unsigned twx_doc_form(const twx_doc_row *row) {
    return row->bits >> TWX_DOC_FORM;
}

static inline void twx_doc_set_form(twx_doc_row *row, unsigned form) {
    row->bits = (uint16_t)((row->bits & ((1u << TWX_DOC_FORM) - 1)) | form << TWX_DOC_FORM);
}

/* Values that many stores do not have; 0: none. */
typedef enum twx_doc_column {
    TWX_DOC_LINK,
    TWX_DOC_HREFLANG,
    TWX_DOC_LAYOUT,
    TWX_DOC_FETCHED_AT,
    TWX_DOC_SCORE,
    TWX_DOC_VERSION,
    TWX_DOC_DOMAIN, /* exclusive or with the key of the host's domain */
    TWX_DOC_COLUMNS
} twx_doc_column;

typedef struct twx_host {
    char *name;
    size_t name_length;
    uint64_t domain_key; /* of its first document */
    uint8_t origin;      /* of its domain: texts that no other domain has (judge/origin.h) */
    uint8_t section;     /* of twx_doc_table.sections; 0: none */
    bool bare; /* more documents of the site are without www. than with it (judge/forms.h) */
} twx_host;

typedef struct twx_doc_table {
    TWX_VEC(twx_doc_row) at;
    TWX_VEC(uint64_t) column[TWX_DOC_COLUMNS]; /* 0 beyond the end */
    TWX_VEC(twx_host) hosts;
    const char *sections; /* the text of the setting `hosts`; NULL: none. Borrowed */
    twx_map64 host_index; /* hash of the name -> index */
    /* What users have pinned (judge/pins.h), by index; NULL: nothing. */
    /* 1 + the index of the document's URL among the pinned ones; 0: not pinned */
    uint32_t *pinned;
    uint32_t *preferred; /* 1 + the index of the first `prefer` line it matches; 0: none */
} twx_doc_table;

void twx_doc_table_init(twx_doc_table *p);
void twx_doc_table_done(twx_doc_table *p);
/* Adds the next document in order of id. */
TWX_CHECK twx_rc twx_doc_table_add(twx_ctx *cx, twx_doc_table *p, const twx_doc_entry *entry);
/* Sets a value of document i. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_doc_table_set(twx_ctx *cx, twx_doc_table *p, twx_doc_column column, size_t i,
                                   uint64_t value);
static inline uint64_t twx_doc_value(const twx_doc_table *p, twx_doc_column column, size_t i) {
    return i < p->column[column].n ? p->column[column].at[i] : 0;
}
/* The key of the registrable domain. */
static inline uint64_t twx_doc_domain(const twx_doc_table *p, size_t i) {
    return p->hosts.at[p->at.at[i].host].domain_key ^ twx_doc_value(p, TWX_DOC_DOMAIN, i);
}
/* The key of the host for scopes: a hash of its name. */
uint64_t twx_host_key(const twx_facts *facts);
/* The key of the document in a scope; 0 for the whole store. */
uint64_t twx_scope_key(const twx_facts *facts, twx_relation_scope scope);

#endif
