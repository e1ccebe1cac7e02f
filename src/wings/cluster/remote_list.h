/* cluster/remote_list.h: the documents of other shards that a shard's flags refer to, as the
 * servers send them: a uid (shard and doc), the place in the order, which has the id, and the form
 * of the URL. They get
 * the numbers that store/remotes.h describes; the name of a shard is its number in decimal.
 * [R1] Which number a document gets depends on the list alone.
 * [R2] Bytes may come from anywhere: anything but whole rows is TWX_E_DATA.
 * Memory: embedded struct; twx_remote_list_done(). */
#ifndef TWX_CLUSTER_REMOTE_LIST_H
#define TWX_CLUSTER_REMOTE_LIST_H

#include "cluster/uid.h"
#include "judge/order_key.h"
#include "run/remote_changes.h"

typedef struct twx_remote_entry {
    twx_uid uid;
    twx_remote remote; /* its number, shard and id; bytes in the list's arena */
    uint8_t form;      /* judge/forms.h */
} twx_remote_entry;

typedef struct twx_remote_list {
    TWX_VEC(twx_remote_entry) at; /* ascending by uid */
    TWX_VEC(uint32_t) by_number;  /* indexes, ascending by number */
    twx_arena bytes;
    size_t next; /* of the rows */
} twx_remote_list;

void twx_remote_list_init(twx_remote_list *list);
void twx_remote_list_done(twx_remote_list *list);
/* rows: the answers to remotes in sql/cluster/pull.sql, for `shard`. preference: of the settings
 * that the stores were pushed with. */
TWX_CHECK twx_rc twx_remote_list_read(twx_ctx *cx, twx_slice rows, uint32_t shard,
                                      const twx_preference *preference, twx_remote_list *list);
/* NULL: it is not in the list. */
const twx_remote_entry *twx_remote_list_of_uid(const twx_remote_list *list, twx_uid uid);
const twx_remote_entry *twx_remote_list_of_number(const twx_remote_list *list, int64_t number);
/* For the publisher (run/publish.h). list is borrowed; one reader at a time. */
twx_remote_rows twx_remote_list_rows(twx_remote_list *list);

#endif
