"""The engines: searches that decide positions, one folder each.

A folder has the same rooms in each case: how a position is read (*columns*, *seatings*), the *search*, and the *moves*
that make legal moves of a win. `lib` has what they share, `base` what all of them are. No engine knows of another, and
nothing here knows of `Deal`, `Game` or `solve`.

**Which decides what.** `choice.engine_for` asks in this order; the first that takes the rules decides them.

- `same_suit`: built in suit, any card or kings fill empty columns; runs move as single cards could, or whole where only
  kings fill. A card then has one parent, so that classes of positions can be named by little.
- `no_cells`: no cells, kings or nothing fill empty columns, runs move as single cards could. Without cells nearly all
  moves can be taken back, so that sets of positions can be searched at once.
- `alternate_color`: built in alternate colours, runs move as single cards could.
- `general`: all other rules; it takes any.

**What an engine owes.**

- *Exactness.* SOLVED if the position can be won, IMPOSSIBLE if it cannot: never a guess, never for want of time or
  memory. Every rule by which it leaves something out is a lemma with a proof in its docstring, cited at the line.
- *Moves.* After SOLVED, `build` makes moves that are legal one by one under the rules and end with every card home.
- *Limits.* It never expands more than `max_nodes` nodes, and says OUT_OF_NODES where it would have to. It asks
  `account` for all memory that grows, and says OUT_OF_MEMORY where that refuses. What an earlier search left makes no
  difference.
- *Interruption.* `go_on` and `build` return RUNNING after about as many units of work as they were given, each a node
  or what takes about as long, and go on from there when they are called again. So the clock, the sign to stop and
  signals are looked at in `base` alone.
- *Determinism.* The same position and limits of nodes and memory give the same answer, nodes and moves: on any machine,
  in any thread, after any other search. Noise comes from a generator that starts at a fixed seed.
- *Safety.* It works without the GIL, on memory of its own, and holds no more between two searches than `base` lets it.

**What it may assume.** The rules are among those that `decides` accepts; the position is one that the rules allow, with
every card of the deck once. `base` sees to that, and to one thread at a time in an engine.

**How to add one.** A folder with a class that extends `base.Engine` and overrides `decides`, `take_up`, `go_on`,
`build`, `codes`, `count_nodes` and `renew`; its place in `choice`; a case in `tests/test_engines.py`, which asks all of
the above; a grid in `tests/long_verdicts.py`, which compares it with the judge.
"""
