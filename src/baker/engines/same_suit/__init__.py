"""The search for games built in suit."""
