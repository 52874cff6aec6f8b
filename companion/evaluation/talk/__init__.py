"""How well it talks: replies to single messages, graded by readers who do not see whose."""
