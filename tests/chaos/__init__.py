"""A site of real processes that is hurt while people play: nothing acknowledged is lost, nothing is done twice."""
