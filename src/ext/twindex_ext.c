/* The SQLite loadable extension twindex.so: the pure steps of a run as SQL functions
 * (docs/extension.md).
 *
 * The functions are rows of one table. All are direct-only: the schema of a store, which strangers
 * may have written, cannot call them unless the connection allows it by twindex_config('indirect',
 * 1). The library exports only sqlite3_twindex_init, a name that SQLite derives from the file
 * name. */
#include "ext/ext.h"

enum { OLDEST_SQLITE = 3040000 };

/* clang-format off */
#define WINGS_FUNCTIONS(name) extern const twx_ext_functions TWX_FUNCTIONS_##name;
TWX_FUNCTIONS_ROWS(WINGS_FUNCTIONS)

static const twx_ext_function FUNCTIONS[] = {
    {"exact_signature", "text", 1, 1, TWX_EXT_PURE, twx_ext_key, &TWX_DETECTOR_EXACT,
     "digest of the text's bytes, as exact_signature_l of the flags; NULL of an empty text"},
    {"fuzzy_signature", "text[, min_token_len[, quant_rate]]", 1, 3, TWX_EXT_PURE, twx_ext_fuzzy,
     &TWX_DETECTOR_PROFILE,
     "digest of the text profile, as fuzzy_signature_l of the flags; NULL of an empty text"},
    {"fuzzy_profile", "text[, min_token_len[, quant_rate]]", 1, 3, TWX_EXT_PURE,
     twx_ext_fuzzy_profile, NULL,
     "the text profile: frequent words with their rounded counts, a line each"},
    {"simhash", "text", 1, 1, TWX_EXT_PURE, twx_ext_key, &TWX_DETECTOR_SIMHASH,
     "64-bit simhash of the words; NULL of a text without words"},
    {"hamming", "a, b", 2, 2, TWX_EXT_PURE, twx_ext_hamming, NULL,
     "number of bits in which two integers differ, 0 to 64"},
    {"shingle_resemblance", "a, b", 2, 2, TWX_EXT_PURE, twx_ext_shingle_resemblance, NULL,
     "share of 5-word shingles that are in both texts, of those in either, 0 to 1"},
    {"shingle_containment", "a, b", 2, 2, TWX_EXT_PURE, twx_ext_shingle_containment, NULL,
     "share of the 5-word shingles of text a that are in text b, 0 to 1"},
    {"text_similarity", "a, b", 2, 2, TWX_EXT_PURE, twx_ext_text_similarity, NULL,
     "twice the longest common subsequence of two texts, by both lengths, 0 to 1"},
    {"alignment_similarity", "a, b", 2, 2, TWX_EXT_PURE, twx_ext_alignment_similarity,
     &TWX_DETECTOR_ALIGNMENT,
     "fast estimate of text_similarity(), that of the detector alignment, 0 to 1"},
    {"url_normalize", "url", 1, 1, TWX_EXT_PURE, twx_ext_url_normalize, NULL,
     "the URL in normal form; NULL if it is not an absolute URL"},
    {"url_twin_key", "url", 1, 1, TWX_EXT_PURE, twx_ext_url_twin_key, NULL,
     "the same for all URLs that differ in http and https, or in a leading www., alone"},
    {"url_host", "url", 1, 1, TWX_EXT_PURE, twx_ext_url_host, NULL,
     "the host of the URL's normal form"},
    {"url_domain", "url", 1, 1, TWX_EXT_PURE, twx_ext_url_domain, NULL,
     "the registrable domain of the URL's host"},
    {"url_resolve", "base, url", 2, 2, TWX_EXT_PURE, twx_ext_page, NULL,
     "the absolute URL, in normal form, that a link on the page base leads to; NULL if to none"},
    {"html_text", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "what a reader sees of a page; the encoding of a blob is found as a browser does"},
    {"html_main", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "the text of a page's content area: without navigation, header, footer and asides"},
    {"text_parts", "text, parts", 2, 2, TWX_EXT_PURE, twx_ext_page, NULL,
     "the parts of a text at the places of a list such as documents.main_parts, one a line"},
    {"html_title", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "the title of a page; NULL without one"},
    {"html_headings", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "the shown text of the page's h1 elements, one a line; NULL without one"},
    {"html_names", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "alt texts of the page's images and names in its structured data, one a line; "
     "NULL without one"},
    {"html_description", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "the description in the head of a page; NULL without one"},
    {"html_robots", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "the robots directives of a page's meta elements, joined by commas; NULL without one"},
    {"html_canonical", "html[, url]", 1, 2, TWX_EXT_PURE, twx_ext_page, NULL,
     "the target of the canonical link of the page at the URL; without it, of an absolute one"},
    {"html_refresh", "html[, url]", 1, 2, TWX_EXT_PURE, twx_ext_page, NULL,
     "where a meta refresh of at most 5 seconds leads to, as html_canonical()"},
    {"html_hreflang", "html[, url]", 1, 2, TWX_EXT_PURE, twx_ext_page, NULL,
     "the smallest of the URLs of a page and its translations; NULL without translations"},
    {"html_language", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "the lang attribute of a page; NULL without one"},
    {"html_layout", "html", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "a digest of the elements of a page's body, without text; NULL without a body"},
    {"inflate", "bytes", 1, 1, TWX_EXT_PURE, twx_ext_page, NULL,
     "gzip, zlib, zstd or brotli unpacked, found by content; other bytes as they are; NULL when "
     "damaged"},
    {"search_terms", "text[, language]", 1, 2, TWX_EXT_PURE, twx_ext_search_terms, NULL,
     "the terms under which a text index has the text, those of a word in one line"},
    {"search_expression", "query", 1, 1, TWX_EXT_PURE, twx_ext_search_expression, NULL,
     "what 'twindex search' asks FTS5 for a query, to be used with MATCH"},
};

static const twx_ext_function ABOUT[] = {
    {"twindex_config", "'indirect'[, 1]", 1, 2, TWX_EXT_DIRECT_ONLY, twx_ext_config, NULL,
     "lets views, triggers, indexes and generated columns call the functions; returns whether they "
     "may"},
    {"twindex_help", "[function]", 0, 1, TWX_EXT_DIRECT_ONLY, twx_ext_help, NULL,
     "what the functions do, a line each"},
    {"twindex_version", "", 0, 0, TWX_EXT_DIRECT_ONLY, twx_ext_version, NULL,
     "the version of twindex"},
};
/* clang-format on */

static const twx_ext_functions FIRST = {FUNCTIONS, TWX_COUNTOF(FUNCTIONS)},
                               LAST = {ABOUT, TWX_COUNTOF(ABOUT)};

#define ADDRESS(name) &TWX_FUNCTIONS_##name,
static const twx_ext_functions *const LISTS[] = {&FIRST, TWX_FUNCTIONS_ROWS(ADDRESS) & LAST};

const twx_ext_function *twx_ext_function_at(size_t i) {
    for (size_t list = 0; list < TWX_COUNTOF(LISTS); i -= LISTS[list++]->n)
        if (i < LISTS[list]->n) return &LISTS[list]->at[i];
    return NULL;
}

int twx_ext_register(sqlite3 *db, twx_faults *faults) {
    const int code = twx_ext_bind_all(db, twx_ext_function_at, faults);
    return code == SQLITE_OK ? twx_ext_register_terms(db, faults) : code;
}

__attribute__((visibility("default"))) int sqlite3_twindex_init(sqlite3 *db, char **error,
                                                                const sqlite3_api_routines *api);

int sqlite3_twindex_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
#ifndef SQLITE_CORE
    sqlite3_api = api;
#else
    (void)api;
#endif
    if (sqlite3_libversion_number() < OLDEST_SQLITE) {
        *error = sqlite3_mprintf("twindex needs SQLite 3.40 or newer, this is %s",
                                 sqlite3_libversion());
        return SQLITE_ERROR;
    }
    const int code = twx_ext_register(db, NULL);
    if (code != SQLITE_OK)
        *error = sqlite3_mprintf("twindex cannot register its functions: %s", sqlite3_errmsg(db));
    return code;
}
