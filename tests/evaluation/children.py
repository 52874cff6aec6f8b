"""A written child of two sessions, for tests of `eval extraction`."""

from __future__ import annotations

ANA = """\
child: Ana
split: dev
about: Seven, written for these tests.
profile: {name: Ana, age: 7}
sessions:
  - id: ana-1
    time: 2026-10-05T16:00
    talk: |
      C: I am Ana. I am seven.
      P: Hello Ana!
      C: I have a cat named Momo.
      P: Maybe you would like a dog?
      C: I saw a fox yesterday.
      P: A fox!
    facts:
      - {what: She has a cat., match: [cat, momo/mimi], without: [not/*n't]}
      - {what: The cat is called Momo., match: [momo], until: ana-2, why: correction}
      - {what: She saw a fox yesterday., match: [fox*], date: 2026-10-04}
    traps:
      - {kind: suggestion, what: She wants a dog., match: [dog/dogs]}
  - id: ana-2
    time: 2026-10-07T16:00
    talk: |
      C: I have a cat named Mimi.
      P: And Momo?
      C: I like singing in the rain.
      P: Lovely.
    facts:
      - {what: The cat is called Mimi., match: [mimi]}
      - {what: Her aunt sings., about: aunt*, match: [sing*]}
    harmless: ["rain, sing*", sun]
"""
