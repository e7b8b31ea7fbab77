"""The rules of play at the level of cards: what stands above what, what must be followed, who wins, which throw stands.

Who judges a play takes these steps, each a pure function of values:

    at = order.order_of(profile, trump, level)           # the table everything else reads; keep it for the hand
    lead = leads.read_lead(at, cards, declared)          # what was led, in the reading that counts
    following.judge_follow(lead, at.count(hand), at.count(play))
    plays.follow_set(lead, at.count(hand)), plays.can_lead_to(lead, at.count(hand), at.count(prefix))
    tricks.judge_trick(lead, [(seat, cards), ...])       # the lead first, then in turn
    throwing.judge_throw(lead, [next_hand, partner, before])   # None where a hand is not known

Verdicts are frozen values with a sentence in both languages and the clauses that decided; what cannot be judged raises
`findings.Refused`. Cards are multisets: the order in which somebody names them never matters.
"""
