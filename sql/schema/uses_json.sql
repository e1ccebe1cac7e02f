-- A schema like that of many stores. A release of SQLite that refuses it as untrusted would report those stores as malformed.
CREATE TABLE page (id INTEGER PRIMARY KEY, meta TEXT CHECK (json_valid(meta)));
