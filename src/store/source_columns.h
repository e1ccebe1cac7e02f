/* store/source_columns.h: the single list of the columns of a source document. It defines the enum,
 * the view source_document, the columns that each kind of read fetches, and the settings store.*;
 * store/mapping.c lists common names of these columns in other stores. */
#ifndef TWX_STORE_SOURCE_COLUMNS_H
#define TWX_STORE_SOURCE_COLUMNS_H

/* clang-format off */

/* TWX_COL_*, name, the smallest TWX_WANT_* that includes it (store/source.h), help of its
 * setting */
#define TWX_SOURCE_COLUMNS(X)                                                                     \
    X(ID, id, IDENTITY, "The key of a document.")                                                 \
    X(URL, url, OUTSIDE, "Its absolute URL.")                                                     \
    X(TEXT, text, WHOLE, "Its visible text, UTF-8.")                                              \
    X(MAIN, main, WHOLE, "The part of its text that is its content area, for near.text = main.")  \
    X(TITLE, title, WHOLE, "Its title.")                                                          \
    X(HEADINGS, headings, WHOLE, "Its main headings (h1), one a line.")                           \
    X(NAMES, names, WHOLE, "Alt texts of its images and names in structured data, one a line.")   \
    X(DESCRIPTION, description, WHOLE, "Its description.")                                        \
    X(HTTP_STATUS, http_status, OUTSIDE, "The status it was loaded with; NULL counts as 200.")    \
    X(FAILURE, failure, OUTSIDE, "Why loading it failed; empty or NULL if it did not.")           \
    X(ROBOTS, robots, OUTSIDE,                                                                    \
      "Its robots directives: text, or YaCy's bit field as an integer.")                          \
    X(CANONICAL_URL, canonical_url, OUTSIDE, "The target of its canonical link.")                 \
    X(REDIRECT_URL, redirect_url, OUTSIDE, "Where it redirects to.")                              \
    X(HREFLANG_GROUP, hreflang_group, OUTSIDE,                                                    \
      "A value that a page and its translations share.")                                          \
    X(FETCHED_AT, fetched_at, OUTSIDE, "When it was loaded: seconds since 1970 or ISO 8601.")     \
    X(SCORE, score, OUTSIDE, "Its rank or number of inlinks; larger is better.")                  \
    X(LAYOUT_DIGEST, layout_digest, OUTSIDE, "A digest of its markup without the text.")          \
    X(CONTENT_TYPE, content_type, OUTSIDE, "Its content type.")                                   \
    X(LANGUAGE, language, OUTSIDE, "Its language.")                                               \
    X(CRAWL_ID, crawl_id, OUTSIDE, "The crawl it comes from.")                                    \
    X(CHANGED, changed, IDENTITY, "A value that changes whenever the document does.")

/* clang-format on */

typedef enum twx_column {
#define TWX_COLUMN_ENUM(NAME, name, want, help) TWX_COL_##NAME,
    TWX_SOURCE_COLUMNS(TWX_COLUMN_ENUM)
#undef TWX_COLUMN_ENUM
        TWX_COLUMNS
} twx_column;

#endif
