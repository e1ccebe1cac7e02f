/* store/prepared.h: twindex_prepared: the result of a cluster that the generation which is not
 * published holds. It stays valid after the process that wrote it has ended, until a run claims the
 * right to write (store/generations.h); then the token of twindex_state is another one. */
#ifndef TWX_STORE_PREPARED_H
#define TWX_STORE_PREPARED_H

#include "base/arena.h"
#include "base/hash64.h"
#include "store/generations.h"

enum { TWX_DIGEST_TEXT_BYTES = 33 }; /* with the NUL */

typedef struct twx_prepared {
    twx_claim claim; /* token, base and run */
    int64_t judgement;
    uint32_t shard;
    uint64_t documents;
    char digest[TWX_DIGEST_TEXT_BYTES];
    const char *summary;
} twx_prepared;

/* 32 hexadecimal digits, as 'twindex digest' prints them. */
void twx_digest_text(const twx_hash128 *digest, char ret_text[TWX_DIGEST_TEXT_BYTES]);
/* false: the text is no digest. */
bool twx_digest_read(twx_slice text, twx_hash128 *ret_digest);

/* Records what the claim has written as complete, ends the row of the run in the ledger as
 * 'prepared'. One transaction. Errors TWX_E_SUPERSEDED */
TWX_CHECK twx_rc twx_prepared_keep(twx_generations *g, twx_db *db, const twx_prepared *prepared,
                                   int64_t ended_at);
/* The row, if it is valid; its summary is copied into the arena. TWX_DONE: there is none. Errors
 * TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_prepared_read(twx_generations *g, twx_db *db, twx_arena *a,
                                   twx_prepared *ret_prepared);

#endif
