"""Runs pieces of code as scripts and reports the outcome of each. Tracebacks leave out the frames of this driver."""

import sys
import traceback

from pyodide.code import eval_code_async

NAME = "code.py"
SESSION = {"__name__": "__main__"}


async def run(code, longest, in_session):
    """Returns the kind of outcome and its text. The text of a value is cut at `longest` characters."""
    names = SESSION if in_session else {"__name__": "__main__"}
    if in_session:
        open_streams()
    streams = sys.stdout, sys.stderr
    try:
        value = await eval_code_async(code, names, filename=NAME)
        # Calls the slicing of `str` itself, because a `__repr__` may return a subclass of `str` with its own slicing.
        return "finished", "" if value is None else str.__getitem__(repr(value), slice(longest))
    except MemoryError:
        return "memory-limit", ""
    except SystemExit as stop:
        if stop.code is None or stop.code == 0:
            return "finished", ""
        return "error", f"SystemExit: {stop.code}"
    except BaseException as error:
        return "error", explain(error)
    finally:
        flush(*streams)


def open_streams():
    """Opens new streams. An earlier piece of the session may have closed or replaced them, or left input unread."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def flush(*streams):
    for stream in (sys.stdout, sys.stderr, *streams):
        try:
            stream.flush()
        except BaseException:
            pass


def explain(error):
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename != NAME:
        frames = frames.tb_next
    # Formats only the last 50 frames, because formatting fifty thousand frames takes seconds.
    return "".join(traceback.format_exception(type(error), error, frames, limit=-50)).rstrip()
