"""The whole site: its home page, the page of a game, help, and the API of all features."""
