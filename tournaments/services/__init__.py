"""Every write of the product: keyword-only, actor and time passed in, one transaction each."""
