"""An independent slow calculation of whole events and of hands of every game, for tests only.

It imports nothing from the product. Its tables are typed from the source documents, line by line, with the item of
the inventory of rules (S0, S4: the documents 000 and 004) or of the practice of events (F, §) that says so.
It goes level by level and card by card, and prefers being obvious to being short.
"""
