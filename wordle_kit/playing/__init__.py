"""Playing by hand: in a terminal, on a page, with help, and beside strategies on the leaderboard."""
