"""What a child must be kept from: code first, a small classifier behind it, both fail closed."""
