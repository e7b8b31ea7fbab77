"""What the three front ends share: layout, words, marks, the ruler, plots, live fragments."""
