"""Runs one piece of code as a script and says how it ended, leaving out the frames of what ran it."""

import traceback

from pyodide.code import eval_code_async

NAME = "code.py"
LONGEST_MESSAGE = 10_000


async def run(code, longest):
    """Gives back a message as the page reads it (protocol.ts)."""
    try:
        value = await eval_code_async(code, {"__name__": "__main__"}, filename=NAME)
        return finished() if value is None else finished(repr(value)[:longest])
    except MemoryError:
        return {"type": "memory-limit"}
    except SystemExit as stop:
        if stop.code is None or stop.code == 0:
            return finished()
        return failed(f"SystemExit: {stop.code}")
    except BaseException as error:
        return failed(explain(error))


def finished(result=None):
    return {"type": "finished", "result": result}


def failed(message):
    return {"type": "error", "message": message[-LONGEST_MESSAGE:]}


def explain(error):
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename != NAME:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames)).rstrip()
