"""Runs one piece of code as a script and reports its outcome. Tracebacks leave out the frames of this driver."""

import traceback

from pyodide.code import eval_code_async

NAME = "code.py"


async def run(code, longest):
    """Returns the kind of outcome and its text. A value is cut at `longest` characters (main.ts)."""
    try:
        value = await eval_code_async(code, {"__name__": "__main__"}, filename=NAME)
        # Not `repr(value)[:longest]`: a `__repr__` may return a string of its own kind.
        return "finished", "" if value is None else str.__getitem__(repr(value), slice(longest))
    except MemoryError:
        return "memory-limit", ""
    except SystemExit as stop:
        if stop.code is None or stop.code == 0:
            return "finished", ""
        return "error", f"SystemExit: {stop.code}"
    except BaseException as error:
        return "error", explain(error)


def explain(error):
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename != NAME:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames)).rstrip()
