"""The rules kernel of Referee: pure functions over values, standard library only.

Read in this order: `values`, `ladder`, `profiles`, `sheets`, `totals`, `outcomes`, `sittings`, `questions`.
"""
