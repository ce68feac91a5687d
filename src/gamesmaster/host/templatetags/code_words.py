"""Descriptions of the API on a page: `{{ text|codes }}`."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.filter
def codes(text: str) -> SafeString:
    """A text with what stands between backticks as code."""
    return mark_safe(re.sub("`(.+?)`", r"<code>\1</code>", escape(text)))
