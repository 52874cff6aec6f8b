"""What a message does (its dialog act): greets, asks for a story, plays, tells of a loss."""
