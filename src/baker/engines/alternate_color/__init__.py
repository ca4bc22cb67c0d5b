"""The search for games built in alternate colours."""
