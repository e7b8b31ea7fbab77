"""What every resource shares: who asks, how an answer and a refusal are described and read, strict bodies."""
