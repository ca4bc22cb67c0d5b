"""What the engines share: sets of cards, an index by hash, arrays within a limit of memory, the replay of a win."""
