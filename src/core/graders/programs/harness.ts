/**
 * @file The Python code that runs programs in the sandbox. `PYTHON_HARNESS` never receives the expected outputs, because the page
 * compares the outputs. Therefore a program can't forge its verdict, even if it manipulates its interpreter. `UNITTEST_HARNESS`
 * cannot give this guarantee, because the tests run in the program's interpreter: see `runUnitTests`.
 */

const SHOWN = `class Shown:
    """A value whose representation is a given text."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text`;

/**
 * Runs programs on tests that give standard input or call a function. This code runs once per session and defines functions, such
 * as `run_script`, that later code calls. The program gets its own namespace.
 */
export const PYTHON_HARNESS = String.raw`
import atexit, functools, importlib, json, sys, types
import _functools

# The cache in C recurses on the stack of WebAssembly, which overflows after a few thousand calls. The one in Python does not.
if hasattr(_functools, "_lru_cache_wrapper"):
    del _functools._lru_cache_wrapper
    importlib.reload(functools)

MODULES = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json "
    "builtins typing"
).split()
NAMES = {}
for module in MODULES:
    exec(f"from {module} import *", NAMES)
for module in MODULES:
    NAMES[module] = importlib.import_module(module)
sys.setrecursionlimit(50_000)
sys.set_int_max_str_digits(50_000)


${SHOWN}

def program_names():
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    names = module.__dict__
    names.update(NAMES, __name__="__main__", stdin=sys.stdin, stdout=sys.stdout, stderr=sys.stderr)
    return names


def load():
    global program
    program = compile(sys.stdin.read(), "program.py", "exec", dont_inherit=True)


def run_script():
    try:
        exec(program, program_names())
    except SystemExit:
        pass
    finally:
        atexit._run_exitfuncs()


def define(name):
    global function
    names = program_names()
    try:
        exec(program, names)
    except SystemExit:
        raise RuntimeError("The program ended before its function could be called.") from None
    solution = names.get("Solution")
    if hasattr(solution, name):
        function = getattr(solution(), name)
    elif name in names:
        function = names[name]
    else:
        raise NameError(f"There is no function {name}.")


def call():
    arguments = [json.loads(line) for line in sys.stdin.read().split("\n") if line.strip()]
    value = function(*arguments)
    return Shown(spelled(list(value) if isinstance(value, tuple) else value))


def spelled(value):
    """A text that is the same for equal values of JSON, except for numbers. No other value has such a text."""
    if value is None:
        return "null"
    if isinstance(value, int):
        return int.__repr__(int(value))
    if isinstance(value, float) and value - value == 0:
        return int.__repr__(int(value)) if value.is_integer() else float.__repr__(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return "[" + ",".join(map(spelled, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ",".join(map(spelled, value)) + ")"
    if isinstance(value, dict):
        return "{" + ",".join(sorted(spelled(key) + ":" + spelled(each) for key, each in value.items())) + "}"
    return "?" + type(value).__name__
`;

/** Runs a `unittest.TestCase` on a program, and checks which modules can be imported. */
export const UNITTEST_HARNESS = String.raw`
import builtins, importlib, json, os, sys, types, unittest


${SHOWN}


def missing():
    """The modules of the input, one a line, that can't be imported."""
    found = []
    for name in sys.stdin.read().split():
        try:
            importlib.import_module(name)
        except ImportError:
            found.append(name)
    return Shown(" ".join(found))


TESTING = (unittest.TestCase, unittest.TestResult, unittest.TestSuite, unittest.BaseTestSuite, unittest.case._Outcome)
UNTOUCHED = [(owner, name, value) for owner in TESTING for name, value in owner.__dict__.items() if callable(value)]


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.passed = 0
        self.issues = []

    def addSuccess(self, test):
        self.passed += 1

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.note(test, error)

    def addFailure(self, test, error):
        self.note(test, error)

    def addError(self, test, error):
        self.note(test, error)

    def addSkip(self, test, reason):
        self.issues.append(f"{test.id()}: skipped")

    def addExpectedFailure(self, test, error):
        self.passed += 1

    def addUnexpectedSuccess(self, test):
        self.issues.append(f"{test.id()}: passed unexpectedly")

    def note(self, test, error):
        lines = f"{error[0].__name__}: {error[1]}".split("\n")
        self.issues.append(f"{test.id()}: {lines[0]}")


def run_tests():
    program, tests = json.loads(sys.stdin.read())
    module = sys.modules["__test__"] = types.ModuleType("__test__")
    names = module.__dict__
    names.update(__builtins__=builtins, __file__="__test__.py", __package__=None, sys=sys, os=os, environ=os.environ)
    result = Result()
    try:
        exec(compile(program + "\n" + tests, "__test__.py", "exec", dont_inherit=True), names)
        suite = unittest.TestLoader().loadTestsFromTestCase(names["TestCases"])
        count = suite.countTestCases()
        suite.run(result)
    except SystemExit:
        return Shown("ended")
    for owner, name, value in UNTOUCHED:
        if owner.__dict__.get(name) is not value:
            return Shown("changed")
    if result.issues or count == 0 or result.passed != count:
        return Shown(f"failed {result.passed} of {count}\n" + "\n".join(result.issues))
    return Shown(f"passed {count}")
`;
