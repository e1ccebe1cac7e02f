/* group/band_search.h: finds the texts whose sketches are equal in a band (bands.h), without
 * sorting the bands.
 *
 * The bands of one number are put into a table one text after the other; a text whose band is there
 * already joins the run of the first text that has it. So a band costs a few nanoseconds a text,
 * and only shared bands take memory. Each thread takes the next band number.
 * [R1] The result depends on neither the number of threads nor the memory.
 * [R2] Runs come in order of the band's number, then of their first member; members ascend. Of runs
 * with the same members only the first comes: near-duplicates share most of their bands.
 * Memory: everything in twx_band_search is borrowed for the call. */
#ifndef TWX_GROUP_BAND_SEARCH_H
#define TWX_GROUP_BAND_SEARCH_H

#include "group/runs.h"
#include "group/sketches.h"

typedef struct twx_band_search {
    const twx_band_plan *plan;
    const twx_sketches *sketches;
    const uint64_t *scope;  /* by text: only texts of one scope share a band; NULL: all do */
    const uint32_t *rank;   /* by text: TWX_BAND_SEARCH_OUT: it does not take part */
    const twx_sieve *sieve; /* NULL: none */
    size_t threads;
    /* Bytes for the tables of all threads together, at least 64 KiB for each. A search aims at it;
     * a band that very many texts share takes more. */
    size_t memory;
} twx_band_search;

#define TWX_BAND_SEARCH_OUT UINT32_MAX

/* ret_runs: empty; gets the runs of two members or more that the sieve leaves, and owns them; after
 * an error the caller releases what is in it.
 * Errors TWX_E_NOMEM, TWX_E_LIMIT (a band that half a billion texts share), an interrupt */
TWX_CHECK twx_rc twx_band_search_runs(twx_ctx *cx, const twx_band_search *search,
                                      twx_runs *ret_runs);

#endif
