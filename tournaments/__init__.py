"""The Django app: all models and all writes, in rooms by subject.

`models` and `plans` (what a regulation says) lie at the bottom, `acts` (what every act shares) upon them; then
`sittings` (a ledger and its fold), `standings`, `ledger` (hands entered), `rulings`, `stages`, `rounds`, `people`,
`events`, `audit`, `transfer` (files and paper). `draws` are pure. An upper room may use a lower one, never the other
way; the contracts in pyproject.toml hold it.
"""
