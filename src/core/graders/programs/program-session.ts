/** @file A sandbox session for one program. It first loads the *harness*: Python code that runs the program and its tests. */
import {
  fault,
  FaultError,
  type CodeFault,
  type CodeOutcome,
  type CodeRequest,
  type CodeRunner,
  type CodeSession,
} from '../../contract';

/** Time limit for loading the harness, ms. The harness imports modules, which takes time. */
const HARNESS_TIME = 60_000;
/** Maximum UTF-16 units that a program may print in addition to the expected output, for instance to standard error. */
export const SPARE_OUTPUT = 2 ** 20;
/** Maximum length of a text in a verdict, in UTF-16 units. */
const SHOWN = 120;

/**
 * Opens a session, runs the harness, calls `use`, and closes the session. Rejects with a `FaultError` (`internal`) if Python
 * could not start or the harness fails, and with an `AbortError` on abort.
 */
export async function withHarness<T>(
  harness: string,
  runner: CodeRunner,
  memoryLimit: number,
  signal: AbortSignal,
  use: (session: CodeSession) => Promise<T>,
): Promise<T> {
  const session = await runner.open(signal);
  try {
    const { fault: found } = await session.run(harness, { timeLimit: HARNESS_TIME, memoryLimit }, signal);
    if (found) throw new FaultError(fault('internal', found.message, { retryable: true }));
    return await use(session);
  } finally {
    session.close();
  }
}

/** Runs code that calls a function of the harness. Rejects with a `FaultError` (`internal`) if Python could not start. */
export async function runPiece(
  session: CodeSession,
  code: string,
  request: CodeRequest,
  signal: AbortSignal,
): Promise<CodeOutcome> {
  const outcome = await session.run(code, { outputLimit: SPARE_OUTPUT, ...request }, signal);
  if (outcome.fault?.kind === 'could-not-start') throw notStarted(outcome.fault);
  return outcome;
}

/** A program that has not run gets a fault instead of a verdict. */
function notStarted({ message }: CodeFault): FaultError {
  return new FaultError(fault('internal', message, { retryable: true }));
}

/** The reason for a failure, as a clause about the program, such as “it raised KeyError.” `null`: the code did not fail. */
export function failureOf({ fault: found }: CodeOutcome): string | null {
  if (!found) return null;
  if (found.kind !== 'error') return lowerFirst(found.message);
  const lines = found.message.split('\n').filter((line) => line.trim() !== '');
  return `it raised ${shown(lines.findLast((line) => /^[\w.]+(?::|$)/.test(line)) ?? lines.at(-1) ?? 'an error')}.`;
}

/** Shortens a text to one line for a verdict. */
export function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
