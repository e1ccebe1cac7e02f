-- A new text index was made by these terms. in: ?1 fingerprint
INSERT INTO twindex_text_state(id, fingerprint) VALUES (1, ?1)
