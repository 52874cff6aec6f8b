"""What people say about themselves: name, age and gender, by rules over their own words.

The greeting phase and consolidation use the same rules.
"""

from companion.language.en.introduction.questions import asks_for
from companion.language.en.introduction.reader import declines, said

__all__ = ["asks_for", "declines", "said"]
