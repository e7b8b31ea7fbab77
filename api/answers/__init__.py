"""The API's answers, one module a subject: their shapes, and how a thing of the product is told in one.

The schema is made from the shapes, and every test of the API holds answers to them.
"""
