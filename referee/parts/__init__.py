"""What the three kinds of pages share: layout, words, names, marks, the clock, live parts of a page."""
