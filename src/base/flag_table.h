/* base/flag_table.h: the one table of flags, in three parts: the columns that twindex_flag
 * stores; the columns of the view document_flags that users see, made of them; and the relations
 * whose groups are in the view twindex_group_member. Schema, queries,
 * views, JSON, rules and explanations follow from it: what a flag needs besides its rows is the
 * code that computes it (judge/judge.c) and its page in the manual.
 * A column of a new flag stands at the end of the first part, with the schema version that adds it,
 * which is the largest one so far plus one (store/migrate.h). Shown flags stand in any order. */
#ifndef TWX_BASE_FLAG_TABLE_H
#define TWX_BASE_FLAG_TABLE_H

/* clang-format off */

/* Stored: column, schema version. *_rep is the doc of the group's representative and *_count the
 * size of the group, both NULL for a document that is alone; *_sig is shown as the signature;
 * copy_sig is 0 in the table where it is near_sig. Up to schema version 3 the columns are in
 * sql/schema, where each is explained. */
#define TWX_FLAG_TABLE(X)                                                                         \
    X(eligibility, 1) X(link_state, 1) X(link_doc, 1) X(http_unique, 1) X(www_unique, 1)          \
    X(scheme_count, 1) X(scheme_rep, 1) X(www_count, 1) X(www_rep, 1) X(exact_sig, 1)             \
    X(exact_count, 1) X(exact_rep, 1) X(fuzzy_sig, 1) X(fuzzy_count, 1) X(fuzzy_rep, 1)           \
    X(title_sig, 1) X(title_count, 1) X(title_rep, 1) X(description_sig, 1)                       \
    X(description_count, 1) X(description_rep, 1) X(near_sig, 1) X(near_count, 1)                 \
    X(near_rep, 1) X(near_similarity, 1) X(duplicate_type, 1) X(cluster_count, 1)                 \
    X(duplicate_of, 1)                                                                            \
    X(copy_sig, 3) X(copy_count, 3) X(copy_rep, 3) X(sibling_count, 3)

/* Shown: column of document_flags, kind (twx_flag_kind), stored column, rule, another column that
 * the rule looks at (else the same). The rule NAME is the expression flag_name in sql/part.sql,
 * which judge/flags.c follows in C (tests/sql compares the two). */
#define TWX_SHOWN_FLAG_TABLE(X)                                                                   \
    X(indexable_b, BOOL, eligibility, ZERO, eligibility)                                          \
    X(http_unique_b, BOOL, http_unique, STORED, http_unique)                                      \
    X(www_unique_b, BOOL, www_unique, STORED, www_unique)                                         \
    X(exact_signature_l, SIGNATURE, exact_sig, STORED, exact_sig)                                 \
    X(exact_signature_unique_b, BOOL, exact_rep, REPRESENTATIVE, exact_rep)                       \
    X(exact_signature_copycount_i, COUNT, exact_count, COUNT, exact_count)                        \
    X(fuzzy_signature_l, SIGNATURE, fuzzy_sig, STORED, fuzzy_sig)                                 \
    X(fuzzy_signature_unique_b, BOOL, fuzzy_rep, REPRESENTATIVE, fuzzy_rep)                       \
    X(fuzzy_signature_copycount_i, COUNT, fuzzy_count, COUNT, fuzzy_count)                        \
    X(title_signature_l, SIGNATURE, title_sig, STORED, title_sig)                                 \
    X(title_unique_b, BOOL, title_rep, REPRESENTATIVE, title_rep)                                 \
    X(title_copycount_i, COUNT, title_count, COUNT, title_count)                                  \
    X(description_signature_l, SIGNATURE, description_sig, STORED, description_sig)               \
    X(description_unique_b, BOOL, description_rep, REPRESENTATIVE, description_rep)               \
    X(description_copycount_i, COUNT, description_count, COUNT, description_count)                \
    X(near_unique_b, BOOL, near_rep, KNOWN_REPRESENTATIVE, near_count)                            \
    X(near_copycount_i, COUNT, near_count, STORED, near_count)                                    \
    X(near_cluster_l, SIGNATURE, near_sig, STORED, near_sig)                                      \
    X(copy_unique_b, BOOL, copy_rep, KNOWN_REPRESENTATIVE, copy_count)                            \
    X(copy_copycount_i, COUNT, copy_count, STORED, copy_count)                                    \
    X(copy_cluster_l, SIGNATURE, copy_sig, STORED_OR_BESIDE, near_sig)                            \
    X(sibling_count_i, COUNT, sibling_count, STORED, sibling_count)                               \
    X(duplicate_type, TYPE, duplicate_type, TYPE, duplicate_type)                                 \
    X(representative_b, BOOL, duplicate_of, SURVIVOR, duplicate_of)                               \
    X(duplicate_of, DOC, duplicate_of, DOC, duplicate_of)

/* Groups: a relation (judge/relations.h), whose columns are NAME_rep and NAME_count, and the
 * similarity of its members as an expression over the stored columns f. */
#define TWX_GROUP_TABLE(X)                                                                        \
    X(scheme, "NULL") X(www, "NULL") X(exact, "1.0") X(fuzzy, "NULL") X(title, "NULL")            \
    X(description, "NULL") X(near, "f.near_similarity / 1000000.0") X(copy, "NULL")

/* clang-format on */

#endif
