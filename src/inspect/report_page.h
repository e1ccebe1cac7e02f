/* inspect/report_page.h: the report as one HTML page: the figures of store_report.h, and what a
 * reader looks at to judge them: groups with their members, mirrors, suspects, changes.
 * [R1] The page requests nothing: styles, script and plots are in it, and its
 * Content-Security-Policy allows only these, by their hashes.
 * [R2] Lists are cut off at the limits below, and the page says so.
 * Memory: embedded struct; twx_report_page_init(), _done(). Bytes are in the arena. */
#ifndef TWX_INSPECT_REPORT_PAGE_H
#define TWX_INSPECT_REPORT_PAGE_H

#include "inspect/comparison.h"
#include "inspect/diff.h"
#include "inspect/find_mirrors.h"
#include "inspect/store_report.h"

enum {
    TWX_PAGE_HOSTS = 1000,
    TWX_PAGE_GROUPS = 20,
    TWX_PAGE_MEMBERS = 10,
    TWX_PAGE_PASSAGES = 12,
    TWX_PAGE_SUSPECTS = 20,
    TWX_PAGE_TITLES_LEAST = 3, /* documents with one title */
    TWX_PAGE_CHANGES = 25,
    TWX_PAGE_RUNS = 60,
    TWX_PAGE_MATRIX = 24, /* rows and columns */
    TWX_PAGE_MIRRORS = 300
};

typedef struct twx_page_document {
    twx_slice id, url, title; /* id: as an SQL literal */
    twx_slice store;          /* among several; absent: there is no other */
    bool unreadable;          /* it is gone, or its row is too long; url: a note that says so */
} twx_page_document;

/* value: a number of documents, or a percentage; n: how many have it. */
typedef struct twx_page_count {
    int64_t value, n;
} twx_page_count;
typedef TWX_VEC(twx_page_count) twx_page_counts;

typedef enum twx_page_texts {
    TWX_TEXTS_EQUAL, /* of all members */
    TWX_TEXTS_COMPARED,
    TWX_TEXTS_TOO_LONG,
    TWX_TEXTS_UNREADABLE /* of a member */
} twx_page_texts;

typedef struct twx_page_group {
    int64_t documents;
    TWX_VEC(twx_page_document) members; /* the first is the representative */
    twx_page_texts texts;
    size_t other;       /* the member whose text is compared with the representative's */
    int32_t similarity; /* millionths; -1: not measured */
    size_t differences; /* of which the first are listed */
    bool coarse;
    twx_compared_passages passages;
} twx_page_group;

/* Documents of one text at many paths, or shown documents of one title. */
typedef struct twx_page_suspect {
    uint64_t documents, paths, hosts;
    bool says_so; /* its title or text begins like an error page */
    twx_page_document examples[2];
    size_t examples_n;
    twx_slice excerpt; /* of the text */
} twx_page_suspect;
typedef TWX_VEC(twx_page_suspect) twx_page_suspects;

typedef struct twx_report_page {
    twx_arena arena;
    int64_t made_at; /* seconds since 1970 */
    twx_store_report figures;
    uint64_t clusters; /* of the verdict: documents that represent others */
    twx_page_counts sizes, similarities;
    TWX_VEC(twx_page_group) groups; /* the largest */
    twx_mirror_list mirrors;
    twx_page_suspects same_text, same_title;
    uint64_t same_text_n; /* of which the largest are listed */
    twx_result_diff diff;
    bool has_diff;        /* an earlier complete result exists */
    twx_slice rules;      /* what was learned of parameters, as a file for url.rules */
    const char *no_rules; /* why there are none; NULL: there are */
    /* the statements of the figures, with comments */
    const char *sizes_sql, *similarities_sql, *groups_sql, *titles_sql, *totals_sql;
} twx_report_page;

void twx_report_page_init(twx_report_page *p);
void twx_report_page_done(twx_report_page *p);
TWX_CHECK twx_rc twx_report_page_write(const twx_out *out, const twx_report_page *p);

#endif
