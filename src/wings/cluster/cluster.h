/* cluster/cluster.h: stores on several machines, judged in ClickHouse. */
#ifndef TWX_CLUSTER_CLUSTER_H
#define TWX_CLUSTER_CLUSTER_H

#include "inspect/inspect.h"
#include "work_tables.h"

/* cluster_steps.c: the steps of 'twindex cluster', each with the servers of the settings or with
 * the ledger.
 * job->store: of TWINDEX_CLUSTER_PUSH and _PULL; TWINDEX_CLUSTER_PUBLISH takes any number of
 * stores, also none; other steps use none. */
TWX_CHECK twx_rc twx_cluster_step(const twx_job *job, twindex_cluster_action action,
                                  const twindex_cluster_options *options, const twx_out *out);

/* cluster_summary (cluster_steps.c): what the steps of 'twindex cluster' have done and found. */

typedef struct twx_push_summary {
    const char *store;
    uint32_t shard;
    uint64_t version, documents, sent, gone, bytes;
    uint64_t texts, text_bytes; /* that the last run has asked for */
    double seconds;
} twx_push_summary;

typedef struct twx_judge_summary {
    uint64_t run, documents, indexable, hidden, linked;
    size_t shards;
    uint64_t link_rounds, group_rounds, statements;
    uint64_t near_rounds, copy_rounds, compared; /* compared: pairs of texts */
    uint64_t read;                               /* pairs whose texts were read to prove copies */
    double seconds;
} twx_judge_summary;

typedef struct twx_pull_summary {
    const char *store;
    uint32_t shard;
    const char *outcome; /* "prepared" */
    uint64_t run;
    uint64_t documents; /* that have flags */
    uint64_t pulled;    /* rows that the servers sent */
    uint64_t changed;   /* documents without flags, because they have changed */
    uint64_t elsewhere; /* documents of other stores that the flags refer to */
    double seconds;
} twx_pull_summary;

/* nodes.c: the ClickHouse servers of a cluster, spoken to over HTTP (section [cluster] of
 * the settings).
 * [R1] A statement that the server refused, or whose answer ended early, is an error, also if the
 * status of the answer was 200: the server sends a status only when the statement has ended.
 * [R2] Plain http is used for addresses of this machine only; with https the certificate and its
 * name are checked. No proxy, no redirect.
 * [R3] The password comes from a file that only its owner can read, and is in no message.
 * Memory: owned handle. One thread at a time. */

enum {
    TWX_NODES_MAX = 1024,
    TWX_STATEMENT_BYTES = 1 << 16, /* of a statement */
    TWX_ANSWER_BYTES = 1 << 30     /* of an answer */
};

typedef struct twx_nodes twx_nodes;

/* An answer while it is read. After a value that is not complete, `broken` is set and all values
 * are 0 and empty. */
typedef struct twx_row_reader {
    twx_ctx *cx;
    twx_slice rest;
    bool broken;
} twx_row_reader;

/* Reads one row. It may set r->broken itself, for a row that no server sends. */
typedef twx_rc (*twx_row_fn)(void *arg, twx_row_reader *r);

/* Checks the settings; asks no server. Errors TWX_E_CONFIG, naming the setting; TWX_E_IO */
TWX_CHECK twx_rc twx_nodes_open(const twx_job *job, twx_nodes **ret_nodes);
void twx_nodes_close(twx_nodes *nodes);
size_t twx_nodes_count(const twx_nodes *nodes);
const char *twx_nodes_url(const twx_nodes *nodes, size_t node);

/* What a statement of sql/cluster needs besides the settings; docs in statement. */
typedef struct twx_statement {
    const char *name; /* for messages, which have it in lower case */
    const char *sql;
    uint64_t run, shard, range;
    uint64_t relations, collapse_min;
    uint64_t pass, round, base, cap, batch, parts; /* of near-duplicates (judging_near.c) */
    uint64_t width;                                /* documents of a part */
    const char *table, *key, *old, *fresh;         /* NULL: not used */
} twx_statement;

/* The statement NAME in sql/cluster.sql; the second one with values. */
#define TWX_CLUSTER_STATEMENT(NAME) ((twx_statement){.name = #NAME, .sql = TWX_SQL_CLUSTER_##NAME})
#define TWX_CLUSTER_WITH(NAME, ...) \
    ((twx_statement){.name = #NAME, .sql = TWX_SQL_CLUSTER_##NAME, __VA_ARGS__})
/* In sql/cluster/pull.sql. */
#define TWX_PULL_WITH(NAME, ...) \
    ((twx_statement){.name = #NAME, .sql = TWX_SQL_CLUSTER_PULL_##NAME, __VA_ARGS__})

/* Runs a statement on one node. rows: for an INSERT, in its format; absent: none. The answer is
 * appended to *ret_answer; NULL: it is not wanted.
 * Errors TWX_E_IO: the server cannot be reached, or not in time; TWX_E_DATA: it refused the
 * statement; TWX_E_CONFIG: it refused the user; an interrupt */
TWX_CHECK twx_rc twx_nodes_run(twx_nodes *nodes, size_t node, const twx_statement *statement,
                               twx_slice rows, twx_buf *ret_answer);
/* Runs a statement on all nodes at once. The answers are appended in the order of the nodes. */
TWX_CHECK twx_rc twx_nodes_run_all(twx_nodes *nodes, const twx_statement *statement,
                                   twx_buf *ret_answers);
/* The same, and reads the rows of the answers (row_binary). */
TWX_CHECK twx_rc twx_nodes_read(twx_nodes *nodes, const twx_statement *statement, twx_row_fn read,
                                void *arg);
/* The same for one whose answer on each node is a line of n <= 4 numbers: adds them up. */
TWX_CHECK twx_rc twx_nodes_sums(twx_nodes *nodes, const twx_statement *statement,
                                uint64_t *ret_sums, size_t n);

/* statement (nodes.c): fills in the names and numbers of a statement of sql/cluster. {db},
 * {cluster} and {ranges} are settings, {table} is a table, {key} an expression over its columns,
 * {old} and {new} are the ends of names of tables that take turns, all others are numbers of the
 * call. All come from this program or are names of letters, digits and underscores
 * (settings_cluster.c checks them), so nothing needs quotes. */

typedef struct twx_statement_value {
    const char *name;
    const char *text; /* NULL: number */
    uint64_t number;
} twx_statement_value;

/* Errors TWX_E_INTERNAL: the statement has a name in braces that values lacks; TWX_E_LIMIT */
TWX_CHECK twx_rc twx_statement_fill(twx_ctx *cx, const char *sql, const twx_statement_value *values,
                                    size_t n, twx_buf *out);

/* row_binary (nodes.c): values of ClickHouse's format RowBinary.
 * Memory: strings that are read are borrowed from the answer. */

/* UInt8 to UInt64 and Int8 to Int64, of `bytes` bytes. Errors TWX_E_NOMEM, TWX_E_LIMIT */
TWX_CHECK twx_rc twx_row_add_number(twx_ctx *cx, twx_buf *out, uint64_t v, size_t bytes);
/* Several; bytes: a digit for each, "288" are an UInt16 and two UInt64. */
TWX_CHECK twx_rc twx_row_add_numbers(twx_ctx *cx, twx_buf *out, const char *bytes,
                                     const uint64_t *v);
/* The length of an Array is written by twx_buf_add_number(). */
TWX_CHECK twx_rc twx_row_add_string(twx_ctx *cx, twx_buf *out, twx_slice s);

uint64_t twx_row_number(twx_row_reader *r, size_t bytes);
twx_slice twx_row_string(twx_row_reader *r);
/* Of an Array, before its values. */
uint64_t twx_row_length(twx_row_reader *r);
/* Calls read for each row of the answer to a statement. Errors TWX_E_DATA: a row is broken */
TWX_CHECK twx_rc twx_rows_each(twx_ctx *cx, const char *statement, twx_slice rows, twx_row_fn read,
                               void *arg);
/* The error of an answer that is broken. */
twx_rc twx_fail_answer(twx_ctx *cx, const char *statement);

/* uid (nodes.c): a document of the cluster: its store and its number there. */

/* As bytes: 2 of the shard, 8 of doc with its highest bit inverted, big endian. */
enum { TWX_UID_BYTES = 10 };
typedef struct twx_uid {
    uint32_t shard;
    int64_t doc;
} twx_uid;
void twx_uid_write(twx_uid uid, unsigned char ret_bytes[TWX_UID_BYTES]);
/* bytes: TWX_UID_BYTES of them */
twx_uid twx_uid_read(const char *bytes);

/* tables.c: the tables of Twindex on the servers: made, checked, dropped. */
/* Checks that the nodes of cluster.urls are the parts of cluster.name, each once, and makes
 * database and tables where they are missing. Errors TWX_E_CONFIG, and as of twx_nodes_run() */
TWX_CHECK twx_rc twx_cluster_make_tables(const twx_job *job, twx_nodes *nodes);
/* Errors TWX_E_DATA: the tables are missing on a node */
TWX_CHECK twx_rc twx_cluster_check_tables(const twx_job *job, twx_nodes *nodes);
/* Drops the database on all nodes. Errors TWX_E_DATA: it has tables of others */
TWX_CHECK twx_rc twx_cluster_drop_tables(const twx_job *job, twx_nodes *nodes);

/* work_tables (tables.c): the tables of one run over the cluster. Their names have the number of
 * the run, so that no row of another run can be read; each has a part on every node and a name
 * for all parts, by which rows reach the node of their key. */

/* RESULT and the tables after it, and WANTED of a run with open pairs, stay until the next run has
 * ended. */
#define TWX_WORK_TABLE_NAME(name, ...) TWX_WORK_##name,
typedef enum twx_work_table {
    TWX_WORK_TABLE_ROWS(TWX_WORK_TABLE_NAME) TWX_WORK_TABLES
} twx_work_table;

/* Makes the table of the run on all nodes. */
TWX_CHECK twx_rc twx_work_make(twx_nodes *nodes, uint64_t run, twx_work_table table);
/* Makes it again, without rows. */
TWX_CHECK twx_rc twx_work_empty(twx_nodes *nodes, uint64_t run, twx_work_table table);
/* Drops it; a table that is missing is no error. */
TWX_CHECK twx_rc twx_work_drop(twx_nodes *nodes, uint64_t run, twx_work_table table);
/* Drops the tables of all runs but `kept` and `also`; 0: none is kept. */
TWX_CHECK twx_rc twx_work_sweep(twx_nodes *nodes, uint64_t kept, uint64_t also);

/* manifests (tables.c): what the stores have pushed, and what the servers have of it.
 * Memory: embedded struct; twx_manifests_done(). */

typedef struct twx_manifest {
    uint32_t shard;
    /* As the last push that has ended wrote it; version 0: none has */
    uint64_t version, documents, hash, fingerprint, pushed_at;
    uint32_t relations, collapse_min; /* twx_judge_options */
    uint64_t near;                    /* twx_near_fingerprint() */
    uint64_t store;                   /* twx_store_key() */
    /* What the servers have */
    uint64_t found_documents, found_hash, found_version;
} twx_manifest;

/* Ascending by shard, each once. */
typedef TWX_VEC(twx_manifest) twx_manifests;

/* Reads them from all nodes. Errors as of twx_nodes_run_all() */
TWX_CHECK twx_rc twx_manifests_read(twx_nodes *nodes, twx_manifests *ret_manifests);
/* The parts of these: rows of the answers to manifests and to contents (twx_row_fn) are appended,
 * then brought together. */
TWX_CHECK twx_rc twx_manifest_row(void *manifests, twx_row_reader *r);
TWX_CHECK twx_rc twx_contents_row(void *manifests, twx_row_reader *r);
void twx_manifests_merge(twx_manifests *m);
void twx_manifests_done(twx_manifests *m);
/* The manifest of a shard; NULL: it has pushed nothing. */
const twx_manifest *twx_manifest_of(const twx_manifests *m, uint32_t shard);
/* Do the servers have what the last push left? Not after a push that was interrupted. */
bool twx_manifest_holds(const twx_manifest *m);

/* The last run that has ended and that nothing has stopped, and which versions it judged. */
typedef struct twx_cluster_runs {
    uint64_t last;        /* 0: none */
    uint64_t newest;      /* run, which a guard may have stopped */
    twx_manifests judged; /* shard, version, documents and hash */
    /* If open pairs have stopped the newest run: how often in turn, how many, and which versions it
     * has judged; else 0 and empty */
    uint64_t round, open_pairs;
    twx_manifests open;
} twx_cluster_runs;

TWX_CHECK twx_rc twx_cluster_runs_read(twx_nodes *nodes, twx_cluster_runs *ret_runs);
/* A row of the answer to runs (twx_row_fn). Rows of earlier runs are skipped; the lists are still
 * to be merged. */
TWX_CHECK twx_rc twx_cluster_run_row(void *runs, twx_row_reader *r);
void twx_cluster_runs_done(twx_cluster_runs *runs);

/* Texts that a shard owes: the newest run has asked for them. */
typedef struct twx_owed {
    uint32_t shard;
    uint64_t texts;
} twx_owed;

/* How many texts the servers still lack of those that runs->newest has asked for; ascending by
 * shard. */
typedef TWX_VEC(twx_owed) twx_owed_list;
TWX_CHECK twx_rc twx_owed_read(twx_nodes *nodes, const twx_cluster_runs *runs,
                               twx_owed_list *ret_list);
/* Of one shard. */
uint64_t twx_owed_of(const twx_owed_list *list, uint32_t shard);

/* shard_store.c: a store that is one shard of a cluster, opened for its steps: locked, with
 * signatures that are up to date, and the settings of judging.
 * [R1] Every step that reads or writes documents of the shard sees the same rows: the fingerprint
 * covers all settings that decide them. */

/* Memory: embedded struct, zeroed by the caller; twx_shard_store_close(). It does not move: plans
 * point into it. */
typedef struct twx_shard_store {
    const twx_job *job;
    uint32_t shard;
    twx_lock *lock;
    twx_opened o;
    twx_sign_plan sign;
    twx_judge_plan plan;
    uint64_t documents; /* that are signed */
    uint64_t key;       /* twx_store_key() */
} twx_shard_store;

/* Errors TWX_E_CONFIG: cluster.shard is not set */
TWX_CHECK twx_rc twx_shard_number_check(const twx_job *job);
/* Signs the store (run/sign.c), locks it and opens it with TWX_NEED_SOURCE and `needs`.
 * Errors TWX_E_BUSY */
TWX_CHECK twx_rc twx_shard_store_open(const twx_job *job, unsigned needs,
                                      twx_shard_store *ret_store);
/* rc: how the work on the store ended. */
void twx_shard_store_close(twx_shard_store *s, twx_rc rc);
/* Of everything that decides the rows of its documents and how they are judged. */
uint64_t twx_shard_store_fingerprint(const twx_shard_store *s);
/* Appends the document as the servers get it (document_row). Errors TWX_E_CORRUPT: facts or record
 * are damaged; TWX_E_INTERNAL: a relation has several keys */
TWX_CHECK twx_rc twx_shard_store_row(twx_shard_store *s, const twx_stored *stored, uint64_t version,
                                     twx_buf *out, uint64_t *ret_hash);

/* document_row (shard_store.c): a document as a row of document_local (sql/cluster): what judging
 * needs of its facts and of its record of signatures.
 * [R1] Equal documents with equal settings have equal rows: the hash is of all columns but the
 * version. */

/* Appends a row that marks the document as gone. */
TWX_CHECK twx_rc twx_document_row_gone(twx_ctx *cx, uint32_t shard, int64_t doc, uint64_t version,
                                       twx_buf *out);

/* near_plan (near_columns.c): the settings of near-duplicates and copies where there is no store,
 * and the expressions by which servers make keys of candidates from the columns of texts.
 * [R1] Two texts share a key of the expressions if, and only if, they share a candidate key of the
 * method in a collection of that size, apart from equal 64-bit hashes. */

/* Memory: embedded struct; twx_near_plan_done(). It does not move. */
typedef struct twx_near_plan {
    twx_sign_plan sign;
    twx_judge_plan judge;
} twx_near_plan;

TWX_CHECK twx_rc twx_near_plan_make(const twx_job *job, twx_near_plan *ret_plan);
void twx_near_plan_done(twx_near_plan *plan);

/* A list of expressions, separated by commas, over s (the sketch), first and scope, for the texts
 * whose column `near` is least..most. */
typedef struct twx_near_keys {
    twx_buf list;
    unsigned least, most; /* twx_near_kind */
} twx_near_keys;

/* The next list, from key number *at on, which is advanced; TWX_DONE: there are no more.
 * Errors TWX_E_NOMEM, TWX_E_LIMIT */
TWX_CHECK twx_rc twx_near_keys_next(twx_ctx *cx, const twx_near_plan *plan, uint64_t documents,
                                    size_t *at, twx_near_keys *keys);

/* near_columns.c: the columns of a document row that near-duplicates and copies need: the
 * identity of its text, where keys of candidates come from, its payload, and its name. Where texts
 * prove copies (names.own), the judging program has the whole record, and only the kind is needed.
 * [R1] They depend on the document and the settings alone, not on the size of the collection, which
 * decides by which bands candidates are found: bands are cut by the servers. */

enum { TWX_DOCUMENT_ROW_VERSION = 9 }; /* of the form of a row, and of the record in it */

/* Of everything that decides how near-duplicates and copies are judged; 0: they are not. */
uint64_t twx_near_fingerprint(const twx_judge_options *options);
/* Can a cluster judge them? NULL, or why not. */
const char *twx_near_refusal(const twx_judge_options *options);
/* Appends the columns. id_at: the place, from 1, where the id begins in the rank. */
TWX_CHECK twx_rc twx_near_columns_add(twx_ctx *cx, const twx_judge_options *o,
                                      const twx_facts *facts, const twx_record *record,
                                      size_t id_at, twx_buf *out);
/* The payload in the column of that name: it follows a byte that says whether a sketch that is made
 * of it, for the bands that servers cut, stands before it. */
twx_slice twx_near_payload(twx_slice column);

/* judging (nodes.c): what the steps of a run over the cluster share. */

/* Memory: everything is borrowed. */
typedef struct twx_judging {
    const twx_job *job;
    twx_nodes *nodes;
    uint64_t run;
    uint32_t relations, collapse_min; /* as of the manifests */
    uint64_t near;                    /* twx_near_fingerprint(), as of the manifests; 0: none */
    uint64_t documents;               /* of all stores */
    uint64_t asked;      /* run that has asked for texts, which all stores have answered; 0: none */
    uint64_t statements; /* so far, for progress */
} twx_judging;

/* Runs a statement of the run on all nodes. */
TWX_CHECK twx_rc twx_judging_step(twx_judging *j, const twx_statement *statement);
TWX_CHECK twx_rc twx_judging_steps(twx_judging *j, const twx_statement *steps, size_t n);
/* The same for one whose answer is n numbers; ret_sums gets their sums over the nodes. */
TWX_CHECK twx_rc twx_judging_sums(twx_judging *j, const twx_statement *statement,
                                  uint64_t *ret_sums, size_t n);

/* Once for each of cluster.ranges. */
TWX_CHECK twx_rc twx_judging_ranges(twx_judging *j, const twx_statement *statement);
/* The same for one whose answer is rows of any kind: reads them, or leaves that to the caller. */
TWX_CHECK twx_rc twx_judging_read(twx_judging *j, const twx_statement *statement, twx_row_fn read,
                                  void *arg);
TWX_CHECK twx_rc twx_judging_ask(twx_judging *j, const twx_statement *statement,
                                 twx_buf *ret_answers);
/* Sends rows to any node. */
TWX_CHECK twx_rc twx_judging_put(twx_judging *j, const twx_statement *statement, twx_slice rows);

/* The statement NAME in sql/cluster/judge.sql; the second one with values. */
#define TWX_JUDGING(NAME) ((twx_statement){.name = #NAME, .sql = TWX_SQL_CLUSTER_JUDGE_##NAME})
#define TWX_JUDGING_WITH(NAME, ...) \
    ((twx_statement){.name = #NAME, .sql = TWX_SQL_CLUSTER_JUDGE_##NAME, __VA_ARGS__})

typedef struct twx_near_summary {
    uint64_t rounds[2]; /* of near-duplicates, of copies */
    uint64_t compared;  /* pairs of texts */
    /* Of copies that texts prove: pairs of texts read; pairs that are open, because a text is not
     * on the servers; texts that the stores are asked for */
    uint64_t read, open, wanted;
} twx_near_summary;

/* Are copies proved by texts, so that this program judges near-duplicates and copies? */
bool twx_judging_by_texts(const twx_judging *j);
/* Finds near-duplicates and copies, and adds their keys to those of the other relations. */
TWX_CHECK twx_rc twx_judging_near(twx_judging *j, twx_near_summary *ret_summary);
/* After the groups: what the flags show of them besides groups. */
TWX_CHECK twx_rc twx_judging_near_flags(twx_judging *j);

/* pushed (push.c): the documents of a shard that the servers have, with the hashes of their rows
 * (document_row). */

typedef struct twx_pushed {
    int64_t doc;
    uint64_t hash;
} twx_pushed;

/* Ascending by doc. Memory: embedded struct, zeroed by the caller; TWX_VEC_DONE(). */
typedef TWX_VEC(twx_pushed) twx_pushed_list;

TWX_CHECK twx_rc twx_pushed_read(twx_nodes *nodes, uint32_t shard, twx_pushed_list *ret_list);
/* A row of the answer to pushed (twx_row_fn). */
TWX_CHECK twx_rc twx_pushed_row(void *list, twx_row_reader *r);

/* push.c: sends what judging needs of each document of a store to the servers.
 * [R1] Only documents that the servers have not, or have differently, are sent; documents that are
 * gone are marked. So a push that is repeated, also after an interruption, sends the rest.
 * [R2] The manifest is written last: until then the servers have not what any manifest says, and
 * nothing is judged.
 * [R3] What the cluster cannot judge exactly is refused before anything is sent.
 * [R4] A shard is pushed from one store only, because a push marks what its store lacks as gone.
 * The manifest has the key of that store (store/shards.c). */

/* Signs the store first (run/sign.c). replace: accept another store than the one the shard
 * was pushed from before [R4]. Errors TWX_E_CONFIG: a setting that the cluster cannot judge by, or
 * a shard of another store; TWX_E_DATA: documents that it cannot judge */
TWX_CHECK twx_rc twx_cluster_push(const twx_job *job, twx_nodes *nodes, bool replace,
                                  twx_push_summary *ret_summary);

/* cluster_judge.c: the step judge: the servers judge what the stores have pushed.
 * [R1] The result is that of one run over one store with all documents, in the order of their ids,
 * and of shards where ids are equal.
 * [R2] Nothing is judged unless the servers have what the last push of each store left, with the
 * same settings.
 * [R3] The result of a run is complete once the run is in the table `run`; the one before stays
 * until then. A run that was interrupted leaves tables that the next one drops.
 * [R4] A result that is committed (store/shards.c) is not dropped until all stores have
 * published it. */

/* force: accepts a result that a guard would stop. discard: judges even if stores have not
 * published the last result [R4], which they then cannot pull again. Errors TWX_E_GUARD: a guard
 * has stopped it; the result is there, but not as that of the last run. TWX_E_BUSY: stores have not
 * published */
TWX_CHECK twx_rc twx_cluster_judge(const twx_job *job, twx_nodes *nodes, bool force, bool discard,
                                   twx_judge_summary *ret_summary);

/* near_resolve (near_columns.c): decides texts of a round (judging_near.c) from the pairs that
 * match. A text that matches a better listed representative is not one. One that matches no
 * better text that is or may become a listed representative is one. What depends on a blocked text,
 * or on a representative that may be listed, stays open.
 * [R1] The result depends on the set of pairs and of blocked texts, not on their order. */

/* Text a, the better one, matches b. rep: a is a representative already. sure: if it is one, it is
 * listed under a key of b; else it may be. */
typedef struct twx_near_match {
    uint64_t a, b;
    bool rep, sure;
} twx_near_match;

typedef enum twx_near_state { TWX_NEAR_OPEN, TWX_NEAR_LEADS, TWX_NEAR_FOLLOWS } twx_near_state;

typedef struct twx_near_said {
    uint64_t text;
    twx_near_state state;
} twx_near_said;
typedef TWX_VEC(twx_near_said) twx_near_saids;

/* blocked: texts that a better one may still match, besides these pairs. ret_said: empty; gets each
 * text that is the b of a pair, once; the caller releases it (TWX_VEC_DONE).
 * Errors TWX_E_NOMEM; TWX_E_DATA: pairs form a loop */
TWX_CHECK twx_rc twx_near_resolve(twx_ctx *cx, const twx_near_match *matches, size_t n,
                                  const twx_map64 *blocked, twx_near_saids *ret_said);

/* judging_copies.c: near-duplicates and copies where texts prove copies (copy.proof = text).
 * [R1] They are those of a run over one store with all documents, once no pair is open.
 * Memory: that of such a run for near-duplicates and copies, within run.memory what may be in
 * temporary files. */

/* summary->wanted not 0: texts are missing, and nothing is decided. */
TWX_CHECK twx_rc twx_judging_copies(twx_judging *j, const twx_near_plan *plan,
                                    twx_near_summary *summary);

/* pair_rows (verify.c): rows of pairs of payloads, and rows of similarities, as ClickHouse writes
 * and reads them (docs/cluster.md, "Rows of verify"). A row is
 *     [number UInt64] a String, b String [equal_names UInt8]
 *     -> [number UInt64] similarity Int32
 * where brackets mark columns that the layout may leave out.
 * RowBinary: integers are little-endian; a String is its length in LEB128 and its bytes.
 * TabSeparated: columns end with a tab, rows with a line feed; \b \f \n \r \t \0 \' \\ stand for
 * the bytes that ClickHouse escapes.
 * [R1] A row that is not complete consumes nothing. [R2] Bytes may come from anywhere: nothing
 * after the end is read. */

/* Bytes of a row of pairs. The longest payload of a method has a few hundred bytes. */
enum { TWX_PAIR_ROW_MAX = 1 << 20 };

typedef struct twx_pair_layout {
    bool tabs; /* TabSeparated; else RowBinary */
    bool numbered, named;
} twx_pair_layout;

/* Memory: a and b are borrowed from the input or from the buffer of unescaped text. */
typedef struct twx_pair_row {
    uint64_t number; /* 0 unless numbered */
    twx_slice a, b;
    bool equal_names; /* false unless named */
} twx_pair_row;

/* Reads the first row of *bytes and advances it. unescaped: scratch, cleared by each call.
 * TWX_DONE: the row is not complete. Errors TWX_E_DATA: it is no such row, or longer than
 * TWX_PAIR_ROW_MAX; TWX_E_NOMEM */
TWX_CHECK twx_rc twx_pair_row_next(twx_ctx *cx, const twx_pair_layout *layout, twx_slice *bytes,
                                   twx_buf *unescaped, twx_pair_row *ret_row);
/* Appends the answer. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_pair_row_answer(twx_ctx *cx, const twx_pair_layout *layout, uint64_t number,
                                     int32_t similarity, twx_buf *out);

/* verify.c: the command verify: reads pairs of payloads from standard input and writes the
 * similarity of each pair, so that a ClickHouse server can ask for it (docs/cluster.md).
 * [R1] Answers come in the order of the pairs. [R2] Every complete row that was read is answered,
 * and the answers are written, before it waits for more input. */

/* job->store is not used. Errors TWX_E_CONFIG: the method does not compare pairs; TWX_E_DATA: a row
 * is not one of these, or the input ends within a row. */
TWX_CHECK twx_rc twx_verify(const twx_job *job, const twindex_verify_options *options,
                            const twx_out *out);

/* remote_list (flag_text.c): the documents of other shards that a shard's flags refer to, as the
 * servers send them: a uid (shard and doc), the place in the order, which has the id, and the form
 * of the URL. They get
 * the numbers that store/remotes.c describes; the name of a shard is its number in decimal.
 * [R1] Which number a document gets depends on the list alone.
 * [R2] Bytes may come from anywhere: anything but whole rows is TWX_E_DATA.
 * Memory: embedded struct; twx_remote_list_done(). */

typedef struct twx_remote_entry {
    twx_uid uid;
    twx_remote remote; /* its number, shard and id; bytes in the list's arena */
    uint8_t form;      /* judge/groups.c */
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
/* For the publisher (run/publish.c). list is borrowed; one reader at a time. */
twx_remote_rows twx_remote_list_rows(twx_remote_list *list);

/* flag_text.c: the judged flags of a document as a text, in which the servers keep them
 * (column `flags` of result in sql/cluster/work.sql) and a store compares its own with theirs: the
 * doc and then the columns that flag_text.c lists, separated by commas. Signatures and the form of
 * URLs are not in it: the store has them.
 * [R1] Equal flags have equal texts, so equal hashes of texts say that flags are equal.
 * [R2] Bytes may come from anywhere: anything but such a text is TWX_E_DATA. */

/* Whose flags they are. Memory: remotes borrowed. */
typedef struct twx_flag_home {
    uint32_t shard;
    const twx_remote_list *remotes; /* documents of other shards that the flags refer to */
} twx_flag_home;

/* Errors TWX_E_DATA, also for a document of another shard that is not among `remotes` */
TWX_CHECK twx_rc twx_flag_text_read(twx_ctx *cx, const twx_flag_home *home, twx_slice text,
                                    twx_flag_row *ret_row);
/* Appends the text of a stored row. A document of another shard that is not among `remotes` is
 * written as '?', so that the text differs from any of the servers. */
TWX_CHECK twx_rc twx_flag_text_write(twx_ctx *cx, const twx_flag_home *home,
                                     const twx_flag_row *row, twx_buf *out);
/* As sipHash64() of the servers. */
uint64_t twx_flag_text_hash(twx_slice text);
/* Copies the columns of the text from one row to another one; the others stay. */
void twx_flag_text_copy(const twx_flag_row *from, twx_flag_row *to);

/* pulled_answers (flag_text.c): the answers that a pull reads.
 * [R1] Rows that are sent must have the sums that the servers announced. */

/* Documents with doc / width == number. */
typedef struct twx_pulled_part {
    int64_t number;
    uint64_t sum;
    bool same; /* as in the store */
} twx_pulled_part;
typedef TWX_VEC(twx_pulled_part) twx_pulled_parts;

/* Reads the answers to sums in sql/cluster/pull.sql: a part may be in several. Ascending, without
 * `same`. Errors TWX_E_DATA */
TWX_CHECK twx_rc twx_pulled_parts_read(twx_ctx *cx, twx_slice rows, twx_pulled_parts *ret_parts);
/* Reads the answers to rows in sql/cluster/pull.sql into rows ascending by doc, and compares their
 * sums with those of parts[0..n), which are the parts that were asked for. Errors TWX_E_DATA
 */
typedef TWX_VEC(twx_flag_row) twx_flag_row_list;
TWX_CHECK twx_rc twx_pulled_rows_read(twx_ctx *cx, const twx_flag_home *home, twx_slice rows,
                                      const twx_pulled_part *parts, size_t n, int64_t width,
                                      twx_flag_row_list *ret_rows);

/* cluster_pull.c: the step pull: writes the flags of the last run to the inactive
 * generation of a store, keeps them there as prepared, and votes in the ledger
 * (store/shards.c). Nothing is published.
 * [R1] The flags are those of one run over all stores (run/run.h).
 * [R2] If a document that represents others, or that links lead to, has changed since it was
 * pushed, the vote is 'again': documents must not be hidden in favour of one that changed. Other
 * documents that have changed have no flags until the next run.
 * [R3] A pull that is repeated does what is left. It never undoes a vote on a committed run. */

/* Errors TWX_E_CONFIG: no ledger, or other settings than those of the push; TWX_E_DATA: the last
 * result has not this store; TWX_E_BUSY: the vote is 'again' */
TWX_CHECK twx_rc twx_cluster_pull(const twx_job *job, twx_nodes *nodes,
                                  twx_pull_summary *ret_summary);

/* What the stores have voted on a run (cluster_judge.c): nothing without a ledger. */
TWX_CHECK twx_rc twx_votes_read(const twx_job *job, uint64_t run, twx_ballot *ret_ballot);

#endif
