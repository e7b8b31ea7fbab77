"""The log of rulings, their effects on the record and how these are taken back, appeals, adjusted boards."""
