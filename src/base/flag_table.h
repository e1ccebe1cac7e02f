/* base/flag_table.h: the one table of flags, in three parts: the columns that twindex_flag
 * stores; the columns of the view document_flags that users see, made of them; and the relations
 * whose groups are in the view twindex_group_member. Schema, queries,
 * views, JSON, rules and explanations follow from it: what a flag needs besides its rows is the
 * code that computes it (judge/judge.c) and its page in the manual.
 * The columns of the first part are those of twindex_flag in sql/schema.sql, in its order. Shown
 * flags stand in any order. */
#ifndef TWX_BASE_FLAG_TABLE_H
#define TWX_BASE_FLAG_TABLE_H

/* clang-format off */

/* Stored. *_rep is the doc of the group's representative and *_count the
 * size of the group, both NULL for a document that is alone; *_sig is shown as the signature;
 * copy_sig is 0 in the table where it is near_sig. */
#define TWX_FLAG_TABLE(X)                                                                         \
    X(eligibility) X(link_state) X(link_doc) X(http_unique) X(www_unique) X(scheme_count)         \
    X(scheme_rep) X(www_count) X(www_rep) X(exact_sig) X(exact_count) X(exact_rep) X(fuzzy_sig)   \
    X(fuzzy_count) X(fuzzy_rep) X(title_sig) X(title_count) X(title_rep) X(description_sig)       \
    X(description_count) X(description_rep) X(near_sig) X(near_count) X(near_rep)                 \
    X(near_similarity) X(duplicate_type) X(cluster_count) X(duplicate_of) X(copy_sig)             \
    X(copy_count) X(copy_rep) X(sibling_count)

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
