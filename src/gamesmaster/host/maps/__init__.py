"""Maps of games for pages, the API and downloads."""
