"""The parts that all HTML pages share: frame, styles, script and data."""
