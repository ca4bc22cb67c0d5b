"""The exit codes of the command line."""

ALL_DECIDED, FAILED, BAD_INPUT, SOME_UNDECIDED, SOME_IMPOSSIBLE = 0, 1, 2, 3, 4
INTERRUPTED, PIPE_CLOSED, TERMINATED = 130, 141, 143

EXIT_CODES = """\
exit codes:
  0    all done, every deal decided
  1    the output cannot be written, or there is not enough memory
  2    bad input: options, numbers, files or boards
  3    at least one deal is undecided
  4    with solve --check: at least one deal is impossible
  130  interrupted
  141  the reader of the output has closed it
  143  terminated
"""
