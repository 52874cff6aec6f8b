"""What the classifier sees of letters and words, and the sentences that it is trained from."""

from __future__ import annotations

import numpy as np
from guard_sentences import FORMS, SAFE, sentences
from guard_sets import OWN, SETS, lines

from companion.safety.char_ngrams import SIZE, hashed_ngrams
from companion.safety.verdict import GRAVE


def test_a_misspelt_sentence_stays_near_to_itself_and_far_from_others() -> None:
    written, misspelt, other = hashed_ngrams(
        ["my brother swallowed a battery", "my brotehr swalowed a batery", "we went to the zoo"]
    )
    assert written @ misspelt > 0.4
    assert written @ other < 0.15


def test_hashed_ngrams_has_norm_one_whatever_the_length_and_nothing_has_none() -> None:
    found = hashed_ngrams(["a", "the cat sat on the mat and " * 20, ""])
    assert found.shape == (3, SIZE)
    assert np.allclose(np.linalg.norm(found, axis=1), [1, 1, 0], atol=1e-6)


def test_hashed_ngrams_is_the_same_in_every_process() -> None:
    """Weights that were trained yesterday must find their runs of letters today."""
    assert np.flatnonzero(hashed_ngrams(["hi"])).tolist() == [684, 1461, 1743, 2008]


def test_training_sentences_are_all_expanded_and_of_known_topics() -> None:
    found = sentences()
    assert not [each.text for each in found if set(each.text) & set("{}|")]
    assert {each.topic for each in found} <= {SAFE, *GRAVE}
    sizes = np.bincount([each.family for each in found])
    assert 0 < sizes.max() <= 3 * FORMS
    assert sentences() == found


def test_no_sentence_of_the_test_sets_is_trained_on() -> None:
    trained = {each.text.casefold().strip(".!?") for each in sentences()}
    for name, _ in OWN:
        assert trained.isdisjoint(text.casefold() for text in lines(SETS / f"{name}.txt"))
