"""Variants, their boards, maps and rules from the command line: shown, drawn, made and checked."""
