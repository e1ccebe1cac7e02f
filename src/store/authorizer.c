/* What a connection may do, by its mode (store/db.h). */
#include <string.h>

#include "store/stmt.h"

/* Twindex's views: the only ones a writer may create or drop. */
static const char *const VIEWS[] = {"document_flags", "flagged_documents", "duplicate_groups",
                                    "document_alternates", "twindex_group_member"};

static bool ours(const char *table) {
    return strncmp(table, "twindex_", 8) == 0 || strcmp(table, "sqlite_sequence") == 0;
}

/* The text index and the shadow tables of FTS5. */
static bool text_index(const char *table) {
    return strncmp(table, "twindex_text", 12) == 0;
}

static bool our_view(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(VIEWS); i++)
        if (strcmp(name, VIEWS[i]) == 0) return true;
    return false;
}

/* The TEMP tables to which a reader copies rows and their ids (store/source.c). */
static bool source_rows(const char *table) {
    return strcmp(table, "twindex_source_rows") == 0 || strcmp(table, "twindex_source_ids") == 0;
}

static bool schema_table(const char *name) {
    return strcmp(name, "sqlite_master") == 0 || strcmp(name, "sqlite_temp_master") == 0;
}

/* DROP TABLE deletes the rows of ANALYZE about the table. */
static bool statistics(const char *table) {
    return strncmp(table, "sqlite_stat", 11) == 0;
}

/* Whether a statement of the owner's triggers, or of a virtual table to which they write, may write
 * to this table. inside: the trigger; empty: none, as for the statements of virtual tables. */
static bool trigger_may_write(const char *table, const char *inside) {
    return !inside[0] || ours(inside) || !ours(table);
}

/* Whether this connection may do `action` on `name` (table: of a trigger). Reading is always
 * allowed: source_check.c checks what a mapping may read. */
static bool allowed(const twx_db *db, int action, const char *name, const char *table) {
    bool writes = db->mode != TWX_DB_READER, owner = db->mode == TWX_DB_OWNER;
    const bool removes = db->mode == TWX_DB_REMOVER;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION:
    case SQLITE_PRAGMA: return true;
    case SQLITE_FUNCTION: return true;
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_DROP_TEMP_VIEW: return !writes;
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_DROP_TEMP_TABLE: return !writes && source_rows(name);
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_DROP_TEMP_INDEX: return !writes && source_rows(table);
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        return schema_table(name) || (writes && (ours(name) || our_view(name))) ||
               (!writes && strcmp(name, "source_document") == 0) || /* part of DROP VIEW */
               (!writes && source_rows(name)) || (owner && strcmp(name, "documents") == 0) ||
               (writes && action == SQLITE_DELETE && statistics(name));
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_INDEX:
        return (writes && (ours(name) || strncmp(name, "sqlite_autoindex_", 17) == 0)) || owner;
    case SQLITE_CREATE_TRIGGER: return ours(name) && (owner || (writes && ours(table)));
    case SQLITE_REINDEX: /* part of CREATE INDEX */
        return owner || (!writes && (strcmp(name, "twindex_source_rows_key") == 0 ||
                                     strcmp(name, "twindex_source_ids_key") == 0));
    /* a schema step adds columns; name is the database's */
    case SQLITE_ALTER_TABLE:
        return (writes && ours(table)) || (owner && strcmp(table, "documents") == 0);
    case SQLITE_CREATE_VIEW:
    case SQLITE_DROP_VIEW: return writes && our_view(name);
    case SQLITE_CREATE_VTABLE: /* the user's own virtual tables are never changed */
    case SQLITE_DROP_VTABLE:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_INDEX: return (writes && text_index(name)) || (removes && ours(name));
    /* also one of the user's on a table or view of ours, with which it goes */
    case SQLITE_DROP_TRIGGER: return removes && (ours(name) || ours(table) || our_view(table));
    default: return false; /* ATTACH, DROP TABLE, virtual tables, ... */
    }
}

static int authorize(void *arg, int action, const char *name, const char *more, const char *schema,
                     const char *inside) {
    const twx_db *db = arg;
    (void)schema;
    const char *subject = action == SQLITE_FUNCTION ? more : name;
    const bool writes = action == SQLITE_INSERT || action == SQLITE_UPDATE ||
                        action == SQLITE_DELETE;
    if (db->triggers && writes && !schema_table(name))
        return trigger_may_write(name, inside ? inside : "") ? SQLITE_OK : SQLITE_DENY;
    return allowed(db, action, subject ? subject : "", more ? more : "") ? SQLITE_OK : SQLITE_DENY;
}

void twx_db_authorize(twx_db *db) {
    sqlite3_set_authorizer(db->handle, authorize, db);
}
