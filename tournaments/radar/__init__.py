"""The radar: questions with evidence for officials, worked out from what stands; and what they put aside."""
