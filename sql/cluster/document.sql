-- The documents of all nodes.
CREATE TABLE IF NOT EXISTS {db}.document AS {db}.document_local
ENGINE = Distributed({cluster}, {db}, document_local, cityHash64(uid))
