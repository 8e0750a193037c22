"""The inbox: all that arrived, from whatever platform, sorted by student and exercise before anything runs.

    reading ── archives ── layouts ── platforms, gradescope     whose is it, and when did it come?
                              └────── matching                  what is it for?

What arrived is a folder or an archive of any layout in `LAYOUT_NAMES`. Of all that lies there, only what is chosen is
read, and small files of the platforms' own.
"""

from grader.inbox.reading import LAST, LAYOUT_NAMES, Inbox, InboxOptions, Origin, read_inbox, read_one

__all__ = ["LAST", "LAYOUT_NAMES", "Inbox", "InboxOptions", "Origin", "read_inbox", "read_one"]
