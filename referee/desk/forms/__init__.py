"""The desk's forms: shape of what is typed. What it means is judged by the acts."""
