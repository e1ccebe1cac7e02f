-- Counts. out: checksum of texts and their representatives
SELECT sum(cityHash64(text, leader)) FROM {db}.w{run}_near_leader_local WHERE pass = {pass} FORMAT TabSeparated
