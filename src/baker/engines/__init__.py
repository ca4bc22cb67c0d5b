"""The engines: one folder for each search, `base` for what all of them are, `lib` for what they share."""
