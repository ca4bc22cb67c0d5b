"""The judge: the rules of the games and a plain search, written apart from the package, which the tests compare with.

`reference` is the judge in Python and `compiled` the same in C; `boards` and `strategies` make boards for it, `convert`
goes between its values and those of the package.
"""
