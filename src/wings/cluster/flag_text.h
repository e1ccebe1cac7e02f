/* cluster/flag_text.h: the judged flags of a document as a text, in which the servers keep them
 * (column `flags` of result in sql/cluster/work.sql) and a store compares its own with theirs: the
 * doc and then the columns that flag_text.c lists, separated by commas. Signatures and the form of
 * URLs are not in it: the store has them.
 * [R1] Equal flags have equal texts, so equal hashes of texts say that flags are equal.
 * [R2] Bytes may come from anywhere: anything but such a text is TWX_E_DATA. */
#ifndef TWX_CLUSTER_FLAG_TEXT_H
#define TWX_CLUSTER_FLAG_TEXT_H

#include "base/flag_row.h"
#include "cluster/remote_list.h"

/* Whose flags they are. Memory: remotes borrowed. */
typedef struct twx_flag_home {
    uint32_t shard;
    const twx_remote_list *remotes; /* documents of other shards that the flags refer to */
} twx_flag_home;

/* Errors TWX_E_DATA, also for a document of another shard that is not among `remotes` */
TWX_CHECK twx_rc twx_flag_text_read(twx_ctx *cx, const twx_flag_home *home, twx_slice text,
                                    twx_flag_row *ret_row);
/* Appends the text of a stored row. A document of another shard that is not among `remotes` is
 * written as '?', so that the text differs from any of the servers. */
TWX_CHECK twx_rc twx_flag_text_write(twx_ctx *cx, const twx_flag_home *home,
                                     const twx_flag_row *row, twx_buf *out);
/* As sipHash64() of the servers. */
uint64_t twx_flag_text_hash(twx_slice text);
/* Copies the columns of the text from one row to another one; the others stay. */
void twx_flag_text_copy(const twx_flag_row *from, twx_flag_row *to);

#endif
