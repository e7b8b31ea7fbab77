"""Games of single players (三打一, 二百四, 找朋友): hands, ledgers, levels and standings, a score for each player."""
