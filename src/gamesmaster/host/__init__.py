"""The site and mail room where games are played: tables, seats, sheets of orders, deadlines and press.

One Django app, by feature.  In each folder services are the only writers; pages, API and mail are the doors.  Nothing
below knows this room; `cli` opens it only for commands of a site.
"""
