"""What every HTML page shares: its frame, styles, script and packed data."""
