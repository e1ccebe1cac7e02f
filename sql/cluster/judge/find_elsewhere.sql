-- Finds those whose survivor is on another site, each survivor once for a site.
INSERT INTO {db}.w{run}_elsewhere
SELECT site, home, count(), sum(n) FROM (SELECT survivor AS uid, site, count() AS n FROM {db}.w{run}_shown_local GROUP BY survivor, site) AS s
ANY LEFT JOIN (SELECT uid, if(substring(host, 1, 4) = 'www.', substring(host, 5), host) AS home FROM {db}.w{run}_result_local) AS r USING uid
WHERE site != home GROUP BY site, home
