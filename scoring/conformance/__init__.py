"""The conformance suite: questions with their answers, and a runner that puts them to any program."""
