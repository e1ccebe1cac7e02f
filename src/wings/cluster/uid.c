#include "cluster/uid.h"

#include "base/hash64.h"

void twx_uid_write(twx_uid uid, unsigned char ret_bytes[TWX_UID_BYTES]) {
    ret_bytes[0] = (unsigned char)(uid.shard >> 8);
    ret_bytes[1] = (unsigned char)uid.shard;
    twx_store_be64(ret_bytes + 2, (uint64_t)uid.doc ^ UINT64_C(1) << 63);
}

twx_uid twx_uid_read(const char *bytes) {
    return (twx_uid){(uint32_t)(unsigned char)bytes[0] << 8 | (unsigned char)bytes[1],
                     (int64_t)(twx_load_be64(bytes + 2) ^ UINT64_C(1) << 63)};
}
