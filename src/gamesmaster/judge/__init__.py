"""What happens: the rulebook, the kernel, and a ruling for every order."""
