"""The site put together: its first page, the page of a game, help, and the API of all features."""
