"""The batch protocol: a question as JSON is read, one function of the rules is called (by `op`), its answer written."""
