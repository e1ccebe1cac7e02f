-- A schema as many stores have it. A release of SQLite that refuses it when schemas are not trusted would call those stores malformed.
CREATE TABLE page (id INTEGER PRIMARY KEY, meta TEXT CHECK (json_valid(meta)));
