"""What a caller has already is not sent twice."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with its tag, or 304."""
    patch_vary_headers(response, ["Authorization", "Cookie"])
    response.headers.setdefault("Cache-Control", "private, no-cache")
    if request.method == "GET" and response.status_code == 200:
        tag = f'"{hashlib.sha256(response.content).hexdigest()[:24]}"'
        response.headers["ETag"] = tag
        known = get_conditional_response(request, etag=tag, response=response)
        return known if isinstance(known, HttpResponse) else response
    return response
