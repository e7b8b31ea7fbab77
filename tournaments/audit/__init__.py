"""The record of an event as a document, everything in it worked out again, and the certificate of that."""
