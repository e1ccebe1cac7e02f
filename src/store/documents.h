/* store/documents.h: writes captures into our own `documents` table, for ingest/.
 * [R1] One row per URL as captured, not normalized. A capture replaces the row unless it is known
 * to be older. Only two dates with a time, neither of them in the future, say so: a date that is
 * missing, equal, a day without a time or in the future decides nothing, and the later capture
 * replaces the earlier one. The capture that is stored changes nothing, except that a document
 * without headings or names gets those of the same capture, and one without links its links, which
 * are not part of the digest.
 * [R2] Each change is queued in twindex_change in the same transaction, whether triggers run (db.h)
 * or not. A row that a trigger of the owner refuses is left out.
 * Memory: owned handle; slices are borrowed for the call. */
#ifndef TWX_STORE_DOCUMENTS_H
#define TWX_STORE_DOCUMENTS_H

#include "store/db.h"

typedef struct twx_capture {
    twx_slice url; /* required; the rest may be absent */
    twx_slice title, headings, names, description, text;
    twx_slice main_parts; /* page/text_parts.h; absent: the content area is all of the text */
    twx_slice failure, robots, canonical_url, redirect_url, hreflang_group, language, content_type;
    twx_slice layout_digest, payload_digest, crawl_id;
    int64_t http_status; /* -1: absent */
    int64_t fetched_at;  /* seconds since 1970; INT64_MIN: absent */
    bool fetched_day;    /* fetched_at is a day without a time */
    double score;        /* NaN: absent */
    twx_slice links;     /* store/links.h: targets of the page's links; absent: not known */
    int64_t repeats;     /* the document that this capture repeats, links included; 0: none */
} twx_capture;

twx_capture twx_capture_none(void); /* all absent */

typedef enum twx_put {
    TWX_PUT_NEW,
    TWX_PUT_REPLACED,
    TWX_PUT_SAME,
    TWX_PUT_OLDER,
    TWX_PUT_REFUSED, /* by a trigger of the owner */
    TWX_PUT_COUNT
} twx_put;

typedef struct twx_documents twx_documents;

/* db: an owner connection, borrowed. Errors TWX_E_DATA if the store has no `documents` table
 * created by twindex init. */
TWX_CHECK twx_rc twx_documents_open(twx_ctx *cx, twx_db *db, twx_documents **ret_documents);
/* The names of the owner's own triggers on documents; nothing if there are none. */
TWX_CHECK twx_rc twx_documents_triggers(twx_db *db, twx_buf *ret_names);
/* Why the last put was refused; borrowed until the next one. */
const char *twx_documents_refusal(const twx_documents *d);
/* Stores links from now on, in a table that is created if it does not exist. Without this call, a
 * document that is replaced loses its links. */
TWX_CHECK twx_rc twx_documents_keep_links(twx_documents *d);
bool twx_documents_keeps_links(const twx_documents *d);
uint64_t twx_documents_links(const twx_documents *d); /* written so far */
/* Later dates are in the future; without this call none is. */
void twx_documents_set_latest(twx_documents *d, int64_t latest);
bool twx_documents_is_future(const twx_documents *d, const twx_capture *capture);
/* Writes one capture. A turn (store/turn.h) is open from the first write until it is over or the
 * caller commits. */
TWX_CHECK twx_rc twx_documents_put(twx_documents *d, const twx_capture *capture, twx_put *ret_put);
/* The capture (text, title, description, layout digest, ... ) of the document with this payload
 * digest, for WARC revisit records. TWX_DONE: none. Slices valid until the next call on d. */
TWX_CHECK twx_rc twx_documents_find_payload(twx_documents *d, twx_slice payload_digest,
                                            twx_capture *ret_capture);
TWX_CHECK twx_rc twx_documents_commit(twx_documents *d);
/* Uncommitted puts are rolled back. */
void twx_documents_close(twx_documents *d);

#endif
