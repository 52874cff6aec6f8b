"""Taking turns: from frames of sound to utterances, answers and interruptions."""
