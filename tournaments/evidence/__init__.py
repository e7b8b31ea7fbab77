"""Evidence: photos that are given with a call, private to officials and the side that gave them."""
