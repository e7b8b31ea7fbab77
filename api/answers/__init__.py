"""The shapes of the API's answers, one module a subject: what the schema says, and what every test holds answers to."""
