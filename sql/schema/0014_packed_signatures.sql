-- What signatures were made with, numbered: a row of twindex_signature that is packed has the number. A number never gets another fingerprint.
CREATE TABLE twindex_fingerprint(
    number      INTEGER PRIMARY KEY, -- 0 and 1, the first ones, take no bytes in a row
    fingerprint INTEGER NOT NULL UNIQUE -- algorithms, versions and parameters
);

-- From this version on, signatures are packed: keys is 0, and facts has both (docs/signatures.md). Rows in which keys are bytes are older; they stay
-- until they are signed again. An older twindex cannot read packed rows, and does not try: it refuses this version.
-- copy_sig of twindex_flag is 0 where it is near_sig, which takes no bytes; in older rows it is the number itself.
UPDATE twindex_state SET schema_version = 6;
