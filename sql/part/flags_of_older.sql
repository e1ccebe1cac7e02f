(SELECT *{missing} FROM twindex_flag_{g})
