-- Sends hidden documents to the nodes of their survivors, where the verdict joins them by text: relations 2, 6 and 7 (exact, near, copy).
INSERT INTO {db}.w{run}_shown
SELECT duplicate_of, if(substring(host, 1, 4) = 'www.', substring(host, 5), host) FROM {db}.w{run}_result_local
WHERE eligibility = 0 AND duplicate_of != ''
AND arrayExists((r, d) -> r IN (2, 6, 7) AND bitAnd(bitShiftRight({relations}, r), 1) = 1 AND d = duplicate_of, relations, representatives)
