-- Counts. out: documents of a run on this node that take part
SELECT count() FROM {db}.w{run}_result_local WHERE eligibility = 0 FORMAT TabSeparated
