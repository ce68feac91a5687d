"""The site and mail room where games are played: tables, seats, sheets of orders, deadlines and press.

One Django app.  `models` is what is kept, `service` what happens (the only writers), `views`, `api` and `mail` are the
doors.  Nothing below knows this room; `cli` opens it only for `serve`, `worker`, `backup` and `restore`.
"""
