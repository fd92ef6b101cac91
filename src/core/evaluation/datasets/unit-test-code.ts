/**
 * @file Writes the references of programming tasks whose tests are plain Python: a function `check(candidate)`, as in HumanEval
 * and the LeetCode dataset, or assertions, as in MBPP. The grader `unittest` needs a `unittest.TestCase`, so the tests get one.
 */
import { isPython, fencedCode } from '../../contract/worker/fenced-code';
import { unitTestReference } from './program-reference';
import { UnfitRow } from './row-fields';

/** Imports that LeetCode makes before a program. Solutions use them without importing them. */
const LEETCODE_IMPORTS = `import bisect, collections, functools, heapq, itertools, math, operator, random, re, string
from bisect import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import *
from typing import *
inf = float("inf")
`;

/**
 * The reference of a test with a function `check`.
 * @param entryPoint the function for `check`, or code that defines it. `null`: the test calls `check` itself
 * @param beginning the beginning of the program. Its imports and helper functions are defined before the program runs
 * @throws UnfitRow
 */
export function checkReference(fields: {
  readonly test: string;
  readonly entryPoint: string | null;
  readonly beginning: string | null;
}): string {
  const test = pythonOf(fields.test);
  const candidate = fields.entryPoint === null ? null : candidateOf(fields.entryPoint);
  const isCalled = /^check\s*\(/m.test(test);
  if (!isCalled && candidate === null) {
    throw new UnfitRow('The tests don’t call “check”. Choose the column with the name of the function.');
  }
  const runs = isCalled
    ? `_podium_check = compile(${pythonText(test)}, "test", "exec")`
    : `${test}\n\n_podium_check = compile(${pythonText(`check(${candidate})`)}, "test", "exec")`;
  const beginning = fields.beginning === null ? null : headOf(fields.beginning, candidate ?? '');
  const isMethod = /\bSolution\s*\(\s*\)/.test(candidate ?? test);
  return unitTestReference({
    test: `${runs}\n\n${CASES}\nTestCases.test_check = lambda self: exec(_podium_check, globals())\n`,
    entryPoint: candidate ?? '',
    libraries: importedModules(test),
    ...(beginning !== null ? { beginning } : isMethod ? { beginning: LEETCODE_IMPORTS } : {}),
  });
}

/** The reference of a list of assertions. @param setup code that runs before them */
export function assertionsReference(tests: readonly string[], setup: string): string {
  const assertions = tests.map(pythonOf).filter((test) => test.trim() !== '');
  if (assertions.length === 0) throw new UnfitRow('The task has no tests.');
  const list = assertions.map((test) => `    ${pythonText(test)},\n`).join('');
  return unitTestReference({
    test: `${setup}

${CASES}

def _podium_case(code):
    return lambda self: exec(code, globals())


for _podium_number, _podium_source in enumerate([
${list}], 1):
    setattr(TestCases, f"test_{_podium_number:04}", _podium_case(compile(_podium_source, "test", "exec")))
`,
    entryPoint: '',
    libraries: importedModules([setup, ...assertions].join('\n')),
  });
}

const CASES = 'import unittest\n\n\nclass TestCases(unittest.TestCase):\n    pass\n';

/** The code of a text that may be a Markdown code block. */
export function pythonOf(text: string): string {
  if (!/^\s*```/.test(text)) return text;
  const fences = fencedCode(text);
  return (fences.find(isPython) ?? fences[0])?.code ?? text;
}

/** JSON is also Python: both have the same escapes. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

/** The expression for the function to test: the text itself if it is a name or a call, else the function that the code defines. */
function candidateOf(text: string): string {
  const bare = text.trim();
  if (/^[A-Za-z_][\w.]*(?:\(\)\.[A-Za-z_]\w*)?$/.test(bare)) return bare;
  const inClass = /^[ \t]*class Solution\b/m.exec(bare);
  const method = inClass && /^[ \t]+def[ \t]+([A-Za-z]\w*)[ \t]*\(/m.exec(bare.slice(inClass.index))?.[1];
  if (method) return `Solution().${method}`;
  const name = /^[ \t]*def[ \t]+([A-Za-z_]\w*)[ \t]*\(/m.exec(bare)?.[1];
  if (name !== undefined) return name;
  throw new UnfitRow('The column of the entry point names no function.');
}

/** The code before the function that the answer must define. */
function headOf(beginning: string, name: string): string | null {
  const at = name === '' ? -1 : [...beginning.matchAll(/^def[ \t]+(\w+)/gm)].find(([, each]) => each === name)?.index;
  const head = at === undefined || at < 0 ? '' : beginning.slice(0, at).trim();
  return head === '' ? null : `${head}\n`;
}

/** The modules that Python code imports. */
function importedModules(code: string): readonly string[] {
  const names = [...code.matchAll(/^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)|import[ \t]+([A-Za-z_][\w., \t]*))/gm)].flatMap(
    ([, from, list]) => (from === undefined ? (list ?? '').split(',') : [from]),
  );
  return [...new Set(names.map((name) => /[A-Za-z_]\w*/.exec(name)?.[0] ?? ''))].filter((name) => name !== '');
}
