"""Tags of the site's templates."""
