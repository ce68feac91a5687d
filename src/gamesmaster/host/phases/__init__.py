"""The end of phases: deadlines, adjudication, votes, taking games back, and the end of games."""
