"""Text as an engine can take it."""


def encodable(text: str) -> str:
    """The text with lone surrogates replaced by question marks.

    Python strings may hold halves of UTF-16 pairs (from a broken terminal or JSON escapes);
    UTF-8 cannot, and a library asked to encode one fails.
    """
    return text.encode("utf-8", "replace").decode("utf-8")
