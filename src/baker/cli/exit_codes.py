"""The exit codes of the command line."""

ALL_DECIDED, FAILED, BAD_INPUT, SOME_UNDECIDED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141

EXIT_CODES = """\
exit codes:
  0    all done, every deal decided
  1    the output cannot be written, or there is not enough memory
  2    bad input: options, numbers, files or boards
  3    at least one deal is undecided
  130  interrupted
  141  the reader of the output has closed it
"""
