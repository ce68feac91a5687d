"""The site and mail room where games are played: tables, seats, orders, deadlines and press.

One Django app, by feature. In each folder only services write; pages, API and mail call them. No room below imports
this one; `cli` imports it only for the commands of a site.
"""
