"""`mailroom`: games by mail."""

from __future__ import annotations

from typing import Annotated

import typer

from gamesmaster.cli.console import many, say
from gamesmaster.cli.site import Data, begin


def mailroom(
    listen: Annotated[
        str, typer.Option(metavar="PLACE", help="Where to listen: ADDRESS:PORT, or unix:FILE.")
    ] = "127.0.0.1:8025",
    lmtp: Annotated[bool, typer.Option("--lmtp", help="Speak LMTP instead of SMTP.")] = False,
    dead: Annotated[
        bool, typer.Option("--dead", help="List the e-mails that could not be delivered, and exit.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Send those e-mails again, and exit.")] = False,
    data: Data = None,
) -> None:
    """Receive e-mails with orders, press and votes from a mail server, and answer them; the worker sends the answers.

    Set GAMESMASTER_MAIL_DOMAIN to the domain that players write to, and let its mail server pass on what arrives.
    docs/host-mail.md says how, and describes the commands that players can write.

    For example:

      gamesmaster mailroom --data /var/lib/gamesmaster
      gamesmaster mailroom --lmtp --listen unix:/run/gamesmaster/lmtp.sock
      gamesmaster mailroom --dead
    """
    begin(data)
    from django.conf import settings

    from gamesmaster.host.mailroom import delivery, server
    from gamesmaster.host.operations import upgrade
    from gamesmaster.host.site import clock

    upgrade.check()
    if again:
        say(f"{many(delivery.try_again(clock.now()), 'mail')} will be sent again.")
        return
    if dead:
        for mail in delivery.dead_letters():
            key = mail.table.key if mail.table else "-"
            say(f"{mail.pk}  {mail.made:%Y-%m-%d %H:%M}  {mail.to}  {key}  {mail.event}  {mail.state}  {mail.why}")
        return
    where = server.Listen.read(listen)
    told = f"Mails for {settings.MAIL_DOMAIN} are taken at {listen} ({'LMTP' if lmtp else 'SMTP'})."
    server.run(where, settings.MAIL_DOMAIN, lmtp=lmtp, begun=lambda: say(told))
