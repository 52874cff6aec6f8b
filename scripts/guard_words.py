"""Write companion/safety/known_words.txt: the words that the guard takes for words.

    python scripts/guard_words.py

First the words of our own sentences (scripts/guard/*.txt), the most frequent first, and of the
guard's lists and patterns; after an empty line the whole words of the embedder's vocabulary
(BERT's, Apache License 2.0), in its order, which is near to that of frequency. Run it after
changing any of these, and then train_guard.py.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from itertools import chain

from guard_pattern_words import whole_words
from guard_sentences import sentences

from companion import config
from companion.safety.patterns import of_side
from companion.safety.spelling import FILE
from companion.safety.word_lists import CRITICAL, JOINABLE, MISHEARD, ORDINARY, SAME_AS
from companion.weights.located import model_folder

LEAST = 3
"""Letters of a word that is taken from the vocabulary, a pattern or a list of mishearings: shorter
ones are mostly none."""


def main() -> None:
    said = said_words()
    loaded = config.load()
    tokenizer = model_folder(loaded.embedder, loaded.models_dir) / "tokenizer.json"
    vocabulary = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    others = [
        word
        for word in sorted(vocabulary, key=vocabulary.__getitem__)
        if len(word) >= LEAST and word.isascii() and word.isalpha() and word not in said
    ]
    blocks = (textwrap.fill(" ".join(words), width=100) for words in (said, others))
    FILE.write_text("\n\n".join(blocks) + "\n", encoding="ascii")
    print(f"{len(said)} words of our own, {len(others)} others: {FILE}")


def said_words() -> dict[str, int]:
    """The words of the sentences and lists, with how often they occur, the most frequent first."""
    counts = Counter(
        word for each in sentences() for word in re.findall("[a-z]+", _bare(each.text))
    )
    patterns = (whole_words(each.regex) for each in (*of_side("in"), *of_side("out")))
    heard = " ".join([*SAME_AS.values(), *(one for pair in MISHEARD for one in pair)])
    long = {word for word in chain(*patterns, re.findall("[a-z]+", heard)) if len(word) >= LEAST}
    listed = CRITICAL | ORDINARY | JOINABLE | long
    counts.update(dict.fromkeys(sorted(listed), 0))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _bare(text: str) -> str:
    return text.casefold().replace("'", "").replace("’", "")


if __name__ == "__main__":
    main()
