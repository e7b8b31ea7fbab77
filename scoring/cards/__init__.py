"""The rules of play at the level of cards: what stands above what, what must be followed, who wins, which throw stands.

`order.order_of(profile, trump, level)` is the table everything else reads. `parsing` reads cards into shapes,
`following` judges and lists what may be played to a lead, `tricks` says who wins, `throwing` whether a throw stands.
Verdicts are frozen values with a sentence in both languages and the clauses that decided. Cards are multisets: the
order in which somebody names them never matters.
"""
