"""Playing by hand: in a terminal or on a page, with help, and ranked with strategies on the leaderboard."""
