"""How many of the first Microsoft deals can be won: published or found by other programs too, and before the judge."""

# Of the deals 1 to 1000.
WON_TO_1000 = {
    "bakers_game": 766,
    "kings_only_bakers_game": 326,
    "seahaven_towers": 901,
    "eight_off": 998,
    "penguin": 999,
    "same_suit_fore_cell": 98,
}
