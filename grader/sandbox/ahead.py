"""A sandbox whose first session is started before somebody asks for it, while there is something else to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.sandbox import Sandbox

if TYPE_CHECKING:
    from grader.limits import Limits
    from grader.sandbox import Session


class StartedAhead(Sandbox):
    """Opens sessions in another sandbox, one of them at once; lasts as long as that one, and does not close it.

    Args:
        sandbox: The other one.
        limits: What the session that is asked for first will be asked for with.

    Raises:
        SandboxError: There can be no session.
    """

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self.kind = sandbox.kind
        self.image = sandbox.image
        self._sandbox = sandbox
        self._ahead: Session | None = sandbox.open(limits)

    def open(self, limits: Limits) -> Session:
        """Return the session that was started; start further ones. See `Sandbox.open`."""
        session, self._ahead = self._ahead, None
        return session or self._sandbox.open(limits)

    def close(self) -> None:
        """Leave it to who opened the other one, which knows all its sessions."""
