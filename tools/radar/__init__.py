"""How often honest play comes under the flags of the radar: makes `scoring/radar/honest.json` again."""
