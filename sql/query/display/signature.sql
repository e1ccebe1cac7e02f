-- The signature of a document's text. in: ?1 id. out: signature.
SELECT exact_signature_l FROM document_flags WHERE id = ?1
