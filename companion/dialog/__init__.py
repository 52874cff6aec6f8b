"""The active phase: from the words of a person to the sentences of a reply."""
