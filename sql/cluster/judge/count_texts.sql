-- Sends the numbers of texts, in a range of them, that one domain alone has to the nodes of the domains.
INSERT INTO {db}.w{run}_asked
SELECT 4, domain, 0, '', count() FROM (
    SELECT key, any(value) AS domain FROM {db}.w{run}_asked_local WHERE kind = 3 AND key % {ranges} = {range} GROUP BY key HAVING uniqExact(value) = 1
) AS t GROUP BY domain
