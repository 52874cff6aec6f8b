"""The guard: patterns first, then a small classifier; both fail closed."""
