"""The rules kernel of Referee: pure functions over values, standard library only.

Read in this order: `values` and `ladder` (the ground), `profiles` (rules as data), `hands` (a sheet, its total, what
it leads to), `sittings` (hands folded into levels), `standings`. `cards` judges single plays, `individual` is the same
for single players, `boards` compares duplicate, `penalties` holds schedules, `explaining` draws rules for pages;
`questions` answers all of it from the outside.
"""
