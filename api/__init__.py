"""The JSON front end: one module a resource, one service or query call an endpoint."""
