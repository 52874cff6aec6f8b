"""What people say about themselves: name, age and gender, by rules over their own words.

The greeting phase and consolidation use the same rules.
"""

from companion.language.en.introduction.questions import asks_for
from companion.language.en.introduction.reader import declines, said
from companion.language.en.introduction.second import age_stands, name_stands

__all__ = ["age_stands", "asks_for", "declines", "name_stands", "said"]
