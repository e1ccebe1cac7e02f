-- Counts the documents of each site.
INSERT INTO {db}.w{run}_site
SELECT if(substring(host, 1, 4) = 'www.', substring(host, 5), host) AS site, eligibility, count(), sum(eligibility = 0 AND duplicate_of != '')
FROM {db}.w{run}_result_local GROUP BY site, eligibility
