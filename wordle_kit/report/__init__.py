"""The leaderboard as a web page: one file that works without a server or a network."""
