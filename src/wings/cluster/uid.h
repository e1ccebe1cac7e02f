/* cluster/uid.h: a document of the cluster: its store and its number there. */
#ifndef TWX_CLUSTER_UID_H
#define TWX_CLUSTER_UID_H

#include <stdint.h>

/* As bytes: 2 of the shard, 8 of doc with its highest bit inverted, big endian. */
enum { TWX_UID_BYTES = 10 };
typedef struct twx_uid {
    uint32_t shard;
    int64_t doc;
} twx_uid;
void twx_uid_write(twx_uid uid, unsigned char ret_bytes[TWX_UID_BYTES]);
/* bytes: TWX_UID_BYTES of them */
twx_uid twx_uid_read(const char *bytes);

#endif
