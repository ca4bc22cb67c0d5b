"""The search for games without cells whose empty columns stay empty or take kings."""
