"""The door for programs: who calls, how answers are made, and clients of it."""
