"""Signatures: requests to Amazon's services are signed with Signature Version 4, by the AWS library.

Source: AWS General Reference, "Signature Version 4 signing process"; botocore, ``auth.SigV4Auth``, and its chain of
credentials: the environment, ~/.aws, a role of the machine or the container.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from idealrank.engines.http import Request
from idealrank.errors import UsageError

_HOST = re.compile(r"[\w.-]+\.([a-z]{2}(?:-[a-z]+)+-\d)\.(es|aoss)\.amazonaws\.com(?:\.cn)?", re.IGNORECASE)
_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-\d")
_SERVICE = re.compile(r"[a-z][a-z0-9-]*")
_SIGNED = ("content-type",)


class Signer:
    """Signs requests for a region and a service.

    Parameters
    ----------
    asked
        The option ``sign`` of an address: ``aws``, ``aws:REGION`` or ``aws:REGION:SERVICE``.
    host
        The host, whose name says what the option does not.

    Raises
    ------
    UsageError
        If neither says the region, or the option is another.

    Examples
    --------
    >>> signer = Signer("aws", "search-shop-x1.eu-west-1.es.amazonaws.com")
    >>> signer.region, signer.service
    ('eu-west-1', 'es')
    """

    def __init__(self, asked: str, host: str) -> None:
        kind, *rest = asked.split(":")
        found = _HOST.fullmatch(host)
        self.region = rest[0] if rest else found[1].lower() if found else ""
        self.service = rest[1] if len(rest) > 1 else found[2].lower() if found else "es"
        known = _REGION.fullmatch(self.region) and _SERVICE.fullmatch(self.service)
        if kind != "aws" or len(rest) > 2 or not known:
            raise UsageError(
                f"sign={asked}: which region? Write sign=aws:REGION, or sign=aws:REGION:SERVICE, such as "
                "sign=aws:eu-west-1:es for OpenSearch Service and sign=aws:eu-west-1:aoss for OpenSearch Serverless."
            )
        self.secrets: set[str] = set()
        """What must not be seen; temporary keys are added as they come."""
        self._credentials: Any = None

    @property
    def shown(self) -> str:
        """The header Authorization as it may be shown."""
        return f"AWS4-HMAC-SHA256 (signed for {self.service} in {self.region})"

    def open(self) -> None:
        """Find the credentials.

        Raises
        ------
        UsageError
            If there are none, or the AWS library is not installed.
        """
        try:
            from botocore.exceptions import BotoCoreError
            from botocore.session import Session
        except ImportError:
            raise UsageError(
                "Signing requests for AWS needs botocore. Install it: pip install 'idealrank[aws]' (in a clone: pip "
                "install '.[aws]')."
            ) from None
        try:
            self._credentials = Session().get_credentials()
        except BotoCoreError as error:
            raise UsageError(f"The credentials for AWS cannot be read: {error}.") from None
        if self._credentials is None:
            raise UsageError(
                "There are no credentials for AWS. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile: "
                "export AWS_PROFILE=…"
            )
        self._frozen()

    def _frozen(self) -> Any:
        """Return the credentials of this moment; those of a role are renewed before they end."""
        now = self._credentials.get_frozen_credentials()
        self.secrets.update(filter(None, (now.secret_key, now.token)))
        return now

    def headers(self, request: Request) -> Mapping[str, str]:
        """Return the headers that sign a request as it is sent now."""
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest

        mine = {name: value for name, value in request.headers.items() if name.lower() in _SIGNED}
        body = {"X-Amz-Content-SHA256": hashlib.sha256(request.body).hexdigest()}
        signed = AWSRequest(request.method, request.url, headers={**mine, **body}, data=request.body)
        SigV4Auth(self._frozen(), self.service, self.region).add_auth(signed)
        return {name: value for name, value in signed.headers.items() if name not in mine}
