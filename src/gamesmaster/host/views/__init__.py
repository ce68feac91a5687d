"""The pages: thin, every one of them asks `service`."""
