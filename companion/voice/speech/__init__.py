"""From the sentences of a reply to what the speaker plays."""
