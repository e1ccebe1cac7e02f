-- The documents of a run by eligibility. out: eligibility, documents
SELECT eligibility, sum(documents) FROM {db}.w{base}_site_local GROUP BY eligibility FORMAT RowBinary
