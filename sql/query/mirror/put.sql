-- One host that mirrors another. in: ?1 host, ?2 mirror_of, ?3 level, ?4 shared, ?5 documents, ?6 ratio.
INSERT INTO twindex_host_mirror(host, mirror_of, level, shared, documents, ratio) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
