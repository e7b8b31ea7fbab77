"""One module per part of the desk; a view makes one service or query call."""
