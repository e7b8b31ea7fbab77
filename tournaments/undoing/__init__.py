"""An act of the desk is undone within a minute, by a new act that sets right what it did."""
