"""What would still be remembered: forgetting in simulated time."""
