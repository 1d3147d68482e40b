"""Pseudonyms: everyone has one, nobody can derive it, and it stays the same."""

import pytest

from wordle_kit.classroom.pseudonyms import FIRST, SECOND, pseudonyms_of
from wordle_kit.errors import WordleKitError

CLASS = [f"student {number}" for number in range(40)]


def test_they_are_different_say_nothing_of_names_and_stay_when_others_come(tmp_path):
    path = tmp_path / "teacher" / "pseudonyms.csv"
    first = pseudonyms_of(CLASS[:20], path)
    assert len(set(first.values())) == 20
    assert path.parent.stat().st_mode & 0o777 == 0o700
    later = pseudonyms_of(reversed(CLASS), path)
    assert {student: later[student] for student in first} == first
    assert len(set(later.values())) == 40
    assert pseudonyms_of(["STUDENT 3"], path)["STUDENT 3"] == first["student 3"]
    elsewhere = pseudonyms_of(CLASS, tmp_path / "elsewhere.csv")
    assert elsewhere != later  # they are drawn, not computed


def test_the_teacher_may_change_them_but_not_to_one_that_another_student_has(tmp_path):
    path = tmp_path / "pseudonyms.csv"
    path.write_text("name,pseudonym\nada,Countess\nbob,Builder\n")
    assert pseudonyms_of(["ada", "bob"], path) == {"ada": "Countess", "bob": "Builder"}
    path.write_text("name,pseudonym\nada,Countess\nbob,countess\n")
    with pytest.raises(WordleKitError, match="line 3: 'countess' is the pseudonym of another student too"):
        pseudonyms_of(["ada"], path)


@pytest.mark.slow
def test_a_class_of_any_size_has_enough(tmp_path):
    many = [f"s{number}" for number in range(len(pairs()) + 1)]
    known = ["name,pseudonym", *(f"{name},{a} {b}" for name, (a, b) in zip(many, pairs(), strict=False))]
    (tmp_path / "many.csv").write_text("\n".join(known) + "\n")
    assert pseudonyms_of(many, tmp_path / "many.csv")[many[-1]].endswith(" 2")


def pairs():
    """Return all pairs of the two lists of words."""
    return [(a, b) for a in FIRST.split() for b in SECOND.split()]


@pytest.mark.parametrize("text", [FIRST, SECOND])
def test_the_words_are_different_and_plain(text):
    words = text.split()
    assert len(set(words)) == len(words)
    assert all(word.isascii() and word.islower() and word.isalpha() for word in words)
